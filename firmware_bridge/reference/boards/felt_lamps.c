/* Lamps. */
#include "felt_lamps.h"

enum { SET_LAMPS = 96, DOOR_CHANGED = 12, OPEN_CIRCUIT = 0, DOOR_TOLD_OPEN = 0 };

static const char *const FAULTS[] = {"lamps.open-circuit"};

static void show(struct felt_lamps *lamps, uint32_t channel)
{
    uint8_t state = lamps->state[channel];
    lamps->light(lamps->self, channel, state == FELT_LAMP_ON || (state == FELT_LAMP_BLINKS && lamps->phase));
}

static void safe(void *self)
{
    struct felt_lamps *lamps = self;
    for (uint32_t n = 0; n < FELT_LAMPS; n++) {
        lamps->state[n] = FELT_LAMP_OFF;
        show(lamps, n);
    }
}

static const char *self_test(void *self)
{
    const struct felt_lamps *lamps = self;
    return lamps->open_circuit(lamps->self) < 0 ? NULL : "open-circuit";
}

static bool fault_lasts(void *self, size_t fault)
{
    (void)fault;
    return self_test(self) != NULL;
}

/* Reads one pair; sets `wrong` unless both are numbers and the state is one. */
static void read_pair(struct felt_reader *r, uint64_t *channel, uint64_t *state)
{
    if (felt_read_array(r) != 2)
        r->wrong = true;
    *channel = felt_read_number(r);
    *state = felt_read_number(r);
    if (*state > FELT_LAMP_BLINKS)
        r->wrong = true;
}

static void set_lamps(struct felt_lamps *lamps, uint32_t fields, struct felt_reader *r, struct felt_writer *reply)
{
    uint32_t count = fields == 1 ? felt_read_array(r) : 0;
    struct felt_reader again = *r;
    uint64_t channel = 0, state = 0;
    bool known = true;
    for (uint32_t n = 0; n < count && !r->wrong; n++) {
        read_pair(r, &channel, &state);
        known = known && channel < FELT_LAMPS;
    }
    if (fields != 1 || !felt_read_all(r)) {
        felt_refuse(reply, "malformed");
        return;
    }
    if (!known) {
        felt_refuse(reply, "no-such-lamp");
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        read_pair(&again, &channel, &state);
        lamps->state[channel] = (uint8_t)state;
        show(lamps, (uint32_t)channel);
    }
    felt_done(reply);
}

static bool command(void *self, uint32_t number, uint32_t fields, struct felt_reader *reader, struct felt_writer *reply)
{
    if (number != SET_LAMPS)
        return false;
    set_lamps(self, fields, reader, reply);
    return true;
}

bool felt_lamps_start(struct felt_lamps *lamps, const struct felt_board *port, uint32_t now)
{
    lamps->board = *port;
    lamps->board.self = lamps;
    lamps->board.family = "lamps";
    lamps->board.faults = FAULTS;
    lamps->board.fault_count = sizeof FAULTS / sizeof *FAULTS;
    lamps->board.safe = safe;
    lamps->board.self_test = self_test;
    lamps->board.fault_lasts = fault_lasts;
    lamps->board.command = command;
    lamps->phase = true;
    lamps->turned = now;
    safe(lamps);
    if (!felt_device_start(&lamps->device, &lamps->board, now))
        return false;
    /* what was told counts until the contact has been otherwise for a while: it is not steady yet */
    felt_contact_start(&lamps->door_contact, lamps->device.told.board[DOOR_TOLD_OPEN] != 0, now);
    return true;
}

static void blink(struct felt_lamps *lamps, uint32_t now)
{
    if (now - lamps->turned < FELT_BLINK_MS)
        return;
    lamps->turned = now;
    lamps->phase = !lamps->phase;
    for (uint32_t n = 0; n < FELT_LAMPS; n++)
        if (lamps->state[n] == FELT_LAMP_BLINKS)
            show(lamps, n);
}

/* Tells the door when it is not as it was told last, also before a restart; while the memory is full, later. */
static void watch_door(struct felt_lamps *lamps, uint32_t now)
{
    struct felt_told told = lamps->device.told;
    struct felt_writer w;
    (void)felt_contact_read(&lamps->door_contact, lamps->door(lamps->self), now);
    if (lamps->door_contact.closed == (told.board[DOOR_TOLD_OPEN] != 0))
        return;
    told.board[DOOR_TOLD_OPEN] = lamps->door_contact.closed ? 1 : 0;
    w = felt_event(&lamps->device, 1, DOOR_CHANGED);
    felt_write_bool(&w, lamps->door_contact.closed);
    (void)felt_happened(&lamps->device, &w, &told);
}

void felt_lamps_poll(struct felt_lamps *lamps, uint32_t now)
{
    int channel = lamps->open_circuit(lamps->self);
    char detail[12];
    felt_decimal(detail, channel >= 0 ? (uint32_t)channel : 0);
    felt_device_poll(&lamps->device, now);
    blink(lamps, now);
    watch_door(lamps, now);
    (void)felt_fault(&lamps->device, OPEN_CIRCUIT, channel >= 0, detail);
}
