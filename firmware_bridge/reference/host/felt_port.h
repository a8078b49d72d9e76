/* The port to a process: flash in a file, the wire a pseudo-terminal or a descriptor that was handed over. */
#ifndef FELT_PORT_H
#define FELT_PORT_H

#include "felt_board.h"

#define FELT_STEP_TIME 4u /* bytes of a step before those for the wire: milliseconds, little-endian */

enum { FELT_CUT = 7 }; /* the status of a process whose power was cut */

struct felt_port {
    int wire; /* descriptor */
    int other_end; /* of a pseudo-terminal, kept open so that nobody's closing it hangs it up; or -1 */
    int flash; /* descriptor of the file */
    bool pairing; /* the switch */
    bool restart; /* was asked for */
    uint32_t writes; /* so many words were written, or sectors erased */
    uint32_t cut; /* power fails in the middle of this one; 0: never */
    int chance; /* descriptor of the source of random bytes */
    uint32_t dropped; /* bytes that nobody fetched */
    bool stepped; /* the wire is a socket of packets: each says what time it is, and gets one packet as its answer */
    uint32_t now; /* of a port that is stepped: time stands still between the steps */
    uint8_t answer[1u << 16]; /* what is sent during this step */
    size_t answer_size;
};

bool felt_port_flash(struct felt_port *port, const char *path);
bool felt_port_chance(struct felt_port *port, const char *path);
bool felt_port_pty(struct felt_port *port, const char *link);
void felt_port_use(struct felt_port *port, struct felt_board *board);
uint32_t felt_port_now(const struct felt_port *port);
/* Waits for the next step and returns how many bytes came for the wire; -1: the other end is closed. */
int felt_port_step(struct felt_port *port, uint8_t *bytes, size_t room);
void felt_port_answer(struct felt_port *port, uint32_t kept);

#endif
