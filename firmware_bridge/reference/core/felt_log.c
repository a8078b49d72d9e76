/* A log of records in two banks of flash. */
#include "felt_log.h"
#include "felt_frame.h"

#define HEAD 16u
#define MAGIC 0x544C4546u
#define PIECE 32u /* bytes that are looked at together */

size_t felt_words(size_t size)
{
    return (size + FELT_WORD - 1) / FELT_WORD * FELT_WORD;
}

static bool all(const uint8_t *data, size_t size, uint8_t value)
{
    for (size_t n = 0; n < size; n++)
        if (data[n] != value)
            return false;
    return true;
}

static bool read(const struct felt_log *log, uint32_t at, void *to, size_t size)
{
    return log->flash->read(log->flash->self, log->bank + at, to, size);
}

static bool write(const struct felt_log *log, uint32_t at, const void *from, size_t size)
{
    return log->flash->write(log->flash->self, log->bank + at, from, size);
}

static bool erase(const struct felt_flash *flash, uint32_t bank)
{
    for (uint32_t at = 0; at < FELT_BANK; at += FELT_SECTOR)
        if (!flash->erase(flash->self, bank + at))
            return false;
    return true;
}

static void seal_head(uint8_t head[HEAD])
{
    felt_put32(head + 12, felt_crc32(head, 12));
}

static bool head_is_sound(const uint8_t head[HEAD])
{
    return felt_get32(head + 12) == felt_crc32(head, 12);
}

static bool read_bank(struct felt_log *log, const struct felt_flash *flash, uint32_t bank)
{
    uint8_t head[HEAD];
    log->flash = flash;
    log->bank = bank;
    if (!read(log, 0, head, HEAD) || !head_is_sound(head) || felt_get32(head) != MAGIC)
        return false;
    log->sequence = felt_get32(head + 4);
    return true;
}

static bool write_bank_head(const struct felt_log *log)
{
    uint8_t head[HEAD];
    felt_put32(head, MAGIC);
    felt_put32(head + 4, log->sequence);
    felt_put32(head + 8, 0);
    seal_head(head);
    return write(log, 0, head, HEAD);
}

/* The check of a body: of its pieces, one after the other, so that a body of any size needs little memory. */
static bool check_in_flash(const struct felt_log *log, uint32_t at, size_t size, uint32_t *crc)
{
    uint8_t piece[PIECE];
    uint32_t value = 0;
    while (size > 0) {
        size_t some = size < PIECE ? size : PIECE;
        if (!read(log, at, piece, some))
            return false;
        value = (value << 1 | value >> 31) ^ felt_crc32(piece, some);
        at += (uint32_t)some;
        size -= some;
    }
    *crc = value;
    return true;
}

static uint32_t check_of(const uint8_t *body, size_t size)
{
    uint32_t value = 0;
    for (size_t at = 0; at < size; at += PIECE) {
        size_t some = size - at < PIECE ? size - at : PIECE;
        value = (value << 1 | value >> 31) ^ felt_crc32(body + at, some);
    }
    return value;
}

enum look { LOOK_SOUND, LOOK_BODY_BROKEN, LOOK_HEAD_BROKEN, LOOK_ERASED };

/* What stands at this place; after a sound head, `next` is behind its body. */
static enum look look(const struct felt_log *log, uint32_t at, struct felt_found *found, uint32_t *next)
{
    uint8_t head[HEAD];
    uint32_t crc;
    if (at + HEAD > FELT_BANK || !read(log, at, head, HEAD))
        return LOOK_HEAD_BROKEN;
    if (all(head, HEAD, 0xFF))
        return LOOK_ERASED;
    found->size = felt_get16(head);
    if (!head_is_sound(head) || felt_words(found->size) > FELT_BANK - at - HEAD)
        return LOOK_HEAD_BROKEN;
    found->type = head[2];
    found->value = felt_get32(head + 4);
    found->at = log->bank + at + HEAD;
    *next = at + HEAD + (uint32_t)felt_words(found->size);
    found->wiped = !check_in_flash(log, at + HEAD, found->size, &crc) || crc != felt_get32(head + 8);
    if (!found->wiped || found->type == FELT_RECORD_SECRET) /* wiped, or the power was cut while it was */
        return LOOK_SOUND;
    return LOOK_BODY_BROKEN;
}

/* The next place at which a sound record stands, or the end of the bank. */
static uint32_t find_next(const struct felt_log *log, uint32_t at)
{
    struct felt_found found;
    uint32_t next;
    for (; at + HEAD <= FELT_BANK; at += FELT_WORD)
        if (look(log, at, &found, &next) == LOOK_SOUND)
            return at;
    return FELT_BANK;
}

static bool rest_is_erased(const struct felt_log *log, uint32_t at)
{
    uint8_t piece[PIECE];
    while (at < FELT_BANK) {
        size_t some = FELT_BANK - at < PIECE ? FELT_BANK - at : PIECE;
        if (!read(log, at, piece, some) || !all(piece, some, 0xFF))
            return false;
        at += (uint32_t)some;
    }
    return true;
}

static void scan(struct felt_log *log, felt_visit *visit, void *self)
{
    struct felt_found found;
    uint32_t at = HEAD, next = HEAD;
    log->damaged = false;
    for (;;) {
        enum look what = look(log, at, &found, &next);
        if (what == LOOK_SOUND) {
            visit(self, &found);
            at = next;
            continue;
        }
        if (what == LOOK_BODY_BROKEN) { /* its head was written after it, so it was whole once */
            log->damaged = true;
            at = next;
            continue;
        }
        if (what == LOOK_ERASED && rest_is_erased(log, at))
            break;
        next = find_next(log, at + FELT_WORD);
        if (next == FELT_BANK)
            break; /* nothing sound comes behind it: the write that was cut off */
        log->damaged = true;
        at = next;
    }
    log->end = at;
    log->dirty = !rest_is_erased(log, at);
}

bool felt_log_mount(struct felt_log *log, const struct felt_flash *flash, felt_visit *visit, void *self)
{
    struct felt_log other;
    bool first = read_bank(log, flash, FELT_LOG_AT);
    bool second = read_bank(&other, flash, FELT_LOG_AT + FELT_BANK);
    if (second && (!first || other.sequence > log->sequence))
        *log = other;
    else if (!first)
        return false;
    scan(log, visit, self);
    return true;
}

bool felt_log_format(struct felt_log *log, const struct felt_flash *flash)
{
    log->flash = flash;
    log->bank = FELT_LOG_AT;
    log->sequence = 1;
    log->end = HEAD;
    log->dirty = log->damaged = false;
    return erase(flash, FELT_LOG_AT + FELT_BANK) && erase(flash, FELT_LOG_AT) && write_bank_head(log);
}

bool felt_log_fits(const struct felt_log *log, size_t body)
{
    return !log->dirty && log->end + HEAD <= FELT_BANK && felt_words(body) <= FELT_BANK - log->end - HEAD;
}

bool felt_log_add(struct felt_log *log, uint8_t type, uint32_t value, const void *body, size_t size, uint32_t *at)
{
    const uint8_t *from = body;
    uint8_t head[HEAD], last[FELT_WORD];
    size_t whole = size / FELT_WORD * FELT_WORD;
    uint32_t place = log->end + HEAD;
    if (size > 0xFFFF || !felt_log_fits(log, size))
        return false;
    log->dirty = true; /* until all of it is written */
    if (whole > 0 && !write(log, place, from, whole))
        return false;
    if (whole < size) {
        felt_fill(last, 0, sizeof last);
        felt_copy(last, from + whole, size - whole);
        if (!write(log, place + (uint32_t)whole, last, sizeof last))
            return false;
    }
    felt_put16(head, (uint16_t)size);
    head[2] = type;
    head[3] = 0;
    felt_put32(head + 4, value);
    felt_put32(head + 8, check_of(from, size));
    seal_head(head);
    if (!write(log, log->end, head, HEAD))
        return false;
    log->end = place + (uint32_t)felt_words(size);
    log->dirty = false;
    if (at != NULL)
        *at = log->bank + place;
    return true;
}

bool felt_log_begin_other(struct felt_log *log, struct felt_log *other)
{
    *other = *log;
    other->bank = log->bank == FELT_LOG_AT ? FELT_LOG_AT + FELT_BANK : FELT_LOG_AT;
    other->sequence = log->sequence + 1;
    other->end = HEAD;
    other->dirty = other->damaged = false;
    return erase(other->flash, other->bank);
}

bool felt_log_end_other(struct felt_log *log, const struct felt_log *other)
{
    uint32_t old = log->bank;
    if (!write_bank_head(other))
        return false;
    *log = *other;
    return erase(log->flash, old); /* no key and no PIN stays behind */
}

bool felt_log_wipe(struct felt_log *log, uint32_t at, size_t size)
{
    static const uint8_t zeros[FELT_WORD];
    for (size_t n = 0; n < felt_words(size); n += FELT_WORD)
        if (!log->flash->write(log->flash->self, at + (uint32_t)n, zeros, FELT_WORD))
            return false;
    return true;
}
