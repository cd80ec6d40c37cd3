// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The least of a quadratic subject to contacts, by a primal method: displacements are admissible at
// every moment, so that what is cut off early leaves a small force, never a penetration.
//
// Rounds of two things. Sweeps over the vertices (sweeps.c), each of which solves the contact of
// one vertex exactly, find what sticks, slips or opens, and all that is short. Conjugate gradients
// on the directions that are left (direction.c) then do what is long; their preconditioner is the
// method's own (the constant factor), filtered like the residual.
//
//     contact of one vertex   hard, singles.h
//     of several (layers)     a stiff spring in the matrix, layers.h; which of them act is decided
//                             anew in every sweep and every round, their friction in every round
//
// Layers need a good start: the force under which the last displacement would have been the
// solution, whatever its springs say about it. (By the forces of the springs, sheets that slide
// down a slope together are 11 % too fast.)
//
// What was tried without: impulses as unknowns (cut off, they leave penetration or energy), moving
// vertices after the solve (throws them off the body), conjugate gradients alone (wrong about what
// sticks). Without the rule that slip which turns back sticks, cloth creeps down slopes that hold
// it; without the line search, energy is gained.

#include "respond/respond.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"
#include "respond/groups.h"
#include "respond/layers.h"
#include "respond/run.h"
#include "respond/singles.h"
#include "respond/swept.h"

static const double STIFF = 30;  // stiffness number from which cloth gets the sweeps of stiff cloth

// ---------------------------------------------------------------------------------------------
// What the parts share

void wf_run_precondition(const WfRun* run, const double* r, double* z) {
    double start = wf_clock_now(run->touch->clock);
    run->model->precondition(run->model->context, r, z);
    run->response->solve += wf_clock_now(run->touch->clock) - start;
}

// ---------------------------------------------------------------------------------------------
// The start

static void begin_section(const WfTouch* touch, void* context, const WfSection* section,
                          double* partial) {
    const WfRun* run = context;
    const double *x = run->model->x, *gradient = run->model->gradient;
    double *u = touch->work->u, *residual = touch->work->residual;
    (void)partial;
    for (long k = 3L * section->first; k < 3L * section->end; k++) u[k] = x[k] - touch->x[k];
    for (long k = 3L * section->first; k < 3L * section->end && run->keeps; k++)
        residual[k] = -gradient[k];
}

// u = x - x(n), b = H u - gradient; or what b - H u is there
static void begin(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfQuadratic* model = run->model;
    WfTouchWork* work = touch->work;
    wf_for_sections(touch, begin_section, (void*)run);
    if (run->keeps) return;
    model->product(model->context, work->u, work->right);
    if (model->gradient) wf_vector_axpy(&touch->vectors, -1, model->gradient, work->right);
}

// trial: the last displacement, pins where they are now; u: the solution under the last loads
static void begin_warm(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    for (long i = 0; i < touch->vectors.n; i++) {
        work->trial[i] = touch->h * touch->v[i];
        work->r[i] = -run->model->gradient[i];
    }
    for (int i = 0; i < touch->pin_count; i++)
        wf_store(work->trial, touch->pins[i], wf_load(work->u, touch->pins[i]));
    wf_add_loads(touch, work->r);
    wf_touch_hold_pins(touch, work->r);
    wf_run_precondition(run, work->r, work->z);
    for (long i = 0; i < touch->vectors.n; i++) work->u[i] += work->z[i];
}

// Q of each group at u
static void find_values(const WfRun* run, const double* u, int which) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    run->model->product(run->model->context, u, work->q);
    wf_touch_hold_pins(touch, work->q);
    wf_groups_dot(touch, u, work->q);
    for (int g = 0; g < work->group_count; g++)
        work->groups[g].value[which] = work->groups[g].sums[0] / 2;
    wf_groups_dot(touch, u, work->right);
    for (int g = 0; g < work->group_count; g++)
        work->groups[g].value[which] -= work->groups[g].sums[0];
    wf_layers_energy(touch, u, which);
}

enum { AT_TRIAL, AT_SOLUTION };

static void choose_section(const WfTouch* touch, void* context, const WfSection* section,
                           double* partial) {
    const WfGroup* group = &touch->work->groups[section->group];
    size_t count = 3 * (size_t)(section->end - section->first);
    long at = 3L * section->first;
    (void)context, (void)partial;
    if (group->value[AT_TRIAL] < group->value[AT_SOLUTION])
        memcpy(touch->work->u + at, touch->work->trial + at, count * sizeof(double));
}

// What clipping has moved, where the residual is that of x.
static void measure_clip(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfTouchWork* work = touch->work;
    for (int k = 0; k < work->swept_count; k++) {
        int i = work->swept[k];
        WfVec before = wf_sub(wf_load(run->model->x, i), wf_load(touch->x, i));
        wf_store(work->moved, i, wf_sub(wf_load(work->u, i), before));
    }
}

static void choose_start(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    wf_singles_clip(touch->contacts, touch->vectors.jobs, work->u);
    if (run->keeps) measure_clip(run);
    if (!run->plan->warm) return;
    wf_singles_clip(touch->contacts, touch->vectors.jobs, work->trial);
    find_values(run, work->trial, AT_TRIAL);
    find_values(run, work->u, AT_SOLUTION);
    wf_for_sections(touch, choose_section, NULL);
}

// ---------------------------------------------------------------------------------------------

// Leashes and backstops have no friction to find, and directions close those that sweeps have not
// found: where there is little else, a third of the sweeps will do.
enum { LITTLE = 4, FEWER = 3 };

static int sweeps_of(const WfTouch* touch, int count) {
    const WfContacts* contacts = touch->contacts;
    int skins = 0;
    for (int k = 0; k < contacts->single_count; k++) skins += contacts->all[k].of_skin;
    bool fewer = LITTLE * (contacts->count - skins) < skins;
    return fewer ? (count + FEWER - 1) / FEWER : count;
}

static void take_rounds(WfRun* run, int sweeps) {
    const WfTouch* touch = run->touch;
    int rounds = run->plan->for_layers && !wf_touch_has_layers(touch) ? 0 : run->plan->rounds;
    for (run->round = 0; run->round < rounds; run->round++) {
        if (run->round > 0) wf_layers_renew(touch, touch->work->u);
        wf_run_sweep(run, sweeps);
        if (!wf_run_find_direction(run)) break;
        wf_run_advance(run);
    }
}

// x(n) + u
static void end_section(const WfTouch* touch, void* context, const WfSection* section,
                        double* partial) {
    const double* u = touch->work->u;
    double* result = context;
    (void)partial;
    for (long k = 3L * section->first; k < 3L * section->end; k++) result[k] = touch->x[k] + u[k];
}

static void check_request(const WfTouch* touch, const WfQuadratic* model, const WfPlan* plan,
                          const WfRequest* request) {
    (void)touch, (void)model, (void)plan, (void)request;
    wf_assert(touch->contacts->count > 0 && touch->h > 0 && touch->force_scale > 0);
    wf_assert(model->product && model->fill_diagonal && model->x);
    wf_assert(model->precondition || plan->rounds == 0);
    wf_assert(model->gradient || !plan->warm);
    wf_assert(request->result && request->tolerance >= 0);
}

WfResponse wf_respond(const WfTouch* touch, const WfQuadratic* model, const WfPlan* plan,
                      const WfRequest* request) {
    check_request(touch, model, plan, request);
    WfTouchWork* work = touch->work;
    WfResponse response = {0};
    WfRun run = {.touch = touch, .model = model, .plan = plan, .response = &response};
    bool stiff = touch->stiffness_number >= STIFF;
    bool more = plan->scheduled && request->iterations > plan->iterations;
    double start = wf_clock_now(touch->clock);
    run.asked = request->iterations;
    run.iterations = more ? request->iterations : plan->iterations;
    run.keeps = plan->local && model->rows && model->gradient && !plan->warm && !request->ahead &&
                !model->beyond;

    wf_groups_find(touch);
    begin(&run);
    if (plan->warm) begin_warm(&run);
    if (request->ahead) wf_vector_axpy(&touch->vectors, 1, request->ahead, work->u);
    wf_layers_set(touch, work->u);
    model->fill_diagonal(model->context, work->layers, work->diagonal);
    wf_run_choose_swept(&run);
    if (run.keeps) wf_run_choose_near(&run);
    run.packed = run.keeps && wf_swept_pack(&run);
    choose_start(&run);
    take_rounds(&run, sweeps_of(touch, plan->sweeps[stiff]));
    wf_run_sweep(&run,
                 plan->own_sweeps ? request->sweeps : sweeps_of(touch, plan->last_sweeps[stiff]));
    wf_run_keep_forces(&run);
    wf_for_sections(touch, end_section, request->result);

    response.converged = !(request->tolerance > 0) || response.residual <= request->tolerance;
    response.time = wf_clock_now(touch->clock) - start - response.solve;
    return response;
}
