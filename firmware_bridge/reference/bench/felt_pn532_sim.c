/* A simulated PN532. It checks what it is told as strictly as the chip does. */
#include "felt_pn532_sim.h"

static void put(struct felt_pn532_sim *sim, const uint8_t *data, size_t size)
{
    if (sim->dark || size > sizeof sim->out - sim->out_size)
        return;
    felt_copy(sim->out + sim->out_size, data, size);
    sim->out_size += size;
}

static void answer(struct felt_pn532_sim *sim, const uint8_t *data, size_t size)
{
    static const uint8_t acknowledged[] = {0, 0, 0xFF, 0, 0xFF, 0};
    uint8_t frame[80] = {0, 0, 0xFF}, sum = 0xD5;
    size_t at = 3;
    frame[at++] = (uint8_t)(size + 1);
    frame[at++] = (uint8_t)(0x100 - (size + 1));
    frame[at++] = 0xD5;
    for (size_t n = 0; n < size; n++) {
        frame[at++] = data[n];
        sum = (uint8_t)(sum + data[n]);
    }
    frame[at++] = (uint8_t)(0x100 - sum);
    frame[at++] = 0;
    sim->answers++;
    if (sim->noise != 0 && sim->answers % sim->noise == 0)
        frame[at / 2] ^= 0x10;
    put(sim, acknowledged, sizeof acknowledged);
    put(sim, frame, at);
}

static void list(struct felt_pn532_sim *sim)
{
    uint8_t data[64] = {0x4B, sim->count};
    size_t at = 2;
    for (uint8_t n = 0; n < sim->count; n++) {
        const uint8_t head[] = {(uint8_t)(n + 1), 0x00, 0x44, 0x00, sim->tags[n].id_size};
        felt_copy(data + at, head, sizeof head);
        felt_copy(data + at + sizeof head, sim->tags[n].id, sim->tags[n].id_size);
        at += sizeof head + sim->tags[n].id_size;
    }
    answer(sim, data, at);
}

static void exchange(struct felt_pn532_sim *sim, const uint8_t *command, size_t size)
{
    uint8_t data[18] = {0x41, 0x01}; /* no answer from the tag */
    bool right = size == 4 && command[1] >= 1 && command[1] <= sim->count && command[2] == 0x30 && command[3] == 4;
    if (!right || !sim->tags[command[1] - 1].readable) {
        answer(sim, data, 2);
        return;
    }
    data[1] = 0;
    felt_copy(data + 2, sim->tags[command[1] - 1].data, 16);
    answer(sim, data, sizeof data);
}

static void execute(struct felt_pn532_sim *sim, const uint8_t *command, size_t size)
{
    static const uint8_t configured[] = {0x15}, set[] = {0x33};
    if (command[0] == 0x14)
        answer(sim, configured, 1);
    else if (command[0] == 0x32)
        answer(sim, set, 1);
    else if (command[0] == 0x4A)
        list(sim);
    else if (command[0] == 0x40)
        exchange(sim, command, size);
}

/* A whole frame at the beginning of what came: executes it; returns its size, 0 when more bytes are needed. */
static size_t take_frame(struct felt_pn532_sim *sim)
{
    const uint8_t *in = sim->in;
    uint8_t sum = 0;
    size_t length;
    if (sim->in_size < 5)
        return 0;
    if (in[0] != 0 || in[1] != 0 || in[2] != 0xFF || (uint8_t)(in[3] + in[4]) != 0)
        return 1; /* wakes it, or noise */
    length = in[3];
    if (length < 2 || length > sizeof sim->in - 7)
        return 1;
    if (sim->in_size < length + 7)
        return 0;
    for (size_t n = 0; n <= length; n++)
        sum = (uint8_t)(sum + in[5 + n]);
    if (sum == 0 && in[5] == 0xD4)
        execute(sim, in + 6, length - 1);
    return length + 7;
}

void felt_pn532_sim_write(struct felt_pn532_sim *sim, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        size_t done;
        if (sim->in_size == sizeof sim->in)
            sim->in_size = 0;
        sim->in[sim->in_size++] = data[n];
        while ((done = take_frame(sim)) > 0) {
            sim->in_size -= done;
            felt_copy(sim->in, sim->in + done, sim->in_size);
        }
    }
}
