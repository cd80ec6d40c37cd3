// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The prefactored method: A = M + gamma^2 (sum k c c^T + bending) is constant, factored once, and
// all work is triangular solves. From the predicted positions x* = 2.5 x(n) - 2 x(n-1) + 0.5
// x(n-2):
//
//   repeat n   x <- x - A^-1 gradient(x), n times. A majorises every Hessian of the springs and
//              triangles, so no repetition raises Phi. Once is the thesis' linear model with the
//              vertex estimator; many are local-global iteration, and contract transverse motion by
//              beta/(1 + beta) each: beta-many for stiff cloth.
//   A k        one Newton step at x*, k conjugate gradient iterations with A as the preconditioner,
//              products matrix-free. Two to ten times closer at the same number of solves.
//   JAJ k      the same with block-Jacobi smoothing around A (newton.c).
//   A k + l    two Newton steps, and so on.
//
// Guard: a prediction and an iterate count only while Phi(x) <= Phi(x(n)) + 0.05 |h v|_M^2. A
// Newton step whose prediction fails begins at x(n): rare in motion, common near rest, where
// without it JAJ 4 at 2000 N/m never comes to rest, however strong the damping. An iterate that
// fails is replaced by the one solve from x(n), which cannot raise Phi: without it crumpled starts
// reached 11 times their energy, with it 2 % above. A single solve is left alone: there the guard
// fires in ordinary motion and slows it. Only a step that is far longer than the one before has it:
// lengths at random from 1 to 100 ms stretched a curtain 33 times.
//
// Lines (energy/tie.h) get one solve more. They are as stiff as A, so that iterations which end
// early leave of their pull what they leave of everything, p(1) of what the start was off, with p
// the polynomial of conjugate gradients; at their stiffness that moves nothing, but is many times
// the weight of the cloth as a force, and tells taut lines from slack ones. A solve is exact there.
// (A hammock of 18 lines, without: 8 m/s at quality 4, where it should hang.)
//
// With contacts an iterate must not gain energy either, and the one solve may raise Phi all the
// same. It is taken again from x(n), then halved; the past ends (sim/gain.c). Of 312 ropes that
// fell on a floor, of 30 to 120 segments, 50 to 89 degrees steep, from up to 2 m, so many had more
// than 1.2 times their energy within 120 steps, at quality 3, 4, 5 and 6:
//
//     one solve, nothing else                     116  36  11   2
//     again from x(n), halved until Phi is low     47  17   4   3
//     and the past ends                            34  14   3   2
//     and iterates that gain energy are refused    12   4   0   2
//
// (From x(n) at once, what is near rest loses the forces of its contacts, and is refused twice as
// often at quality 6.) Where bodies move, or crossed cloth is pulled apart, neither is asked: these
// do work, and what lies on a body that starts to move would stay where it is.

#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "contact/world.h"
#include "method/method.h"
#include "method/newton.h"
#include "method/quality.h"
#include "respond/layers.h"
#include "weft/weft_study.h"

static void constant_product(void* context, const double* p, double* q) {
    const WfStep* step = context;
    wf_step_constant_product(step, p, q);
}

static double constant_solve(void* context, const double* r, double* z) {
    wf_step_solve(context, r, z);
    return 0;
}

static void constant_diagonal(void* context, const double* layers, double* diagonal) {
    const WfStep* step = context;
    const WfPattern* pattern = &step->system->pattern;
    (void)layers;
    for (int i = 0; i < step->system->vertex_count; i++)
        diagonal[i] = step->factor->matrix[wf_pattern_find(pattern, i, i)];
    double square = step->motion.gamma * step->motion.gamma;
    if (step->ties) wf_ties_row_sums(step->ties, square, diagonal);
}

static void beyond(void* context, const double* p, double* q) {
    const WfStep* step = context;
    wf_ties_product(step->ties, step->motion.gamma * step->motion.gamma, p, q);
}

// The same with contacts: the least of the quadratic around x that A makes.
static void respond_once(const WfStep* step, WfPlanKind plan) {
    WfQuadratic model = {.context = (void*)step,
                         .product = constant_product,
                         .precondition = constant_solve,
                         .fill_diagonal = constant_diagonal,
                         .pattern = &step->system->pattern,
                         .values = step->factor->matrix,
                         .beyond = step->ties ? beyond : NULL,
                         .x = step->work->x,
                         .gradient = step->work->gradient};
    WfRequest request = {.result = step->work->x};
    wf_step_respond(step, plan, &model, &request);
}

// x <- x - A^-1 gradient(x); with contacts, by a plan
static void solve_once(const WfStep* step, WfPlanKind plan) {
    const WfSystem* s = step->system;
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double start = wf_now(s);
    wf_step_evaluate(step, work->x, 0, work->gradient);
    double evaluated = wf_now(s);
    step->report->times.force += evaluated - start;
    if (step->world) {
        respond_once(step, plan);
        return;
    }
    wf_step_solve(step, work->gradient, work->direction);
    wf_vector_axpy(&vectors, -1, work->direction, work->x);
    step->report->times.solve += wf_now(s) - evaluated;
}

enum { LEAST_JAJ = 3 };   // fewer gain energy in stiff cloth
enum { MORE_STEPS = 4 };  // Newton steps of a substep in which cloth is hit hard,
enum { MOST_MORE = 8 };   // and of all substeps of a step

// Whether the last direction is so long, where something is touched, that another step is due.
static bool strays(const WfStep* step) {
    return step->world && wf_newton_reach(step) > step->stray;
}

static void take_newton_steps(const WfStep* step, double phi_limit) {
    const WeftStepDef* def = step->def;
    WfVectors vectors = wf_step_vectors(step);
    WfNewton newton = {
        .step = step,
        .preconditioner = def->scheme == WEFT_SCHEME_JAJ ? WF_PRECONDITION_JAJ : WF_PRECONDITION_A,
        .assembled = step->world != NULL,
        .choose_start = def->guard && def->start == WEFT_START_PREDICTED,
        .phi_limit = phi_limit,
    };
    for (int k = 0; k < WEFT_MAX_NEWTON && def->iterations[k] > 0; k++) {
        if (k > 0 && !wf_pace_allows(step->pace)) break;
        if (def->scheme == WEFT_SCHEME_JAJ) wf_pace_oblige(step->pace, LEAST_JAJ);
        newton.max_iterations = def->iterations[k];
        wf_newton_direction(&newton, step->work->x, NULL);
        wf_vector_axpy(&vectors, 1, step->work->direction, step->work->x);
        newton.choose_start = false;
    }
    // hit hard, cloth turns further than the linearisation is good for; no budget spares them
    int shared = MOST_MORE / def->substeps, more = shared < MORE_STEPS ? shared : MORE_STEPS;
    for (int k = 0; k < more && strays(step) && !wf_pace_is_over(step->pace); k++) {
        wf_newton_direction(&newton, step->work->x, NULL);
        wf_vector_axpy(&vectors, 1, step->work->direction, step->work->x);
    }
}

// What an iterate may gain in a substep: of the kinetic energies before and after, and per mass
// what a fall by a tenth of a metre sets free. (Without the latter, a curtain that had bunched on a
// capsule was stopped while it slid off, and stayed there.)
static const double GAIN = 0.1, GAIN_EACH = 0.1 * 9.81;  // 1, J/kg

// Does something else than cloth and its weight do work? Bodies that move, which drag what lies on
// them, ends of ties, and what pulls apart what is crossed.
static bool is_driven(const WfStep* step) {
    const WfContacts* contacts = &step->world->contacts;
    if (step->ties && step->ties->moves) return true;
    for (int k = 0; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        if (c->soft || wf_dot(c->carry, c->carry) > 0) return true;
    }
    return false;
}

// Phi says little of what is hit: a rope that lands on its end may go on with four times its
// energy below the limit.
static bool gains(const WfStep* step, double phi_change) {
    if (!step->world || is_driven(step)) return false;
    WfGained gained = wf_step_gain(step, step->work->x, phi_change);
    return !(gained.energy <= GAIN * gained.kinetic + GAIN_EACH * gained.mass);
}

// What the springs between layers have at x, as a part of Phi: cloth that they push apart may rise
// by as much.
static double layers_at(const WfStep* step, const double* x) {
    const WfContacts* contacts = &step->world->contacts;
    double sum = 0;
    for (int k = contacts->single_count; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        WfVec way = wf_sub(wf_layer_gather(c, x), wf_layer_gather(c, step->motion.x));
        double open = wf_dot(c->normal, wf_add(way, wf_contact_offset(c)));
        if (open < 0) sum += c->stiffness * open * open / 2;
    }
    return sum;
}

static bool rises(const WfStep* step, const WfPhiLimit* limit) {
    WfWork* work = step->work;
    wf_step_start(step, WEFT_START_PREVIOUS, work->trial);
    double pressed = layers_at(step, work->x) - layers_at(step, work->trial);
    return !(wf_step_evaluate(step, work->x, 0, NULL) + pressed <= limit->most);
}

enum { MOST_HALVINGS = 4 };

// Less of the way from x(n) to x, until Phi does not rise; none of it, where that does not help.
static void shorten(const WfStep* step, const WfPhiLimit* limit) {
    WfWork* work = step->work;
    for (int k = 0; k <= MOST_HALVINGS && rises(step, limit); k++) {
        double part = k < MOST_HALVINGS ? 0.5 : 0;
        for (long i = 0; i < 3L * step->system->vertex_count; i++)
            work->x[i] = work->trial[i] + part * (work->x[i] - work->trial[i]);
    }
}

// One solve from x(n), at a pace of its own: what a budget cuts and counts has come before. With
// contacts it begins with the forces of the iterate, or clipped where the motion would lead, and
// may end above either; then with x(n), from where it goes down but for what it closes.
static void step_safely(const WfStep* step, const WfPhiLimit* limit) {
    WfPace pace = {0};
    WfStep own = *step;
    own.pace = &pace;
    wf_step_start(step, WEFT_START_PREVIOUS, step->work->x);
    solve_once(&own, WF_PLAN_REPEAT);
    if (step->world && !is_driven(step) && rises(step, limit)) {
        wf_step_start(step, WEFT_START_PREVIOUS, step->work->x);
        solve_once(&own, WF_PLAN_SCHEDULE);
        shorten(step, limit);
    }
    step->work->refused = true;
    step->report->guard_count++;
}

static void guard(const WfStep* step, const WfPhiLimit* limit) {
    double start = wf_now(step->system);
    double phi = wf_step_evaluate(step, step->work->x, 0, NULL);
    bool good = phi <= limit->most && !gains(step, phi - limit->start);
    step->report->times.update += wf_now(step->system) - start;
    if (!good) step_safely(step, limit);
}

static void solve(const WfStep* step) {
    const WeftStepDef* def = step->def;
    bool repeat = def->scheme == WEFT_SCHEME_REPEAT;
    bool guarded = def->guard && (!(repeat && def->iterations[0] == 1) || step->grows);
    double start = wf_now(step->system);
    WfPhiLimit limit = guarded ? wf_step_limit(step) : (WfPhiLimit){0};
    step->report->times.force += wf_now(step->system) - start;
    wf_step_start(step, def->start, step->work->x);
    if (repeat)
        for (int k = 0; k < def->iterations[0] && wf_pace_go_on(step->pace); k++)
            solve_once(step, WF_PLAN_REPEAT);
    else
        take_newton_steps(step, limit.most);
    if (step->ties && wf_ties_have_lines(step->ties)) solve_once(step, WF_PLAN_REPEAT);
    if (guarded) guard(step, &limit);
}

// ---------------------------------------------------------------------------------------------
// The class

// Newton's matrix is assembled where something may be touched.
static unsigned needs(const WeftStepDef* def, bool touches) {
    bool rows = touches && def->scheme != WEFT_SCHEME_REPEAT;
    bool inverses = def->scheme == WEFT_SCHEME_JAJ;
    return WF_NEED_FACTOR | (rows ? WF_NEED_BLOCKS | WF_NEED_ROWS : 0u) |
           (inverses ? WF_NEED_INVERSES : 0u);
}

static WeftResult check(const WfSystem* s, const WeftStepDef* asked, const WeftStepDef* resolved,
                        WeftError* error) {
    if (asked->scheme == WEFT_SCHEME_J || asked->scheme == WEFT_SCHEME_PLAIN)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "schemes J and plain make no use of the factor; take the implicit method "
                       "with them, or scheme A or JAJ");
    if (asked->jacobian != WEFT_JACOBIAN_CLAMPED)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the prefactored method has its own Jacobian; leave it clamped, or take "
                       "relaxation, the implicit or the matrix-free method");
    bool more = resolved->scheme != WEFT_SCHEME_REPEAT || resolved->iterations[0] > 1;
    if (more && !s->has_nonlinear)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "with linear models only, one solve is the exact step, and more change "
                       "nothing; leave scheme and iterations to quality, or take estimator none");
    for (int k = 0; k < WEFT_MAX_NEWTON && resolved->scheme == WEFT_SCHEME_JAJ; k++)
        if (resolved->iterations[k] > 0 && resolved->iterations[k] < LEAST_JAJ)
            return wf_fail(error, WEFT_ERROR_COMBINATION,
                           "JAJ with %d iterations gains energy in stiff cloth; take at least %d, "
                           "or scheme A",
                           resolved->iterations[k], LEAST_JAJ);
    return WEFT_OK;
}

static void resolve(const WfSystem* s, WeftStepDef* def) {
    const WfLevel* level = wf_level_of(s, def->quality);
    if (!def->substeps) def->substeps = level->substeps;
    if (def->scheme == WEFT_SCHEME_AUTO) {
        // linear models: one solve is all there is
        const WfLevel* by = s->has_nonlinear ? level : wf_level(1);
        def->scheme = s->has_nonlinear ? level->scheme : WEFT_SCHEME_REPEAT;
        if (!def->iterations[0]) memcpy(def->iterations, by->iterations, sizeof def->iterations);
    }
    if (!def->iterations[0]) def->iterations[0] = def->scheme == WEFT_SCHEME_REPEAT ? 1 : 4;
}

static WfCostKind cost(const WeftStepDef* def) {
    return def->scheme == WEFT_SCHEME_REPEAT ? WF_COST_REPEAT
           : def->scheme == WEFT_SCHEME_JAJ  ? WF_COST_JAJ
                                             : WF_COST_A;
}

const WfMethod wf_prefactored = {.name = "prefactored",
                                 .has_ladder = true,
                                 .softens = true,
                                 .damps_to_rest = true,
                                 .conjugate = true,
                                 .start = WEFT_START_PREDICTED,
                                 .needs = needs,
                                 .check = check,
                                 .resolve = resolve,
                                 .cost = cost,
                                 .solve = solve};
