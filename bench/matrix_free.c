// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// matrix-free: what it saves not to assemble the matrix of an implicit step. The same step of the
// same cloth by both solvers, with the same number of iterations, in turn.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "square.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// What is solved

typedef enum Kind { ROPE, WOVEN, WOVEN_EXPLICIT, CROSSED, TRIANGLES } Kind;

static const struct Case {
    const char *name, *ratio;
    Kind kind;
    int size;     // vertices; of cloth, along each side
    bool counts;  // for memory_saving
} cases[] = {
    {"rope, 100000", "time_ratio_rope", ROPE, 100000, true},
    {"woven, 80 x 80", "time_ratio_80", WOVEN_EXPLICIT, 80, true},
    {"woven, 512 x 512", "time_ratio", WOVEN_EXPLICIT, 512, true},
    {"woven, all implicit, 80 x 80", "time_ratio_all_implicit_80", WOVEN, 80, true},
    {"woven, all implicit, 512 x 512", "time_ratio_all_implicit", WOVEN, 512, true},
    {"crossed springs, 512 x 512", "time_ratio_crossed", CROSSED, 512, false},
    {"triangles, 512 x 512", "time_ratio_triangles", TRIANGLES, 512, false},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases, QUICK_SIZE = 64 };

// A thread every 1/24 m, steps of 10 ms, 0.15 kg/m^2, 2000 N/m: so coarse that area and bending may
// be explicit.
static const double SPACING = 1.0 / 24, STEP = 0.01;

typedef struct Piece {
    WeftMesh mesh;
    WeftClothDef def;
    int pins[2];
} Piece;

static int make_piece(Kind kind, int size, Piece* piece) {
    WeftGridDef grid = weft_default_grid_def();
    WeftRopeDef rope = {.length = SPACING * (size - 1), .segments = size - 1};
    WeftError error;
    bool woven = kind == WOVEN || kind == WOVEN_EXPLICIT;
    grid.columns = grid.rows = size - 1;
    grid.width = grid.height = SPACING * (size - 1);
    grid.kind = woven             ? WEFT_GRID_WOVEN
                : kind == CROSSED ? WEFT_GRID_CROSSED
                                  : WEFT_GRID_ALTERNATING;
    *piece = (Piece){0};
    if (kind == ROPE ? weft_make_rope(&rope, NULL, &piece->mesh, &error)
                     : weft_make_grid(&grid, NULL, &piece->mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    WeftClothDef* def = &piece->def;
    *def = weft_default_cloth_def();
    weft_use_mesh(def, &piece->mesh);
    def->fabric.density = 0.15;
    def->fabric.shear = woven ? 5 : 500;
    if (woven) {
        def->stretch = WEFT_STRETCH_THREADS;
        def->shear = WEFT_SHEAR_AREA;
        def->bend_by = WEFT_BEND_BY_THREADS;
        def->explicit_shear = kind == WOVEN_EXPLICIT;
        def->bend = kind == WOVEN_EXPLICIT ? WEFT_BEND_EXPLICIT : WEFT_BEND_IMPLICIT;
    }
    if (kind == TRIANGLES) def->stretch = WEFT_STRETCH_TRIANGLES;
    piece->pins[1] = size - 1;  // both ends; two corners
    def->pins = piece->pins;
    def->pin_count = 2;
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Memory, counted

typedef struct Tally {
    size_t bytes;
} Tally;

enum { TALLY_HEADER = 16 };  // keeps the alignment that allocators promise

static void* tally_allocate(void* user, size_t bytes) {
    unsigned char* block = malloc(bytes + TALLY_HEADER);
    if (!block) return NULL;
    *(size_t*)(void*)block = bytes;
    ((Tally*)user)->bytes += bytes;
    return block + TALLY_HEADER;
}

static void tally_release(void* user, void* memory) {
    unsigned char* block = (unsigned char*)memory - TALLY_HEADER;
    ((Tally*)user)->bytes -= *(size_t*)(void*)block;
    free(block);
}

// ---------------------------------------------------------------------------------------------
// Solvers

static const struct Way {
    const char* name;
    WeftMethod method;
    WeftScheme scheme;
    WeftMatrices matrices;
} ways[] = {
    {"assembled, J", WEFT_METHOD_IMPLICIT, WEFT_SCHEME_J, WEFT_MATRICES_BLOCKS},
    {"matrix-free, J", WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_J, WEFT_MATRICES_NONE},
    {"matrix-free, plain", WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_PLAIN, WEFT_MATRICES_NONE},
};
enum { ASSEMBLED, FREE, PLAIN, WAY_COUNT, WARM_UP = 3, REPEATS = 10, MAX_ITERATIONS = 1000 };
static const double ENOUGH = 5;  // s of repeats; three of them in any case

typedef struct Solver {
    Tally tally;
    WeftStepDef step;
    WeftModel* model;
    WeftState *start, *state;
    double create, fastest;  // s
    WeftTimes times;         // of the fastest
    size_t memory;           // model and a state that has taken steps
    int iterations;
} Solver;

static WeftStepDef solver_step(const struct Way* way) {
    WeftStepDef step = weft_default_step_def();
    step.dt = STEP;
    step.method = way->method;
    step.scheme = way->scheme;
    step.order = 1;
    step.start = WEFT_START_PREVIOUS;
    step.tolerance = 1e-4;
    step.max_iterations = MAX_ITERATIONS;
    return step;
}

static int take_step(Solver* solver) {
    return weft_step(solver->state, &solver->step)
               ? complain(EXIT_FAILED, "%s", weft_state_error(solver->state)->message)
               : EXIT_GOOD;
}

static int open_solver(const struct Way* way, const Piece* piece, int threads, Solver* solver) {
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    double (*now)(void*) = threads == 1 ? thread_time : wall_time;
    *solver = (Solver){.step = solver_step(way), .fastest = (double)INFINITY};
    def.cloths = &piece->def;
    def.cloth_count = 1;
    def.step = solver->step;
    def.matrices = way->matrices;
    def.jobs.thread_count = threads;
    def.clock.now = now;
    def.allocator = (WeftAllocator){tally_allocate, tally_release, &solver->tally};
    double start = now(NULL);
    bool good = !weft_create_model(&def, &solver->model, &error);
    solver->create = now(NULL) - start;
    good = good && !weft_create_state(solver->model, &solver->state, &error);
    if (!good) return complain(EXIT_FAILED, "%s", error.message);
    for (int i = 0; i < WARM_UP; i++)
        if (take_step(solver)) return EXIT_FAILED;
    solver->memory = solver->tally.bytes;
    solver->iterations = weft_report(solver->state)->cg_iterations;
    if (weft_create_state(solver->model, &solver->start, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    weft_copy_state(solver->start, solver->state);
    return EXIT_GOOD;
}

static void close_solver(Solver* solver) {
    weft_destroy_state(solver->start);
    weft_destroy_state(solver->state);
    weft_destroy_model(solver->model);
}

// The step after the warm-up once more.
static int time_step(Solver* solver) {
    weft_copy_state(solver->state, solver->start);
    if (take_step(solver)) return EXIT_FAILED;
    const WeftStepReport* report = weft_report(solver->state);
    solver->iterations = report->cg_iterations;
    if (report->times.total >= solver->fastest) return EXIT_GOOD;
    solver->fastest = report->times.total;
    solver->times = report->times;
    return EXIT_GOOD;
}

// Both J take as many iterations as the one that needs fewer.
static int level_iterations(Solver solvers[WAY_COUNT]) {
    for (int w = ASSEMBLED; w <= FREE; w++)
        if (time_step(&solvers[w])) return EXIT_FAILED;
    int a = solvers[ASSEMBLED].iterations, b = solvers[FREE].iterations;
    for (int w = ASSEMBLED; w <= FREE; w++) {
        solvers[w].step.max_iterations = a < b ? a : b;
        solvers[w].fastest = (double)INFINITY;
    }
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Rows

static void tell_solver(const char* name, int vertices, const char* threads, int w,
                        const Solver* solver, Report* report) {
    start_row(report);
    add_text(report, "cloth", name);
    add_number(report, "vertices", vertices);
    add_text(report, "threads", threads);
    add_text(report, "solver", ways[w].name);
    add_number(report, "solver_mb", (double)weft_solver_bytes(solver->model, &solver->step) / 1e6);
    add_number(report, "all_mb", (double)solver->memory / 1e6);
    add_number(report, "ms", 1000 * solver->fastest);
    add_number(report, "iterations", solver->iterations);
    add_number(report, "iteration_ms", 1000 * solver->times.solve / solver->iterations);
    add_number(report, "force_ms", 1000 * solver->times.force);
    add_number(report, "build_ms", 1000 * solver->times.build);
    add_number(report, "create_ms", 1000 * solver->create);
}

typedef struct Found {
    double memory, time;  // assembled over matrix-free
} Found;

static int run_case(int c, int size, int threads, int repeats, Report* report, Found* found) {
    Solver solvers[WAY_COUNT] = {0};
    Piece piece;
    char name[48];
    snprintf(name, sizeof name, "%s", cases[c].name);
    if (size != cases[c].size) snprintf(name, sizeof name, "%s, cut to %d", cases[c].name, size);
    show_progress("%s, %s", name, threads == 1 ? "one thread" : "all cores");
    int code = make_piece(cases[c].kind, size, &piece);
    for (int w = 0; w < WAY_COUNT && !code; w++)
        code = open_solver(&ways[w], &piece, threads, &solvers[w]);
    if (!code) code = level_iterations(solvers);
    double start = wall_time(NULL);
    for (int i = 0; i < repeats && !code; i++) {
        if (i >= 3 && wall_time(NULL) - start > ENOUGH) break;
        for (int w = 0; w < WAY_COUNT && !code; w++) code = time_step(&solvers[w]);
    }
    for (int w = 0; w < WAY_COUNT && !code; w++)
        tell_solver(name, piece.mesh.vertex_count, threads == 1 ? "1" : "all", w, &solvers[w],
                    report);
    if (!code) {
        const Solver *assembled = &solvers[ASSEMBLED], *mine = &solvers[FREE];
        found->memory = (double)weft_solver_bytes(assembled->model, &assembled->step) /
                        (double)weft_solver_bytes(mine->model, &mine->step);
        found->time = assembled->fastest / mine->fastest;
    }
    for (int w = 0; w < WAY_COUNT; w++) close_solver(&solvers[w]);
    weft_destroy_mesh(&piece.mesh);
    return code;
}

static int run_matrix_free(const BenchOptions* options, Report* report) {
    double saving = (double)INFINITY;
    int code = EXIT_GOOD, repeats = options->quick ? 2 : options->full ? 3 * REPEATS : REPEATS;
    Found found[CASE_COUNT] = {0};
    start_table(report, "one thread");
    for (int c = 0; c < CASE_COUNT && !code; c++) {
        int size = cases[c].size;
        if (options->quick && cases[c].kind != ROPE && size > QUICK_SIZE) size = QUICK_SIZE;
        if (options->quick && cases[c].kind == ROPE) size /= 10;
        code = run_case(c, size, 1, repeats, report, &found[c]);
        if (cases[c].counts) saving = fmin(saving, found[c].memory);
    }
    if (!options->quick) start_table(report, "all cores");
    for (int c = 0; c < CASE_COUNT && !code && !options->quick; c++) {
        Found ignored;
        bool ours =
            cases[c].kind == ROPE || cases[c].kind == WOVEN || cases[c].kind == WOVEN_EXPLICIT;
        if (ours && cases[c].size > 80)
            code = run_case(c, cases[c].size, WEFT_ALL_THREADS, repeats, report, &ignored);
    }
    add_ratio(report, "memory_saving", saving);
    for (int c = 0; c < CASE_COUNT && !code; c++) add_ratio(report, cases[c].ratio, found[c].time);
    add_note(report,
             "solver_mb: what solving takes in model and state (weft_solver_bytes): matrix, its "
             "pattern and the places of elements in it, or what springs keep instead; "
             "preconditioner; vectors of the iteration. all_mb: every byte that model and state "
             "hold after three steps, counted by their allocator.");
    add_note(report,
             "ms: the fastest of repeats of one and the same step, the solvers in turn; both with "
             "J take the same number of iterations. Processor time on one thread, time on the wall "
             "on all cores.");
    return code;
}

const Bench matrix_free_bench = {
    .name = "matrix-free",
    .text = "implicit steps without a matrix against assembled ones: memory and time",
    .details =
        "A rope of 100,000 particles held at both ends; cloth woven of 80 x 80 and 512 x 512\n"
        "threads, area and bending forces explicit, or all of it in the solve; 512 x 512\n"
        "vertices of crossed springs, and of triangles. One step of implicit Euler, solved\n"
        "to 1e-4.",
    .run = run_matrix_free,
};
