/* A card reader under the felt. */
#include "felt_card_reader.h"

enum { CARDS_LAID = 48, CARDS_LIFTED = 49, DARK = 0 };

static const char *const FAULTS[] = {"reader.dark"};

static const char CARD[] = "FELT";

void felt_card_write(uint8_t data[16], const char *card, const uint8_t *id, size_t id_size)
{
    uint8_t says[4] = {(uint8_t)card[0], (uint8_t)card[1], 0, 0};
    felt_tag_write(data, CARD, says, id, id_size);
}

static bool is_one_of(uint8_t c, const char *those)
{
    for (; *those != '\0'; those++)
        if ((uint8_t)*those == c)
            return true;
    return false;
}

bool felt_card_of(const struct felt_tag *tag, char card[3])
{
    bool sound = felt_tag_says(tag, CARD) && is_one_of(tag->data[4], "23456789TJQKA") && is_one_of(tag->data[5], "cdhs");
    felt_fill(card, 0, 3);
    if (sound)
        felt_copy(card, tag->data + 4, 2);
    return sound;
}

static void safe(void *self)
{
    (void)self; /* it has no outputs */
}

static const char *self_test(void *self)
{
    const struct felt_card_reader *reader = self;
    return felt_pn532_is_dark(&reader->pn532) ? FAULTS[DARK] : NULL;
}

static bool fault_lasts(void *self, size_t fault)
{
    (void)fault;
    return self_test(self) != NULL;
}

static bool command(void *self, uint32_t number, uint32_t fields, struct felt_reader *r, struct felt_writer *reply)
{
    (void)self;
    (void)number;
    (void)fields;
    (void)r;
    (void)reply;
    return false;
}

bool felt_card_reader_start(struct felt_card_reader *reader, const struct felt_board *port, uint32_t now)
{
    reader->board = *port;
    reader->board.self = reader;
    reader->board.family = "reader";
    reader->board.faults = FAULTS;
    reader->board.fault_count = sizeof FAULTS / sizeof *FAULTS;
    reader->board.safe = safe;
    reader->board.self_test = self_test;
    reader->board.fault_lasts = fault_lasts;
    reader->board.command = command;
    felt_pn532_start(&reader->pn532, now);
    if (!felt_device_start(&reader->device, &reader->board, now))
        return false;
    for (size_t n = 0; n < FELT_TAGS; n++) {
        reader->lying[n].name = felt_get32(reader->device.told.board + 4 * n);
        reader->lying[n].missed = 0;
    }
    return true;
}

static bool lies(const struct felt_lying *lying, uint32_t name)
{
    for (size_t n = 0; n < FELT_TAGS; n++)
        if (lying[n].name == name)
            return true;
    return false;
}

static struct felt_lying *free_place(struct felt_lying *lying)
{
    for (size_t n = 0; n < FELT_TAGS; n++)
        if (lying[n].name == 0)
            return &lying[n];
    return NULL;
}

/* What lies there becomes what was told, once the event that tells it is stored. */
static bool tell(struct felt_card_reader *reader, const struct felt_writer *event, const struct felt_lying *now_lying)
{
    struct felt_told told = reader->device.told;
    for (size_t n = 0; n < FELT_TAGS; n++)
        felt_put32(told.board + 4 * n, now_lying[n].name);
    if (!felt_happened(&reader->device, event, &told))
        return false;
    felt_copy(reader->lying, now_lying, sizeof reader->lying);
    return true;
}

static void tell_lifted(struct felt_card_reader *reader)
{
    struct felt_lying left[FELT_TAGS];
    struct felt_writer w;
    uint32_t gone = 0, still = 0;
    felt_copy(left, reader->lying, sizeof left);
    for (size_t n = 0; n < FELT_TAGS; n++) {
        if (left[n].name == 0)
            continue;
        if (left[n].missed < FELT_LIFTED_AFTER) {
            still++;
            continue;
        }
        left[n].name = 0;
        gone++;
    }
    if (gone == 0)
        return;
    w = felt_event(&reader->device, 1, CARDS_LIFTED);
    felt_write_number(&w, still);
    (void)tell(reader, &w, left);
}

/* Cards that were not there: together in one event when one look found them together. */
static void tell_laid(struct felt_card_reader *reader)
{
    const struct felt_pn532 *pn532 = &reader->pn532;
    struct felt_lying now_lying[FELT_TAGS];
    char cards[FELT_TAGS][3];
    struct felt_writer w;
    uint16_t came = 0;
    felt_copy(now_lying, reader->lying, sizeof now_lying);
    for (size_t n = 0; n < pn532->count; n++) {
        uint32_t name = felt_tag_number(&pn532->tags[n]);
        struct felt_lying *place = lies(now_lying, name) ? NULL : free_place(now_lying);
        if (place == NULL)
            continue;
        place->name = name;
        place->missed = 0;
        (void)felt_card_of(&pn532->tags[n], cards[came++]);
    }
    if (came == 0)
        return;
    w = felt_event(&reader->device, 2, CARDS_LAID);
    felt_write_array(&w, came);
    for (size_t n = 0; n < came; n++)
        felt_write_text(&w, cards[n]);
    felt_write_bool(&w, false);
    (void)tell(reader, &w, now_lying);
}

static void count_missed(struct felt_card_reader *reader)
{
    for (size_t n = 0; n < FELT_TAGS; n++) {
        bool found = false;
        for (size_t m = 0; m < reader->pn532.count; m++)
            found = found || felt_tag_number(&reader->pn532.tags[m]) == reader->lying[n].name;
        if (found)
            reader->lying[n].missed = 0;
        else if (reader->lying[n].missed < FELT_LIFTED_AFTER)
            reader->lying[n].missed++;
    }
}

void felt_card_reader_poll(struct felt_card_reader *reader, uint32_t now)
{
    felt_device_poll(&reader->device, now);
    felt_pn532_poll(&reader->pn532, now);
    (void)felt_fault(&reader->device, DARK, felt_pn532_is_dark(&reader->pn532), "");
    if (!reader->pn532.fresh)
        return;
    reader->pn532.fresh = false;
    count_missed(reader);
    tell_lifted(reader);
    tell_laid(reader);
}
