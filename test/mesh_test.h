// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of meshes share: an allocator that counts and fails on demand, and a ruler.

#ifndef WEFT_MESH_TEST_H
#define WEFT_MESH_TEST_H

#include "mesh/topology.h"
#include "test.h"
#include "weft/weft_mesh.h"

// `live` counts what is not yet given back; allocation number `fail_at` (from 0) fails.
typedef struct TestMemory {
    int live, count, fail_at;
} TestMemory;

static inline void* test_allocate(void* user, size_t bytes) {
    TestMemory* memory = user;
    if (memory->count++ == memory->fail_at) return NULL;
    memory->live++;
    return malloc(bytes);
}

static inline void test_release(void* user, void* block) {
    ((TestMemory*)user)->live--;
    free(block);
}

static inline WeftAllocator test_allocator(TestMemory* memory) {
    return (WeftAllocator){test_allocate, test_release, memory};
}

// Fails every allocation of `make` in turn: each time an error of memory, an empty mesh, no leak.
typedef WeftResult TestMake(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error);
static inline void check_every_allocation(TestMake* make) {
    for (int n = 0; n < 10000; n++) {
        TestMemory memory = {.fail_at = n};
        WeftAllocator allocator = test_allocator(&memory);
        WeftMesh mesh;
        WeftError error = {0};
        WeftResult result = make(&allocator, &mesh, &error);
        if (result == WEFT_OK) weft_destroy_mesh(&mesh);
        bool done = memory.count <= n;
        CHECK(memory.live == 0);
        CHECK(mesh.positions == NULL && mesh.vertex_count == 0);
        CHECK(result == (done ? WEFT_OK : WEFT_ERROR_MEMORY));
        if (!done) CHECK_TEXT(error.message, "memory");
        if (done) {
            CHECK(n > 2);
            return;
        }
    }
    CHECK(!"ends");
}

static inline const double* flat_point(const WeftMesh* mesh, int t, int k) {
    return mesh->material + 2 * (long)mesh->triangles[3 * (long)t + k];
}

// signed, in the flat shape
static inline double flat_area(const WeftMesh* mesh, int t) {
    const double *a = flat_point(mesh, t, 0), *b = flat_point(mesh, t, 1);
    const double* c = flat_point(mesh, t, 2);
    return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
}

typedef struct MeshRuler {
    double area, least_area;
    double shortest, longest;  // edges
    double least_angle;        // degrees
    int below_30;              // triangles with an angle below 30 degrees
    int boundary_edges, boundary_loops;
    int euler;         // vertices - edges + triangles
    int bandwidth;     // largest difference of vertices of an edge
    double mean_span;  // mean of them
} MeshRuler;

static inline int find_root(int* parent, int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static inline int count_loops(const WfTopology* topology) {
    int* parent = malloc(sizeof(int) * (size_t)(topology->vertex_count + 1));
    int loops = 0;
    for (int v = 0; v < topology->vertex_count; v++) parent[v] = v;
    for (int e = 0; e < topology->edge_count; e++) {
        if (topology->edge_triangles[2 * e + 1] >= 0) continue;
        parent[find_root(parent, topology->edges[2 * e])] =
            find_root(parent, topology->edges[2 * e + 1]);
    }
    for (int v = 0; v < topology->vertex_count; v++)
        loops += topology->boundary[v] && parent[v] == v;
    free(parent);
    return loops;
}

static inline void measure_triangle(const WeftMesh* mesh, int t, MeshRuler* ruler) {
    double area = flat_area(mesh, t), least = 180;
    ruler->area += area;
    ruler->least_area = fmin(ruler->least_area, area);
    for (int k = 0; k < 3; k++) {
        const double *a = flat_point(mesh, t, k), *b = flat_point(mesh, t, (k + 1) % 3);
        const double* c = flat_point(mesh, t, (k + 2) % 3);
        double length = hypot(b[0] - a[0], b[1] - a[1]);
        ruler->shortest = fmin(ruler->shortest, length);
        ruler->longest = fmax(ruler->longest, length);
        double dot = (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]);
        least = fmin(least, atan2(2 * area, dot) * 57.29577951308232);
    }
    ruler->below_30 += least < 30;
    ruler->least_angle = fmin(ruler->least_angle, least);
}

static inline MeshRuler measure_mesh(const WeftMesh* mesh) {
    MeshRuler ruler = {.least_area = 1e300, .shortest = 1e300, .least_angle = 180};
    for (int t = 0; t < mesh->triangle_count; t++) measure_triangle(mesh, t, &ruler);
    WfTopology topology;
    WeftError error = {0};
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    if (wf_topology_create(&allocator, mesh->vertex_count, mesh->triangle_count, mesh->triangles,
                           &topology, &error)) {
        printf("%s\n", error.message);
        CHECK(!"a manifold mesh");
        return ruler;
    }
    for (int e = 0; e < topology.edge_count; e++) {
        int span = topology.edges[2 * e + 1] - topology.edges[2 * e];
        ruler.boundary_edges += topology.edge_triangles[2 * e + 1] < 0;
        ruler.bandwidth = span > ruler.bandwidth ? span : ruler.bandwidth;
        ruler.mean_span += (double)span / topology.edge_count;
    }
    ruler.boundary_loops = count_loops(&topology);
    ruler.euler = mesh->vertex_count - topology.edge_count + mesh->triangle_count;
    wf_topology_destroy(&allocator, &topology);
    CHECK(memory.live == 0);
    return ruler;
}

// Every vertex used, and laid out as (u, 0, -v).
static inline void check_layout(const WeftMesh* mesh) {
    int bad = mesh->material_count != mesh->vertex_count || mesh->triangle_material;
    char* used = calloc((size_t)mesh->vertex_count + 1, 1);
    for (int i = 0; i < 3 * mesh->triangle_count; i++) used[mesh->triangles[i]] = 1;
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double *x = mesh->positions + 3 * (long)v, *m = mesh->material + 2 * (long)v;
        bad += !used[v] || x[0] != m[0] || x[1] != 0 || x[2] != -m[1];
    }
    CHECK(bad == 0);
    free(used);
}

#endif
