// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/part.c: limbs that a pose brings too near, or through each other, give way by
// what is missing, and nothing else moves.

#include "garment/part.h"

#include "base/memory.h"
#include "base/vec.h"
#include "counting.h"
#include "test.h"
#include "weft/weft_io.h"

#define PI 3.14159265358979324
enum { SIDES = 20, RINGS = 24, LIMB = SIDES * (RINGS + 1) + 2 };
enum { LIMB_TRIANGLES = 2 * SIDES * RINGS + 2 * SIDES };

// Two upright limbs, each with a bone at its upper end, 4 cm apart: 0.5 m long, 12 cm thick.
#define RADIUS 0.06
#define HALF 0.08  // from the middle to each axis

typedef struct Pair {
    WeftFigure figure;
    double rest[6 * LIMB], posed[6 * LIMB], rotations[8], translations[6], weights[8 * LIMB];
    int triangles[6 * LIMB_TRIANGLES], skin[8 * LIMB];
    WeftBone bones[2];
    WeftClip clip;
} Pair;

static Counting counting;

// Along a meridian of a limb, from 0 at its lower tip to 1: its radius (of 1) and its height.
static void find_ring(double part, double* wide, double* high) {
    double arc = RADIUS * PI / 2, along = part * (2 * arc + 0.5 - 2 * RADIUS);
    double from_end = fmin(along, 2 * arc + 0.5 - 2 * RADIUS - along);
    double turn = fmin(from_end / RADIUS, PI / 2);
    double up = RADIUS * (1 - cos(turn)) + fmax(from_end - arc, 0);
    *wide = sin(turn);
    *high = part < 0.5 ? up : 0.5 - up;
}

static void add_limb(Pair* p, int limb, double at, double depth) {
    int first = limb * LIMB;
    int* t = p->triangles + 3 * limb * LIMB_TRIANGLES;
    for (int i = 0; i <= RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            double angle = 2 * PI * k / SIDES, wide, high;
            find_ring((i + 1.0) / (RINGS + 2), &wide, &high);
            wf_store(p->rest, first + SIDES * i + k,
                     (WfVec){at + wide * RADIUS * cos(angle), high, -wide * depth * sin(angle)});
        }
    wf_store(p->rest, first + LIMB - 2, (WfVec){at, 0, 0});
    wf_store(p->rest, first + LIMB - 1, (WfVec){at, 0.5, 0});
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++, t += 6) {
            int a = first + SIDES * i + k, b = first + SIDES * i + (k + 1) % SIDES;
            const int cell[6] = {a, b, b + SIDES, a, b + SIDES, a + SIDES};
            memcpy(t, cell, sizeof cell);
        }
    for (int k = 0; k < SIDES; k++, t += 6) {
        int next = (k + 1) % SIDES, top = first + SIDES * RINGS;
        const int lids[6] = {first + LIMB - 2, first + next, first + k,
                             first + LIMB - 1, top + k,      top + next};
        memcpy(t, lids, sizeof lids);
    }
    for (int v = first; v < first + LIMB; v++) {
        p->skin[4 * v] = limb;
        p->weights[4 * v] = 1;
    }
    p->bones[limb] = (WeftBone){.parent = -1, .head = {at, 0.5, 0}, .rotation = {0, 0, 0, 1}};
    p->rotations[4 * limb + 3] = 1;
    p->translations[3 * limb] = at, p->translations[3 * limb + 1] = 0.5;
}

static Pair* make_pair(double gap) {
    Pair* p = calloc(1, sizeof *p);
    for (int limb = 0; limb < 2; limb++) add_limb(p, limb, limb ? HALF : -HALF, RADIUS);
    p->clip = (WeftClip){.name = "pose",
                         .rate = 1,
                         .frame_count = 1,
                         .rotations = p->rotations,
                         .translations = p->translations};
    p->figure = (WeftFigure){.vertex_count = 2 * LIMB,
                             .positions = p->rest,
                             .triangle_count = 2 * LIMB_TRIANGLES,
                             .triangles = p->triangles,
                             .bone_count = 2,
                             .bones = p->bones,
                             .skin_bones = p->skin,
                             .skin_weights = p->weights,
                             .clip_count = 1,
                             .clips = &p->clip,
                             .gap = gap,
                             .allocator = counting_allocator(&counting)};
    return p;
}

// Each limb swings about z at its upper end, inwards by so many degrees.
static void swing(Pair* p, double degrees) {
    for (int limb = 0; limb < 2; limb++) {
        double half = (limb ? -1 : 1) * degrees * PI / 360;
        p->rotations[4 * limb + 2] = sin(half);
        p->rotations[4 * limb + 3] = cos(half);
    }
    CHECK(weft_pose_figure(&p->figure, 0, 0, p->posed, NULL) == WEFT_OK);
    CHECK(counting.live == 0);
}

static int crossings(const Pair* p, const double* positions) {
    WeftSurface surface = {p->figure.vertex_count, positions, p->figure.triangle_count,
                           p->triangles, false};
    WeftCrossing found[1];
    int count = -1;
    CHECK(weft_find_crossings(&surface, 1, NULL, 1, found, &count, NULL) == WEFT_OK);
    return count;
}

// The least distance between vertices of the two limbs that face each other across the middle.
static double clearance(const Pair* p, double until) {
    double left = -HUGE_VAL, right = HUGE_VAL;
    for (int v = 0; v < LIMB; v++) {
        if (p->posed[3 * v + 1] < until) left = fmax(left, p->posed[3 * v]);
        if (p->posed[3 * (v + LIMB) + 1] < until) right = fmin(right, p->posed[3 * (v + LIMB)]);
    }
    return right - left;
}

static double moved_from(const double* a, const double* b, int v) {
    return wf_length(wf_sub(wf_load(a, v), wf_load(b, v)));
}

// ---------------------------------------------------------------------------------------------

// Also where limbs are nearer at rest than the gap.
static void rest_is_left_alone(void) {
    for (int i = 0; i < 3; i++) {
        Pair *p = make_pair(0.015 + 0.04 * i), *free_pair = make_pair(0);
        CHECK(weft_pose_figure(&p->figure, -1, 0, p->posed, NULL) == WEFT_OK);
        CHECK(weft_pose_figure(&free_pair->figure, -1, 0, free_pair->posed, NULL) == WEFT_OK);
        CHECK(memcmp(p->posed, free_pair->posed, sizeof p->posed) == 0);
        memcpy(p->posed, p->rest, sizeof p->rest);
        CHECK(wf_part_limbs(&p->figure, p->posed) == WEFT_OK);
        CHECK(memcmp(p->posed, p->rest, sizeof p->rest) == 0);
        free(p);
        free(free_pair);
    }
}

static void far_limbs_are_left_alone(void) {
    Pair *p = make_pair(0.01), *free_pair = make_pair(0);
    swing(p, -10);
    swing(free_pair, -10);
    CHECK(memcmp(p->posed, free_pair->posed, sizeof p->posed) == 0);
    free(p);
    free(free_pair);
}

static void no_gap_changes_nothing(void) {
    Pair* p = make_pair(0);
    swing(p, 6);
    CHECK(crossings(p, p->posed) > 0);
    // by bones alone: the lower end is where the rotation has it
    WfVec low = wf_load(p->posed, LIMB - 2);
    CHECK_NEAR(low.x, -HALF + 0.5 * sin(6 * PI / 180), 1e-12);
    CHECK_NEAR(low.y, 0.5 - 0.5 * cos(6 * PI / 180), 1e-12);
    free(p);
}

// From almost touching to 4 cm through each other: apart by about the gap.
static void crossed_limbs_part(void) {
    static const double degrees[5] = {2, 2.5, 3.5, 4.5, 5.5};
    for (int i = 0; i < 5; i++) {
        Pair *p = make_pair(0.012), *crossed = make_pair(0);
        swing(p, degrees[i]);
        swing(crossed, degrees[i]);
        if (i > 1) CHECK(crossings(crossed, crossed->posed) > 0);
        CHECK(crossings(p, p->posed) == 0);
        CHECK(clearance(p, 0.25) > 0.008);
        CHECK_BELOW(clearance(p, 0.25), 0.03);
        free(p);
        free(crossed);
    }
}

// The far side of each limb, and its upper end, are where the bones have them.
static void far_side_is_left_alone(void) {
    Pair *p = make_pair(0.012), *crossed = make_pair(0);
    swing(p, 4);
    swing(crossed, 4);
    double far = 0, up = 0, near = 0;
    for (int v = 0; v < 2 * LIMB; v++) {
        double moved = moved_from(p->posed, crossed->posed, v);
        double out = p->rest[3 * v] * (v < LIMB ? -1 : 1) - HALF;  // from the axis
        if (out > 0.8 * RADIUS) far = fmax(far, moved);
        if (p->rest[3 * v + 1] > 0.45) up = fmax(up, moved);
        near = fmax(near, moved);
    }
    CHECK(far == 0);
    CHECK_BELOW(up, 1e-3);
    CHECK(near > 0.01);
    CHECK_BELOW(near, 0.04);
    free(p);
    free(crossed);
}

// A limb as flat as a hand, 1.5 cm: its back is nearer to its palm than the gap, and stays.
static void thin_limbs(void) {
    Pair *p = make_pair(0.02), *as_posed = make_pair(0);
    for (int limb = 0; limb < 2; limb++) {
        add_limb(p, limb, limb ? HALF : -HALF, 0.0075);
        add_limb(as_posed, limb, limb ? HALF : -HALF, 0.0075);
    }
    swing(p, -3);
    swing(as_posed, -3);
    CHECK(memcmp(p->posed, as_posed->posed, sizeof p->posed) == 0);
    free(p);
    free(as_posed);
}

// Both give way alike: turned by half a turn about the line between them, one is the other.
static void symmetric(void) {
    Pair* p = make_pair(0.012);
    swing(p, 4);
    double off = 0;
    for (int v = 0; v < LIMB; v++) {
        int ring = v / SIDES, k = v % SIDES;
        int other = v < LIMB - 2 ? SIDES * ring + (k + SIDES / 2) % SIDES : v;
        WfVec a = wf_load(p->posed, v), b = wf_load(p->posed, LIMB + other);
        off = fmax(off, wf_length((WfVec){a.x + b.x, a.y - b.y, a.z + b.z}));
    }
    CHECK_BELOW(off, 1e-9);
    free(p);
}

// As limbs come together, so do their surfaces, without jumps that would kick cloth between them.
// (Where they are two centimetres and more inside of each other, single vertices at the rim come in
// at once: by 11 mm here.)
static void no_jumps(void) {
    Pair *p = make_pair(0.012), *before = make_pair(0.012);
    double most = 0, deep = 0;
    swing(before, 0);
    for (int i = 1; i <= 100; i++) {
        double degrees = 0.05 * i;
        swing(p, degrees);
        for (int v = 0; v < 2 * LIMB; v++) {
            double moved = moved_from(p->posed, before->posed, v);
            if (degrees < 3.5) most = fmax(most, moved);
            deep = fmax(deep, moved);
        }
        memcpy(before->posed, p->posed, sizeof p->posed);
    }
    CHECK_BELOW(most, 3e-3);  // 0.44 mm by the bones alone
    CHECK_BELOW(deep, 12e-3);
    free(p);
    free(before);
}

static void same_bits_anywhere(void) {
    Pair *p = make_pair(0.012), *q = make_pair(0.012);
    swing(p, 4);
    swing(q, 4);
    CHECK(memcmp(p->posed, q->posed, sizeof p->posed) == 0);
    free(p);
    free(q);
}

// No triangles, one vertex: nothing to do, and no crash.
static void little_figures(void) {
    Pair* p = make_pair(0.01);
    p->figure.triangle_count = 0;
    CHECK(wf_part_limbs(&p->figure, p->rest) == WEFT_OK);
    p->figure.vertex_count = 0;
    CHECK(wf_part_limbs(&p->figure, p->rest) == WEFT_OK);
    free(p);
}

static void every_allocation(void) {
    Pair* p = make_pair(0.01);
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 1; result && n < 30; n++) {
        counting = (Counting){.fail_at = n};
        WeftError error = {0};
        result = weft_pose_figure(&p->figure, 0, 0, p->posed, &error);
        if (result) CHECK(result == WEFT_ERROR_MEMORY);
        if (result) CHECK_TEXT(error.message, "memory");
        CHECK(counting.live == 0);
        if (!result) CHECK(n == 10);
    }
    CHECK(result == WEFT_OK);
    counting = (Counting){0};
    free(p);
}

TEST_MAIN(CASE(rest_is_left_alone), CASE(far_limbs_are_left_alone), CASE(no_gap_changes_nothing),
          CASE(crossed_limbs_part), CASE(far_side_is_left_alone), CASE(thin_limbs), CASE(symmetric),
          CASE(no_jumps), CASE(same_bits_anywhere), CASE(little_figures), CASE(every_allocation))
