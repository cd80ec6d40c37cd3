// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the order of elimination does: the size of the factor L (tables 7.1, 7.2, 7.3) and the time
// of a substitution (7.6, 7.7).

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "thesis.h"
#include "thesis_mesh.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// The thesis' `before` is the numbering of its meshes, which it does not tell; ours is the
// boundary, then the inside. Its `after` is Cuthill and McKee's, not reversed.
typedef struct Order {
    const char* name;
    bool boundary_first;
    WeftOrdering ordering;
} Order;

static const Order orders[] = {
    {"boundary first", true, WEFT_ORDERING_NATURAL},
    {"as meshed", false, WEFT_ORDERING_NATURAL},
    {"cuthill-mckee", false, WEFT_ORDERING_CUTHILL_MCKEE},
    {"reverse cuthill-mckee", false, WEFT_ORDERING_REVERSE_CUTHILL_MCKEE},
    {"minimum degree", false, WEFT_ORDERING_MINIMUM_DEGREE},
    {"nested dissection", false, WEFT_ORDERING_NESTED_DISSECTION},
    {"auto", false, WEFT_ORDERING_AUTO},
};
enum { ORDER_COUNT = sizeof orders / sizeof *orders, BEFORE = 0, AFTER = 2 };

static int create_ordered(const WeftClothDef* cloth, const WeftStepDef* step, WeftOrdering ordering,
                          WeftModel** model) {
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    def.cloths = cloth;
    def.cloth_count = 1;
    def.step = *step;
    def.ordering = ordering;
    def.jobs.thread_count = 1;
    if (weft_create_model(&def, model, &error)) return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Size

typedef struct ThesisFill {
    const char* table;
    ThesisShape shape;
    int vertex_count;
    double matrix, before, after;  // non-zeros
} ThesisFill;

static const ThesisFill fills[] = {
    {"7.1", SHAPE_SQUARE, 166, 1872, 7352, 3952},
    {"7.1", SHAPE_SQUARE, 1098, 13426, 223734, 68614},
    {"7.1", SHAPE_SQUARE, 5498, 69406, 3738863, 749633},
    {"7.2", SHAPE_FRONT, 1780, 21412, 626214, 182132},
    {"7.2", SHAPE_BACK, 918, 10816, 204179, 38722},
    {"7.2", SHAPE_SKIRT, 3176, 39352, 1478721, 337654},
    {"7.3", SHAPE_SQUARE, 1245, 15293, 286430, 84145},
    {"7.3", SHAPE_SQUARE, 2485, 30969, 829610, 236537},
    {"7.3", SHAPE_SQUARE, 4219, 53067, 2200249, 505102},
};
enum { FILL_COUNT = sizeof fills / sizeof *fills };

static int count_fill(const WeftMesh* mesh, WeftOrdering ordering, WeftFactorInfo* info) {
    WeftClothDef cloth = weft_default_cloth_def();
    WeftStepDef step = still_air_step();
    WeftModel* model = NULL;
    step.method = WEFT_METHOD_SYMPLECTIC;  // makes no factor
    weft_use_mesh(&cloth, mesh);
    int code = create_ordered(&cloth, &step, ordering, &model);
    if (!code) *info = weft_factor_info(model);
    weft_destroy_model(model);
    return code;
}

static void add_fill_row(const ThesisFill* fill, int order, const WeftMesh* mesh,
                         const WeftFactorInfo* info, double before, Report* report) {
    static const char* const used[] = {
        [WEFT_ORDERING_MINIMUM_DEGREE] = "auto: minimum degree",
        [WEFT_ORDERING_NESTED_DISSECTION] = "auto: nested dissection"};
    bool automatic = orders[order].ordering == WEFT_ORDERING_AUTO;
    start_row(report);
    add_text(report, "table", fill->table);
    add_text(report, "mesh", shape_name(fill->shape));
    add_number(report, "vertices", mesh->vertex_count);
    add_number(report, "thesis_vertices", fill->vertex_count);
    add_text(report, "order", automatic ? used[info->ordering] : orders[order].name);
    add_number(report, "a_count", (double)info->matrix_count);
    add_number(report, "thesis_a_count", fill->matrix);
    add_number(report, "l_count", (double)info->factor_count);
    add_number(report, "percent", 100 * (double)info->factor_count / before);
    if (order != BEFORE && order != AFTER) return;
    add_number(report, "thesis_l_count", order == BEFORE ? fill->before : fill->after);
    add_number(report, "thesis_percent", order == BEFORE ? 100 : 100 * fill->after / fill->before);
}

static int add_fill(const ThesisFill* fill, Report* report) {
    WeftMesh meshes[2] = {{0}, {0}};  // as meshed, boundary first
    double before = 0;
    show_progress("orders: %s of %d vertices", shape_name(fill->shape), fill->vertex_count);
    int code = make_shape(fill->shape, fill->vertex_count, &meshes[0]);
    if (!code) code = make_shape(fill->shape, fill->vertex_count, &meshes[1]);
    if (!code) number_boundary_first(&meshes[1]);
    for (int i = 0; i < ORDER_COUNT && !code; i++) {
        const WeftMesh* mesh = &meshes[orders[i].boundary_first];
        WeftFactorInfo info;
        code = count_fill(mesh, orders[i].ordering, &info);
        if (code) break;
        if (i == BEFORE) before = (double)info.factor_count;
        add_fill_row(fill, i, mesh, &info, before, report);
    }
    for (int i = 0; i < 2; i++) weft_destroy_mesh(&meshes[i]);
    return code;
}

int add_fill_rows(const BenchOptions* options, Report* report) {
    static const char* const titles[] = {
        "Non-zeros of A and of its factor L, by resolution",
        "Non-zeros of A and of its factor L, by shape",
        "Non-zeros of A and of its factor L, of the squares that swing"};
    int code = EXIT_GOOD;
    for (int i = 0; i < FILL_COUNT && !code; i++) {
        if (i % 3 == 0) start_table(report, titles[i / 3]);
        if (options->quick && fills[i].vertex_count > 2000) continue;
        code = add_fill(&fills[i], report);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Time

typedef struct ThesisSubstitution {
    int vertex_count;
    double before[FAMILY_COUNT], after[FAMILY_COUNT];  // ms
} ThesisSubstitution;

static const ThesisSubstitution substitutions[] = {
    {1245, {2.36, 2.85}, {0.92, 1.26}},
    {2485, {6.51, 6.63}, {2.21, 2.25}},
    {4219, {16.84, 16.83}, {4.65, 4.68}},
};
enum { SUBSTITUTION_COUNT = sizeof substitutions / sizeof *substitutions };
enum { ROUNDS = 40, QUICK_ROUNDS = 5, IN_A_ROW = 3 };

typedef struct Solver {
    WeftModel* model;
    WeftState* state;
    double ms;  // the fastest
} Solver;

// One substitution and no more: no residual is too large for it.
static WeftStepDef single_solve(void) {
    WeftStepDef step = linear_step();
    step.solve_tolerance = 0.99;
    return step;
}

static int create_solver(const Square* square, Family family, const Order* order, Solver* solver) {
    WeftClothDef cloth = square->cloth;
    WeftStepDef step = single_solve();
    WeftError error;
    *solver = (Solver){.ms = (double)INFINITY};
    weft_set_estimator(&cloth, WEFT_ESTIMATOR_VERTEX, 2);
    int code = set_cloth(family, CLOTH_STIFF, &cloth);
    if (!code) code = create_ordered(&cloth, &step, order->ordering, &solver->model);
    if (!code && weft_create_state(solver->model, &solver->state, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    return code;
}

static int time_solver(Solver* solver, const double* b, double* x) {
    WeftStepDef step = single_solve();
    for (int i = 0; i < IN_A_ROW; i++) {
        double start = thread_time(NULL);
        if (weft_solve(solver->state, &step, b, x))
            return complain(EXIT_FAILED, "%s", weft_state_error(solver->state)->message);
        solver->ms = fmin(solver->ms, 1000 * (thread_time(NULL) - start));
    }
    return EXIT_GOOD;
}

static int time_solvers(int rounds, int vertex_count, Solver solvers[ORDER_COUNT]) {
    size_t n = 3 * (size_t)vertex_count;
    double *b = need(n, sizeof *b), *x = need(n, sizeof *x);
    int code = EXIT_GOOD;
    for (size_t i = 0; i < n; i++) b[i] = 1e-3 * sin((double)i);
    for (int round = 0; round < rounds && !code; round++)
        for (int i = 0; i < ORDER_COUNT && !code; i++) code = time_solver(&solvers[i], b, x);
    free(b);
    free(x);
    return code;
}

static void add_substitution_row(const ThesisSubstitution* thesis, Family family, int order,
                                 int vertex_count, const Solver* solvers, Report* report) {
    double before = thesis->before[family], after = thesis->after[family];
    start_row(report);
    add_text(report, "table", family == FAMILY_EDGE ? "7.6" : "7.7");
    add_number(report, "vertices", vertex_count);
    add_number(report, "thesis_vertices", thesis->vertex_count);
    add_text(report, "order", orders[order].name);
    add_number(report, "ms", solvers[order].ms);
    add_number(report, "speedup", solvers[BEFORE].ms / solvers[order].ms);
    if (order != BEFORE && order != AFTER) return;
    add_number(report, "thesis_ms", order == BEFORE ? before : after);
    add_number(report, "thesis_speedup", order == BEFORE ? 1 : before / after);
}

static int add_substitutions(const BenchOptions* options, const ThesisSubstitution* thesis,
                             Family family, Report* report) {
    Square squares[2] = {0};  // as meshed, boundary first
    Solver solvers[ORDER_COUNT] = {{0}};
    show_progress("substitutions: %s, %d vertices", family_names[family], thesis->vertex_count);
    int code = EXIT_GOOD;
    for (int i = 0; i < 2 && !code; i++)
        code = make_thesis_square(thesis->vertex_count, i == 1, &squares[i]);
    int n = squares[0].mesh.vertex_count;
    for (int i = 0; i < ORDER_COUNT && !code; i++)
        code = create_solver(&squares[orders[i].boundary_first], family, &orders[i], &solvers[i]);
    if (!code) code = time_solvers(options->quick ? QUICK_ROUNDS : ROUNDS, n, solvers);
    for (int i = 0; i < ORDER_COUNT && !code; i++)
        add_substitution_row(thesis, family, i, n, solvers, report);
    for (int i = 0; i < ORDER_COUNT; i++) {
        weft_destroy_state(solvers[i].state);
        weft_destroy_model(solvers[i].model);
    }
    for (int i = 0; i < 2; i++) destroy_square(&squares[i]);
    return code;
}

int add_substitution_rows(const BenchOptions* options, Report* report) {
    static const char* const titles[] = {"ms of a substitution, edge model",
                                         "ms of a substitution, triangle model"};
    int code = EXIT_GOOD;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        start_table(report, titles[f]);
        for (int i = 0; i < SUBSTITUTION_COUNT && !code; i++)
            if (!options->quick || i == 0)
                code = add_substitutions(options, &substitutions[i], (Family)f, report);
    }
    return code;
}
