// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t wanted;

static void want_stop(int signal_number) {
    (void)signal_number;
    wanted = 1;
}

void catch_stop(void) {
    struct sigaction action = {.sa_flags = SA_RESETHAND};
    action.sa_handler = want_stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool stop_wanted(void) { return wanted; }
