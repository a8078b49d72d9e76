/* Replies: how they are written, and the last ones, so that a request is done once (docs/protocol.md, section 6). */
#ifndef FELT_REPLY_H
#define FELT_REPLY_H

#include "felt_pack.h"
#include "felt_sizes.h"

void felt_done(struct felt_writer *reply);
void felt_done_number(struct felt_writer *reply, uint32_t number);
void felt_done_hex(struct felt_writer *reply, const uint8_t *data, size_t size);
void felt_refuse(struct felt_writer *reply, const char *reason);
/* Begins a reply that ends with so many spots, which the caller writes. */
void felt_done_spots(struct felt_writer *reply, uint16_t spots);

struct felt_replied {
    uint32_t request;
    uint16_t size;
    uint8_t reply[FELT_REPLY_MAX];
};

struct felt_replies {
    struct felt_replied kept[FELT_REPLIES];
    uint32_t count; /* how many there were in this session */
};

void felt_replies_forget(struct felt_replies *replies);
const struct felt_replied *felt_replies_find(const struct felt_replies *replies, uint32_t request);
/* True when a request is older than all whose replies are kept: it was answered once, or nobody waits for it. */
bool felt_replies_too_old(const struct felt_replies *replies, uint32_t request);
/* The oldest makes room for a new one, which is returned to be filled. */
struct felt_replied *felt_replies_new(struct felt_replies *replies, uint32_t request);

#endif
