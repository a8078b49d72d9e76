/* A device on an emulated Cortex-M3. What a hand does comes in lines on the second serial port. Before it starts it asks
 * there for what a factory sets, each in a line (`serial TEXT`, `key DIGITS`, ...), and for a seed, since this board has
 * no source of chance, which a real one must have; `start` ends it. The PSRAM is flash, and keeps the rest through a
 * restart. */
#include "felt_bench.h"
#include "felt_mps2.h"
#include "felt_ram_flash.h"
#include "felt_sha256.h"

#ifndef FELT_BENCH
#define FELT_BENCH felt_bench_lamps
#endif
#define WORLD_MAX 8192u
#define MAGIC 0x5EED5EEDu

struct kept { /* behind the flash; void after a cut of the power */
    uint32_t magic;
    uint32_t world_size;
    uint8_t chance[32];
    uint8_t image_key[32];
    bool has_image_key;
    uint32_t stack; /* the most that was used before a restart */
    bool seeded;
    bool pairing;
    bool tags;
    char serial[FELT_TEXT_MAX];
    uint8_t world[WORLD_MAX];
};

static const struct felt_kind_of_bench *const bench = &FELT_BENCH;
static struct kept *const kept = (struct kept *)(void *)(FELT_MPS2_PSRAM + FELT_FLASH);
static struct felt_ram_flash ram = {FELT_MPS2_PSRAM, UINT32_MAX};
static struct felt_board board;
static uint8_t key[FELT_KEY];
static bool has_key, restart_wanted;

void felt_say(const char *text)
{
    felt_mps2_write(FELT_MPS2_HAND, (const uint8_t *)text, felt_length(text));
}

void felt_bench_restart(void)
{
    restart_wanted = true;
}

void felt_bench_pairing(bool on)
{
    kept->pairing = on;
}

static uint32_t stack_used(void)
{
    uint32_t used = (uint32_t)felt_mps2_stack();
    return used > kept->stack ? used : kept->stack;
}

void felt_bench_tell_more(void)
{
    felt_say(" stack ");
    felt_say_number(stack_used());
}

/* Each piece is the hash of a state that moves on. */
static bool chance(void *self, uint8_t *to, size_t size)
{
    struct felt_sha256 sha;
    uint8_t made[32];
    (void)self;
    while (size > 0) {
        size_t some = size < sizeof made ? size : sizeof made;
        felt_sha256_start(&sha);
        felt_sha256_add(&sha, kept->chance, 32);
        felt_sha256_end(&sha, made);
        felt_copy(to, made, some);
        felt_sha256_start(&sha);
        felt_sha256_add(&sha, "next", 4);
        felt_sha256_add(&sha, kept->chance, 32);
        felt_sha256_end(&sha, kept->chance);
        to += some;
        size -= some;
    }
    return kept->seeded;
}

static void send(void *self, const uint8_t *data, size_t size)
{
    (void)self;
    felt_mps2_write(FELT_MPS2_WIRE, data, size);
}

static void restart(void *self)
{
    (void)self;
    restart_wanted = true;
}

static bool pairing_switch(void *self)
{
    (void)self;
    return kept->pairing;
}

static void show_code(void *self, const char *digits)
{
    (void)self;
    felt_say("code ");
    felt_say(digits != NULL ? digits : "-");
    felt_say("\n");
}

static bool read_hex(uint8_t to[32], const char *text)
{
    if (felt_length(text) != 64)
        return false;
    for (size_t n = 0; n < 64; n++) {
        uint8_t digit = (uint8_t)(text[n] <= '9' ? text[n] - '0' : text[n] - 'a' + 10);
        to[n / 2] = (uint8_t)(n % 2 == 0 ? digit << 4 : to[n / 2] | digit);
    }
    return true;
}

static bool set(const char *name, const char *value)
{
    if (felt_same_text(name, "seed"))
        return kept->seeded = read_hex(kept->chance, value);
    if (felt_same_text(name, "serial"))
        return felt_copy_text(kept->serial, sizeof kept->serial, value);
    if (felt_same_text(name, "key"))
        return has_key = read_hex(key, value);
    if (felt_same_text(name, "image-key"))
        return kept->has_image_key = read_hex(kept->image_key, value);
    if (felt_same_text(name, "tags"))
        return kept->tags = felt_same_text(value, "on");
    return false;
}

static void read_line(char *line, size_t room)
{
    size_t size = 0;
    for (int byte = 0; byte != '\n';) {
        byte = felt_mps2_read(FELT_MPS2_HAND);
        if (byte < 0)
            felt_mps2_rest();
        else if (byte != '\n' && size < room - 1)
            line[size++] = (char)byte;
    }
    line[size] = '\0';
}

/* The first start after the power came, as a factory would do it. */
static void be_set(void)
{
    char line[128];
    felt_fill(kept, 0, sizeof *kept);
    (void)felt_copy_text(kept->serial, sizeof kept->serial, "REF-0001");
    felt_say("settings\n");
    for (;;) {
        size_t at = 0;
        read_line(line, sizeof line);
        if (felt_same_text(line, "start"))
            return;
        while (line[at] != ' ' && line[at] != '\0')
            at++;
        if (line[at] == '\0')
            continue;
        line[at] = '\0';
        if (!set(line, line + at + 1))
            felt_say("there is no such setting\n");
    }
}

static void start_again(void)
{
    kept->world_size = (uint32_t)bench->world_size;
    if (bench->world_size <= WORLD_MAX)
        felt_copy(kept->world, bench->world, bench->world_size);
    kept->stack = stack_used();
    kept->magic = MAGIC;
    felt_say("restarts\n");
    felt_mps2_restart();
}

static void find_world(void)
{
    if (kept->magic != MAGIC) {
        be_set();
        return;
    }
    kept->magic = 0;
    if (kept->world_size == bench->world_size && kept->world_size <= WORLD_MAX)
        felt_copy(bench->world, kept->world, kept->world_size);
}

static bool start(void)
{
    felt_ram_flash_use(&ram, &board.flash);
    felt_bench_tags = kept->tags;
    board.model = "REF-1";
    board.serial = kept->serial;
    board.version = "1.0.0";
    board.image_key = kept->has_image_key ? kept->image_key : NULL;
    board.random = chance;
    board.send = send;
    board.restart = restart;
    board.pairing_switch = pairing_switch;
    board.show_code = show_code;
    return bench->start(&board, felt_mps2_now()) && (!has_key || felt_device_set_key(bench->device(), key));
}

void felt_main(void)
{
    felt_mps2_start();
    find_world();
    if (!start()) {
        felt_say("the device does not start\n");
        return;
    }
    felt_say("ready\n");
    for (;;) {
        int byte;
        while ((byte = felt_mps2_read(FELT_MPS2_WIRE)) >= 0)
            felt_device_take(bench->device(), (uint8_t)byte, felt_mps2_now());
        while ((byte = felt_mps2_read(FELT_MPS2_HAND)) >= 0)
            felt_bench_take(bench, (char)byte);
        bench->poll(felt_mps2_now());
        felt_bench_tell_stored(bench);
        if (restart_wanted)
            start_again();
        felt_mps2_rest();
    }
}
