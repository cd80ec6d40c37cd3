// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The minimum of a quadratic subject to contacts, by a primal method: displacements are admissible
// at every moment, so that what is cut off early leaves a small force, never a penetration.
//
// Rounds of two things. Sweeps over the vertices, each of which solves the contact of one vertex
// exactly, find what sticks, slips or opens, and all that is short. Conjugate gradients on the
// directions that are left then do what is long; their preconditioner is the method's own (the
// constant factor), filtered like the residual.
//
//     contact of one vertex   hard: u_i never leaves its half-space. At the minimum of a vertex,
//                             w = u_i + o with w.n < 0 goes to w = max(0, 1 + mu w.n/|w_t|) w_t
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

#include "method/respond.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "method/layers.h"

static const double SPEED_LEFT = 1e-4;  // m/s: corrections below it end the iteration

void wf_touch_layout(const WfSystem* s, WfArena* arena, WfTouch* touch) {
    size_t n = (size_t)s->vertex_count;
    double** vectors[] = {&touch->u, &touch->b, &touch->q, &touch->d,   &touch->r,
                          &touch->z, &touch->p, &touch->s, &touch->held};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = wf_arena_push(arena, 3 * n, sizeof(double));
    touch->diagonal = wf_arena_push(arena, n, sizeof(double));
    touch->layers = wf_arena_push(arena, n, sizeof(double));
    touch->swept = wf_arena_push(arena, n, sizeof(int));
    touch->sweeps = wf_arena_push(arena, n, 1);
}

// ---------------------------------------------------------------------------------------------
// Contacts of one vertex

// The contacts of vertex i: *first to the return value.
static int singles_of(const WfStep* step, int i, int* first) {
    const WfContacts* contacts = &step->world->contacts;
    int k = *first = contacts->first[i];
    if (k < 0) return k;
    while (k < contacts->single_count && contacts->all[k].vertices[0] == i) k++;
    return k;
}

// The admissible place nearest to u in the sense of Coulomb, where H is isotropic.
static WfVec settle_one(WfContact* c, WfVec u) {
    WfVec offset = wf_contact_offset(c), w = wf_add(u, offset);
    double normal = wf_dot(w, c->normal);
    if (normal >= 0) {
        c->state = WF_CONTACT_OPEN;
        return u;
    }
    WfVec slip = wf_madd(w, -normal, c->normal);
    double length = wf_length(slip), friction = -c->friction * normal;
    c->state = length > friction ? WF_CONTACT_SLIP : WF_CONTACT_STICK;
    double part = length > friction ? 1 - friction / length : 0;
    return wf_sub(wf_mul(part, slip), offset);
}

enum { PASSES = 4 };  // over the contacts of a vertex that has several

static WfVec settle(const WfStep* step, int first, int end, WfVec u) {
    WfContact* all = step->world->contacts.all;
    if (end - first == 1) return settle_one(&all[first], u);
    for (int k = first; k < end; k++) all[k].force = (WfVec){0, 0, 0};
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = first; k < end; k++) {  // each against what the others have moved
            WfVec without = wf_sub(u, all[k].force);
            u = settle_one(&all[k], without);
            all[k].force = wf_sub(u, without);
        }
    return u;
}

static WfVec clip_vertex(const WfStep* step, int i, WfVec u) {
    const WfContact* all = step->world->contacts.all;
    int first, end = singles_of(step, i, &first);
    for (int pass = 0; pass < (end - first > 1 ? PASSES : 1); pass++)
        for (int k = first; k < end; k++) {
            double depth = wf_dot(wf_add(u, wf_contact_offset(&all[k])), all[k].normal);
            if (depth < 0) u = wf_madd(u, -depth, all[k].normal);
        }
    return u;
}

// Every vertex i with contacts of its own, the first of which is k.
#define FOR_TOUCHED(step, k, i)                                           \
    for (int k = 0, i = 0; k < (step)->world->contacts.single_count; k++) \
        if (i = (step)->world->contacts.all[k].vertices[0], (step)->world->contacts.first[i] == k)

static void clip(const WfStep* step, double* u) {
    FOR_TOUCHED(step, k, i) wf_store(u, i, clip_vertex(step, i, wf_load(u, i)));
}

void wf_respond_admit(const WfStep* step, double* x) {
    FOR_TOUCHED(step, k, i) {
        WfVec from = wf_load(step->motion.x, i), u = wf_sub(wf_load(x, i), from);
        wf_store(x, i, wf_add(from, clip_vertex(step, i, u)));
    }
}

// Take out the directions that contacts hold.
static void filter(const WfStep* step, double* v) {
    const WfContact* all = step->world->contacts.all;
    wf_step_filter(step, v);
    FOR_TOUCHED(step, k, i) {
        int first, end = singles_of(step, i, &first), held = 0;
        WfVec u = wf_load(v, i), normals[3];
        for (int c = first; c < end && held < 3; c++) {
            if (all[c].state == WF_CONTACT_STICK) held = 3;
            if (all[c].state != WF_CONTACT_SLIP || held == 3) continue;
            WfVec n = all[c].normal;
            for (int j = 0; j < held; j++) n = wf_sub(n, wf_along(normals[j], n));
            double length = wf_length(n);
            if (length < 1e-3) continue;  // the same half-space twice
            normals[held++] = wf_mul(1 / length, n);
        }
        for (int j = 0; j < held && held < 3; j++) u = wf_sub(u, wf_along(normals[j], u));
        wf_store(v, i, held < 3 ? u : (WfVec){0, 0, 0});
    }
}

// ---------------------------------------------------------------------------------------------
// Sweeps

static WfVec scalar_row(const WfRespond* s, int i, const double* u) {
    WfVec sum = {0, 0, 0};
    for (int e = s->pattern->start[i]; e < s->pattern->start[i + 1]; e++)
        sum = wf_madd(sum, s->values[e], wf_load(u, s->pattern->index[e]));
    return sum;
}

static WfVec block_row(const WfRows* rows, int i, const double* u) {
    const WfRowsPattern* pattern = rows->pattern;
    WfVec sum = {0, 0, 0};
    for (int e = pattern->block_start[i]; e < pattern->block_start[i + 1]; e++) {
        const double* m = rows->blocks + 9 * (long)e;
        WfVec v = wf_load(u, pattern->block_index[e]);
        sum.x += m[0] * v.x + m[2] * v.y + m[4] * v.z;
        sum.y += m[1] * v.x + m[3] * v.y + m[5] * v.z;
        sum.z += m[6] * v.x + m[7] * v.y + m[8] * v.z;
    }
    for (int e = pattern->scalar_start[i]; e < pattern->scalar_start[i + 1]; e++)
        sum = wf_madd(sum, rows->scalars[e], wf_load(u, pattern->scalar_index[e]));
    return sum;
}

// The step of a vertex by its residual: by its own block where nothing touches it.
static WfVec relax_vertex(const WfRespond* s, int i, bool touched, WfVec left) {
    const WfTouch* touch = s->step->touch;
    if (s->rows && !touched && touch->layers[i] == 0) {
        const float* inverse = s->step->work->inverses + 6 * (long)i;
        double m[6];
        for (int k = 0; k < 6; k++) m[k] = (double)inverse[k];
        return wf_sym_mul(m, left);
    }
    return wf_mul(1 / (touch->diagonal[i] + touch->layers[i]), left);
}

// Where sweeps go: to all vertices, or to those of contacts. Newton's matrix is soft across the
// cloth, and conjugate gradients do well without sweeps beside the contacts. (With the constant
// matrix they do not: sliding would be wrong.)
static void choose_swept(const WfRespond* s) {
    WfTouch* touch = s->step->touch;
    const WfContacts* contacts = &s->step->world->contacts;
    int n = s->step->system->vertex_count;
    memset(touch->sweeps, !s->local, (size_t)n);
    for (int k = 0; k < contacts->count; k++)
        for (int v = 0; v < contacts->all[k].count; v++)
            touch->sweeps[contacts->all[k].vertices[v]] = 1;
    touch->swept_count = 0;
    for (int i = 0; i < n; i++)
        if (touch->sweeps[i] && !s->step->motion.pinned[i]) touch->swept[touch->swept_count++] = i;
}

static void sweep(const WfRespond* s) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    int n = step->system->vertex_count;
    bool in_place = s->pattern || s->rows;
    memset(touch->held, 0, 3 * (size_t)n * sizeof(double));
    if (!in_place) s->product(s->context, touch->u, touch->held);
    wf_layers_press(step, touch->u, touch->held);
    for (int k = 0; k < touch->swept_count; k++) {
        int i = touch->swept[k];
        WfVec left = wf_sub(wf_load(touch->b, i), wf_load(touch->held, i));
        if (s->pattern) left = wf_sub(left, scalar_row(s, i, touch->u));
        if (s->rows) left = wf_sub(left, block_row(s->rows, i, touch->u));
        int first, end = singles_of(step, i, &first);
        WfVec u = wf_add(wf_load(touch->u, i), relax_vertex(s, i, first >= 0, left));
        wf_store(touch->u, i, first >= 0 ? settle(step, first, end, u) : u);
    }
}

// ---------------------------------------------------------------------------------------------
// Conjugate gradients on what the contacts leave

static void product(const WfRespond* s, const double* p, double* q) {
    s->product(s->context, p, q);
    wf_layers_add(s->step, p, q);
    wf_step_filter(s->step, q);
}

static void precondition(const WfRespond* s, const double* r, double* z) {
    double start = wf_now(s->step->system);
    s->precondition(s->context, r, z);
    filter(s->step, z);
    double took = wf_now(s->step->system) - start;
    s->step->report->times.solve += took;
    s->step->report->times.respond -= took;
}

static double dot(const WfRespond* s, const double* a, const double* b) {
    WfVectors vectors = wf_step_vectors(s->step);
    return wf_vector_dot(&vectors, a, b);
}

// The largest correction to expect. What all vertices do together, a weak preconditioner makes far
// too small: as if nothing held them, it is r/m.
static double largest(const WfRespond* s) {
    const WfStep* step = s->step;
    double most = 0;
    for (int i = 0; i < step->system->vertex_count; i++) {
        WfVec v = wf_load(s->weak ? step->touch->r : step->touch->z, i);
        double size = fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
        most = fmax(most, s->weak ? size / step->system->masses[i] : size);
    }
    return most;
}

// r = b - H u, unfiltered but for pins
static void residual(const WfRespond* s) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    WfVectors vectors = wf_step_vectors(step);
    s->product(s->context, touch->u, touch->r);
    wf_layers_press(step, touch->u, touch->r);
    wf_vector_xpay(&vectors, touch->b, -1, touch->r);
    wf_step_filter(step, touch->r);
}

// What contacts of a vertex that slip press, where they hold `left` together: into their `force`.
// Were each to take all of it, cloth in a groove would have the friction of both of its sides.
static void share_pressure(WfContact* all, int first, int end, WfVec left) {
    for (int k = first; k < end; k++) all[k].force = (WfVec){0, 0, 0};
    for (int pass = 0; pass < (end - first > 1 ? PASSES : 1); pass++)
        for (int k = first; k < end; k++) {
            WfContact* c = &all[k];
            if (c->state != WF_CONTACT_SLIP) continue;
            double old = wf_dot(c->force, c->normal);
            double now = fmax(0, old + wf_dot(left, c->normal));
            left = wf_madd(left, old - now, c->normal);
            c->force = wf_mul(now, c->normal);
        }
}

// Friction of what slips, as a force: r -= mu |r_n| w_t/|w_t|. Its direction is kept in `force`.
static void add_slip(const WfRespond* s) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    WfContact* all = step->world->contacts.all;
    FOR_TOUCHED(step, k, i) {
        int first, end = singles_of(step, i, &first);
        share_pressure(all, first, end, wf_mul(-1, wf_load(touch->r, i)));
        for (int j = first; j < end; j++) {
            WfContact* c = &all[j];
            if (c->state != WF_CONTACT_SLIP) continue;
            double normal = wf_dot(c->force, c->normal);
            WfVec w = wf_add(wf_load(touch->u, i), wf_contact_offset(c));
            c->force = wf_sub(w, wf_along(c->normal, w));
            double length = wf_length(c->force);
            if (length > 0 && normal > 0)
                wf_accumulate(touch->r, i, -c->friction * normal / length, c->force);
        }
    }
}

// d: some steps of conjugate gradients for H d = r, filtered. False where there is nothing to do,
// or no time for it.
static bool correct(const WfRespond* s) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    WfVectors vectors = wf_step_vectors(step);
    double least = s->speed_left * step->motion.h;
    memset(touch->d, 0, (size_t)vectors.n * sizeof(double));
    if (!wf_pace_go_on(step->pace)) return false;
    filter(step, touch->r);
    precondition(s, touch->r, touch->z);
    double start = largest(s), rz = dot(s, touch->r, touch->z);
    if (start < least || !(rz > 0)) return false;
    memcpy(touch->p, touch->z, (size_t)vectors.n * sizeof(double));
    for (int k = 0; k < s->inner && (k == 0 || wf_pace_go_on(step->pace)); k++) {
        product(s, touch->p, touch->q);
        filter(step, touch->q);
        double curvature = dot(s, touch->p, touch->q);
        if (!(curvature > 0)) break;
        wf_vector_axpy(&vectors, rz / curvature, touch->p, touch->d);
        wf_vector_axpy(&vectors, -rz / curvature, touch->q, touch->r);
        step->report->cg_iterations++;
        if (k + 1 == s->inner) break;
        precondition(s, touch->r, touch->z);
        if (largest(s) < fmax(least, s->drop * start)) break;
        double next = dot(s, touch->r, touch->z);
        if (!(next > 0)) break;
        wf_vector_xpay(&vectors, touch->z, next / rz, touch->p);
        rz = next;
    }
    return true;
}

// The direction d from u, and what it starts from (s).
static bool find_direction(const WfRespond* s) {
    WfTouch* touch = s->step->touch;
    residual(s);
    add_slip(s);
    memcpy(touch->s, touch->r, 3 * (size_t)s->step->system->vertex_count * sizeof(double));
    return correct(s);
}

// Open contacts that u + d would violate: onto their surface. Sweeps see what pushes a vertex by
// its neighbours, and not what moves all of them at once; were such contacts only clipped, the line
// search would stop all other motion, too.
static bool close_contacts(const WfStep* step) {
    WfTouch* touch = step->touch;
    bool closed = false;
    for (int k = 0; k < step->world->contacts.single_count; k++) {
        WfContact* c = &step->world->contacts.all[k];
        int i = c->vertices[0];
        WfVec u = wf_load(touch->u, i), to = wf_add(u, wf_load(touch->d, i));
        if (c->state != WF_CONTACT_OPEN || wf_dot(wf_add(to, wf_contact_offset(c)), c->normal) >= 0)
            continue;
        c->state = WF_CONTACT_SLIP;
        wf_accumulate(touch->u, i, -wf_dot(wf_add(u, wf_contact_offset(c)), c->normal), c->normal);
        closed = true;
    }
    return closed;
}

// u + d, admissible: clipped, and at rest where slip has turned back.
static void admit(const WfRespond* s) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    WfVectors vectors = wf_step_vectors(step);
    wf_vector_axpy(&vectors, 1, touch->u, touch->d);
    clip(step, touch->d);
    for (int k = 0; k < step->world->contacts.single_count; k++) {
        const WfContact* c = &step->world->contacts.all[k];
        if (c->state != WF_CONTACT_SLIP) continue;
        WfVec offset = wf_contact_offset(c), w = wf_add(wf_load(touch->d, c->vertices[0]), offset);
        w = wf_sub(w, wf_along(c->normal, w));
        if (wf_dot(w, c->force) <= 0) wf_store(touch->d, c->vertices[0], wf_mul(-1, offset));
    }
    wf_vector_axpy(&vectors, -1, touch->u, touch->d);
}

// u += t d, t from 0 to 1 where Q, with the friction of what slips, is least.
static void advance(const WfRespond* s, const double* slope) {
    WfTouch* touch = s->step->touch;
    WfVectors vectors = wf_step_vectors(s->step);
    product(s, touch->d, touch->q);
    double falls = dot(s, touch->d, slope), curvature = dot(s, touch->d, touch->q);
    double t = curvature > 0 ? fmax(0, fmin(1, falls / curvature)) : 0;
    wf_vector_axpy(&vectors, t, touch->d, touch->u);
}

// ---------------------------------------------------------------------------------------------

static double value_of(const WfRespond* s, const double* u) {
    WfTouch* touch = s->step->touch;
    s->product(s->context, u, touch->q);
    wf_step_filter(s->step, touch->q);
    return dot(s, u, touch->q) / 2 - dot(s, u, touch->b) + wf_layers_energy(s->step, u);
}

static void choose_start(const WfRespond* s, const double* other) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    size_t bytes = 3 * (size_t)step->system->vertex_count * sizeof(double);
    clip(step, touch->u);
    if (!other) return;
    memcpy(touch->z, other, bytes);
    clip(step, touch->z);
    if (value_of(s, touch->z) < value_of(s, touch->u)) memcpy(touch->u, touch->z, bytes);
}

static WfVec on_cone(const WfContact* c, WfVec force) {
    double normal = fmax(wf_dot(force, c->normal), 0);
    WfVec slip = wf_sub(force, wf_along(c->normal, force));
    double length = wf_length(slip), most = c->friction * normal;
    return wf_madd(wf_mul(normal, c->normal), length > most ? most / length : 1, slip);
}

// Contacts of one vertex: what their cones can take of the residual.
static void keep_single_forces(const WfRespond* s) {
    const WfStep* step = s->step;
    WfContacts* contacts = &step->world->contacts;
    double scale = 1 / wf_force_scale(step);
    FOR_TOUCHED(step, k, i) {
        int first, end = singles_of(step, i, &first);
        WfVec force = wf_mul(-scale, wf_load(step->touch->r, i)), kept = {0, 0, 0};
        for (int c = first; c < end; c++) {
            contacts->all[c].force = on_cone(&contacts->all[c], wf_sub(force, kept));
            kept = wf_add(kept, contacts->all[c].force);
            step->report->active_contacts += wf_dot(kept, contacts->all[c].normal) > 0;
        }
        const double load[3] = {kept.x, kept.y, kept.z};
        memcpy(step->loads + 4 * (long)i, load, sizeof load);
    }
}

// Layers: what their springs press, and the force under which u is the solution.
static void keep_layer_forces(const WfRespond* s) {
    const WfStep* step = s->step;
    const WfTouch* touch = step->touch;
    WfContacts* contacts = &step->world->contacts;
    double scale = 1 / wf_force_scale(step);
    for (int k = contacts->single_count; k < contacts->count; k++) {
        WfContact* c = &contacts->all[k];
        c->force = on_cone(c, wf_mul(-scale, wf_layer_pull(c, touch->u)));
        double normal = wf_dot(c->force, c->normal);
        step->report->active_contacts += normal > 0;
        for (int v = 0; v < c->count && normal > 0; v++)
            step->loads[4 * (long)c->vertices[v] + 3] += fabs(c->weights[v]) * normal;
    }
    s->product(s->context, touch->u, touch->q);
    for (int i = 0; i < step->system->vertex_count; i++) {
        if (!(touch->layers[i] > 0) || step->motion.pinned[i]) continue;
        WfVec load = wf_mul(scale, wf_sub(wf_load(touch->q, i), wf_load(touch->b, i)));
        const double numbers[3] = {load.x, load.y, load.z};
        memcpy(step->loads + 4 * (long)i, numbers, sizeof numbers);
    }
}

// Forces of all contacts at u, into the contacts and the loads.
static void keep_forces(const WfRespond* s) {
    const WfStep* step = s->step;
    residual(s);
    memset(step->loads, 0, 4 * (size_t)step->system->vertex_count * sizeof(double));
    step->report->active_contacts = 0;
    keep_single_forces(s);
    if (step->world->contacts.single_count < step->world->contacts.count) keep_layer_forces(s);
}

void wf_respond_sweeps(WfRespond* s) {
    bool stiff = s->step->report->stiffness_number >= 30;
    s->sweeps = stiff ? 12 : 6;
    s->last_sweeps = stiff ? 4 : 2;
    s->speed_left = SPEED_LEFT;
}

void wf_respond(const WfRespond* s, const double* other) {
    const WfStep* step = s->step;
    WfTouch* touch = step->touch;
    double start = wf_now(step->system);
    choose_start(s, other);
    choose_swept(s);
    for (int round = 0; round < s->rounds; round++) {
        if (round > 0) wf_layers_renew(step, touch->u);
        for (int k = 0; k < s->sweeps; k++) sweep(s);
        bool moves = find_direction(s);
        for (int k = 0; k < s->closings && moves && close_contacts(step); k++)
            moves = find_direction(s);
        if (!moves) break;
        admit(s);
        advance(s, touch->s);
    }
    for (int k = 0; k < s->last_sweeps && (!s->paced || wf_pace_go_on(step->pace)); k++) sweep(s);
    keep_forces(s);
    step->report->times.respond += wf_now(step->system) - start;
}

void wf_respond_loads(const WfStep* step, double* f) {
    const WfContacts* contacts = &step->world->contacts;
    double scale = wf_force_scale(step), *taken = step->touch->layers;
    memset(taken, 0, (size_t)step->system->vertex_count * sizeof(double));
    for (int k = 0; k < contacts->count; k++)
        for (int v = 0; v < contacts->all[k].count; v++) {
            int i = contacts->all[k].vertices[v];
            const double* load = step->loads + 4 * (long)i;
            if (taken[i] == 0) wf_accumulate(f, i, scale, (WfVec){load[0], load[1], load[2]});
            taken[i] = 1;
        }
}

double wf_respond_work(const WfStep* step) {
    const WfContacts* contacts = &step->world->contacts;
    double sum = 0;
    for (int k = 0; k < contacts->count; k++)
        sum += wf_dot(contacts->all[k].force, wf_layer_gather(&contacts->all[k], step->touch->u));
    return sum;
}
