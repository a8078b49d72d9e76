/* A session: what comes in, what is sent again, who is there (docs/protocol.md, sections 4, 5 and 7). */
#include "felt_inner.h"

bool felt_reached(uint32_t now, uint32_t due)
{
    return now - due < 0x80000000u;
}

uint8_t *felt_body(struct felt_device *device)
{
    return device->sender.frame + FELT_HEADER + FELT_COUNTER; /* in its place for sealing */
}

void felt_send(struct felt_device *device, uint8_t kind, uint32_t number, size_t body, bool sealed)
{
    uint8_t *frame = device->sender.frame;
    size_t size = body;
    felt_header(frame, kind, sealed, number);
    if (sealed)
        size = felt_seal(&device->keys, frame, body);
    else
        felt_copy(frame + FELT_HEADER, felt_body(device), body);
    size = felt_close(&device->sender, size);
    device->board->send(device->board->port, device->sender.wire, size);
}

static void send_event(struct felt_device *device, uint32_t counter)
{
    size_t size = felt_events_read(&device->events, &device->log, counter, felt_body(device));
    if (size > 0)
        felt_send(device, FELT_EVENT, counter, size, device->sealed);
}

void felt_session_pump(struct felt_device *device)
{
    uint32_t most = device->events.count < FELT_WINDOW ? device->events.count : FELT_WINDOW;
    if (!device->greeted || device->pairing_on)
        return;
    while (device->in_flight < most)
        send_event(device, felt_events_first(&device->events) + device->in_flight++);
}

static void wait_again(struct felt_device *device)
{
    device->pause = FELT_AGAIN_MS;
    device->due = device->now + device->pause;
}

static void take_ack(struct felt_device *device, uint32_t counter)
{
    uint32_t before = device->events.count, gone;
    if (device->pairing_on || before == 0 || !felt_memory_room(device, 0))
        return;
    if (!felt_events_forget(&device->events, &device->log, counter))
        return;
    gone = before - device->events.count;
    if (gone == 0)
        return;
    device->in_flight = device->in_flight > gone ? device->in_flight - gone : 0;
    wait_again(device);
    felt_session_pump(device);
}

static void take_resend(struct felt_device *device, uint32_t counter)
{
    uint32_t first = felt_events_first(&device->events);
    uint32_t from = counter > first ? counter - first : 0;
    if (from < device->in_flight)
        device->in_flight = from;
    felt_session_pump(device);
}

void felt_session_end(struct felt_device *device)
{
    device->greeted = false;
    device->sealed = false;
    felt_wipe(&device->keys, sizeof device->keys);
    felt_wipe(&device->coming, sizeof device->coming);
    felt_replies_forget(&device->replies);
    if (!device->safe)
        device->board->safe(device->board->self);
    device->safe = true;
}

/* Sealed or not, as the session is; what is not is dropped and is no sign of life (8.10). */
static bool belongs(struct felt_device *device, struct felt_frame *frame)
{
    if (!device->greeted)
        return false;
    if (!device->sealed)
        return !frame->sealed;
    if (felt_open(&device->keys, frame))
        return true;
    felt_tampered(device);
    return false;
}

static void take_known(struct felt_device *device, const struct felt_frame *frame)
{
    if (frame->kind == FELT_COMMAND) {
        felt_command_take(device, frame);
        return;
    }
    if (frame->size != 0)
        return; /* these have no body */
    if (frame->kind == FELT_ACK)
        take_ack(device, frame->number);
    else if (frame->kind == FELT_RESEND)
        take_resend(device, frame->number);
    else if (frame->kind == FELT_PING)
        felt_send(device, FELT_PONG, frame->number, 0, device->sealed);
}

void felt_session_take(struct felt_device *device, struct felt_frame *frame)
{
    if (frame->kind == FELT_HELLO) {
        felt_greeting_take(device, frame);
        return;
    }
    if (frame->kind == FELT_IDENTITY || frame->kind == FELT_EVENT || frame->kind == FELT_REPLY ||
        frame->kind == FELT_PONG)
        return; /* our own kinds: a loop in the cable (2.2) */
    if (!belongs(device, frame))
        return;
    device->heard = device->now;
    device->safe = false;
    take_known(device, frame);
}

void felt_session_poll(struct felt_device *device)
{
    if (!device->greeted)
        return;
    if (!device->safe && device->now - device->heard >= FELT_SILENCE_MS) {
        device->board->safe(device->board->self);
        device->safe = true;
    }
    felt_session_pump(device);
    if (device->pairing_on || device->in_flight == 0 || !felt_reached(device->now, device->due))
        return;
    send_event(device, felt_events_first(&device->events));
    device->pause = device->pause * 2 < FELT_AGAIN_MOST_MS ? device->pause * 2 : FELT_AGAIN_MOST_MS;
    device->due = device->now + device->pause;
}
