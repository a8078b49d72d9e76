/* A bet sensor: what lies on each spot, by switches under it or by a reader of chips. */
#ifndef FELT_BET_SENSOR_H
#define FELT_BET_SENSOR_H

#include "felt_device.h"

#ifndef FELT_SPOTS
#define FELT_SPOTS 8u
#endif
#define FELT_STACKS 8u    /* kinds of chips on one spot */
#define FELT_STILL_MS 60u /* what lies there counts once it was the same for so long */

struct felt_stack {
    uint32_t cents;
    uint16_t count;
};

struct felt_tray { /* what lies on one spot */
    struct felt_stack stacks[FELT_STACKS];
    uint8_t kinds;
    bool unknown; /* beside them something that is no known chip */
};

enum felt_look {
    FELT_LOOK_DARK,   /* the sensor sees nothing */
    FELT_LOOK_SEES,   /* what is in the tray */
    FELT_LOOK_NOT_YET /* it has not looked there yet since it started */
};

struct felt_spot {
    struct felt_tray seen; /* read last */
    struct felt_tray lies; /* what counts */
    uint32_t check; /* of what counts */
    uint32_t since;
    bool unknown_told;
    bool known; /* something has counted since the start, were it that nothing lies there */
};

struct felt_bet_sensor {
    struct felt_device device;
    struct felt_board board;
    void *self; /* of the functions that reach the hardware */
    const char *const *names;
    size_t count;
    enum felt_look (*look)(void *self, size_t spot, struct felt_tray *tray);
    void (*indicate)(void *self, size_t spot, int accepted); /* 1, 0; -1: dark */
    struct felt_spot spots[FELT_SPOTS];
    bool dark;
};

/* Names and the functions that reach the hardware are set before. */
bool felt_bet_sensor_start(struct felt_bet_sensor *sensor, const struct felt_board *port, uint32_t now);
void felt_bet_sensor_poll(struct felt_bet_sensor *sensor, uint32_t now);

/* Switches: each that is closed is a chip of its value on its spot. */
struct felt_switch {
    uint8_t spot;
    uint32_t cents;
};

/* What lies on a spot by its switches. */
void felt_switches_look(const struct felt_switch *switches, const bool *closed, size_t count, size_t spot,
                        struct felt_tray *tray);
/* Puts one more chip into a tray; false when it has no room for another kind. */
bool felt_tray_add(struct felt_tray *tray, uint32_t cents, uint16_t count);

#endif
