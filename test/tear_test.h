// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A curtain of N x N cells, 1 m wide and high, that hangs by its upper side: what is cut and torn.
// Vertex (column, row) has the number row * (N + 1) + column; row 0 is the upper side.

#ifndef WEFT_TEAR_TEST_H
#define WEFT_TEAR_TEST_H

#include "test.h"
#include "weft/weft_mesh.h"

enum { MOST_CELLS = 40 };

typedef struct Curtain {
    int cells;
    WeftMesh mesh;
    int pins[MOST_CELLS + 1];
    WeftClothDef cloth;
    WeftModelDef def;
    WeftStepDef step;
    WeftModel* model;
    WeftState* state;
} Curtain;

static WeftMethod curtain_method = WEFT_METHOD_PREFACTORED;

typedef struct CurtainCase {
    const char* name;
    void (*run)(void);
} CurtainCase;

static inline void run_by_small_steps(const CurtainCase* all, size_t count) {
    curtain_method = WEFT_METHOD_SMALL_STEPS;
    for (size_t k = 0; k < count; k++) {
        int before = test_failures;
        all[k].run();
        if (test_failures > before) printf("    %s, by small steps\n", all[k].name);
    }
    curtain_method = WEFT_METHOD_PREFACTORED;
}

// Nothing is made yet, so that the defs can be changed.
static inline void curtain_def(Curtain* c, int cells) {
    *c = (Curtain){.cells = cells};
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = cells;
    CHECK(!weft_make_grid(&grid, NULL, &c->mesh, NULL));
    for (int i = 0; i < c->mesh.vertex_count; i++) {  // upright
        c->mesh.positions[3 * i + 1] = -(double)(i / (cells + 1)) / cells;
        c->mesh.positions[3 * i + 2] = 0;
    }
    for (int i = 0; i <= cells; i++) c->pins[i] = i;
    c->cloth = weft_default_cloth_def();
    weft_use_mesh(&c->cloth, &c->mesh);
    c->cloth.pins = c->pins;
    c->cloth.pin_count = cells + 1;
    c->def = weft_default_model_def();
    c->def.contact = WEFT_CONTACT_NONE;
    c->def.tearable = true;
    c->def.jobs.thread_count = 1;
    c->step = weft_default_step_def();
    c->step.method = curtain_method;
}

static inline bool curtain_open(Curtain* c) {
    WeftError error = {0};
    c->def.cloths = &c->cloth;
    c->def.cloth_count = 1;
    bool good = !weft_create_model(&c->def, &c->model, &error) &&
                !weft_create_state(c->model, &c->state, &error);
    if (!good) printf("%s\n", error.message);
    return CHECK(good);
}

static inline void curtain_close(Curtain* c) {
    weft_destroy_state(c->state);
    weft_destroy_model(c->model);
    weft_destroy_mesh(&c->mesh);
}

static inline void take_steps(WeftState* state, const WeftStepDef* step, int count) {
    for (int i = 0; i < count; i++)
        if (!CHECK(!weft_step(state, step))) printf("%s\n", weft_state_error(state)->message);
}

static inline int vertex_at(const Curtain* c, int column, int row) {
    return row * (c->cells + 1) + column;
}

// Along column or row `at`, from vertex `from` to `to`. Returns how many edges.
static inline int cut_line(WeftState* state, const Curtain* c, bool upright, int at, int from,
                           int to) {
    int vertices[MOST_CELLS + 1], count = 0, edges = -1;
    for (int i = from; i <= to; i++)
        vertices[count++] = upright ? vertex_at(c, at, i) : vertex_at(c, i, at);
    WeftCutDef cut = weft_default_cut_def();
    cut.vertices = vertices;
    cut.vertex_count = count;
    CHECK(!weft_cut(state, &cut, &edges, NULL));
    return edges;
}

// Along a line in space. Returns how many edges.
static inline int cut_points(WeftState* state, int count, const double* points) {
    WeftCutDef cut = weft_default_cut_def();
    int edges = -1;
    cut.points = points;
    cut.point_count = count;
    CHECK(!weft_cut(state, &cut, &edges, NULL));
    return edges;
}

// Until nothing is to be torn. Returns how many steps that took.
static inline int wait_torn(WeftState* state, const WeftStepDef* step) {
    for (int i = 1; i <= 20; i++) {
        take_steps(state, step, 1);
        if (!weft_report(state)->tearing) return i;
    }
    return CHECK(!"torn within 20 steps");
}

static inline double sum_of_masses(const WeftModel* model) {
    double sum = 0;
    for (int i = 0; i < weft_vertex_count(model); i++) sum += weft_masses(model)[i];
    return sum;
}

// Pieces that edges join, not counting vertices without any.
static inline int count_pieces(const WeftModel* model) {
    int n = weft_vertex_count(model), pieces = 0;
    const int* edges = weft_edges(model);
    int* root = malloc((size_t)n * sizeof *root);
    for (int i = 0; i < n; i++) root[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < weft_edge_count(model); e++) {
            int a = edges[2 * e], b = edges[2 * e + 1];
            int least = root[a] < root[b] ? root[a] : root[b];
            changed = changed || root[a] != least || root[b] != least;
            root[a] = root[b] = least;
        }
    }
    for (int i = 0; i < n; i++) pieces += root[i] == i;
    free(root);
    return pieces;
}

#endif
