// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards src/small_steps/leaf_tree.c, contact.c, planes.c and their kernels, and sim/small.c: every
// feature is in one leaf; cloth stays out of bodies, sticks or slides by its friction, goes along
// with what moves; what small steps have no form for is refused by name; the same bits twice.

#include "base/memory.h"
#include "contact/surface.h"
#include "small_steps/leaf_tree.h"
#include "test.h"
#include "weft/weft_mesh.h"

enum { CELLS = 16 };

typedef struct Sheet {
    WeftMesh mesh;
    WeftModelDef def;
    WeftClothDef cloth;
    WeftBodyDef body;
    WeftModel* model;
    WeftState* state;
} Sheet;

// A level square of 0.8 m at a height, that falls on a body.
static Sheet sheet_def(double height, WeftBodyKind kind) {
    Sheet s = {.def = weft_default_model_def(),
               .cloth = weft_default_cloth_def(),
               .body = weft_default_body_def()};
    WeftGridDef grid = weft_default_grid_def();
    WeftError error;
    grid.width = grid.height = 0.8;
    grid.columns = grid.rows = CELLS;
    CHECK(!weft_make_grid(&grid, NULL, &s.mesh, &error));
    for (int i = 0; i < s.mesh.vertex_count; i++) s.mesh.positions[3 * i + 1] += height;
    for (int i = 0; i < s.mesh.vertex_count; i++) s.mesh.positions[3 * i] -= 0.4;
    for (int i = 0; i < s.mesh.vertex_count; i++) s.mesh.positions[3 * i + 2] += 0.4;
    s.body.kind = kind;
    s.def.step.method = WEFT_METHOD_SMALL_STEPS;
    s.def.contact = WEFT_CONTACT_ALL;
    s.def.jobs.thread_count = 1;
    return s;
}

static WeftResult open_sheet(Sheet* s, WeftError* error) {
    weft_use_mesh(&s->cloth, &s->mesh);
    s->cloth.stretch = WEFT_STRETCH_TRIANGLES;
    s->def.cloths = &s->cloth, s->def.cloth_count = 1;
    s->def.bodies = &s->body, s->def.body_count = 1;
    WeftResult result = weft_create_model(&s->def, &s->model, error);
    return result ? result : weft_create_state(s->model, &s->state, error);
}

static void close_sheet(Sheet* s) {
    weft_destroy_state(s->state);
    weft_destroy_model(s->model);
    weft_destroy_mesh(&s->mesh);
}

static void step(Sheet* s, int count) {
    for (int k = 0; k < count; k++) CHECK(!weft_step(s->state, &s->def.step));
}

// ---------------------------------------------------------------------------------------------

// How often each feature is in a leaf.
static void every_feature_is_in_one_leaf(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    Sheet s = sheet_def(0, WEFT_BODY_SPHERE);
    WfSurface surface;
    WfLeafTree tree;
    const int segments[4] = {0, 20, 20, 200};
    CHECK(!wf_surface_create(&allocator, s.mesh.vertex_count, s.mesh.triangle_count,
                             s.mesh.triangles, 2, segments, &surface));
    CHECK(!wf_leaf_tree_create(&allocator, &surface, 7, s.mesh.positions, NULL, &tree));
    int triangles = 0, vertices = 0, edges = 0;
    double sum = 0, expected = 0;
    for (int l = 0; l < tree.leaf_count; l++)
        for (int k = 0; k < WF_LEAF_EDGES; k++) {
            triangles += k < WF_OCT && tree.has_triangles[l] >> k & 1;
            edges += tree.has_edges[l] >> k & 1;
            bool there = k < WF_OCT && tree.has_vertices[l] >> k & 1;
            vertices += there;
            if (there) sum += tree.vertices[WF_OCT * l + k];
        }
    for (int i = 0; i < s.mesh.vertex_count; i++) expected += 7 + i;
    CHECK(triangles == surface.triangle_count && edges == surface.edge_count);
    CHECK(vertices == s.mesh.vertex_count && sum == expected);
    wf_leaf_tree_destroy(&allocator, &tree);
    wf_surface_destroy(&allocator, &surface);
    weft_destroy_mesh(&s.mesh);
}

// m: how far the deepest vertex is inside.
static double depth(const Sheet* s) {
    const double* x = weft_positions(s->state);
    double deepest = 0;
    for (int i = 0; i < weft_vertex_count(s->model); i++, x += 3) {
        double y =
            s->body.kind == WEFT_BODY_CAPSULE ? fmax(0, fabs(x[1]) - s->body.length / 2) : x[1];
        double distance = sqrt(x[0] * x[0] + y * y + x[2] * x[2]) - s->body.radius;
        if (s->body.kind == WEFT_BODY_PLANE) distance = x[1];
        if (s->body.kind == WEFT_BODY_BOX)
            distance = fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2])) - s->body.size[0] / 2;
        deepest = fmax(deepest, -distance);
    }
    return deepest;
}

static void cloth_stays_out(void) {
    const WeftBodyKind kinds[] = {WEFT_BODY_SPHERE, WEFT_BODY_CAPSULE, WEFT_BODY_PLANE,
                                  WEFT_BODY_BOX};
    for (int k = 0; k < 4; k++) {
        WeftError error;
        Sheet s = sheet_def(0.6, kinds[k]);
        CHECK(!open_sheet(&s, &error));
        double deepest = 0;
        for (int f = 0; f < 60; f++) {
            step(&s, 1);
            deepest = fmax(deepest, depth(&s));
        }
        CHECK_BELOW(deepest, 1e-6);
        CHECK(weft_report(s.state)->body_contacts > 0);
        close_sheet(&s);
    }
}

// On a plane of a slope of 0.2, with friction of 0.4 and of 0.1.
static void friction_holds_or_not(void) {
    for (int slips = 0; slips < 2; slips++) {
        WeftError error;
        Sheet s = sheet_def(0.002, WEFT_BODY_PLANE);
        s.body.friction = s.cloth.fabric.friction = slips ? 0.1 : 0.4;
        s.def.step.gravity[0] = 0.2 * 9.81;
        s.def.step.air_density = 0;
        CHECK(!open_sheet(&s, &error));
        step(&s, 30);
        double before = weft_positions(s.state)[0];
        step(&s, 30);
        double moved = weft_positions(s.state)[0] - before;
        // from 0.5 to 1 s, with a - mu g
        double expected = slips ? (0.2 - 0.1) * 9.81 * (1 - 0.25) / 2 : 0;
        CHECK_NEAR(moved, expected, slips ? 0.05 : 2e-4);
        close_sheet(&s);
    }
}

// A sphere that comes up under it at 2 m/s.
static void cloth_goes_along(void) {
    WeftError error;
    Sheet s = sheet_def(0.3, WEFT_BODY_SPHERE);
    s.body.position[1] = -0.2;
    CHECK(!open_sheet(&s, &error));
    const double turn[4] = {0, 0, 0, 1};
    double top = 0, place[3] = {0, -0.2, 0};
    for (int f = 0; f < 30; f++) {
        place[1] += 2.0 / 60;
        weft_move_body(s.state, 0, place, turn);
        step(&s, 1);
    }
    const double* x = weft_positions(s.state);
    for (int i = 0; i < weft_vertex_count(s.model); i++) {
        double dx = x[3 * i], dy = x[3 * i + 1] - place[1], dz = x[3 * i + 2];
        top = fmax(top, x[3 * i + 1]);
        CHECK(sqrt(dx * dx + dy * dy + dz * dz) > s.body.radius - 1e-5);
    }
    CHECK_BELOW(place[1] + s.body.radius, top + 0.01);
    close_sheet(&s);
}

static uint64_t hash_after(bool saved) {
    WeftError error;
    Sheet s = sheet_def(0.4, WEFT_BODY_BOX);
    CHECK(!open_sheet(&s, &error));
    step(&s, 25);
    if (saved) {
        size_t size = weft_saved_size(s.state);
        void* bytes = malloc(size);
        weft_save_state(s.state, bytes);
        weft_destroy_state(s.state);
        CHECK(!weft_create_state(s.model, &s.state, &error));
        CHECK(!weft_load_state(s.state, bytes, size, &error));
        free(bytes);
    }
    step(&s, 15);
    uint64_t hash = weft_hash_state(s.state);
    close_sheet(&s);
    return hash;
}

static void same_bits(void) { CHECK(hash_after(false) == hash_after(true)); }

TEST_MAIN(CASE(every_feature_is_in_one_leaf), CASE(cloth_stays_out), CASE(friction_holds_or_not),
          CASE(cloth_goes_along), CASE(same_bits))
