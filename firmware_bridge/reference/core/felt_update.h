/* New firmware: two slots, signed images, a trial start (docs/protocol.md, section 9). */
#ifndef FELT_UPDATE_H
#define FELT_UPDATE_H

#include "felt_board.h"
#include "felt_reply.h"

enum felt_image { FELT_IMAGE_NONE, FELT_IMAGE_BEGUN, FELT_IMAGE_FINISHED };
enum felt_trial { FELT_TRIAL_NONE, FELT_TRIAL_WANTED, FELT_TRIAL_RUNS };

struct felt_update {
    /* the slots */
    uint8_t running; /* 0 or 1 */
    uint8_t trial;
    char version[2][FELT_TEXT_MAX]; /* of what is in each; empty: nothing that could run */
    /* the image that is taken into the other one */
    uint8_t image;
    uint32_t size;
    uint32_t there; /* bytes */
    uint8_t digest[32];
    uint8_t manifest[32]; /* SHA-256 of the manifest: the same one goes on */
    char image_version[FELT_TEXT_MAX];
};

/* What of it is kept in the log: written by `keep`, read while the log is mounted. */
typedef bool felt_keep(void *self, uint8_t type, uint32_t value, const void *body, size_t size);

void felt_update_none(struct felt_update *update, const char *version);
void felt_update_visit(struct felt_update *update, const struct felt_flash *flash, const struct felt_found *found);
/* Does what a boot loader does: starts a trial, or ends one that was not confirmed. */
bool felt_update_boot(struct felt_update *update, const struct felt_flash *flash, felt_keep *keep, void *self);
const char *felt_update_version(const struct felt_update *update);
bool felt_update_save(const struct felt_update *update, felt_keep *keep, void *self); /* all of it, into a new bank */

struct felt_flashing { /* who asks, and with what */
    struct felt_update *update;
    const struct felt_board *board;
    felt_keep *keep;
    void *self;
};

void felt_flash_begin(const struct felt_flashing *f, struct felt_piece manifest, struct felt_piece signature,
                      bool downgrade, struct felt_writer *reply);
void felt_flash_write(const struct felt_flashing *f, uint64_t offset, struct felt_piece data, struct felt_writer *reply);
void felt_flash_finish(const struct felt_flashing *f, struct felt_writer *reply);
bool felt_flash_switch(const struct felt_flashing *f, struct felt_writer *reply); /* true: restart now */
void felt_flash_confirm(const struct felt_flashing *f, struct felt_writer *reply);

#endif
