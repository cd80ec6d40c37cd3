// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "findings.h"

#include <stdio.h>
#include <stdlib.h>

#include "options.h"

// Make room for `count` things of `size` bytes; what is there is not kept.
static bool make_room(void** list, int* room, int count, size_t size, WeftError* error) {
    free(*list);
    *list = malloc((size_t)count * size);
    *room = *list ? count : 0;
    if (*list) return true;
    error->result = WEFT_ERROR_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    return false;
}

WeftResult find_crossings(Findings* findings, const WeftSurface* surfaces, int count,
                          WeftError* error) {
    Findings* f = findings;
    WeftResult result = weft_find_crossings(surfaces, count, NULL, f->crossing_room, f->crossings,
                                            &f->crossing_count, error);
    if (result || f->crossing_count <= f->crossing_room) return result;
    void* list = f->crossings;
    bool good = make_room(&list, &f->crossing_room, f->crossing_count, sizeof *f->crossings, error);
    f->crossings = list;
    if (!good) return WEFT_ERROR_MEMORY;
    return weft_find_crossings(surfaces, count, NULL, f->crossing_room, f->crossings,
                               &f->crossing_count, error);
}

// Each cloth may be inside of each body.
static int most_places(const WeftSurface* surfaces, int count) {
    int bodies = 0;
    for (int i = 0; i < count; i++) bodies += surfaces[i].body;
    return bodies * (count - bodies);
}

WeftResult find_inside(Findings* findings, const WeftSurface* surfaces, int count,
                       const bool* planes, WeftError* error) {
    Findings* f = findings;
    int most = most_places(surfaces, count);
    if (most > f->place_room) {
        void* list = f->places;
        bool good = make_room(&list, &f->place_room, most, sizeof *f->places, error);
        f->places = list;
        if (!good) return WEFT_ERROR_MEMORY;
    }
    return weft_find_inside(surfaces, count, planes, NULL, f->place_room, f->places,
                            &f->place_count, error);
}

void free_findings(Findings* findings) {
    free(findings->crossings);
    free(findings->places);
}

int fail_findings(const WeftError* error) {
    fprintf(stderr, "%s\n", error->message);
    return error->result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}
