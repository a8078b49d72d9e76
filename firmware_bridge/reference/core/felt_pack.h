/* MessagePack, as far as the protocol needs it: arrays, whole numbers, texts, bytes, true and false (section 3). */
#ifndef FELT_PACK_H
#define FELT_PACK_H

#include "felt_bytes.h"

/* Writes into a buffer; what does not fit sets `full`, and is checked once at the end. */
struct felt_writer {
    uint8_t *data;
    size_t room;
    size_t size;
    bool full;
};

void felt_writer_start(struct felt_writer *w, uint8_t *data, size_t room);
void felt_write_array(struct felt_writer *w, uint16_t items);
void felt_write_number(struct felt_writer *w, uint64_t value);
void felt_write_bool(struct felt_writer *w, bool value);
void felt_write_text(struct felt_writer *w, const char *text);
void felt_write_some_text(struct felt_writer *w, const char *text, size_t size);
void felt_write_hex(struct felt_writer *w, const uint8_t *data, size_t size); /* as a text of hexadecimal digits */
void felt_write_bytes(struct felt_writer *w, const uint8_t *data, size_t size);
void felt_write_raw(struct felt_writer *w, const uint8_t *packed, size_t size); /* is packed already */

/* Reads from a buffer; the first mistake sets `wrong`, and everything after it reads as nothing. */
struct felt_reader {
    const uint8_t *data;
    size_t size;
    size_t at;
    bool wrong;
};

struct felt_piece { /* a text or bytes, inside the buffer; a text is sound UTF-8, without a zero at its end */
    const uint8_t *data;
    size_t size;
};

void felt_reader_start(struct felt_reader *r, const uint8_t *data, size_t size);
uint32_t felt_read_array(struct felt_reader *r);
uint64_t felt_read_number(struct felt_reader *r); /* a negative one is wrong */
bool felt_read_bool(struct felt_reader *r);
struct felt_piece felt_read_text(struct felt_reader *r);
struct felt_piece felt_read_bytes(struct felt_reader *r);
bool felt_read_all(const struct felt_reader *r); /* nothing was wrong, and nothing is left */

bool felt_piece_is(struct felt_piece piece, const char *text);

#endif
