// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The seams of a pattern between the sides of its halves: those of one half with their images,
// those that run across the plane in two, and those in the plane, where one chain is the image of
// the other.

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/mirror_halving.h"

// A chain of new sides; it has room for all.
typedef struct Chain {
    int count;
    WeftSideName* names;
} Chain;

static void expand_chain(const WfHalving* h, const WeftSeam* seam, int k, Chain* chain) {
    chain->count = 0;
    for (int i = 0; i < seam->count[k]; i++) {
        const WfPiece* piece = wf_piece_of(h, seam->chain[k][i]);
        // a side that lies across the plane is in the middle of a chain that does: its first piece
        // is on the side of what comes before it
        bool back = i > 0 && piece->count == 2 &&
                    wf_panel_follows(&h->to, chain->names[chain->count - 1].panel) !=
                        wf_panel_follows(&h->to, piece->names[0].panel);
        for (int j = 0; j < piece->count; j++)
            chain->names[chain->count++] = piece->names[back ? piece->count - 1 - j : j];
    }
}

static bool add_seam(WfHalving* h, const WeftSeam* like, Chain a, Chain b) {
    WeftSeam* seam = &h->to.seams[h->to.seam_count++];
    const Chain chains[2] = {a, b};
    *seam = *like;
    seam->chain[0] = seam->chain[1] = NULL;
    for (int k = 0; k < 2; k++) {
        size_t count = (size_t)chains[k].count;
        seam->chain[k] = wf_alloc(&h->memory, count, sizeof *seam->chain[k]);
        if (!seam->chain[k]) return false;
        seam->count[k] = (int)count;
        memcpy(seam->chain[k], chains[k].names, count * sizeof *seam->chain[k]);
    }
    return true;
}

// The images of a chain's sides, the other way round.
static void mirror_chain(const WfHalving* h, Chain from, Chain* to) {
    to->count = from.count;
    for (int i = 0; i < from.count; i++)
        to->names[i] = wf_side_image(&h->to, from.names[from.count - 1 - i]);
}

// With its image.
static bool add_seams(WfHalving* h, const WeftSeam* like, Chain a, Chain b, Chain scratch[2]) {
    mirror_chain(h, a, &scratch[0]);
    mirror_chain(h, b, &scratch[1]);
    return add_seam(h, like, a, b) && add_seam(h, like, scratch[0], scratch[1]);
}

// Where a chain of new sides begins, on which side of the plane.
static bool begins_in_front(const WfHalving* h, Chain chain) {
    return !wf_panel_follows(&h->to, chain.names[0].panel);
}

static bool add_split(WfHalving* h, const WeftSeam* like, Chain a, Chain b, Chain scratch[2]) {
    bool same = like->ends == WEFT_SEAM_SAME;
    if (like->ends == WEFT_SEAM_AUTO) same = begins_in_front(h, a) == begins_in_front(h, b);
    a.count /= 2;
    b.count /= 2;
    if (!same) b.names += b.count;
    return add_seams(h, like, a, b, scratch);
}

// One chain is the image of the other: each point is sewn to its own image, where the seam does not
// say otherwise.
static bool add_middle(WfHalving* h, const WeftSeam* like, Chain a, Chain b, Chain scratch[2]) {
    WeftSeam seam = *like;
    mirror_chain(h, a, &scratch[0]);
    if (seam.ends == WEFT_SEAM_AUTO)
        seam.ends = WEFT_SEAM_OPPOSITE;
    else if (!wf_is_side(scratch[0].names[0], b.names[0]))  // listed the other way round
        seam.ends = seam.ends == WEFT_SEAM_SAME ? WEFT_SEAM_OPPOSITE : WEFT_SEAM_SAME;
    return add_seam(h, &seam, a, scratch[0]);
}

static bool is_own_image(const WfHalving* h, Chain chain) {
    WeftSideName last = wf_side_image(&h->to, chain.names[chain.count - 1]);
    return chain.count % 2 == 0 && wf_is_side(last, chain.names[0]);
}

static bool halve_seam(WfHalving* h, int s, Chain chains[4]) {
    const WeftSeam *seam = &h->from->seams[s], *other = &h->from->seams[h->partners[s]];
    if (seam->ends == WEFT_SEAM_AUTO) seam = other;  // which may say more
    expand_chain(h, seam, 0, &chains[0]);
    expand_chain(h, seam, 1, &chains[1]);
    Chain* scratch = chains + 2;
    if (h->partners[s] != s) return add_seams(h, seam, chains[0], chains[1], scratch);
    bool across = is_own_image(h, chains[0]) && is_own_image(h, chains[1]);
    return across ? add_split(h, seam, chains[0], chains[1], scratch)
                  : add_middle(h, seam, chains[0], chains[1], scratch);
}

WeftResult wf_halve_seams(WfHalving* h) {
    Chain chains[4] = {0};
    size_t most = 1;
    bool good = true;
    for (int s = 0; s < h->from->seam_count; s++)
        for (int k = 0; k < 2; k++)
            if ((size_t)h->from->seams[s].count[k] > most)
                most = (size_t)h->from->seams[s].count[k];
    for (int i = 0; i < 4; i++) {
        chains[i].names = wf_alloc(&h->memory, 2 * most, sizeof(WeftSideName));
        good = good && chains[i].names;
    }
    for (int s = 0; s < h->from->seam_count && good; s++)
        if (h->partners[s] >= s) good = halve_seam(h, s, chains);
    for (int i = 0; i < 4; i++) wf_free(&h->memory, chains[i].names);
    return good ? WEFT_OK : wf_fail_memory(h->error);
}
