/* A bet sensor on a desk: `chips SPOT CENTSxCOUNT ...` puts so many there and takes the others away. With `felt_bench_tags`
 * they have tags, which a simulated reader finds (`misses N`: each so-manieth not; `slow N`: each when it was asked so
 * often); else each tray is seen at once. */
#include "felt_bench.h"
#include "felt_tag_sim.h"

static const char *const NAMES[] = {"ante", "play", "war", "tie", "go-to-war", "jackpot"};

enum { COUNT = sizeof NAMES / sizeof *NAMES };

bool felt_bench_tags;

static struct felt_bet_sensor sensor;
static struct felt_chips chips;
static struct felt_tag_sim sim;
static struct {
    struct felt_tray trays[COUNT];
    bool covered;
} world;

static enum felt_look look(void *self, size_t spot, struct felt_tray *tray)
{
    (void)self;
    if (felt_bench_tags)
        return felt_chips_look(&chips, spot, tray);
    *tray = world.trays[spot];
    return world.covered ? FELT_LOOK_DARK : FELT_LOOK_SEES;
}

static void indicate(void *self, size_t spot, int accepted)
{
    (void)self;
    felt_say("spot ");
    felt_say(NAMES[spot]);
    felt_say(accepted < 0 ? " dark\n" : accepted != 0 ? " accepted\n" : " refused\n");
}

static bool start(const struct felt_board *port, uint32_t now)
{
    sensor.names = NAMES;
    sensor.count = COUNT;
    sensor.look = look;
    sensor.indicate = indicate;
    sim.trays = world.trays;
    sim.dark = &world.covered;
    felt_tag_sim_use(&sim, &chips.reader);
    chips.count = COUNT;
    felt_chips_start(&chips, now);
    return felt_bet_sensor_start(&sensor, port, now);
}

static void poll(uint32_t now)
{
    if (felt_bench_tags)
        felt_chips_poll(&chips, now);
    felt_bet_sensor_poll(&sensor, now);
}

static bool put(struct felt_tray *tray, char *words[], size_t count)
{
    felt_fill(tray, 0, sizeof *tray);
    for (size_t n = 0; n < count; n++) {
        const char *word = words[n];
        uint32_t cents, number;
        if (felt_same_text(word, "unknown")) {
            tray->unknown = true;
            continue;
        }
        if (!felt_read_digits(&word, &cents) || *word++ != 'x' || !felt_read_digits(&word, &number) ||
            !felt_tray_add(tray, cents, (uint16_t)number))
            return false;
    }
    return true;
}

static bool read_number(const char *word, uint32_t *number)
{
    return felt_read_digits(&word, number) && *word == '\0';
}

static bool hand(char *words[], size_t count)
{
    if (count == 1 && (felt_same_text(words[0], "cover") || felt_same_text(words[0], "uncover"))) {
        world.covered = words[0][0] == 'c';
        return true;
    }
    if (count == 2 && felt_same_text(words[0], "misses"))
        return read_number(words[1], &sim.misses);
    if (count == 2 && felt_same_text(words[0], "slow"))
        return read_number(words[1], &sim.slow);
    if (count < 2 || !felt_same_text(words[0], "chips"))
        return false;
    for (size_t n = 0; n < COUNT; n++)
        if (felt_same_text(words[1], NAMES[n]))
            return put(&world.trays[n], words + 2, count - 2);
    return false;
}

static struct felt_device *device(void)
{
    return &sensor.device;
}

const struct felt_kind_of_bench felt_bench_bet_sensor = {"bet-sensor", start, poll, hand, device, &world, sizeof world};
