// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sets that are joined one by one: every member links to an earlier one of its set, the first to
// itself. Members may be turned, each as the one that it links to or the other way round.

#ifndef WF_BASE_LINKS_H
#define WF_BASE_LINKS_H

#include <stdbool.h>

// The first of the set of i; ways there get shorter.
static inline int wf_first_linked(int* links, int i) {
    while (links[i] != i) i = links[i] = links[links[i]];
    return i;
}

static inline void wf_link(int* links, int i, int j) {
    int a = wf_first_linked(links, i), b = wf_first_linked(links, j);
    links[a < b ? b : a] = a < b ? a : b;
}

// The same where `turned` says of every member whether it is turned against the one it links to:
// *is_turned, whether i is against the first.
static inline int wf_first_faced(int* links, bool* turned, int i, bool* is_turned) {
    *is_turned = false;
    while (links[i] != i) {
        turned[i] ^= turned[links[i]];
        links[i] = links[links[i]];
        *is_turned ^= turned[i];
        i = links[i];
    }
    return i;
}

// Join the sets of i and j, which are turned against each other or not. False where they are in one
// set already, and not so.
static inline bool wf_link_faced(int* links, bool* turned, int i, int j, bool apart) {
    bool x, y;
    int a = wf_first_faced(links, turned, i, &x), b = wf_first_faced(links, turned, j, &y);
    if (a == b) return (x ^ y) == apart;
    links[a < b ? b : a] = a < b ? a : b;
    turned[a < b ? b : a] = x ^ y ^ apart;
    return true;
}

#endif
