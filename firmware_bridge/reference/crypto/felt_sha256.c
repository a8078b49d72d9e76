/* SHA-256, and HMAC and HKDF over it. */
#include "felt_sha256.h"

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static uint32_t big32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_big32(uint8_t *at, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        at[n] = (uint8_t)(value >> (24 - 8 * n));
}

static void digest_block(struct felt_sha256 *sha)
{
    uint32_t w[64], s[8];
    for (unsigned t = 0; t < 16; t++)
        w[t] = big32(sha->block + 4 * t);
    for (unsigned t = 16; t < 64; t++) {
        uint32_t a = right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t b = right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + a + w[t - 7] + b;
    }
    for (unsigned n = 0; n < 8; n++)
        s[n] = sha->state[n];
    for (unsigned t = 0; t < 64; t++) {
        uint32_t e = right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t one = s[7] + e + choice + K[t] + w[t];
        uint32_t a = right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22);
        uint32_t most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        for (unsigned n = 7; n > 0; n--)
            s[n] = s[n - 1];
        s[4] += one;
        s[0] = one + a + most;
    }
    for (unsigned n = 0; n < 8; n++)
        sha->state[n] += s[n];
    felt_wipe(w, sizeof w);
    felt_wipe(s, sizeof s);
}

void felt_sha256_start(struct felt_sha256 *sha)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (unsigned n = 0; n < 8; n++)
        sha->state[n] = first[n];
    sha->size = 0;
}

void felt_sha256_add(struct felt_sha256 *sha, const void *data, size_t size)
{
    const uint8_t *from = data;
    for (size_t n = 0; n < size; n++) {
        sha->block[sha->size++ % 64] = from[n];
        if (sha->size % 64 == 0)
            digest_block(sha);
    }
}

void felt_sha256_end(struct felt_sha256 *sha, uint8_t digest[FELT_SHA256])
{
    static const uint8_t one = 0x80, none = 0;
    uint64_t bits = sha->size * 8;
    uint8_t length[8];
    put_big32(length, (uint32_t)(bits >> 32));
    put_big32(length + 4, (uint32_t)bits);
    felt_sha256_add(sha, &one, 1);
    while (sha->size % 64 != 56)
        felt_sha256_add(sha, &none, 1);
    felt_sha256_add(sha, length, 8);
    for (unsigned n = 0; n < 8; n++)
        put_big32(digest + 4 * n, sha->state[n]);
    felt_wipe(sha, sizeof *sha);
}

void felt_hmac_start(struct felt_hmac *hmac, const uint8_t *key, size_t size)
{
    uint8_t pad[64];
    felt_fill(pad, 0, sizeof pad);
    if (size > sizeof pad) {
        felt_sha256_start(&hmac->inner);
        felt_sha256_add(&hmac->inner, key, size);
        felt_sha256_end(&hmac->inner, pad);
    } else {
        felt_copy(pad, key, size);
    }
    for (unsigned n = 0; n < sizeof pad; n++)
        pad[n] ^= 0x36;
    felt_sha256_start(&hmac->inner);
    felt_sha256_add(&hmac->inner, pad, sizeof pad);
    for (unsigned n = 0; n < sizeof pad; n++)
        pad[n] ^= 0x36 ^ 0x5c;
    felt_sha256_start(&hmac->outer);
    felt_sha256_add(&hmac->outer, pad, sizeof pad);
    felt_wipe(pad, sizeof pad);
}

void felt_hmac_add(struct felt_hmac *hmac, const void *data, size_t size)
{
    felt_sha256_add(&hmac->inner, data, size);
}

void felt_hmac_end(struct felt_hmac *hmac, uint8_t tag[FELT_SHA256])
{
    uint8_t inner[FELT_SHA256];
    felt_sha256_end(&hmac->inner, inner);
    felt_sha256_add(&hmac->outer, inner, sizeof inner);
    felt_sha256_end(&hmac->outer, tag);
    felt_wipe(inner, sizeof inner);
}

void felt_hkdf(uint8_t *out, size_t size, const uint8_t *secret, size_t secret_size, const uint8_t *salt,
               size_t salt_size, const void *info, size_t info_size)
{
    struct felt_hmac hmac;
    uint8_t key[FELT_SHA256], block[FELT_SHA256], count = 0;
    felt_hmac_start(&hmac, salt, salt_size);
    felt_hmac_add(&hmac, secret, secret_size);
    felt_hmac_end(&hmac, key);
    while (size > 0) {
        size_t some = size < sizeof block ? size : sizeof block;
        felt_hmac_start(&hmac, key, sizeof key);
        if (count > 0)
            felt_hmac_add(&hmac, block, sizeof block);
        felt_hmac_add(&hmac, info, info_size);
        count++;
        felt_hmac_add(&hmac, &count, 1);
        felt_hmac_end(&hmac, block);
        felt_copy(out, block, some);
        out += some;
        size -= some;
    }
    felt_wipe(key, sizeof key);
    felt_wipe(block, sizeof block);
}
