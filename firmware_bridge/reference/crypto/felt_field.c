/* Numbers modulo p = 2^255 - 19. Since 2^256 = 38 modulo p, what passes the top comes back 38 times. */
#include "felt_field.h"

void felt_field_set(felt_field *out, uint32_t small)
{
    felt_fill(out, 0, sizeof *out);
    out->word[0] = small;
}

void felt_field_read(felt_field *out, const uint8_t bytes[32])
{
    for (unsigned n = 0; n < 8; n++)
        out->word[n] = felt_get32(bytes + 4 * n);
}

/* Adds a small number; returns what passes the top. */
static uint32_t add_small(felt_field *out, uint64_t carry)
{
    for (unsigned n = 0; n < 8; n++) {
        carry += out->word[n];
        out->word[n] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

static void fold(felt_field *out, uint64_t over)
{
    uint32_t again = add_small(out, over * 38);
    (void)add_small(out, (uint64_t)again * 38); /* after it nothing passes: the rest was small */
}

void felt_field_add(felt_field *out, const felt_field *a, const felt_field *b)
{
    uint64_t carry = 0;
    for (unsigned n = 0; n < 8; n++) {
        carry += (uint64_t)a->word[n] + b->word[n];
        out->word[n] = (uint32_t)carry;
        carry >>= 32;
    }
    fold(out, carry);
}

/* Takes a small number away; returns 1 when it passed below zero. */
static uint32_t take_small(felt_field *out, uint32_t borrow)
{
    for (unsigned n = 0; n < 8; n++) {
        uint64_t left = (uint64_t)out->word[n] - borrow;
        out->word[n] = (uint32_t)left;
        borrow = (uint32_t)(left >> 63);
    }
    return borrow;
}

void felt_field_subtract(felt_field *out, const felt_field *a, const felt_field *b)
{
    uint32_t borrow = 0;
    for (unsigned n = 0; n < 8; n++) {
        uint64_t left = (uint64_t)a->word[n] - b->word[n] - borrow;
        out->word[n] = (uint32_t)left;
        borrow = (uint32_t)(left >> 63);
    }
    borrow = take_small(out, borrow * 38);
    (void)take_small(out, borrow * 38);
}

void felt_field_multiply(felt_field *out, const felt_field *a, const felt_field *b)
{
    uint32_t wide[16];
    uint64_t carry = 0;
    felt_fill(wide, 0, sizeof wide);
    for (unsigned n = 0; n < 8; n++) {
        carry = 0;
        for (unsigned m = 0; m < 8; m++) {
            carry += (uint64_t)a->word[n] * b->word[m] + wide[n + m];
            wide[n + m] = (uint32_t)carry;
            carry >>= 32;
        }
        wide[n + 8] = (uint32_t)carry;
    }
    carry = 0;
    for (unsigned n = 0; n < 8; n++) {
        carry += (uint64_t)wide[n + 8] * 38 + wide[n];
        out->word[n] = (uint32_t)carry;
        carry >>= 32;
    }
    fold(out, carry);
}

static void squares(felt_field *out, const felt_field *a, unsigned times)
{
    *out = *a;
    for (unsigned n = 0; n < times; n++)
        felt_field_multiply(out, out, out);
}

/* a^(2^250 - 1), and a^11 beside it */
static void power_250(felt_field *out, felt_field *eleven, const felt_field *a)
{
    felt_field two, nine, five, ten, twenty, fifty, hundred, more;
    squares(&two, a, 1);
    squares(&more, &two, 2);
    felt_field_multiply(&nine, &more, a);
    felt_field_multiply(eleven, &nine, &two);
    squares(&more, eleven, 1);
    felt_field_multiply(&five, &more, &nine); /* 2^5 - 1 */
    squares(&more, &five, 5);
    felt_field_multiply(&ten, &more, &five);
    squares(&more, &ten, 10);
    felt_field_multiply(&twenty, &more, &ten);
    squares(&more, &twenty, 20);
    felt_field_multiply(&more, &more, &twenty);
    squares(&more, &more, 10);
    felt_field_multiply(&fifty, &more, &ten);
    squares(&more, &fifty, 50);
    felt_field_multiply(&hundred, &more, &fifty);
    squares(&more, &hundred, 100);
    felt_field_multiply(&more, &more, &hundred);
    squares(&more, &more, 50);
    felt_field_multiply(out, &more, &fifty);
}

void felt_field_invert(felt_field *out, const felt_field *a)
{
    felt_field eleven, power;
    power_250(&power, &eleven, a);
    squares(&power, &power, 5);
    felt_field_multiply(out, &power, &eleven); /* 2^255 - 21 = p - 2 */
}

void felt_field_root_power(felt_field *out, const felt_field *a)
{
    felt_field eleven, power, base = *a;
    power_250(&power, &eleven, a);
    squares(&power, &power, 2);
    felt_field_multiply(out, &power, &base); /* 2^252 - 3 = (p - 5) / 8 */
}

void felt_field_write(uint8_t bytes[32], const felt_field *a)
{
    felt_field whole = *a, less;
    for (unsigned round = 0; round < 2; round++) { /* below 2^256, so p fits in at most twice */
        uint32_t keep;
        less = whole;
        (void)add_small(&less, 19);
        /* whole + 19 reaches 2^255, or passes 2^256, exactly when whole is not below p */
        keep = (less.word[7] >> 31) | (uint32_t)(whole.word[7] >> 31);
        less.word[7] -= 0x80000000u; /* modulo 2^256 this takes 2^255 away */
        keep = keep - 1u;
        for (unsigned n = 0; n < 8; n++)
            whole.word[n] = (whole.word[n] & keep) | (less.word[n] & ~keep);
    }
    for (unsigned n = 0; n < 8; n++)
        felt_put32(bytes + 4 * n, whole.word[n]);
}

bool felt_field_same(const felt_field *a, const felt_field *b)
{
    uint8_t x[32], y[32];
    felt_field_write(x, a);
    felt_field_write(y, b);
    return felt_same_secret(x, y, sizeof x);
}

void felt_field_swap(felt_field *a, felt_field *b, uint32_t swap)
{
    uint32_t mask = 0u - swap;
    for (unsigned n = 0; n < 8; n++) {
        uint32_t differs = mask & (a->word[n] ^ b->word[n]);
        a->word[n] ^= differs;
        b->word[n] ^= differs;
    }
}
