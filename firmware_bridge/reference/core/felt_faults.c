/* Faults: reported once, until they are over (docs/protocol.md, 3.4 and 3.7). */
#include "felt_inner.h"

enum { FAULT = 10, FAULT_CLEARED = 11 };

static const char TAMPERED[] = "tampered";

static bool say(struct felt_device *device, const char *code, bool lasts, const char *detail)
{
    struct felt_writer w = felt_event(device, lasts ? 2 : 1, lasts ? FAULT : FAULT_CLEARED);
    felt_write_text(&w, code);
    if (lasts)
        felt_write_text(&w, detail);
    return felt_happened(device, &w);
}

static void turn(struct felt_device *device, uint32_t bit)
{
    device->faults ^= bit;
    (void)felt_memory_keep(device, FELT_RECORD_FAULTS, device->faults, NULL, 0);
}

bool felt_fault(struct felt_device *device, size_t fault, bool lasts, const char *detail)
{
    uint32_t bit = 1u << fault;
    if (fault >= device->board->fault_count)
        return false;
    if (((device->faults & bit) != 0) == lasts)
        return true;
    if (!say(device, device->board->faults[fault], lasts, detail))
        return false;
    turn(device, bit); /* a cut before this is on flash says it again, which does no harm */
    return true;
}

bool felt_remembers(const struct felt_device *device, size_t bit)
{
    return (device->faults >> (FELT_FAULTS_MAX + bit) & 1u) != 0;
}

void felt_remember(struct felt_device *device, size_t bit, bool value)
{
    if (felt_remembers(device, bit) != value)
        turn(device, 1u << (FELT_FAULTS_MAX + bit));
}

void felt_fault_clear(struct felt_device *device, struct felt_piece code, struct felt_writer *reply)
{
    const struct felt_board *board = device->board;
    for (size_t n = 0; n < board->fault_count; n++) {
        if (!felt_piece_is(code, board->faults[n]) || (device->faults & 1u << n) == 0)
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
    device->tampered = say(device, TAMPERED, true, "") && say(device, TAMPERED, false, "");
}
