/* A card reader on a desk, on a simulated PN532: `lay CARD ...` puts cards there (`?` cannot be read), `lift [CARD]`. */
#include "felt_bench.h"
#include "felt_card_reader.h"
#include "felt_pn532_sim.h"

static struct felt_card_reader reader;
static struct felt_pn532_sim chip;

static void write(void *self, const uint8_t *data, size_t size)
{
    (void)self;
    felt_pn532_sim_write(&chip, data, size);
}

static bool start(const struct felt_board *port, uint32_t now)
{
    reader.pn532.write = write;
    return felt_card_reader_start(&reader, port, now);
}

static void poll(uint32_t now)
{
    uint8_t out[sizeof chip.out];
    size_t size = chip.out_size;
    felt_copy(out, chip.out, size);
    chip.out_size = 0;
    for (size_t n = 0; n < size; n++)
        felt_pn532_take(&reader.pn532, out[n], now);
    felt_card_reader_poll(&reader, now);
}

static bool lay(const char *card)
{
    struct felt_tag *tag = &chip.tags[chip.count];
    size_t letters = felt_length(card);
    if (chip.count == FELT_TAGS || letters > 2)
        return false;
    felt_fill(tag, 0, sizeof *tag);
    tag->id_size = 7;
    felt_copy(tag->id, "\x04" "chip", 5);
    felt_copy(tag->id + 5, card, letters);
    tag->readable = card[0] != '?';
    if (tag->readable)
        felt_card_write(tag->data, card, tag->id, tag->id_size);
    chip.count++;
    return true;
}

static bool lift(const char *card)
{
    if (felt_length(card) > 2)
        return false;
    for (uint8_t n = 0; n < chip.count; n++) {
        if (!felt_same(chip.tags[n].id + 5, card, felt_length(card)))
            continue;
        chip.tags[n] = chip.tags[--chip.count];
        return true;
    }
    return false;
}

static bool make_noise(const char *word)
{
    uint32_t each;
    if (!felt_read_digits(&word, &each))
        return false;
    chip.noise = each;
    return true;
}

static bool hand(char *words[], size_t count)
{
    bool done = true;
    if (count >= 2 && felt_same_text(words[0], "lay")) {
        for (size_t n = 1; n < count; n++)
            done = lay(words[n]) && done;
        return done;
    }
    if (count == 2 && felt_same_text(words[0], "lift"))
        return lift(words[1]);
    if (count == 2 && felt_same_text(words[0], "noise"))
        return make_noise(words[1]);
    if (count == 1 && felt_same_text(words[0], "lift"))
        chip.count = 0;
    else if (count == 2 && felt_same_text(words[0], "dark"))
        chip.dark = felt_same_text(words[1], "on");
    else
        return false;
    return true;
}

static struct felt_device *device(void)
{
    return &reader.device;
}

const struct felt_kind_of_bench felt_bench_reader = {"reader", start, poll, hand, device, &chip, sizeof chip};
