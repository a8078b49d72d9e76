/* Tells callgrind what to count, from Python: see benchmarks/instructions.py.  Outside of valgrind each does nothing. */
#include <valgrind/callgrind.h>

void felt_count_begin(void) { CALLGRIND_START_INSTRUMENTATION; }

void felt_count_switch(void) { CALLGRIND_TOGGLE_COLLECT; }

void felt_count_done(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
