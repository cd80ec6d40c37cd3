// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards balls: closed, outwards, on the sphere, of edges as long as asked for, whatever the size;
// the same bits everywhere; taken by a model as what can be blown up; and what is refused.

#include "base/hash.h"
#include "base/vec.h"
#include "energy/pressure.h"
#include "mesh_test.h"

static const double PI = 3.14159265358979323846;

static WeftMesh make_ball(double radius, double edge) {
    WeftBallDef def = {radius, edge};
    WeftMesh mesh;
    CHECK(weft_make_ball(&def, NULL, &mesh, NULL) == WEFT_OK);
    return mesh;
}

static void is_closed(const WeftMesh* mesh) {
    WfTopology topology;
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    CHECK(!wf_topology_create(&allocator, mesh->vertex_count, mesh->triangle_count, mesh->triangles,
                              &topology, NULL));
    CHECK(mesh->vertex_count - topology.edge_count + mesh->triangle_count == 2);
    for (int e = 0; e < topology.edge_count; e++) CHECK(topology.edge_triangles[2 * e + 1] >= 0);
    wf_topology_destroy(&allocator, &topology);
}

static void a_sphere(void) {
    const double sizes[][2] = {{0.5, 0.06}, {0.15, 0.1}, {2, 0.5}, {0.02, 0.002}, {1, 10}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double radius = sizes[k][0], edge = sizes[k][1], sum = 0;
        WeftMesh mesh = make_ball(radius, edge);
        int rows = (int)lround(sqrt((mesh.vertex_count - 2) / 10.0));
        CHECK(mesh.vertex_count == 10 * rows * rows + 2 && mesh.triangle_count == 20 * rows * rows);
        CHECK(mesh.material == NULL && mesh.material_count == 0 && mesh.springs == NULL);
        is_closed(&mesh);
        for (int i = 0; i < mesh.vertex_count; i++)
            CHECK_NEAR(wf_length(wf_load(mesh.positions, i)), radius, 1e-14);
        for (int t = 0; t < mesh.triangle_count; t++) {
            const int* v = mesh.triangles + 3 * t;
            WfVec a = wf_load(mesh.positions, v[0]), b = wf_load(mesh.positions, v[1]);
            WfVec c = wf_load(mesh.positions, v[2]), n = wf_cross(wf_sub(b, a), wf_sub(c, a));
            CHECK(wf_dot(n, a) > 0);
            for (int e = 0; e < 3; e++)
                sum += wf_length(
                    wf_sub(wf_load(mesh.positions, v[e]), wf_load(mesh.positions, v[(e + 1) % 3])));
        }
        double mean = sum / (3.0 * mesh.triangle_count), whole = 4 * PI / 3 * pow(radius, 3);
        if (rows > 1) CHECK(mean > 0.7 * edge && mean < 1.4 * edge);
        double volume = wf_enclosed_volume(mesh.triangle_count, mesh.triangles, mesh.positions);
        CHECK(volume < whole && volume > whole * (1 - 0.7 / (rows * rows)));
        CHECK(mesh.positions[1] == radius && mesh.positions[4] == -radius);  // top and bottom
        weft_destroy_mesh(&mesh);
    }
}

// No function of the C library has a part in it but the root.
static void same_bits_everywhere(void) {
    WeftMesh mesh = make_ball(0.5, 0.1);
    size_t bytes = 3 * (size_t)mesh.vertex_count * sizeof(double);
    uint64_t hash = wf_hash(WF_HASH_START, mesh.positions, bytes);
    if (!CHECK(hash == UINT64_C(0xe74833574ddb7df2)))
        printf("... %016llx\n", (unsigned long long)hash);
    weft_destroy_mesh(&mesh);
}

static void can_be_blown_up(void) {
    WeftMesh mesh = make_ball(0.15, 0.05);
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    weft_use_mesh(&cloth, &mesh);
    cloth.inflation = WEFT_INFLATION_GAS;
    def.cloths = &cloth, def.cloth_count = 1;
    CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
}

static void refused(void) {
    const struct {
        WeftBallDef def;
        const char* words;
    } bad[] = {{{0, 0.1}, "radius 0 m has no volume"},
               {{-1, 0.1}, "has no volume"},
               {{NAN, 0.1}, "has no volume"},
               {{1, 0}, "an edge of 0 m"},
               {{1, INFINITY}, "an edge of inf m"},
               {{1, 1e-4}, "more than 5000000 vertices"},
               {{1e300, 1e-9}, "more than"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        WeftMesh mesh = {.vertex_count = 7};
        WeftError error = {0};
        CHECK(weft_make_ball(&bad[i].def, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, bad[i].words);
        CHECK(mesh.vertex_count == 0 && mesh.positions == NULL);
    }
}

static WeftResult make_small(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftBallDef def = {1, 0.5};
    return weft_make_ball(&def, allocator, mesh, error);
}
static void no_memory(void) { check_every_allocation(make_small); }

TEST_MAIN(CASE(a_sphere), CASE(same_bits_everywhere), CASE(can_be_blown_up), CASE(refused),
          CASE(no_memory))
