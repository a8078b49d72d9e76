/* A frame: header, body, check, and its stuffing (docs/protocol.md, section 1). */
#ifndef FELT_FRAME_H
#define FELT_FRAME_H

#include "felt_bytes.h"
#include "felt_sizes.h"

enum felt_kind {
    FELT_HELLO = 1,
    FELT_IDENTITY = 2,
    FELT_EVENT = 3,
    FELT_ACK = 4,
    FELT_COMMAND = 5,
    FELT_REPLY = 6,
    FELT_PING = 7,
    FELT_PONG = 8,
    FELT_RESEND = 9
};

enum felt_broken { /* in the order of 1.12 */
    FELT_SOUND,
    FELT_BROKEN_LONG,
    FELT_BROKEN_COBS,
    FELT_BROKEN_SHORT,
    FELT_BROKEN_CRC,
    FELT_BROKEN_VERSION,
    FELT_BROKEN_KIND,
    FELT_BROKEN_FLAGS,
    FELT_BROKEN_KINDS
};

#define FELT_SEALED 1u

struct felt_frame {
    uint8_t kind;
    bool sealed;
    uint32_t number;
    uint8_t *body; /* inside the buffer that was read */
    size_t size;
};

uint32_t felt_crc32(const uint8_t *data, size_t size);

/* Takes the stuffing off, in place; false when it is no stuffing, or not its shortest form (1.4). */
bool felt_unstuff(uint8_t *data, size_t size, size_t *unstuffed);
/* Stuffs into `to`, which needs size + size / 254 + 1 bytes; returns how many there are. */
size_t felt_stuff(uint8_t *to, const uint8_t *from, size_t size);

/* Reads what stood between two zero bytes, in place. */
enum felt_broken felt_frame_read(struct felt_frame *frame, uint8_t *data, size_t size);

/* Bytes of a wire become pieces between zero bytes. */
struct felt_receiver {
    uint8_t piece[FELT_STUFFED_MAX];
    size_t size;
    bool too_long;
    uint32_t broken[FELT_BROKEN_KINDS]; /* how many of each there were */
};

/* Takes one byte; true when a sound frame ends with it. The frame is good until the next byte. */
bool felt_receive(struct felt_receiver *receiver, uint8_t byte, struct felt_frame *frame);

/* A frame under way: its body is written behind the header, then it is closed and stuffed. */
struct felt_sender {
    uint8_t frame[FELT_FRAME_MAX];
    uint8_t wire[FELT_STUFFED_MAX + 2];
};

void felt_header(uint8_t *frame, uint8_t kind, bool sealed, uint32_t number);
/* Puts check, stuffing and delimiters around header and body; returns the bytes in `wire`. */
size_t felt_close(struct felt_sender *sender, size_t body);

#endif
