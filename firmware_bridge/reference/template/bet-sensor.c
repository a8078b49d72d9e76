/* A bet sensor with a reader of tags under its spots. With switches, `look` calls felt_switches_look instead. */
#include "felt_chips.h"
#include "felt_template.h"

static const char *const NAMES[] = {"ante", "play", "jackpot"}; /* docs/options.md has those of each game */

enum { COUNT = sizeof NAMES / sizeof *NAMES };

static struct felt_bet_sensor sensor;
static struct felt_chips chips;

/* Turns to this antenna and begins to look which tags are there. */
static void begin(void *self, size_t antenna)
{
    (void)self;
    (void)antenna;
}

/* The next tag that it has found, with what is written on it; not yet; or no more. Never waits. */
static enum felt_found_tag next(void *self, struct felt_tag *tag)
{
    (void)self;
    (void)tag;
    return FELT_TAG_NOT_YET;
}

static enum felt_look look(void *self, size_t spot, struct felt_tray *tray)
{
    (void)self;
    return felt_chips_look(&chips, spot, tray);
}

/* A lamp at the spot: 1 accepted, 0 refused, -1 dark. */
static void indicate(void *self, size_t spot, int accepted)
{
    (void)self;
    (void)spot;
    (void)accepted;
}

bool felt_template_start(const struct felt_board *port, uint32_t now)
{
    sensor.names = NAMES;
    sensor.count = chips.count = COUNT;
    sensor.look = look;
    sensor.indicate = indicate;
    chips.reader.begin = begin;
    chips.reader.next = next;
    felt_chips_start(&chips, now);
    return felt_bet_sensor_start(&sensor, port, now);
}

void felt_template_poll(uint32_t now)
{
    felt_chips_poll(&chips, now);
    felt_bet_sensor_poll(&sensor, now);
}

struct felt_device *felt_template_device(void)
{
    return &sensor.device;
}
