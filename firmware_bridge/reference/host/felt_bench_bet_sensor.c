/* A bet sensor on a desk: `chips SPOT CENTSxCOUNT ...` puts so many there and takes the others away. */
#include "felt_bench.h"
#include "felt_bet_sensor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"ante", "play", "war", "tie", "go-to-war", "jackpot"};

enum { COUNT = sizeof NAMES / sizeof *NAMES };

static struct felt_bet_sensor sensor;
static struct {
    struct felt_tray trays[COUNT];
    bool covered;
} world;

static bool look(void *self, size_t spot, struct felt_tray *tray)
{
    (void)self;
    *tray = world.trays[spot];
    return !world.covered;
}

static void indicate(void *self, size_t spot, int accepted)
{
    (void)self;
    printf("spot %s %s\n", NAMES[spot], accepted < 0 ? "dark" : accepted != 0 ? "accepted" : "refused");
}

static bool start(const struct felt_board *port, uint32_t now)
{
    sensor.names = NAMES;
    sensor.count = COUNT;
    sensor.look = look;
    sensor.indicate = indicate;
    return felt_bet_sensor_start(&sensor, port, now);
}

static void poll(uint32_t now)
{
    felt_bet_sensor_poll(&sensor, now);
}

static bool put(struct felt_tray *tray, char *words[], size_t count)
{
    memset(tray, 0, sizeof *tray);
    for (size_t n = 0; n < count; n++) {
        char *end;
        unsigned long cents = strtoul(words[n], &end, 10);
        if (strcmp(words[n], "unknown") == 0)
            tray->unknown = true;
        else if (*end != 'x' || !felt_tray_add(tray, (uint32_t)cents, (uint16_t)strtoul(end + 1, NULL, 10)))
            return false;
    }
    return true;
}

static bool hand(char *words[], size_t count)
{
    if (count == 1 && (strcmp(words[0], "cover") == 0 || strcmp(words[0], "uncover") == 0)) {
        world.covered = words[0][0] == 'c';
        return true;
    }
    if (count < 2 || strcmp(words[0], "chips") != 0)
        return false;
    for (size_t n = 0; n < COUNT; n++)
        if (strcmp(words[1], NAMES[n]) == 0)
            return put(&world.trays[n], words + 2, count - 2);
    return false;
}

static struct felt_device *device(void)
{
    return &sensor.device;
}

const struct felt_kind_of_bench felt_bench_bet_sensor = {"bet-sensor", start, poll, hand, device, &world, sizeof world};
