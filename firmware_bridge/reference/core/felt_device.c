/* A device: starts, takes bytes, looks what is due, stores what happens. */
#include "felt_device.h"
#include "felt_inner.h"

bool felt_device_start(struct felt_device *device, const struct felt_board *board, uint32_t now)
{
    felt_fill(device, 0, sizeof *device);
    device->board = board;
    device->now = device->started = now;
    device->safe = true;
    felt_update_none(&device->update, board->version);
    if (!felt_memory_mount(device))
        return false;
    device->pairing_on = board->pairing_switch(board->port);
    if (!device->pairing_on && device->pairing.used) {
        device->pairing.used = false;
        (void)felt_memory_keep(device, FELT_RECORD_PAIRED, 0, NULL, 0);
    }
    return felt_update_boot(&device->update, &board->flash, felt_memory_keep, device);
}

void felt_device_take(struct felt_device *device, uint8_t byte, uint32_t now)
{
    struct felt_frame frame;
    device->now = now;
    if (!device->restart && felt_receive(&device->receiver, byte, &frame))
        felt_session_take(device, &frame);
}

bool felt_device_set_key(struct felt_device *device, const uint8_t key[FELT_KEY])
{
    uint8_t old[FELT_KEY];
    bool had = device->has_key, kept;
    felt_copy(old, device->key, FELT_KEY);
    felt_copy(device->key, key, FELT_KEY);
    device->has_key = true;
    kept = felt_memory_move(device); /* nothing of the old one stays in flash */
    if (!kept) {
        felt_copy(device->key, old, FELT_KEY);
        device->has_key = had;
    }
    felt_wipe(old, sizeof old);
    return kept;
}

static void switch_on(struct felt_device *device)
{
    device->pairing_on = true;
    felt_session_end(device);
}

static void switch_off(struct felt_device *device)
{
    bool new_key = device->pairing.step == FELT_PAIRING_KEPT;
    bool used = device->pairing.used;
    device->pairing_on = false;
    device->pairing.used = false;
    if (new_key)
        (void)felt_device_set_key(device, device->pairing.key);
    else if (used)
        (void)felt_memory_keep(device, FELT_RECORD_PAIRED, 0, NULL, 0);
    felt_pairing_forget(&device->pairing);
    device->board->show_code(device->board->port, NULL);
    felt_session_end(device);
}

void felt_device_poll(struct felt_device *device, uint32_t now)
{
    bool on = device->board->pairing_switch(device->board->port);
    device->now = now;
    if (device->update.trial == FELT_TRIAL_RUNS && now - device->started >= FELT_TRIAL_MS)
        device->restart = true; /* nobody confirmed it: back to the old slot (9.7) */
    if (device->restart) {
        device->board->restart(device->board->port);
        return;
    }
    if (on && !device->pairing_on)
        switch_on(device);
    if (!on && device->pairing_on)
        switch_off(device);
    felt_session_poll(device);
}

struct felt_writer felt_event(struct felt_device *device, uint16_t fields, uint32_t number)
{
    struct felt_writer w;
    felt_writer_start(&w, device->event, sizeof device->event);
    felt_write_array(&w, (uint16_t)(fields + 1));
    felt_write_number(&w, number);
    return w;
}

static bool store_told(struct felt_device *device, const struct felt_told *told)
{
    return told == NULL || felt_memory_keep(device, FELT_RECORD_TOLD, device->events.last + 1, told, FELT_TOLD);
}

static bool store(struct felt_device *device, const struct felt_writer *event, bool secret, const struct felt_told *told)
{
    bool first = device->events.count == 0;
    size_t both = event->size + FELT_TOLD + 2 * FELT_WORD + FELT_WORD;
    if (event->full || felt_events_full(&device->events) || !felt_memory_room(device, both))
        return false;
    if (device->events.last == UINT32_MAX) { /* 5.6: no counter is used twice */
        if (!first || !felt_memory_new_epoch(device))
            return false;
        felt_session_end(device); /* the controller greets the new memory */
    }
    if (!store_told(device, told) ||
        !felt_events_add(&device->events, &device->log, event->data, event->size, secret)) {
        device->memory_failed = true; /* there was room, so it is the flash */
        return false;
    }
    if (told != NULL)
        device->told = *told;
    if (first) {
        device->pause = FELT_AGAIN_MS;
        device->due = device->now + device->pause;
    }
    felt_session_pump(device);
    return true;
}

bool felt_happened(struct felt_device *device, const struct felt_writer *event, const struct felt_told *told)
{
    return store(device, event, false, told);
}

bool felt_happened_secret(struct felt_device *device, const struct felt_writer *event)
{
    bool stored = store(device, event, true, NULL);
    felt_wipe(device->event, sizeof device->event);
    return stored;
}
