/* Numbers modulo 2^255 - 19, for X25519 and Ed25519: eight words, kept below 2^256, made whole at the end. */
#ifndef FELT_FIELD_H
#define FELT_FIELD_H

#include "felt_bytes.h"

typedef struct {
    uint32_t word[8];
} felt_field;

void felt_field_set(felt_field *out, uint32_t small);
void felt_field_read(felt_field *out, const uint8_t bytes[32]); /* all 256 bits */
void felt_field_write(uint8_t bytes[32], const felt_field *a);  /* the one number below 2^255 - 19 */
void felt_field_add(felt_field *out, const felt_field *a, const felt_field *b);
void felt_field_subtract(felt_field *out, const felt_field *a, const felt_field *b);
void felt_field_multiply(felt_field *out, const felt_field *a, const felt_field *b);
void felt_field_invert(felt_field *out, const felt_field *a);
/* a to the power (p - 5) / 8, which square roots begin with */
void felt_field_root_power(felt_field *out, const felt_field *a);
bool felt_field_same(const felt_field *a, const felt_field *b);
/* Exchanges both when `swap` is 1, in constant time. */
void felt_field_swap(felt_field *a, felt_field *b, uint32_t swap);

#endif
