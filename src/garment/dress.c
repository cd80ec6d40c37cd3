// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How garments get onto a body. Panels lie around it, sewn from the start, so that the cloth beside
// their seams is stretched and crosses the body here and there. Pulled together as it is, it would
// catch on everything. So the body gets out of the way: it shrinks to rods (thin.c), the cloth
// contracts around them, and then the body grows, inside of the cloth and with contact, until it is
// what it was:
//
//     close    the garment alone, no gravity, around the thin body
//     grow     the thin body becomes the body
//     join     all garments so far, contact between all; what is crossed comes apart, then gravity
//     pose     the body goes to where its motion starts
//     refine   the same with the mesh that was asked for
//
// All but the last is done with a coarse mesh, because what it takes does not depend on how fine
// the garment shall be. Garments of an inner layer are, for the next one, part of what shrinks and
// grows (dress_below.c).
//
// What is longer than the body hangs below the floor while it is closed, and the body stands on
// stilts as long; then, in the first steps of `join`, the floor rises, and the stilts go into the
// feet. Tried and dropped: a floor from the start, or cloth that is laid out on it. The feet of a
// thin body are above the floor, and grew into what had got under them.
//
// Tried and dropped: panels that are pulled together by springs and welded when they meet. Limbs
// slip out between them, and what decides whether they do is the order in which seams close.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/dress.h"
#include "garment/hold.h"
#include "garment/openings.h"
#include "garment/pattern.h"
#include "garment/refine.h"
#include "garment/thin.h"
#include "mesh/normals.h"

#define THIN_REACH 0.06  // of the body's height
#define GIVE 0.006       // m, by which the body makes room for a finer mesh
#define CALM 0.03        // m/s, root mean square, at which cloth counts as settled

#define SUNK 0.02  // of the body's height, by which it may be in the floor
#define SOLE 0.02  // of the body's height, up to which it becomes stilts

#define SMALLEST 0.02  // m, of bodies
#define LARGEST 20.0

enum { CLOSE_STEPS = 40, GROW_STEPS = 60, APART_STEPS = 60, HANG_STEPS = 60, POSE_STEPS = 60 };
enum { RAISE_STEPS = HANG_STEPS / 3 };
enum { POSED_STEPS = 20, FILL_STEPS = 15, FINE_STEPS = 45, ENOUGH_FINE_STEPS = 25 };

// ---------------------------------------------------------------------------------------------
// Defaults

WeftWearDef weft_default_wear_def(void) {
    return (WeftWearDef){.edge = 0.02, .fabric = weft_default_fabric()};
}

WeftDressDef weft_default_dress_def(void) {
    return (WeftDressDef){.friction = 0.3,
                          .floor = -HUGE_VAL,
                          .step = weft_default_step_def(),
                          .mirror = weft_default_model_def().mirror};
}

// ---------------------------------------------------------------------------------------------
// Close and grow

static void mix(const double* from, const double* to, double part, int count, double* out) {
    for (long i = 0; i < 3L * count; i++) out[i] = from[i] + part * (to[i] - from[i]);
}

// The body is at `positions`, on stilts: where a garment is longer than the body, the soles reach
// as far down as it does, until the floor is raised. Nothing gets under them.
static void shape_body(WfDressing* d, const double* positions, double stilts) {
    const double* full = d->def->positions;
    memmove(d->now, positions, 3 * (size_t)d->def->vertex_count * sizeof(double));
    for (long i = 0; i < d->def->vertex_count && d->depth > 0; i++) {
        double above = (full[3 * i + 1] - d->floor) / (SOLE * d->height);
        d->now[3 * i + 1] -= stilts * d->depth * fmin(fmax(1 - above, 0), 1);
    }
}

// Body and layers between thin (0) and as they are (1).
static void grow_bodies(WfDressing* d, WfTrial* trial, double part) {
    mix(d->thin, d->def->positions, part, d->def->vertex_count, d->now);
    shape_body(d, d->now, 1);
    weft_deform_body(trial->state, 0, d->now);
    for (int i = 0; i < trial->first; i++) {
        wf_place_below(d, &d->layers[i], d->now, d->shape);
        weft_deform_body(trial->state, i + 1, d->shape);
    }
}

static WeftResult close_and_grow(WfDressing* d, int layer) {
    WfTrial trial;
    WeftBodyDef body = wf_dressed_body(d, d->now, WF_GLIDE);
    shape_body(d, d->thin, 1);
    WeftResult result = wf_open_trial(d, layer, 1, &body, WEFT_CONTACT_BODIES, &trial);
    if (result) return result;
    wf_make_weightless(&trial);
    for (int i = 0; i < CLOSE_STEPS && !result; i++)
        result = wf_take_trial_step(d, &trial, 0, "closing seams");
    for (int i = 1; i <= GROW_STEPS && !result; i++) {
        result = wf_open_below(d, &trial, (double)i / GROW_STEPS, 1.0 / GROW_STEPS);
        grow_bodies(d, &trial, (double)i / GROW_STEPS);
        if (!result) result = wf_take_trial_step(d, &trial, 0.5, "putting on");
    }
    if (!result) wf_keep_trial(d, &trial);
    if (!result) wf_settle_below(d, layer);
    wf_close_trial(d, &trial);
    return result;
}

// Each point of a layer goes so many times as far as the body beside it, at `from`, by `way`.
static WeftResult go_along(WfDressing* d, const WfLayer* layer, const double* from,
                           const double* way, double times, double* to) {
    const WeftMesh* mesh = &layer->garment.mesh;
    size_t n = (size_t)mesh->vertex_count;
    WfBody body = {d->def->vertex_count, d->def->triangle_count, from, d->def->triangles};
    WeftBodyPoint* binds = wf_alloc(&d->allocator, n, sizeof *binds);
    WeftResult result = binds ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < n && !result; i++) binds[i].vertex = (int)i;
    if (!result)
        result = wf_bind_points(&d->allocator, &body, mesh->positions, NULL, (int)n, binds);
    for (size_t i = 0; i < n && !result; i++) {
        WfVec place = wf_load(mesh->positions, (int)i);
        const int* corner = body.triangles + 3 * (long)binds[i].triangle;
        for (int k = 0; k < 3; k++)
            place = wf_madd(place, times * binds[i].weights[k], wf_load(way, corner[k]));
        wf_store(to, (int)i, place);
    }
    wf_free(&d->allocator, binds);
    return result ? wf_fail_memory(d->error) : WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Join, pose, refine

// Without weight, which would press together what shall come apart.
static WeftResult bring_apart(WfDressing* d, WfTrial* trial) {
    WeftResult result = WEFT_OK;
    wf_make_weightless(trial);
    for (int i = 0; i < APART_STEPS && !result && (i == 0 || wf_trial_crosses(trial)); i++) {
        result = wf_take_trial_step(d, trial, 0.5, "bringing apart");
        if (!result) wf_release_crossed(d, trial);
    }
    memcpy(trial->step.gravity, d->def->step.gravity, sizeof trial->step.gravity);
    trial->step.air_density = d->def->step.air_density;
    return result;
}

// From below the garment (0) to where it is (1).
static void raise_floor(WfDressing* d, WfTrial* trial, double part) {
    static const double rotation[4] = {0, 0, 0, 1};
    double place[3] = {0, d->floor - (1 - part) * d->depth, 0};
    if (!(d->depth > 0)) return;
    shape_body(d, d->def->positions, 1 - part);
    weft_deform_body(trial->state, 0, d->now);
    weft_move_body(trial->state, 1, place, rotation);
}

static WeftResult hang(WfDressing* d, WfTrial* trial) {
    WeftResult result = bring_apart(d, trial);
    for (int i = 0; i < HANG_STEPS && !result; i++) {
        raise_floor(d, trial, fmin((i + 1.0) / RAISE_STEPS, 1));
        wf_draw_holds(d, trial, d->def->positions);
        result = wf_take_trial_step(d, trial, 0.9, "settling");
        if (i > RAISE_STEPS && wf_trial_speed(trial) < CALM && !wf_trial_crosses(trial)) break;
    }
    return result;
}

static double smooth_part(double t) { return t * t * (3 - 2 * t); }

static WeftResult go_to_pose(WfDressing* d, WfTrial* trial) {
    WeftResult result = WEFT_OK;
    if (!d->def->pose) return WEFT_OK;
    for (int i = 1; i <= POSE_STEPS && !result; i++) {
        d->def->pose(d->def->pose_user, smooth_part((double)i / POSE_STEPS), d->now);
        weft_deform_body(trial->state, 0, d->now);
        wf_move_holds(d, trial, d->now);
        result = wf_take_trial_step(d, trial, 0.95, "taking the pose");
    }
    for (int i = 0; i < POSED_STEPS && !result; i++)
        result = wf_take_trial_step(d, trial, 0.9, "taking the pose");
    memcpy(d->end, d->now, 3 * (size_t)d->def->vertex_count * sizeof(double));
    return result ? result : wf_check_body_mirror(d, d->end);
}

// All layers up to `last`, on the body.
static WeftResult join_layers(WfDressing* d, int last) {
    WfTrial trial;
    WeftBodyDef body = wf_dressed_body(d, d->now, d->def->friction);
    WeftResult result = WEFT_OK;
    shape_body(d, d->def->positions, 1);
    for (int i = 0; i <= last && !result; i++)
        result = wf_bind_holds(d, &d->layers[i], d->def->positions);
    if (!result) result = wf_open_trial(d, 0, last + 1, &body, WEFT_CONTACT_ALL, &trial);
    if (result) return result;
    wf_pin_holds(d, &trial, true);
    result = hang(d, &trial);
    if (!result && last == d->layer_count - 1) result = go_to_pose(d, &trial);
    if (!result) wf_keep_trial(d, &trial);
    wf_close_trial(d, &trial);
    return result;
}

static WeftResult sew_finely(WfDressing* d, WfLayer* layer) {
    WeftGarment fine;
    WeftResult result = weft_sew_pattern(layer->wear->pattern, layer->wear->edge, &d->allocator,
                                         &fine, NULL, d->error);
    if (result) return result;
    if (wf_refine_garment(&layer->garment, layer->garment.mesh.positions, &fine))
        result = wf_fail_memory(d->error);
    if (result) {
        weft_destroy_garment(&fine);
        return result;
    }
    wf_drop_below(d, layer);
    weft_destroy_garment(&layer->garment);
    layer->garment = fine;
    result = wf_choose_fabrics(d, layer, layer->wear->edge);
    return result ? result : wf_bind_holds(d, layer, d->end);
}

// Room between body and layers, and between layers that lie on each other: chords of the coarse
// mesh and of the fine one are not the same. The body becomes smaller all around, and layers go
// outwards from it, one further than the other.
static WeftResult make_room(WfDressing* d, double* small) {
    const WeftDressDef* def = d->def;
    double* way = d->now;
    wf_find_normals(def->vertex_count, d->end, def->triangle_count, def->triangles, way);
    for (int i = 0; i < def->vertex_count; i++) {
        WfVec x = wf_load(d->end, i), inside = wf_madd(x, -GIVE, wf_load(way, i));
        // soles stay where they are: nothing shall get under them
        if (d->is_long && x.y < d->floor + SOLE * d->height) inside.y = fmin(inside.y, x.y);
        wf_store(small, i, inside);
    }
    for (long i = 0; i < 3L * def->vertex_count; i++) way[i] *= WF_BETWEEN;
    WeftResult result = WEFT_OK;
    for (int i = 1; i < d->layer_count && !result; i++) {
        WfLayer* layer = &d->layers[i];
        result = go_along(d, layer, d->end, way, i, layer->garment.mesh.positions);
    }
    return result;
}

static WeftResult refine(WfDressing* d) {
    WfTrial trial;
    double* small = d->thin;  // which is not needed any more
    WeftBodyDef body = wf_dressed_body(d, small, d->def->friction);
    WeftResult result = WEFT_OK;
    for (int i = 0; i < d->layer_count && !result; i++) result = sew_finely(d, &d->layers[i]);
    if (!result) result = make_room(d, small);
    if (!result) result = wf_open_trial(d, 0, d->layer_count, &body, WEFT_CONTACT_ALL, &trial);
    if (result) return result;
    wf_pin_holds(d, &trial, false);
    for (int i = 1; i <= FILL_STEPS && !result; i++) {
        mix(small, d->end, (double)i / FILL_STEPS, d->def->vertex_count, d->now);
        weft_deform_body(trial.state, 0, d->now);
        result = wf_take_trial_step(d, &trial, 0.5, "refining");
    }
    if (!result) result = bring_apart(d, &trial);  // folds that the coarse mesh did not have
    for (int i = 0; i < FINE_STEPS && !result; i++) {
        result = wf_take_trial_step(d, &trial, 0.9, "refining");
        if (i >= ENOUGH_FINE_STEPS && wf_trial_speed(&trial) < CALM && !wf_trial_crosses(&trial))
            break;
    }
    if (!result && wf_trial_crosses(&trial)) result = wf_fail_crossed(d, &trial);
    if (!result) wf_keep_trial(d, &trial);
    wf_close_trial(d, &trial);
    return result ? result : wf_check_halves_apart(d);
}

// ---------------------------------------------------------------------------------------------

// The lowest and the highest point.
static void vertical_span(const double* positions, int count, double span[2]) {
    span[0] = HUGE_VAL, span[1] = -HUGE_VAL;
    for (long i = 0; i < count; i++) {
        span[0] = fmin(span[0], positions[3 * i + 1]);
        span[1] = fmax(span[1], positions[3 * i + 1]);
    }
}

// Six times the volume that the triangles enclose: negative where they face inwards.
static double signed_volume(const WeftDressDef* def) {
    double sum = 0;
    for (long t = 0; t < def->triangle_count; t++) {
        const int* v = def->triangles + 3 * t;
        WfVec a = wf_load(def->positions, v[0]), b = wf_load(def->positions, v[1]);
        sum += wf_dot(a, wf_cross(b, wf_load(def->positions, v[2])));
    }
    return sum;
}

static WeftResult check_body(const WfDressing* d) {
    if (!(d->height >= SMALLEST && d->height <= LARGEST))
        return wf_fail(d->error, WEFT_ERROR_INPUT,
                       "the body is %g m tall; is it in metres? It may be from %g to %g m",
                       d->height, SMALLEST, LARGEST);
    if (signed_volume(d->def) < 0)
        return wf_fail(d->error, WEFT_ERROR_INPUT,
                       "the body is inside out: its triangles face inwards");
    return WEFT_OK;
}

static WeftResult prepare(WfDressing* d) {
    const WeftDressDef* def = d->def;
    size_t n = 3 * (size_t)def->vertex_count;
    double span[2];
    vertical_span(def->positions, def->vertex_count, span);
    d->height = span[1] - span[0];
    d->floor = span[0] > def->floor - SUNK * d->height ? def->floor : -HUGE_VAL;
    if (check_body(d)) return WEFT_ERROR_INPUT;
    WeftResult result = wf_check_dress_mirror(d);
    if (result) return result;
    d->thin = wf_alloc(&d->allocator, n, sizeof(double));
    d->now = wf_alloc(&d->allocator, n, sizeof(double));
    d->end = wf_alloc(&d->allocator, n, sizeof(double));
    d->normals = wf_alloc(&d->allocator, n, sizeof(double));
    d->open = wf_alloc(&d->allocator, n / 3, sizeof(double));
    d->layers = wf_alloc(&d->allocator, (size_t)def->wear_count, sizeof *d->layers);
    if (!d->thin || !d->now || !d->end || !d->normals || !d->open || !d->layers)
        return wf_fail_memory(d->error);
    d->layer_count = def->wear_count;
    memcpy(d->end, def->positions, n * sizeof(double));
    d->planned =
        (CLOSE_STEPS + GROW_STEPS + HANG_STEPS) * def->wear_count + FILL_STEPS + FINE_STEPS;
    if (def->pose) d->planned += POSE_STEPS + POSED_STEPS;
    if (wf_thin_body(&d->allocator, def->vertex_count, def->positions, def->triangle_count,
                     def->triangles, THIN_REACH * d->height, d->thin))
        return wf_fail_memory(d->error);
    return WEFT_OK;
}

#define DEEP \
    0.1  // of the body's height: a garment that begins so far below its feet, or
         // ends so far above its head, is placed for a body with another origin
#define ORIGIN \
    0.68  // of the body's height: where that has its origin, as bodies made of the widely
          // used statistical model SMPL do

// Patterns that were made for bodies whose origin is not between the feet.
static WeftResult find_origin(WfDressing* d, WfLayer* layer) {
    WeftMesh* mesh = &layer->garment.mesh;
    double body[2], span[2];
    vertical_span(d->def->positions, d->def->vertex_count, body);
    vertical_span(mesh->positions, mesh->vertex_count, span);
    double room = DEEP * d->height, lift = body[0] + ORIGIN * d->height;
    bool is_long = span[1] > (body[0] + body[1]) / 2;  // it may lie on the floor
    if ((span[0] > body[0] - room || is_long) && span[1] < body[1] + room) return WEFT_OK;
    if (!(span[0] + lift > body[0] - room && span[1] + lift < body[1] + room))
        return wf_fail(d->error, WEFT_ERROR_INPUT,
                       "\"%s\" reaches from %.2f to %.2f m, and the body from %.2f to %.2f m: it "
                       "is not placed around it",
                       layer->wear->pattern->name, span[0], span[1], body[0], body[1]);
    for (long i = 0; i < mesh->vertex_count; i++) mesh->positions[3 * i + 1] += lift;
    return wf_find(
        d->findings, d->error,
        "\"%s\" reaches from %.2f to %.2f m: it was lifted by %.2f m, from the origin in "
        "the middle of the body that it seems to be made for",
        layer->wear->pattern->name, span[0], span[1], lift);
}

static WeftResult sew_coarsely(WfDressing* d) {
    WeftResult result = WEFT_OK;
    int most = 1;
    for (int i = 0; i < d->layer_count && !result; i++) {
        WfLayer* layer = &d->layers[i];
        layer->wear = &d->def->wear[i];
        double edge = fmax(layer->wear->edge, WF_COARSE_EDGE * d->height);
        result = wf_sew_worn(layer->wear->pattern, edge, d->height, &d->allocator, &layer->garment,
                             d->findings, d->error);
        if (!result) result = wf_choose_fabrics(d, layer, edge);
        if (!result) result = find_origin(d, layer);
        if (!result) layer->placed = wf_mean_height(&layer->garment.mesh, d->floor);
        if (!result && layer->garment.mesh.vertex_count > most)
            most = layer->garment.mesh.vertex_count;
    }
    if (result) return result;
    d->shape = wf_alloc(&d->allocator, 3 * (size_t)most, sizeof(double));
    return d->shape ? WEFT_OK : wf_fail_memory(d->error);
}

static void clear(WfDressing* d) {
    for (int i = 0; i < d->layer_count; i++) {
        WfLayer* layer = &d->layers[i];
        wf_drop_holds(d, layer);
        wf_drop_below(d, layer);
        wf_free(&d->allocator, layer->fabrics);
        weft_destroy_garment(&layer->garment);
    }
    wf_free(&d->allocator, d->layers);
    wf_free(&d->allocator, d->thin);
    wf_free(&d->allocator, d->now);
    wf_free(&d->allocator, d->end);
    wf_free(&d->allocator, d->shape);
    wf_free(&d->allocator, d->open);
    wf_free(&d->allocator, d->normals);
}

static WeftResult put_on(WfDressing* d) {
    WeftResult result = wf_tell_progress(d, "sewing");
    if (!result) result = sew_coarsely(d);
    for (int i = 0; i < d->layer_count && !result; i++) {
        const WeftMesh* mesh = &d->layers[i].garment.mesh;
        double span[2];
        vertical_span(mesh->positions, mesh->vertex_count, span);
        d->depth = fmax(d->floor - span[0], 0);
        d->is_long = d->is_long || d->depth > 0;
        result = close_and_grow(d, i);
        if (!result) result = join_layers(d, i);
        d->depth = 0;
        // what is inside has moved when the next layer was joined
        if (!result && i + 1 < d->layer_count) result = wf_thin_below(d, i + 1);
    }
    if (!result) result = refine(d);
    return result;
}

WeftResult weft_dress(const WeftDressDef* def, WeftOutfit* outfit, WeftError* error) {
    WeftError unheard;
    *outfit = (WeftOutfit){.allocator = wf_allocator(&def->allocator)};
    outfit->findings.allocator = outfit->allocator;
    WfDressing d = {.def = def,
                    .allocator = outfit->allocator,
                    .findings = &outfit->findings,
                    .error = error ? error : &unheard};
    if (def->wear_count < 1) return wf_fail(error, WEFT_ERROR_INPUT, "there is nothing to wear");
    WeftResult result = prepare(&d);
    if (!result) result = put_on(&d);
    if (!result) result = wf_tell_order(&d);
    if (!result) {
        outfit->worn = wf_alloc(&d.allocator, (size_t)d.layer_count, sizeof *outfit->worn);
        if (!outfit->worn) result = wf_fail_memory(error);
    }
    for (int i = 0; i < d.layer_count && !result; i++) {
        outfit->worn_count = i + 1;
        result = wf_hand_over(&d, &d.layers[i], &outfit->worn[i]);
    }
    outfit->step_count = d.step_count;
    clear(&d);
    if (result) weft_destroy_outfit(outfit);
    return result;
}

void weft_destroy_outfit(WeftOutfit* outfit) {
    if (!outfit) return;
    for (int i = 0; i < outfit->worn_count; i++) {
        weft_destroy_garment(&outfit->worn[i].garment);
        wf_free(&outfit->allocator, outfit->worn[i].holds);
        wf_free(&outfit->allocator, outfit->worn[i].seam_gap);
    }
    wf_free(&outfit->allocator, outfit->worn);
    weft_destroy_findings(&outfit->findings);
    *outfit = (WeftOutfit){0};
}
