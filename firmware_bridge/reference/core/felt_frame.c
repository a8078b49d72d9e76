/* A frame: header, body, check, and its stuffing. */
#include "felt_frame.h"

#define VERSION 1u

uint32_t felt_crc32(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t n = 0; n < size; n++) {
        crc ^= data[n];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

bool felt_unstuff(uint8_t *data, size_t size, size_t *unstuffed)
{
    size_t from = 0, to = 0;
    unsigned before = 0;
    if (size == 0)
        return false;
    while (from < size) {
        unsigned code = data[from++];
        if (code == 0 || code - 1u > size - from)
            return false;
        if (before == 255 && code == 1 && from == size)
            return false; /* a full piece ends the frame: nothing may follow it (1.4) */
        if (before != 0 && before != 255)
            data[to++] = 0;
        for (unsigned n = 1; n < code; n++) {
            if (data[from] == 0)
                return false;
            data[to++] = data[from++];
        }
        before = code;
    }
    *unstuffed = to;
    return true;
}

size_t felt_stuff(uint8_t *to, const uint8_t *from, size_t size)
{
    size_t code_at = 0, at = 1;
    uint8_t code = 1;
    for (size_t n = 0; n < size; n++) {
        if (code == 255) { /* only now: nothing follows a full piece at the end */
            to[code_at] = code;
            code_at = at++;
            code = 1;
        }
        if (from[n] == 0) {
            to[code_at] = code;
            code_at = at++;
            code = 1;
        } else {
            to[at++] = from[n];
            code++;
        }
    }
    to[code_at] = code;
    return at;
}

enum felt_broken felt_frame_read(struct felt_frame *frame, uint8_t *data, size_t size)
{
    if (!felt_unstuff(data, size, &size))
        return FELT_BROKEN_COBS;
    if (size < FELT_HEADER + FELT_CHECK)
        return FELT_BROKEN_SHORT;
    size -= FELT_CHECK;
    if (felt_crc32(data, size) != felt_get32(data + size))
        return FELT_BROKEN_CRC;
    if (data[0] != VERSION)
        return FELT_BROKEN_VERSION;
    if (data[1] < FELT_HELLO || data[1] > FELT_RESEND)
        return FELT_BROKEN_KIND;
    if ((data[2] & ~FELT_SEALED) != 0)
        return FELT_BROKEN_FLAGS;
    frame->kind = data[1];
    frame->sealed = data[2] == FELT_SEALED;
    frame->number = felt_get32(data + 3);
    frame->body = data + FELT_HEADER;
    frame->size = size - FELT_HEADER;
    return FELT_SOUND;
}

bool felt_receive(struct felt_receiver *receiver, uint8_t byte, struct felt_frame *frame)
{
    size_t size = receiver->size;
    bool too_long = receiver->too_long;
    enum felt_broken broken;
    if (byte != 0) {
        if (size < FELT_STUFFED_MAX)
            receiver->piece[receiver->size++] = byte;
        else
            receiver->too_long = true;
        return false;
    }
    receiver->size = 0;
    receiver->too_long = false;
    if (size == 0)
        return false; /* two zero bytes in a row mean nothing (1.2) */
    broken = too_long ? FELT_BROKEN_LONG : felt_frame_read(frame, receiver->piece, size);
    if (broken != FELT_SOUND)
        receiver->broken[broken]++;
    return broken == FELT_SOUND;
}

void felt_header(uint8_t *frame, uint8_t kind, bool sealed, uint32_t number)
{
    frame[0] = VERSION;
    frame[1] = kind;
    frame[2] = sealed ? FELT_SEALED : 0;
    felt_put32(frame + 3, number);
}

size_t felt_close(struct felt_sender *sender, size_t body)
{
    size_t size = FELT_HEADER + body;
    size_t stuffed;
    felt_put32(sender->frame + size, felt_crc32(sender->frame, size));
    sender->wire[0] = 0;
    stuffed = felt_stuff(sender->wire + 1, sender->frame, size + FELT_CHECK);
    sender->wire[stuffed + 1] = 0;
    return stuffed + 2;
}
