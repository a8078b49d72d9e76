/* Commands: each request once (docs/protocol.md, section 6), and those that every device has. */
#include "felt_inner.h"

enum {
    SELF_TEST = 64,
    PAIR = 66,
    PAIR_REVEAL = 67,
    PAIR_KEEP = 68,
    CLEAR_FAULT = 69,
    KEEP_NOTE = 70,
    TELL_NOTE = 71,
    FLASH_BEGIN = 112,
    FLASH_WRITE = 113,
    FLASH_FINISH = 114,
    FLASH_SWITCH = 115,
    FLASH_CONFIRM = 116
};

struct request {
    struct felt_device *device;
    uint32_t fields; /* behind the number of the message */
    struct felt_reader *reader;
    struct felt_writer *reply;
};

/* True when exactly these many fields were there and nothing was wrong; else the request is refused. */
static bool whole(const struct request *r, uint32_t fields)
{
    bool fine = r->fields == fields && felt_read_all(r->reader);
    if (!fine)
        felt_refuse(r->reply, "malformed");
    return fine;
}

static void self_test(const struct request *r)
{
    const struct felt_board *board = r->device->board;
    const char *reason;
    if (!whole(r, 0))
        return;
    reason = r->device->memory_failed ? "memory-failed" : board->self_test(board->self);
    if (reason == NULL)
        felt_done(r->reply);
    else
        felt_refuse(r->reply, reason);
}

static void clear_fault(const struct request *r)
{
    struct felt_piece code = felt_read_text(r->reader);
    if (whole(r, 1))
        felt_fault_clear(r->device, code, r->reply);
}

static void keep_note(const struct request *r)
{
    struct felt_device *device = r->device;
    struct felt_piece note = felt_read_bytes(r->reader);
    if (!whole(r, 1))
        return;
    if (note.size > FELT_NOTE_MAX) {
        felt_refuse(r->reply, "too-long");
        return;
    }
    if (!felt_memory_keep(device, FELT_RECORD_NOTE, 0, note.data, note.size)) {
        felt_refuse(r->reply, "memory-failed");
        return;
    }
    felt_copy(device->note, note.data, note.size);
    device->note_size = (uint8_t)note.size;
    felt_done(r->reply);
}

static void tell_note(const struct request *r)
{
    if (whole(r, 0))
        felt_done_hex(r->reply, r->device->note, r->device->note_size);
}

static bool claim_pairing(void *self)
{
    return felt_memory_keep(self, FELT_RECORD_PAIRED, 1, NULL, 0);
}

static void pairing(const struct request *r, uint32_t number)
{
    struct felt_device *device = r->device;
    struct felt_piece bytes = felt_read_bytes(r->reader);
    if (!device->pairing_on)
        felt_refuse(r->reply, "pairing-switch-off");
    else if (!whole(r, 1))
        return;
    else if (number == PAIR)
        felt_pairing_pair(&device->pairing, device->board, bytes, claim_pairing, device, r->reply);
    else if (number == PAIR_REVEAL)
        felt_pairing_reveal(&device->pairing, device->board, bytes, r->reply);
    else
        felt_pairing_keep(&device->pairing, device->board, bytes, r->reply);
}

static void flash_begin(const struct request *r, const struct felt_flashing *f)
{
    struct felt_piece manifest = felt_read_bytes(r->reader);
    struct felt_piece signature = felt_read_bytes(r->reader);
    bool downgrade = r->fields == 3 && felt_read_bool(r->reader);
    if (whole(r, r->fields == 2 ? 2 : 3))
        felt_flash_begin(f, manifest, signature, downgrade, r->reply);
}

static void flash_write(const struct request *r, const struct felt_flashing *f)
{
    uint64_t offset = felt_read_number(r->reader);
    struct felt_piece data = felt_read_bytes(r->reader);
    if (whole(r, 2))
        felt_flash_write(f, offset, data, r->reply);
}

static void flash(const struct request *r, uint32_t number)
{
    struct felt_device *device = r->device;
    const struct felt_flashing f = {&device->update, device->board, felt_memory_keep, device};
    if (number == FLASH_BEGIN)
        flash_begin(r, &f);
    else if (number == FLASH_WRITE)
        flash_write(r, &f);
    else if (!whole(r, 0))
        return;
    else if (number == FLASH_FINISH)
        felt_flash_finish(&f, r->reply);
    else if (number == FLASH_CONFIRM)
        felt_flash_confirm(&f, r->reply);
    else
        device->restart = felt_flash_switch(&f, r->reply);
}

/* True when it is one of those that every device has. */
static bool common(const struct request *r, uint32_t number)
{
    if (number == SELF_TEST)
        self_test(r);
    else if (number == CLEAR_FAULT)
        clear_fault(r);
    else if (number == KEEP_NOTE)
        keep_note(r);
    else if (number == TELL_NOTE)
        tell_note(r);
    else if (number >= PAIR && number <= PAIR_KEEP)
        pairing(r, number);
    else if (number >= FLASH_BEGIN && number <= FLASH_CONFIRM)
        flash(r, number);
    else
        return false;
    return true;
}

static void of_its_family(const struct request *r, uint32_t number)
{
    const struct felt_board *board = r->device->board;
    if (!board->command(board->self, number, r->fields, r->reader, r->reply))
        felt_refuse(r->reply, "unsupported");
}

static void execute(struct felt_device *device, const struct felt_frame *frame, struct felt_writer *reply)
{
    struct felt_reader reader;
    struct request r = {device, 0, &reader, reply};
    uint64_t number;
    felt_reader_start(&reader, frame->body, frame->size);
    r.fields = felt_read_array(&reader);
    number = felt_read_number(&reader);
    if (reader.wrong || r.fields == 0 || number > 0xFFFF || frame->size > FELT_MESSAGE_MAX) {
        felt_refuse(reply, "malformed");
        return;
    }
    r.fields--;
    if (device->pairing_on && (number < PAIR || number > PAIR_KEEP))
        felt_refuse(reply, "pairing-switch-on"); /* 8.12 */
    else if (!common(&r, (uint32_t)number))
        of_its_family(&r, (uint32_t)number);
}

void felt_command_take(struct felt_device *device, const struct felt_frame *frame)
{
    uint32_t request = frame->number;
    const struct felt_replied *found = felt_replies_find(&device->replies, request);
    if (found == NULL && felt_replies_too_old(&device->replies, request))
        return;
    if (found == NULL) {
        struct felt_replied *fresh = felt_replies_new(&device->replies, request);
        struct felt_writer reply;
        felt_writer_start(&reply, fresh->reply, FELT_REPLY_MAX);
        execute(device, frame, &reply);
        if (reply.full)
            felt_refuse(&reply, "too-long");
        fresh->size = (uint16_t)reply.size;
        found = fresh;
    }
    felt_copy(felt_body(device), found->reply, found->size);
    felt_send(device, FELT_REPLY, request, found->size, device->sealed);
}
