/* Flash that is plain memory: for emulated boards, and for tests that need many devices. */
#ifndef FELT_RAM_FLASH_H
#define FELT_RAM_FLASH_H

#include "felt_log.h"

struct felt_ram_flash {
    uint8_t *memory; /* FELT_FLASH bytes */
    uint32_t writes_left; /* words that are still written: then the power is cut; UINT32_MAX: always */
};

void felt_ram_flash_use(struct felt_ram_flash *ram, struct felt_flash *flash);

#endif
