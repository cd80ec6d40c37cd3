// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// solve: the constant matrix of a prefactored step, factored and solved by weft, CHOLMOD and Eigen.
// The same matrix and the same three right-hand sides for all, one thread, in turn.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "direct.h"
#include "square.h"
#include "weft/weft_study.h"

typedef struct Size {
    const char* name;  // of its table
    int columns, rows;
    const char *speedup, *nonzeros, *factor;  // ratios; or NULL
} Size;

// As square as can be within one per cent of 1245, 2485, 4219, 5472 and 20000 vertices.
static const Size sizes[] = {
    {"33 x 38", 33, 38, NULL, NULL, NULL},
    {"50 x 50", 50, 50, NULL, NULL, NULL},
    {"65 x 65", 65, 65, NULL, NULL, NULL},
    {"72 x 76", 72, 76, "solve_speedup_5472", "nnz_vs_best_5472", "factor_vs_cholmod_5472"},
    {"141 x 142", 141, 142, "solve_speedup_20000", "nnz_vs_best_20000", "factor_vs_cholmod_20000"},
};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes, MAX_SOLVERS = 16 };

// Repeats: of making factors, of solving in turn, and of solving in one turn.
typedef struct Repeats {
    int factors, turns, solves;
} Repeats;

// What one solver did; seconds, the least of repeats.
typedef struct Result {
    const char* name;
    bool is_cholmod, is_float;
    long long nonzeros;
    double factor_bytes;
    double analysis, factor, together, one_by_one;
    double residual, difference;
} Result;

// What only ours is asked.
typedef struct Ours {
    double wall, wall_two;  // one thread and two, on the wall
    double refined;         // to 1e-12
    double refined_residual;
    int refinements, default_refinements;
    double read;   // its factor, as plain memory
    uint64_t sum;  // of what was read
} Ours;

typedef struct Contest {
    Square square;
    WeftStepDef step;
    WeftModel *model, *model_two;
    WeftState *state, *state_two;
    DirectMatrix matrix;
    double *values, *b, *x, *reference;
    int direct_count;
    Direct* directs[MAX_SOLVERS];
    Result results[MAX_SOLVERS + 1];  // ours first
    Ours ours;
} Contest;

static double solve_time(const Result* result) {
    return fmin(result->together, result->one_by_one);
}

// ---------------------------------------------------------------------------------------------
// The matrix and the sides

static int fail_state(const WeftState* state) {
    return complain(EXIT_FAILED, "weft: %s", weft_state_error(state)->message);
}

// Without pins, which others would have to leave out by hand; at the fabric's real stiffness, and
// without refinement.
static int make_cloth(Contest* contest, const Size* size) {
    int code = make_square(size->columns, size->rows, &contest->square);
    contest->square.cloth.pin_count = 0;
    contest->step = still_air_step();
    contest->step.stretch_tolerance = 0;
    contest->step.solve_tolerance = 0.5;
    if (!code)
        code = create_square(&contest->square, &contest->step, 1, thread_time, &contest->model,
                             &contest->state);
    if (!code)
        code = create_square(&contest->square, &contest->step, 2, wall_time, &contest->model_two,
                             &contest->state_two);
    return code;
}

// A translation, noise, a slope, each times the masses, as steps have them.
static void make_sides(Contest* contest) {
    unsigned noise = 1;
    int n = contest->matrix.n;
    for (int i = 0; i < n; i++) {
        double mass = weft_masses(contest->model)[i];
        noise = noise * 1664525u + 1013904223u;
        contest->b[3 * i] = mass;
        contest->b[3 * i + 1] = mass * ((double)(noise >> 8) / (1 << 23) - 1);
        contest->b[3 * i + 2] = mass * i / n;
    }
}

static int make_contest(Contest* contest, const Size* size) {
    WeftError error;
    *contest = (Contest){0};
    int code = make_cloth(contest, size);
    if (code) return code;
    size_t n = (size_t)weft_vertex_count(contest->model);
    DirectMatrix* matrix = &contest->matrix;
    matrix->n = (int)n;
    contest->values =
        need((size_t)weft_factor_info(contest->model).matrix_count, sizeof *contest->values);
    contest->b = need(3 * n, sizeof(double));
    contest->x = need(3 * n, sizeof(double));
    contest->reference = need(3 * n, sizeof(double));
    if (weft_get_matrix(contest->model, &contest->step, &matrix->start, &matrix->index,
                        contest->values, &error))
        return complain(EXIT_FAILED, "weft: %s", error.message);
    matrix->values = contest->values;
    make_sides(contest);
    contest->direct_count = direct_count();
    for (int d = 0; d < contest->direct_count; d++) {
        contest->directs[d] = create_direct(d, matrix);
        if (!contest->directs[d]) return complain(EXIT_FAILED, "out of memory");
        set_direct_sides(contest->directs[d], contest->b);
    }
    return EXIT_GOOD;
}

static void destroy_contest(Contest* contest) {
    for (int d = 0; d < contest->direct_count; d++) destroy_direct(contest->directs[d]);
    weft_destroy_state(contest->state);
    weft_destroy_state(contest->state_two);
    weft_destroy_model(contest->model);
    weft_destroy_model(contest->model_two);
    destroy_square(&contest->square);
    free(contest->values);
    free(contest->b);
    free(contest->x);
    free(contest->reference);
}

// ---------------------------------------------------------------------------------------------
// Ordering, analysis, factor

static void keep_least(double* least, double seconds) { *least = fmin(*least, seconds); }

// A model without a factor, then the factor. As of the others, the time is that of the
// factorisation, without filling in the matrix.
static int factor_ours(const Contest* contest, Result* result) {
    WeftStepDef plain = contest->step;
    WeftModel* model;
    WeftState* state;
    WeftError error;
    plain.method = WEFT_METHOD_SYMPLECTIC;  // needs no factor
    int code = create_square(&contest->square, &plain, 1, thread_time, &model, &state);
    if (code) return code;
    if (weft_prepare_model(model, &contest->step, &error))
        code = complain(EXIT_FAILED, "weft: %s", error.message);
    WeftFactorInfo info = weft_factor_info(model);
    keep_least(&result->factor, info.factor_time);
    keep_least(&result->analysis, info.order_time + info.analysis_time);
    result->nonzeros = info.factor_count;
    result->factor_bytes = (double)info.stored_count * sizeof(float);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

static int factor_other(Direct* direct, Result* result) {
    double start = thread_time(NULL);
    bool good = analyse_direct(direct);
    double analysed = thread_time(NULL);
    good = good && factor_direct(direct);
    keep_least(&result->analysis, analysed - start);
    keep_least(&result->factor, thread_time(NULL) - analysed);
    // once more into the same memory, as libraries can
    start = thread_time(NULL);
    good = good && factor_direct(direct);
    keep_least(&result->factor, thread_time(NULL) - start);
    DirectInfo info = direct_info(direct);
    result->name = info.name;
    result->is_cholmod = info.is_cholmod;
    result->is_float = info.is_float;
    result->nonzeros = info.nonzeros;
    result->factor_bytes = info.factor_bytes;
    return good ? EXIT_GOOD : complain(EXIT_FAILED, "%s cannot factor the matrix", info.name);
}

static int factor_all(Contest* contest, int repeats) {
    int code = EXIT_GOOD;
    for (int i = 0; i <= contest->direct_count; i++) {
        Result* result = &contest->results[i];
        result->analysis = result->factor = (double)INFINITY;
        result->together = result->one_by_one = (double)INFINITY;
    }
    contest->results[0].name = "weft";
    for (int r = 0; r < repeats; r++) {
        if (!code) code = factor_ours(contest, &contest->results[0]);
        for (int d = 0; d < contest->direct_count && !code; d++)
            code = factor_other(contest->directs[d], &contest->results[d + 1]);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Solving

static int solve_ours(Contest* contest, int solves) {
    Result* result = &contest->results[0];
    for (int i = 0; i < solves; i++) {
        double wall = wall_time(NULL), start = thread_time(NULL);
        if (weft_solve(contest->state, &contest->step, contest->b, contest->x))
            return fail_state(contest->state);
        keep_least(&result->together, thread_time(NULL) - start);
        keep_least(&contest->ours.wall, wall_time(NULL) - wall);
    }
    return EXIT_GOOD;
}

static int solve_ours_by_two(Contest* contest, int solves) {
    for (int i = 0; i < solves; i++) {
        double wall = wall_time(NULL);
        if (weft_solve(contest->state_two, &contest->step, contest->b, contest->x))
            return fail_state(contest->state_two);
        keep_least(&contest->ours.wall_two, wall_time(NULL) - wall);
    }
    return EXIT_GOOD;
}

// Solves to a tolerance; *refinements: how many that takes.
static int refine_ours(Contest* contest, double tolerance, int solves, double* seconds,
                       int* refinements) {
    WeftStepDef step = contest->step;
    step.solve_tolerance = tolerance;
    for (int i = 0; i < solves; i++) {
        double start = thread_time(NULL);
        if (weft_solve(contest->state, &step, contest->b, contest->x))
            return fail_state(contest->state);
        keep_least(seconds, thread_time(NULL) - start);
        *refinements = weft_report(contest->state)->refinements;
    }
    return EXIT_GOOD;
}

static int refine_ours_fully(Contest* contest, int solves) {
    return refine_ours(contest, 1e-12, solves, &contest->ours.refined, &contest->ours.refinements);
}

static int solve_other(const Contest* contest, int d, int solves, Result* result) {
    for (int i = 0; i < 2 * solves; i++) {
        bool single = i % 2;
        double start = thread_time(NULL);
        if (!solve_direct(contest->directs[d], single))
            return complain(EXIT_FAILED, "%s cannot solve", result->name);
        keep_least(single ? &result->one_by_one : &result->together, thread_time(NULL) - start);
    }
    return EXIT_GOOD;
}

// As many bytes as our factor has, read once: what memory allows. Returns the sum, so that nobody
// thinks it is not needed.
static uint64_t read_plain(Contest* contest, int repeats, const uint64_t* numbers, size_t count) {
    enum { LANES = 32 };
    uint64_t sums[LANES] = {0}, sum = 0;
    for (int r = 0; r < repeats; r++) {
        double start = thread_time(NULL);
        for (size_t i = 0; i + LANES <= count; i += LANES)
            for (int k = 0; k < LANES; k++) sums[k] += numbers[i + (size_t)k];
        keep_least(&contest->ours.read, thread_time(NULL) - start);
    }
    for (int k = 0; k < LANES; k++) sum += sums[k];
    return sum;
}

static int solve_all(Contest* contest, const Repeats* repeats) {
    size_t count = (size_t)(contest->results[0].factor_bytes / sizeof(uint64_t)) + 32;
    uint64_t* numbers = need(count, sizeof *numbers);
    memset(numbers, 1, count * sizeof *numbers);
    contest->ours.wall = contest->ours.wall_two = (double)INFINITY;
    contest->ours.refined = contest->ours.read = (double)INFINITY;
    int code = EXIT_GOOD;
    for (int turn = 0; turn < repeats->turns && !code; turn++) {
        code = solve_ours(contest, repeats->solves);
        if (!code) code = solve_ours_by_two(contest, repeats->solves);
        if (!code) code = refine_ours_fully(contest, repeats->solves);
        contest->ours.sum += read_plain(contest, repeats->solves, numbers, count);
        for (int d = 0; d < contest->direct_count && !code; d++)
            code = solve_other(contest, d, repeats->solves, &contest->results[d + 1]);
    }
    free(numbers);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Checking

// The largest of |b - A x| / |b| over the sides.
static double find_residual(const Contest* contest, const double* x) {
    const DirectMatrix* matrix = &contest->matrix;
    double left[3] = {0}, whole[3] = {0}, largest = 0;
    for (int i = 0; i < matrix->n; i++)
        for (int c = 0; c < 3; c++) {
            double b = contest->b[3 * i + c], r = b;
            for (int e = matrix->start[i]; e < matrix->start[i + 1]; e++)
                r -= matrix->values[e] * x[3 * matrix->index[e] + c];
            left[c] += r * r;
            whole[c] += b * b;
        }
    for (int c = 0; c < 3; c++) largest = fmax(largest, sqrt(left[c] / whole[c]));
    return largest;
}

static double find_difference(const Contest* contest, const double* x, const double* y) {
    double apart = 0, whole = 0;
    for (int i = 0; i < 3 * contest->matrix.n; i++) {
        apart += (x[i] - y[i]) * (x[i] - y[i]);
        whole += y[i] * y[i];
    }
    return sqrt(apart / whole);
}

// All say the same; the reference is a solution in doubles that is none of ours. Eigen in float
// comes no closer to it than some 1e-2.
static int check_solution(Contest* contest, Result* result) {
    double tolerance = result->is_float ? 5e-2 : 1e-4;
    result->residual = find_residual(contest, contest->x);
    result->difference = find_difference(contest, contest->x, contest->reference);
    if (result->difference <= tolerance) return EXIT_GOOD;
    return complain(EXIT_FAILED, "%d vertices: %s is %g away from the solution", contest->matrix.n,
                    result->name, result->difference);
}

static int check_all(Contest* contest) {
    double ignored = 0;
    get_direct_solution(contest->directs[0], contest->reference);
    int code = refine_ours(contest, weft_default_step_def().solve_tolerance, 1, &ignored,
                           &contest->ours.default_refinements);
    if (!code) code = refine_ours_fully(contest, 1);
    if (!code) code = check_solution(contest, &contest->results[0]);
    contest->ours.refined_residual = contest->results[0].residual;
    if (!code) code = solve_ours_by_two(contest, 1);
    if (!code) code = check_solution(contest, &contest->results[0]);
    if (!code) code = solve_ours(contest, 1);
    if (!code) code = check_solution(contest, &contest->results[0]);
    for (int d = 0; d < contest->direct_count && !code; d++) {
        get_direct_solution(contest->directs[d], contest->x);
        code = check_solution(contest, &contest->results[d + 1]);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Telling

static void tell_rows(const Contest* contest, Report* report) {
    for (int i = 0; i <= contest->direct_count; i++) {
        const Result* result = &contest->results[i];
        start_row(report);
        add_number(report, "vertices", contest->matrix.n);
        add_text(report, "solver", result->name);
        add_number(report, "nnz_l", (double)result->nonzeros);
        add_number(report, "factor_mb", result->factor_bytes / 1e6);
        add_number(report, "analysis_ms", 1000 * result->analysis);
        add_number(report, "factor_ms", 1000 * result->factor);
        add_number(report, "solve_ms", 1000 * solve_time(result));
        add_number(report, "residual", result->residual);
        add_number(report, "difference", result->difference);
        add_number(report, "gb_per_s", 2e-9 * result->factor_bytes / solve_time(result));
        if (i > 0) continue;
        const Ours* ours = &contest->ours;
        add_number(report, "share_of_limit", 2 * ours->read / solve_time(result));
        add_number(report, "two_threads_ms", 1000 * ours->wall_two);
        add_number(report, "two_threads_speedup", ours->wall / ours->wall_two);
        add_number(report, "default_refinements", ours->default_refinements);
        add_number(report, "refined_ms", 1000 * ours->refined);
        add_number(report, "refinements", ours->refinements);
        add_number(report, "refined_residual", ours->refined_residual);
    }
}

typedef struct Ratios {
    double speedup, nonzeros, factor;
} Ratios;

static Ratios find_ratios(const Contest* contest) {
    const Result* ours = &contest->results[0];
    Ratios best = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    for (int d = 1; d <= contest->direct_count; d++) {
        const Result* other = &contest->results[d];
        keep_least(&best.speedup, solve_time(other));
        keep_least(&best.nonzeros, (double)other->nonzeros);
        if (other->is_cholmod) keep_least(&best.factor, other->analysis + other->factor);
    }
    return (Ratios){best.speedup / solve_time(ours), (double)ours->nonzeros / best.nonzeros,
                    (ours->analysis + ours->factor) / best.factor};
}

static int run_size(const Size* size, const Repeats* repeats, Report* report, Ratios* worst) {
    Contest contest;
    show_progress("%s vertices: making factors", size->name);
    int code = make_contest(&contest, size);
    if (!code) code = factor_all(&contest, repeats->factors);
    show_progress("%s vertices: solving", size->name);
    if (!code) code = solve_all(&contest, repeats);
    if (!code) code = check_all(&contest);
    if (!code) {
        start_table(report, size->name);
        tell_rows(&contest, report);
    }
    if (!code && size->speedup) {
        Ratios ratios = find_ratios(&contest);
        add_ratio(report, size->speedup, ratios.speedup);
        add_ratio(report, size->nonzeros, ratios.nonzeros);
        add_ratio(report, size->factor, ratios.factor);
        worst->speedup = fmin(worst->speedup, ratios.speedup);
        worst->nonzeros = fmax(worst->nonzeros, ratios.nonzeros);
        worst->factor = fmax(worst->factor, ratios.factor);
    }
    destroy_contest(&contest);
    return code;
}

static int run_solve(const BenchOptions* options, Report* report) {
    static char blas[96];
    const Repeats repeats = options->quick  ? (Repeats){1, 2, 3}
                            : options->full ? (Repeats){10, 60, 5}
                                            : (Repeats){5, 20, 5};
    Ratios worst = {(double)INFINITY, 0, 0};
    int code = EXIT_GOOD;
    snprintf(blas, sizeof blas, "The BLAS of CHOLMOD is %s, on one thread.", direct_blas());
    for (int i = 0; i < SIZE_COUNT && !code; i++)
        if (!options->quick || i == 0 || i == 3)
            code = run_size(&sizes[i], &repeats, report, &worst);
    add_ratio(report, "solve_speedup", worst.speedup);
    add_ratio(report, "nnz_vs_best", worst.nonzeros);
    add_ratio(report, "factor_vs_cholmod", worst.factor);
    add_note(report, blas);
    add_note(report,
             "Times are the least of repeats in turn: processor time on one thread; "
             "two_threads_ms on the wall.");
    return code;
}

const Bench solve_bench = {
    .name = "solve",
    .text = "the constant matrix, factored and solved: against CHOLMOD and Eigen",
    .details =
        "Squares of 1254 to 20022 vertices, 2000 N/m, bending in the matrix, no pins; three\n"
        "right-hand sides in doubles. CHOLMOD: LL^T and LDL^T column by column and supernodal,\n"
        "with AMD and with METIS; Eigen: LLT and LDLT with AMD, in double and float. analysis_ms\n"
        "includes the ordering; others solve the three sides at once or one by one, whichever is\n"
        "faster. All solutions must agree to 1e-4, those of Eigen in float to 5e-2.",
    .run = run_solve,
};
