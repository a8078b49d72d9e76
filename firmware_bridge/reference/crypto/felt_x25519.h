/* X25519 (RFC 7748): a public half, and the secret that two halves share. */
#ifndef FELT_X25519_H
#define FELT_X25519_H

#include "felt_bytes.h"

void felt_x25519(uint8_t out[32], const uint8_t secret[32], const uint8_t half[32]);
void felt_x25519_half(uint8_t out[32], const uint8_t secret[32]);

#endif
