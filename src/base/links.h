// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sets that are joined one by one: every member links to an earlier one of its set, the first to
// itself.

#ifndef WF_BASE_LINKS_H
#define WF_BASE_LINKS_H

// The first of the set of i; ways there get shorter.
static inline int wf_first_linked(int* links, int i) {
    while (links[i] != i) i = links[i] = links[links[i]];
    return i;
}

static inline void wf_link(int* links, int i, int j) {
    int a = wf_first_linked(links, i), b = wf_first_linked(links, j);
    links[a < b ? b : a] = a < b ? a : b;
}

#endif
