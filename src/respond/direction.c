// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Conjugate gradients on what the contacts leave, S H S d = S r: S takes out vertices that stick,
// and the normal part of those that slip; their friction is a force in r. The preconditioner is the
// method's own, filtered alike. Every group of cloth (groups.h) has scalars of its own, and ends on
// its own.

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/vec.h"
#include "respond/groups.h"
#include "respond/layers.h"
#include "respond/run.h"
#include "respond/singles.h"

// Take out what pins and contacts hold.
static void filter(const WfTouch* touch, double* v) {
    const WfTouchWork* work = touch->work;
    wf_touch_hold_pins(touch, v);
    wf_holds_filter(work->holds, work->hold_count, touch->vectors.jobs, v);
}

static void product(const WfRun* run, const double* p, double* q) {
    run->model->product(run->model->context, p, q);
    wf_layers_add(run->touch, p, q);
    wf_touch_hold_pins(run->touch, q);
}

// The largest correction to expect. What all vertices do together, a weak preconditioner makes far
// too small: as if nothing held them, it is r/m.
static double largest(const WfRun* run, const WfSection* section) {
    const WfTouch* touch = run->touch;
    bool weak = run->model->weak;
    double most = 0;
    for (int i = section->first; i < section->end; i++) {
        WfVec v = wf_load(weak ? touch->work->r : touch->work->z, i);
        double size = fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
        most = fmax(most, weak ? size / touch->masses[i] : size);
    }
    return most;
}

// sums: r.z; the largest correction
static void measure_section(const WfTouch* touch, void* context, const WfSection* section,
                            double* partial) {
    const WfTouchWork* work = touch->work;
    long at = 3L * section->first;
    memset(partial, 0, WF_SECTION_SUMS * sizeof *partial);
    partial[0] = wf_simd_dot(work->r + at, work->z + at, 3 * (section->end - section->first));
    partial[WF_SECTION_SUMS - 1] = largest(context, section);
}

// z, and what each group has of it
static void precondition(const WfRun* run) {
    WfTouchWork* work = run->touch->work;
    wf_run_precondition(run, work->r, work->z);
    filter(run->touch, work->z);
    wf_for_sections(run->touch, measure_section, (void*)run);
    wf_groups_sum(run->touch);
}

static bool takes_once(const WfRun* run, const WfGroup* group) {
    return run->plan->once_apart && !group->touches;
}

// Which groups have something to do, by their first z: of a direction that goes on, by how it
// began.
static bool begin_groups(const WfRun* run, bool continues) {
    WfTouchWork* work = run->touch->work;
    double least = run->plan->speed_left * run->touch->h;
    bool goes = false;
    for (int g = 0; g < work->group_count; g++) {
        WfGroup* group = &work->groups[g];
        double most = group->sums[WF_SECTION_SUMS - 1];
        group->rz = group->sums[0];
        if (!continues) group->start = most;
        group->goes = group->rz > 0 && !(most < least) && !(most < run->plan->drop * group->start);
        if (takes_once(run, group)) group->goes = run->round == 0 && !continues && group->rz > 0;
        goes = goes || group->goes;
    }
    return goes;
}

// factor: how far along p, by p.q
static bool find_steps(const WfRun* run, int iteration) {
    WfTouchWork* work = run->touch->work;
    bool goes = false;
    wf_groups_dot(run->touch, work->p, work->q);
    for (int g = 0; g < work->group_count; g++) {
        WfGroup* group = &work->groups[g];
        if (takes_once(run, group) && iteration >= run->asked) group->goes = false;
        group->goes = group->goes && group->sums[0] > 0;
        group->factor = group->goes ? group->rz / group->sums[0] : 0;
        goes = goes || group->goes;
    }
    return goes;
}

// d += factor p, r -= factor q, H d += factor q
static void step_section(const WfTouch* touch, void* context, const WfSection* section,
                         double* partial) {
    const WfTouchWork* work = touch->work;
    const double *p = work->p, *q = work->q, s = work->groups[section->group].factor;
    double* restrict d = work->direction, * restrict r = work->r, * restrict hd = work->hd;
    (void)context, (void)partial;
    for (long k = 3L * section->first; k < 3L * section->end && s > 0; k++) {
        d[k] += s * p[k];
        r[k] += -s * q[k];
        hd[k] += s * q[k];
    }
}

// factor: how much of p stays, by r.z
static bool find_turns(const WfRun* run) {
    WfTouchWork* work = run->touch->work;
    double least = run->plan->speed_left * run->touch->h;
    bool goes = false;
    for (int g = 0; g < work->group_count; g++) {
        WfGroup* group = &work->groups[g];
        double next = group->sums[0], most = group->sums[WF_SECTION_SUMS - 1];
        bool ends = most < fmax(least, run->plan->drop * group->start);
        group->goes = group->goes && next > 0 && (!ends || takes_once(run, group));
        group->factor = group->goes ? next / group->rz : 0;
        group->rz = next;
        goes = goes || group->goes;
    }
    return goes;
}

// p = z + factor p
static void turn_section(const WfTouch* touch, void* context, const WfSection* section,
                         double* partial) {
    const double *z = touch->work->z, s = touch->work->groups[section->group].factor;
    double* restrict p = touch->work->p;
    (void)context, (void)partial;
    for (long k = 3L * section->first; k < 3L * section->end && s > 0; k++) p[k] = z[k] + s * p[k];
}

// q = H d. Where the residual is kept, H d is known but in the rows beside contacts, where d may
// have changed since.
static void find_image(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    if (!run->keeps) {
        product(run, work->direction, work->q);
        return;
    }
    wf_run_near_product(run, work->direction, work->hd);
    memcpy(work->q, work->hd, (size_t)touch->vectors.n * sizeof(double));
    wf_layers_add(touch, work->direction, work->q);
    wf_touch_hold_pins(touch, work->q);
}

// d = 0; or as it was, but for what contacts hold by now, and r what it leaves
static void begin_direction(const WfRun* run, bool continues) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    size_t size = (size_t)touch->vectors.n * sizeof(double);
    work->hold_count = wf_singles_hold(touch->contacts, work->holds);
    if (continues) {
        filter(touch, work->direction);
        find_image(run);
        wf_vector_axpy(&touch->vectors, -1, work->q, work->r);
    } else {
        memset(work->direction, 0, size);
        memset(work->hd, 0, size);
    }
    filter(touch, work->r);
}

// d: some steps of conjugate gradients for H d = r, filtered. Whether it leads anywhere.
static bool correct(const WfRun* run, int iterations, bool continues) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    begin_direction(run, continues);
    if (!wf_pace_go_on(touch->pace)) return continues;
    precondition(run);
    if (!begin_groups(run, continues)) return continues;
    memcpy(work->p, work->z, (size_t)touch->vectors.n * sizeof(double));
    for (int k = 0; k < iterations && (k == 0 || wf_pace_go_on(touch->pace)); k++) {
        product(run, work->p, work->q);
        if (!find_steps(run, k)) break;
        wf_for_sections(touch, step_section, NULL);
        filter(touch, work->r);
        run->response->iterations++;
        if (k + 1 == iterations) break;
        precondition(run);
        if (!find_turns(run)) break;
        wf_for_sections(touch, turn_section, NULL);
    }
    return true;
}

static bool find_direction(const WfRun* run, int iterations, bool continues) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    wf_run_residual(run);
    wf_singles_add_slip(touch->contacts, touch->vectors.jobs, work->u, work->r);
    memcpy(work->slope, work->r, (size_t)touch->vectors.n * sizeof(double));
    return correct(run, iterations, continues);
}

// A direction that was closed goes on from what is left of it: half as many iterations end closer
// to the least than all of them would from zero. (To half of them before, cloth hangs in the air.)
// Two are as good as half of eight, on walks, for half of what the other four of eight cost.
bool wf_run_find_direction(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    int again = (run->iterations + 1) / 2;
    if (run->plan->again > 0 && again > run->plan->again) again = run->plan->again;
    bool moves = find_direction(run, run->iterations, false);
    for (int k = 0; k < run->plan->closings && moves; k++) {
        if (!wf_singles_close(touch->contacts, work->direction, work->u, work->moved)) break;
        find_direction(run, again, true);
    }
    return moves;
}

// What of d will be left when it has been added to u, so that the line search sees no other step.
static void round_section(const WfTouch* touch, void* context, const WfSection* section,
                          double* partial) {
    const double* u = touch->work->u;
    double* restrict d = touch->work->direction;
    (void)context, (void)partial;
    for (long k = 3L * section->first; k < 3L * section->end; k++) d[k] = (d[k] + u[k]) - u[k];
}

// sums: how Q falls along d, and its curvature
static void slope_section(const WfTouch* touch, void* context, const WfSection* section,
                          double* partial) {
    const WfTouchWork* work = touch->work;
    long at = 3L * section->first;
    int n = 3 * (section->end - section->first);
    (void)context;
    memset(partial, 0, WF_SECTION_SUMS * sizeof *partial);
    partial[0] = wf_simd_dot(work->direction + at, work->slope + at, n);
    partial[1] = wf_simd_dot(work->direction + at, work->q + at, n);
}

// u += t d, t from 0 to 1 where Q, with the friction of what slips, is least; of each group.
void wf_run_advance(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    wf_for_sections(touch, round_section, NULL);
    wf_singles_bound(touch->contacts, touch->vectors.jobs, work->u, work->direction);
    find_image(run);
    wf_for_sections(touch, slope_section, NULL);
    wf_groups_sum(touch);
    for (int g = 0; g < work->group_count; g++) {
        WfGroup* group = &work->groups[g];
        double falls = group->sums[0], curvature = group->sums[1];
        group->factor = curvature > 0 ? fmax(0, fmin(1, falls / curvature)) : 0;
    }
    wf_groups_axpy(touch, work->direction, work->u);
    if (!run->keeps) return;
    for (int g = 0; g < work->group_count; g++) work->groups[g].factor *= -1;
    wf_groups_axpy(touch, work->hd, work->residual);
}
