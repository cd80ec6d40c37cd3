// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/step.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "contact/world.h"
#include "respond/singles.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Scratch

void wf_work_layout(const WfSystem* s, WfArena* arena, WfWork* work) {
    size_t n = 3 * (size_t)s->vertex_count;
    double** vectors[] = {&work->x,         &work->trial,    &work->base,      &work->drift,
                          &work->right,     &work->gradient, &work->direction, &work->r,
                          &work->z,         &work->t,        &work->kept,      &work->residual,
                          &work->correction};
    // the last three are for solves with the factor
    size_t count = sizeof vectors / sizeof *vectors - (s->matrices == WEFT_MATRICES_ALL ? 0 : 3);
    for (size_t i = 0; i < count; i++) *vectors[i] = wf_arena_push(arena, n, sizeof(double));
    work->slots = wf_arena_push(arena, wf_solve_scratch_count(&s->cholesky), sizeof(float));
    work->inverses = wf_arena_push(arena, 2 * n, sizeof(float));
    work->p = wf_arena_push(arena, 2 * n, sizeof(double));
    work->q = work->p ? work->p + n : NULL;
    work->linear =
        wf_arena_push(arena, (size_t)s->linear_pattern.start[s->vertex_count], sizeof(double));
    work->linear_scales = wf_arena_push(arena, (size_t)s->portion_count, sizeof(double));
    work->linear_gamma = 0;
}

void wf_blocks_layout(const WfSystem* s, WfArena* arena, WfWork* work) {
    size_t n = (size_t)s->vertex_count;
    work->blocks.pattern = &s->blocks;
    work->blocks.diagonal = wf_arena_push(arena, 6 * n, sizeof(double));
    work->blocks.upper = wf_arena_push(arena, 9 * (size_t)s->blocks.start[n], sizeof(double));
}

void wf_rows_layout(const WfSystem* s, WfArena* arena, WfWork* work) {
    size_t n = (size_t)s->vertex_count;
    work->rows.pattern = &s->rows;
    work->rows.blocks = wf_arena_push(arena, 9 * (size_t)s->rows.block_start[n], sizeof(double));
    work->rows.scalars = wf_arena_push(arena, (size_t)s->rows.scalar_start[n], sizeof(double));
}

void wf_sweeps_layout(const WfSystem* s, WfArena* arena, WfWork* work) {
    wf_sweep_layout(&s->rows, arena, &work->sweep);
    work->sweep.order = &s->sweep;
    work->sweep.jobs = &s->jobs;
}

WfVectors wf_step_vectors(const WfStep* step) {
    return (WfVectors){&step->system->jobs, 3 * step->system->vertex_count, step->work->partial};
}

// ---------------------------------------------------------------------------------------------
// The start of a step

static double term_scale(const WfStep* step, const WfTerm* term) {
    return term->softens ? step->scales[term->portion] : 1;
}

// Explicit forces feed on themselves where they are too stiff for the step. None is larger than
// what moves a vertex by two mean edges in a whole step, in however many substeps: cloth trembles
// then, and does not fly apart. (Half of an edge is less than what explicit forces and others that
// hold against them may well have at rest. By the substep, eight of them trembled at 2 km/s.)
static void bound_forces(const WfStep* step, const double* without, double* f) {
    double reach = step->def->substeps * step->motion.gamma, square = reach * reach;
    for (int i = 0; i < step->system->vertex_count; i++) {
        WfVec rest = wf_load(without, i), own = wf_sub(wf_load(f, i), rest);
        double most = 4 * step->stray * step->system->masses[i] / square, size = wf_length(own);
        if (size > most) wf_store(f, i, wf_madd(rest, most / size, own));
    }
}

static void add_explicit(const WfStep* step, int t, double* f) {
    const WfTerm* term = step->system->terms[t];
    const WfTermSpace* space = &step->work->spaces[t];
    double scale = term_scale(step, term), *without = step->work->gradient;
    // begun with an endless gamma: no damping inside, it comes from v(n)
    WfMotion endless = step->motion;
    endless.gamma = HUGE_VAL;
    memcpy(without, f, 3 * (size_t)step->system->vertex_count * sizeof *f);
    if (term->type->begin) term->type->begin(term, space, &endless);
    term->type->evaluate(term, space, step->motion.x, WF_WANT_FORCE, scale, f);
    if (term->type->damp) term->type->damp(term, space, step->motion.x, step->motion.v, scale, f);
    if (step->def->guard) bound_forces(step, without, f);
}

// f += forces that are taken as they are at the start of the step
static void external_forces(const WfStep* step, double* f) {
    const WfSystem* s = step->system;
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (term->type->external)
            term->type->external(term, &step->work->spaces[t], &step->motion, f);
        if (term->is_explicit) add_explicit(step, t, f);
    }
}

// x~ and v~; no force yet
static void begin_vertices(void* context, int first, int end) {
    const WfStep* step = context;
    const WfMotion* m = &step->motion;
    WfWork* work = step->work;
    for (long i = 3L * first; i < 3L * end; i++) {
        work->base[i] = m->base_weights[0] * m->x[i] + m->base_weights[1] * m->x1[i];
        work->drift[i] = m->drift_weights[0] * m->v[i] + m->drift_weights[1] * m->v1[i];
        work->t[i] = 0;
    }
}

// right = M y = M (x~ + gamma v~) + gamma^2 f
static void start_right(void* context, int first, int end) {
    const WfStep* step = context;
    const WfMotion* m = &step->motion;
    const double *masses = step->system->masses, *f = step->work->t;
    for (int i = first; i < end; i++) {
        WfVec y = wf_madd(wf_load(m->base, i), m->gamma, wf_load(m->drift, i));
        wf_store(step->work->right, i,
                 wf_madd(wf_mul(masses[i], y), m->gamma * m->gamma, wf_load(f, i)));
    }
}

static void ready_linear(const WfStep* step) {
    WfWork* work = step->work;
    size_t bytes = (size_t)step->system->portion_count * sizeof(double);
    double gamma = step->motion.gamma;
    if (work->linear_gamma == gamma && memcmp(work->linear_scales, step->scales, bytes) == 0)
        return;
    wf_system_linear(step->system, gamma, step->scales, work->linear);
    work->linear_gamma = gamma;
    memcpy(work->linear_scales, step->scales, bytes);
}

void wf_step_begin(const WfStep* step) {
    const WfSystem* s = step->system;
    const WfMotion* m = &step->motion;
    WfWork* work = step->work;
    work->refused = false;
    wf_parallel_items(&s->jobs, s->vertex_count, begin_vertices, (void*)step);
    external_forces(step, work->t);
    wf_parallel_items(&s->jobs, s->vertex_count, start_right, (void*)step);
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (term->is_explicit) continue;
        if (term->type->begin) term->type->begin(term, &work->spaces[t], m);
        if (term->type->kind == WF_TERM_LINEAR)
            term->type->load(term, &work->spaces[t], m->gamma * m->gamma * term_scale(step, term),
                             work->right);
    }
    ready_linear(step);
}

typedef struct Start {
    const WfMotion* motion;
    double* x;
} Start;

// As the motion goes on.
static void start_vertices(void* context, int first, int end) {
    const Start* start = context;
    const WfMotion* m = start->motion;
    for (long i = 3L * first; i < 3L * end; i++)
        start->x[i] = 2.5 * m->x[i] - 2 * m->x1[i] + 0.5 * m->x2[i];
}

void wf_step_start(const WfStep* step, WeftStart from, double* x) {
    const WfMotion* m = &step->motion;
    const WfSystem* s = step->system;
    Start start = {m, x};
    if (from == WEFT_START_PREVIOUS)
        wf_parallel_copy(&s->jobs, m->x, 3 * (size_t)s->vertex_count, x);
    else
        wf_parallel_items(&s->jobs, s->vertex_count, start_vertices, &start);
    for (int i = 0; i < step->pin_count; i++)
        wf_store(x, step->pins[i], wf_load(m->goal, step->pins[i]));
    if (step->world) wf_singles_admit(&step->world->contacts, step->world->jobs, m->x, x);
}

// ---------------------------------------------------------------------------------------------
// Phi and its derivatives

void wf_step_filter(const WfStep* step, double* vector) {
    wf_plane_filter(&step->system->mirror, vector);
    for (int i = 0; i < step->pin_count; i++) wf_store(vector, step->pins[i], (WfVec){0, 0, 0});
}

static bool is_nonlinear(const WfTerm* term) {
    return term->type->kind == WF_TERM_NONLINEAR && !term->is_explicit;
}

static double evaluate(const WfStep* step, const double* x, unsigned want, double* g) {
    const WfSystem* s = step->system;
    WfVectors vectors = wf_step_vectors(step);
    double square = step->motion.gamma * step->motion.gamma;
    double* ax = g ? g : step->work->t;
    wf_scalar_product(&s->linear_pattern, step->work->linear, &s->jobs, x, ax);
    double phi = wf_vector_dot(&vectors, x, ax) / 2 - wf_vector_dot(&vectors, x, step->work->right);
    if (g) {
        wf_vector_axpy(&vectors, -1, step->work->right, g);
        want |= WF_WANT_FORCE;
    }
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (!is_nonlinear(term)) continue;
        double scale = square * term_scale(step, term);
        phi += scale * term->type->evaluate(term, &step->work->spaces[t], x, want, -scale, g);
    }
    if (step->ties) phi += square * wf_ties_evaluate(step->ties, x, -square, g);
    return phi;
}

double wf_step_evaluate(const WfStep* step, const double* x, unsigned want, double* g) {
    double phi = evaluate(step, x, want, g);
    if (g) wf_step_filter(step, g);
    return phi;
}

void wf_step_whole_gradient(const WfStep* step, const double* x, double* g) {
    evaluate(step, x, 0, g);
    wf_plane_filter(&step->system->mirror, g);
}

static double gamma_square(const WfStep* step) { return step->motion.gamma * step->motion.gamma; }

void wf_step_add_outside(const WfStep* step, const double* p, double* q) {
    if (step->ties) wf_ties_add_outside(step->ties, gamma_square(step), p, q);
}

bool wf_step_has_outside(const WfStep* step) {
    return step->ties && wf_ties_are_outside(step->ties);
}

static const double LIMIT_SLACK = 0.05;

WfPhiLimit wf_step_limit(const WfStep* step) {
    const WfMotion* m = &step->motion;
    double moving = 0;
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec v = wf_load(m->v, i);
        moving += step->system->masses[i] * wf_dot(v, v);
    }
    wf_step_start(step, WEFT_START_PREVIOUS, step->work->trial);
    double phi = wf_step_evaluate(step, step->work->trial, 0, NULL);
    return (WfPhiLimit){phi, phi + LIMIT_SLACK * m->h * m->h * moving};
}

WfGained wf_step_gain(const WfStep* step, const double* x, double phi_change) {
    const WfMotion* m = &step->motion;
    double inertia = 0, before = 0, after = 0, sum = 0, square = m->gamma * m->gamma;
    for (int i = 0; i < m->vertex_count; i++) {
        if (m->pinned[i]) continue;
        double mass = step->system->masses[i];
        WfVec from = wf_load(m->x, i), v = wf_load(m->v, i), to = wf_load(x, i);
        WfVec free_flight = wf_madd(wf_load(m->base, i), m->gamma, wf_load(m->drift, i));
        WfVec moved = wf_sub(to, wf_load(m->base, i)), middle = wf_mul(0.5, wf_add(to, from));
        inertia += mass * wf_dot(wf_sub(to, from), wf_sub(middle, free_flight));
        after += mass / 2 * wf_dot(moved, moved);
        before += mass / 2 * wf_dot(v, v);
        sum += mass;
    }
    after /= square;
    double change = (phi_change - inertia) / square + after - before;
    if (step->world) {
        WfTouch touch = wf_step_touch(step);
        change -= fmax(wf_response_work(&touch), 0);
    }
    return (WfGained){change, before + after, sum};
}

void wf_step_product(const WfStep* step, const double* p, double* q) {
    const WfSystem* s = step->system;
    double square = step->motion.gamma * step->motion.gamma;
    wf_scalar_product(&s->linear_pattern, step->work->linear, &s->jobs, p, q);
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (is_nonlinear(term))
            term->type->product(term, &step->work->spaces[t], square * term_scale(step, term), p,
                                q);
    }
    if (step->ties) wf_ties_product(step->ties, square, p, q);
    wf_step_filter(step, q);
}

// Single precision is enough for what only preconditions.
static void invert_blocks(const WfSystem* s, const double* blocks, float* inverses) {
    for (int i = 0; i < s->vertex_count; i++) {
        double inverse[6], mass = s->masses[i];
        // an exact (unclamped) Hessian may fail here: any positive block will do then
        if (!wf_sym_invert(blocks + 6 * (long)i, inverse)) {
            const double block[6] = {1 / mass, 0, 0, 1 / mass, 0, 1 / mass};
            memcpy(inverse, block, sizeof inverse);
        }
        for (int k = 0; k < 6; k++) inverses[6 * (long)i + k] = (float)inverse[k];
    }
}

// What lies in the plane of a mirror has an image of all around it, so that nothing joins its
// motion along the plane to that along the normal n: without B n - (n.B n) n.
static void part_in_plane(const WfPlane* plane, double* blocks) {
    WfVec n = plane->normal;
    for (int k = 0; k < plane->count; k++) {
        double* b = blocks + 6 * (long)plane->rows[k];
        WfVec along = wf_plane_flatten(plane, wf_sym_mul(b, n));
        b[0] -= 2 * n.x * along.x;
        b[1] -= n.x * along.y + n.y * along.x;
        b[2] -= n.x * along.z + n.z * along.x;
        b[3] -= 2 * n.y * along.y;
        b[4] -= n.y * along.z + n.z * along.y;
        b[5] -= 2 * n.z * along.z;
    }
}

// And it never moves along the normal.
static void flatten_inverses(const WfPlane* plane, float* inverses) {
    WfVec n = plane->normal;
    for (int k = 0; k < plane->count; k++) {
        float* at = inverses + 6 * (long)plane->rows[k];
        double inverse[6];
        for (int j = 0; j < 6; j++) inverse[j] = (double)at[j];
        wf_sym_add(inverse, 0, -wf_dot(n, wf_sym_mul(inverse, n)), n);
        for (int j = 0; j < 6; j++) at[j] = (float)inverse[j];
    }
}

void wf_step_diagonal(const WfStep* step, double* D) {
    const WfSystem* s = step->system;
    double square = step->motion.gamma * step->motion.gamma;
    for (int i = 0; i < s->vertex_count; i++) {
        double d = step->work->linear[wf_pattern_find(&s->linear_pattern, i, i)];
        const double block[6] = {d, 0, 0, d, 0, d};
        memcpy(D + 6 * (long)i, block, sizeof block);
    }
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (is_nonlinear(term))
            term->type->diagonal(term, &step->work->spaces[t], square * term_scale(step, term), D);
    }
    if (step->ties) wf_ties_diagonal(step->ties, square, D);
    part_in_plane(&s->mirror, D);
}

void wf_step_invert_diagonal(const WfStep* step, const double* blocks) {
    float* inverses = step->work->inverses;
    invert_blocks(step->system, blocks, inverses);
    flatten_inverses(&step->system->mirror, inverses);
    for (int i = 0; i < step->pin_count; i++)
        memset(inverses + 6 * (long)step->pins[i], 0, 6 * sizeof *inverses);
}

unsigned wf_step_jacobian(const WfStep* step) {
    static const unsigned wants[] = {
        [WEFT_JACOBIAN_CLAMPED] = 0,
        [WEFT_JACOBIAN_EXACT] = WF_WANT_EXACT,
        [WEFT_JACOBIAN_ONE_SIDED] = WF_WANT_ONE_SIDED,
        [WEFT_JACOBIAN_SMOOTHED] = WF_WANT_SMOOTHED,
        [WEFT_JACOBIAN_AXIAL] = WF_WANT_AXIAL,
        [WEFT_JACOBIAN_SCALAR] = WF_WANT_SCALAR,
    };
    return wants[step->def->jacobian];
}

void wf_step_blocks(const WfStep* step) {
    const WfSystem* s = step->system;
    WfWork* work = step->work;
    double square = step->motion.gamma * step->motion.gamma;
    wf_rows_start(&s->rows, &s->jobs, work->linear, &work->blocks);
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (is_nonlinear(term))
            term->type->blocks(term, &work->spaces[t], square * term_scale(step, term),
                               &work->blocks);
    }
    if (step->ties) wf_ties_blocks(step->ties, square, &work->blocks);
    part_in_plane(&s->mirror, work->blocks.diagonal);
}

void wf_step_assemble(const WfStep* step) {
    wf_step_blocks(step);
    wf_rows_fill(&step->work->rows, &step->system->jobs, &step->work->blocks, step->work->linear);
}

void wf_step_constant_product(const WfStep* step, const double* p, double* q) {
    wf_factor_product(step->system, step->factor, p, q);
    if (step->ties) wf_ties_product(step->ties, gamma_square(step), p, q);
}

static const double LEAST_SLOPE = 1e-30;  // kg: none, of what is divided by

// The exchange has the slopes of the last forces.
static void stiffen_exchange(const WfStep* step) {
    WfTieStiffness stiffness[WF_MAX_TIES];
    if (!step->ties || !step->exchange) return;
    WfSolve solve = wf_factor_solver(step->system, step->factor, step->work->slots);
    for (int t = 0; t < step->ties->count; t++) {
        const WfTie* tie = &step->ties->all[t];
        double all = tie->is_line ? tie->across : tie->slope;
        stiffness[t] = (WfTieStiffness){.all = fmax(gamma_square(step) * all, LEAST_SLOPE)};
        if (!tie->is_line) continue;
        stiffness[t].along = gamma_square(step) * fmax(tie->slope - tie->across, 0);
        wf_store(stiffness[t].direction, 0, tie->normal);
    }
    wf_exchange_stiffen(step->exchange, &solve, stiffness);
}

enum { MAX_REFINEMENTS = 6 };

// correction = A^-1 (right - A z); its size over that of z
static double find_correction(const WfStep* step, const double* right, const double* z,
                              double* correction) {
    const WfSystem* s = step->system;
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    wf_step_constant_product(step, z, work->residual);
    wf_vector_xpay(&vectors, right, -1, work->residual);
    wf_step_filter(step, work->residual);
    wf_factor_solve(s, step->factor, step->exchange, work->slots, work->residual, correction);
    wf_step_filter(step, correction);
    double zz = wf_vector_dot(&vectors, z, z);
    return zz > 0 ? sqrt(wf_vector_dot(&vectors, correction, correction) / zz) : 0;
}

// Each correction leaves an error that is smaller than itself by about as much as it is smaller
// than the one before; a hundred times that to be on the safe side.
static void refine(const WfStep* step, const double* right, double* z) {
    WfVectors vectors = wf_step_vectors(step);
    double before = 1, left = 1;
    for (int k = 0; k < MAX_REFINEMENTS && left > step->def->solve_tolerance; k++) {
        double size = find_correction(step, right, z, step->work->correction);
        if (!(size < before)) break;  // as exact as doubles allow
        wf_vector_axpy(&vectors, 1, step->work->correction, z);
        left = 100 * size * size / before;
        before = size;
        step->report->solve_count++;
        step->report->refinements++;
    }
}

void wf_step_solve(const WfStep* step, const double* r, double* z) {
    WfWork* work = step->work;
    if (step->refines) {
        memcpy(work->kept, r, 3 * (size_t)step->system->vertex_count * sizeof *r);
        r = work->kept;
    }
    stiffen_exchange(step);
    wf_factor_solve(step->system, step->factor, step->exchange, work->slots, r, z);
    wf_step_filter(step, z);
    step->report->solve_count++;
    if (step->refines) refine(step, r, z);
}
