/* Bytes: copy, compare, set, little-endian numbers. A freestanding build has no library to ask. */
#ifndef FELT_BYTES_H
#define FELT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void felt_copy(void *to, const void *from, size_t size); /* they may overlap */
void felt_fill(void *to, uint8_t value, size_t size);
void felt_wipe(void *secret, size_t size); /* is not optimised away */
bool felt_same(const void *a, const void *b, size_t size);
bool felt_same_secret(const void *a, const void *b, size_t size); /* in constant time */
size_t felt_length(const char *text);
bool felt_same_text(const char *a, const char *b);
bool felt_copy_text(char *to, size_t room, const char *from); /* false, and an empty text, when it does not fit */

void felt_decimal(char digits[11], uint32_t number);

uint16_t felt_get16(const uint8_t *at);
uint32_t felt_get32(const uint8_t *at);
uint64_t felt_get64(const uint8_t *at);
void felt_put16(uint8_t *at, uint16_t value);
void felt_put32(uint8_t *at, uint32_t value);
void felt_put64(uint8_t *at, uint64_t value);

#endif
