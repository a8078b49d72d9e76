/* SHA-256 (FIPS 180-4), and HMAC and HKDF over it (RFC 2104, RFC 5869). */
#ifndef FELT_SHA256_H
#define FELT_SHA256_H

#include "felt_bytes.h"

#define FELT_SHA256 32u

struct felt_sha256 {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64];
};

void felt_sha256_start(struct felt_sha256 *sha);
void felt_sha256_add(struct felt_sha256 *sha, const void *data, size_t size);
void felt_sha256_end(struct felt_sha256 *sha, uint8_t digest[FELT_SHA256]);

struct felt_hmac {
    struct felt_sha256 inner, outer;
};

void felt_hmac_start(struct felt_hmac *hmac, const uint8_t *key, size_t size);
void felt_hmac_add(struct felt_hmac *hmac, const void *data, size_t size);
void felt_hmac_end(struct felt_hmac *hmac, uint8_t tag[FELT_SHA256]);

/* Both steps of HKDF; `size` is at most 255 * 32. */
void felt_hkdf(uint8_t *out, size_t size, const uint8_t *secret, size_t secret_size, const uint8_t *salt,
               size_t salt_size, const void *info, size_t info_size);

#endif
