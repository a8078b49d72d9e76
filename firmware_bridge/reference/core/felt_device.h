/* A device: all that the core remembers, and the four calls that a board makes. */
#ifndef FELT_DEVICE_H
#define FELT_DEVICE_H

#include "felt_board.h"
#include "felt_events.h"
#include "felt_frame.h"
#include "felt_pairing.h"
#include "felt_reply.h"
#include "felt_seal.h"
#include "felt_update.h"

/* What was told last. It is stored with the event that tells it: after a cut either both are there, or none. */
struct felt_told {
    uint8_t faults; /* which are reported, a bit each */
    uint8_t board[FELT_TOLD - 1]; /* what else the board must know after a restart; all 0 in a new event memory */
};

struct felt_device {
    const struct felt_board *board;
    struct felt_receiver receiver;
    struct felt_sender sender;
    uint8_t event[FELT_EVENT_MAX]; /* the one that is being written */

    /* what survives a power cut */
    struct felt_log log;
    struct felt_events events;
    struct felt_update update;
    struct felt_told told;
    uint8_t key[FELT_KEY];
    bool has_key;
    uint8_t note[FELT_NOTE_MAX];
    uint8_t note_size;
    bool memory_failed; /* flash takes nothing any more: no event is produced (5.7) */

    /* a session */
    bool greeted;
    bool sealed;
    bool tampered; /* was reported in this session */
    bool safe;     /* outputs are in their safe state: nobody was there */
    uint32_t heard;  /* when, in milliseconds */
    uint32_t in_flight; /* so many of the oldest events were sent */
    uint32_t due;    /* when the oldest is sent again */
    uint32_t pause;  /* and after how long once more */
    struct felt_replies replies;
    struct felt_keys keys;   /* of a sealed session */
    struct felt_keys coming; /* of a challenge that was answered */

    /* the switch, and restarts */
    struct felt_pairing pairing;
    bool pairing_on;
    bool restart;
    uint32_t started;
    uint32_t now;
};

/* Reads what survived; false when the board has no memory that works, or no source of chance. */
bool felt_device_start(struct felt_device *device, const struct felt_board *board, uint32_t now);
void felt_device_take(struct felt_device *device, uint8_t byte, uint32_t now);
/* Often, at least every 10 ms: what is due, and switches. */
void felt_device_poll(struct felt_device *device, uint32_t now);

/* An event: get a writer, write the message into it, hand it over. False: the memory is full, try again later. `told`
 * becomes what was told last; NULL: that does not change. */
struct felt_writer felt_event(struct felt_device *device, uint16_t fields, uint32_t number);
bool felt_happened(struct felt_device *device, const struct felt_writer *event, const struct felt_told *told);
/* The same, and nothing of it is left in flash once it is on disk. */
bool felt_happened_secret(struct felt_device *device, const struct felt_writer *event);
/* Reports a fault of the board's list, or that it is over, unless that is reported already. */
bool felt_fault(struct felt_device *device, size_t fault, bool lasts, const char *detail);
/* A key that a factory, or a person with a cable, puts there; it is in use at once. */
bool felt_device_set_key(struct felt_device *device, const uint8_t key[FELT_KEY]);

#endif
