/* HELLO, Challenge, and their answers (docs/protocol.md, sections 4 and 8). */
#include "felt_inner.h"

enum { HELLO = 1, IDENTITY = 2, CHALLENGE = 3, INTRODUCTION = 4, PROTOCOL = 1 };

struct greeting {
    uint64_t number; /* HELLO or CHALLENGE */
    uint64_t epoch;
    uint64_t counter;
    struct felt_piece nonce;
};

static bool read_greeting(const struct felt_frame *frame, struct greeting *g)
{
    struct felt_reader r;
    uint32_t fields;
    felt_fill(g, 0, sizeof *g);
    felt_reader_start(&r, frame->body, frame->size);
    fields = felt_read_array(&r);
    g->number = felt_read_number(&r);
    if (felt_read_number(&r) != PROTOCOL) /* 3.3 */
        return false;
    if (g->number == HELLO && fields >= 2 && fields <= 4) {
        g->epoch = fields >= 3 ? felt_read_number(&r) : 0;
        g->counter = fields == 4 ? felt_read_number(&r) : 0;
        return felt_read_all(&r);
    }
    if (g->number == CHALLENGE && fields == 3) {
        g->nonce = felt_read_bytes(&r);
        return felt_read_all(&r);
    }
    return false;
}

static void say_identity(struct felt_device *device, uint32_t number)
{
    const struct felt_board *board = device->board;
    struct felt_writer w;
    felt_writer_start(&w, felt_body(device), FELT_MESSAGE_MAX);
    felt_write_array(&w, 8);
    felt_write_number(&w, IDENTITY);
    felt_write_text(&w, board->family);
    felt_write_text(&w, board->model);
    felt_write_text(&w, board->serial);
    felt_write_text(&w, felt_update_version(&device->update));
    felt_write_number(&w, device->events.epoch);
    felt_write_number(&w, device->events.last);
    felt_write_number(&w, (uint64_t)device->events.last - device->events.count + 1);
    felt_send(device, FELT_IDENTITY, number, w.size, device->sealed);
}

static void say_introduction(struct felt_device *device, uint32_t number, const uint8_t *nonce, const uint8_t *proof)
{
    struct felt_writer w;
    felt_writer_start(&w, felt_body(device), FELT_MESSAGE_MAX);
    felt_write_array(&w, 4);
    felt_write_number(&w, INTRODUCTION);
    felt_write_text(&w, device->board->serial);
    felt_write_bytes(&w, nonce, nonce != NULL ? FELT_NONCE : 0);
    felt_write_bytes(&w, proof, proof != NULL ? 32 : 0);
    felt_send(device, FELT_IDENTITY, number, w.size, false);
}

/* A new session, whatever went before (4.2). */
static void open_session(struct felt_device *device, uint32_t number, const struct greeting *g)
{
    bool ours = g->epoch == device->events.epoch && !device->pairing_on;
    felt_replies_forget(&device->replies);
    if (ours && g->counter <= device->events.last && felt_memory_room(device, 0))
        (void)felt_events_forget(&device->events, &device->log, (uint32_t)g->counter);
    device->greeted = true;
    device->tampered = false;
    device->safe = false;
    device->heard = device->now;
    device->in_flight = 0;
    device->pause = FELT_AGAIN_MS;
    device->due = device->now + device->pause;
    say_identity(device, number);
    felt_session_pump(device);
}

static void take_hello(struct felt_device *device, uint32_t number, const struct greeting *g)
{
    uint8_t nonce[FELT_NONCE];
    if (device->has_key && !device->pairing_on) { /* 8.7: it can see what is missing */
        if (device->board->random(device->board->port, nonce, sizeof nonce))
            say_introduction(device, number, nonce, NULL);
        return;
    }
    device->sealed = false;
    felt_wipe(&device->keys, sizeof device->keys);
    felt_wipe(&device->coming, sizeof device->coming);
    open_session(device, number, g);
}

/* New keys for this challenge, unless it is a repeat. They come into use with the first sealed HELLO. */
static bool prepare(struct felt_device *device, uint32_t number, const uint8_t *nonce)
{
    struct felt_keys *coming = &device->coming;
    bool again = coming->known && coming->number == number && felt_same(coming->controller_nonce, nonce, FELT_NONCE);
    if (again)
        return true;
    felt_wipe(coming, sizeof *coming);
    if (!device->board->random(device->board->port, coming->device_nonce, FELT_NONCE))
        return false;
    if (felt_same(coming->device_nonce, nonce, FELT_NONCE))
        return false;
    felt_copy(coming->controller_nonce, nonce, FELT_NONCE);
    coming->number = number;
    felt_keys_make(coming, device->key);
    return true;
}

static void take_challenge(struct felt_device *device, uint32_t number, struct felt_piece nonce)
{
    uint8_t proof[32];
    if (nonce.size != FELT_NONCE)
        return;
    if (!device->has_key) {
        say_introduction(device, number, NULL, NULL);
        return;
    }
    if (device->sealed && felt_same(nonce.data, device->keys.controller_nonce, FELT_NONCE))
        return; /* 8.5 */
    if (!prepare(device, number, nonce.data))
        return;
    felt_keys_proof(&device->coming, device->board->serial, proof);
    say_introduction(device, number, device->coming.device_nonce, proof);
}

static void take_sealed(struct felt_device *device, struct felt_frame *frame)
{
    struct greeting g;
    bool is_new = felt_open(&device->coming, frame);
    bool is_known = !is_new && device->sealed && felt_open(&device->keys, frame);
    if (!is_new && !is_known) {
        if (device->sealed && !device->coming.known)
            felt_tampered(device);
        return;
    }
    if (!read_greeting(frame, &g) || g.number != HELLO)
        return;
    if (is_new) {
        device->keys = device->coming;
        felt_wipe(&device->coming, sizeof device->coming);
    }
    device->sealed = true;
    open_session(device, frame->number, &g);
}

void felt_greeting_take(struct felt_device *device, struct felt_frame *frame)
{
    struct greeting g;
    if (frame->sealed)
        take_sealed(device, frame);
    else if (!read_greeting(frame, &g))
        return;
    else if (g.number == CHALLENGE)
        take_challenge(device, frame->number, g.nonce);
    else
        take_hello(device, frame->number, &g);
}
