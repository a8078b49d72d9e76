/* The microcontroller: a clock, a serial port, flash, chance, a switch. Each empty function says what it shall do. */
#include "felt_template.h"

static struct felt_board board;

/* Milliseconds since the start, from a counter that never stops; it may turn over after 2^32. */
static uint32_t now(void)
{
    return 0;
}

/* The next byte that came in from the controller, or -1. An interrupt puts them into a ring of 2 KB: the longest work here,
 * a sector that is erased, takes some 50 ms, in which 600 bytes come at 115200 baud. */
static int read_byte(void)
{
    static volatile int came = -1; /* what an interrupt writes; nothing does here */
    return came;
}

/* Sends all of it, at most 1042 bytes. What the line does not take for 50 ms is lost: never wait for ever. */
static void send(void *port, const uint8_t *data, size_t size)
{
    (void)port;
    (void)data;
    (void)size;
}

/* FELT_FLASH bytes that outlive the power, addressed from 0, which no program and no other data touches. */
static bool flash_read(void *self, uint32_t at, void *to, size_t size)
{
    (void)self;
    (void)at;
    (void)to;
    (void)size;
    return false;
}

/* `at` and `size` are multiples of FELT_WORD. True once all of it is there. Pad a page of another size with 0xFF. */
static bool flash_write(void *self, uint32_t at, const void *from, size_t size)
{
    (void)self;
    (void)at;
    (void)from;
    (void)size;
    return false;
}

/* The FELT_SECTOR bytes that begin there become 0xFF. */
static bool flash_erase(void *self, uint32_t at)
{
    (void)self;
    (void)at;
    return false;
}

/* From a true source: noise, a ring oscillator, a chip that has one. False when it is not ready; never a counter. */
static bool chance(void *port, uint8_t *to, size_t size)
{
    (void)port;
    (void)to;
    (void)size;
    return false;
}

/* Starts the microcontroller again, by its own reset. */
static void restart(void *port)
{
    (void)port;
}

/* True while the switch for pairing is on; it is inside the device, where a player's hand does not reach. */
static bool pairing_switch(void *port)
{
    (void)port;
    return false;
}

/* Six digits for the technician who pairs it, by a display, or a lamp that blinks them; NULL: no longer. */
static void show_code(void *port, const char *digits)
{
    (void)port;
    (void)digits;
}

void felt_main(void)
{
    board.model = "YOURS-1";
    board.serial = "Y-0001";
    board.version = "1.0.0";
    board.image_key = NULL;
    board.flash.read = flash_read;
    board.flash.write = flash_write;
    board.flash.erase = flash_erase;
    board.random = chance;
    board.send = send;
    board.restart = restart;
    board.pairing_switch = pairing_switch;
    board.show_code = show_code;
    if (!felt_template_start(&board, now()))
        return; /* no flash, or no chance: a device that cannot remember must not speak */
    for (;;) { /* at least every 10 ms; a watchdog is fed here and nowhere else */
        for (int byte = read_byte(); byte >= 0; byte = read_byte())
            felt_device_take(felt_template_device(), (uint8_t)byte, now());
        felt_template_poll(now());
    }
}
