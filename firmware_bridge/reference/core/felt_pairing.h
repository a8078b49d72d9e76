/* Pairing: two ends agree on a new key, and a person compares six digits (docs/protocol.md, section 8). */
#ifndef FELT_PAIRING_H
#define FELT_PAIRING_H

#include "felt_board.h"
#include "felt_reply.h"

enum felt_pairing_step { FELT_PAIRING_NONE, FELT_PAIRING_BEGUN, FELT_PAIRING_REVEALED, FELT_PAIRING_KEPT };

struct felt_pairing {
    uint8_t step;
    bool used; /* one exchange each time the switch is put on, also across a restart (8.18) */
    uint8_t halves[64]; /* C, then D */
    uint8_t nonce[FELT_NONCE];
    uint8_t key[FELT_KEY];
};

void felt_pairing_forget(struct felt_pairing *pairing); /* the exchange that is under way */

/* Each answers one command. `begin` asks `claim` to note, in flash, that the exchange is used, before it begins. */
void felt_pairing_pair(struct felt_pairing *pairing, const struct felt_board *board, struct felt_piece half,
                       bool (*claim)(void *self), void *self, struct felt_writer *reply);
void felt_pairing_reveal(struct felt_pairing *pairing, const struct felt_board *board, struct felt_piece nonce,
                         struct felt_writer *reply);
void felt_pairing_keep(struct felt_pairing *pairing, const struct felt_board *board, struct felt_piece proof,
                       struct felt_writer *reply);

#endif
