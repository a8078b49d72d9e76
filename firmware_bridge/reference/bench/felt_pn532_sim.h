/* A simulated PN532 with two tags at most: takes the bytes that a driver writes, gives those that the chip would answer. */
#ifndef FELT_PN532_SIM_H
#define FELT_PN532_SIM_H

#include "felt_pn532.h"

struct felt_pn532_sim {
    struct felt_tag tags[FELT_TAGS]; /* what lies on it */
    uint8_t count;
    bool dark;      /* it answers nothing */
    uint32_t noise; /* each so-manieth answer has a wrong byte; 0: none */
    uint8_t in[64];
    size_t in_size;
    uint8_t out[256];
    size_t out_size;
    unsigned answers;
};

void felt_pn532_sim_write(struct felt_pn532_sim *sim, const uint8_t *data, size_t size);

#endif
