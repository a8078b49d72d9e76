/* Bytes: copy, compare, set, little-endian numbers. */
#include "felt_bytes.h"

void felt_copy(void *to, const void *from, size_t size)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((uintptr_t)t <= (uintptr_t)f) {
        for (size_t n = 0; n < size; n++)
            t[n] = f[n];
    } else {
        for (size_t n = size; n > 0; n--)
            t[n - 1] = f[n - 1];
    }
}

void felt_fill(void *to, uint8_t value, size_t size)
{
    uint8_t *t = to;
    for (size_t n = 0; n < size; n++)
        t[n] = value;
}

void felt_wipe(void *secret, size_t size)
{
    volatile uint8_t *s = secret;
    for (size_t n = 0; n < size; n++)
        s[n] = 0;
}

bool felt_same_secret(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a, *y = b;
    uint8_t differs = 0;
    for (size_t n = 0; n < size; n++)
        differs = (uint8_t)(differs | (x[n] ^ y[n]));
    return differs == 0;
}

bool felt_same(const void *a, const void *b, size_t size)
{
    return felt_same_secret(a, b, size);
}

size_t felt_length(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}

bool felt_same_text(const char *a, const char *b)
{
    size_t size = felt_length(a);
    return size == felt_length(b) && felt_same(a, b, size);
}

bool felt_copy_text(char *to, size_t room, const char *from)
{
    size_t size = felt_length(from);
    bool fits = size < room;
    if (!fits)
        size = 0;
    felt_copy(to, from, size);
    to[size] = '\0';
    return fits;
}

void felt_decimal(char digits[11], uint32_t number)
{
    char back[10];
    size_t size = 0;
    do {
        back[size++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t n = 0; n < size; n++)
        digits[n] = back[size - 1 - n];
    digits[size] = '\0';
}

uint16_t felt_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (unsigned)at[1] << 8);
}

uint32_t felt_get32(const uint8_t *at)
{
    return (uint32_t)felt_get16(at) | (uint32_t)felt_get16(at + 2) << 16;
}

uint64_t felt_get64(const uint8_t *at)
{
    return (uint64_t)felt_get32(at) | (uint64_t)felt_get32(at + 4) << 32;
}

void felt_put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

void felt_put32(uint8_t *at, uint32_t value)
{
    felt_put16(at, (uint16_t)value);
    felt_put16(at + 2, (uint16_t)(value >> 16));
}

void felt_put64(uint8_t *at, uint64_t value)
{
    felt_put32(at, (uint32_t)value);
    felt_put32(at + 4, (uint32_t)(value >> 32));
}
