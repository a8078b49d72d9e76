/* What hands can do at every device, and what is told of each. */
#include "felt_bench.h"

enum { WORDS = 16 };

void felt_say_number(uint32_t number)
{
    char digits[11];
    felt_decimal(digits, number);
    felt_say(digits);
}

bool felt_read_digits(const char **text, uint32_t *number)
{
    const char *at = *text;
    *number = 0;
    while (*at >= '0' && *at <= '9')
        *number = 10 * *number + (uint32_t)(*at++ - '0');
    if (at == *text)
        return false;
    *text = at;
    return true;
}

static void tell(const struct felt_kind_of_bench *bench)
{
    const struct felt_device *device = bench->device();
    felt_say("device last ");
    felt_say_number(device->events.last);
    felt_say(" kept ");
    felt_say_number(device->events.count);
    felt_say(device->greeted ? " greeted 1" : " greeted 0");
    felt_say(device->sealed ? " sealed 1 broken" : " sealed 0 broken");
    for (int n = 1; n < FELT_BROKEN_KINDS; n++) {
        felt_say(" ");
        felt_say_number(device->receiver.broken[n]);
    }
    felt_bench_tell_more();
    felt_say("\n");
}

void felt_bench_tell_stored(const struct felt_kind_of_bench *bench)
{
    static uint32_t told;
    const struct felt_device *device = bench->device();
    uint8_t message[FELT_EVENT_MAX];
    for (uint32_t left = device->events.count; left > 0; left--) {
        uint32_t counter = device->events.last - left + 1;
        if (counter <= told || felt_events_read(&device->events, &device->log, counter, message) < 2)
            continue;
        felt_say("stored ");
        felt_say_number(counter);
        felt_say(" ");
        felt_say_number(message[1]);
        felt_say("\n");
    }
    told = device->events.last;
}

/* Ends each word where a space stands. */
static size_t split(char *line, char *words[WORDS])
{
    size_t count = 0;
    bool inside = false;
    for (; *line != '\0'; line++) {
        if (*line == ' ')
            *line = '\0';
        else if (!inside && count < WORDS)
            words[count++] = line;
        inside = *line != '\0';
    }
    return count;
}

static void take_line(const struct felt_kind_of_bench *bench, char *line)
{
    char *words[WORDS];
    size_t count = split(line, words);
    if (count == 0)
        return;
    if (felt_same_text(words[0], "tell")) {
        tell(bench);
    } else if (felt_same_text(words[0], "restart")) {
        felt_bench_restart();
    } else if (felt_same_text(words[0], "pairing") && count == 2) {
        felt_bench_pairing(felt_same_text(words[1], "on"));
        felt_say("done\n");
    } else if (bench->hand(words, count)) {
        felt_say("done\n");
    } else {
        felt_say("unknown ");
        felt_say(words[0]);
        felt_say("\n");
    }
}

void felt_bench_take(const struct felt_kind_of_bench *bench, char byte)
{
    static char line[FELT_BENCH_LINE];
    static size_t size;
    if (byte != '\n') {
        if (size < sizeof line - 1)
            line[size++] = byte;
        return;
    }
    line[size] = '\0';
    size = 0;
    take_line(bench, line);
}
