// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/chart.c and contact/flat.c: cells that are sure are covered once, without a gap,
// and what is told to be flat stays apart, by trying all pairs on their way.

#include "base/vec.h"
#include "contact/flat.h"
#include "contact/near.h"
#include "contact_test.h"
#include "counting.h"

static Counting counting;
static const double EDGE = 0.01;  // m
enum { MOST_TRIANGLES = 2 * 40 * 40 };

// Cells of a grid, the first one's corner at u = v = 0; some without triangles, or not in their
// place.
typedef struct Sheet {
    int columns, rows, vertex_count, triangle_count;
    int triangles[3 * MOST_TRIANGLES];
    unsigned char lies[MOST_TRIANGLES];
    double *flat, *x, *x1;
    WfSurface surface;
    WfChart chart;
    WfArena arena;
    WfTree tree;
    WfFlat parts;
} Sheet;

static void add_cell(Sheet* s, int a, int columns) {
    int b = a + 1, d = a + columns + 1, e = d + 1;
    memcpy(s->triangles + 3 * (long)s->triangle_count, (int[]){a, d, b, b, d, e}, 6 * sizeof(int));
    s->triangle_count += 2;
}

// `copies` of a sheet in one place of the plane. Without the cell `hole`, where it is not negative.
static Sheet* make_sheet(int columns, int rows, int copies, int hole) {
    Sheet* s = calloc(1, sizeof *s);
    int each = (columns + 1) * (rows + 1);
    *s = (Sheet){.columns = columns, .rows = rows, .vertex_count = each * copies};
    for (int c = 0; c < copies; c++)
        for (int k = 0; k < columns * rows; k++)
            if (k != hole)
                add_cell(s, c * each + k / columns * (columns + 1) + k % columns, columns);
    memset(s->lies, 1, sizeof s->lies);
    s->flat = malloc(2 * (size_t)s->vertex_count * sizeof(double));
    s->x = malloc(3 * (size_t)s->vertex_count * sizeof(double));
    s->x1 = malloc(3 * (size_t)s->vertex_count * sizeof(double));
    for (int i = 0; i < s->vertex_count; i++) {
        s->flat[2 * i] = EDGE * (i % each % (columns + 1));
        s->flat[2 * i + 1] = EDGE * (i % each / (columns + 1));
    }
    return s;
}

static void lay_out(Sheet* s) {
    wf_tree_layout(&s->surface, &s->arena, &s->tree);
    wf_flat_layout(&s->chart, &s->arena, &s->parts);
}

static void finish_sheet(Sheet* s) {
    WeftAllocator allocator = counting_allocator(&counting);
    CHECK(wf_surface_create(&allocator, s->vertex_count, s->triangle_count, s->triangles, 0, NULL,
                            &s->surface) == WEFT_OK);
    CHECK(wf_chart_create(&allocator, &s->surface, s->flat, s->lies, EDGE, &s->chart) == WEFT_OK);
    lay_out(s);
    CHECK(wf_arena_create(&s->arena, &allocator, s->arena.used));
    memset(s->arena.base, 0, s->arena.size);
    lay_out(s);
    s->tree.chart = &s->chart;
}

static void destroy_sheet(Sheet* s) {
    WeftAllocator allocator = counting_allocator(&counting);
    wf_arena_destroy(&s->arena, &allocator);
    wf_chart_destroy(&allocator, &s->chart);
    wf_surface_destroy(&allocator, &s->surface);
    free(s->flat);
    free(s->x);
    free(s->x1);
    free(s);
    CHECK(counting.live == 0);
}

// Whether the cell at a place of the first piece is sure.
static bool is_sure(const Sheet* s, double u, double v) {
    int column = (int)(u / s->chart.cell), row = (int)(v / s->chart.cell);
    return s->chart.number[row * s->chart.columns + column] >= 0;
}

static void cells_inside_are_sure(void) {
    Sheet* s = make_sheet(30, 24, 1, -1);
    finish_sheet(s);
    CHECK(is_sure(s, 0.15, 0.12) && is_sure(s, 0.05, 0.05) && is_sure(s, 0.25, 0.2));
    CHECK(!is_sure(s, 0.001, 0.12) && !is_sure(s, 0.15, 0.001));
    CHECK_NEAR((double)s->chart.altitudes[0], EDGE / sqrt(2), 1e-6);
    CHECK((double)s->chart.gaps[0] > 1.3 * EDGE);
    destroy_sheet(s);
}

static void holes_are_not(void) {
    Sheet* s = make_sheet(30, 24, 1, 12 * 30 + 15);
    finish_sheet(s);
    CHECK(!is_sure(s, 0.155, 0.125) && is_sure(s, 0.05, 0.05));
    destroy_sheet(s);
}

static void pieces_in_one_place_are_told_apart(void) {
    int sure[2];
    for (int k = 0; k < 2; k++) {
        Sheet* s = make_sheet(20, 20, 1 + k, -1);
        finish_sheet(s);
        CHECK(is_sure(s, 0.1, 0.1));
        sure[k] = s->chart.sure_count;
        destroy_sheet(s);
    }
    CHECK(sure[1] > sure[0]);
}

// A part of a piece that lies on another part of it.
static void parts_on_each_other_are_not_sure(void) {
    Sheet* s = make_sheet(30, 20, 1, -1);
    for (int i = 0; i < s->vertex_count; i++)
        if (s->flat[2 * i] > 0.2) s->flat[2 * i] = 0.4 - s->flat[2 * i];
    finish_sheet(s);
    CHECK(is_sure(s, 0.04, 0.1) && !is_sure(s, 0.15, 0.1));
    destroy_sheet(s);
}

// Triangles of a seam, whose corners are elsewhere.
static void what_does_not_lie_is_left_out(void) {
    Sheet* s = make_sheet(30, 20, 1, -1);
    for (int t = 0; t < s->triangle_count; t++) s->lies[t] = t / 2 % 30 != 15;
    finish_sheet(s);
    CHECK(is_sure(s, 0.05, 0.1) && is_sure(s, 0.25, 0.1) && !is_sure(s, 0.155, 0.1));
    destroy_sheet(s);
}

// ---------------------------------------------------------------------------------------------
// Motion

// Bent along u about a radius, sheared, shaken.
static WfVec place(double u, double v, double radius, double shear, double noise) {
    double angle = u / radius;
    WfVec p = {radius * sin(angle), radius * (1 - cos(angle)), v + shear * u};
    return (WfVec){p.x + noise * (random_unit() - 0.5), p.y + noise * (random_unit() - 0.5),
                   p.z + noise * (random_unit() - 0.5)};
}

static void deform(Sheet* s, double radius, double shear, double noise, double far) {
    double turn = random_unit(), later = 1 + 0.2 * random_unit();
    WfVec there = {far, -far, far};
    for (int i = 0; i < s->vertex_count; i++) {
        double u = s->flat[2 * i], v = s->flat[2 * i + 1];
        WfVec p = place(u, v, radius, shear, noise), q = place(u, v, later * radius, shear, noise);
        WfVec turned = {cos(turn) * q.x - sin(turn) * q.y + 1, sin(turn) * q.x + cos(turn) * q.y,
                        q.z};
        wf_store(s->x, i, wf_add(there, p));
        wf_store(s->x1, i, wf_add(there, turned));
    }
    wf_tree_fit(&s->tree, s->x, s->x1, (WfReach){0.001, 0.001}, NULL);
    wf_flat_fit(&s->parts, &s->tree);
}

static WfVec at(const Sheet* s, int i, double t) {
    WfVec a = wf_load(s->x, i);
    return wf_madd(a, t, wf_sub(wf_load(s->x1, i), a));
}

static bool is_inside(const Sheet* s, const WfRect* rect, const int* vertices, int count) {
    bool inside = true;
    for (int k = 0; k < count; k++)
        for (int d = 0; d < 2; d++) {
            float p = s->chart.places[2 * (long)vertices[k] + d];
            inside = inside && p >= rect->low[d] && p <= rect->high[d];
        }
    return inside;
}

static bool are_joined(const Sheet* s, int i, const int* v) {
    const int* next = s->surface.neighbours + WF_NEIGHBOURS * (long)i;
    bool joined = false;
    for (int k = 0; k < 3 * WF_NEIGHBOURS; k++) joined = joined || next[k / 3] == v[k % 3];
    return joined;
}

// How near what lies in a part comes: all pairs, and those that no edge joins.
static void find_nearest(const Sheet* s, const WfRect* rect, double* all, double* apart) {
    *all = *apart = HUGE_VAL;
    for (int i = 0; i < s->vertex_count; i++) {
        if (!is_inside(s, rect, &i, 1)) continue;
        for (int t = 0; t < s->triangle_count; t++) {
            const int* v = s->triangles + 3 * (long)t;
            if (!is_inside(s, rect, v, 3) || v[0] == i || v[1] == i || v[2] == i) continue;
            for (int k = 0; k <= 4; k++) {
                double w[3], time = k / 4.0;
                double d = sqrt(wf_near_point_triangle(at(s, i, time), at(s, v[0], time),
                                                       at(s, v[1], time), at(s, v[2], time), w));
                *all = fmin(*all, d);
                if (!are_joined(s, i, v)) *apart = fmin(*apart, d);
            }
        }
    }
    for (int e = 0; e < s->surface.edge_count; e++)
        for (int f = 0; f < e; f++) {
            const int *a = s->surface.edges + 2 * (long)e, *b = s->surface.edges + 2 * (long)f;
            bool shared = a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
            if (shared || !is_inside(s, rect, a, 2) || !is_inside(s, rect, b, 2)) continue;
            for (int k = 0; k <= 4; k++) {
                double w[2], time = k / 4.0;
                *all = fmin(*all, sqrt(wf_near_edge_edge(at(s, a[0], time), at(s, a[1], time),
                                                         at(s, b[0], time), at(s, b[1], time), w)));
            }
        }
}

// The largest distance by which a part is told to be flat.
static double told(const Sheet* s, const WfRect* rect, bool points) {
    double low = 0, high = 2 * EDGE;
    for (int k = 0; k < 30; k++) {
        double middle = (low + high) / 2;
        bool flat =
            wf_is_flat(&s->parts, rect, points ? 0 : (float)middle, points ? (float)middle : 0);
        if (flat)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int check_parts(Sheet* s, int count) {
    int flat = 0;
    for (int k = 0; k < count; k++) {
        float size = (float)(EDGE * (2 + 5 * random_unit()));
        float u = (float)(s->columns * EDGE * random_unit());
        float v = (float)(s->rows * EDGE * random_unit());
        WfRect rect = {{u, v}, {u + size, v + size}};
        double all, apart, least = told(s, &rect, false), gap = told(s, &rect, true);
        if (!(least > 0)) continue;
        find_nearest(s, &rect, &all, &apart);
        CHECK(all > least * (1 - 1e-4));
        CHECK(apart > gap * (1 - 1e-4));
        flat++;
    }
    return flat;
}

static void flat_parts_stay_apart(void) {
    static const struct {
        double radius, shear, noise, far;
        bool some;  // have to be flat
    } shapes[] = {
        {1e3, 0, 0, 0, true},         {0.1, 0, 0, 0, true},       {0.03, 0.3, 0, 0, false},
        {0.05, 0.8, 0, 0, false},     {0.2, 0.2, 0.002, 0, true}, {0.02, 0, 0.004, 0, false},
        {1e3, -1.5, 0.001, 0, false}, {1e3, 0, 0, 1e3, true},     {0.2, 0.2, 0.002, 3e3, false}};
    Sheet* s = make_sheet(24, 24, 1, 300);
    finish_sheet(s);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        deform(s, shapes[k].radius, shapes[k].shear, shapes[k].noise, shapes[k].far);
        int flat = check_parts(s, test_rounds(80));
        CHECK(flat > 0 || !shapes[k].some);
    }
    destroy_sheet(s);
}

// A sheet that is folded onto itself is not flat over the fold, and is beside it.
static void folds_are_not_flat(void) {
    Sheet* s = make_sheet(24, 24, 1, -1);
    finish_sheet(s);
    for (int i = 0; i < s->vertex_count; i++) {
        double u = s->flat[2 * i] - 0.12;
        wf_store(s->x, i, (WfVec){fabs(u), u < 0 ? 0.002 : 0, s->flat[2 * i + 1]});
    }
    memcpy(s->x1, s->x, 3 * (size_t)s->vertex_count * sizeof(double));
    wf_tree_fit(&s->tree, s->x, s->x1, (WfReach){0.001, 0.001}, NULL);
    wf_flat_fit(&s->parts, &s->tree);
    WfRect over = {{0.1f, 0.1f}, {0.14f, 0.14f}}, beside = {{0.04f, 0.1f}, {0.08f, 0.14f}};
    CHECK(!wf_is_flat(&s->parts, &over, 0, 0));
    CHECK(wf_is_flat(&s->parts, &beside, 0.006f, 0.006f));
    destroy_sheet(s);
}

// A chart far larger than its cloth is left out.
static void scattered_pieces_have_no_chart(void) {
    Sheet* s = make_sheet(2, 2, 1, -1);
    s->flat[0] = -1e4;
    finish_sheet(s);
    CHECK(s->chart.columns == 0);
    destroy_sheet(s);
}

TEST_MAIN(CASE(cells_inside_are_sure), CASE(holes_are_not),
          CASE(pieces_in_one_place_are_told_apart), CASE(parts_on_each_other_are_not_sure),
          CASE(what_does_not_lie_is_left_out), CASE(flat_parts_stay_apart),
          CASE(folds_are_not_flat), CASE(scattered_pieces_have_no_chart))
