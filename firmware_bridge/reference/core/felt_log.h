/* A log of records in two banks of flash: it survives a power cut at any moment.
 *
 * A record is written behind the last one, its body first and its header last, so that a cut leaves nothing that looks
 * like a record. When a bank is full, what still matters is written into the other one, whose header comes last. */
#ifndef FELT_LOG_H
#define FELT_LOG_H

#include "felt_bytes.h"
#include "felt_sizes.h"

/* What a port of the firmware gives: memory that is erased by sectors, to 0xFF, and written in words of FELT_WORD bytes.
 * A word is written once after it was erased; only zeros may be written over it. */
struct felt_flash {
    void *self;
    bool (*read)(void *self, uint32_t at, void *to, size_t size);
    bool (*write)(void *self, uint32_t at, const void *from, size_t size);
    bool (*erase)(void *self, uint32_t at); /* the sector that begins there */
};

enum felt_record {
    FELT_RECORD_EPOCH = 1,  /* body: the epoch; a new event memory begins; value: its newest counter */
    FELT_RECORD_EVENT,      /* value: counter; body: the message */
    FELT_RECORD_SECRET,     /* the same, of which nothing is left once it is on disk */
    FELT_RECORD_FORGOT,     /* value: every event up to this one */
    FELT_RECORD_NOTE,
    FELT_RECORD_KEY,
    FELT_RECORD_PAIRED,     /* value: 1 when the exchange of this time was begun */
    FELT_RECORD_TOLD,       /* what was told last; value: it holds with the event of this counter; 0: it holds */
    FELT_RECORD_IMAGE,      /* value: enum felt_image; body: what was begun */
    FELT_RECORD_IMAGE_AT,   /* value: so many bytes are there */
    FELT_RECORD_SLOTS       /* value: which runs, and whether on trial; body: the versions */
};

struct felt_log {
    const struct felt_flash *flash;
    uint32_t bank;     /* where the bank in use begins */
    uint32_t sequence; /* of this bank: the greater one is in use */
    uint32_t end;      /* the next record comes here, from the beginning of the bank */
    bool dirty;        /* behind the end is not erased: a write was cut off */
    bool damaged;      /* a record before the end cannot be read */
};

struct felt_found { /* a sound record */
    uint8_t type;
    bool wiped;
    uint32_t value;
    uint32_t at; /* of its body, in flash */
    size_t size;
};

typedef void felt_visit(void *self, const struct felt_found *found);

/* Finds the bank in use and shows all its records; false when there is none, or flash cannot be read. */
bool felt_log_mount(struct felt_log *log, const struct felt_flash *flash, felt_visit *visit, void *self);
/* Begins with an empty log. */
bool felt_log_format(struct felt_log *log, const struct felt_flash *flash);
/* Writes a record behind the last; false when there is no room, or flash fails. `at` becomes where its body is. */
bool felt_log_add(struct felt_log *log, uint8_t type, uint32_t value, const void *body, size_t size, uint32_t *at);
bool felt_log_fits(const struct felt_log *log, size_t body);
/* From here on records go into the other bank; what is not written again until the end of it is gone. */
bool felt_log_begin_other(struct felt_log *log, struct felt_log *other);
bool felt_log_end_other(struct felt_log *log, const struct felt_log *other);
/* Overwrites the body of a record with zeros. */
bool felt_log_wipe(struct felt_log *log, uint32_t at, size_t size);

size_t felt_words(size_t size); /* rounded up to words */

#endif
