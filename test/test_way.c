// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the ways to pins: right in every direction across the cloth, around holes, along ropes,
// one for each group of pins, and found or refused without a leak.

#include "mesh/way.h"

#include "base/memory.h"
#include "counting.h"
#include "mesh/topology.h"
#include "test.h"
#include "weft/weft_mesh.h"

enum { MAX_WAYS = 4 };

// A mesh as it lies, with its edges.
typedef struct Flat {
    WeftMesh mesh;
    WfTopology topology;
    double* lengths;
    unsigned char* pinned;
    WfWayMesh ways;
} Flat;

static Flat lay(WeftMesh mesh) {
    Flat f = {.mesh = mesh};
    WeftAllocator allocator = wf_allocator(NULL);
    wf_topology_create(&allocator, mesh.vertex_count, mesh.triangle_count, mesh.triangles,
                       &f.topology, NULL);
    f.lengths = calloc((size_t)f.topology.edge_count + 1, sizeof(double));
    f.pinned = calloc((size_t)mesh.vertex_count, 1);
    for (int e = 0; e < f.topology.edge_count; e++) {
        const double* a = mesh.positions + 3 * f.topology.edges[2 * e];
        const double* b = mesh.positions + 3 * f.topology.edges[2 * e + 1];
        f.lengths[e] = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                            (a[2] - b[2]) * (a[2] - b[2]));
    }
    f.ways = (WfWayMesh){.vertex_count = mesh.vertex_count,
                         .edge_count = f.topology.edge_count,
                         .triangle_count = mesh.triangle_count,
                         .edges = f.topology.edges,
                         .lengths = f.lengths,
                         .triangles = mesh.triangles,
                         .pinned = f.pinned};
    return f;
}

static void pick_up(Flat* f) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_topology_destroy(&allocator, &f->topology);
    free(f->lengths);
    free(f->pinned);
    weft_destroy_mesh(&f->mesh);
}

static WfWay* find(const Flat* f) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfWay* ways = malloc((size_t)f->mesh.vertex_count * MAX_WAYS * sizeof *ways);
    CHECK(!wf_find_ways(&allocator, &f->ways, MAX_WAYS, ways));
    return ways;
}

static double distance(const Flat* f, int a, int b) {
    const double *x = f->mesh.positions + 3 * a, *y = f->mesh.positions + 3 * b;
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

// The largest part by which ways from the only pin are too long, or too short.
static void worst_errors(const Flat* f, int pin, double* too_long, double* too_short) {
    WfWay* ways = find(f);
    *too_long = *too_short = 0;
    for (int v = 0; v < f->mesh.vertex_count; v++) {
        if (v == pin) continue;
        double error = ways[v * MAX_WAYS].length / distance(f, v, pin) - 1;
        CHECK(ways[v * MAX_WAYS].pin == pin && ways[v * MAX_WAYS + 1].pin == -1);
        *too_long = fmax(*too_long, error);
        *too_short = fmax(*too_short, -error);
    }
    free(ways);
}

static WeftMesh grid(WeftGridKind kind, int columns, int rows) {
    WeftGridDef def = weft_default_grid_def();
    def.kind = kind;
    def.columns = columns;
    def.rows = rows;
    def.width = 1;
    def.height = (double)rows / columns;
    WeftMesh mesh;
    weft_make_grid(&def, NULL, &mesh, NULL);
    return mesh;
}

// Along edges alone a way between two directions of a grid would be 8 % too long.
static void ways_across_a_grid_are_straight(void) {
    WeftGridKind kinds[] = {WEFT_GRID_ALTERNATING, WEFT_GRID_ONE_WAY};
    for (int k = 0; k < 2; k++) {
        Flat f = lay(grid(kinds[k], 32, 24));
        int pins[] = {0, 32, 12 * 33 + 16};
        for (int i = 0; i < 3; i++) {
            memset(f.pinned, 0, (size_t)f.mesh.vertex_count);
            f.pinned[pins[i]] = 1;
            double too_long, too_short;
            worst_errors(&f, pins[i], &too_long, &too_short);
            CHECK_BELOW(too_long, 1e-9);
            CHECK_BELOW(too_short, 1e-9);
        }
        pick_up(&f);
    }
}

static void ways_across_irregular_triangles_are_nearly_straight(void) {
    WeftMesh mesh;
    weft_make_disc(0.5, 0.03, NULL, &mesh, NULL);
    Flat f = lay(mesh);
    f.pinned[0] = 1;
    double too_long, too_short;
    worst_errors(&f, 0, &too_long, &too_short);
    CHECK_BELOW(too_long, 0.01);
    CHECK_BELOW(too_short, 1e-9);
    pick_up(&f);
}

// Across a slit from (0, 0.5) to (1, 0.5) but for its last cell, the way leads through that cell.
static void ways_lead_around_what_is_cut_out(void) {
    int n = 16, kept = 0;
    Flat f = lay(grid(WEFT_GRID_ALTERNATING, n, n));
    int* triangles = f.mesh.triangles;
    for (int t = 0; t < f.mesh.triangle_count; t++) {
        double u = 0, v = 0;
        for (int i = 0; i < 3; i++) {
            u += f.mesh.material[2 * triangles[3 * t + i]] / 3;
            v += f.mesh.material[2 * triangles[3 * t + i] + 1] / 3;
        }
        if (v > 0.5 && v < 0.5 + 1.0 / n && u < 1 - 1.0 / n) continue;
        memmove(triangles + 3 * kept++, triangles + 3 * t, 3 * sizeof(int));
    }
    WeftMesh mesh = f.mesh;
    f.mesh = (WeftMesh){0};
    pick_up(&f);
    mesh.triangle_count = kept;
    f = lay(mesh);
    f.pinned[0] = 1;
    WfWay* ways = find(&f);
    double gap = 1 - 1.0 / n, above = 0.5 - 1.0 / n;
    double expected = sqrt(gap * gap + 0.25) + 1.0 / n + sqrt(gap * gap + above * above);
    CHECK_NEAR(ways[n * (n + 1) * MAX_WAYS].length / expected, 1, 0.01);
    free(ways);
    pick_up(&f);
}

// Two pinned sides and a corner are three groups; the nearest pin of each, the nearest group first.
static void each_group_of_pins_has_one_way(void) {
    int n = 12;
    Flat f = lay(grid(WEFT_GRID_ALTERNATING, n, n));
    for (int i = 0; i <= n; i++) f.pinned[i] = 1;
    for (int i = 0; i < 3; i++) f.pinned[n * (n + 1) + i] = 1;
    f.pinned[n * (n + 1) + n] = 1;
    WfWay* ways = find(&f);
    int v = 4 * (n + 1) + 7;
    const WfWay* way = ways + v * MAX_WAYS;
    CHECK(way[0].pin == 7 && way[1].pin == n * (n + 1) + n && way[2].pin == n * (n + 1) + 2);
    CHECK(way[3].pin == -1);
    for (int k = 0; k < 3; k++) CHECK_NEAR(way[k].length, distance(&f, v, way[k].pin), 1e-9);
    CHECK(ways[0].pin == 0 && ways[0].length == 0);
    free(ways);
    pick_up(&f);
}

static void nothing_is_pinned(void) {
    Flat f = lay(grid(WEFT_GRID_ALTERNATING, 3, 3));
    WfWay* ways = find(&f);
    for (int i = 0; i < f.mesh.vertex_count * MAX_WAYS; i++) CHECK(ways[i].pin == -1);
    free(ways);
    pick_up(&f);
}

static void ways_along_a_rope_are_its_segments(void) {
    int edges[] = {0, 1, 1, 2, 2, 3};
    double lengths[] = {0.5, 0.25, 1};
    unsigned char pinned[] = {1, 0, 0, 0, 0};
    WfWayMesh mesh = {5, 3, 0, edges, lengths, NULL, pinned};
    WeftAllocator allocator = wf_allocator(NULL);
    WfWay ways[5];
    CHECK(!wf_find_ways(&allocator, &mesh, 1, ways));
    double expected[] = {0, 0.5, 0.75, 1.75};
    for (int i = 0; i < 4; i++) CHECK(ways[i].pin == 0 && ways[i].length == expected[i]);
    CHECK(ways[4].pin == -1);
}

static void memory_may_end_anywhere(void) {
    Flat f = lay(grid(WEFT_GRID_ALTERNATING, 40, 40));
    f.pinned[0] = f.pinned[40] = 1;
    WfWay* ways = malloc((size_t)f.mesh.vertex_count * MAX_WAYS * sizeof *ways);
    bool done = false;
    for (int n = 1; n < 100 && !done; n++) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        done = !wf_find_ways(&allocator, &f.ways, MAX_WAYS, ways);
        CHECK(counting.live == 0);
    }
    CHECK(done);
    free(ways);
    pick_up(&f);
}

TEST_MAIN(CASE(ways_across_a_grid_are_straight),
          CASE(ways_across_irregular_triangles_are_nearly_straight),
          CASE(ways_lead_around_what_is_cut_out), CASE(each_group_of_pins_has_one_way),
          CASE(nothing_is_pinned), CASE(ways_along_a_rope_are_its_segments),
          CASE(memory_may_end_anywhere))
