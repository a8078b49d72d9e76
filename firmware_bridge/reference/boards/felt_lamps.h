/* Lamps: a driver of outputs, a switch at its door, and a wire that can be open. */
#ifndef FELT_LAMPS_H
#define FELT_LAMPS_H

#include "felt_device.h"
#include "felt_contact.h"

#ifndef FELT_LAMPS
#define FELT_LAMPS 168u /* channels: 8 of the table and 16 of each of ten areas (docs/firmware.md, 7) */
#endif
#define FELT_BLINK_MS 500u

enum { FELT_LAMP_OFF, FELT_LAMP_ON, FELT_LAMP_BLINKS };

struct felt_lamps {
    struct felt_device device;
    struct felt_board board;
    void *self; /* of the functions that reach the hardware */
    void (*light)(void *self, uint32_t channel, bool lit);
    int (*open_circuit)(void *self); /* a channel whose wire is open, or -1 */
    bool (*door)(void *self);
    uint8_t state[FELT_LAMPS];
    bool phase; /* of what blinks */
    uint32_t turned;
    struct felt_contact door_contact; /* closed: the door is open */
};

/* The functions that reach the hardware are set before. */
bool felt_lamps_start(struct felt_lamps *lamps, const struct felt_board *port, uint32_t now);
void felt_lamps_poll(struct felt_lamps *lamps, uint32_t now);

#endif
