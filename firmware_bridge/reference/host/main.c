/* A device as a process: felt-device FAMILY --flash FILE (--port LINK | --wire N) [...]. Lines on the standard input are
 * what a hand does to it; the end of the input ends it. */
#define _XOPEN_SOURCE 700
#include "felt_bench.h"
#include "felt_port.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct felt_kind_of_bench *const KINDS[] = {&felt_bench_lamps, &felt_bench_console, &felt_bench_bet_sensor,
                                                &felt_bench_reader};

static const char WORLD[] = "FELT_DEVICE_WORLD";

static struct felt_port port = {.wire = -1, .other_end = -1, .flash = -1, .chance = -1};
static struct felt_board board;
static uint8_t image_key[32], key[FELT_KEY];
static bool has_key;
static const struct felt_kind_of_bench *bench;
static char **arguments;

static void usage(const char *why)
{
    fprintf(stderr,
            "%s\nfelt-device FAMILY --flash FILE (--port LINK | --wire DESCRIPTOR) [--serial TEXT] [--model TEXT]\n"
            "            [--version TEXT] [--key 64-HEX-DIGITS] [--image-key 64-HEX-DIGITS] [--chance FILE] [--pairing]\n"
            "            [--tags on: a bet sensor reads tags in chips]\n"
            "            [--steps MILLISECONDS: the wire is a socket of packets, and time is what they say]\n"
            "            [--cut NUMBER: power fails in the middle of this write to flash]\n",
            why);
    exit(2);
}

static void read_hex(uint8_t to[32], const char *text)
{
    if (strlen(text) != 64)
        usage("a key has 64 hexadecimal digits");
    for (size_t n = 0; n < 32; n++) {
        char pair[3] = {text[2 * n], text[2 * n + 1], '\0'}, *end;
        to[n] = (uint8_t)strtoul(pair, &end, 16);
        if (*end != '\0')
            usage("a key has 64 hexadecimal digits");
    }
}

static void read_option(const char *name, const char *value)
{
    if (strcmp(name, "--flash") == 0) {
        if (!felt_port_flash(&port, value))
            usage("the file of the flash cannot be used");
    } else if (strcmp(name, "--port") == 0) {
        if (!felt_port_pty(&port, value))
            usage("no pseudo-terminal could be made");
    } else if (strcmp(name, "--wire") == 0) {
        port.wire = atoi(value);
    } else if (strcmp(name, "--steps") == 0) {
        port.stepped = true;
        port.now = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--chance") == 0) {
        if (!felt_port_chance(&port, value))
            usage("the file of random bytes cannot be read");
    } else if (strcmp(name, "--writes") == 0) {
        port.writes = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--cut") == 0) {
        port.cut = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--tags") == 0) {
        felt_bench_tags = strcmp(value, "on") == 0;
    } else if (strcmp(name, "--serial") == 0) {
        board.serial = value;
    } else if (strcmp(name, "--model") == 0) {
        board.model = value;
    } else if (strcmp(name, "--version") == 0) {
        board.version = value;
    } else if (strcmp(name, "--key") == 0) {
        read_hex(key, value);
        has_key = true;
    } else if (strcmp(name, "--image-key") == 0) {
        read_hex(image_key, value);
        board.image_key = image_key;
    } else {
        usage("there is no such option");
    }
}

static void read_arguments(int count, char *words[])
{
    board.model = "REF-1";
    board.serial = "REF-0001";
    board.version = "1.0.0";
    for (size_t n = 0; count > 1 && n < sizeof KINDS / sizeof *KINDS; n++)
        if (strcmp(words[1], KINDS[n]->family) == 0)
            bench = KINDS[n];
    if (bench == NULL)
        usage("there is no such family");
    for (int n = 2; n < count; n++) {
        if (strcmp(words[n], "--pairing") == 0)
            port.pairing = true;
        else if (n + 1 < count)
            read_option(words[n], words[n + 1]), n++;
        else
            usage("an option has no value");
    }
    if (port.chance < 0 && !felt_port_chance(&port, "/dev/urandom"))
        usage("there is no source of chance");
    if (port.wire < 0 || port.flash < 0)
        usage("--flash and one of --port and --wire are needed");
    if (strlen(board.serial) >= FELT_TEXT_MAX || strlen(board.model) >= FELT_TEXT_MAX || strlen(board.version) >= FELT_TEXT_MAX)
        usage("a text is too long");
}

static void keep_world(void)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *world = bench->world;
    char *text = malloc(2 * bench->world_size + 1);
    if (text == NULL)
        exit(1);
    for (size_t n = 0; n < bench->world_size; n++) {
        text[2 * n] = digits[world[n] >> 4];
        text[2 * n + 1] = digits[world[n] & 15];
    }
    text[2 * bench->world_size] = '\0';
    setenv(WORLD, text, 1);
    free(text);
}

static void find_world(void)
{
    const char *text = getenv(WORLD);
    uint8_t *world = bench->world;
    if (text == NULL || strlen(text) != 2 * bench->world_size)
        return;
    for (size_t n = 0; n < bench->world_size; n++) {
        char pair[3] = {text[2 * n], text[2 * n + 1], '\0'};
        world[n] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

/* What a restart leaves: flash, and the switches as they stand. */
static void start_again(void)
{
    static char wire[] = "--wire", steps[] = "--steps", written[] = "--writes", switch_on[] = "--pairing";
    static char number[12], now[12], writes[12];
    char *words[32], program[4096] = "";
    int count = 0;
    for (int n = 0; arguments[n] != NULL && count < 23; n++) {
        if (strcmp(arguments[n], "--port") == 0 || strcmp(arguments[n], "--wire") == 0 ||
            strcmp(arguments[n], "--steps") == 0 || strcmp(arguments[n], "--writes") == 0 ||
            strcmp(arguments[n], "--key") == 0)
            n++;
        else if (strcmp(arguments[n], "--pairing") != 0)
            words[count++] = arguments[n];
    }
    sprintf(number, "%d", port.wire);
    words[count++] = wire;
    words[count++] = number;
    sprintf(writes, "%lu", (unsigned long)port.writes);
    words[count++] = written;
    words[count++] = writes;
    sprintf(now, "%lu", (unsigned long)port.now);
    if (port.stepped) {
        words[count++] = steps;
        words[count++] = now;
    }
    if (port.pairing)
        words[count++] = switch_on;
    words[count] = NULL;
    close(port.flash);
    close(port.chance);
    keep_world();
    printf("restarts\n");
    fflush(stdout);
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) /* valgrind answers this as if it were not there */
        execv(program, words);
    perror("execv");
    exit(1);
}

void felt_say(const char *text)
{
    fputs(text, stdout);
}

void felt_bench_restart(void)
{
    start_again();
}

void felt_bench_pairing(bool on)
{
    port.pairing = on;
}

void felt_bench_tell_more(void)
{
    printf(" dropped %lu writes %lu", (unsigned long)port.dropped, (unsigned long)port.writes);
}

static bool read_hands(void)
{
    char bytes[256];
    ssize_t came = read(0, bytes, sizeof bytes);
    for (ssize_t n = 0; n < came; n++)
        felt_bench_take(bench, bytes[n]);
    return came > 0 || (came < 0 && (errno == EAGAIN || errno == EINTR));
}

static void read_wire(void)
{
    uint8_t bytes[512];
    ssize_t came = read(port.wire, bytes, sizeof bytes);
    for (ssize_t n = 0; n < came; n++)
        felt_device_take(bench->device(), bytes[n], felt_port_now(&port));
    if (came == 0)
        exit(0); /* the other end of a descriptor that was handed over is closed */
}

/* One look at the wire and one at everything else, as in a turn of the loop. */
static void take_step(void)
{
    uint8_t bytes[8192];
    int came = felt_port_step(&port, bytes, sizeof bytes);
    if (came < 0)
        exit(0);
    for (int n = 0; n < came; n++)
        felt_device_take(bench->device(), bytes[n], port.now);
    bench->poll(port.now);
    felt_port_answer(&port, bench->device()->events.count);
}

int main(int count, char *words[])
{
    struct pollfd watched[2] = {{0, POLLIN, 0}, {-1, POLLIN, 0}};
    arguments = words;
    read_arguments(count, words);
    felt_port_use(&port, &board);
    find_world();
    if (!bench->start(&board, felt_port_now(&port)) || (has_key && !felt_device_set_key(bench->device(), key))) {
        fprintf(stderr, "the device does not start\n");
        return 1;
    }
    watched[1].fd = port.wire;
    printf("ready\n");
    for (;;) {
        fflush(stdout);
        (void)poll(watched, 2, port.stepped ? -1 : 5);
        if ((watched[0].revents & (POLLIN | POLLHUP)) != 0 && !read_hands())
            return 0;
        if (port.stepped) {
            if ((watched[1].revents & (POLLIN | POLLHUP)) != 0)
                take_step();
        } else {
            if ((watched[1].revents & POLLIN) != 0)
                read_wire();
            bench->poll(felt_port_now(&port));
        }
        felt_bench_tell_stored(bench);
        if (port.restart)
            start_again();
    }
}
