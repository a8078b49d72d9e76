/* Flash that is plain memory. */
#include "felt_ram_flash.h"

static bool ram_read(void *self, uint32_t at, void *to, size_t size)
{
    const struct felt_ram_flash *ram = self;
    if (at > FELT_FLASH || size > FELT_FLASH - at)
        return false;
    felt_copy(to, ram->memory + at, size);
    return true;
}

static bool has_power(struct felt_ram_flash *ram)
{
    if (ram->writes_left == 0)
        return false;
    if (ram->writes_left != UINT32_MAX)
        ram->writes_left--;
    return true;
}

/* As NOR flash does it: bits go from 1 to 0, in words. */
static bool ram_write(void *self, uint32_t at, const void *from, size_t size)
{
    struct felt_ram_flash *ram = self;
    const uint8_t *data = from;
    if (at % FELT_WORD != 0 || size % FELT_WORD != 0 || at > FELT_FLASH || size > FELT_FLASH - at)
        return false;
    for (size_t n = 0; n < size; n++) {
        if (n % FELT_WORD == 0 && !has_power(ram))
            return false;
        ram->memory[at + n] &= data[n];
        if (ram->memory[at + n] != data[n])
            return false; /* the word was not erased */
    }
    return true;
}

static bool ram_erase(void *self, uint32_t at)
{
    struct felt_ram_flash *ram = self;
    if (at % FELT_SECTOR != 0 || at >= FELT_FLASH || !has_power(ram))
        return false;
    felt_fill(ram->memory + at, 0xFF, FELT_SECTOR);
    return true;
}

void felt_ram_flash_use(struct felt_ram_flash *ram, struct felt_flash *flash)
{
    flash->self = ram;
    flash->read = ram_read;
    flash->write = ram_write;
    flash->erase = ram_erase;
}
