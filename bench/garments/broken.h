// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns that are broken on purpose: a skirt of two panels with one thing wrong.

#ifndef WEFT_BENCH_GARMENTS_BROKEN_H
#define WEFT_BENCH_GARMENTS_BROKEN_H

#include "weft/weft_io.h"

enum { BROKEN_COUNT = 26 };

typedef struct Broken {
    const char* what;
    bool mended;          // it can be, and worn then; else it is refused
    const char* culprit;  // what a message has to name
    // in its text, a part that is there once, and what takes its place; or NULL and all of it;
    const char *from, *to;
    // or where no text can say it, in the pattern
    void (*spoil)(WeftPattern* pattern);
} Broken;

extern const Broken broken_patterns[BROKEN_COUNT];

// Reads it, spoils it, repairs it. *pattern is there only where that succeeds.
WeftResult make_broken(int index, WeftPattern* pattern, WeftFindings* findings, WeftError* error);

#endif
