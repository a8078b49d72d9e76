/* The hardware of a device on a desk: what a person would do with it comes as lines of text, what it does is said in
 * lines. It needs no library, so that the same desk stands on a computer and on an emulated board. */
#ifndef FELT_BENCH_H
#define FELT_BENCH_H

#include "felt_device.h"

#define FELT_BENCH_LINE 512u

struct felt_kind_of_bench { /* one for each family */
    const char *family;
    bool (*start)(const struct felt_board *port, uint32_t now);
    void (*poll)(uint32_t now);
    bool (*hand)(char *words[], size_t count); /* what a hand does; false: no such thing here */
    struct felt_device *(*device)(void);
    void *world; /* what lies there and how switches stand: it outlives a restart of the device */
    size_t world_size;
};

extern const struct felt_kind_of_bench felt_bench_lamps, felt_bench_console, felt_bench_bet_sensor, felt_bench_reader;

extern bool felt_bench_tags; /* chips have tags, and a reader finds them; set before the start */

/* Given by who puts a desk somewhere: */
void felt_say(const char *text);
void felt_bench_restart(void);           /* a hand takes the power away for a moment */
void felt_bench_pairing(bool on);        /* a hand turns the switch */
void felt_bench_tell_more(void);         /* what else there is to tell of this port: ` name number ...` */

void felt_say_number(uint32_t number);
/* Reads decimal digits, and moves on behind them; false, where there are none. */
bool felt_read_digits(const char **text, uint32_t *number);
/* Takes what a hand does: collects bytes, and does a line when it is whole. */
void felt_bench_take(const struct felt_kind_of_bench *bench, char byte);
/* Says a line for each event that was stored since: its counter, and the number of the message. */
void felt_bench_tell_stored(const struct felt_kind_of_bench *bench);

#endif
