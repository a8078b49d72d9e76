/* A simulated reader of tags with an antenna under each spot: it finds a tag for each chip of a tray. */
#ifndef FELT_TAG_SIM_H
#define FELT_TAG_SIM_H

#include "felt_chips.h"

struct felt_tag_sim {
    const struct felt_tray *trays; /* what lies on each antenna */
    const bool *dark;              /* it answers nothing */
    uint32_t misses;               /* each so-manieth tag is not found; 0: all are */
    uint32_t slow;                 /* an answer comes when it was asked so often; 0: at once */
    uint32_t asked;
    size_t antenna;
    size_t kind; /* of chip, and how many of it were found in this look */
    uint16_t found;
    bool unknown; /* what is no chip was found */
    uint32_t tags; /* there were so many */
};

void felt_tag_sim_use(struct felt_tag_sim *sim, struct felt_tag_reader *reader);

#endif
