/* Poly1305 (RFC 8439): five limbs of 26 bits, products in 64. */
#include "felt_aead.h"

#define LIMB 0x3FFFFFFu

void felt_poly1305_start(struct felt_poly1305 *poly, const uint8_t key[32])
{
    /* r with the bits that the RFC clamps taken out, cut into limbs */
    poly->r[0] = felt_get32(key) & 0x3FFFFFFu;
    poly->r[1] = felt_get32(key + 3) >> 2 & 0x3FFFF03u;
    poly->r[2] = felt_get32(key + 6) >> 4 & 0x3FFC0FFu;
    poly->r[3] = felt_get32(key + 9) >> 6 & 0x3F03FFFu;
    poly->r[4] = felt_get32(key + 12) >> 8 & 0x00FFFFFu;
    for (unsigned n = 0; n < 5; n++)
        poly->h[n] = 0;
    for (unsigned n = 0; n < 4; n++)
        poly->s[n] = felt_get32(key + 16 + 4 * n);
    poly->filled = 0;
}

static void multiply(uint32_t h[5], const uint32_t r[5])
{
    uint64_t sum[5], carry = 0;
    for (unsigned n = 0; n < 5; n++) {
        sum[n] = 0;
        for (unsigned m = 0; m < 5; m++) { /* what passes 2^130 comes back five times */
            uint32_t factor = m <= n ? r[n - m] : 5 * r[n + 5 - m];
            sum[n] += (uint64_t)h[m] * factor;
        }
    }
    for (unsigned n = 0; n < 5; n++) {
        sum[n] += carry;
        h[n] = (uint32_t)(sum[n] & LIMB);
        carry = sum[n] >> 26;
    }
    carry = carry * 5 + h[0];
    h[0] = (uint32_t)(carry & LIMB);
    h[1] += (uint32_t)(carry >> 26);
}

static void take_block(struct felt_poly1305 *poly, const uint8_t block[16], uint32_t top)
{
    poly->h[0] += felt_get32(block) & LIMB;
    poly->h[1] += felt_get32(block + 3) >> 2 & LIMB;
    poly->h[2] += felt_get32(block + 6) >> 4 & LIMB;
    poly->h[3] += felt_get32(block + 9) >> 6 & LIMB;
    poly->h[4] += felt_get32(block + 12) >> 8 | top;
    multiply(poly->h, poly->r);
}

void felt_poly1305_add(struct felt_poly1305 *poly, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        poly->block[poly->filled++] = data[n];
        if (poly->filled == 16) {
            take_block(poly, poly->block, 1u << 24);
            poly->filled = 0;
        }
    }
}

static void carry_through(uint32_t h[5])
{
    uint32_t carry = 0;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned n = 0; n < 5; n++) {
            h[n] += carry;
            carry = h[n] >> 26;
            h[n] &= LIMB;
        }
        carry *= 5;
    }
    h[0] += carry;
}

/* Takes 2^130 - 5 away once when h is not smaller, without a branch. */
static void reduce(uint32_t h[5])
{
    uint32_t less[5], carry = 5, keep;
    for (unsigned n = 0; n < 5; n++) {
        less[n] = h[n] + carry;
        carry = less[n] >> 26;
        less[n] &= LIMB;
    }
    keep = carry - 1u; /* all ones when there was nothing to take away */
    for (unsigned n = 0; n < 5; n++)
        h[n] = (h[n] & keep) | (less[n] & ~keep);
}

void felt_poly1305_end(struct felt_poly1305 *poly, uint8_t tag[16])
{
    uint32_t *h = poly->h;
    uint64_t sum = 0;
    uint32_t words[4];
    if (poly->filled > 0) {
        poly->block[poly->filled] = 1;
        felt_fill(poly->block + poly->filled + 1, 0, 15 - poly->filled);
        take_block(poly, poly->block, 0);
    }
    carry_through(h);
    reduce(h);
    words[0] = h[0] | h[1] << 26;
    words[1] = h[1] >> 6 | h[2] << 20;
    words[2] = h[2] >> 12 | h[3] << 14;
    words[3] = h[3] >> 18 | h[4] << 8;
    for (unsigned n = 0; n < 4; n++) {
        sum += (uint64_t)words[n] + poly->s[n];
        felt_put32(tag + 4 * n, (uint32_t)sum);
        sum >>= 32;
    }
    felt_wipe(poly, sizeof *poly);
}
