// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/surface.c: edges once, each vertex and edge with one owner, and what has an
// inside.

#include "contact/surface.h"

#include "base/memory.h"
#include "mesh_test.h"

static TestMemory memory = {.fail_at = -1};

static WfSurface create(int vertices, int triangles, const int* corners, int segments,
                        const int* ends) {
    WeftAllocator allocator = test_allocator(&memory);
    WfSurface surface;
    CHECK(wf_surface_create(&allocator, vertices, triangles, corners, segments, ends, &surface) ==
          WEFT_OK);
    return surface;
}

static void destroy(WfSurface* surface) {
    WeftAllocator allocator = test_allocator(&memory);
    wf_surface_destroy(&allocator, surface);
    CHECK(memory.live == 0 && surface->edges == NULL);
}

// Edges sorted, named by their triangles; one owner for each vertex in use and each edge.
static void check(const WfSurface* s) {
    int* vertex_owners = calloc((size_t)s->vertex_count + 1, sizeof(int));
    int* edge_owners = calloc((size_t)s->edge_count + 1, sizeof(int));
    int* used = calloc((size_t)s->vertex_count + 1, sizeof(int));
    int wrong = 0;
    for (int e = 0; e < s->edge_count; e++) {
        const int* ends = s->edges + 2 * e;
        wrong += ends[0] >= ends[1];
        if (e > 0) wrong += ends[-2] > ends[0] || (ends[-2] == ends[0] && ends[-1] >= ends[1]);
    }
    for (int h = 0; h < 3 * s->triangle_count; h++) {
        int t = h / 3, k = h % 3, v = s->triangles[h], w = s->triangles[3 * t + (k + 1) % 3];
        int e = s->triangle_edges[h];
        used[v] = 1;
        vertex_owners[v] += s->owns[t] >> k & 1;
        if (e < 0) {
            wrong += s->triangles[3 * t + 1] != s->triangles[3 * t + 2] || s->owns[t] >> k & 8;
            continue;
        }
        wrong += s->edges[2 * e] != (v < w ? v : w) || s->edges[2 * e + 1] != (v < w ? w : v);
        edge_owners[e] += (s->owns[t] >> k & 8) != 0;
        if (s->owns[t] >> k & 8) wrong += s->edge_triangles[2 * e] != t;
    }
    for (int v = 0; v < s->vertex_count; v++) wrong += vertex_owners[v] != used[v];
    for (int e = 0; e < s->edge_count; e++) wrong += edge_owners[e] != 1;
    CHECK(wrong == 0);
    free(vertex_owners);
    free(edge_owners);
    free(used);
}

static void empty(void) {
    WfSurface s = create(0, 0, NULL, 0, NULL);
    CHECK(s.edge_count == 0 && s.triangle_count == 0 && !s.closed);
    destroy(&s);
    s = create(5, 0, NULL, 0, NULL);
    check(&s);
    destroy(&s);
}

static void grid(void) {
    WeftGridDef def = weft_default_grid_def();
    def.columns = 7, def.rows = 5;
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    WfSurface s = create(mesh.vertex_count, mesh.triangle_count, mesh.triangles, 0, NULL);
    check(&s);
    CHECK(s.vertex_count - s.edge_count + s.triangle_count == 1 && !s.closed);
    destroy(&s);
    weft_destroy_mesh(&mesh);
}

static const int tetrahedron[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static void closed(void) {
    WfSurface s = create(4, 4, tetrahedron, 0, NULL);
    check(&s);
    CHECK(s.closed && s.edge_count == 6);
    destroy(&s);
}

// A triangle less, one that faces the other way, a rope beside.
static void not_closed(void) {
    WfSurface s = create(4, 3, tetrahedron, 0, NULL);
    check(&s);
    CHECK(!s.closed);
    destroy(&s);
    int flipped[12];
    memcpy(flipped, tetrahedron, sizeof flipped);
    flipped[0] = 2, flipped[1] = 0;
    s = create(4, 4, flipped, 0, NULL);
    check(&s);
    CHECK(!s.closed && s.edge_count == 6);
    destroy(&s);
    s = create(6, 4, tetrahedron, 1, (int[]){4, 5});
    check(&s);
    CHECK(!s.closed && s.edge_count == 7);
    destroy(&s);
}

static void ropes(void) {
    WfSurface s = create(8, 1, (int[]){0, 1, 2}, 4, (int[]){3, 4, 5, 4, 5, 6, 2, 0});
    check(&s);
    CHECK(s.triangle_count == 5 && s.edge_count == 6);
    static const int corners[] = {3, 4, 4, 5, 4, 4, 5, 6, 6, 2, 0, 0};
    CHECK(memcmp(s.triangles + 3, corners, sizeof corners) == 0);
    for (int t = 1; t < 5; t++)
        CHECK(s.triangle_edges[3 * t] >= 0 && s.triangle_edges[3 * t + 1] == -1 &&
              s.triangle_edges[3 * t + 2] == -1);
    CHECK(s.owns[4] == 0);  // a segment along an edge of the triangle
    destroy(&s);
}

// What no cloth has, but a body may: three triangles at an edge, the same triangle twice, corners
// that coincide.
static void careless(void) {
    static const int corners[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 0, 1, 2, 5, 5, 1, 6, 2, 6, 3, 3, 3};
    WfSurface s = create(7, 7, corners, 0, NULL);
    check(&s);
    CHECK(!s.closed && s.edge_count == 9);
    static const int made[] = {5, 1, 1, 6, 2, 2, 3, 3, 3};
    CHECK(memcmp(s.triangles + 12, made, sizeof made) == 0);
    destroy(&s);
}

static void every_allocation(void) {
    int n = 0;
    for (;; n++) {
        memory = (TestMemory){.fail_at = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfSurface s;
        WeftResult result = wf_surface_create(&allocator, 4, 4, tetrahedron, 0, NULL, &s);
        if (result == WEFT_OK) {
            wf_surface_destroy(&allocator, &s);
            break;
        }
        CHECK(result == WEFT_ERROR_MEMORY && memory.live == 0 && s.triangles == NULL);
    }
    CHECK(n == 13 && memory.live == 0);
    memory = (TestMemory){.fail_at = -1};
}

TEST_MAIN(CASE(empty), CASE(grid), CASE(closed), CASE(not_closed), CASE(ropes), CASE(careless),
          CASE(every_allocation))
