/* Lamps on a desk: each change of a lamp is a line. */
#include "felt_bench.h"
#include "felt_lamps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct felt_lamps lamps;
static bool lit[FELT_LAMPS];
static struct {
    bool door_open;
    int open_channel;
} world = {false, -1};

static void light(void *self, uint32_t channel, bool on)
{
    (void)self;
    if (lit[channel] != on)
        printf("lamp %lu %s\n", (unsigned long)channel, on ? "on" : "off");
    lit[channel] = on;
}

static int open_circuit(void *self)
{
    (void)self;
    return world.open_channel;
}

static bool door(void *self)
{
    (void)self;
    return world.door_open;
}

static bool start(const struct felt_board *port, uint32_t now)
{
    lamps.light = light;
    lamps.open_circuit = open_circuit;
    lamps.door = door;
    return felt_lamps_start(&lamps, port, now);
}

static void poll(uint32_t now)
{
    felt_lamps_poll(&lamps, now);
}

static bool hand(char *words[], size_t count)
{
    if (count == 2 && strcmp(words[0], "door") == 0)
        world.door_open = strcmp(words[1], "open") == 0;
    else if (count == 2 && strcmp(words[0], "cut-wire") == 0)
        world.open_channel = atoi(words[1]);
    else if (count == 1 && strcmp(words[0], "mend-wire") == 0)
        world.open_channel = -1;
    else
        return false;
    return true;
}

static struct felt_device *device(void)
{
    return &lamps.device;
}

const struct felt_kind_of_bench felt_bench_lamps = {"lamps", start, poll, hand, device, &world, sizeof world};
