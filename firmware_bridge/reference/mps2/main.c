/* Lamps on an emulated Cortex-M3. A hand's orders come on the second serial port, a letter each: d/D shuts and opens the
 * door, p/P the pairing switch, R restarts, k and 64 digits put a key there, t tells. This emulated board has no source
 * of chance: s and 16 digits must give it one before it starts, which a real board must never do. */
#include "felt_lamps.h"
#include "felt_mps2.h"
#include "felt_ram_flash.h"
#include "felt_sha256.h"

#define PSRAM ((uint8_t *)0x21000000u)
#define SEED_MAGIC 0x5EED5EEDu

enum { WIRE = 0, HAND = 1 };

struct world { /* behind the flash: it outlives a restart */
    uint32_t magic;
    uint8_t chance[32];
    bool door_open;
    bool pairing;
};

static struct felt_lamps lamps;
static struct felt_ram_flash ram = {PSRAM, UINT32_MAX};
static struct felt_board board;
static bool lit[FELT_LAMPS];
static uint8_t image_key[32] = {0xed, 0x49, 0x28, 0xc6, 0x28, 0xd1, 0xc2, 0xc6, 0xea, 0xe9, 0x03,
                                0x38, 0x90, 0x59, 0x95, 0x61, 0x29, 0x59, 0x27, 0x3a, 0x5c, 0x63,
                                0xf9, 0x36, 0x36, 0xc1, 0x46, 0x14, 0xac, 0x87, 0x37, 0xd1}; /* of the test vectors */

static struct world *world(void)
{
    return (struct world *)(void *)(PSRAM + FELT_FLASH);
}

static void say(const char *text)
{
    felt_mps2_write(HAND, (const uint8_t *)text, felt_length(text));
}

static void say_number(const char *before, uint32_t number)
{
    char digits[11];
    felt_decimal(digits, number);
    say(before);
    say(digits);
}

/* Each piece is the hash of a state that moves on. */
static bool chance(void *self, uint8_t *to, size_t size)
{
    struct world *kept = world();
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
    return kept->magic == SEED_MAGIC;
}

static void send(void *self, const uint8_t *data, size_t size)
{
    (void)self;
    felt_mps2_write(WIRE, data, size);
}

static void restart(void *self)
{
    (void)self;
    felt_mps2_restart();
}

static bool pairing_switch(void *self)
{
    (void)self;
    return world()->pairing;
}

static void show_code(void *self, const char *digits)
{
    (void)self;
    say("code ");
    say(digits != NULL ? digits : "-");
    say("\n");
}

static void light(void *self, uint32_t channel, bool on)
{
    (void)self;
    if (lit[channel] == on)
        return;
    lit[channel] = on;
    say_number("lamp ", channel);
    say(on ? " on\n" : " off\n");
}

static int open_circuit(void *self)
{
    (void)self;
    return -1;
}

static bool door(void *self)
{
    (void)self;
    return world()->door_open;
}

static int wait_for_order(void)
{
    int byte;
    do
        byte = felt_mps2_read(HAND);
    while (byte < 0);
    return byte;
}

static uint8_t read_digit(void)
{
    int c = wait_for_order();
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void read_hex(uint8_t *to, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        to[n] = (uint8_t)(read_digit() << 4);
        to[n] = (uint8_t)(to[n] | read_digit());
    }
}

static void take_order(int order)
{
    uint8_t key[FELT_KEY];
    if (order == 'd' || order == 'D')
        world()->door_open = order == 'D';
    else if (order == 'p' || order == 'P')
        world()->pairing = order == 'P';
    else if (order == 'R')
        felt_mps2_restart();
    else if (order == 'k') {
        read_hex(key, sizeof key);
        (void)felt_device_set_key(&lamps.device, key);
    } else if (order != 't')
        return;
    say_number("device last ", lamps.device.events.last);
    say_number(" kept ", lamps.device.events.count);
    say_number(" greeted ", lamps.device.greeted ? 1 : 0);
    say_number(" sealed ", lamps.device.sealed ? 1 : 0);
    say("\n");
}

static void wait_for_chance(void)
{
    struct world *kept = world();
    if (kept->magic == SEED_MAGIC)
        return;
    say("seed\n");
    while (wait_for_order() != 's') {
    }
    felt_fill(kept, 0, sizeof *kept);
    read_hex(kept->chance, 8);
    kept->magic = SEED_MAGIC;
}

void felt_main(void)
{
    felt_mps2_start();
    wait_for_chance();
    felt_ram_flash_use(&ram, &board.flash);
    board.model = "REF-1";
    board.serial = "mps2";
    board.version = "1.0.0";
    board.image_key = image_key;
    board.random = chance;
    board.send = send;
    board.restart = restart;
    board.pairing_switch = pairing_switch;
    board.show_code = show_code;
    lamps.light = light;
    lamps.open_circuit = open_circuit;
    lamps.door = door;
    if (!felt_lamps_start(&lamps, &board, felt_mps2_now())) {
        say("the device does not start\n");
        return;
    }
    say("ready\n");
    for (;;) {
        int byte;
        while ((byte = felt_mps2_read(WIRE)) >= 0)
            felt_device_take(&lamps.device, (uint8_t)byte, felt_mps2_now());
        if ((byte = felt_mps2_read(HAND)) >= 0)
            take_order(byte);
        felt_lamps_poll(&lamps, felt_mps2_now());
    }
}
