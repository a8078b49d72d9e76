/* ChaCha20-Poly1305 as in RFC 8439: encrypts in place, authenticates associated data too. */
#ifndef FELT_AEAD_H
#define FELT_AEAD_H

#include "felt_bytes.h"

void felt_aead_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *also, size_t also_size,
                    uint8_t *data, size_t size, uint8_t tag[16]);
/* False, and the data as they were, when the tag does not fit. */
bool felt_aead_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *also, size_t also_size,
                    uint8_t *data, size_t size, const uint8_t tag[16]);

/* Its parts, for the vectors of the RFC. */
void felt_chacha20_block(uint8_t out[64], const uint8_t key[32], uint32_t counter, const uint8_t nonce[12]);

struct felt_poly1305 {
    uint32_t r[5], h[5], s[4];
    uint8_t block[16];
    size_t filled;
};

void felt_poly1305_start(struct felt_poly1305 *poly, const uint8_t key[32]);
void felt_poly1305_add(struct felt_poly1305 *poly, const uint8_t *data, size_t size);
void felt_poly1305_end(struct felt_poly1305 *poly, uint8_t tag[16]);

#endif
