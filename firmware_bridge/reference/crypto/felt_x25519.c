/* X25519: the Montgomery ladder of RFC 7748, section 5, in constant time. */
#include "felt_x25519.h"
#include "felt_field.h"

void felt_x25519(uint8_t out[32], const uint8_t secret[32], const uint8_t half[32])
{
    felt_field x1, x2, z2, x3, z3, a, b, c, d, e;
    uint8_t k[32], u[32];
    uint32_t swap = 0;
    felt_copy(k, secret, 32);
    k[0] &= 248;
    k[31] = (uint8_t)((k[31] & 127) | 64);
    felt_copy(u, half, 32);
    u[31] &= 127;
    felt_field_read(&x1, u);
    felt_field_set(&x2, 1);
    felt_field_set(&z2, 0);
    x3 = x1;
    felt_field_set(&z3, 1);
    for (unsigned n = 0; n < 255; n++) {
        unsigned t = 254 - n;
        uint32_t bit = (uint32_t)(k[t / 8] >> (t % 8)) & 1u;
        felt_field_swap(&x2, &x3, swap ^ bit);
        felt_field_swap(&z2, &z3, swap ^ bit);
        swap = bit;
        felt_field_add(&a, &x2, &z2);
        felt_field_subtract(&b, &x2, &z2);
        felt_field_add(&c, &x3, &z3);
        felt_field_subtract(&d, &x3, &z3);
        felt_field_multiply(&d, &d, &a);
        felt_field_multiply(&c, &c, &b);
        felt_field_add(&x3, &d, &c);
        felt_field_multiply(&x3, &x3, &x3);
        felt_field_subtract(&z3, &d, &c);
        felt_field_multiply(&z3, &z3, &z3);
        felt_field_multiply(&z3, &z3, &x1);
        felt_field_multiply(&a, &a, &a);
        felt_field_multiply(&b, &b, &b);
        felt_field_multiply(&x2, &a, &b);
        felt_field_subtract(&e, &a, &b);
        felt_field_set(&c, 121665);
        felt_field_multiply(&c, &c, &e);
        felt_field_add(&c, &c, &a);
        felt_field_multiply(&z2, &e, &c);
    }
    felt_field_swap(&x2, &x3, swap);
    felt_field_swap(&z2, &z3, swap);
    felt_field_invert(&z2, &z2);
    felt_field_multiply(&x2, &x2, &z2);
    felt_field_write(out, &x2);
    felt_wipe(k, sizeof k);
    felt_wipe(&x2, sizeof x2);
    felt_wipe(&x3, sizeof x3);
    felt_wipe(&z2, sizeof z2);
    felt_wipe(&z3, sizeof z3);
}

void felt_x25519_half(uint8_t out[32], const uint8_t secret[32])
{
    static const uint8_t nine[32] = {9};
    felt_x25519(out, secret, nine);
}
