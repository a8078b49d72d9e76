/* Replies: how they are written, and the last ones. */
#include "felt_reply.h"

#define REPLY 128u

static void begin(struct felt_writer *reply, bool ok)
{
    reply->size = 0;
    reply->full = false;
    felt_write_array(reply, 4);
    felt_write_number(reply, REPLY);
    felt_write_bool(reply, ok);
}

void felt_done(struct felt_writer *reply)
{
    begin(reply, true);
    felt_write_text(reply, "");
    felt_write_array(reply, 0);
}

void felt_done_number(struct felt_writer *reply, uint32_t number)
{
    char digits[11];
    felt_decimal(digits, number);
    begin(reply, true);
    felt_write_text(reply, digits);
    felt_write_array(reply, 0);
}

void felt_done_hex(struct felt_writer *reply, const uint8_t *data, size_t size)
{
    begin(reply, true);
    felt_write_hex(reply, data, size);
    felt_write_array(reply, 0);
}

void felt_refuse(struct felt_writer *reply, const char *reason)
{
    begin(reply, false);
    felt_write_text(reply, reason);
    felt_write_array(reply, 0);
}

void felt_done_spots(struct felt_writer *reply, uint16_t spots)
{
    begin(reply, true);
    felt_write_text(reply, "");
    felt_write_array(reply, spots);
}

void felt_replies_forget(struct felt_replies *replies)
{
    replies->count = 0;
}

static uint32_t kept(const struct felt_replies *replies)
{
    return replies->count < FELT_REPLIES ? replies->count : FELT_REPLIES;
}

const struct felt_replied *felt_replies_find(const struct felt_replies *replies, uint32_t request)
{
    for (uint32_t n = 0; n < kept(replies); n++)
        if (replies->kept[n].request == request)
            return &replies->kept[n];
    return NULL;
}

bool felt_replies_too_old(const struct felt_replies *replies, uint32_t request)
{
    for (uint32_t n = 0; n < kept(replies); n++)
        if (replies->kept[n].request < request)
            return false;
    return replies->count > FELT_REPLIES;
}

struct felt_replied *felt_replies_new(struct felt_replies *replies, uint32_t request)
{
    struct felt_replied *one = &replies->kept[replies->count % FELT_REPLIES];
    replies->count++;
    if (replies->count == 0) /* after four thousand million of them: still so many are kept */
        replies->count = 2 * FELT_REPLIES;
    one->request = request;
    one->size = 0;
    return one;
}
