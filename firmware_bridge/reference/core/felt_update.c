/* New firmware: an image comes in, and is checked. */
#include "felt_update.h"
#include "felt_ed25519.h"
#include "felt_sha256.h"

static const char FIRMWARE[] = "feltd 1 firmware";

struct manifest {
    struct felt_piece family, model, version, digest;
    uint64_t size;
    uint32_t numbers[4];
};

/* Up to four numbers with dots; a missing one is 0 (9.2). */
static bool read_version(struct felt_piece text, uint32_t numbers[4])
{
    unsigned part = 0;
    bool digit = false;
    felt_fill(numbers, 0, 4 * sizeof *numbers);
    if (text.size >= FELT_TEXT_MAX)
        return false;
    for (size_t n = 0; n < text.size; n++) {
        uint8_t c = text.data[n];
        if (c == '.' && digit && part < 3) {
            part++;
            digit = false;
        } else if (c >= '0' && c <= '9' && numbers[part] < 100000000u) {
            numbers[part] = numbers[part] * 10 + (c - (uint32_t)'0');
            digit = true;
        } else {
            return false;
        }
    }
    return digit;
}

static bool is_older(const uint32_t a[4], const uint32_t b[4])
{
    for (unsigned n = 0; n < 4; n++)
        if (a[n] != b[n])
            return a[n] < b[n];
    return false;
}

static bool read_manifest(struct felt_piece packed, struct manifest *m)
{
    struct felt_reader r;
    if (packed.size > FELT_MANIFEST_MAX)
        return false;
    felt_reader_start(&r, packed.data, packed.size);
    if (felt_read_array(&r) != 5)
        return false;
    m->family = felt_read_text(&r);
    m->model = felt_read_text(&r);
    m->version = felt_read_text(&r);
    m->size = felt_read_number(&r);
    m->digest = felt_read_bytes(&r);
    return felt_read_all(&r) && m->digest.size == 32 && m->size > 0 && read_version(m->version, m->numbers);
}

static bool is_signed(const struct felt_board *board, struct felt_piece manifest, struct felt_piece signature)
{
    return board->image_key != NULL && felt_ed25519_verify(board->image_key, signature.data, FIRMWARE,
                                                           sizeof FIRMWARE - 1, manifest.data, manifest.size);
}

static bool is_downgrade(const struct felt_update *update, const struct manifest *m)
{
    const char *text = felt_update_version(update);
    struct felt_piece runs = {(const uint8_t *)text, felt_length(text)};
    uint32_t numbers[4];
    return read_version(runs, numbers) && is_older(m->numbers, numbers);
}

/* NULL, or why not: in the order of 9.3. */
static const char *refusal(const struct felt_flashing *f, struct felt_piece packed, struct felt_piece signature,
                           bool downgrade, struct manifest *m)
{
    if (signature.size != 64 || !read_manifest(packed, m))
        return "image-form";
    if (!is_signed(f->board, packed, signature))
        return "image-signature";
    if (!felt_piece_is(m->family, f->board->family))
        return "wrong-family";
    if (!felt_piece_is(m->model, f->board->model))
        return "wrong-model";
    if (m->size > FELT_SLOT)
        return "too-large";
    if (!downgrade && is_downgrade(f->update, m))
        return "downgrade";
    if (f->update->trial != FELT_TRIAL_NONE)
        return "on-trial";
    return NULL;
}

void felt_flash_begin(const struct felt_flashing *f, struct felt_piece packed, struct felt_piece signature,
                      bool downgrade, struct felt_writer *reply)
{
    struct felt_update *update = f->update;
    struct felt_sha256 sha;
    struct manifest m;
    uint8_t name[32];
    const char *reason = refusal(f, packed, signature, downgrade, &m);
    if (reason != NULL) {
        felt_refuse(reply, reason);
        return;
    }
    felt_sha256_start(&sha);
    felt_sha256_add(&sha, packed.data, packed.size);
    felt_sha256_end(&sha, name);
    if (update->image == FELT_IMAGE_NONE || !felt_same(name, update->manifest, sizeof name)) {
        felt_copy(update->manifest, name, sizeof name);
        felt_copy(update->digest, m.digest.data, 32);
        felt_fill(update->image_version, 0, FELT_TEXT_MAX);
        felt_copy(update->image_version, m.version.data, m.version.size); /* read_version: shorter than its room */
        update->size = (uint32_t)m.size;
        update->there = 0;
        update->image = FELT_IMAGE_BEGUN;
        if (!felt_update_save(update, f->keep, f->self)) {
            update->image = FELT_IMAGE_NONE;
            felt_refuse(reply, "memory-failed");
            return;
        }
    }
    felt_done_number(reply, update->there);
}

/* Writes whole words at this place of the slot, erasing each sector that it comes to. */
static bool write_slot(const struct felt_flashing *f, uint32_t at, const uint8_t *data, uint32_t size)
{
    const struct felt_flash *flash = &f->board->flash;
    uint32_t slot = FELT_SLOTS_AT + (f->update->running == 0 ? FELT_SLOT : 0);
    uint8_t word[FELT_WORD];
    for (uint32_t n = 0; n < size; n += FELT_WORD) {
        uint32_t some = size - n < FELT_WORD ? size - n : FELT_WORD;
        felt_fill(word, 0, sizeof word); /* behind the last byte */
        felt_copy(word, data + n, some);
        if ((at + n) % FELT_SECTOR == 0 && !flash->erase(flash->self, slot + at + n))
            return false;
        if (!flash->write(flash->self, slot + at + n, word, sizeof word))
            return false;
    }
    return true;
}

/* While firmware is on trial, the slot that it runs from is not touched. */
static bool has_begun(const struct felt_update *update)
{
    return update->image != FELT_IMAGE_NONE && update->trial == FELT_TRIAL_NONE;
}

void felt_flash_write(const struct felt_flashing *f, uint64_t offset, struct felt_piece data, struct felt_writer *reply)
{
    struct felt_update *update = f->update;
    uint32_t size = (uint32_t)data.size; /* a message has at most 1000 bytes */
    if (!has_begun(update)) {
        felt_refuse(reply, "not-begun");
        return;
    }
    if (update->image == FELT_IMAGE_BEGUN && offset == update->there && size <= update->size - update->there) {
        if (size < update->size - update->there)
            size -= size % FELT_WORD; /* the rest comes again: flash is written in words */
        if (size > 0 && !write_slot(f, update->there, data.data, size)) {
            update->there -= update->there % FELT_SECTOR;
            felt_refuse(reply, "memory-failed");
            return;
        }
        update->there += size;
        if (size > 0 && !f->keep(f->self, FELT_RECORD_IMAGE_AT, update->there, NULL, 0)) {
            felt_refuse(reply, "memory-failed");
            return;
        }
    }
    felt_done_number(reply, update->there);
}

static bool digest_fits(const struct felt_flashing *f)
{
    const struct felt_flash *flash = &f->board->flash;
    uint32_t slot = FELT_SLOTS_AT + (f->update->running == 0 ? FELT_SLOT : 0);
    struct felt_sha256 sha;
    uint8_t piece[64], digest[32];
    felt_sha256_start(&sha);
    for (uint32_t at = 0; at < f->update->size; at += sizeof piece) {
        uint32_t some = f->update->size - at < sizeof piece ? f->update->size - at : (uint32_t)sizeof piece;
        if (!flash->read(flash->self, slot + at, piece, some))
            return false;
        felt_sha256_add(&sha, piece, some);
    }
    felt_sha256_end(&sha, digest);
    return felt_same(digest, f->update->digest, sizeof digest);
}

void felt_flash_finish(const struct felt_flashing *f, struct felt_writer *reply)
{
    struct felt_update *update = f->update;
    bool fits;
    if (!has_begun(update)) {
        felt_refuse(reply, "not-begun");
        return;
    }
    if (update->there < update->size) {
        felt_refuse(reply, "incomplete");
        return;
    }
    fits = digest_fits(f);
    update->image = fits ? FELT_IMAGE_FINISHED : FELT_IMAGE_NONE;
    if (!felt_update_save(update, f->keep, f->self)) {
        update->image = FELT_IMAGE_BEGUN;
        felt_refuse(reply, "memory-failed");
        return;
    }
    if (fits)
        felt_done(reply);
    else
        felt_refuse(reply, "image-digest");
}
