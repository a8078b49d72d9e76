/* The PN532, a reader of contactless tags, over its serial port (its user manual, 6.2): frames, and the few commands that
 * find tags and read what is written on them. It never waits: bytes come in, time passes, a list of tags comes out. */
#ifndef FELT_PN532_H
#define FELT_PN532_H

#include "felt_tag.h"

#define FELT_PN532_DATA 64u /* bytes of one answer: the longest that is asked for has 19 */
#define FELT_TAGS 2u        /* so many the PN532 holds at a time */

enum felt_pn532_step { FELT_PN532_WAKES, FELT_PN532_SETS, FELT_PN532_LISTS, FELT_PN532_READS, FELT_PN532_RESTS };

struct felt_pn532 {
    void *self;
    void (*write)(void *self, const uint8_t *data, size_t size);

    /* a frame that comes in */
    uint8_t frame[FELT_PN532_DATA + 2];
    uint8_t state;
    uint8_t length;
    uint8_t taken;

    /* what is under way */
    uint8_t step;
    bool waits;
    bool acknowledged;
    uint32_t since;
    uint8_t failures; /* in a row */

    /* the tags of this look, then of the last whole one */
    struct felt_tag tags[FELT_TAGS];
    uint8_t count;
    uint8_t reading;
    bool fresh; /* a whole look has ended */
    uint32_t broken; /* frames that were none */
};

/* Writes a frame around a command: at most 11 bytes more than it has; returns how many there are. */
size_t felt_pn532_frame(uint8_t *to, const uint8_t *command, uint8_t size);

void felt_pn532_start(struct felt_pn532 *pn532, uint32_t now); /* `write` is set before */
void felt_pn532_take(struct felt_pn532 *pn532, uint8_t byte, uint32_t now);
void felt_pn532_poll(struct felt_pn532 *pn532, uint32_t now);
bool felt_pn532_is_dark(const struct felt_pn532 *pn532); /* it does not answer */

#endif
