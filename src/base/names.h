// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Names in order, to find one among thousands.

#ifndef WF_BASE_NAMES_H
#define WF_BASE_NAMES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct WfName {
    const char* text;  // borrowed
    int index;
} WfName;

static inline int wf_compare_names(const void* left, const void* right) {
    const WfName *a = left, *b = right;
    int order = strcmp(a->text, b->text);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static inline void wf_sort_names(WfName* names, int count) {
    qsort(names, (size_t)count, sizeof *names, wf_compare_names);
}

// The lowest index of these bytes, or -1.
static inline int wf_find_name(const WfName* names, int count, const char* text, size_t length) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strncmp(names[middle].text, text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    // what is longer comes behind
    bool found = low < count && strncmp(names[low].text, text, length) == 0;
    return found && !names[low].text[length] ? names[low].index : -1;
}

#endif
