// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A sheet that is bent by hand, and render meshes over it.

#ifndef WEFT_TEST_RENDER_TEST_H
#define WEFT_TEST_RENDER_TEST_H

#include <math.h>
#include <string.h>

#include "mesh_test.h"
#include "weft/weft_render.h"

// A square metre, u along x and v along -z.
typedef struct Stage {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    WeftFrames* frames;
} Stage;

// Where a point of the flat sheet is, `height` above it.
typedef void Bend(double u, double v, double height, double* place);

static inline void lie_flat(double u, double v, double height, double* place) {
    place[0] = u, place[1] = height, place[2] = -v;
}

static inline void set_bend(Stage* stage, Bend* bend) {
    int n = stage->mesh.vertex_count;
    double* places = malloc(3 * (size_t)n * sizeof *places);
    for (int i = 0; i < n; i++)
        bend(stage->mesh.material[2 * i], stage->mesh.material[2 * i + 1], 0, places + 3 * (long)i);
    weft_set_positions(stage->state, places);
    free(places);
}

static inline void draw_bend(Stage* stage, Bend* bend) {
    set_bend(stage, bend);
    weft_push_frame(stage->frames, stage->state);
    weft_draw_frame(stage->frames, 1, NULL);
}

static inline Stage open_stage(int cells, Bend* bend, WeftJobs jobs) {
    Stage stage = {.model = NULL};
    WeftGridDef grid = {1, 1, cells, cells, WEFT_GRID_ALTERNATING};
    CHECK(!weft_make_grid(&grid, NULL, &stage.mesh, NULL));
    for (int i = 0; i < stage.mesh.vertex_count; i++)
        bend(stage.mesh.material[2 * i], stage.mesh.material[2 * i + 1], 0,
             stage.mesh.positions + 3 * (long)i);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &stage.mesh);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.jobs = jobs;
    CHECK(!weft_create_model(&def, &stage.model, NULL));
    CHECK(!weft_create_state(stage.model, &stage.state, NULL));
    CHECK(!weft_create_frames(stage.model, NULL, &stage.frames, NULL));
    weft_push_frame(stage.frames, stage.state);
    weft_draw_frame(stage.frames, 1, NULL);
    return stage;
}

static inline void close_stage(Stage* stage) {
    weft_destroy_frames(stage->frames);
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    weft_destroy_mesh(&stage->mesh);
}

// A render mesh: a grid of cells over the sheet, one layer or two.
typedef struct Shown {
    int cells, count, triangle_count;
    float *positions, *uvs;
    double* flat;  // 3 per vertex: u, v and height
    int* triangles;
} Shown;

typedef double Height(double u, double v, int layer);

// Every vertex of the middle column is there twice, as at a seam of its texture.
static inline Shown make_shown(int cells, int layers, double low, double high, Bend* bend,
                               Height* height) {
    int columns = cells + 2, per = columns * (cells + 1), n = layers * per, t = 0;
    Shown s = {.cells = cells, .count = n};
    s.positions = malloc(3 * (size_t)n * sizeof(float));
    s.uvs = malloc(2 * (size_t)n * sizeof(float));
    s.flat = malloc(3 * (size_t)n * sizeof(double));
    s.triangles = malloc(6 * (size_t)layers * (size_t)(cells * cells) * sizeof(int));
    for (int i = 0; i < n; i++) {
        int column = i % per % columns, row = i % per / columns;
        double at = (double)(column > cells / 2 ? column - 1 : column) / cells;
        double u = low + (high - low) * at, v = low + (high - low) * row / cells, place[3];
        double up = height ? height(u, v, i / per) : 0;
        bend(u, v, up, place);
        for (int k = 0; k < 3; k++) s.positions[3 * i + k] = (float)place[k];
        s.uvs[2 * i] = (float)u, s.uvs[2 * i + 1] = (float)v;
        s.flat[3 * i] = u, s.flat[3 * i + 1] = v, s.flat[3 * i + 2] = up;
    }
    for (int layer = 0; layer < layers; layer++)
        for (int c = 0; c < cells * cells; c++) {
            int column = c % cells >= cells / 2 ? c % cells + 1 : c % cells;
            int a = layer * per + c / cells * columns + column, b = a + 1;
            int d = a + columns, e = d + 1, flip = layer % 2;
            int all[6] = {a, flip ? e : b, flip ? b : e, a, flip ? d : e, flip ? e : d};
            memcpy(s.triangles + 3 * (long)t, all, sizeof all);
            t += 2;
        }
    s.triangle_count = t;
    return s;
}

static inline void free_shown(Shown* s) {
    free(s->positions), free(s->uvs), free(s->flat), free(s->triangles);
}

static inline WeftBindingDef shown_def(const Stage* stage, const Shown* s) {
    WeftBindingDef def = weft_default_binding_def();
    def.model = stage->model;
    def.vertex_count = s->count;
    def.positions = s->positions;
    def.uvs = s->uvs;
    def.triangle_count = s->triangle_count;
    def.triangles = s->triangles;
    return def;
}

// All there is of a vertex.
typedef struct Vertex {
    float position[3], normal[3], tangent[4], previous[3];
} Vertex;

static inline WeftVertexLayout vertex_layout(Vertex* vertices) {
    return (WeftVertexLayout){.vertices = vertices,
                              .stride = sizeof *vertices,
                              .position = offsetof(Vertex, position),
                              .normal = offsetof(Vertex, normal),
                              .tangent = offsetof(Vertex, tangent),
                              .previous = offsetof(Vertex, previous)};
}

static inline Vertex* write_stage(const Stage* stage, const WeftBinding* binding) {
    Vertex* vertices = malloc((size_t)weft_binding_vertex_count(binding) * sizeof *vertices);
    WeftVertexLayout layout = vertex_layout(vertices);
    weft_write_vertices(binding, stage->frames, &layout);
    return vertices;
}

static inline double distance_between(const float* a, const float* b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow((double)a[k] - (double)b[k], 2);
    return sqrt(sum);
}
static inline double distance_to(const float* a, const double* b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
    return sqrt(sum);
}
static inline double dot_floats(const float* a, const float* b) {
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

#endif
