// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From a step to a response, and what it did into the report.

#include <math.h>

#include "contact/world.h"
#include "method/step.h"

WfTouch wf_step_touch(const WfStep* step) {
    const WfMotion* m = &step->motion;
    double gamma = isinf(m->gamma) ? m->h : m->gamma;
    return (WfTouch){
        .vertex_count = m->vertex_count,
        .contacts = &step->world->contacts,
        .masses = step->system->masses,
        .mirror = step->system->mirror,
        .thickness = step->world->layer,
        .cloth = step->world->cloth,
        .pinned = m->pinned,
        .pin_count = step->pin_count,
        .pins = step->pins,
        .x = m->x,
        .v = m->v,
        .h = m->h,
        .margin = step->world->margin,
        .force_scale = gamma * gamma,
        .stiffness_number = step->report->stiffness_number,
        .loads = step->loads,
        .ties = step->ties,
        .vectors = wf_step_vectors(step),
        .clock = &step->system->clock,
        .pace = step->pace,
        .work = step->touch_work,
    };
}

// Rounds that are cut off short leave what contacts carry to the last defence, which takes longer
// than they would have, and gains energy. (The heap under a budget: 3 J became 1000 J in 30 steps
// of one solve each.)
enum { LEAST_ITERATIONS = 3, MOST_ITERATIONS = 8 };  // of a round, that no budget ends

static void allow_rounds(WfPace* pace, const WfPlan* plan, int asked) {
    int each = asked < LEAST_ITERATIONS  ? LEAST_ITERATIONS
               : asked > MOST_ITERATIONS ? MOST_ITERATIONS
                                         : asked;
    wf_pace_oblige(pace, plan->own_sweeps ? 1 : plan->rounds * each * (1 + plan->closings));
}

WfResponse wf_step_respond(const WfStep* step, WfPlanKind plan, const WfQuadratic* model,
                           const WfRequest* request) {
    WfTouch touch = wf_step_touch(step);
    WeftStepReport* report = step->report;
    allow_rounds(step->pace, wf_plan(plan), request->iterations);
    WfResponse response = wf_respond(&touch, model, wf_plan(plan), request);
    report->active_contacts = response.active;
    report->cg_iterations += response.iterations;
    report->residual = response.residual;
    if (!response.converged) report->converged = false;
    report->times.respond += response.time;
    report->times.solve += response.solve;
    return response;
}
