// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/budget.h"

#include <math.h>
#include "weft/weft_study.h"

// Of the budget; the rest is for what the clock does not see coming.
static const double PART = 0.97;
// A higher rung is taken when it would have fitted into this part of the budget for so many steps
// in a row: a change of substeps and stiffness is not to be had for every flicker of the clock.
static const double CLIMB_PART = 0.94;
enum { CLIMB_AFTER = 8 };

// ---------------------------------------------------------------------------------------------
// Costs

enum { KIND_REPEAT = WF_COST_REPEAT, KIND_A = WF_COST_A, KIND_JAJ = WF_COST_JAJ };

static int kind_of(const WeftStepDef* def) { return (int)wf_method(def)->cost(def); }

// What has not been measured yet is guessed from what has, a little on the dear side. One
// repetition is an evaluation and a solve; A evaluates three times around its iterations, each of
// which is a solve and a product; JAJ has two products more. (Measured at 1296 vertices, in
// repetitions: A 1.6 and 0.66 per iteration, JAJ 2.0 and 1.6.)
static WfCost cost_of(const WfBudget* budget, int kind) {
    const WfCost *known = &budget->costs[kind], *repeat = &budget->costs[KIND_REPEAT],
                 *a = &budget->costs[KIND_A];
    if (known->iteration > 0) return *known;
    if (kind == KIND_JAJ && a->iteration > 0)
        return (WfCost){1.5 * a->before, 2.5 * a->iteration, a->after};
    if (kind == KIND_A || kind == KIND_JAJ) {
        double one = repeat->iteration;
        return (WfCost){repeat->before + 1.2 * one, (kind == KIND_A ? 0.8 : 2) * one,
                        repeat->after + 0.6 * one};
    }
    return *known;
}

static double cost_of_substep(const WfCost* cost, double iterations) {
    return cost->before + iterations * cost->iteration + cost->after;
}

// Up faster than down; a hiccup of the machine counts little, whatever it took. What comes after
// the iterations nothing can shorten any more: there, up at once.
static const double UP = 0.4, UP_AFTER = 1, DOWN = 0.1, HICCUP = 1.25;

static void learn(double* known, double seen, double up) {
    if (*known > 0 && seen > HICCUP * *known) seen = HICCUP * *known;
    double part = *known > 0 ? (seen > *known ? up : DOWN) : 1;
    *known += part * (seen - *known);
}

// What the others were seen to take was seen some time ago. The machine was as fast or slow for
// them: they move along, or a rung that was tried at a bad time would never be tried again.
static void move_along(WfBudget* budget, int kind, double ratio) {
    for (int k = 0; k < WF_COST_KINDS; k++) {
        WfCost* cost = &budget->costs[k];
        if (k == kind || cost->iteration <= 0) continue;
        *cost = (WfCost){ratio * cost->before, ratio * cost->iteration, ratio * cost->after};
    }
}

void wf_budget_learn(WfBudget* budget, const WfSystem* s, const WeftStepDef* def,
                     const WfPace* pace, double start) {
    if (!pace->timed || pace->done == 0) return;
    int kind = kind_of(def);
    WfCost* cost = &budget->costs[kind];
    if (cost->iteration <= 0) *cost = cost_of(budget, kind);
    double old = cost_of_substep(cost, 1), end = wf_now(s);
    // where the last one ended was seen only if it asked for another
    bool saw_end = pace->asked > pace->last;
    int seen = saw_end ? pace->done : pace->done - 1;
    double iteration = seen > 0 ? ((saw_end ? pace->asked : pace->last) - pace->first) / seen
                                : fmax(end - pace->first - cost->after, 0);
    double ended = saw_end ? pace->asked : pace->last + iteration;
    // the first substep after a change makes matrices: no other will
    if (!budget->changed || old <= 0) learn(&cost->before, pace->first - start, UP);
    budget->changed = false;
    learn(&cost->iteration, iteration, UP);
    learn(&cost->after, fmax(end - ended, 0), UP_AFTER);
    if (budget->shaken > 0 && budget->rung >= 0)
        learn(&budget->excess, pace->done / (double)wf_rung_least(budget->rung, true), UP);
    if (old > 0) move_along(budget, kind, cost_of_substep(cost, 1) / old);
}

void wf_budget_learn_step(WfBudget* budget, double total, double inside) {
    learn(&budget->around, total - inside, UP);
}

// ---------------------------------------------------------------------------------------------
// Before the step

// seconds that a rung takes with its fewest worthwhile iterations; 0: not known
static double least_cost(const WfBudget* budget, const WeftStepDef* def, double least) {
    WfCost cost = cost_of(budget, kind_of(def));
    int substeps = def->substeps > budget->substeps ? def->substeps : budget->substeps;
    return budget->around + substeps * cost_of_substep(&cost, least);
}

// The fewest worthwhile iterations in a substep. Those of cloth that touches are as many as its
// rounds need, and cannot be cut.
static double least_iterations(const WfBudget* budget, int rung, bool touching) {
    double least = wf_rung_least(rung, touching);
    return touching ? least * fmax(budget->excess, 1) : least;
}

bool wf_budget_is_open(const WeftStepDef* asked) {
    return asked->budget_ms > 0 && wf_method(asked)->has_ladder && !asked->substeps &&
           !asked->iterations[0] && asked->scheme == WEFT_SCHEME_AUTO;
}

// The highest rung that fits into `room` seconds, of those that can go ahead; the lowest otherwise.
static int highest_rung(const WfBudget* budget, const WfSystem* s, const WeftStepDef* asked,
                        bool touching, double room,
                        bool (*has_factor)(const void*, const WeftStepDef*), const void* context) {
    int lowest = wf_lowest_rung(s), best = lowest;
    bool measured = budget->costs[KIND_REPEAT].iteration > 0 || budget->costs[KIND_A].iteration > 0;
    for (int rung = lowest + 1; rung < wf_rung_count(s) && measured; rung++) {
        WeftStepDef def = wf_rung_step(s, asked, rung);
        if (least_cost(budget, &def, least_iterations(budget, rung, touching)) > room) continue;
        if (has_factor(context, &def)) best = rung;
    }
    return best;
}

// Whether the rung in use is still worth it: three quarters of its iterations are enough to stay.
static bool may_stay(const WfBudget* budget, const WfSystem* s, const WeftStepDef* asked,
                     bool touching, double room) {
    WeftStepDef def = wf_rung_step(s, asked, budget->rung);
    double least = least_iterations(budget, budget->rung, touching);
    if (!touching) least = ceil(0.75 * least);
    return least_cost(budget, &def, least) <= room;
}

static int pick_rung(WfBudget* budget, const WfSystem* s, const WeftStepDef* asked, bool touching,
                     bool (*has_factor)(const void*, const WeftStepDef*), const void* context) {
    double room = asked->budget_ms / 1000;
    int lowest = wf_lowest_rung(s);
    if (budget->rung < 0 || budget->rung >= wf_rung_count(s)) budget->rung = 0;
    if (budget->rung < lowest) budget->rung = lowest;
    if (!may_stay(budget, s, asked, touching, room)) {
        int fits = highest_rung(budget, s, asked, touching, PART * room, has_factor, context);
        if (fits < budget->rung) budget->rung = fits;
    }
    int safely = highest_rung(budget, s, asked, touching, CLIMB_PART * room, has_factor, context);
    budget->fits = safely > budget->rung ? budget->fits + 1 : 0;
    if (budget->fits >= CLIMB_AFTER) {
        budget->rung = safely;
        budget->fits = 0;
    }
    budget->lowest = budget->rung <= lowest;
    return budget->rung;
}

enum { CALM_STEPS = 30 };  // what was hit is fast for a while

WeftStepDef wf_budget_plan(WfBudget* budget, const WfSystem* s, const WeftStepDef* asked,
                           int substeps, bool touching,
                           bool (*has_factor)(const void*, const WeftStepDef*),
                           const void* context) {
    budget->substeps = substeps;
    budget->shaken = touching ? CALM_STEPS : budget->shaken - (budget->shaken > 0);
    bool shaken = budget->shaken > 0;
    budget->lowest = true;
    WeftStepDef def =
        wf_budget_is_open(asked)
            ? wf_rung_step(s, asked, pick_rung(budget, s, asked, shaken, has_factor, context))
            : wf_resolve_step(s, asked);
    // as many sweeps as there is time for, unless the user knows better
    if (asked->budget_ms > 0 && wf_method(&def)->takes_sweeps && !asked->iterations[0])
        def.iterations[0] = WF_MANY_SWEEPS;
    const WeftStepDef* last = &budget->last;
    budget->changed = def.method != last->method || def.substeps != last->substeps ||
                      def.scheme != last->scheme || def.iterations[0] != last->iterations[0];
    budget->last = def;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Small steps: one sweep in each substep, as many substeps as fit

enum { LEAST_SUBSTEPS = 8, MOST_SUBSTEPS = 60, IN_STEP = 4 };  // half of the least when time is up

int wf_budget_substeps(WfBudget* budget, const WeftStepDef* def) {
    const WfCost* cost = &budget->costs[WF_COST_SUBSTEP];
    double room = PART * def->budget_ms / 1000 - budget->around - cost->before;
    double fit = cost->iteration > 0 ? room / cost->iteration : def->substeps;
    int count = fit < MOST_SUBSTEPS ? (int)fmax(fit, 0) / IN_STEP * IN_STEP : MOST_SUBSTEPS;
    budget->lowest = count <= LEAST_SUBSTEPS;
    return budget->lowest ? LEAST_SUBSTEPS : count;
}

bool wf_budget_is_short(const WfBudget* budget, const WeftStepDef* def, double spent, double before,
                        int done, int left) {
    double each = fmax(budget->costs[WF_COST_SUBSTEP].iteration, (spent - before) / done);
    return budget->around + spent + left * each > def->budget_ms / 1000;
}

void wf_budget_learn_substeps(WfBudget* budget, double before, double inside, int done) {
    WfCost* cost = &budget->costs[WF_COST_SUBSTEP];
    learn(&cost->before, before, UP);
    learn(&cost->iteration, inside / done, UP);
}

// ---------------------------------------------------------------------------------------------
// Inside the step

WfPace wf_budget_pace(const WfBudget* budget, const WfSystem* s, const WeftStepDef* def, int index,
                      int done, double start) {
    WfPace pace = {.least = 1, .clock = &s->clock};
    bool told = index < WEFT_MAX_LIMITS;
    // substeps that no report can tell do as the last one that it can
    bool limited = def->budget_ms > 0 || def->limits[WEFT_MAX_LIMITS - 1] > 0;
    pace.limit = told ? def->limits[index] : limited ? done : 0;
    if (def->budget_ms <= 0 || !told) return pace;
    WfCost cost = cost_of(budget, kind_of(def));
    double now = wf_now(s), left = start + PART * def->budget_ms / 1000 - now;
    pace.timed = true;
    pace.end = now + left / (def->substeps - index) - cost.after;
    pace.iteration = cost.iteration;
    return pace;
}
