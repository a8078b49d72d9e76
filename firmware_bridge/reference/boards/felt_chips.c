/* Chips with tags. */
#include "felt_chips.h"

static const char CHIP[] = "CHIP";

void felt_chip_write(uint8_t data[16], uint32_t cents, const uint8_t *id, size_t id_size)
{
    uint8_t says[4];
    felt_put32(says, cents);
    felt_tag_write(data, CHIP, says, id, id_size);
}

static void begin(struct felt_chips *chips, size_t spot, uint32_t now)
{
    struct felt_chip_spot *s = &chips->spots[spot];
    chips->at = spot;
    chips->since = now;
    chips->fresh = chips->more = false;
    for (size_t n = 0; n < s->count; n++)
        s->chips[n].found = false;
    chips->reader.begin(chips->reader.self, spot);
}

void felt_chips_start(struct felt_chips *chips, uint32_t now)
{
    felt_fill(chips->spots, 0, sizeof chips->spots);
    if (chips->count > 0)
        begin(chips, 0, now);
}

static bool is_of(const struct felt_chip *chip, const struct felt_tag *tag)
{
    return chip->id_size == tag->id_size && felt_same(chip->id, tag->id, FELT_TAG_NAME);
}

static void take_tag(struct felt_chips *chips, struct felt_chip_spot *s, const struct felt_tag *tag)
{
    uint32_t cents = felt_tag_says(tag, CHIP) ? felt_get32(tag->data + 4) : 0;
    size_t n = 0;
    while (n < s->count && !is_of(&s->chips[n], tag))
        n++;
    if (n == FELT_CHIPS) {
        chips->more = true;
        return;
    }
    if (n == s->count) {
        s->count++;
        felt_copy(s->chips[n].id, tag->id, FELT_TAG_NAME);
        s->chips[n].id_size = tag->id_size;
        s->chips[n].cents = 0;
        chips->fresh = true;
    }
    s->chips[n].found = true;
    s->chips[n].missed = 0;
    if (cents == 0 || s->chips[n].cents == cents)
        return; /* what was read once counts, though it could not be read this time */
    s->chips[n].cents = cents;
    chips->fresh = true;
}

static void forget_lost(struct felt_chip_spot *s)
{
    for (size_t n = s->count; n-- > 0;) {
        if (s->chips[n].found || ++s->chips[n].missed < FELT_CHIP_GONE_AFTER)
            continue;
        s->chips[n] = s->chips[--s->count];
    }
}

/* By value, the least first: the same chips are the same tray, in whatever order they were found. */
static void fill_tray(const struct felt_chip_spot *s, struct felt_tray *tray)
{
    uint32_t done = 0;
    felt_fill(tray, 0, sizeof *tray);
    tray->unknown = s->too_many;
    for (;;) {
        uint32_t least = UINT32_MAX;
        uint16_t count = 0;
        for (size_t n = 0; n < s->count; n++) {
            uint32_t cents = s->chips[n].cents;
            tray->unknown = tray->unknown || cents == 0;
            if (cents <= done || cents > least)
                continue;
            count = cents < least ? 1 : (uint16_t)(count + 1);
            least = cents;
        }
        if (count == 0)
            return;
        if (!felt_tray_add(tray, least, count))
            tray->unknown = true;
        done = least;
    }
}

static void end_look(struct felt_chips *chips, struct felt_chip_spot *s)
{
    forget_lost(s);
    s->too_many = chips->more;
    s->dark = false;
    if (chips->fresh)
        return;
    fill_tray(s, &s->lies);
    s->known = true;
}

void felt_chips_poll(struct felt_chips *chips, uint32_t now)
{
    struct felt_chip_spot *s = &chips->spots[chips->at];
    struct felt_tag tag;
    enum felt_found_tag found = FELT_TAG_NOT_YET;
    size_t next = chips->at + 1 < chips->count ? chips->at + 1 : 0;
    if (chips->count == 0)
        return;
    for (size_t n = 0; n < FELT_CHIPS; n++) { /* so many at a time: other things are due too */
        felt_fill(&tag, 0, sizeof tag);
        found = chips->reader.next(chips->reader.self, &tag);
        if (found != FELT_TAG_FOUND)
            break;
        take_tag(chips, s, &tag);
    }
    if (found == FELT_TAG_NO_MORE)
        end_look(chips, s);
    else if (now - chips->since >= FELT_LOOK_MS)
        s->dark = true;
    else
        return;
    begin(chips, next, now);
}

enum felt_look felt_chips_look(const struct felt_chips *chips, size_t spot, struct felt_tray *tray)
{
    const struct felt_chip_spot *s = &chips->spots[spot];
    if (s->dark)
        return FELT_LOOK_DARK;
    if (!s->known)
        return FELT_LOOK_NOT_YET;
    *tray = s->lies;
    return FELT_LOOK_SEES;
}
