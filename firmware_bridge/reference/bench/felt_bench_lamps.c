/* Lamps on a desk: each change of a lamp is a line. */
#include "felt_bench.h"
#include "felt_lamps.h"

static struct felt_lamps lamps;
static bool lit[FELT_LAMPS];
static struct {
    bool door_open;
    int open_channel;
} world = {false, -1};

static void light(void *self, uint32_t channel, bool on)
{
    (void)self;
    if (lit[channel] == on)
        return;
    lit[channel] = on;
    felt_say("lamp ");
    felt_say_number(channel);
    felt_say(on ? " on\n" : " off\n");
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

static bool cut_wire(const char *word)
{
    uint32_t channel;
    if (!felt_read_digits(&word, &channel) || *word != '\0' || channel >= FELT_LAMPS)
        return false;
    world.open_channel = (int)channel;
    return true;
}

static bool hand(char *words[], size_t count)
{
    if (count == 2 && felt_same_text(words[0], "cut-wire"))
        return cut_wire(words[1]);
    if (count == 2 && felt_same_text(words[0], "door"))
        world.door_open = felt_same_text(words[1], "open");
    else if (count == 1 && felt_same_text(words[0], "mend-wire"))
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
