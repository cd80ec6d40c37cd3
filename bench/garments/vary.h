// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns made of others: longer, narrower, of other shapes. The same ones in every run.

#ifndef WEFT_BENCH_GARMENTS_VARY_H
#define WEFT_BENCH_GARMENTS_VARY_H

#include "files.h"
#include "fitting.h"

typedef struct Variation {
    int garment;    // of the list
    char text[48];  // "girths x 0.90"
    double edge;    // m
    WeftPattern pattern;
} Variation;

// One of many, for somebody. Fails where the pattern does not pass weft_repair_pattern.
WeftResult make_variation(const FileList* garments, int index, const Wearer* wearer,
                          Variation* variation, WeftError* error);

// Zeroed memory from where the pattern has its own, and back.
void* pattern_memory(const WeftPattern* pattern, size_t count, size_t size);
void release_memory(const WeftPattern* pattern, void* memory);

#endif
