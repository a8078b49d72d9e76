/* Ed25519 (RFC 8032): whether a signature over some pieces is the owner's. A device never signs. */
#ifndef FELT_ED25519_H
#define FELT_ED25519_H

#include "felt_bytes.h"

/* The message is `first` followed by `second`. */
bool felt_ed25519_verify(const uint8_t public_key[32], const uint8_t signature[64], const void *first,
                         size_t first_size, const void *second, size_t second_size);

#endif
