/* SHA-512 (FIPS 180-4), which Ed25519 needs. */
#ifndef FELT_SHA512_H
#define FELT_SHA512_H

#include "felt_bytes.h"

#define FELT_SHA512 64u

struct felt_sha512 {
    uint64_t state[8];
    uint64_t size;
    uint8_t block[128];
};

void felt_sha512_start(struct felt_sha512 *sha);
void felt_sha512_add(struct felt_sha512 *sha, const void *data, size_t size);
void felt_sha512_end(struct felt_sha512 *sha, uint8_t digest[FELT_SHA512]);

#endif
