/* The emulated board: two serial ports (the wire, and a hand's lines), a clock, memory that outlives a restart. */
#ifndef FELT_MPS2_H
#define FELT_MPS2_H

#include "felt_bytes.h"

#define FELT_MPS2_PSRAM ((uint8_t *)0x21000000u)

enum { FELT_MPS2_WIRE = 0, FELT_MPS2_HAND = 1 };

void felt_main(void);

uint32_t felt_mps2_now(void); /* milliseconds */
void felt_mps2_start(void);
int felt_mps2_read(unsigned uart); /* a byte, or -1 */
/* What nobody fetches for a while is lost, as on a line without flow control. */
void felt_mps2_write(unsigned uart, const uint8_t *data, size_t size);
void felt_mps2_rest(void); /* until a byte comes, at most a tick */
void felt_mps2_restart(void);
size_t felt_mps2_stack(void); /* bytes of it that were ever used since the restart */

#endif
