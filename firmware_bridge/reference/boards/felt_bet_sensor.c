/* A bet sensor. */
#include "felt_bet_sensor.h"

enum { BET_CHANGED = 32, UNKNOWN_CHIP = 33, SNAPSHOT = 80, INDICATE = 81, DARK = 0 };

static const char *const FAULTS[] = {"sensor.dark"};

bool felt_tray_add(struct felt_tray *tray, uint32_t cents, uint16_t count)
{
    for (size_t n = 0; n < tray->kinds; n++) {
        if (tray->stacks[n].cents != cents)
            continue;
        tray->stacks[n].count = (uint16_t)(tray->stacks[n].count + count);
        return true;
    }
    if (tray->kinds == FELT_STACKS)
        return false;
    tray->stacks[tray->kinds].cents = cents;
    tray->stacks[tray->kinds++].count = count;
    return true;
}

void felt_switches_look(const struct felt_switch *switches, const bool *closed, size_t count, size_t spot,
                        struct felt_tray *tray)
{
    felt_fill(tray, 0, sizeof *tray);
    for (size_t n = 0; n < count; n++)
        if (switches[n].spot == spot && closed[n] && !felt_tray_add(tray, switches[n].cents, 1))
            tray->unknown = true;
}

static bool same(const struct felt_tray *a, const struct felt_tray *b)
{
    bool is = a->kinds == b->kinds && a->unknown == b->unknown;
    for (size_t n = 0; is && n < a->kinds; n++)
        is = a->stacks[n].cents == b->stacks[n].cents && a->stacks[n].count == b->stacks[n].count;
    return is;
}

static void write_spot(const struct felt_bet_sensor *sensor, size_t spot, struct felt_writer *w)
{
    const struct felt_tray *tray = &sensor->spots[spot].lies;
    felt_write_array(w, 4);
    felt_write_text(w, sensor->names[spot]);
    felt_write_array(w, tray->kinds);
    for (size_t n = 0; n < tray->kinds; n++) {
        felt_write_array(w, 2);
        felt_write_number(w, tray->stacks[n].cents);
        felt_write_number(w, tray->stacks[n].count);
    }
    felt_write_number(w, 1);
    felt_write_bool(w, false);
}

static void safe(void *self)
{
    struct felt_bet_sensor *sensor = self;
    for (size_t n = 0; n < sensor->count; n++)
        sensor->indicate(sensor->self, n, -1);
}

static const char *self_test(void *self)
{
    const struct felt_bet_sensor *sensor = self;
    return sensor->dark ? FAULTS[DARK] : NULL;
}

static bool fault_lasts(void *self, size_t fault)
{
    const struct felt_bet_sensor *sensor = self;
    (void)fault;
    return sensor->dark;
}

static bool is_known(const struct felt_bet_sensor *sensor)
{
    for (size_t n = 0; n < sensor->count; n++)
        if (!sensor->spots[n].known)
            return false;
    return true;
}

static void snapshot(const struct felt_bet_sensor *sensor, struct felt_writer *reply)
{
    if (sensor->dark || !is_known(sensor)) {
        felt_refuse(reply, sensor->dark ? FAULTS[DARK] : "not-yet");
        return;
    }
    felt_done_spots(reply, (uint16_t)sensor->count);
    for (size_t n = 0; n < sensor->count; n++)
        write_spot(sensor, n, reply);
}

static void indicate(struct felt_bet_sensor *sensor, uint32_t fields, struct felt_reader *r, struct felt_writer *reply)
{
    struct felt_piece name = felt_read_text(r);
    bool accepted = felt_read_bool(r);
    if (fields == 3)
        (void)felt_read_number(r); /* the bettor: one lamp for all of them */
    if (fields < 2 || fields > 3 || !felt_read_all(r)) {
        felt_refuse(reply, "malformed");
        return;
    }
    for (size_t n = 0; n < sensor->count; n++) {
        if (!felt_piece_is(name, sensor->names[n]))
            continue;
        sensor->indicate(sensor->self, n, accepted ? 1 : 0);
        felt_done(reply);
        return;
    }
    felt_refuse(reply, "no-such-spot");
}

static bool command(void *self, uint32_t number, uint32_t fields, struct felt_reader *reader, struct felt_writer *reply)
{
    if (number == INDICATE)
        indicate(self, fields, reader, reply);
    else if (number != SNAPSHOT)
        return false;
    else if (fields != 0 || !felt_read_all(reader))
        felt_refuse(reply, "malformed");
    else
        snapshot(self, reply);
    return true;
}

bool felt_bet_sensor_start(struct felt_bet_sensor *sensor, const struct felt_board *port, uint32_t now)
{
    sensor->board = *port;
    sensor->board.self = sensor;
    sensor->board.family = "bet-sensor";
    sensor->board.faults = FAULTS;
    sensor->board.fault_count = sizeof FAULTS / sizeof *FAULTS;
    sensor->board.safe = safe;
    sensor->board.self_test = self_test;
    sensor->board.fault_lasts = fault_lasts;
    sensor->board.command = command;
    sensor->dark = false;
    if (sensor->count > FELT_SPOTS || 4 * sensor->count > sizeof sensor->device.told.board)
        return false;
    felt_fill(sensor->spots, 0, sizeof sensor->spots);
    for (size_t n = 0; n < sensor->count; n++)
        sensor->spots[n].since = now;
    safe(sensor);
    return felt_device_start(&sensor->device, &sensor->board, now);
}

/* What is remembered of a tray that was told, also through a power cut; 0: it was empty. */
static uint32_t check_of(const struct felt_tray *tray)
{
    uint8_t all[6 * FELT_STACKS];
    for (size_t n = 0; n < tray->kinds; n++) {
        felt_put32(all + 6 * n, tray->stacks[n].cents);
        felt_put16(all + 6 * n + 4, tray->stacks[n].count);
    }
    return tray->kinds > 0 ? felt_crc32(all, 6u * tray->kinds) | 1u : 0;
}

static void tell_bet(struct felt_bet_sensor *sensor, size_t spot)
{
    struct felt_told told = sensor->device.told;
    struct felt_writer w = felt_event(&sensor->device, 1, BET_CHANGED);
    felt_write_array(&w, 1);
    write_spot(sensor, spot, &w);
    felt_put32(told.board + 4 * spot, sensor->spots[spot].check);
    (void)felt_happened(&sensor->device, &w, &told); /* while the memory is full, later */
}

static bool tell_unknown(struct felt_bet_sensor *sensor, size_t spot)
{
    struct felt_writer w = felt_event(&sensor->device, 2, UNKNOWN_CHIP);
    felt_write_text(&w, sensor->names[spot]);
    felt_write_number(&w, 1);
    return felt_happened(&sensor->device, &w, NULL);
}

static void watch(struct felt_bet_sensor *sensor, size_t spot, const struct felt_tray *tray, uint32_t now)
{
    struct felt_spot *s = &sensor->spots[spot];
    if (!same(tray, &s->seen)) {
        s->seen = *tray;
        s->since = now;
    }
    if (now - s->since < FELT_STILL_MS)
        return;
    s->known = true;
    if (!same(&s->seen, &s->lies)) {
        s->unknown_told = s->unknown_told && s->seen.unknown;
        s->lies = s->seen;
        s->check = check_of(&s->lies);
    }
    if (felt_get32(sensor->device.told.board + 4 * spot) != s->check) /* also when it changed without power */
        tell_bet(sensor, spot);
    if (s->lies.unknown && !s->unknown_told)
        s->unknown_told = tell_unknown(sensor, spot);
}

void felt_bet_sensor_poll(struct felt_bet_sensor *sensor, uint32_t now)
{
    struct felt_tray tray;
    bool dark = false;
    felt_device_poll(&sensor->device, now);
    for (size_t n = 0; n < sensor->count; n++) {
        enum felt_look saw;
        felt_fill(&tray, 0, sizeof tray);
        saw = sensor->look(sensor->self, n, &tray);
        if (saw == FELT_LOOK_SEES)
            watch(sensor, n, &tray, now);
        dark = dark || saw == FELT_LOOK_DARK;
    }
    sensor->dark = dark;
    (void)felt_fault(&sensor->device, DARK, dark, "");
}
