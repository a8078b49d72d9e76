/* The memory of events. */
#include "felt_events.h"

void felt_events_none(struct felt_events *events)
{
    felt_fill(events, 0, sizeof *events);
}

static struct felt_kept *kept(struct felt_events *events, uint32_t counter)
{
    return &events->kept[counter % FELT_KEPT_MAX];
}

uint32_t felt_events_first(const struct felt_events *events)
{
    return events->last - events->count + 1; /* last + 1 may be 0 behind the greatest counter: then none is kept */
}

bool felt_events_full(const struct felt_events *events)
{
    return events->count == FELT_KEPT_MAX;
}

static void remember(struct felt_events *events, uint32_t at, size_t size, bool secret)
{
    struct felt_kept *one;
    events->last++;
    events->count++;
    one = kept(events, events->last);
    one->at = at;
    one->size = (uint16_t)size;
    one->secret = secret;
}

static void visit_epoch(struct felt_events *events, const struct felt_found *found)
{
    events->last = found->value;
    events->count = 0;
    events->torn = found->size != 8;
    events->epoch = 0; /* its caller reads the body */
}

static void visit_event(struct felt_events *events, const struct felt_found *found)
{
    bool follows = found->value == events->last + 1 && found->value != 0;
    if (!follows || felt_events_full(events) || found->size > FELT_EVENT_MAX)
        events->torn = true;
    if (!events->torn)
        remember(events, found->at, found->wiped ? 0 : found->size, found->type == FELT_RECORD_SECRET);
}

static void visit_forgot(struct felt_events *events, uint32_t counter)
{
    uint32_t first = felt_events_first(events);
    if (events->count > 0 && counter >= first && counter <= events->last)
        events->count = events->last - counter;
}

void felt_events_visit(struct felt_events *events, const struct felt_found *found)
{
    if (found->type == FELT_RECORD_EPOCH)
        visit_epoch(events, found);
    else if (found->type == FELT_RECORD_EVENT || found->type == FELT_RECORD_SECRET)
        visit_event(events, found);
    else if (found->type == FELT_RECORD_FORGOT)
        visit_forgot(events, found->value);
}

bool felt_events_readable(const struct felt_events *events)
{
    bool readable = events->epoch != 0 && !events->torn;
    for (uint32_t n = 0; n < events->count; n++) /* of size 0: wiped, though nobody had it on disk */
        readable = readable && events->kept[(events->last - n) % FELT_KEPT_MAX].size > 0;
    return readable;
}

static bool write_epoch(struct felt_log *log, uint64_t epoch, uint32_t last)
{
    uint8_t body[8];
    felt_put64(body, epoch);
    return felt_log_add(log, FELT_RECORD_EPOCH, last, body, sizeof body, NULL);
}

bool felt_events_begin(struct felt_events *events, struct felt_log *log, uint64_t epoch)
{
    if (!write_epoch(log, epoch, 0))
        return false;
    felt_events_none(events);
    events->epoch = epoch;
    return true;
}

bool felt_events_add(struct felt_events *events, struct felt_log *log, const uint8_t *message, size_t size, bool secret)
{
    uint8_t type = secret ? FELT_RECORD_SECRET : FELT_RECORD_EVENT;
    uint32_t at;
    if (felt_events_full(events) || events->last == UINT32_MAX || size == 0 || size > FELT_EVENT_MAX)
        return false;
    if (!felt_log_add(log, type, events->last + 1, message, size, &at))
        return false;
    remember(events, at, size, secret);
    return true;
}

bool felt_events_forget(struct felt_events *events, struct felt_log *log, uint32_t counter)
{
    uint32_t first = felt_events_first(events);
    if (events->count == 0 || counter < first || counter > events->last)
        return true; /* nothing of it is kept, or it was never sent */
    if (!felt_log_add(log, FELT_RECORD_FORGOT, counter, NULL, 0, NULL))
        return false;
    for (uint32_t c = first; c - first <= counter - first; c++) {
        const struct felt_kept *one = kept(events, c);
        if (one->secret)
            (void)felt_log_wipe(log, one->at, one->size);
    }
    events->count = events->last - counter;
    return true;
}

size_t felt_events_read(const struct felt_events *events, const struct felt_log *log, uint32_t counter, uint8_t *to)
{
    const struct felt_kept *one = &events->kept[counter % FELT_KEPT_MAX];
    if (!log->flash->read(log->flash->self, one->at, to, one->size))
        return 0;
    return one->size;
}

bool felt_events_move(struct felt_events *events, const struct felt_log *from, struct felt_log *to)
{
    uint8_t message[FELT_EVENT_MAX];
    uint32_t first = felt_events_first(events);
    bool moved = write_epoch(to, events->epoch, first - 1);
    for (uint32_t n = 0; moved && n < events->count; n++) {
        struct felt_kept *one = kept(events, first + n);
        uint8_t type = one->secret ? FELT_RECORD_SECRET : FELT_RECORD_EVENT;
        size_t size = felt_events_read(events, from, first + n, message);
        moved = size > 0 && felt_log_add(to, type, first + n, message, size, &one->at);
    }
    felt_wipe(message, sizeof message);
    return moved;
}
