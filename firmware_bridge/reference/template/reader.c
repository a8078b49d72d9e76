/* A card reader: a PN532 on a second serial port. */
#include "felt_card_reader.h"
#include "felt_template.h"

static struct felt_card_reader reader;

/* Sends to the PN532; 115200 baud. */
static void write(void *self, const uint8_t *data, size_t size)
{
    (void)self;
    (void)data;
    (void)size;
}

/* The next byte that came from it, or -1. */
static int read_chip(void)
{
    static volatile int came = -1; /* what an interrupt writes; nothing does here */
    return came;
}

bool felt_template_start(const struct felt_board *port, uint32_t now)
{
    reader.pn532.write = write;
    return felt_card_reader_start(&reader, port, now);
}

void felt_template_poll(uint32_t now)
{
    for (int byte = read_chip(); byte >= 0; byte = read_chip())
        felt_pn532_take(&reader.pn532, (uint8_t)byte, now);
    felt_card_reader_poll(&reader, now);
}

struct felt_device *felt_template_device(void)
{
    return &reader.device;
}
