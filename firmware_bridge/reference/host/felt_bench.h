/* The hardware of a device on a desk: what a person would do with it comes as lines of text, what it does is printed. */
#ifndef FELT_BENCH_H
#define FELT_BENCH_H

#include "felt_device.h"

struct felt_kind_of_bench { /* one for each family */
    const char *family;
    bool (*start)(const struct felt_board *port, uint32_t now);
    void (*poll)(uint32_t now);
    bool (*hand)(char *words[], size_t count); /* what a hand does; false: no such thing here */
    struct felt_device *(*device)(void);
    void *world; /* what lies there and how switches stand: it outlives a restart of the device */
    size_t world_size;
};

extern const struct felt_kind_of_bench felt_bench_lamps, felt_bench_console, felt_bench_bet_sensor, felt_bench_reader;

#endif
