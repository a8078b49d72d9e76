/* The memory of events: epoch, counter, and what nobody has on disk yet (docs/protocol.md, section 5). */
#ifndef FELT_EVENTS_H
#define FELT_EVENTS_H

#include "felt_log.h"

struct felt_kept {
    uint32_t at; /* of its message, in flash */
    uint16_t size;
    bool secret;
};

struct felt_events {
    uint64_t epoch; /* 0: there is none yet */
    uint32_t last;
    uint32_t count;                      /* how many are kept: last - count + 1 to last */
    struct felt_kept kept[FELT_KEPT_MAX]; /* the event with counter c stands at c modulo FELT_KEPT_MAX */
    bool torn;                           /* counters do not follow each other: the memory is unreadable */
};

void felt_events_none(struct felt_events *events);
void felt_events_visit(struct felt_events *events, const struct felt_found *found); /* while the log is mounted */
bool felt_events_readable(const struct felt_events *events); /* after it was mounted */
bool felt_events_begin(struct felt_events *events, struct felt_log *log, uint64_t epoch);
uint32_t felt_events_first(const struct felt_events *events); /* the oldest kept, or last + 1 */
bool felt_events_full(const struct felt_events *events);
bool felt_events_add(struct felt_events *events, struct felt_log *log, const uint8_t *message, size_t size, bool secret);
/* Forgets up to this counter; false when flash failed, and then nothing is forgotten. */
bool felt_events_forget(struct felt_events *events, struct felt_log *log, uint32_t counter);
/* Reads a kept message; returns its size, 0 when it cannot be read. */
size_t felt_events_read(const struct felt_events *events, const struct felt_log *log, uint32_t counter, uint8_t *to);
/* Writes what is kept into another bank. */
bool felt_events_move(struct felt_events *events, const struct felt_log *from, struct felt_log *to);

#endif
