/* The emulated board: two serial ports (the wire, and a hand's orders), a clock, memory that outlives a restart. */
#ifndef FELT_MPS2_H
#define FELT_MPS2_H

#include "felt_bytes.h"

void felt_main(void);

uint32_t felt_mps2_now(void); /* milliseconds */
void felt_mps2_start(void);
int felt_mps2_read(unsigned uart); /* a byte, or -1 */
void felt_mps2_write(unsigned uart, const uint8_t *data, size_t size);
void felt_mps2_restart(void);

#endif
