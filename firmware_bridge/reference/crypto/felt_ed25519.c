/* Ed25519: verification (RFC 8032, 5.1.7). All of it is public, so nothing here needs constant time. */
#include "felt_ed25519.h"
#include "felt_field.h"
#include "felt_sha512.h"

/* A point of the curve -x^2 + y^2 = 1 + d x^2 y^2, as X/Z, Y/Z, with T = XY/Z (RFC 8032, 5.1.4). */
struct point {
    felt_field x, y, z, t;
};

static const felt_field D = {
    {0x135978a3, 0x75eb4dca, 0x4141d8ab, 0x00700a4d, 0x7779e898, 0x8cc74079, 0x2b6ffe73, 0x52036cee}};
static const felt_field TWICE_D = {
    {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a, 0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc}};
static const felt_field ROOT_OF_MINUS_ONE = {
    {0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806, 0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480}};
static const struct point BASE = {
    {{0x8f25d51a, 0xc9562d60, 0x9525a7b2, 0x692cc760, 0xfdd6dc5c, 0xc0a4e231, 0xcd6e53fe, 0x216936d3}},
    {{0x66666658, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666}},
    {{1, 0, 0, 0, 0, 0, 0, 0}},
    {{0xa5b7dda3, 0x6dde8ab3, 0x775152f5, 0x20f09f80, 0x64abe37d, 0x66ea4e8e, 0xd78b7665, 0x67875f0f}}};
/* the order of the base point */
static const uint32_t ORDER[8] = {0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000};

static void add(struct point *out, const struct point *p, const struct point *q)
{
    felt_field a, b, c, d, e, f, g, h;
    felt_field_subtract(&a, &p->y, &p->x);
    felt_field_subtract(&e, &q->y, &q->x);
    felt_field_multiply(&a, &a, &e);
    felt_field_add(&b, &p->y, &p->x);
    felt_field_add(&e, &q->y, &q->x);
    felt_field_multiply(&b, &b, &e);
    felt_field_multiply(&c, &p->t, &q->t);
    felt_field_multiply(&c, &c, &TWICE_D);
    felt_field_multiply(&d, &p->z, &q->z);
    felt_field_add(&d, &d, &d);
    felt_field_subtract(&e, &b, &a);
    felt_field_subtract(&f, &d, &c);
    felt_field_add(&g, &d, &c);
    felt_field_add(&h, &b, &a);
    felt_field_multiply(&out->x, &e, &f);
    felt_field_multiply(&out->y, &g, &h);
    felt_field_multiply(&out->t, &e, &h);
    felt_field_multiply(&out->z, &f, &g);
}

/* True when the bytes are a point's one encoding. */
static bool read_point(struct point *p, const uint8_t bytes[32])
{
    felt_field one, square, above, below, check, none;
    uint8_t again[32];
    unsigned odd = bytes[31] >> 7;
    felt_copy(again, bytes, 32);
    again[31] &= 127;
    felt_field_read(&p->y, again);
    felt_field_write(again, &p->y);
    again[31] = (uint8_t)(again[31] | odd << 7);
    if (!felt_same(again, bytes, 32))
        return false;
    /* x^2 = (y^2 - 1) / (d y^2 + 1); the root as in 5.1.3 */
    felt_field_set(&one, 1);
    felt_field_set(&none, 0);
    felt_field_multiply(&square, &p->y, &p->y);
    felt_field_subtract(&above, &square, &one);
    felt_field_multiply(&below, &square, &D);
    felt_field_add(&below, &below, &one);
    felt_field_invert(&below, &below);
    felt_field_multiply(&square, &above, &below);
    felt_field_root_power(&p->x, &square); /* square^((p-5)/8); times square is square^((p+3)/8) */
    felt_field_multiply(&p->x, &p->x, &square);
    felt_field_multiply(&check, &p->x, &p->x);
    if (!felt_field_same(&check, &square)) {
        felt_field_multiply(&p->x, &p->x, &ROOT_OF_MINUS_ONE);
        felt_field_multiply(&check, &p->x, &p->x);
        if (!felt_field_same(&check, &square))
            return false;
    }
    felt_field_write(again, &p->x);
    if (felt_field_same(&p->x, &none) && odd != 0)
        return false;
    if ((again[0] & 1u) != odd)
        felt_field_subtract(&p->x, &none, &p->x);
    p->z = one;
    felt_field_multiply(&p->t, &p->x, &p->y);
    return true;
}

static void write_point(uint8_t bytes[32], const struct point *p)
{
    felt_field over, x, y;
    uint8_t sign[32];
    felt_field_invert(&over, &p->z);
    felt_field_multiply(&x, &p->x, &over);
    felt_field_multiply(&y, &p->y, &over);
    felt_field_write(sign, &x);
    felt_field_write(bytes, &y);
    bytes[31] = (uint8_t)(bytes[31] | (sign[0] & 1u) << 7);
}

static bool below_order(const uint32_t k[8])
{
    for (unsigned n = 8; n > 0; n--)
        if (k[n - 1] != ORDER[n - 1])
            return k[n - 1] < ORDER[n - 1];
    return false;
}

static void take_order(uint32_t k[8])
{
    uint32_t borrow = 0;
    for (unsigned n = 0; n < 8; n++) {
        uint64_t left = (uint64_t)k[n] - ORDER[n] - borrow;
        k[n] = (uint32_t)left;
        borrow = (uint32_t)(left >> 63);
    }
}

/* 512 bits modulo the order, a bit at a time: slow, small, and done once for an image. */
static void modulo_order(uint32_t k[8], const uint8_t wide[64])
{
    felt_fill(k, 0, 32);
    for (unsigned n = 512; n > 0; n--) {
        uint32_t carry = (uint32_t)(wide[(n - 1) / 8] >> ((n - 1) % 8)) & 1u;
        for (unsigned m = 0; m < 8; m++) {
            uint32_t next = k[m] >> 31;
            k[m] = k[m] << 1 | carry;
            carry = next;
        }
        if (!below_order(k))
            take_order(k);
    }
}

/* s times the base point, and k times a point: their sum */
static void both(struct point *out, const uint32_t s[8], const uint32_t k[8], const struct point *a)
{
    felt_field_set(&out->x, 0);
    felt_field_set(&out->y, 1);
    felt_field_set(&out->z, 1);
    felt_field_set(&out->t, 0);
    for (unsigned n = 256; n > 0; n--) {
        unsigned word = (n - 1) / 32, bit = (n - 1) % 32;
        add(out, out, out);
        if ((s[word] >> bit & 1u) != 0)
            add(out, out, &BASE);
        if ((k[word] >> bit & 1u) != 0)
            add(out, out, a);
    }
}

bool felt_ed25519_verify(const uint8_t public_key[32], const uint8_t signature[64], const void *first,
                         size_t first_size, const void *second, size_t second_size)
{
    struct felt_sha512 sha;
    struct point a, sum;
    felt_field none;
    uint8_t wide[64], encoded[32];
    uint32_t s[8], k[8];
    for (unsigned n = 0; n < 8; n++)
        s[n] = felt_get32(signature + 32 + 4 * n);
    if (!below_order(s) || !read_point(&a, public_key))
        return false;
    felt_sha512_start(&sha);
    felt_sha512_add(&sha, signature, 32);
    felt_sha512_add(&sha, public_key, 32);
    felt_sha512_add(&sha, first, first_size);
    felt_sha512_add(&sha, second, second_size);
    felt_sha512_end(&sha, wide);
    modulo_order(k, wide);
    felt_field_set(&none, 0);
    felt_field_subtract(&a.x, &none, &a.x);
    felt_field_subtract(&a.t, &none, &a.t);
    both(&sum, s, k, &a);
    write_point(encoded, &sum);
    return felt_same(encoded, signature, sizeof encoded);
}
