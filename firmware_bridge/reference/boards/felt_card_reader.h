/* A card reader under the felt: which cards lie on it, told once, also across a restart. */
#ifndef FELT_CARD_READER_H
#define FELT_CARD_READER_H

#include "felt_device.h"
#include "felt_pn532.h"

#define FELT_LIFTED_AFTER 3u /* a card counts as lifted when so many looks in a row did not find it */

struct felt_lying { /* a card that was told; its name is kept through power cuts */
    uint32_t name;  /* a check of the tag's name; 0: none lies here */
    uint8_t missed; /* looks in a row */
};

struct felt_card_reader {
    struct felt_device device;
    struct felt_board board;
    struct felt_pn532 pn532; /* its `self` and `write` are set before */
    struct felt_lying lying[FELT_TAGS];
};

bool felt_card_reader_start(struct felt_card_reader *reader, const struct felt_board *port, uint32_t now);
void felt_card_reader_poll(struct felt_card_reader *reader, uint32_t now);

/* The card that is written on a tag: `FELT`, rank, suit, two zero bytes, and a CRC-32 of these and the tag's name.
 * False, and an empty text, when it is none: such a card is reported as not read. */
bool felt_card_of(const struct felt_tag *tag, char card[3]);
void felt_card_write(uint8_t data[16], const char *card, const uint8_t *id, size_t id_size);

#endif
