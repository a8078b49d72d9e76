/* Sealed links: proof, keys of a session, frames that are encrypted (docs/protocol.md, section 8). */
#ifndef FELT_SEAL_H
#define FELT_SEAL_H

#include "felt_frame.h"

struct felt_keys { /* of one session */
    uint8_t controller_nonce[FELT_NONCE];
    uint8_t device_nonce[FELT_NONCE];
    uint8_t proof[FELT_KEY];
    uint8_t down[FELT_KEY];
    uint8_t up[FELT_KEY];
    uint32_t number; /* of the HELLO with the challenge */
    uint64_t sent;   /* the counter of the newest frame up */
    uint64_t taken;  /* and of the newest one taken */
    bool known;
};

/* Makes keys from the device's key and both nonces, which stand in `keys` already. */
void felt_keys_make(struct felt_keys *keys, const uint8_t key[FELT_KEY]);
void felt_keys_proof(const struct felt_keys *keys, const char *serial, uint8_t proof[32]);

/* Opens the body of a frame in place; false when it does not open, or its counter came before. */
bool felt_open(struct felt_keys *keys, struct felt_frame *frame);
/* Seals a body that stands behind FELT_COUNTER free bytes, in place; returns the size of all of it. */
size_t felt_seal(struct felt_keys *keys, uint8_t *frame, size_t body);

#endif
