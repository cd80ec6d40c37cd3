// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Attachments as ties. In a substep that ends with v' = (x' - x~)/gamma, spring and damper of one
// are a single spring,
//
//     k/2 |W x' - e|^2 + c/(2 gamma) |W x' - (W x~ + gamma u)|^2  =  K/2 |W x' - t|^2 + const
//
//     K = k + c/gamma,   t = (k e + (c/gamma) (W x~ + gamma u))/K
//
// with its end at e, which moves by u: a tie (energy/tie.h), with a bound on the force of both.
//
// A rigid one is a spring, too, so stiff that the cloth is soft beside it: 1000 times as stiff as
// the matrix is at its vertices. Then the cloth, pulled by as much as stretches the edges there by
// a tenth, is off by some micrometres. (By 1e5, solves in single precision are lost in it.) Sweeps
// cannot follow that, and get less. No spring is stiffer than that: K is bounded, t stays.
//
// One with a length L is a line, which pulls at what is further away:
//
//     end o - - - - - - -> n          K/2 (n.(W x' - e) - l)^2 + s/2 (across n)^2
//          \                           l    L, or with a damper as above, along n
//           o W x'                     n    to where the point is expected
//                                      s    its last tension over its distance
//
// The second term is what a pull towards the end, and not along n, has across. In a solve it either
// is taut, a spring both ways, or it is not there; behind it those that push are let go, and those
// that are too long are caught, and the substep is solved again. (With a pull that begins at L, in
// the solve itself, a prediction that is too far costs so much energy that guards refuse it, and
// from the last place on, where it is slack, nothing sees the line.)

#include <math.h>
#include <string.h>

#include "sim/attach.h"
#include "sim/contact.h"
#include "sim/space.h"

static const double RIGID = 1000;         // times the diagonal of the matrix
static const double RIGID_IN_SWEEPS = 4;  // likewise, of relaxation
static const double EXPLICIT = 0.2;       // of m/h^2, and of m/h: what explicit steps can follow

static WfVec end_at(const WeftState* state, const WfAttachment* a, WfVec goal, double part) {
    WfVec place = wf_load(a->place, 0);
    if (a->to != WEFT_ATTACH_TO_BODY) {
        if (state->ride.turns) place = wf_pose_turn(&state->ride.turn, place);
        return part < 1 ? wf_line_between(state, place, goal, part) : goal;
    }
    place = part < 1 ? wf_madd(place, part, wf_sub(goal, place)) : goal;
    const WfPose* to = wf_state_pose(state, (int)a->body, true);
    WfPose pose = part < 1 ? wf_body_between(state, (int)a->body, part) : *to;
    return wf_pose_point(&pose, place);
}

// Not faster than anything could follow.
static WfVec reachable(const WfAttachment* a, double dt) {
    WfVec from = wf_load(a->place, 0), to = wf_load(a->goal, 0), way = wf_sub(to, from);
    double length = wf_length(way), most = WF_JUMP_SPEED * dt;
    return length > most ? wf_madd(from, most / length, way) : to;
}

// Whether it holds a vertex as a pin does; with a length, within that.
static bool is_rigid(const WfAttachment* a) {
    return a->to != WEFT_ATTACH_TO_CLOTH && a->count == 1 && a->stiffness == 0 &&
           (a->most == 0 || a->breaks != 0);
}

void wf_ready_ties(WeftState* state, double dt) {
    int count = 0;
    for (int i = 0; i < wf_attachment_room(state); i++) {
        WfAttachment* a = &state->attachments[i];
        if (a->state == WF_ATTACHMENT_BROKEN) memset(a->force, 0, sizeof a->force);
        if (a->state != WF_ATTACHMENT_HOLDS) continue;
        WfTie tie = {.count = (int)a->count,
                     .holds = a->to != WEFT_ATTACH_TO_CLOTH,
                     .is_rigid = is_rigid(a) && a->length == 0,
                     .is_line = a->length > 0,
                     .reach = is_rigid(a) ? a->length : 0};
        for (int k = 0; k < tie.count; k++) {
            tie.vertices[k] = (int)a->rows[k];
            tie.weights[k] = a->weights[k];
        }
        state->ties.all[count] = tie;
        state->scratch->tied[count++] = (WfTied){
            .attachment = i, .goal = reachable(a, dt), .tension = wf_length(wf_load(a->force, 0))};
    }
    state->ties.count = count;
    state->ties.moves = wf_ends_move(state);
}

bool wf_ends_move(const WeftState* state) {
    for (int t = 0; t < state->ties.count; t++) {
        const WfAttachment* a = &state->attachments[state->scratch->tied[t].attachment];
        WfVec way = wf_sub(end_at(state, a, state->scratch->tied[t].goal, 1),
                           end_at(state, a, state->scratch->tied[t].goal, 0));
        if (a->to != WEFT_ATTACH_TO_CLOTH && wf_dot(way, way) > 0) return true;
    }
    return false;
}

// What the masses of its vertices are for its point.
static double mass_of(const WeftState* state, const WfTie* tie) {
    double give = 0;
    for (int k = 0; k < tie->count; k++)
        give += tie->weights[k] * tie->weights[k] / state->model->system.masses[tie->vertices[k]];
    return 1 / give;
}

// The least part of its stiffness that cloth at a tie is simulated with.
static double scale_at(const WeftState* state, const WfTie* tie) {
    double least = 1;
    for (int k = 0; k < tie->count; k++)
        least = fmin(least, state->scales[state->model->vertex_portion[tie->vertices[k]]]);
    return least;
}

// N/m, of a rigid one
static double rigid_stiffness(const WeftState* state, const WfStep* step, const WfTie* tie) {
    double square = step->motion.gamma * step->motion.gamma;
    double beta = square * step->system->stiffness_bound * scale_at(state, tie);
    bool sweeps = wf_method(step->def)->takes_sweeps;
    return (sweeps ? RIGID_IN_SWEEPS : RIGID) * mass_of(state, tie) * (1 + beta) / square;
}

static WfVec weigh(const WfTie* tie, const double weights[2], const double* a, const double* b) {
    WfVec sum = wf_mul(weights[0], wf_tie_point(tie, a));
    return weights[1] != 0 ? wf_madd(sum, weights[1], wf_tie_point(tie, b)) : sum;
}

// Where a point would be that moves as its end does: W x~ + gamma u/h
static WfVec moving_along(const WeftState* state, const WfStep* step, const WfTied* tied,
                          const WfTie* tie) {
    static const double first[2] = {1, 0};
    const WfMotion* m = &step->motion;
    const double* weights = state->clock[1] > 0 ? m->base_weights : first;
    return wf_madd(weigh(tie, weights, m->x, m->x1), m->gamma / m->h, tied->moves);
}

// Spring and damper of an implicit step.
typedef struct Spring {
    double stiffness;     // K, N/m
    double held, damped;  // which parts of it are the spring and the damper
} Spring;

static Spring spring_of(const WeftState* state, const WfStep* step, const WfAttachment* a,
                        const WfTie* tie) {
    double most = rigid_stiffness(state, step, tie);
    if (a->stiffness == 0) return (Spring){most, 1, 0};
    double k = a->stiffness * a->share, c = a->damping * a->share / step->motion.gamma;
    return (Spring){fmin(k + c, most), k / (k + c), c / (k + c)};
}

// Of an implicit step: K and t of above.
static void set_implicit(const WeftState* state, const WfStep* step, const WfAttachment* a,
                         const WfTied* tied, WfTie* tie) {
    Spring spring = spring_of(state, step, a, tie);
    tie->stiffness = spring.stiffness;
    tie->target = wf_madd(wf_mul(spring.held, tied->end), spring.damped,
                          moving_along(state, step, tied, tie));
}

// The same of a line that is taut, with its point seen from its end.
static void set_taut(const WeftState* state, const WfStep* step, const WfAttachment* a, WfVec point,
                     WfTied* tied, WfTie* tie) {
    double distance = wf_length(point), length = a->length;
    Spring spring = spring_of(state, step, a, tie);
    tie->normal = wf_mul(1 / distance, point);
    if (distance < length)  // a damper pulls at no slack
        spring = (Spring){spring.stiffness * spring.held, 1, 0};
    WfVec along = wf_sub(moving_along(state, step, tied, tie), tied->end);
    length += spring.damped * (wf_dot(tie->normal, along) - length);
    tie->stiffness = spring.stiffness;
    tie->target = wf_madd(tied->end, length, tie->normal);
    tie->across = fmin(tied->tension / distance, tie->stiffness);
    tie->holds = a->to != WEFT_ATTACH_TO_CLOTH;
    tied->taut = true;
}

static void set_slack(WfTied* tied, WfTie* tie) {
    tie->stiffness = tie->across = 0;
    tie->target = tied->end;
    tie->normal = (WfVec){0, 1, 0};
    tie->holds = tied->taut = false;
}

// Where its point is expected at the end of the substep, seen from its end.
static WfVec expected(const WeftState* state, const WfStep* step, const WfTied* tied,
                      const WfTie* tie) {
    const WfMotion* m = &step->motion;
    WfVec now = wf_tie_point(tie, m->x), ahead = now;
    if (state->clock[1] > 0)
        ahead = wf_add(wf_mul(2.5, now), wf_madd(wf_mul(-2, wf_tie_point(tie, m->x1)), 0.5,
                                                 wf_tie_point(tie, m->x2)));
    return wf_sub(ahead, tied->end);
}

static void set_line(const WeftState* state, const WfStep* step, const WfAttachment* a,
                     WfTied* tied, WfTie* tie) {
    WfVec point = expected(state, step, tied, tie);
    double distance = wf_length(point);
    if (distance > 0 && (distance > a->length || tied->tension > 0))
        set_taut(state, step, a, point, tied, tie);
    else
        set_slack(tied, tie);
}

// What a tie has in an explicit step.
typedef struct Explicit {
    double stiffness, damping;  // N/m, N s/m
    WfVec slip;                 // m/s, of its point seen from its end
} Explicit;

// Of a line in an explicit step.
static void set_explicit_line(const WfStep* step, const WfAttachment* a, Explicit by, WfTied* tied,
                              WfTie* tie) {
    WfVec point = wf_sub(wf_tie_point(tie, step->motion.x), tied->end);
    double distance = wf_length(point);
    set_slack(tied, tie);
    if (!(distance > a->length)) return;
    WfVec n = wf_mul(1 / distance, point);
    double length = a->length - by.damping / by.stiffness * wf_dot(n, by.slip);
    if (length > distance) return;  // comes back so fast that a damper would push
    tie->normal = n;
    tie->stiffness = by.stiffness;
    tie->target = wf_madd(tied->end, length, n);
    tie->holds = a->to != WEFT_ATTACH_TO_CLOTH;
    tied->taut = true;
}

// Of an explicit step, by x(n) and v(n), with its end at the start of it.
static void set_explicit(const WeftState* state, const WfStep* step, const WfAttachment* a,
                         WfTied* tied, WfTie* tie) {
    const WfMotion* m = &step->motion;
    double mass = mass_of(state, tie), k = EXPLICIT * mass / (m->h * m->h);
    if (a->stiffness > 0) k = fmin(k, a->stiffness * a->share);
    double c = fmin(a->damping * a->share, EXPLICIT * mass / m->h);
    WfVec slip = wf_madd(wf_tie_point(tie, m->v), -1 / m->h, tied->moves);
    if (tie->is_line) {
        set_explicit_line(step, a, (Explicit){k, c, slip}, tied, tie);
        return;
    }
    tie->stiffness = k;
    tie->target = wf_madd(tied->end, -c / k, slip);
}

void wf_place_ends(WeftState* state, int index, int count) {
    for (int t = 0; t < state->ties.count; t++) {
        WfTied* tied = &state->scratch->tied[t];
        const WfAttachment* a = &state->attachments[tied->attachment];
        WfTie* tie = &state->ties.all[t];
        WfVec from = end_at(state, a, tied->goal, (double)index / count);
        tied->end = tie->end = end_at(state, a, tied->goal, (double)(index + 1) / count);
        tied->moves = wf_sub(tied->end, from);
        tie->most = a->breaks ? 0 : a->most * a->share;
    }
}

void wf_place_ties(WeftState* state, const WfStep* step, int index, int count) {
    bool is_explicit = wf_method(step->def)->is_explicit;
    wf_place_ends(state, index, count);
    for (int t = 0; t < state->ties.count; t++) {
        WfTied* tied = &state->scratch->tied[t];
        const WfAttachment* a = &state->attachments[tied->attachment];
        WfTie* tie = &state->ties.all[t];
        if (is_explicit) tied->end = end_at(state, a, tied->goal, (double)index / count);
        if (is_explicit)
            set_explicit(state, step, a, tied, tie);
        else if (tie->is_line)
            set_line(state, step, a, tied, tie);
        else
            set_implicit(state, step, a, tied, tie);
        if (tied->broken) tie->stiffness = tie->across = 0;
        tie->slope = tie->stiffness;
    }
}

// Whether it is let go or caught now.
static bool turn_line(const WeftState* state, const WfStep* step, WfTied* tied, WfTie* tie) {
    const WfAttachment* a = &state->attachments[tied->attachment];
    WfVec point = wf_sub(wf_tie_point(tie, step->work->x), tied->end);
    if (tied->broken) return false;
    if (tied->taut && wf_tie_distance(tie, step->work->x) < 0)
        set_slack(tied, tie);
    else if (!tied->taut && wf_length(point) > a->length)
        set_taut(state, step, a, point, tied, tie);
    else
        return false;
    tie->slope = tie->stiffness;
    return true;
}

bool wf_turn_lines(WeftState* state, const WfStep* step) {
    bool turned = false;
    if (wf_method(step->def)->is_explicit) return false;
    for (int t = 0; t < state->ties.count; t++)
        if (state->ties.all[t].is_line &&
            turn_line(state, step, &state->scratch->tied[t], &state->ties.all[t]))
            turned = true;
    return turned;
}

void wf_read_tie(WeftState* state, int t, WfVec force, double h) {
    WfTied* tied = &state->scratch->tied[t];
    const WfAttachment* a = &state->attachments[tied->attachment];
    tied->impulse = wf_madd(tied->impulse, h, force);
    tied->tension = wf_length(force);
    bool torn = a->breaks && a->most > 0 && tied->tension > a->most * a->share;
    tied->broken = tied->broken || torn;
    if (!tied->broken) return;
    state->ties.all[t].is_rigid = false;
    state->ties.all[t].reach = 0;
}

void wf_read_ties(WeftState* state, const WfStep* step) {
    const double* x = wf_method(step->def)->is_explicit ? step->motion.x : step->work->x;
    for (int t = 0; t < state->ties.count; t++)
        wf_read_tie(state, t, wf_tie_force(&state->ties.all[t], x), step->motion.h);
}

void wf_end_ties(WeftState* state, double dt) {
    for (int t = 0; t < state->ties.count; t++) {
        const WfTied* tied = &state->scratch->tied[t];
        WfAttachment* a = &state->attachments[tied->attachment];
        wf_store(a->place, 0, tied->goal);
        wf_store(a->force, 0, wf_mul(1 / dt, tied->impulse));
        if (!tied->broken) continue;
        a->state = WF_ATTACHMENT_BROKEN;
        state->ties_changed = true;
        state->report.broken++;
    }
}

int wf_list_exchange_ties(const WeftState* state, WfExchangeTie* ties) {
    for (int t = 0; t < state->ties.count; t++) {
        const WfTie* from = &state->ties.all[t];
        ties[t] = (WfExchangeTie){.count = from->count};
        memcpy(ties[t].rows, from->vertices, sizeof ties[t].rows);
        memcpy(ties[t].weights, from->weights, sizeof ties[t].weights);
    }
    return state->ties.count;
}

_Static_assert((int)WF_TIE_VERTICES == (int)WF_TIED_ROWS, "ties and their columns are alike");
_Static_assert((int)WEFT_MAX_ATTACHMENTS == (int)WF_MAX_TIES, "all attachments can be ties");
