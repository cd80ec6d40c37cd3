// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which panels of a pattern are mirror images of each other, where they are placed: those whose
// sides, mirrored and the other way round, are nearest to each other in space. How they are drawn
// in their planes does not matter.
//
// Points of the outline are numbered along it, WF_MIRROR_PARTS per side. If side i is the image of
// side o - i, then point k is that of point PARTS (o + 1) - k.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "garment/mirror.h"
#include "garment/pattern.h"
#include "mesh/curve.h"

enum { PARTS = WF_MIRROR_PARTS };
#define ALIKE 1e-6    // m: of panels that are as near as this, names decide
#define FARTHEST 0.1  // m: beyond it a panel is no image

// ---------------------------------------------------------------------------------------------
// Points

// `side` after `side` of a loop, `stride` bytes apart.
static WeftResult sample_loop(const WeftAllocator* allocator, const WeftPanelPlace* place,
                              const WeftSide* sides, size_t stride, WfMirrorLoop* loop) {
    int count = loop->side_count;
    const char* bytes = (const char*)sides;
    loop->points = wf_alloc(allocator, (size_t)count * PARTS, sizeof *loop->points);
    if (!loop->points) return WEFT_ERROR_MEMORY;
    for (int s = 0; s < count; s++) {
        const WeftSide* before =
            (const WeftSide*)(const void*)(bytes + stride * (size_t)(s > 0 ? s - 1 : count - 1));
        const WeftSide* side = (const WeftSide*)(const void*)(bytes + stride * (size_t)s);
        for (int k = 0; k < PARTS; k++) {
            double flat[2];
            wf_side_point(before->end, side, (double)k / PARTS, flat);
            WfVec point = wf_panel_place(place, flat[0], flat[1]);
            loop->points[s * PARTS + k] = point;
            loop->x += point.x / (count * PARTS);
        }
    }
    return WEFT_OK;
}

static WeftResult sample_panels(const WeftAllocator* allocator, const WeftPattern* pattern,
                                WfMirrorPairs* pairs) {
    WeftResult result = WEFT_OK;
    for (int p = 0; p < pattern->panel_count && !result; p++) {
        const WeftPanel* panel = &pattern->panels[p];
        pairs->first[p] = pairs->loop_count;
        for (int i = 0; i <= panel->hole_count && !result; i++) {
            WfMirrorLoop* loop = &pairs->loops[pairs->loop_count++];
            *loop = (WfMirrorLoop){.panel = p, .partner = -1};
            loop->side_count = i == 0 ? panel->side_count : panel->holes[i - 1].side_count;
            result = i == 0 ? sample_loop(allocator, &panel->place, &panel->sides->curve,
                                          sizeof *panel->sides, loop)
                            : sample_loop(allocator, &panel->place, panel->holes[i - 1].sides,
                                          sizeof(WeftSide), loop);
        }
    }
    pairs->first[pattern->panel_count] = pairs->loop_count;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Pairs

// The largest distance between points and images; *side: of a, where.
static double measure(const WfMirrorLoop* a, const WfMirrorLoop* b, int offset, int* side) {
    int n = PARTS * a->side_count;
    double worst = 0;
    *side = 0;
    for (int k = 0; k < n; k++) {
        WfVec x = a->points[k], y = b->points[((PARTS * (offset + 1) - k) % n + n) % n];
        x.x = -x.x;
        double distance = wf_length(wf_sub(x, y));
        if (distance > worst) worst = distance, *side = k / PARTS;
    }
    return worst;
}

// How b is most nearly the image of a.
static WfMirrorLoop match(const WfMirrorPairs* pairs, int a, int b) {
    WfMirrorLoop best = pairs->loops[a];
    best.deviation = HUGE_VAL;
    best.partner = b;
    if (best.side_count != pairs->loops[b].side_count) return best;
    for (int offset = 0; offset < best.side_count; offset++) {
        int side;
        double deviation = measure(&pairs->loops[a], &pairs->loops[b], offset, &side);
        if (deviation >= best.deviation) continue;
        best.deviation = deviation;
        best.offset = offset;
        best.side = side;
    }
    return best;
}

// a and what it was matched with.
static void set_pair(WfMirrorPairs* pairs, int a, const WfMirrorLoop* found) {
    int b = found->partner;
    pairs->loops[a] = *found;
    if (a == b) return;
    WfMirrorLoop* other = &pairs->loops[b];
    other->partner = a;
    other->offset = found->offset;  // i = offset - (offset - i)
    other->deviation = found->deviation;
    int n = found->side_count;
    other->side = ((found->offset - found->side) % n + n) % n;
}

static bool is_free(const WfMirrorPairs* pairs, int loop) { return pairs->loops[loop].partner < 0; }

static bool are_called_so(const WeftPanel* a, const WeftPanel* b) {
    char name[WEFT_NAME_SIZE];
    memcpy(name, a->name, sizeof name);
    wf_swap_hands(name);
    return strcmp(name, b->name) == 0;
}

// A panel that comes first: its image is itself or one of those after it.
static void pair_panel(const WeftPattern* pattern, WfMirrorPairs* pairs, int p) {
    WfMirrorLoop best = {.deviation = HUGE_VAL};
    int found = -1;
    for (int q = p; q < pattern->panel_count; q++) {
        if (!is_free(pairs, pairs->first[q])) continue;
        WfMirrorLoop other = match(pairs, pairs->first[p], pairs->first[q]);
        bool nearer = other.deviation < best.deviation - ALIKE;
        bool as_near = found > p && fabs(other.deviation - best.deviation) < ALIKE;
        if (!nearer && !(as_near && are_called_so(&pattern->panels[p], &pattern->panels[q])))
            continue;
        best = other;
        found = q;
    }
    if (found < 0 || best.deviation > FARTHEST) return;
    set_pair(pairs, pairs->first[p], &best);
    pairs->partner[p] = found;
    pairs->partner[found] = p;
}

// The holes of a panel, and of its image.
static void pair_holes(WfMirrorPairs* pairs, int p) {
    int q = pairs->partner[p];
    for (int a = pairs->first[p] + 1; a < pairs->first[p + 1]; a++) {
        WfMirrorLoop best = {.deviation = HUGE_VAL};
        if (!is_free(pairs, a)) continue;
        for (int b = pairs->first[q] + 1; b < pairs->first[q + 1]; b++) {
            if (!is_free(pairs, b)) continue;
            WfMirrorLoop other = match(pairs, a, b);
            if (other.deviation < best.deviation) best = other;
        }
        if (best.deviation < FARTHEST) set_pair(pairs, a, &best);
    }
}

WeftResult wf_find_mirror_pairs(const WeftAllocator* allocator, const WeftPattern* pattern,
                                WfMirrorPairs* pairs, WeftError* error) {
    size_t panels = (size_t)pattern->panel_count, loops = panels;
    for (size_t p = 0; p < panels; p++) loops += (size_t)pattern->panels[p].hole_count;
    *pairs = (WfMirrorPairs){.loops = wf_alloc(allocator, loops, sizeof *pairs->loops),
                             .first = wf_alloc(allocator, panels + 1, sizeof *pairs->first),
                             .partner = wf_alloc(allocator, panels, sizeof *pairs->partner)};
    bool good = pairs->loops && pairs->first && pairs->partner;
    if (!good || sample_panels(allocator, pattern, pairs)) return wf_fail_memory(error);
    for (size_t p = 0; p < panels; p++) pairs->partner[p] = -1;
    for (int p = 0; p < pattern->panel_count; p++)
        if (is_free(pairs, pairs->first[p])) pair_panel(pattern, pairs, p);
    for (int p = 0; p < pattern->panel_count; p++)
        if (pairs->partner[p] >= 0) pair_holes(pairs, p);
    return WEFT_OK;
}

void wf_destroy_mirror_pairs(const WeftAllocator* allocator, WfMirrorPairs* pairs) {
    for (int i = 0; i < pairs->loop_count; i++) wf_free(allocator, pairs->loops[i].points);
    wf_free(allocator, pairs->loops);
    wf_free(allocator, pairs->first);
    wf_free(allocator, pairs->partner);
    *pairs = (WfMirrorPairs){0};
}
