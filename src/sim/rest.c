// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/rest.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "sim/masks.h"
#include "sim/skin.h"

static const double QUIET = 0.5;  // s, slow for so long: asleep
static const double NOISE = 2;  // times as much of it is lost where a step was not quiet: a vertex
                                // between folds may slip now and then
enum { LEAST_STEPS = 10 };      // and for so many steps, however long they are

// What state->rest holds: the time of quiet, all of a step's settings that change forces (not dt
// and quality, which may differ from step to step; what they change of the stiffness is small), and
// whether something drives it.
enum {
    QUIET_TIME,
    GRAVITY,
    WIND = GRAVITY + 3,
    AIR = WIND + 3,
    METHOD,
    TOLERANCE,
    DRIVEN,  // slow, but not in balance
    REST_COUNT,
};
_Static_assert((int)REST_COUNT == (int)WF_REST_COUNT, "the state has room for all of it");

static bool pins_move(const WeftState* state) {
    for (int i = 0; i < state->pin_count; i++) {
        WfVec way =
            wf_sub(wf_load(state->scratch->pin_to, i), wf_load(state->scratch->pin_from, i));
        if (wf_dot(way, way) > 0) return true;
    }
    return false;
}

// m/s^2 and m/s: a space that turns about the vertical has gravity to rounding. Of slow changes,
// those since cloth was last awake count.
static const double SAME_WEATHER = 1e-6;

static bool are_same(const double* a, const double* b) {
    bool same = true;
    for (int k = GRAVITY; k < DRIVEN; k++)
        same = same && (a[k] == b[k] || (k < AIR && fabs(a[k] - b[k]) < SAME_WEATHER));
    return same;
}

// Whether the step has the same forces as before; else they are kept for the next.
static bool same_forces(WeftState* state, const WeftStepDef* def) {
    double forces[REST_COUNT] = {[AIR] = def->air_density,
                                 [METHOD] = (double)def->method,
                                 [TOLERANCE] = def->stretch_tolerance};
    memcpy(forces + GRAVITY, def->gravity, sizeof def->gravity);
    memcpy(forces + WIND, def->wind, sizeof def->wind);
    size_t bytes = (DRIVEN - GRAVITY) * sizeof(double);
    bool same = are_same(state->rest, forces);
    if (!same) memcpy(state->rest + GRAVITY, forces + GRAVITY, bytes);
    return same;
}

void wf_rest_begin(WeftState* state, const WeftStepDef* def) {
    state->still = false;
    if (!state->rest) return;
    bool still = same_forces(state, def) && !pins_move(state) && !wf_skins_move(state) &&
                 !state->ties.moves && !state->ride.wakes;
    for (int i = 0; i < state->model->body_count && still; i++)
        still = !wf_body_moves(state, i) || wf_body_is_off(state, i);
    state->still = still;
    if (!still) state->rest[QUIET_TIME] = 0;
}

bool wf_rest_sleeps(const WeftState* state, const WeftStepDef* def) {
    return state->still && def->rest_speed > 0 && state->rest[QUIET_TIME] >= QUIET;
}

// What the last defence holds by force, and what was slowed or could not be stopped, would go on.
static bool is_held(const WeftStepReport* report) {
    return report->zones > 0 || report->slowed || report->thrown || report->unstopped > 0;
}

bool wf_rest_calms(const WeftState* state) {
    return state->still && state->rest[DRIVEN] == 0 && state->tangle[0] <= 0;
}

static bool is_slow(const WeftState* state, const WfStep* step) {
    double most = step->def->rest_speed;
    bool slow = state->still && state->report.active_contacts > 0 &&
                wf_method(step->def)->damps_to_rest && !is_held(&state->report);
    for (int i = 0; i < step->system->vertex_count && slow; i++) {
        WfVec v = wf_load(state->v, i);
        slow = wf_dot(v, v) < most * most;
    }
    return slow;
}

// What forces and contacts would do to cloth that does not move, per vertex: the gradient of the
// step without its inertia. f: N, pins 0.
static void find_net_forces(const WeftState* state, const WfStep* step, double* f) {
    const WfMotion* m = &step->motion;
    wf_step_evaluate(step, state->x, 0, f);
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec ahead = wf_madd(wf_load(m->base, i), m->gamma, wf_load(m->drift, i));
        WfVec inertia = wf_mul(step->system->masses[i], wf_sub(wf_load(state->x, i), ahead));
        WfVec force = wf_mul(-1 / (m->gamma * m->gamma), wf_sub(wf_load(f, i), inertia));
        wf_store(f, i, wf_add(force, wf_load(state->loads + 4 * (long)i, 0)));
    }
    wf_step_filter(step, f);
}

// Over gravity. Forces at the scale of the mesh are large where lengths are off by micrometres. The
// constant matrix knows how little they move: at rest its solve leaves 0.005 to 0.08 (a heap, a
// funnel, cloth on a ball, all at quality 4), while cloth moves 0.1 to 15. Where there is no
// factor, the mean is 0.05 to 0.5 at rest, and 1 to 40 in motion.
static const double MOST_DRIVE = 0.1, MOST_MEAN_DRIVE = 1;
static const double LEAST_GRAVITY = 0.1;  // m/s^2: without any, other forces are small beside this

// Whether contacts and ties carry the weight of pieces of cloth that no pin holds. What sinks
// through thick air or by strong damping is slow, and in balance, but has not arrived. Overwrites
// work.direction and work.t.
static bool are_pieces_carried(const WeftState* state, const WfStep* step, double most) {
    const int* piece = state->model->surface.piece;
    int n = step->system->vertex_count;
    double *sum = state->scratch->work.direction, *mass = state->scratch->work.t;
    bool carried = true;
    memset(sum, 0, 3 * (size_t)n * sizeof *sum);
    memset(mass, 0, (size_t)n * sizeof *mass);
    for (int i = 0; i < n; i++) {
        wf_accumulate(sum, piece[i], step->system->masses[i], wf_load(step->motion.gravity, 0));
        wf_accumulate(sum, piece[i], 1, wf_load(state->loads + 4 * (long)i, 0));
        mass[piece[i]] += state->pinned[i] ? HUGE_VAL : step->system->masses[i];
    }
    for (int t = 0; t < state->ties.count; t++) {
        const WfTie* tie = &state->ties.all[t];
        WfVec pull = wf_tie_force(tie, state->x);
        for (int k = 0; k < tie->count; k++)
            wf_accumulate(sum, piece[tie->vertices[k]], tie->weights[k], pull);
    }
    // what is one with its image in a mirror is held by it
    const WfPlane* mirror = &step->system->mirror;
    for (int k = 0; k < mirror->count; k++) {
        int p = piece[mirror->rows[k]];
        wf_store(sum, p, wf_plane_flatten(mirror, wf_load(sum, p)));
    }
    for (int i = 0; i < n && carried; i++) carried = wf_length(wf_load(sum, i)) <= most * mass[i];
    return carried;
}

static const double MOST_DRIFT = 0.1;  // of the speed of rest

// Whether pieces of cloth that no pin holds stay where they are in the mean, whatever their
// vertices do. Small steps have resolved what forces do to what is slow. Overwrites
// small.contact.ways.
static bool are_pieces_still(const WeftState* state, const WfStep* step) {
    const int* piece = state->model->surface.piece;
    int n = step->system->vertex_count;
    WfPoint4* sum = state->scratch->small.contact.ways;
    double most = MOST_DRIFT * step->def->rest_speed;
    bool still = true;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int i = 0; i < n; i++) {
        WfPoint4* of = &sum[piece[i]];
        const double* v = state->v + 3 * (size_t)i;
        float mass = state->pinned[i] ? HUGE_VALF : (float)step->system->masses[i];
        of->x += (float)(step->system->masses[i] * v[0]);
        of->y += (float)(step->system->masses[i] * v[1]);
        of->z += (float)(step->system->masses[i] * v[2]);
        of->w += mass;
    }
    for (int i = 0; i < n && still; i++) {
        const WfPoint4* of = &sum[i];
        double x = (double)of->x, y = (double)of->y, z = (double)of->z, w = (double)of->w;
        still = sqrt(x * x + y * y + z * z) <= most * w;
    }
    return still;
}

static bool is_balanced(const WeftState* state, const WfStep* step) {
    double* f = state->scratch->work.gradient;
    int n = step->system->vertex_count;
    double g = fmax(wf_length(wf_load(step->motion.gravity, 0)), LEAST_GRAVITY);
    if (wf_method(step->def)->is_local) return are_pieces_still(state, step);
    if (!are_pieces_carried(state, step, MOST_DRIVE * g)) return false;
    find_net_forces(state, step, f);
    double most = 0, squares = 0;
    if (step->factor) wf_step_solve(step, f, f);
    for (int i = 0; i < n; i++) {
        double a = wf_length(wf_load(f, i)) / (step->factor ? g : g * step->system->masses[i]);
        most = fmax(most, a);
        squares += a * a;
    }
    return step->factor ? most < MOST_DRIVE : squares < n * MOST_MEAN_DRIVE * MOST_MEAN_DRIVE;
}

void wf_rest_end(WeftState* state, const WfStep* step) {
    if (!state->rest) return;
    bool slow = is_slow(state, step);
    bool balanced = slow && !state->opens && is_balanced(state, step);
    double counts = fmin(step->def->dt, QUIET / LEAST_STEPS);
    state->rest[QUIET_TIME] =
        fmax(0, state->rest[QUIET_TIME] + (balanced ? counts : -NOISE * counts));
    state->rest[DRIVEN] = slow && !balanced;
}

void weft_wake(WeftState* state) { wf_wake(state); }

void wf_wake(WeftState* state) {
    if (state->rest) state->rest[QUIET_TIME] = 0;
}
