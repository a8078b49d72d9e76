/* A contact that bounces. */
#include "felt_contact.h"

void felt_contact_start(struct felt_contact *contact, bool closed, uint32_t now)
{
    contact->closed = contact->seen = closed;
    contact->since = now;
}

bool felt_contact_read(struct felt_contact *contact, bool closed, uint32_t now)
{
    if (closed != contact->seen) {
        contact->seen = closed;
        contact->since = now;
    }
    if (contact->closed == closed || now - contact->since < FELT_BOUNCE_MS)
        return false;
    contact->closed = closed;
    return true;
}
