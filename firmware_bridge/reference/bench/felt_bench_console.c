/* A console on a desk: `press KEY [TEXT ...]` types the texts and presses the key, `badge NUMBER`, `pin DIGITS`. */
#include "felt_bench.h"
#include "felt_keypad.h"

#define QUEUE 64u

static const struct felt_key_cap CAPS[] = {
    {FELT_KEY_TYPES, "0"}, {FELT_KEY_TYPES, "1"}, {FELT_KEY_TYPES, "2"}, {FELT_KEY_TYPES, "3"},
    {FELT_KEY_TYPES, "4"}, {FELT_KEY_TYPES, "5"}, {FELT_KEY_TYPES, "6"}, {FELT_KEY_TYPES, "7"},
    {FELT_KEY_TYPES, "8"}, {FELT_KEY_TYPES, "9"}, {FELT_KEY_TYPES, "."}, {FELT_KEY_NEXT, ""},
    {FELT_KEY_CLEARS, ""}, {FELT_KEY_ENTERS, ""}, {FELT_KEY_TYPES, "dealer"}, {FELT_KEY_NAMED, "no-more-bets"},
    {FELT_KEY_NAMED, "deal"}, {FELT_KEY_NAMED, "settle"}, {FELT_KEY_NAMED, "short"}, {FELT_KEY_NAMED, "excess"},
    {FELT_KEY_NAMED, "exposed"}, {FELT_KEY_NAMED, "misdeal"}, {FELT_KEY_NAMED, "checked"},
    {FELT_KEY_NAMED, "shuffled"}, {FELT_KEY_NAMED, "cut"}, {FELT_KEY_NAMED, "open-table"},
    {FELT_KEY_NAMED, "close-table"}, {FELT_KEY_NAMED, "resume"}, {FELT_KEY_NAMED, "sign-out"}};

enum { COUNT = sizeof CAPS / sizeof *CAPS };

static struct felt_keypad pad;
static bool lit[COUNT];
static size_t queue[QUEUE]; /* keys that a hand presses, one after the other */
static size_t queued, taken;
static bool held; /* the key at the head of the queue */
static char badge_number[FELT_BADGE_MAX + 1];

static bool down(void *self, size_t key)
{
    (void)self;
    return taken < queued && queue[taken] == key && held;
}

static void light(void *self, size_t key, bool on)
{
    (void)self;
    if (lit[key] == on)
        return;
    lit[key] = on;
    felt_say("lamp ");
    felt_say_number((uint32_t)key);
    felt_say(on ? " on\n" : " off\n");
}

static void show(void *self, size_t row, const char *text)
{
    (void)self;
    felt_say("row ");
    felt_say_number((uint32_t)row);
    felt_say(" ");
    felt_say(text);
    felt_say("\n");
}

static bool badge(void *self, char number[FELT_BADGE_MAX + 1])
{
    (void)self;
    if (badge_number[0] == '\0')
        return false;
    felt_copy(number, badge_number, sizeof badge_number);
    badge_number[0] = '\0';
    return true;
}

static bool start(const struct felt_board *port, uint32_t now)
{
    pad.caps = CAPS;
    pad.count = COUNT;
    pad.down = down;
    pad.light = light;
    pad.show = show;
    pad.badge = badge;
    return felt_keypad_start(&pad, port, now);
}

static void poll(uint32_t now)
{
    felt_keypad_poll(&pad, now);
    if (taken == queued)
        taken = queued = 0;
    else if (held) /* until it counts, then until it does not any more */
        held = !pad.contacts[queue[taken]].closed;
    else if (!pad.contacts[queue[taken]].closed)
        held = ++taken < queued;
}

static bool press(uint8_t does, const char *text)
{
    for (size_t n = 0; n < COUNT; n++) {
        if (CAPS[n].does != does || !felt_same_text(CAPS[n].text, text) || queued == QUEUE)
            continue;
        held = held || taken == queued;
        queue[queued++] = n;
        return true;
    }
    return false;
}

static bool type(const char *text)
{
    char one[2] = {0, 0};
    if (press(FELT_KEY_TYPES, text))
        return true;
    for (; *text != '\0'; text++) {
        one[0] = *text;
        if (!press(FELT_KEY_TYPES, one))
            return false;
    }
    return true;
}

static bool hand(char *words[], size_t count)
{
    bool done = true;
    if (count == 2 && felt_same_text(words[0], "badge"))
        return felt_copy_text(badge_number, sizeof badge_number, words[1]);
    if (count == 2 && felt_same_text(words[0], "pin"))
        return type(words[1]) && press(FELT_KEY_ENTERS, "");
    if (count < 2 || !felt_same_text(words[0], "press"))
        return false;
    for (size_t n = 2; n < count; n++)
        done = done && (n == 2 || press(FELT_KEY_NEXT, "")) && type(words[n]);
    return done && press(FELT_KEY_NAMED, words[1]);
}

static struct felt_device *device(void)
{
    return &pad.device;
}

const struct felt_kind_of_bench felt_bench_console = {"console", start, poll, hand, device, badge_number, 0};
