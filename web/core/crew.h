// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Threads of the page: workers of the browser that run the same module on the same memory. Where
// the host allows no shared memory there is nobody, and all is done by who calls.

#ifndef WEFT_WEB_CREW_H
#define WEFT_WEB_CREW_H

#include "weft/weft.h"

// For models: whoever is there helps, and the bits are the same with any number. Zero-initialised
// outside of WebAssembly.
WeftJobs crew_jobs(void);

// One more helper is about to begin, 31 at most: its stack, by the end where it starts; NULL where
// memory is short.
void* play_seat(void);
// What the helper then does, on that stack, for as long as its worker lives. `seat`: 0 for the
// first one, 1 for the next.
void play_help(int seat);
// How many helpers did something since the last call.
int play_helpers(void);

#endif
