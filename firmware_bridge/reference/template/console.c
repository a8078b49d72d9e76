/* A console: a matrix of keys, their lamps, a few lines of text, a reader of badges. */
#include "felt_keypad.h"
#include "felt_template.h"

static const struct felt_key_cap CAPS[] = {
    {FELT_KEY_NAMED, "no-more-bets"}, {FELT_KEY_NAMED, "deal"}, {FELT_KEY_NAMED, "settle"},
    {FELT_KEY_TYPES, "0"}, {FELT_KEY_TYPES, "1"}, {FELT_KEY_NEXT, ""}, {FELT_KEY_CLEARS, ""}, {FELT_KEY_ENTERS, ""}};

static struct felt_keypad pad;

/* True while this key is down. Contacts may bounce. */
static bool down(void *self, size_t key)
{
    (void)self;
    (void)key;
    return false;
}

static void light(void *self, size_t key, bool lit)
{
    (void)self;
    (void)key;
    (void)lit;
}

/* UTF-8, at most FELT_COLUMNS bytes. */
static void show(void *self, size_t row, const char *text)
{
    (void)self;
    (void)row;
    (void)text;
}

/* True once for each badge that is shown. */
static bool badge(void *self, char number[FELT_BADGE_MAX + 1])
{
    (void)self;
    (void)number;
    return false;
}

bool felt_template_start(const struct felt_board *port, uint32_t now)
{
    pad.caps = CAPS;
    pad.count = sizeof CAPS / sizeof *CAPS;
    pad.down = down;
    pad.light = light;
    pad.show = show;
    pad.badge = badge;
    return felt_keypad_start(&pad, port, now);
}

void felt_template_poll(uint32_t now)
{
    felt_keypad_poll(&pad, now);
}

struct felt_device *felt_template_device(void)
{
    return &pad.device;
}
