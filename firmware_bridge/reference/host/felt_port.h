/* The port to a process: flash in a file, the wire a pseudo-terminal or a descriptor that was handed over. */
#ifndef FELT_PORT_H
#define FELT_PORT_H

#include "felt_board.h"

struct felt_port {
    int wire; /* descriptor */
    int other_end; /* of a pseudo-terminal, kept open so that nobody's closing it hangs it up; or -1 */
    int flash; /* descriptor of the file */
    bool pairing; /* the switch */
    bool restart; /* was asked for */
    int chance; /* descriptor of the source of random bytes */
    uint32_t dropped; /* bytes that nobody fetched */
};

bool felt_port_flash(struct felt_port *port, const char *path);
bool felt_port_chance(struct felt_port *port, const char *path);
bool felt_port_pty(struct felt_port *port, const char *link);
void felt_port_use(struct felt_port *port, struct felt_board *board);
uint32_t felt_port_now(void);

#endif
