// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "cover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double RADIUS = 0.2, GAP = 0.01;       // m, of the sphere; below the sheet
static const double TUBE_LENGTH = 1, AROUND = 0.6;  // m
// Of the capsule: longer than the tube, with room between them.
static const double CAPSULE_RADIUS = 0.08, CAPSULE_LENGTH = 1.2;
static const double SPEED = 2, REACH = 0.3;  // m/s, m to either side
static const double TURN = 3;                // rad/s
// Of the body with bulges: half its length, how high they are, how many, how fast they run.
static const double HALF_LENGTH = 0.8, BULGE = 0.02, BULGE_COUNT = 4, BULGE_RATE = 1;

// ---------------------------------------------------------------------------------------------
// Cloth

static void lay_sheet(const CoverDef* def, WeftMesh* mesh) {
    double above = def->kind == COVER_BULGE ? BULGE : 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* x = mesh->positions + 3 * (size_t)i;
        x[0] -= 0.5, x[1] = RADIUS + above + GAP, x[2] += 0.5;
    }
}

// Front outwards, u around y. The two ends of a row are at the same place, to the last bit.
static void roll_tube(const CoverDef* def, WeftMesh* mesh) {
    int columns = def->columns;
    double radius = AROUND / (2 * columns * sin(PI / columns));  // whose chords are as long as u
    for (int i = 0; i < mesh->vertex_count; i++) {
        int column = i % (columns + 1) % columns, row = i / (columns + 1);
        double angle = 2 * PI * column / columns, *x = mesh->positions + 3 * (size_t)i;
        x[0] = radius * cos(angle), x[2] = -radius * sin(angle);
        x[1] = TUBE_LENGTH * ((double)row / def->rows - 0.5);
    }
}

static WeftResult make_cloth(const CoverDef* def, WeftMesh* mesh, WeftError* error) {
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = def->columns, grid.rows = def->rows;
    if (def->kind == COVER_TUBE) grid.width = AROUND, grid.height = TUBE_LENGTH;
    WeftResult result = weft_make_grid(&grid, NULL, mesh, error);
    if (result) return result;
    if (def->kind != COVER_TUBE) {
        lay_sheet(def, mesh);
        return WEFT_OK;
    }
    roll_tube(def, mesh);
    return weft_weld_mesh(mesh, 0, NULL, NULL, error);
}

static WeftFabric cotton(double thickness) {
    WeftFabric fabric = weft_default_fabric();
    for (int i = 0; weft_fabric_preset(i); i++)
        if (strcmp(weft_fabric_preset(i)->name, "cotton_poplin") == 0)
            fabric = weft_fabric_preset(i)->fabric;
    fabric.thickness = thickness;
    return fabric;
}

// Vertices of the upper ring are the last ones: welding keeps the order.
static int first_pin(const CoverDef* def) { return def->rows * def->columns; }

// ---------------------------------------------------------------------------------------------
// Bodies

// The body with bulges at some time: a surface of revolution about x with closed ends. Vertex 0 is
// the one end, the last the other, rings of `segments` between them.
static void shape_bulges(const CoverDef* def, double time, double* positions) {
    int last = (def->rings - 1) * def->segments + 1;
    for (int i = 0; i <= last; i++) {
        int ring = i == 0 ? 0 : i == last ? def->rings : (i - 1) / def->segments + 1;
        double along = PI * ring / def->rings;
        double around = 2 * PI * ((i + def->segments - 1) % def->segments) / def->segments;
        double wave = sin(2 * BULGE_COUNT * along - 2 * PI * BULGE_RATE * time);
        double radius = (RADIUS + BULGE * wave) * sin(along), *x = positions + 3 * (size_t)i;
        x[0] = -HALF_LENGTH * cos(along);
        x[1] = radius * cos(around), x[2] = radius * sin(around);
    }
}

static void set_triangle(int* triangle, int a, int b, int c) {
    triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

// Counter-clockwise from outside.
static void join_rings(const CoverDef* def, int* triangles) {
    int n = def->segments, rings = def->rings, last = (rings - 1) * n + 1;
    for (int j = 0; j < n; j++, triangles += 3) set_triangle(triangles, 0, 1 + j, 1 + (j + 1) % n);
    for (int ring = 1; ring < rings - 1; ring++)
        for (int j = 0; j < n; j++, triangles += 6) {
            int a = 1 + (ring - 1) * n + j, b = 1 + (ring - 1) * n + (j + 1) % n;
            set_triangle(triangles, a, a + n, b);
            set_triangle(triangles + 3, b, a + n, b + n);
        }
    for (int j = 0; j < n; j++, triangles += 3)
        set_triangle(triangles, last, last - n + (j + 1) % n, last - n + j);
}

// `triangles` is to be freed after the model is made.
static WeftBodyDef make_body(Cover* cover, int** triangles) {
    const CoverDef* def = &cover->def;
    WeftBodyDef body = weft_default_body_def();
    *triangles = NULL;
    body.kind = WEFT_BODY_SPHERE, body.radius = RADIUS;
    if (def->kind == COVER_TUBE) {
        body.kind = WEFT_BODY_CAPSULE;
        body.radius = CAPSULE_RADIUS, body.length = CAPSULE_LENGTH;
    }
    if (def->kind != COVER_BULGE) return body;
    body.kind = WEFT_BODY_MESH;
    body.vertex_count = (def->rings - 1) * def->segments + 2;
    body.triangle_count = 2 * (def->rings - 1) * def->segments;
    body.triangles = *triangles = need(3 * (size_t)body.triangle_count, sizeof **triangles);
    body.positions = cover->bulges = need(3 * (size_t)body.vertex_count, sizeof *cover->bulges);
    shape_bulges(def, 0, cover->bulges);
    join_rings(def, *triangles);
    return body;
}

// Where it is at some time: to and fro from the middle, at an even speed.
static void move_capsule(Cover* cover, double time) {
    double path = fmod(SPEED * time + REACH, 4 * REACH);
    double angle = TURN * time, rotation[4] = {0, sin(angle / 2), 0, cos(angle / 2)};
    double position[3] = {path < 2 * REACH ? path - REACH : 3 * REACH - path, 0, 0};
    weft_move_body(cover->state, 0, position, rotation);
}

// ---------------------------------------------------------------------------------------------
// The cover

static int create_model(Cover* cover, WeftMesh* mesh, const int* pins) {
    const CoverDef* def = &cover->def;
    int *triangles, code = EXIT_GOOD;
    WeftError error;
    WeftBodyDef body = make_body(cover, &triangles);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, mesh);
    cloth.fabric = cotton(def->thickness);
    if (def->kind == COVER_TUBE) cloth.pins = pins, cloth.pin_count = def->columns;
    WeftModelDef model = weft_default_model_def();
    model.cloths = &cloth, model.cloth_count = 1;
    model.bodies = &body, model.body_count = 1;
    model.contact = WEFT_CONTACT_ALL;
    model.jobs.thread_count = def->threads;
    model.clock.now = def->clock;
    cover->step = model.step;
    if (weft_create_model(&model, &cover->model, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    free(triangles);
    return code;
}

static void make_surfaces(Cover* cover) {
    const WeftModel* model = cover->model;
    int vertex_count = weft_body_vertex_count(model, 0);
    cover->shape = need(3 * (size_t)vertex_count, sizeof *cover->shape);
    cover->surfaces[0] = (WeftSurface){weft_vertex_count(model), NULL, weft_triangle_count(model),
                                       weft_triangles(model), false};
    cover->surfaces[1] =
        (WeftSurface){vertex_count, cover->shape, weft_body_triangle_count(model, 0),
                      weft_body_triangles(model, 0), true};
}

int open_cover(const CoverDef* def, Cover* cover) {
    WeftError error;
    WeftMesh mesh;
    *cover = (Cover){.def = *def};
    if (make_cloth(def, &mesh, &error)) return complain(EXIT_FAILED, "%s", error.message);
    int* pins = need((size_t)def->columns, sizeof *pins);
    for (int i = 0; i < def->columns; i++) pins[i] = first_pin(def) + i;
    int code = create_model(cover, &mesh, pins);
    free(pins);
    weft_destroy_mesh(&mesh);
    if (code) return code;
    make_surfaces(cover);
    return reset_cover(cover);
}

void close_cover(Cover* cover) {
    free(cover->shape);
    free(cover->bulges);
    weft_destroy_state(cover->state);
    weft_destroy_model(cover->model);
}

int reset_cover(Cover* cover) {
    WeftError error;
    weft_destroy_state(cover->state);
    cover->state = NULL;
    if (weft_create_state(cover->model, &cover->state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    for (int i = 0; cover->def.kind == COVER_TUBE && i < cover->def.columns; i++)
        weft_attach_pin(cover->state, first_pin(&cover->def) + i, 0);
    return EXIT_GOOD;
}

int take_cover_step(Cover* cover) {
    double end = weft_time(cover->state) + cover->step.dt;
    if (cover->def.kind == COVER_TUBE) move_capsule(cover, end);
    if (cover->def.kind == COVER_BULGE) {
        shape_bulges(&cover->def, end, cover->bulges);
        weft_deform_body(cover->state, 0, cover->bulges);
    }
    if (weft_step(cover->state, &cover->step))
        return complain(EXIT_FAILED, "%s", weft_state_error(cover->state)->message);
    return EXIT_GOOD;
}

int count_crossings(Cover* cover, int* count) {
    WeftError error;
    cover->surfaces[0].positions = weft_positions(cover->state);
    weft_copy_body(cover->state, 0, cover->shape);
    if (weft_find_crossings(cover->surfaces, 2, NULL, 0, NULL, count, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Phases

static const struct {
    const char* name;
    size_t offset;
} phases[] = {
    {"ms", offsetof(WeftTimes, total)},           {"predict_ms", offsetof(WeftTimes, predict)},
    {"force_ms", offsetof(WeftTimes, force)},     {"build_ms", offsetof(WeftTimes, build)},
    {"solve_ms", offsetof(WeftTimes, solve)},     {"update_ms", offsetof(WeftTimes, update)},
    {"body_ms", offsetof(WeftTimes, body)},       {"self_ms", offsetof(WeftTimes, self)},
    {"respond_ms", offsetof(WeftTimes, respond)}, {"defend_ms", offsetof(WeftTimes, defend)},
};
enum { PHASE_COUNT = sizeof phases / sizeof *phases };

static double read_phase(const WeftTimes* times, int phase) {
    return *(const double*)((const char*)times + phases[phase].offset);
}

void add_times(WeftTimes* sum, const WeftTimes* times) {
    for (int i = 0; i < PHASE_COUNT; i++)
        *(double*)((char*)sum + phases[i].offset) += read_phase(times, i);
}

void add_phase_cells(Report* report, const WeftTimes* times, double scale) {
    for (int i = 0; i < PHASE_COUNT; i++)
        add_number(report, phases[i].name, scale * read_phase(times, i));
}

double contact_seconds(const WeftTimes* times) {
    return times->body + times->self + times->respond + times->defend;
}
