/* What the compiler calls by itself, where there is no library. */
#include "felt_bytes.h"

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

void *memcpy(void *to, const void *from, size_t size)
{
    felt_copy(to, from, size);
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    felt_copy(to, from, size);
    return to;
}

void *memset(void *to, int value, size_t size)
{
    felt_fill(to, (uint8_t)value, size);
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a, *y = b;
    for (size_t n = 0; n < size; n++)
        if (x[n] != y[n])
            return x[n] < y[n] ? -1 : 1;
    return 0;
}
