/* ChaCha20 and the construction with Poly1305 (RFC 8439). */
#include "felt_aead.h"

static uint32_t left(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t *x, unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 7);
}

void felt_chacha20_block(uint8_t out[64], const uint8_t key[32], uint32_t counter, const uint8_t nonce[12])
{
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t x[16];
    for (unsigned n = 0; n < 8; n++)
        start[4 + n] = felt_get32(key + 4 * n);
    start[12] = counter;
    for (unsigned n = 0; n < 3; n++)
        start[13 + n] = felt_get32(nonce + 4 * n);
    felt_copy(x, start, sizeof x);
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned n = 0; n < 4; n++)
            quarter(x, n, n + 4, n + 8, n + 12);
        for (unsigned n = 0; n < 4; n++)
            quarter(x, n, 4 + (n + 1) % 4, 8 + (n + 2) % 4, 12 + (n + 3) % 4);
    }
    for (unsigned n = 0; n < 16; n++)
        felt_put32(out + 4 * n, x[n] + start[n]);
    felt_wipe(start, sizeof start);
    felt_wipe(x, sizeof x);
}

static void stream(const uint8_t key[32], const uint8_t nonce[12], uint8_t *data, size_t size)
{
    uint8_t block[64];
    uint32_t counter = 1;
    for (size_t n = 0; n < size; n++) {
        if (n % 64 == 0)
            felt_chacha20_block(block, key, counter++, nonce);
        data[n] ^= block[n % 64];
    }
    felt_wipe(block, sizeof block);
}

static void padded(struct felt_poly1305 *poly, const uint8_t *data, size_t size)
{
    static const uint8_t zeros[16];
    felt_poly1305_add(poly, data, size);
    felt_poly1305_add(poly, zeros, (16 - size % 16) % 16);
}

static void authenticate(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *also, size_t also_size,
                         const uint8_t *data, size_t size, uint8_t tag[16])
{
    struct felt_poly1305 poly;
    uint8_t first[64], sizes[16];
    felt_chacha20_block(first, key, 0, nonce);
    felt_poly1305_start(&poly, first);
    padded(&poly, also, also_size);
    padded(&poly, data, size);
    felt_put64(sizes, also_size);
    felt_put64(sizes + 8, size);
    felt_poly1305_add(&poly, sizes, sizeof sizes);
    felt_poly1305_end(&poly, tag);
    felt_wipe(first, sizeof first);
}

void felt_aead_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *also, size_t also_size,
                    uint8_t *data, size_t size, uint8_t tag[16])
{
    stream(key, nonce, data, size);
    authenticate(key, nonce, also, also_size, data, size, tag);
}

bool felt_aead_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *also, size_t also_size,
                    uint8_t *data, size_t size, const uint8_t tag[16])
{
    uint8_t right[16];
    authenticate(key, nonce, also, also_size, data, size, right);
    if (!felt_same_secret(right, tag, sizeof right))
        return false;
    stream(key, nonce, data, size);
    return true;
}
