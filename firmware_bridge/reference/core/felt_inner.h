/* What the files of the core call of each other, and no board does. */
#ifndef FELT_INNER_H
#define FELT_INNER_H

#include "felt_device.h"

/* felt_memory.c */
bool felt_memory_mount(struct felt_device *device);
bool felt_memory_room(struct felt_device *device, size_t body); /* for one more record; moves banks when it must */
bool felt_memory_keep(void *device, uint8_t type, uint32_t value, const void *body, size_t size);
bool felt_memory_move(struct felt_device *device);
bool felt_memory_new_epoch(struct felt_device *device);

/* felt_session.c */
void felt_session_end(struct felt_device *device);
void felt_session_take(struct felt_device *device, struct felt_frame *frame);
void felt_session_poll(struct felt_device *device);
void felt_session_pump(struct felt_device *device); /* sends what fits into the window */
uint8_t *felt_body(struct felt_device *device);     /* where the next body is written: FELT_MESSAGE_MAX bytes */
void felt_send(struct felt_device *device, uint8_t kind, uint32_t number, size_t body, bool sealed);

/* felt_greeting.c */
void felt_greeting_take(struct felt_device *device, struct felt_frame *frame);

/* felt_commands.c */
void felt_command_take(struct felt_device *device, const struct felt_frame *frame);

/* felt_faults.c */
void felt_fault_clear(struct felt_device *device, struct felt_piece code, struct felt_writer *reply);
void felt_tampered(struct felt_device *device);

bool felt_reached(uint32_t now, uint32_t due); /* also when the clock has turned over */

#endif
