/* Hostile bytes for a whole device: what reads them must not fall over, whatever they are. Built with sanitizers, which
 * watch; `felt-fuzz SEED ROUNDS` makes bytes itself, a libFuzzer brings its own to LLVMFuzzerTestOneInput.
 *
 * A round's bytes are orders: raw bytes for the wire, or a frame with a right check (and rightly sealed) around a hostile
 * body, or time that passes, or the power that is cut after so many words of flash. */
#include "felt_aead.h"
#include "felt_bet_sensor.h"
#include "felt_card_reader.h"
#include "felt_inner.h"
#include "felt_keypad.h"
#include "felt_lamps.h"
#include "felt_ram_flash.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t memory[FELT_FLASH], image_key[32], key[FELT_KEY] = {1, 2, 3};
static struct felt_ram_flash ram = {memory, UINT32_MAX};
static struct felt_board port;
static bool pairing, asked_to_restart;
static uint32_t now;
static uint64_t chance_state;

static struct felt_lamps lamps;
static struct felt_keypad pad;
static struct felt_bet_sensor sensor;
static struct felt_card_reader reader;
static uint8_t chip[256];
static size_t chip_size;
static struct felt_device *device;
static unsigned kind;

static bool chance(void *self, uint8_t *to, size_t size)
{
    (void)self;
    for (size_t n = 0; n < size; n++) {
        chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
        to[n] = (uint8_t)(chance_state >> 56);
    }
    return true;
}

/* What it sends must be frames: a device that sends something else is found here. */
static void send(void *self, const uint8_t *data, size_t size)
{
    static struct felt_receiver receiver;
    struct felt_frame frame;
    (void)self;
    for (size_t n = 0; n < size; n++)
        (void)felt_receive(&receiver, data[n], &frame);
    for (int n = 0; n < FELT_BROKEN_KINDS; n++)
        if (receiver.broken[n] != 0)
            abort();
}

static void restart(void *self)
{
    (void)self;
    asked_to_restart = true;
}

static bool pairing_switch(void *self)
{
    (void)self;
    return pairing;
}

static void show_code(void *self, const char *digits)
{
    (void)self;
    (void)digits;
}

static void light(void *self, uint32_t channel, bool lit)
{
    (void)self;
    (void)lit;
    if (channel >= FELT_LAMPS)
        abort();
}

static int open_circuit(void *self)
{
    (void)self;
    return now % 7000 < 3000 ? 3 : -1;
}

static bool door(void *self)
{
    (void)self;
    return now % 4000 < 1000;
}

static bool key_down(void *self, size_t one)
{
    (void)self;
    return now / 100 % 5 == one;
}

static void key_light(void *self, size_t one, bool lit)
{
    (void)self;
    (void)lit;
    if (one >= pad.count)
        abort();
}

static void show(void *self, size_t row, const char *text)
{
    (void)self;
    if (row >= FELT_ROWS || strlen(text) > FELT_COLUMNS)
        abort();
}

static bool badge(void *self, char number[FELT_BADGE_MAX + 1])
{
    (void)self;
    strcpy(number, "0417");
    return now % 1000 == 0;
}

static bool look(void *self, size_t spot, struct felt_tray *tray)
{
    (void)self;
    tray->kinds = (uint8_t)(now / 500 % (FELT_STACKS + 1));
    for (uint8_t n = 0; n < tray->kinds; n++) {
        tray->stacks[n].cents = 0xFFFFFFFFu - n;
        tray->stacks[n].count = (uint16_t)(0xFFFF - spot);
    }
    return now % 9000 < 8000;
}

static void indicate(void *self, size_t spot, int accepted)
{
    (void)self;
    (void)accepted;
    if (spot >= sensor.count)
        abort();
}

static void to_chip(void *self, const uint8_t *data, size_t size)
{
    (void)self;
    (void)data;
    (void)size;
}

static bool start(void)
{
    static const struct felt_key_cap caps[] = {{FELT_KEY_TYPES, "1"}, {FELT_KEY_ENTERS, ""}, {FELT_KEY_NAMED, "deal"},
                                               {FELT_KEY_NEXT, ""}, {FELT_KEY_CLEARS, ""}};
    static const char *const names[] = {"ante", "play", "war"};
    asked_to_restart = false;
    lamps.light = light, lamps.open_circuit = open_circuit, lamps.door = door;
    pad.caps = caps, pad.count = 5, pad.down = key_down, pad.light = key_light, pad.show = show, pad.badge = badge;
    sensor.names = names, sensor.count = 3, sensor.look = look, sensor.indicate = indicate;
    reader.pn532.write = to_chip;
    if (kind == 0)
        return device = &lamps.device, felt_lamps_start(&lamps, &port, now);
    if (kind == 1)
        return device = &pad.device, felt_keypad_start(&pad, &port, now);
    if (kind == 2)
        return device = &sensor.device, felt_bet_sensor_start(&sensor, &port, now);
    return device = &reader.device, felt_card_reader_start(&reader, &port, now);
}

static void poll(void)
{
    if (kind == 0)
        felt_lamps_poll(&lamps, now);
    else if (kind == 1)
        felt_keypad_poll(&pad, now);
    else if (kind == 2)
        felt_bet_sensor_poll(&sensor, now);
    else
        felt_card_reader_poll(&reader, now);
    for (; kind == 3 && chip_size > 0; chip_size--)
        felt_pn532_take(&reader.pn532, chip[chip_size - 1], now);
    if (asked_to_restart || ram.writes_left == 0) {
        ram.writes_left = UINT32_MAX;
        if (!start())
            abort(); /* whatever a cut has left, it starts again */
    }
}

static void wire(const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++)
        felt_device_take(device, data[n], now);
}

/* A frame with a right check around these bytes; sealed as a controller would that has the key. */
static void frame(uint8_t which, bool sealed, uint32_t number, const uint8_t *body, size_t size)
{
    static struct felt_sender sender;
    static uint64_t counter = 1u << 20;
    uint8_t nonce[12] = {0}, *at = sender.frame + FELT_HEADER;
    if (size > FELT_BODY_MAX - FELT_COUNTER - FELT_TAG)
        size = FELT_BODY_MAX - FELT_COUNTER - FELT_TAG;
    felt_header(sender.frame, which, sealed, number);
    if (sealed) {
        const struct felt_keys *keys = device->coming.known ? &device->coming : &device->keys;
        felt_put64(at, counter);
        felt_put64(nonce + 4, counter++);
        felt_copy(at + FELT_COUNTER, body, size);
        felt_aead_seal(keys->down, nonce, sender.frame, FELT_HEADER, at + FELT_COUNTER, size, at + FELT_COUNTER + size);
        size += FELT_COUNTER + FELT_TAG;
    } else {
        felt_copy(at, body, size);
    }
    size = felt_close(&sender, size);
    wire(sender.wire, size);
}

static void greet(bool sealed)
{
    static const uint8_t hello[] = {0x92, 1, 1};
    uint8_t challenge[37] = {0x93, 3, 1, 0xc4, 32};
    if (!sealed) {
        frame(FELT_HELLO, false, 7, hello, sizeof hello);
        return;
    }
    (void)chance(NULL, challenge + 5, 32);
    frame(FELT_HELLO, false, 7, challenge, sizeof challenge);
    frame(FELT_HELLO, true, 7, hello, sizeof hello);
}

/* One order; returns how many bytes of `data` it was. */
static size_t order(const uint8_t *data, size_t size)
{
    uint8_t what = data[0] % 12;
    size_t length = size > 1 ? data[1] : 0, left = size > 6 ? size - 6 : 0;
    if (what == 0) {
        greet(device->has_key && !device->pairing_on);
        return 1;
    }
    if (what == 1) {
        now += (uint32_t)(length * 16);
        poll();
        return 2;
    }
    if (what == 2) {
        pairing = !pairing;
        poll();
        return 1;
    }
    if (what == 3) {
        ram.writes_left = (uint32_t)length % 64;
        return 2;
    }
    if (what == 4) {
        size_t some = length < size ? length : size;
        wire(data, some);
        return some + 1;
    }
    if (what == 5) {
        chip_size = length < size ? length : size;
        felt_copy(chip, data, chip_size);
        poll();
        return chip_size + 1;
    }
    if (size > 6 && what == 6)
        length = 4 * length; /* a long body */
    if (length > left)
        length = left;
    if (size > 6)
        frame((uint8_t)(what < 9 ? FELT_COMMAND : 1 + data[2] % 9), device->sealed && data[3] % 16 != 0,
              felt_get32(data + 2) % 97, data + 6, length);
    return length + 6;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8)
        return 0;
    kind = data[0] % 4;
    chance_state = felt_get64(data);
    pairing = false;
    now = felt_get32(data + 2);
    ram.writes_left = UINT32_MAX;
    felt_fill(memory, data[1] % 8 == 0 ? data[5] : 0xFF, sizeof memory);
    felt_ram_flash_use(&ram, &port.flash);
    port.model = "M", port.serial = "S", port.version = "1.0";
    port.image_key = image_key;
    port.random = chance, port.send = send, port.restart = restart;
    port.pairing_switch = pairing_switch, port.show_code = show_code;
    if (!start())
        abort();
    if (data[1] % 2 == 1 && !felt_device_set_key(device, key))
        abort();
    for (size_t at = 8; at < size;)
        at += order(data + at, size - at);
    poll();
    return 0;
}

#ifndef FELT_LIBFUZZER
/* Bodies that are nearly right reach further than noise: a command, its fields, some of them spoiled. */
static size_t make_body(uint8_t *to)
{
    static const uint8_t commands[] = {64, 65, 66, 67, 68, 69, 70, 71, 80, 81, 88, 89, 96, 112, 113, 114, 115, 116, 1, 3};
    struct felt_writer w;
    uint8_t bytes[128], fields = (uint8_t)(rand() % 5);
    felt_writer_start(&w, to, 240);
    felt_write_array(&w, (uint16_t)(fields + 1));
    felt_write_number(&w, commands[(size_t)rand() % sizeof commands]);
    for (uint8_t n = 0; n < fields; n++) {
        size_t size = rand() % 3 == 0 ? 32u : (size_t)rand() % sizeof bytes;
        for (size_t m = 0; m < size; m++)
            bytes[m] = (uint8_t)rand();
        if (rand() % 2 == 0)
            felt_write_bytes(&w, bytes, size);
        else if (rand() % 2 == 0)
            felt_write_number(&w, (uint64_t)rand() << (rand() % 40));
        else if (rand() % 2 == 0)
            felt_write_some_text(&w, "ante", 4);
        else
            felt_write_raw(&w, bytes, size);
    }
    for (int n = rand() % 3; n > 0 && w.size > 0; n--)
        to[(size_t)rand() % w.size] = (uint8_t)rand();
    return w.size;
}

int main(int count, char *words[])
{
    static uint8_t data[4096];
    unsigned rounds = count > 2 ? (unsigned)atoi(words[2]) : 1000;
    srand(count > 1 ? (unsigned)atoi(words[1]) : 1);
    for (unsigned round = 0; round < rounds; round++) {
        size_t size = 8;
        for (size_t n = 0; n < size; n++)
            data[n] = (uint8_t)rand();
        data[size++] = 0;
        while (size < sizeof data - 300) {
            uint8_t *at = data + size;
            for (size_t n = 0; n < 6; n++)
                at[n] = (uint8_t)rand();
            size += 6;
            if (rand() % 4 == 0)
                continue;
            at[0] = (uint8_t)(7 + rand() % 2);
            at[1] = (uint8_t)make_body(at + 6);
            size += at[1];
        }
        (void)LLVMFuzzerTestOneInput(data, size);
    }
    printf("%u rounds, the last with %lu events, %lu kept\n", rounds, (unsigned long)device->events.last,
           (unsigned long)device->events.count);
    return 0;
}
#endif
