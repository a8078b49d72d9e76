/* Chips with tags: what lies on each spot of a bet sensor, by a reader with an antenna under each. Any reader will do that
 * can be asked which tags are in reach of an antenna; it stands behind two functions. */
#ifndef FELT_CHIPS_H
#define FELT_CHIPS_H

#include "felt_bet_sensor.h"
#include "felt_tag.h"

#ifndef FELT_CHIPS
#define FELT_CHIPS 20u /* tags on one spot; with more, the spot reports a chip that it does not know */
#endif
#define FELT_CHIP_GONE_AFTER 3u /* looks in a row that did not find it: stacked tags hide each other for a moment */
#define FELT_LOOK_MS 1000u      /* a reader whose look has not ended by then sees nothing */

enum felt_found_tag { FELT_TAG_NOT_YET, FELT_TAG_FOUND, FELT_TAG_NO_MORE };

struct felt_tag_reader { /* one for each kind of reader */
    void *self;
    void (*begin)(void *self, size_t antenna); /* begins a look there; what is left of the one before is void */
    /* The next tag of this look, into one that is all zeros; never waits. After the last one: FELT_TAG_NO_MORE. */
    enum felt_found_tag (*next)(void *self, struct felt_tag *tag);
};

struct felt_chip {
    uint8_t id[FELT_TAG_NAME]; /* of its tag */
    uint8_t id_size;
    uint8_t missed; /* looks in a row */
    bool found;     /* in this look */
    uint32_t cents; /* 0: it says no value */
};

struct felt_chip_spot {
    struct felt_chip chips[FELT_CHIPS];
    uint8_t count;
    bool too_many;
    struct felt_tray lies; /* as of the last look that found no new chip: a stack is told when it is complete */
    bool known;            /* there was such a look */
    bool dark;
};

struct felt_chips {
    struct felt_tag_reader reader; /* set before, with `count` */
    size_t count;                  /* antennas; as many as the sensor has spots */
    struct felt_chip_spot spots[FELT_SPOTS];
    size_t at; /* whose look is under way */
    uint32_t since;
    bool more;  /* this look has found more tags than there is room for */
    bool fresh; /* this look has found a new one */
};

void felt_chips_start(struct felt_chips *chips, uint32_t now);
void felt_chips_poll(struct felt_chips *chips, uint32_t now);
/* What the `look` of a bet sensor answers. */
enum felt_look felt_chips_look(const struct felt_chips *chips, size_t spot, struct felt_tray *tray);

/* What is written on the tag of a chip. */
void felt_chip_write(uint8_t data[16], uint32_t cents, const uint8_t *id, size_t id_size);

#endif
