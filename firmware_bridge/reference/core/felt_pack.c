/* MessagePack, as far as the protocol needs it. */
#include "felt_pack.h"

void felt_writer_start(struct felt_writer *w, uint8_t *data, size_t room)
{
    w->data = data;
    w->room = room;
    w->size = 0;
    w->full = false;
}

void felt_write_raw(struct felt_writer *w, const uint8_t *packed, size_t size)
{
    if (w->full || size > w->room - w->size) {
        w->full = true;
        return;
    }
    felt_copy(w->data + w->size, packed, size);
    w->size += size;
}

static void write_head(struct felt_writer *w, uint8_t code, uint64_t value, size_t bytes)
{
    uint8_t head[9];
    head[0] = code;
    for (size_t n = 0; n < bytes; n++)
        head[bytes - n] = (uint8_t)(value >> (8 * n));
    felt_write_raw(w, head, bytes + 1);
}

void felt_write_array(struct felt_writer *w, uint16_t items)
{
    if (items < 16)
        write_head(w, (uint8_t)(0x90 | items), 0, 0);
    else
        write_head(w, 0xdc, items, 2);
}

void felt_write_number(struct felt_writer *w, uint64_t value)
{
    if (value < 0x80)
        write_head(w, (uint8_t)value, 0, 0);
    else if (value <= 0xFF)
        write_head(w, 0xcc, value, 1);
    else if (value <= 0xFFFF)
        write_head(w, 0xcd, value, 2);
    else if (value <= 0xFFFFFFFFu)
        write_head(w, 0xce, value, 4);
    else
        write_head(w, 0xcf, value, 8);
}

void felt_write_bool(struct felt_writer *w, bool value)
{
    write_head(w, value ? 0xc3 : 0xc2, 0, 0);
}

static void text_head(struct felt_writer *w, size_t size)
{
    if (size < 32)
        write_head(w, (uint8_t)(0xa0 | size), 0, 0);
    else if (size <= 0xFF)
        write_head(w, 0xd9, size, 1);
    else if (size <= 0xFFFF)
        write_head(w, 0xda, size, 2);
    else
        w->full = true;
}

void felt_write_some_text(struct felt_writer *w, const char *text, size_t size)
{
    text_head(w, size);
    felt_write_raw(w, (const uint8_t *)text, size);
}

void felt_write_text(struct felt_writer *w, const char *text)
{
    felt_write_some_text(w, text, felt_length(text));
}

void felt_write_hex(struct felt_writer *w, const uint8_t *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    text_head(w, 2 * size);
    for (size_t n = 0; n < size; n++) {
        uint8_t pair[2];
        pair[0] = (uint8_t)digits[data[n] >> 4];
        pair[1] = (uint8_t)digits[data[n] & 15];
        felt_write_raw(w, pair, 2);
    }
}

void felt_write_bytes(struct felt_writer *w, const uint8_t *data, size_t size)
{
    if (size <= 0xFF)
        write_head(w, 0xc4, size, 1);
    else if (size <= 0xFFFF)
        write_head(w, 0xc5, size, 2);
    else
        w->full = true;
    felt_write_raw(w, data, size);
}

void felt_reader_start(struct felt_reader *r, const uint8_t *data, size_t size)
{
    r->data = data;
    r->size = size;
    r->at = 0;
    r->wrong = false;
}

static uint64_t read_big(struct felt_reader *r, size_t bytes)
{
    uint64_t value = 0;
    if (r->wrong || bytes > r->size - r->at) {
        r->wrong = true;
        return 0;
    }
    for (size_t n = 0; n < bytes; n++)
        value = value << 8 | r->data[r->at++];
    return value;
}

static uint64_t wrong(struct felt_reader *r)
{
    r->wrong = true;
    return 0;
}

uint32_t felt_read_array(struct felt_reader *r)
{
    unsigned code = (unsigned)read_big(r, 1);
    if ((code & 0xF0u) == 0x90u && !r->wrong)
        return code & 15u;
    if (code == 0xdc)
        return (uint32_t)read_big(r, 2);
    if (code == 0xdd)
        return (uint32_t)read_big(r, 4);
    return (uint32_t)wrong(r);
}

static uint64_t not_negative(struct felt_reader *r, size_t bytes)
{
    uint64_t value = read_big(r, bytes);
    return value >> (8 * bytes - 1) == 0 ? value : wrong(r);
}

uint64_t felt_read_number(struct felt_reader *r)
{
    unsigned code = (unsigned)read_big(r, 1);
    if (code < 0x80)
        return code;
    if (code >= 0xcc && code <= 0xcf)
        return read_big(r, (size_t)1 << (code - 0xcc));
    if (code >= 0xd0 && code <= 0xd3)
        return not_negative(r, (size_t)1 << (code - 0xd0));
    return wrong(r);
}

bool felt_read_bool(struct felt_reader *r)
{
    unsigned code = (unsigned)read_big(r, 1);
    if (code != 0xc2 && code != 0xc3)
        r->wrong = true;
    return code == 0xc3 && !r->wrong;
}

static struct felt_piece read_piece(struct felt_reader *r, uint64_t size)
{
    struct felt_piece piece = {r->data, 0};
    if (r->wrong || size > r->size - r->at) {
        r->wrong = true;
        return piece;
    }
    piece.data = r->data + r->at;
    piece.size = (size_t)size;
    r->at += piece.size;
    return piece;
}

/* How many bytes follow a first byte of UTF-8, or -1. */
static int followers(uint8_t first)
{
    if (first < 0x80)
        return 0;
    if (first >= 0xC2 && first <= 0xDF)
        return 1;
    if (first >= 0xE0 && first <= 0xEF)
        return 2;
    if (first >= 0xF0 && first <= 0xF4)
        return 3;
    return -1;
}

/* The second byte must not make an overlong form, a surrogate, or a number beyond U+10FFFF. */
static bool fits(uint8_t first, uint8_t second)
{
    if (first == 0xE0)
        return second >= 0xA0;
    if (first == 0xED)
        return second <= 0x9F;
    if (first == 0xF0)
        return second >= 0x90;
    if (first == 0xF4)
        return second <= 0x8F;
    return true;
}

static bool is_utf8(struct felt_piece piece)
{
    size_t at = 0;
    while (at < piece.size) {
        uint8_t first = piece.data[at++];
        int left = followers(first);
        if (left < 0 || (size_t)left > piece.size - at)
            return false;
        if (left > 0 && !fits(first, piece.data[at]))
            return false;
        for (; left > 0; left--)
            if ((piece.data[at++] & 0xC0) != 0x80)
                return false;
    }
    return true;
}

struct felt_piece felt_read_text(struct felt_reader *r)
{
    unsigned code = (unsigned)read_big(r, 1);
    struct felt_piece piece;
    uint64_t size = 0;
    if ((code & 0xE0u) == 0xA0u)
        size = code & 31u;
    else if (code >= 0xd9 && code <= 0xdb)
        size = read_big(r, (size_t)1 << (code - 0xd9));
    else
        r->wrong = true;
    piece = read_piece(r, size);
    if (!is_utf8(piece)) {
        r->wrong = true;
        piece.size = 0;
    }
    return piece;
}

struct felt_piece felt_read_bytes(struct felt_reader *r)
{
    unsigned code = (unsigned)read_big(r, 1);
    uint64_t size = 0;
    if (code >= 0xc4 && code <= 0xc6)
        size = read_big(r, (size_t)1 << (code - 0xc4));
    else
        r->wrong = true;
    return read_piece(r, size);
}

bool felt_read_all(const struct felt_reader *r)
{
    return !r->wrong && r->at == r->size;
}

bool felt_piece_is(struct felt_piece piece, const char *text)
{
    return piece.size == felt_length(text) && felt_same(piece.data, text, piece.size);
}
