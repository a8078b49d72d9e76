/* Lamps: what your driver of outputs does. */
#include "felt_lamps.h"
#include "felt_template.h"

static struct felt_lamps lamps;

/* Called when a lamp changes, and for all of them when they go dark. */
static void light(void *self, uint32_t channel, bool lit)
{
    (void)self;
    (void)channel;
    (void)lit;
}

/* A channel whose wire is open, if the driver can tell; else -1. */
static int open_circuit(void *self)
{
    (void)self;
    return -1;
}

/* True while the door is open. Contacts may bounce. */
static bool door(void *self)
{
    (void)self;
    return false;
}

bool felt_template_start(const struct felt_board *port, uint32_t now)
{
    lamps.light = light;
    lamps.open_circuit = open_circuit;
    lamps.door = door;
    return felt_lamps_start(&lamps, port, now);
}

void felt_template_poll(uint32_t now)
{
    felt_lamps_poll(&lamps, now);
}

struct felt_device *felt_template_device(void)
{
    return &lamps.device;
}
