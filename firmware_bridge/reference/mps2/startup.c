/* What happens before main: the table of vectors, memory as C expects it, and a stack on which traces of use are seen. */
#include "felt_mps2.h"

extern uint32_t felt_data_from[], felt_data_begin[], felt_data_end[], felt_bss_begin[], felt_bss_end[], felt_stack[],
    felt_stack_free[];

enum { UNUSED = 0x5A5A5A5A };

void felt_reset(void);
void felt_hang(void);

/* Nothing can be said about a fault: a watchdog of a real board ends it. */
void felt_hang(void)
{
    for (;;) {
    }
}

void felt_reset(void)
{
    uint32_t *from = felt_data_from;
    for (uint32_t *to = felt_data_begin; to < felt_data_end; to++)
        *to = *from++;
    for (uint32_t *to = felt_bss_begin; to < felt_bss_end; to++)
        *to = 0;
    for (uint32_t *to = felt_bss_end; to < felt_stack_free; to++)
        *to = UNUSED;
    felt_main();
    felt_hang();
}

size_t felt_mps2_stack(void)
{
    const uint32_t *lowest = felt_bss_end;
    while (lowest < felt_stack && *lowest == UNUSED)
        lowest++;
    return (size_t)(felt_stack - lowest) * sizeof *lowest;
}

struct felt_vectors {
    uint32_t *stack;
    void (*handlers[5])(void); /* reset, and faults; no interrupt is ever let through */
};

extern const struct felt_vectors felt_vectors;
__attribute__((section(".vectors"), used)) const struct felt_vectors felt_vectors = {
    felt_stack, {felt_reset, felt_hang, felt_hang, felt_hang, felt_hang}};
