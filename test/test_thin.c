// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/thin.c: limbs become rods about the axis they had, by as much as heat that spreads
// says, whatever the size of the body and the state of its mesh.

#include "garment/thin.h"

#include "base/memory.h"
#include "base/vec.h"
#include "counting.h"
#include "test.h"

#define PI 3.14159265358979324
enum { SIDES = 24, RINGS = 60, MOST = 4096 };

typedef struct Body {
    int vertex_count, triangle_count;
    double x[3 * MOST], thin[3 * MOST];
    int triangles[6 * MOST];
} Body;

static void add_triangle(Body* b, int i, int j, int k) {
    int* t = b->triangles + 3 * b->triangle_count++;
    t[0] = i, t[1] = j, t[2] = k;
}

static int add_vertex(Body* b, double x, double y, double z) {
    wf_store(b->x, b->vertex_count, (WfVec){x, y, z});
    return b->vertex_count++;
}

// A tube about y with a tip at each end, closed where `lids`.
static Body* make_tube(double radius, double height, bool lids) {
    Body* b = calloc(1, sizeof *b);
    for (int i = 0; i <= RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            double angle = 2 * PI * (k + 0.5 * (i % 2)) / SIDES;
            add_vertex(b, radius * cos(angle), height * i / RINGS, -radius * sin(angle));
        }
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            int a = SIDES * i + k, c = SIDES * i + (k + 1) % SIDES;
            bool odd = i % 2;
            add_triangle(b, a, c, odd ? c + SIDES : a + SIDES);
            add_triangle(b, odd ? a : c, c + SIDES, a + SIDES);
        }
    int low = add_vertex(b, 0, -radius, 0), high = add_vertex(b, 0, height + radius, 0);
    for (int k = 0; k < SIDES && lids; k++) {
        add_triangle(b, low, (k + 1) % SIDES, k);
        add_triangle(b, high, SIDES * RINGS + k, SIDES * RINGS + (k + 1) % SIDES);
    }
    return b;
}

static WeftResult thin(Body* b, double reach) {
    WeftAllocator allocator = wf_allocator(NULL);
    return wf_thin_body(&allocator, b->vertex_count, b->x, b->triangle_count, b->triangles, reach,
                        b->thin);
}

// Around a cylinder the coordinates are sines, of which heat leaves 1 / (1 + (reach / r)^2).
static void a_limb(void) {
    static const double reaches[3] = {0.02, 0.05, 0.1};
    for (int i = 0; i < 3; i++) {
        double r = 0.05, left = r / (1 + reaches[i] * reaches[i] / (r * r));
        Body* b = make_tube(r, 2, true);
        CHECK(thin(b, reaches[i]) == WEFT_OK);
        for (int ring = 25; ring <= 35; ring++) {
            WfVec middle = {0, 0, 0};
            for (int k = 0; k < SIDES; k++) {
                WfVec x = wf_load(b->thin, SIDES * ring + k);
                CHECK_NEAR(hypot(x.x, x.z) / left, 1, 0.02);
                CHECK_NEAR(x.y, 2.0 * ring / RINGS, 1e-4);
                middle = wf_madd(middle, 1.0 / SIDES, x);
            }
            CHECK_BELOW(hypot(middle.x, middle.z), 1e-6);
        }
        // it gets shorter by no more than about as far as heat goes
        WfVec tip = wf_load(b->thin, b->vertex_count - 1);
        CHECK(tip.y > 2 - 2 * reaches[i] && tip.y < 2.05);
        free(b);
    }
}

// No reach, no change.
static void nothing_for_no_reach(void) {
    Body* b = make_tube(0.05, 2, true);
    CHECK(thin(b, 0) == WEFT_OK);
    for (int i = 0; i < 3 * b->vertex_count; i++) CHECK_NEAR(b->thin[i], b->x[i], 1e-15);
    free(b);
}

static void a_cube(void) {
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    Body* b = calloc(1, sizeof *b);
    for (int i = 0; i < 8; i++) add_vertex(b, 3 + (i & 1), 4 + (i >> 1 & 1), 5 + (i >> 2));
    for (int f = 0; f < 6; f++) {
        add_triangle(b, faces[f][0], faces[f][1], faces[f][2]);
        add_triangle(b, faces[f][0], faces[f][2], faces[f][3]);
    }
    double last = 1;
    for (int i = 0; i < 4; i++) {
        CHECK(thin(b, 0.3 * (1 << i)) == WEFT_OK);
        double widest = 0;
        WfVec middle = {0, 0, 0};
        for (int v = 0; v < 8; v++) {
            WfVec x = wf_sub(wf_load(b->thin, v), (WfVec){3.5, 4.5, 5.5});
            middle = wf_madd(middle, 0.125, x);
            widest = fmax(widest, 2 * fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))));
        }
        CHECK_BELOW(widest, 0.9 * last);
        CHECK_BELOW(wf_length(middle), 0.1 * widest);
        last = widest;
    }
    CHECK_BELOW(last, 0.1);
    free(b);
}

// The tube without its lids: the same rod in the middle. A sheet stays flat, inside of what it was.
static void open_meshes(void) {
    Body* b = make_tube(0.05, 2, false);
    CHECK(thin(b, 0.1) == WEFT_OK);
    WfVec x = wf_load(b->thin, SIDES * RINGS / 2);
    CHECK_NEAR(hypot(x.x, x.z), 0.01, 2e-4);
    CHECK_NEAR(x.y, 1, 1e-4);
    free(b);
    b = calloc(1, sizeof *b);
    for (int i = 0; i < 400; i++) add_vertex(b, 0.1 * (i % 20), 0.7, 0.1 * (i / 20));
    for (int i = 0; i < 361; i++) {
        int a = i / 19 * 20 + i % 19;
        add_triangle(b, a, a + 20, a + 1);
        add_triangle(b, a + 1, a + 20, a + 21);
    }
    CHECK(thin(b, 0.2) == WEFT_OK);
    for (int v = 0; v < 400; v++) {
        x = wf_load(b->thin, v);
        CHECK_NEAR(x.y, 0.7, 1e-6);
        CHECK(x.x > 0 && x.x < 1.9 && x.z > 0 && x.z < 1.9);
    }
    CHECK_NEAR(b->thin[3 * 210], 1, 0.01);
    free(b);
}

// Bodies from files have points that no triangle uses, and triangles without area.
static void stray_vertices(void) {
    Body* b = make_tube(0.05, 2, true);
    int count = b->vertex_count;
    CHECK(thin(b, 0.1) == WEFT_OK);
    double* clean = malloc(sizeof b->thin);
    memcpy(clean, b->thin, sizeof b->thin);
    add_vertex(b, 7, -8, 9);
    CHECK(thin(b, 0.1) == WEFT_OK);
    CHECK(memcmp(b->thin + 3 * count, b->x + 3 * count, 3 * sizeof(double)) == 0);
    for (int i = 0; i < 3 * count; i++) CHECK_NEAR(b->thin[i], clean[i], 1e-12);
    add_triangle(b, 5, 5, 6);
    add_triangle(b, 700, 701, 700);
    CHECK(thin(b, 0.1) == WEFT_OK);
    for (int i = 0; i < 3 * count; i++) CHECK_NEAR(b->thin[i], clean[i], 1e-3);
    b->triangle_count = 0;
    CHECK(thin(b, 0.1) == WEFT_OK);
    CHECK(memcmp(b->thin, b->x, 3 * (size_t)count * sizeof(double)) == 0);
    free(clean);
    free(b);
}

// A body four times as large, with four times the reach, to the last bit; by other factors nearly.
static void any_size(void) {
    Body *b = make_tube(0.05, 1, true), *other = make_tube(0.05, 1, true);
    CHECK(thin(b, 0.06) == WEFT_OK);
    static const double factors[3] = {4, 100, 0.01};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3 * b->vertex_count; k++) other->x[k] = factors[i] * b->x[k];
        CHECK(thin(other, 0.06 * factors[i]) == WEFT_OK);
        double off = 0;
        for (int k = 0; k < 3 * b->vertex_count; k++)
            off = fmax(off, fabs(other->thin[k] / factors[i] - b->thin[k]));
        CHECK(i > 0 || off == 0);
        CHECK_BELOW(off, 1e-8);
    }
    free(b);
    free(other);
}

// Wherever it stands.
static void anywhere(void) {
    Body *b = make_tube(0.05, 1, true), *other = make_tube(0.05, 1, true);
    CHECK(thin(b, 0.06) == WEFT_OK);
    for (int v = 0; v < b->vertex_count; v++)
        wf_store(other->x, v, wf_add(wf_load(b->x, v), (WfVec){30, -20, 50}));
    CHECK(thin(other, 0.06) == WEFT_OK);
    for (int v = 0; v < b->vertex_count; v++) {
        WfVec x = wf_sub(wf_load(other->thin, v), (WfVec){30, -20, 50});
        CHECK_BELOW(wf_length(wf_sub(x, wf_load(b->thin, v))), 1e-6);
    }
    free(b);
    free(other);
}

static void every_allocation(void) {
    Body* b = make_tube(0.05, 1, true);
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 1; result && n < 100; n++) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        result = wf_thin_body(&allocator, b->vertex_count, b->x, b->triangle_count, b->triangles,
                              0.06, b->thin);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        CHECK(counting.live == 0);
        if (!result) CHECK(n > 6);
    }
    CHECK(result == WEFT_OK);
    free(b);
}

TEST_MAIN(CASE(a_limb), CASE(nothing_for_no_reach), CASE(a_cube), CASE(open_meshes),
          CASE(stray_vertices), CASE(any_size), CASE(anywhere), CASE(every_allocation))
