// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "bench.h"

static double seconds(clockid_t id) {
    struct timespec time;
    clock_gettime(id, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double thread_time(void* user) {
    (void)user;
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

double wall_time(void* user) {
    (void)user;
    return seconds(CLOCK_MONOTONIC);
}
