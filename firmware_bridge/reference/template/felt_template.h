/* A port with nothing behind it. Copy this folder, fill in what stands empty, and take one family's file. `make sizes`
 * measures each family on it, so that what is measured is what every port has. */
#ifndef FELT_TEMPLATE_H
#define FELT_TEMPLATE_H

#include "felt_device.h"

/* What a family's file gives: */
bool felt_template_start(const struct felt_board *port, uint32_t now);
void felt_template_poll(uint32_t now);
struct felt_device *felt_template_device(void);

void felt_main(void);

#endif
