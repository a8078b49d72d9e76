/* A console: keys with lamps, a few lines of text, a badge reader. Digits before a key are what is entered with it. */
#ifndef FELT_KEYPAD_H
#define FELT_KEYPAD_H

#include "felt_contact.h"
#include "felt_device.h"

#ifndef FELT_KEYS_MAX
#define FELT_KEYS_MAX 40u
#endif
#define FELT_ROWS 4u
#define FELT_COLUMNS 40u /* bytes of a row */
#define FELT_ENTRY_MAX 24u
#define FELT_PIN_MAX 12u
#define FELT_BADGE_MAX 64u
#define FELT_ENTRY_MS 30000u /* an entry that nobody finishes is forgotten */

enum felt_key_does { FELT_KEY_NAMED, FELT_KEY_TYPES, FELT_KEY_NEXT, FELT_KEY_CLEARS, FELT_KEY_ENTERS };

struct felt_key_cap {
    uint8_t does;
    const char *text; /* the name of the key, or what it types */
};

struct felt_keypad {
    struct felt_device device;
    struct felt_board board;
    void *self; /* of the functions that reach the hardware */
    const struct felt_key_cap *caps;
    size_t count;
    bool (*down)(void *self, size_t key);
    void (*light)(void *self, size_t key, bool lit);
    void (*show)(void *self, size_t row, const char *text);
    bool (*badge)(void *self, char number[FELT_BADGE_MAX + 1]); /* true once for each badge that is shown */

    struct felt_contact contacts[FELT_KEYS_MAX];
    char rows[FELT_ROWS][FELT_COLUMNS + 1];
    char entry[FELT_ENTRY_MAX + 1]; /* texts, with a line feed between them */
    bool pin;                       /* what is typed is a PIN: a badge was shown */
    uint32_t typed;
};

/* Keys and the functions that reach the hardware are set before. */
bool felt_keypad_start(struct felt_keypad *pad, const struct felt_board *port, uint32_t now);
void felt_keypad_poll(struct felt_keypad *pad, uint32_t now);

#endif
