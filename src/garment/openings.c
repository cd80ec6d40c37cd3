// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What goes through an opening of a garment, a neck, a waist or a limb, has to fit into the polygon
// that the edges around it make. Around a circle, a polygon of n edges is longer by
//
//     n          3      4      5      6      8
//             65 %   27 %   16 %   10 %    5 %
//
// Patterns have ease for the last of these. With fewer edges cloth is stretched by what is missing
// (the T-shirt with 3 around its sleeves by 60 %), or still crosses the body at the end: of the
// garments that come with weft, from 4 on.

#include "garment/openings.h"

#include <math.h>

#include "base/error.h"
#include "base/links.h"
#include "base/memory.h"

enum { FEWEST_EDGES = 5 };
#define NARROWEST 0.05  // of the body's height: slits are narrower, a wrist has 0.075
#define LONG_EDGE 2     // times the usual ones: shorter edges are let be, for tight cuffs

// Sides that are sewn to nothing and hang together.
typedef struct Opening {
    int edges;
    double length, longest;  // m
    int panel;               // of the longest side
} Opening;

// Per side: whether it is in a seam. `panels`: whether one of theirs is.
static void find_sewn(const WeftPattern* pattern, const WeftGarment* g, bool* sides, bool* panels) {
    for (int i = 0; i < pattern->seam_count; i++)
        for (int c = 0; c < 2; c++)
            for (int k = 0; k < pattern->seams[i].count[c]; k++) {
                WeftSideName name = pattern->seams[i].chain[c][k];
                sides[g->first_side[name.panel] + name.side] = panels[name.panel] = true;
            }
}

// `openings`: of every vertex that is the first of one.
static void find_openings(const WeftPattern* pattern, const WeftGarment* g, const bool* sewn,
                          int* links, Opening* openings) {
    for (int v = 0; v < g->mesh.vertex_count; v++) links[v] = v;
    for (int s = 0; s < g->side_count; s++)
        for (int i = g->side_start[s] + 1; i < g->side_start[s + 1] && !sewn[s]; i++)
            wf_link(links, g->side_vertices[i - 1], g->side_vertices[i]);
    for (int p = 0; p < g->panel_count; p++) {
        for (int s = g->first_side[p]; s < g->first_side[p + 1]; s++) {
            if (sewn[s]) continue;
            double length = weft_side_length(&pattern->panels[p], s - g->first_side[p]);
            Opening* o = &openings[wf_first_linked(links, g->side_vertices[g->side_start[s]])];
            o->edges += g->side_start[s + 1] - g->side_start[s] - 1;
            o->length += length;
            if (length > o->longest) o->longest = length, o->panel = p;
        }
    }
}

static WeftResult check_openings(const WeftPattern* pattern, const WeftGarment* g, double height,
                                 WeftError* error) {
    const WeftAllocator* a = &g->allocator;
    size_t n = (size_t)g->mesh.vertex_count;
    bool* sewn = wf_alloc(a, (size_t)g->side_count, sizeof *sewn);
    bool* panels = wf_alloc(a, (size_t)g->panel_count, sizeof *panels);
    int* links = wf_alloc(a, n, sizeof *links);
    Opening* openings = wf_alloc(a, n, sizeof *openings);
    WeftResult result = sewn && panels && links && openings ? WEFT_OK : wf_fail_memory(error);
    if (!result) {
        find_sewn(pattern, g, sewn, panels);
        find_openings(pattern, g, sewn, links, openings);
    }
    for (size_t v = 0; v < n && !result; v++) {
        const Opening* o = &openings[v];
        bool wide = o->edges == 0 || o->edges >= FEWEST_EDGES;
        // around a panel that is sewn to nothing is no opening
        if (wide || o->length < NARROWEST * height || !panels[o->panel]) continue;
        result = wf_fail(error, WEFT_ERROR_INPUT,
                         "panel \"%s\" has %d edges around its opening of %.2f m, fewer than %d",
                         pattern->panels[o->panel].name, o->edges, o->length, FEWEST_EDGES);
    }
    wf_free(a, sewn);
    wf_free(a, panels);
    wf_free(a, links);
    wf_free(a, openings);
    return result;
}

static WeftResult sew(const WeftPattern* pattern, double edge, double height,
                      const WeftAllocator* allocator, WeftGarment* garment, WeftFindings* findings,
                      WeftError* error) {
    WeftResult result = weft_sew_pattern(pattern, edge, allocator, garment, findings, error);
    if (result || edge <= LONG_EDGE * WF_COARSE_EDGE * height) return result;
    result = check_openings(pattern, garment, height, error);
    if (result) weft_destroy_garment(garment);
    return result;
}

WeftResult wf_sew_worn(const WeftPattern* pattern, double edge, double height,
                       const WeftAllocator* allocator, WeftGarment* garment, WeftFindings* findings,
                       WeftError* error) {
    WeftResult result = sew(pattern, edge, height, allocator, garment, findings, error);
    if (result != WEFT_ERROR_INPUT || !isfinite(edge)) return result;
    for (double less = edge; less > WF_COARSE_EDGE * height;) {
        WeftGarment other;
        less = floor(700 * less) / 1000;  // whole millimetres
        if (sew(pattern, less, height, allocator, &other, NULL, NULL)) continue;
        weft_destroy_garment(&other);
        return wf_fail_prefix(error, result, "edges of %g m are too long, %g m will do: ", edge,
                              less);
    }
    return result;
}
