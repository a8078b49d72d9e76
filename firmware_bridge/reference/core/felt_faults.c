/* Faults: reported once, until they are over (docs/protocol.md, 3.4 and 3.7). */
#include "felt_inner.h"

enum { FAULT = 10, FAULT_CLEARED = 11 };

static const char TAMPERED[] = "tampered";

static bool say(struct felt_device *device, const char *code, bool lasts, const char *detail, const struct felt_told *told)
{
    struct felt_writer w = felt_event(device, lasts ? 2 : 1, lasts ? FAULT : FAULT_CLEARED);
    felt_write_text(&w, code);
    if (lasts)
        felt_write_text(&w, detail);
    return felt_happened(device, &w, told);
}

bool felt_fault(struct felt_device *device, size_t fault, bool lasts, const char *detail)
{
    struct felt_told told = device->told;
    uint8_t bit = (uint8_t)(1u << fault);
    if (fault >= device->board->fault_count)
        return false;
    if (((told.faults & bit) != 0) == lasts)
        return true;
    told.faults ^= bit;
    return say(device, device->board->faults[fault], lasts, detail, &told);
}

void felt_fault_clear(struct felt_device *device, struct felt_piece code, struct felt_writer *reply)
{
    const struct felt_board *board = device->board;
    for (size_t n = 0; n < board->fault_count; n++) {
        if (!felt_piece_is(code, board->faults[n]) || (device->told.faults & 1u << n) == 0)
            continue;
        if (board->fault_lasts(board->self, n) || !felt_fault(device, n, false, ""))
            felt_refuse(reply, "fault-lasts");
        else
            felt_done(reply);
        return;
    }
    felt_refuse(reply, "no-such-fault");
}

void felt_tampered(struct felt_device *device)
{
    if (device->tampered)
        return; /* once a session (8.10) */
    device->tampered = say(device, TAMPERED, true, "", NULL) && say(device, TAMPERED, false, "", NULL);
}
