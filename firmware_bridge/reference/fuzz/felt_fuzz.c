/* Hostile bytes for a whole device: what reads them must not fall over, whatever they are. Built with sanitizers, which
 * watch; `felt-fuzz SEED ROUNDS` makes bytes itself, a libFuzzer brings its own to LLVMFuzzerTestOneInput.
 *
 * A round's bytes are orders: raw bytes for the wire, or a frame with a right check (and rightly sealed) around a hostile
 * body, or time that passes, or the power that is cut after so many words of flash. */
#include "felt_aead.h"
#include "felt_card_reader.h"
#include "felt_chips.h"
#include "felt_inner.h"
#include "felt_keypad.h"
#include "felt_lamps.h"
#include "felt_ram_flash.h"
#include "felt_sha256.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The key is the one of the test vectors: a point that is on the curve. */
static uint8_t image_key[32] = {0xed, 0x49, 0x28, 0xc6, 0x28, 0xd1, 0xc2, 0xc6, 0xea, 0xe9, 0x03, 0x38, 0x90, 0x59, 0x95, 0x61,
                                0x29, 0x59, 0x27, 0x3a, 0x5c, 0x63, 0xf9, 0x36, 0x36, 0xc1, 0x46, 0x14, 0xac, 0x87, 0x37, 0xd1};
static uint8_t memory[FELT_FLASH], key[FELT_KEY] = {1, 2, 3};
static struct felt_ram_flash ram = {memory, UINT32_MAX};
static struct felt_board port;
static bool pairing, asked_to_restart;
static uint32_t now;
static uint32_t requests;
static struct {
    unsigned long frames, events, codes, restarts, tags;
} counted; /* what the bytes have reached */
static uint64_t chance_state;

static struct felt_lamps lamps;
static struct felt_keypad pad;
static struct felt_bet_sensor sensor;
static struct felt_card_reader reader;
static struct felt_chips chips;
static bool by_tags;
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
    struct felt_frame sent;
    (void)self;
    for (size_t n = 0; n < size; n++) {
        if (!felt_receive(&receiver, data[n], &sent))
            continue;
        counted.frames++;
        counted.events += sent.kind == FELT_EVENT ? 1 : 0;
    }
    for (int n = 0; n < FELT_BROKEN_KINDS; n++)
        if (receiver.broken[n] != 0)
            abort();
}

static void restart(void *self)
{
    (void)self;
    counted.restarts++;
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
    counted.codes += digits != NULL ? 1 : 0;
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

/* Tags as the air gives them: what the bytes say, or sound ones with hostile values. */
static void begin_look(void *self, size_t antenna)
{
    (void)self;
    if (antenna >= chips.count)
        abort();
}

static enum felt_found_tag next_tag(void *self, struct felt_tag *tag)
{
    uint8_t some[8];
    (void)self;
    (void)chance(NULL, some, sizeof some);
    if (some[0] % 8 == 0)
        return now % 5000 < 1500 ? FELT_TAG_NOT_YET : FELT_TAG_NO_MORE;
    tag->id_size = (uint8_t)(some[1] % (FELT_TAG_NAME + 1));
    tag->id[0] = (uint8_t)(some[2] % (now % 3000 < 1000 ? 3 : 40));
    tag->readable = some[3] % 4 != 0;
    if (some[3] % 4 > 1)
        felt_chip_write(tag->data, some[4] < 8 ? UINT32_MAX : some[4] % 12, tag->id, tag->id_size);
    else
        (void)chance(NULL, tag->data, sizeof tag->data);
    counted.tags++;
    return FELT_TAG_FOUND;
}

static enum felt_look look(void *self, size_t spot, struct felt_tray *tray)
{
    (void)self;
    if (by_tags)
        return felt_chips_look(&chips, spot, tray);
    tray->kinds = (uint8_t)(now / 500 % (FELT_STACKS + 1));
    for (uint8_t n = 0; n < tray->kinds; n++) {
        tray->stacks[n].cents = 0xFFFFFFFFu - n;
        tray->stacks[n].count = (uint16_t)(0xFFFF - spot);
    }
    return now % 9000 < 8000 ? FELT_LOOK_SEES : FELT_LOOK_DARK;
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
    chips.reader.begin = begin_look, chips.reader.next = next_tag, chips.count = 3;
    felt_chips_start(&chips, now);
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
        felt_chips_poll(&chips, now), felt_bet_sensor_poll(&sensor, now);
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
    requests = 0;
    uint8_t challenge[37] = {0x93, 3, 1, 0xc4, 32};
    if (!sealed) {
        frame(FELT_HELLO, false, 7, hello, sizeof hello);
        return;
    }
    (void)chance(NULL, challenge + 5, 32);
    frame(FELT_HELLO, false, 7, challenge, sizeof challenge);
    frame(FELT_HELLO, true, 7, hello, sizeof hello);
}

static void command(struct felt_writer *body)
{
    frame(FELT_COMMAND, device->sealed, ++requests, body->data, body->full ? 0 : body->size);
}

/* What the chip is waited for, around hostile data: acknowledged, and with right sums. */
static void chip_answers(const uint8_t *data, size_t size)
{
    static const uint8_t codes[] = {0x15, 0x33, 0x4B, 0x41}, acknowledged[] = {0, 0, 0xFF, 0, 0xFF, 0};
    uint8_t answer[FELT_PN532_DATA + 16], sum = 0, step = reader.pn532.step;
    uint8_t sound[] = {1, 1, 0, 4, 0, 4, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0}; /* a tag; and what is read on it */
    size_t length = size < FELT_PN532_DATA - 2 ? size : FELT_PN532_DATA - 2, at = 0;
    if (kind != 3)
        return;
    if (size > sizeof sound && data[0] % 4 != 0) {
        sound[9] = data[1] % 4; /* one of four tags, or none */
        sound[0] = data[1] % 5 == 0 ? 0 : 1;
        if (step != FELT_PN532_LISTS) {
            felt_fill(sound, 0, sizeof sound);
            felt_card_write(sound + 1, "Kh", data + 2, 4);
        }
        data = sound;
        length = step == FELT_PN532_LISTS ? 10 : sizeof sound;
    }
    felt_copy(answer, acknowledged, sizeof acknowledged);
    at = sizeof acknowledged;
    felt_copy(answer + at, acknowledged, 3);
    answer[at + 3] = (uint8_t)(length + 2);
    answer[at + 4] = (uint8_t)(0x100 - answer[at + 3]);
    answer[at + 5] = 0xD5;
    answer[at + 6] = codes[step % sizeof codes];
    felt_copy(answer + at + 7, data, length);
    for (size_t n = 5; n < length + 7; n++)
        sum = (uint8_t)(sum + answer[at + n]);
    answer[at + length + 7] = (uint8_t)(0x100 - sum);
    for (size_t n = 0; n < at + length + 8; n++)
        felt_pn532_take(&reader.pn532, answer[n], now);
    poll();
}

/* An image was begun, as if somebody had signed it; it may have any size that fits. */
static void image_begun(const uint8_t *data, size_t size)
{
    struct felt_update *update = &device->update;
    if (size < 4 || update->trial != FELT_TRIAL_NONE)
        return;
    update->image = FELT_IMAGE_BEGUN;
    update->size = felt_get32(data) % (data[0] % 4 != 0 ? 40u : FELT_SLOT) + 1;
    update->there = 0;
    felt_copy(update->image_version, "2.0", 4);
    if (!felt_update_save(update, felt_memory_keep, device))
        update->image = FELT_IMAGE_NONE;
}

/* The bytes that are due, then all that makes it run, if its digest is right. */
static void image_goes_on(const uint8_t *data, size_t size)
{
    static const uint8_t others[] = {114, 115, 116};
    struct felt_update *update = &device->update;
    struct felt_sha256 sha;
    struct felt_writer w;
    uint8_t body[320], *slot = memory + FELT_SLOTS_AT + (update->running == 0 ? FELT_SLOT : 0);
    felt_writer_start(&w, body, sizeof body);
    felt_write_array(&w, 3);
    felt_write_number(&w, 113);
    felt_write_number(&w, update->there);
    felt_write_bytes(&w, data, size > update->size - update->there && data[0] % 8 != 0 ? update->size - update->there : size);
    command(&w);
    if (update->image == FELT_IMAGE_BEGUN && update->there == update->size && data[0] % 4 != 0) {
        felt_sha256_start(&sha);
        felt_sha256_add(&sha, slot, update->size);
        felt_sha256_end(&sha, update->digest);
    }
    for (size_t n = 0; n < sizeof others && update->there == update->size; n++) {
        felt_writer_start(&w, body, sizeof body);
        felt_write_array(&w, 1);
        felt_write_number(&w, others[n]);
        command(&w);
        if (n == 1) {
            poll(); /* it restarts */
            greet(device->has_key && !device->pairing_on);
        }
    }
}

/* A sound manifest under a signature that is none, or that of another image. */
static void image_offered(const uint8_t *data, size_t size)
{
    struct felt_writer m, w;
    uint8_t manifest[128], body[320], signature[64] = {0};
    felt_writer_start(&m, manifest, sizeof manifest);
    felt_write_array(&m, 5);
    felt_write_text(&m, port.family != NULL ? port.family : "lamps");
    felt_write_text(&m, port.model);
    felt_write_some_text(&m, "1.2.3.4.5", size % 10);
    felt_write_number(&m, 300);
    felt_write_bytes(&m, image_key, 32);
    felt_copy(signature, data, size < sizeof signature ? size : sizeof signature);
    felt_writer_start(&w, body, sizeof body);
    felt_write_array(&w, 3);
    felt_write_number(&w, 112);
    felt_write_bytes(&w, manifest, m.size);
    felt_write_bytes(&w, signature, sizeof signature);
    command(&w);
}

/* An exchange of keys with hostile halves; sometimes the right proof ends it. */
static void pair(const uint8_t *data, size_t size)
{
    static const uint8_t numbers[] = {66, 67, 68};
    struct felt_hmac hmac;
    struct felt_writer w;
    uint8_t body[64], bytes[32];
    for (size_t n = 0; n < sizeof numbers && size >= 32; n++) {
        felt_copy(bytes, data + (n * 7) % (size - 31), sizeof bytes);
        if (n == 2 && data[0] % 2 == 0) {
            felt_hmac_start(&hmac, device->pairing.key, sizeof device->pairing.key);
            felt_hmac_add(&hmac, "feltd 1 keep", 12);
            felt_hmac_end(&hmac, bytes);
        }
        felt_writer_start(&w, body, sizeof body);
        felt_write_array(&w, 2);
        felt_write_number(&w, numbers[n]);
        felt_write_bytes(&w, bytes, sizeof bytes);
        command(&w);
    }
}

static void (*const about_parts[])(const uint8_t *data, size_t size) = {chip_answers, image_begun, image_goes_on,
                                                                        image_offered, pair};

/* One order; returns how many bytes of `data` it was. */
static size_t order(const uint8_t *data, size_t size)
{
    uint8_t what = data[0] % 17;
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
    if (what >= 12) {
        size_t some = length < size - 1 ? length : size - 1;
        about_parts[what - 12](data + 1, some);
        return some + 1;
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
    by_tags = data[0] / 4 % 2 == 1;
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
            at[0] = (uint8_t)(rand() % 3 == 0 ? 12 + rand() % 5 : 7 + rand() % 2);
            at[1] = (uint8_t)make_body(at + 6);
            size += at[1];
        }
        (void)LLVMFuzzerTestOneInput(data, size);
    }
    printf("%u rounds: %lu frames sent, %lu events, %lu codes, %lu restarts, %lu tags\n", rounds, counted.frames, counted.events,
           counted.codes, counted.restarts, counted.tags);
    return 0;
}
#endif
