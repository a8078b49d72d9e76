/* A simulated reader of tags. */
#include "felt_tag_sim.h"

static void begin(void *self, size_t antenna)
{
    struct felt_tag_sim *sim = self;
    sim->antenna = antenna;
    sim->kind = 0;
    sim->found = 0;
    sim->unknown = false;
}

static void name(const struct felt_tag_sim *sim, uint32_t cents, struct felt_tag *tag)
{
    tag->id_size = 8;
    tag->id[0] = 0xE0;
    tag->id[1] = (uint8_t)sim->antenna;
    felt_put32(tag->id + 2, cents);
    felt_put16(tag->id + 6, sim->found);
}

/* The tag that comes next; false: there is none left. */
static bool find(struct felt_tag_sim *sim, struct felt_tag *tag)
{
    const struct felt_tray *tray = &sim->trays[sim->antenna];
    while (sim->kind < tray->kinds && sim->found == tray->stacks[sim->kind].count) {
        sim->kind++;
        sim->found = 0;
    }
    if (sim->kind == tray->kinds && (!tray->unknown || sim->unknown))
        return false;
    if (sim->kind == tray->kinds) { /* something with a tag that cannot be read */
        sim->unknown = true;
        name(sim, 0, tag);
        return true;
    }
    sim->found++;
    name(sim, tray->stacks[sim->kind].cents, tag);
    tag->readable = true;
    felt_chip_write(tag->data, tray->stacks[sim->kind].cents, tag->id, tag->id_size);
    return true;
}

static enum felt_found_tag next(void *self, struct felt_tag *tag)
{
    struct felt_tag_sim *sim = self;
    if (*sim->dark || (sim->slow != 0 && ++sim->asked % sim->slow != 0))
        return FELT_TAG_NOT_YET;
    do {
        if (!find(sim, tag))
            return FELT_TAG_NO_MORE;
        sim->tags++;
    } while (sim->misses != 0 && sim->tags % sim->misses == 0);
    return FELT_TAG_FOUND;
}

void felt_tag_sim_use(struct felt_tag_sim *sim, struct felt_tag_reader *reader)
{
    reader->self = sim;
    reader->begin = begin;
    reader->next = next;
}
