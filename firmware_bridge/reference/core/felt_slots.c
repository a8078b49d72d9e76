/* What is in the two slots, and which of them runs: the part of an update that a boot loader needs too. */
#include "felt_update.h"

#define SLOTS_SIZE (2u * FELT_TEXT_MAX)
#define IMAGE_SIZE (4u + 32u + 32u + FELT_TEXT_MAX)

void felt_update_none(struct felt_update *update, const char *version)
{
    felt_fill(update, 0, sizeof *update);
    (void)felt_copy_text(update->version[0], FELT_TEXT_MAX, version);
}

static void read_slots(struct felt_update *update, uint32_t value, const uint8_t body[SLOTS_SIZE])
{
    update->running = value & 1u;
    update->trial = (uint8_t)(value >> 1 & 3u);
    felt_copy(update->version[0], body, FELT_TEXT_MAX);
    felt_copy(update->version[1], body + FELT_TEXT_MAX, FELT_TEXT_MAX);
    update->version[0][FELT_TEXT_MAX - 1] = '\0';
    update->version[1][FELT_TEXT_MAX - 1] = '\0';
}

static void read_image(struct felt_update *update, uint32_t value, const uint8_t body[IMAGE_SIZE])
{
    update->image = value <= FELT_IMAGE_FINISHED ? (uint8_t)value : FELT_IMAGE_NONE;
    update->size = felt_get32(body);
    if (update->size > FELT_SLOT)
        update->image = FELT_IMAGE_NONE;
    felt_copy(update->digest, body + 4, 32);
    felt_copy(update->manifest, body + 36, 32);
    felt_copy(update->image_version, body + 68, FELT_TEXT_MAX);
    update->image_version[FELT_TEXT_MAX - 1] = '\0';
    update->there = update->image == FELT_IMAGE_FINISHED ? update->size : 0;
}

void felt_update_visit(struct felt_update *update, const struct felt_flash *flash, const struct felt_found *found)
{
    uint8_t body[IMAGE_SIZE];
    if (found->type == FELT_RECORD_IMAGE_AT && found->value <= update->size)
        update->there = found->value;
    if (found->size > sizeof body || !flash->read(flash->self, found->at, body, found->size))
        return;
    if (found->type == FELT_RECORD_SLOTS && found->size == SLOTS_SIZE)
        read_slots(update, found->value, body);
    if (found->type == FELT_RECORD_IMAGE && found->size == IMAGE_SIZE)
        read_image(update, found->value, body);
}

const char *felt_update_version(const struct felt_update *update)
{
    return update->version[update->running];
}

static bool keep_slots(const struct felt_update *update, felt_keep *keep, void *self)
{
    uint8_t body[SLOTS_SIZE];
    felt_copy(body, update->version[0], FELT_TEXT_MAX);
    felt_copy(body + FELT_TEXT_MAX, update->version[1], FELT_TEXT_MAX);
    return keep(self, FELT_RECORD_SLOTS, (uint32_t)update->running | (uint32_t)update->trial << 1, body, sizeof body);
}

static bool keep_image(const struct felt_update *update, felt_keep *keep, void *self)
{
    uint8_t body[IMAGE_SIZE];
    felt_put32(body, update->size);
    felt_copy(body + 4, update->digest, 32);
    felt_copy(body + 36, update->manifest, 32);
    felt_copy(body + 68, update->image_version, FELT_TEXT_MAX);
    return keep(self, FELT_RECORD_IMAGE, update->image, body, sizeof body);
}

bool felt_update_save(const struct felt_update *update, felt_keep *keep, void *self)
{
    if (!keep_slots(update, keep, self) || !keep_image(update, keep, self))
        return false;
    return update->image != FELT_IMAGE_BEGUN || keep(self, FELT_RECORD_IMAGE_AT, update->there, NULL, 0);
}

/* True when nothing stands between what is there and the end of its sector: no write was cut off. */
static bool behind_is_erased(const struct felt_update *update, const struct felt_flash *flash)
{
    uint32_t slot = FELT_SLOTS_AT + (update->running == 0 ? FELT_SLOT : 0);
    uint8_t word[FELT_WORD];
    for (uint32_t at = update->there; at % FELT_SECTOR != 0; at += FELT_WORD) {
        if (!flash->read(flash->self, slot + at, word, sizeof word))
            return false;
        for (unsigned n = 0; n < sizeof word; n++)
            if (word[n] != 0xFF)
                return false;
    }
    return true;
}

bool felt_update_boot(struct felt_update *update, const struct felt_flash *flash, felt_keep *keep, void *self)
{
    if (update->image == FELT_IMAGE_BEGUN && update->there % FELT_WORD == 0 && !behind_is_erased(update, flash)) {
        update->there -= update->there % FELT_SECTOR; /* its sector is erased and written again */
        if (!keep(self, FELT_RECORD_IMAGE_AT, update->there, NULL, 0))
            return false;
    }
    if (update->trial == FELT_TRIAL_NONE)
        return true;
    update->running ^= 1u; /* forward for a trial, back from one that nobody confirmed */
    update->trial = update->trial == FELT_TRIAL_WANTED ? FELT_TRIAL_RUNS : FELT_TRIAL_NONE;
    return keep_slots(update, keep, self);
}

/* --- what changes them by command --- */

bool felt_flash_switch(const struct felt_flashing *f, struct felt_writer *reply)
{
    struct felt_update *update = f->update;
    struct felt_update before = *update;
    if (update->image != FELT_IMAGE_FINISHED || update->trial != FELT_TRIAL_NONE) {
        felt_refuse(reply, "not-finished");
        return false;
    }
    felt_copy(update->version[update->running ^ 1u], update->image_version, FELT_TEXT_MAX);
    update->trial = FELT_TRIAL_WANTED;
    if (!keep_slots(update, f->keep, f->self)) {
        *update = before;
        felt_refuse(reply, "memory-failed");
        return false;
    }
    felt_done(reply);
    return true;
}

void felt_flash_confirm(const struct felt_flashing *f, struct felt_writer *reply)
{
    struct felt_update *update = f->update;
    if (update->trial != FELT_TRIAL_RUNS) {
        felt_refuse(reply, "not-on-trial");
        return;
    }
    update->trial = FELT_TRIAL_NONE;
    if (!keep_slots(update, f->keep, f->self)) {
        update->trial = FELT_TRIAL_RUNS;
        felt_refuse(reply, "memory-failed");
        return;
    }
    update->image = FELT_IMAGE_NONE; /* the other slot has the old firmware now */
    (void)keep_image(update, f->keep, f->self);
    felt_done(reply);
}
