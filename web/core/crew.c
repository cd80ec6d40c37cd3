// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "crew.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __wasm__

enum { STACK = 1 << 19 };   // bytes
enum { PATIENCE = 2000 };   // looks around before one sleeps; jobs of a step follow closely
enum { NAP = 100 * 1000 };  // nanoseconds between looks for blocks that others still run
enum { EVERYBODY = 1 << 30 };

// Block and context are written while nobody has a block, and read by those who took one.
static struct {
    atomic_int left;     // blocks that nobody has taken
    atomic_int running;  // blocks that are not done
    atomic_int signal;   // goes up with every job
    atomic_int asleep;
    atomic_uint worked;  // a bit for every seat
    int seats;
    void (*block)(void* context, int index);
    void* context;
} crew;

// As long as *at is `value`, until somebody wakes it or the time is over; -1: for ever.
static void sleep_at(atomic_int* at, int value, long long nanoseconds) {
    __builtin_wasm_memory_atomic_wait32((int*)at, value, nanoseconds);
}

static void wake_at(atomic_int* at, unsigned count) {
    __builtin_wasm_memory_atomic_notify((int*)at, count);
}

// `seat`: the bit of the helper, 0 for who calls the library.
static bool take_block(unsigned seat) {
    int left = atomic_load(&crew.left);
    while (left > 0)
        if (atomic_compare_exchange_weak(&crew.left, &left, left - 1)) {
            if (seat) atomic_fetch_or(&crew.worked, seat);
            crew.block(crew.context, left - 1);
            if (atomic_fetch_sub(&crew.running, 1) == 1) wake_at(&crew.running, 1);
            return true;
        }
    return false;
}

static void wait_for_others(void) {
    int running, looks = 0;
    while ((running = atomic_load(&crew.running)) > 0)
        if (++looks > PATIENCE) sleep_at(&crew.running, running, NAP);
}

static void run(void* unused, int block_count, void (*block)(void* context, int index),
                void* context) {
    (void)unused;
    if (crew.seats == 0) {
        for (int i = 0; i < block_count; i++) block(context, i);
        return;
    }
    crew.block = block;
    crew.context = context;
    atomic_store(&crew.running, block_count);
    atomic_store(&crew.left, block_count);
    atomic_fetch_add(&crew.signal, 1);
    if (atomic_load(&crew.asleep) > 0) wake_at(&crew.signal, EVERYBODY);
    while (take_block(0)) continue;
    wait_for_others();
}

WeftJobs crew_jobs(void) { return (WeftJobs){.run = run}; }

void* play_seat(void) {
    char* stack = aligned_alloc(16, STACK);
    if (!stack) return NULL;
    crew.seats++;
    return stack + STACK;
}

void play_help(int seat) {
    for (;;) {
        int seen = atomic_load(&crew.signal);
        for (int looks = 0; looks < PATIENCE; looks++)
            if (take_block(1u << seat)) looks = 0;
        atomic_fetch_add(&crew.asleep, 1);
        sleep_at(&crew.signal, seen, -1);
        atomic_fetch_sub(&crew.asleep, 1);
    }
}

int play_helpers(void) { return __builtin_popcount(atomic_exchange(&crew.worked, 0)); }

#else

WeftJobs crew_jobs(void) { return (WeftJobs){0}; }
void* play_seat(void) { return NULL; }
void play_help(int seat) { (void)seat; }
int play_helpers(void) { return 0; }

#endif
