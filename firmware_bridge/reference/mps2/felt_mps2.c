/* The emulated board: registers of the CMSDK's serial ports and timer, and of the Cortex-M3 itself. */
#include "felt_mps2.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define CLOCK 25000000u
#define TICK_MS 2u
#define PATIENCE_MS 50u /* for a byte that does not leave a serial port: then nobody is there to fetch it */

static const uint32_t UARTS[] = {0x40004000u, 0x40005000u};
static const uint32_t RX_INTERRUPTS[] = {1u << 0, 1u << 2};
static bool nobody_fetches[2];

enum { UART_DATA = 0x0, UART_STATE = 0x4, UART_CONTROL = 0x8, UART_INTERRUPT = 0xC, UART_DIVIDER = 0x10 };
#define TIMER 0x40000000u
enum { TIMER_CONTROL = 0x0, TIMER_VALUE = 0x4, TIMER_RELOAD = 0x8 };
enum { TX_FULL = 1, RX_FULL = 2, ENABLE_BOTH = 3, INTERRUPT_RX = 8, RX_CAME = 2 };

#define SYSTICK_CONTROL 0xE000E010u
#define SYSTICK_RELOAD 0xE000E014u
#define SYSTICK_VALUE 0xE000E018u
enum { SYSTICK_RUNS = 7 }; /* with the processor's clock, and an interrupt */
#define NVIC_ENABLE 0xE000E100u
#define NVIC_CLEAR 0xE000E280u
#define ICSR 0xE000ED04u
#define ICSR_CLEAR_SYSTICK (1u << 25)
#define AIRCR 0xE000ED0Cu
#define AIRCR_RESET 0x05FA0004u

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

/* Interrupts end a rest but are never taken: there is one thread, and nothing that it must share. */
void felt_mps2_start(void)
{
    __asm__ volatile("cpsid i");
    for (unsigned n = 0; n < 2; n++) {
        REGISTER(UARTS[n] + UART_DIVIDER) = CLOCK / 115200;
        REGISTER(UARTS[n] + UART_CONTROL) = ENABLE_BOTH | INTERRUPT_RX;
        REGISTER(NVIC_ENABLE) = RX_INTERRUPTS[n];
    }
    REGISTER(TIMER + TIMER_RELOAD) = 0xFFFFFFFFu;
    REGISTER(TIMER + TIMER_VALUE) = 0xFFFFFFFFu;
    REGISTER(TIMER + TIMER_CONTROL) = 1;
    REGISTER(SYSTICK_RELOAD) = TICK_MS * (CLOCK / 1000) - 1;
    REGISTER(SYSTICK_VALUE) = 0;
    REGISTER(SYSTICK_CONTROL) = SYSTICK_RUNS;
}

int felt_mps2_read(unsigned uart)
{
    if ((REGISTER(UARTS[uart] + UART_STATE) & RX_FULL) == 0)
        return -1;
    return (int)(REGISTER(UARTS[uart] + UART_DATA) & 0xFF);
}

static bool has_room(unsigned uart)
{
    uint32_t since = felt_mps2_now();
    while ((REGISTER(UARTS[uart] + UART_STATE) & TX_FULL) != 0)
        if (nobody_fetches[uart] || felt_mps2_now() - since >= PATIENCE_MS)
            return false;
    return true;
}

void felt_mps2_write(unsigned uart, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        nobody_fetches[uart] = !has_room(uart);
        if (nobody_fetches[uart])
            return;
        REGISTER(UARTS[uart] + UART_DATA) = data[n];
    }
}

void felt_mps2_rest(void)
{
    __asm__ volatile("wfi");
    REGISTER(ICSR) = ICSR_CLEAR_SYSTICK;
    for (unsigned n = 0; n < 2; n++) {
        REGISTER(UARTS[n] + UART_INTERRUPT) = RX_CAME;
        REGISTER(NVIC_CLEAR) = RX_INTERRUPTS[n];
    }
}

void felt_mps2_restart(void)
{
    REGISTER(AIRCR) = AIRCR_RESET;
    for (;;) {
    }
}
