/* The emulated board: registers of the CMSDK's serial ports and timer. */
#include "felt_mps2.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define CLOCK 25000000u

static const uint32_t UARTS[] = {0x40004000u, 0x40005000u};

enum { UART_DATA = 0x0, UART_STATE = 0x4, UART_CONTROL = 0x8, UART_DIVIDER = 0x10 };
#define TIMER 0x40000000u
enum { TIMER_CONTROL = 0x0, TIMER_VALUE = 0x4, TIMER_RELOAD = 0x8 };
enum { TX_FULL = 1, RX_FULL = 2, ENABLE_BOTH = 3 };

/* From a counter that runs freely: no tick is lost while the emulator is not let run. It must be asked every 171 s. */
uint32_t felt_mps2_now(void)
{
    static uint32_t milliseconds, rest, before = 0xFFFFFFFFu;
    uint32_t counter = REGISTER(TIMER + TIMER_VALUE); /* counts down */
    uint64_t passed = (uint64_t)rest + (before - counter);
    before = counter;
    milliseconds += (uint32_t)(passed / (CLOCK / 1000));
    rest = (uint32_t)(passed % (CLOCK / 1000));
    return milliseconds;
}

void felt_mps2_start(void)
{
    for (unsigned n = 0; n < 2; n++) {
        REGISTER(UARTS[n] + UART_DIVIDER) = CLOCK / 115200;
        REGISTER(UARTS[n] + UART_CONTROL) = ENABLE_BOTH;
    }
    REGISTER(TIMER + TIMER_RELOAD) = 0xFFFFFFFFu;
    REGISTER(TIMER + TIMER_VALUE) = 0xFFFFFFFFu;
    REGISTER(TIMER + TIMER_CONTROL) = 1;
}

int felt_mps2_read(unsigned uart)
{
    if ((REGISTER(UARTS[uart] + UART_STATE) & RX_FULL) == 0)
        return -1;
    return (int)(REGISTER(UARTS[uart] + UART_DATA) & 0xFF);
}

void felt_mps2_write(unsigned uart, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        while ((REGISTER(UARTS[uart] + UART_STATE) & TX_FULL) != 0) {
        }
        REGISTER(UARTS[uart] + UART_DATA) = data[n];
    }
}

void felt_mps2_restart(void)
{
    REGISTER(0xE000ED0Cu) = 0x05FA0004u; /* AIRCR: SYSRESETREQ */
    for (;;) {
    }
}
