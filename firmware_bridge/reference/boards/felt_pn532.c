/* The PN532 over its serial port. */
#include "felt_pn532.h"

enum { TO_PN532 = 0xD4, FROM_PN532 = 0xD5 };
enum { CONFIGURE = 0x14, SET_RF = 0x32, EXCHANGE = 0x40, LIST = 0x4A };
enum { SEEK_00, SEEK_FF, LENGTH, LENGTH_CHECK, DATA, DATA_CHECK };

#define ANSWER_MS 500u
#define REST_MS 50u
#define DARK_AFTER 4u

size_t felt_pn532_frame(uint8_t *to, const uint8_t *command, uint8_t size)
{
    uint8_t sum = TO_PN532, length = (uint8_t)(size + 1);
    size_t at = 0;
    to[at++] = 0x00; /* preamble */
    to[at++] = 0x00;
    to[at++] = 0xFF;
    to[at++] = length;
    to[at++] = (uint8_t)(0x100 - length);
    to[at++] = TO_PN532;
    for (size_t n = 0; n < size; n++) {
        to[at++] = command[n];
        sum = (uint8_t)(sum + command[n]);
    }
    to[at++] = (uint8_t)(0x100 - sum);
    to[at++] = 0x00; /* postamble */
    return at;
}

static void ask(struct felt_pn532 *pn532, const uint8_t *command, uint8_t size, uint32_t now)
{
    static const uint8_t wake[] = {0x55, 0x55, 0x00, 0x00, 0x00};
    uint8_t frame[16];
    if (pn532->step == FELT_PN532_WAKES)
        pn532->write(pn532->self, wake, sizeof wake);
    pn532->write(pn532->self, frame, felt_pn532_frame(frame, command, size));
    pn532->waits = true;
    pn532->acknowledged = false;
    pn532->since = now;
}

static void begin(struct felt_pn532 *pn532, uint8_t step, uint32_t now)
{
    static const uint8_t configure[] = {CONFIGURE, 1, 0, 0}; /* normal mode, no interrupt line */
    static const uint8_t few_tries[] = {SET_RF, 5, 0xFF, 1, 1}; /* a look ends soon when no tag is there */
    static const uint8_t list[] = {LIST, FELT_TAGS, 0};          /* ISO 14443 A, 106 kbit/s */
    uint8_t read[] = {EXCHANGE, 0, 0x30, 4};
    pn532->step = step;
    pn532->waits = false;
    pn532->since = now;
    if (step == FELT_PN532_WAKES)
        ask(pn532, configure, sizeof configure, now);
    else if (step == FELT_PN532_SETS)
        ask(pn532, few_tries, sizeof few_tries, now);
    else if (step == FELT_PN532_LISTS)
        ask(pn532, list, sizeof list, now);
    else if (step == FELT_PN532_READS) {
        read[1] = (uint8_t)(pn532->reading + 1);
        ask(pn532, read, sizeof read, now);
    }
}

void felt_pn532_start(struct felt_pn532 *pn532, uint32_t now)
{
    pn532->state = SEEK_00;
    pn532->failures = 0;
    pn532->count = 0;
    pn532->fresh = false;
    pn532->broken = 0;
    begin(pn532, FELT_PN532_WAKES, now);
}

bool felt_pn532_is_dark(const struct felt_pn532 *pn532)
{
    return pn532->failures >= DARK_AFTER;
}

/* A tag of a list: its number, SENS_RES, SEL_RES, the length of its name, its name. */
static bool take_tag(struct felt_pn532 *pn532, const uint8_t *data, size_t size, size_t *at)
{
    struct felt_tag *tag = &pn532->tags[pn532->count];
    size_t length;
    if (size - *at < 5)
        return false;
    length = data[*at + 4];
    if (length == 0 || length > FELT_TAG_NAME || length > size - *at - 5)
        return false;
    tag->id_size = (uint8_t)length;
    tag->readable = false;
    felt_copy(tag->id, data + *at + 5, length);
    *at += 5 + length;
    if ((data[*at - length - 2] & 0x20) != 0 && *at < size) { /* ISO 14443-4: an answer to select follows */
        size_t more = data[*at];
        if (more == 0 || more > size - *at)
            return false;
        *at += more;
    }
    pn532->count++;
    return true;
}

static void end_look(struct felt_pn532 *pn532, uint32_t now)
{
    pn532->fresh = true;
    pn532->failures = 0;
    begin(pn532, FELT_PN532_RESTS, now);
}

static void read_next(struct felt_pn532 *pn532, uint32_t now)
{
    if (pn532->reading < pn532->count)
        begin(pn532, FELT_PN532_READS, now);
    else
        end_look(pn532, now);
}

static void take_list(struct felt_pn532 *pn532, const uint8_t *data, size_t size, uint32_t now)
{
    size_t at = 1;
    unsigned tags = size > 0 ? data[0] : 0;
    pn532->count = 0;
    pn532->reading = 0;
    while (pn532->count < tags && pn532->count < FELT_TAGS)
        if (!take_tag(pn532, data, size, &at))
            break;
    read_next(pn532, now);
}

static void take_read(struct felt_pn532 *pn532, const uint8_t *data, size_t size, uint32_t now)
{
    struct felt_tag *tag = &pn532->tags[pn532->reading];
    tag->readable = size == 17 && (data[0] & 0x3F) == 0;
    if (tag->readable)
        felt_copy(tag->data, data + 1, sizeof tag->data);
    pn532->reading++;
    read_next(pn532, now);
}

/* A whole answer: its code, and what follows it. */
static void take_answer(struct felt_pn532 *pn532, const uint8_t *data, size_t size, uint32_t now)
{
    static const uint8_t code[] = {CONFIGURE + 1, SET_RF + 1, LIST + 1, EXCHANGE + 1};
    if (!pn532->waits || !pn532->acknowledged || pn532->step >= FELT_PN532_RESTS || data[0] != code[pn532->step])
        return;
    data++;
    size--;
    if (pn532->step == FELT_PN532_WAKES)
        begin(pn532, FELT_PN532_SETS, now);
    else if (pn532->step == FELT_PN532_SETS)
        begin(pn532, FELT_PN532_LISTS, now);
    else if (pn532->step == FELT_PN532_LISTS)
        take_list(pn532, data, size, now);
    else
        take_read(pn532, data, size, now);
}

/* The end of a frame: its sum fits. */
static void take_frame(struct felt_pn532 *pn532, uint32_t now)
{
    if (pn532->length >= 2 && pn532->frame[0] == FROM_PN532)
        take_answer(pn532, pn532->frame + 1, (size_t)pn532->length - 1, now);
    else if (pn532->length == 1 && pn532->frame[0] == 0x7F)
        pn532->broken++; /* it did not understand: asked again after ANSWER_MS */
}

static void take_length(struct felt_pn532 *pn532, uint8_t check)
{
    pn532->taken = 0;
    if (pn532->length == 0 && check == 0xFF) {
        pn532->acknowledged = true;
        pn532->state = SEEK_00;
    } else if ((uint8_t)(pn532->length + check) == 0 && pn532->length > 0 && pn532->length <= FELT_PN532_DATA) {
        pn532->state = DATA;
    } else {
        pn532->broken++;
        pn532->state = SEEK_00;
    }
}

static void take_check(struct felt_pn532 *pn532, uint8_t check, uint32_t now)
{
    uint8_t sum = check;
    for (size_t n = 0; n < pn532->length; n++)
        sum = (uint8_t)(sum + pn532->frame[n]);
    pn532->state = SEEK_00;
    if (sum == 0)
        take_frame(pn532, now);
    else
        pn532->broken++;
}

void felt_pn532_take(struct felt_pn532 *pn532, uint8_t byte, uint32_t now)
{
    switch (pn532->state) {
    case SEEK_00:
        pn532->state = byte == 0x00 ? SEEK_FF : SEEK_00;
        break;
    case SEEK_FF:
        if (byte != 0x00)
            pn532->state = byte == 0xFF ? LENGTH : SEEK_00;
        break;
    case LENGTH:
        pn532->length = byte;
        pn532->state = LENGTH_CHECK;
        break;
    case LENGTH_CHECK:
        take_length(pn532, byte);
        break;
    case DATA:
        pn532->frame[pn532->taken++] = byte;
        if (pn532->taken == pn532->length)
            pn532->state = DATA_CHECK;
        break;
    default:
        take_check(pn532, byte, now);
        break;
    }
}

void felt_pn532_poll(struct felt_pn532 *pn532, uint32_t now)
{
    if (pn532->waits && now - pn532->since >= ANSWER_MS) {
        if (pn532->failures < DARK_AFTER)
            pn532->failures++;
        pn532->state = SEEK_00;
        begin(pn532, FELT_PN532_WAKES, now); /* it may have been without power */
    } else if (pn532->step == FELT_PN532_RESTS && now - pn532->since >= REST_MS) {
        begin(pn532, FELT_PN532_LISTS, now);
    }
}
