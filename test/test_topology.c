// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/topology.c: edges, hinges, stars and boundary, and what it refuses.

#include "mesh/topology.h"

#include "mesh_test.h"

static TestMemory memory = {.fail_at = -1};
static WeftError error;

static WeftResult create(int vertices, int triangles, const int* corners, WfTopology* topology) {
    WeftAllocator allocator = test_allocator(&memory);
    return wf_topology_create(&allocator, vertices, triangles, corners, topology, &error);
}

static void destroy(WfTopology* topology) {
    WeftAllocator allocator = test_allocator(&memory);
    wf_topology_destroy(&allocator, topology);
    CHECK(memory.live == 0);
    CHECK(topology->edges == NULL);
}

static void refuse(int vertices, int triangles, const int* corners, const char* words) {
    WfTopology topology;
    CHECK(create(vertices, triangles, corners, &topology) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    CHECK(topology.edges == NULL && memory.live == 0);
}

static void empty(void) {
    WfTopology topology;
    CHECK(create(0, 0, NULL, &topology) == WEFT_OK);
    CHECK(topology.edge_count == 0 && topology.hinge_count == 0 && topology.star_start[0] == 0);
    destroy(&topology);
}

static void one_triangle(void) {
    WfTopology topology;
    CHECK(create(4, 1, (int[]){3, 0, 2}, &topology) == WEFT_OK);
    CHECK(topology.edge_count == 3 && topology.hinge_count == 0);
    static const int edges[] = {0, 2, 0, 3, 2, 3};
    CHECK(memcmp(topology.edges, edges, sizeof edges) == 0);
    CHECK(topology.edge_triangles[0] == 0 && topology.edge_triangles[1] == -1);
    CHECK(topology.boundary[0] && !topology.boundary[1] && topology.boundary[3]);
    CHECK(topology.star_start[1] == 1 && topology.star_start[2] == 1 &&
          topology.star_start[4] == 3);
    destroy(&topology);
}

// The picture in topology.h, with triangles in both orders.
static void one_hinge(void) {
    for (int turn = 0; turn < 2; turn++) {
        int corners[] = {1, 2, 0, 2, 1, 3}, swapped[] = {2, 1, 3, 1, 2, 0};
        WfTopology topology;
        CHECK(create(4, 2, turn ? swapped : corners, &topology) == WEFT_OK);
        CHECK(topology.edge_count == 5 && topology.hinge_count == 1);
        WfHinge hinge = topology.hinges[0];
        CHECK(hinge.edge[0] == 1 && hinge.edge[1] == 2);
        CHECK(hinge.opposite[0] == 0 && hinge.opposite[1] == 3);
        CHECK(hinge.triangles[0] == turn && hinge.triangles[1] == 1 - turn);
        CHECK(topology.edge_triangles[4] == 0 && topology.edge_triangles[5] == 1);
        destroy(&topology);
    }
}

static bool has_half(const int* corners, int t, int a, int b, int opposite) {
    for (int k = 0; k < 3; k++)
        if (corners[3 * t + k] == a)
            return corners[3 * t + (k + 1) % 3] == b && corners[3 * t + (k + 2) % 3] == opposite;
    return false;
}

static void grid(void) {
    WeftGridDef def = weft_default_grid_def();
    def.columns = 7, def.rows = 5;
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    WfTopology topology;
    CHECK(create(mesh.vertex_count, mesh.triangle_count, mesh.triangles, &topology) == WEFT_OK);
    CHECK(mesh.vertex_count - topology.edge_count + mesh.triangle_count == 1);
    CHECK(topology.edge_count - topology.hinge_count == 2 * (7 + 5));
    for (int e = 1; e < topology.edge_count; e++) {
        const int *now = topology.edges + 2 * e, *last = now - 2;
        CHECK(now[0] < now[1] && (last[0] < now[0] || (last[0] == now[0] && last[1] < now[1])));
    }
    for (int h = 0; h < topology.hinge_count; h++) {
        const WfHinge* hinge = topology.hinges + h;
        CHECK(has_half(mesh.triangles, hinge->triangles[0], hinge->edge[0], hinge->edge[1],
                       hinge->opposite[0]));
        CHECK(has_half(mesh.triangles, hinge->triangles[1], hinge->edge[1], hinge->edge[0],
                       hinge->opposite[1]));
    }
    for (int v = 0; v < mesh.vertex_count; v++) {
        int i = v % 8, j = v / 8, last = -1;
        CHECK(topology.boundary[v] == (i == 0 || i == 7 || j == 0 || j == 5));
        for (int s = topology.star_start[v]; s < topology.star_start[v + 1]; s++) {
            int t = topology.star[s];
            CHECK(t > last);
            CHECK(mesh.triangles[3 * t] == v || mesh.triangles[3 * t + 1] == v ||
                  mesh.triangles[3 * t + 2] == v);
            last = t;
        }
    }
    CHECK(topology.star_start[mesh.vertex_count] == 3 * mesh.triangle_count);
    destroy(&topology);
    weft_destroy_mesh(&mesh);
}

static void index_out_of_range(void) {
    refuse(40, 2, (int[]){0, 1, 2, 1, 99, 2}, "triangle 1 names vertex 99, but there are 40");
    refuse(3, 1, (int[]){0, -1, 2}, "triangle 0 names vertex -1");
}

static void repeated_vertex(void) {
    refuse(3, 1, (int[]){0, 1, 0}, "triangle 0 has vertex 0 twice");
}

static void duplicate_triangle(void) {
    refuse(3, 2, (int[]){0, 1, 2, 1, 2, 0}, "triangles 0 and 1 have the same three vertices");
    refuse(3, 2, (int[]){0, 1, 2, 2, 1, 0}, "triangles 0 and 1 have the same three vertices");
}

static void flipped_triangle(void) {
    refuse(4, 2, (int[]){0, 1, 2, 1, 2, 3},
           "triangles 0 and 1 face opposite ways across the edge of vertices 1 and 2");
}

static void non_manifold_edge(void) {
    refuse(5, 3, (int[]){0, 1, 2, 1, 0, 3, 0, 1, 4}, "the edge of vertices 0 and 1 has more than");
}

static void every_allocation(void) {
    static const int corners[] = {1, 2, 0, 2, 1, 3};
    WfTopology topology;
    int n = 0;
    for (;; n++) {
        memory = (TestMemory){.fail_at = n};
        WeftResult result = create(4, 2, corners, &topology);
        if (result == WEFT_OK) break;
        CHECK(result == WEFT_ERROR_MEMORY && memory.live == 0);
    }
    CHECK(n == 9);
    destroy(&topology);
    memory = (TestMemory){.fail_at = -1};
}

TEST_MAIN(CASE(empty), CASE(one_triangle), CASE(one_hinge), CASE(grid), CASE(index_out_of_range),
          CASE(repeated_vertex), CASE(duplicate_triangle), CASE(flipped_triangle),
          CASE(non_manifold_edge), CASE(every_allocation))
