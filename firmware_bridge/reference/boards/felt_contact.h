/* A contact that bounces: it counts once it has been the same for a while. */
#ifndef FELT_CONTACT_H
#define FELT_CONTACT_H

#include "felt_bytes.h"

#define FELT_BOUNCE_MS 20u

struct felt_contact {
    bool closed; /* what counts */
    bool seen;   /* what was read last */
    uint32_t since;
};

void felt_contact_start(struct felt_contact *contact, bool closed, uint32_t now);
/* Takes what was read now; true when what counts has changed. */
bool felt_contact_read(struct felt_contact *contact, bool closed, uint32_t now);

#endif
