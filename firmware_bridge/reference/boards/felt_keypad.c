/* A console: keys, entries, badges. */
#include "felt_keypad.h"

enum { KEY_PRESSED = 40, BADGE_READ = 42, PIN_ENTERED = 43, SHOW_PROMPTS = 88, KEY_LAMPS = 89 };

static void show_row(struct felt_keypad *pad, size_t row, struct felt_piece text)
{
    size_t size = text.size < FELT_COLUMNS ? text.size : FELT_COLUMNS;
    while (size < text.size && size > 0 && (text.data[size] & 0xC0) == 0x80)
        size--; /* never half a letter */
    felt_copy(pad->rows[row], text.data, size);
    pad->rows[row][size] = '\0';
    pad->show(pad->self, row, pad->rows[row]);
}

static void safe(void *self)
{
    static const struct felt_piece nothing = {(const uint8_t *)"", 0};
    struct felt_keypad *pad = self;
    for (size_t n = 0; n < pad->count; n++)
        pad->light(pad->self, n, false);
    for (size_t row = 0; row < FELT_ROWS; row++)
        show_row(pad, row, nothing);
}

static const char *self_test(void *self)
{
    (void)self;
    return NULL;
}

static bool fault_lasts(void *self, size_t fault)
{
    (void)self;
    (void)fault;
    return false;
}

/* Reads an array of texts twice: first whether all of it is sound, then each. */
static bool sound_texts(uint32_t fields, const struct felt_reader *reader)
{
    struct felt_reader r = *reader;
    uint32_t count = felt_read_array(&r);
    for (uint32_t n = 0; n < count && !r.wrong; n++)
        (void)felt_read_text(&r);
    return fields == 1 && felt_read_all(&r);
}

static void show_prompts(struct felt_keypad *pad, struct felt_reader *r)
{
    static const struct felt_piece nothing = {(const uint8_t *)"", 0};
    uint32_t count = felt_read_array(r);
    for (uint32_t row = 0; row < FELT_ROWS; row++)
        show_row(pad, row, row < count ? felt_read_text(r) : nothing);
}

static void key_lamps(struct felt_keypad *pad, struct felt_reader *reader)
{
    for (size_t key = 0; key < pad->count; key++) {
        struct felt_reader r = *reader;
        uint32_t count = felt_read_array(&r);
        bool lit = false;
        for (uint32_t n = 0; n < count; n++) {
            struct felt_piece name = felt_read_text(&r);
            lit = lit || (pad->caps[key].does == FELT_KEY_NAMED && felt_piece_is(name, pad->caps[key].text));
        }
        pad->light(pad->self, key, lit);
    }
}

static bool command(void *self, uint32_t number, uint32_t fields, struct felt_reader *reader, struct felt_writer *reply)
{
    if (number != SHOW_PROMPTS && number != KEY_LAMPS)
        return false;
    if (!sound_texts(fields, reader)) {
        felt_refuse(reply, "malformed");
        return true;
    }
    if (number == SHOW_PROMPTS)
        show_prompts(self, reader);
    else
        key_lamps(self, reader);
    felt_done(reply);
    return true;
}

bool felt_keypad_start(struct felt_keypad *pad, const struct felt_board *port, uint32_t now)
{
    pad->board = *port;
    pad->board.self = pad;
    pad->board.family = "console";
    pad->board.faults = NULL;
    pad->board.fault_count = 0;
    pad->board.safe = safe;
    pad->board.self_test = self_test;
    pad->board.fault_lasts = fault_lasts;
    pad->board.command = command;
    pad->pin = false;
    pad->typed = now;
    felt_fill(pad->entry, 0, sizeof pad->entry);
    if (pad->count > FELT_KEYS_MAX)
        return false;
    for (size_t n = 0; n < pad->count; n++)
        felt_contact_start(&pad->contacts[n], false, now); /* a key that is held while it starts counts */
    safe(pad);
    return felt_device_start(&pad->device, &pad->board, now);
}

static void clear(struct felt_keypad *pad)
{
    felt_wipe(pad->entry, sizeof pad->entry);
    pad->pin = false;
}

static void type(struct felt_keypad *pad, const char *text)
{
    size_t size = felt_length(pad->entry), more = felt_length(text);
    size_t most = pad->pin ? FELT_PIN_MAX : FELT_ENTRY_MAX;
    if (size + more <= most)
        felt_copy(pad->entry + size, text, more + 1);
}

/* The texts of an entry: between line feeds; empty ones are none. */
static uint16_t write_texts(const char *entry, struct felt_writer *w)
{
    uint16_t count = 0;
    size_t at = 0;
    while (entry[at] != '\0') {
        size_t end = at;
        while (entry[end] != '\0' && entry[end] != '\n')
            end++;
        if (end > at) {
            count++;
            if (w != NULL)
                felt_write_some_text(w, entry + at, end - at);
        }
        at = entry[end] == '\n' ? end + 1 : end;
    }
    return count;
}

static void press(struct felt_keypad *pad, const char *name)
{
    struct felt_writer w;
    if (pad->pin)
        clear(pad); /* another key than digits: it is no PIN any more */
    w = felt_event(&pad->device, 2, KEY_PRESSED);
    felt_write_text(&w, name);
    felt_write_array(&w, write_texts(pad->entry, NULL));
    (void)write_texts(pad->entry, &w);
    if (felt_happened(&pad->device, &w, NULL))
        clear(pad); /* else the memory is full: the entry stays, and the key is pressed again */
}

static void enter(struct felt_keypad *pad)
{
    struct felt_writer w;
    if (!pad->pin || pad->entry[0] == '\0')
        return;
    w = felt_event(&pad->device, 1, PIN_ENTERED);
    felt_write_text(&w, pad->entry);
    if (felt_happened_secret(&pad->device, &w))
        clear(pad);
}

static void use(struct felt_keypad *pad, const struct felt_key_cap *cap)
{
    if (cap->does == FELT_KEY_NAMED)
        press(pad, cap->text);
    else if (cap->does == FELT_KEY_CLEARS)
        clear(pad);
    else if (cap->does == FELT_KEY_ENTERS)
        enter(pad);
    else
        type(pad, cap->does == FELT_KEY_NEXT ? "\n" : cap->text);
}

static void look_for_badge(struct felt_keypad *pad, uint32_t now)
{
    char number[FELT_BADGE_MAX + 1];
    struct felt_writer w;
    if (!pad->badge(pad->self, number))
        return;
    w = felt_event(&pad->device, 1, BADGE_READ);
    felt_write_text(&w, number);
    if (!felt_happened(&pad->device, &w, NULL))
        return; /* the memory is full: the badge is shown again */
    clear(pad);
    pad->pin = true;
    pad->typed = now;
}

void felt_keypad_poll(struct felt_keypad *pad, uint32_t now)
{
    felt_device_poll(&pad->device, now);
    look_for_badge(pad, now);
    for (size_t n = 0; n < pad->count; n++) {
        if (!felt_contact_read(&pad->contacts[n], pad->down(pad->self, n), now) || !pad->contacts[n].closed)
            continue;
        pad->typed = now;
        use(pad, &pad->caps[n]);
    }
    if (now - pad->typed >= FELT_ENTRY_MS && (pad->pin || pad->entry[0] != '\0'))
        clear(pad);
}
