/* All that survives a power cut, in one log: mounted at the start, moved to the other bank when one is full. */
#include "felt_inner.h"

/* All that is kept fits into half a bank and one sector, so a move always makes room for many records. */
typedef char felt_bank_is_large_enough[FELT_KEPT_MAX * (FELT_EVENT_MAX + 24u) + 512u <= FELT_BANK - 2u * FELT_SECTOR ? 1 : -1];

struct mounting {
    struct felt_device *device;
    uint32_t secrets;          /* that can still be read */
    uint32_t with;             /* the event with which `coming` holds; 0: there is none */
    struct felt_told coming;
};

static void visit_small(struct felt_device *device, const struct felt_found *found)
{
    const struct felt_flash *flash = &device->board->flash;
    if (found->type == FELT_RECORD_NOTE && found->size <= FELT_NOTE_MAX &&
        flash->read(flash->self, found->at, device->note, found->size))
        device->note_size = (uint8_t)found->size;
    if (found->type == FELT_RECORD_KEY && found->size == FELT_KEY)
        device->has_key = flash->read(flash->self, found->at, device->key, FELT_KEY);
    if (found->type == FELT_RECORD_PAIRED)
        device->pairing.used = found->value != 0;
}

/* What was told holds at once, or with the event that comes behind it. */
static void visit_told(struct mounting *mounting, const struct felt_found *found)
{
    const struct felt_flash *flash = &mounting->device->board->flash;
    bool is_event = found->type == FELT_RECORD_EVENT || found->type == FELT_RECORD_SECRET;
    if (is_event && mounting->with == found->value)
        mounting->device->told = mounting->coming;
    if (is_event)
        mounting->with = 0;
    if (found->type != FELT_RECORD_TOLD || found->size != FELT_TOLD ||
        !flash->read(flash->self, found->at, &mounting->coming, FELT_TOLD))
        return;
    mounting->with = found->value;
    if (found->value == 0)
        mounting->device->told = mounting->coming;
}

static void visit(void *self, const struct felt_found *found)
{
    struct mounting *mounting = self;
    struct felt_device *device = mounting->device;
    const struct felt_flash *flash = &device->board->flash;
    uint8_t epoch[8];
    felt_events_visit(&device->events, found);
    felt_update_visit(&device->update, flash, found);
    visit_small(device, found);
    visit_told(mounting, found);
    if (found->type == FELT_RECORD_EPOCH && found->size == sizeof epoch &&
        flash->read(flash->self, found->at, epoch, sizeof epoch))
        device->events.epoch = felt_get64(epoch);
    if (found->type == FELT_RECORD_SECRET && !found->wiped)
        mounting->secrets++;
}

static uint32_t secrets_kept(const struct felt_events *events)
{
    uint32_t secrets = 0;
    for (uint32_t n = 0; n < events->count; n++)
        secrets += events->kept[(events->last - n) % FELT_KEPT_MAX].secret ? 1u : 0u;
    return secrets;
}

bool felt_memory_mount(struct felt_device *device)
{
    struct mounting mounting;
    const struct felt_flash *flash = &device->board->flash;
    bool readable;
    felt_fill(&mounting, 0, sizeof mounting);
    mounting.device = device;
    if (!felt_log_mount(&device->log, flash, visit, &mounting)) {
        felt_events_none(&device->events);
        return felt_log_format(&device->log, flash) && felt_memory_new_epoch(device);
    }
    readable = !device->log.damaged && felt_events_readable(&device->events);
    if (!readable)
        return felt_memory_new_epoch(device);
    /* a cut came in the middle of a write, before a secret was wiped, or between what was told and its event */
    if (device->log.dirty || mounting.secrets > secrets_kept(&device->events) || mounting.with != 0)
        return felt_memory_move(device);
    return true;
}

bool felt_memory_new_epoch(struct felt_device *device)
{
    uint8_t chance[8];
    uint64_t epoch;
    if (!device->board->random(device->board->port, chance, sizeof chance))
        return false;
    epoch = felt_get64(chance) >> 1; /* 63 bits: what holds numbers with a sign holds it too */
    felt_events_none(&device->events);
    device->events.epoch = epoch != 0 ? epoch : 1;
    felt_fill(&device->told, 0, sizeof device->told); /* it is void: each fault that lasts is reported again (5.6) */
    return felt_memory_move(device);
}

static bool into_other(void *self, uint8_t type, uint32_t value, const void *body, size_t size)
{
    return felt_log_add(self, type, value, body, size, NULL);
}

static bool move_small(const struct felt_device *device, struct felt_log *other)
{
    bool moved = felt_update_save(&device->update, into_other, other);
    moved = moved && into_other(other, FELT_RECORD_TOLD, 0, &device->told, FELT_TOLD);
    moved = moved && into_other(other, FELT_RECORD_PAIRED, device->pairing.used ? 1 : 0, NULL, 0);
    if (device->has_key)
        moved = moved && into_other(other, FELT_RECORD_KEY, 0, device->key, FELT_KEY);
    if (device->note_size > 0)
        moved = moved && into_other(other, FELT_RECORD_NOTE, 0, device->note, device->note_size);
    return moved;
}

bool felt_memory_move(struct felt_device *device)
{
    struct felt_log other;
    bool moved = felt_log_begin_other(&device->log, &other) &&
                 felt_events_move(&device->events, &device->log, &other) && move_small(device, &other) &&
                 felt_log_end_other(&device->log, &other);
    device->memory_failed = !moved;
    return moved;
}

bool felt_memory_room(struct felt_device *device, size_t body)
{
    if (device->memory_failed)
        return false;
    return felt_log_fits(&device->log, body) || (felt_memory_move(device) && felt_log_fits(&device->log, body));
}

bool felt_memory_keep(void *self, uint8_t type, uint32_t value, const void *body, size_t size)
{
    struct felt_device *device = self;
    return felt_memory_room(device, size) && felt_log_add(&device->log, type, value, body, size, NULL);
}
