/* What a device is made of: what its microcontroller gives (the port), and what it does (the family). */
#ifndef FELT_BOARD_H
#define FELT_BOARD_H

#include "felt_log.h"
#include "felt_pack.h"

struct felt_board {
    /* the port: one for each microcontroller */
    void *port;
    const char *model;
    const char *serial;
    const char *version;      /* of the firmware that was put there when the device was made */
    const uint8_t *image_key; /* 32 bytes: whose signature on new firmware is taken; NULL: nobody's */
    struct felt_flash flash;
    bool (*random)(void *port, uint8_t *to, size_t size); /* from a true source, or false */
    void (*send)(void *port, const uint8_t *data, size_t size);
    void (*restart)(void *port);
    bool (*pairing_switch)(void *port);
    void (*show_code)(void *port, const char *digits); /* six digits; NULL: show them no longer */

    /* the family: one for each kind of device, in boards/ */
    void *self;
    const char *family;        /* of docs/protocol.md, 3.3 */
    const char *const *faults; /* codes of what can go wrong, at most FELT_FAULTS_MAX */
    size_t fault_count;
    void (*safe)(void *self);             /* outputs to their safe state: nobody is there (7.3) */
    const char *(*self_test)(void *self); /* NULL, or a short reason with hyphens */
    bool (*fault_lasts)(void *self, size_t fault);
    /* Does a command of its family: reads so many fields, writes a reply. False: it has no such command. */
    bool (*command)(void *self, uint32_t number, uint32_t fields, struct felt_reader *reader,
                    struct felt_writer *reply);
};

#endif
