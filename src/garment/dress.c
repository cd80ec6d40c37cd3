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
// grows: each of its points goes with the point of the body that it is next to.
//
// Tried and dropped: panels that are pulled together by springs and welded when they meet. Limbs
// slip out between them, and what decides whether they do is the order in which seams close.

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/hold.h"
#include "garment/pattern.h"
#include "garment/refine.h"
#include "garment/thin.h"
#include "mesh/normals.h"

#define THIN_REACH 0.06    // of the body's height
#define COARSE_EDGE 0.017  // of the body's height
#define GLIDE 0.1          // friction of a body that grows
#define GIVE 0.006         // m, by which the body makes room for a finer mesh
#define CALM 0.03          // m/s, root mean square, at which cloth counts as settled
#define HELD_OFF \
    0.002  // m, from the body: edges between points that are held, which contact
           // cannot move, would cut into what bends beneath them

enum { CLOSE_STEPS = 40, GROW_STEPS = 60, APART_STEPS = 60, HANG_STEPS = 60, POSE_STEPS = 60 };
enum { POSED_STEPS = 20, FILL_STEPS = 15, FINE_STEPS = 45, ENOUGH_FINE_STEPS = 25 };

typedef struct Layer {
    const WeftWearDef* wear;
    WeftGarment garment;  // coarse until refined; mesh.positions: where it lies
    double edge;          // m, of that mesh
    WeftFabric* fabrics;  // per panel, for that mesh; NULL: all are of one
    double* thin;         // where it is around the thin body
    int hold_count;
    WeftBodyPoint* holds;
    bool* stays;  // per hold: not only while dressing
} Layer;

typedef struct Dressing {
    const WeftDressDef* def;
    WeftAllocator allocator;
    double height;
    double* thin;   // the body
    double* now;    // the body as it is, when it grows or goes to its pose
    double* end;    // the body in its last pose
    double* shape;  // scratch for a layer that grows
    int layer_count;
    Layer* layers;
    int step_count, planned;
    WeftFindings* findings;
    WeftError* error;
} Dressing;

// Some cloths and bodies that are simulated together.
typedef struct Trial {
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    int first, count;  // layers
    double* scratch;   // 3 per vertex
} Trial;

// ---------------------------------------------------------------------------------------------
// Defaults

WeftWearDef weft_default_wear_def(void) {
    return (WeftWearDef){.edge = 0.02, .fabric = weft_default_fabric()};
}

WeftDressDef weft_default_dress_def(void) {
    return (WeftDressDef){.friction = 0.3, .step = weft_default_step_def()};
}

// ---------------------------------------------------------------------------------------------
// Trials

static void close_trial(Dressing* d, Trial* trial) {
    weft_destroy_state(trial->state);
    weft_destroy_model(trial->model);
    wf_free(&d->allocator, trial->scratch);
    *trial = (Trial){0};
}

static WeftBodyDef body_def(const Dressing* d, const double* positions, double friction) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_MESH;
    def.vertex_count = d->def->vertex_count;
    def.positions = positions;
    def.triangle_count = d->def->triangle_count;
    def.triangles = d->def->triangles;
    def.friction = friction;
    return def;
}

static WeftBodyDef layer_body(const Layer* layer) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_MESH;
    def.vertex_count = layer->garment.mesh.vertex_count;
    def.positions = layer->thin;
    def.triangle_count = layer->garment.mesh.triangle_count;
    def.triangles = layer->garment.mesh.triangles;
    def.friction = GLIDE;
    return def;
}

static WeftClothDef layer_cloth(const Layer* layer) {
    WeftClothDef def = weft_default_cloth_def();
    weft_use_mesh(&def, &layer->garment.mesh);
    def.fabric = wf_shown_fabric(&layer->wear->fabric, layer->edge);
    if (layer->fabrics) {
        def.fabrics = layer->fabrics, def.fabric_count = layer->garment.panel_count;
        def.triangle_fabric = layer->garment.panels;
    }
    def.stretch = WEFT_STRETCH_TRIANGLES;
    return def;
}

// Layers `first` to `first + count - 1` as cloth; those before them, around a thin body, as bodies.
static WeftResult open_trial(Dressing* d, int first, int count, const WeftBodyDef* body,
                             WeftContact contact, Trial* trial) {
    WeftClothDef* cloths = wf_alloc(&d->allocator, (size_t)count, sizeof *cloths);
    WeftBodyDef* bodies = wf_alloc(&d->allocator, (size_t)first + 1, sizeof *bodies);
    WeftResult result = cloths && bodies ? WEFT_OK : wf_fail_memory(d->error);
    if (result) goto done;
    for (int i = 0; i < count; i++) cloths[i] = layer_cloth(&d->layers[first + i]);
    bodies[0] = *body;
    for (int i = 0; i < first; i++) bodies[i + 1] = layer_body(&d->layers[i]);
    WeftModelDef def = weft_default_model_def();
    def.cloths = cloths, def.cloth_count = count;
    def.bodies = bodies, def.body_count = first + 1;
    def.contact = contact;
    def.step = d->def->step;
    def.step.dt = 1.0 / 60;
    def.step.budget_ms = 0;
    def.allocator = d->allocator;
    def.jobs = d->def->jobs;
    *trial = (Trial){.step = def.step, .first = first, .count = count};
    result = weft_create_model(&def, &trial->model, d->error);
    if (!result) result = weft_create_state(trial->model, &trial->state, d->error);
    if (result) goto done;
    size_t n = (size_t)weft_vertex_count(trial->model);
    trial->scratch = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    if (!trial->scratch) result = wf_fail_memory(d->error);
done:
    if (result) close_trial(d, trial);
    wf_free(&d->allocator, cloths);
    wf_free(&d->allocator, bodies);
    return result;
}

// What the garment, whose mesh has edges of that length, is made of.
static WeftResult choose_fabrics(Dressing* d, Layer* layer, double edge) {
    int count = layer->garment.panel_count;
    layer->edge = edge;
    if (!layer->wear->panel_fabrics) return WEFT_OK;
    if (!layer->fabrics)
        layer->fabrics = wf_alloc(&d->allocator, (size_t)count, sizeof *layer->fabrics);
    if (!layer->fabrics) return wf_fail_memory(d->error);
    for (int p = 0; p < count; p++)
        layer->fabrics[p] = wf_shown_fabric(&layer->wear->panel_fabrics[p], edge);
    return WEFT_OK;
}

static void weightless(Trial* trial) {
    for (int k = 0; k < 3; k++) trial->step.gravity[k] = 0;
    trial->step.air_density = 0;
}

static WeftResult tell(Dressing* d, const char* stage) {
    const WeftDressDef* def = d->def;
    double part = fmin((double)d->step_count / d->planned, 1);
    if (!def->progress || def->progress(def->progress_user, part, stage)) return WEFT_OK;
    return wf_fail(d->error, WEFT_ERROR_INPUT, "dressing was stopped");
}

// A step, after which the cloth keeps a part of its speed.
static WeftResult take_step(Dressing* d, Trial* trial, double keep, const char* stage) {
    WeftResult result = weft_step(trial->model, trial->state, &trial->step);
    if (result) {
        *d->error = *weft_state_error(trial->state);
        return result;
    }
    long n = 3L * weft_vertex_count(trial->model);
    const double* speed = weft_velocities(trial->state);
    for (long i = 0; i < n && keep < 1; i++) trial->scratch[i] = keep * speed[i];
    if (keep < 1) weft_set_velocities(trial->state, trial->scratch);
    d->step_count++;
    return tell(d, stage);
}

static void keep_positions(Dressing* d, const Trial* trial) {
    for (int i = 0; i < trial->count; i++) {
        WeftMesh* mesh = &d->layers[trial->first + i].garment.mesh;
        memcpy(mesh->positions,
               weft_positions(trial->state) + 3 * (long)weft_first_vertex(trial->model, i),
               3 * (size_t)mesh->vertex_count * sizeof(double));
    }
}

static double mean_speed(const Trial* trial) {
    long n = weft_vertex_count(trial->model);
    const double* speed = weft_velocities(trial->state);
    double sum = 0;
    for (long i = 0; i < 3 * n; i++) sum += speed[i] * speed[i];
    return sqrt(sum / (double)n);
}

static bool is_tangled(const Trial* trial) { return weft_report(trial->state)->tangles > 0; }

// ---------------------------------------------------------------------------------------------
// Close and grow

static void mix(const double* from, const double* to, double part, int count, double* out) {
    for (long i = 0; i < 3L * count; i++) out[i] = from[i] + part * (to[i] - from[i]);
}

// Body and layers between thin (0) and as they are (1).
static void grow_bodies(Dressing* d, Trial* trial, double part) {
    mix(d->thin, d->def->positions, part, d->def->vertex_count, d->now);
    weft_deform_body(trial->state, 0, d->now);
    for (int i = 0; i < trial->first; i++) {
        const WeftMesh* mesh = &d->layers[i].garment.mesh;
        mix(d->layers[i].thin, mesh->positions, part, mesh->vertex_count, d->shape);
        weft_deform_body(trial->state, i + 1, d->shape);
    }
}

static WeftResult close_and_grow(Dressing* d, int layer) {
    Trial trial;
    WeftBodyDef body = body_def(d, d->thin, GLIDE);
    WeftResult result = open_trial(d, layer, 1, &body, WEFT_CONTACT_BODIES, &trial);
    if (result) return result;
    weightless(&trial);
    for (int i = 0; i < CLOSE_STEPS && !result; i++)
        result = take_step(d, &trial, 0, "closing seams");
    for (int i = 1; i <= GROW_STEPS && !result; i++) {
        grow_bodies(d, &trial, (double)i / GROW_STEPS);
        result = take_step(d, &trial, 0.5, "putting on");
    }
    if (!result) keep_positions(d, &trial);
    close_trial(d, &trial);
    return result;
}

// What shrinks with the body for the next layer: each point by as much as the body beside it.
static WeftResult thin_layer(Dressing* d, int index) {
    Layer* layer = &d->layers[index];
    const WeftMesh* mesh = &layer->garment.mesh;
    size_t n = (size_t)mesh->vertex_count;
    WfBody body = {d->def->vertex_count, d->def->triangle_count, d->def->positions,
                   d->def->triangles};
    WeftBodyPoint* binds = wf_alloc(&d->allocator, n, sizeof *binds);
    layer->thin = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    WeftResult result = binds && layer->thin ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < n && !result; i++) binds[i].vertex = (int)i;
    if (!result) result = wf_bind_points(&d->allocator, &body, mesh->positions, (int)n, binds);
    for (size_t i = 0; i < n && !result; i++) {
        WfVec place = wf_load(mesh->positions, (int)i);
        const int* corner = body.triangles + 3 * (long)binds[i].triangle;
        for (int k = 0; k < 3; k++)
            place =
                wf_madd(place, binds[i].weights[k],
                        wf_sub(wf_load(d->thin, corner[k]), wf_load(body.positions, corner[k])));
        wf_store(layer->thin, (int)i, place);
    }
    wf_free(&d->allocator, binds);
    return result ? wf_fail_memory(d->error) : WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Holds

// What sides are for that have to stay where they are until the garment has settled, though the
// pattern says nothing of it.
static bool is_held_by_name(const char* label) {
    static const char* const words[] = {"waist", "lower_interface", "collar", "strap", NULL};
    for (int i = 0; words[i]; i++)
        if (strstr(label, words[i])) return true;
    return false;
}

// 0: not held, 1: while dressing, 2: always
static int hold_of_side(const WeftPattern* pattern, const char* label) {
    int held = 0;
    if (!label[0]) return 0;
    for (int i = 0; i < pattern->hold_count; i++) {
        const WeftHold* hold = &pattern->holds[i];
        if (strcmp(hold->label, label) != 0) continue;
        if (hold->kind == WEFT_HOLD_ALWAYS) held = 2;
        if (hold->kind == WEFT_HOLD_WHILE_DRESSING && held == 0) held = 1;
    }
    return held == 0 && pattern->hold_count == 0 && is_held_by_name(label) ? 1 : held;
}

// Per vertex of a garment, how it is held.
static void mark_holds(const Layer* layer, unsigned char* marks) {
    const WeftGarment* g = &layer->garment;
    const WeftPattern* pattern = layer->wear->pattern;
    for (int p = 0; p < g->panel_count; p++) {
        for (int s = g->first_side[p]; s < g->first_side[p + 1]; s++) {
            const char* label = pattern->panels[p].sides[s - g->first_side[p]].label;
            int held = hold_of_side(pattern, label);
            for (int i = g->side_start[s]; i < g->side_start[s + 1]; i++)
                if (held > marks[g->side_vertices[i]])
                    marks[g->side_vertices[i]] = (unsigned char)held;
        }
    }
}

static void drop_holds(Dressing* d, Layer* layer) {
    wf_free(&d->allocator, layer->holds);
    wf_free(&d->allocator, layer->stays);
    layer->holds = NULL, layer->stays = NULL;
    layer->hold_count = 0;
}

// Bind what is held to the body at `positions`.
static WeftResult bind_holds(Dressing* d, Layer* layer, const double* positions) {
    size_t n = (size_t)layer->garment.mesh.vertex_count;
    WfBody body = {d->def->vertex_count, d->def->triangle_count, positions, d->def->triangles};
    unsigned char* marks = wf_alloc(&d->allocator, n, 1);
    drop_holds(d, layer);
    layer->holds = wf_alloc(&d->allocator, n, sizeof *layer->holds);
    layer->stays = wf_alloc(&d->allocator, n, sizeof *layer->stays);
    WeftResult result = marks && layer->holds && layer->stays ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        mark_holds(layer, marks);
        for (size_t i = 0; i < n; i++) {
            if (!marks[i]) continue;
            layer->stays[layer->hold_count] = marks[i] == 2;
            layer->holds[layer->hold_count++].vertex = (int)i;
        }
        result = wf_bind_points(&d->allocator, &body, layer->garment.mesh.positions,
                                layer->hold_count, layer->holds);
    }
    for (int h = 0; h < layer->hold_count; h++)
        layer->holds[h].lift = fmax(layer->holds[h].lift, HELD_OFF);
    wf_free(&d->allocator, marks);
    return result ? wf_fail_memory(d->error) : WEFT_OK;
}

static void pin_holds(Dressing* d, Trial* trial, bool all) {
    for (int i = 0; i < trial->count; i++) {
        const Layer* layer = &d->layers[trial->first + i];
        for (int h = 0; h < layer->hold_count; h++)
            if (all || layer->stays[h])
                weft_pin(trial->state, weft_first_vertex(trial->model, i) + layer->holds[h].vertex);
    }
}

static void move_holds(Dressing* d, Trial* trial, const double* body) {
    for (int i = 0; i < trial->count; i++) {
        const Layer* layer = &d->layers[trial->first + i];
        for (int h = 0; h < layer->hold_count; h++) {
            int vertex = weft_first_vertex(trial->model, i) + layer->holds[h].vertex;
            double place[3];
            if (!weft_is_pinned(trial->state, vertex)) continue;
            weft_follow_body(&layer->holds[h], body, d->def->triangles, place);
            weft_move_pin(trial->state, vertex, place);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Join, pose, refine

// Without weight, which would press together what shall come apart.
static WeftResult bring_apart(Dressing* d, Trial* trial) {
    WeftResult result = WEFT_OK;
    weightless(trial);
    for (int i = 0; i < APART_STEPS && !result && (i == 0 || is_tangled(trial)); i++)
        result = take_step(d, trial, 0.5, "bringing apart");
    memcpy(trial->step.gravity, d->def->step.gravity, sizeof trial->step.gravity);
    trial->step.air_density = d->def->step.air_density;
    return result;
}

static WeftResult hang(Dressing* d, Trial* trial) {
    WeftResult result = bring_apart(d, trial);
    for (int i = 0; i < HANG_STEPS && !result; i++) {
        result = take_step(d, trial, 0.9, "settling");
        if (i > HANG_STEPS / 3 && mean_speed(trial) < CALM && !is_tangled(trial)) break;
    }
    return result;
}

static double smooth_part(double t) { return t * t * (3 - 2 * t); }

static WeftResult go_to_pose(Dressing* d, Trial* trial) {
    WeftResult result = WEFT_OK;
    if (!d->def->pose) return WEFT_OK;
    for (int i = 1; i <= POSE_STEPS && !result; i++) {
        d->def->pose(d->def->pose_user, smooth_part((double)i / POSE_STEPS), d->now);
        weft_deform_body(trial->state, 0, d->now);
        move_holds(d, trial, d->now);
        result = take_step(d, trial, 0.95, "taking the pose");
    }
    for (int i = 0; i < POSED_STEPS && !result; i++)
        result = take_step(d, trial, 0.9, "taking the pose");
    memcpy(d->end, d->now, 3 * (size_t)d->def->vertex_count * sizeof(double));
    return result;
}

// All layers up to `last`, on the body.
static WeftResult join_layers(Dressing* d, int last) {
    Trial trial;
    WeftBodyDef body = body_def(d, d->def->positions, d->def->friction);
    WeftResult result = bind_holds(d, &d->layers[last], d->def->positions);
    if (!result) result = open_trial(d, 0, last + 1, &body, WEFT_CONTACT_ALL, &trial);
    if (result) return result;
    pin_holds(d, &trial, true);
    result = hang(d, &trial);
    if (!result && last == d->layer_count - 1) result = go_to_pose(d, &trial);
    if (!result) keep_positions(d, &trial);
    close_trial(d, &trial);
    return result;
}

static WeftResult sew_finely(Dressing* d, Layer* layer) {
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
    weft_destroy_garment(&layer->garment);
    layer->garment = fine;
    result = choose_fabrics(d, layer, layer->wear->edge);
    return result ? result : bind_holds(d, layer, d->end);
}

// Where cloth is still crossed, named by a panel.
static WeftResult fail_crossed(Dressing* d, const Trial* trial) {
    return wf_fail(
        d->error, WEFT_ERROR_INPUT,
        "the garment%s could not be put on: %d places still cross each other or the body",
        trial->count > 1 ? "s" : "", weft_report(trial->state)->tangles);
}

// The body at `from`, smaller all around.
static void draw_in(const WeftDressDef* def, const double* from, double* normals, double* to) {
    wf_find_normals(def->vertex_count, from, def->triangle_count, def->triangles, normals);
    for (int i = 0; i < def->vertex_count; i++)
        wf_store(to, i, wf_madd(wf_load(from, i), -GIVE, wf_load(normals, i)));
}

static WeftResult refine(Dressing* d) {
    Trial trial;
    double* small = d->thin;  // which is not needed any more
    draw_in(d->def, d->end, d->now, small);
    WeftBodyDef body = body_def(d, small, d->def->friction);
    WeftResult result = WEFT_OK;
    for (int i = 0; i < d->layer_count && !result; i++) result = sew_finely(d, &d->layers[i]);
    if (!result) result = open_trial(d, 0, d->layer_count, &body, WEFT_CONTACT_ALL, &trial);
    if (result) return result;
    pin_holds(d, &trial, false);
    for (int i = 1; i <= FILL_STEPS && !result; i++) {
        mix(small, d->end, (double)i / FILL_STEPS, d->def->vertex_count, d->now);
        weft_deform_body(trial.state, 0, d->now);
        result = take_step(d, &trial, 0.5, "refining");
    }
    if (!result) result = bring_apart(d, &trial);  // folds that the coarse mesh did not have
    for (int i = 0; i < FINE_STEPS && !result; i++) {
        result = take_step(d, &trial, 0.9, "refining");
        if (i >= ENOUGH_FINE_STEPS && mean_speed(&trial) < CALM && !is_tangled(&trial)) break;
    }
    if (!result && is_tangled(&trial)) result = fail_crossed(d, &trial);
    if (!result) keep_positions(d, &trial);
    close_trial(d, &trial);
    return result;
}

// ---------------------------------------------------------------------------------------------
// What came of it

#define SEAM_SLACK 1.1    // a seam is closed where edges beside it are no longer than this,
#define CLOTH_SLACK 1.05  // or than this times what the cloth is stretched by anyway

static double edge_ratio(const WeftMesh* mesh, long triangle, int k, double* rest) {
    long c = 3 * triangle;
    int a = mesh->triangles[c + k], b = mesh->triangles[c + (k + 1) % 3];
    const double* p = mesh->material + 2 * (long)mesh->triangle_material[c + k];
    const double* q = mesh->material + 2 * (long)mesh->triangle_material[c + (k + 1) % 3];
    *rest = wf_flat_length(p[0] - q[0], p[1] - q[1]);
    return wf_length(wf_sub(wf_load(mesh->positions, a), wf_load(mesh->positions, b))) / *rest;
}

// The ratio that all but one edge in a hundred keep, by counting into bins.
static double high_stretch(const WeftMesh* mesh) {
    enum { BINS = 1000 };
    int bins[BINS] = {0}, over = 0, b = BINS - 1;
    double rest;
    for (long t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            bins[(int)fmin(500 * edge_ratio(mesh, t, k, &rest), BINS - 1)]++;
    while (b > 0 && over + bins[b] <= 3 * mesh->triangle_count / 100) over += bins[b--];
    return (b + 1) / 500.0;
}

static WeftResult measure_seams(Dressing* d, const WeftGarment* g, double stretch, double* gaps) {
    double slack = fmax(SEAM_SLACK, CLOTH_SLACK * stretch);
    double* excess = wf_alloc(&d->allocator, (size_t)g->mesh.vertex_count, sizeof *excess);
    if (!excess) return wf_fail_memory(d->error);
    for (long t = 0; t < g->mesh.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            double rest, ratio = edge_ratio(&g->mesh, t, k, &rest);
            for (int i = k; i < k + 2; i++) {
                double* at = &excess[g->mesh.triangles[3 * t + i % 3]];
                *at = fmax(*at, (ratio - slack) * rest);
            }
        }
    }
    for (int s = 0; s < g->seam_count; s++)
        for (int i = g->seam_start[s]; i < g->seam_start[s + 1]; i++)
            gaps[s] = fmax(gaps[s], excess[g->seam_vertices[i]]);
    wf_free(&d->allocator, excess);
    return WEFT_OK;
}

static WeftResult hand_over(Dressing* d, Layer* layer, WeftWorn* worn) {
    worn->seam_gap =
        wf_alloc(&d->allocator, (size_t)layer->garment.seam_count, sizeof *worn->seam_gap);
    if (!worn->seam_gap) return wf_fail_memory(d->error);
    worn->stretch = high_stretch(&layer->garment.mesh);
    WeftResult result = measure_seams(d, &layer->garment, worn->stretch, worn->seam_gap);
    if (result) return result;
    for (int h = 0; h < layer->hold_count; h++)
        if (layer->stays[h]) layer->holds[worn->hold_count++] = layer->holds[h];
    worn->holds = layer->holds;
    worn->garment = layer->garment;
    layer->holds = NULL;
    layer->garment = (WeftGarment){0};
    return WEFT_OK;
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

static WeftResult prepare(Dressing* d) {
    const WeftDressDef* def = d->def;
    size_t n = 3 * (size_t)def->vertex_count;
    double span[2];
    vertical_span(def->positions, def->vertex_count, span);
    d->height = span[1] - span[0];
    d->thin = wf_alloc(&d->allocator, n, sizeof(double));
    d->now = wf_alloc(&d->allocator, n, sizeof(double));
    d->end = wf_alloc(&d->allocator, n, sizeof(double));
    d->layers = wf_alloc(&d->allocator, (size_t)def->wear_count, sizeof *d->layers);
    if (!d->thin || !d->now || !d->end || !d->layers) return wf_fail_memory(d->error);
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
static WeftResult find_origin(Dressing* d, Layer* layer) {
    WeftMesh* mesh = &layer->garment.mesh;
    double body[2], span[2];
    vertical_span(d->def->positions, d->def->vertex_count, body);
    vertical_span(mesh->positions, mesh->vertex_count, span);
    double room = DEEP * d->height, lift = body[0] + ORIGIN * d->height;
    if (span[0] > body[0] - room && span[1] < body[1] + room) return WEFT_OK;
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

static WeftResult sew_coarsely(Dressing* d) {
    WeftResult result = WEFT_OK;
    int most = 1;
    for (int i = 0; i < d->layer_count && !result; i++) {
        Layer* layer = &d->layers[i];
        layer->wear = &d->def->wear[i];
        double edge = fmax(layer->wear->edge, COARSE_EDGE * d->height);
        result = weft_sew_pattern(layer->wear->pattern, edge, &d->allocator, &layer->garment,
                                  d->findings, d->error);
        if (!result) result = choose_fabrics(d, layer, edge);
        if (!result) result = find_origin(d, layer);
        if (!result && layer->garment.mesh.vertex_count > most)
            most = layer->garment.mesh.vertex_count;
    }
    if (result) return result;
    d->shape = wf_alloc(&d->allocator, 3 * (size_t)most, sizeof(double));
    return d->shape ? WEFT_OK : wf_fail_memory(d->error);
}

static void clear(Dressing* d) {
    for (int i = 0; i < d->layer_count; i++) {
        Layer* layer = &d->layers[i];
        drop_holds(d, layer);
        wf_free(&d->allocator, layer->thin);
        wf_free(&d->allocator, layer->fabrics);
        weft_destroy_garment(&layer->garment);
    }
    wf_free(&d->allocator, d->layers);
    wf_free(&d->allocator, d->thin);
    wf_free(&d->allocator, d->now);
    wf_free(&d->allocator, d->end);
    wf_free(&d->allocator, d->shape);
}

static WeftResult put_on(Dressing* d) {
    WeftResult result = sew_coarsely(d);
    for (int i = 0; i < d->layer_count && !result; i++) {
        result = close_and_grow(d, i);
        if (!result) result = join_layers(d, i);
        // what is inside has moved when the next layer was joined
        for (int k = 0; k <= i && !result && i + 1 < d->layer_count; k++) {
            wf_free(&d->allocator, d->layers[k].thin);
            d->layers[k].thin = NULL;
            result = thin_layer(d, k);
        }
    }
    if (!result) result = refine(d);
    return result;
}

WeftResult weft_dress(const WeftDressDef* def, WeftOutfit* outfit, WeftError* error) {
    WeftError unheard;
    *outfit = (WeftOutfit){.allocator = wf_allocator(&def->allocator)};
    outfit->findings.allocator = outfit->allocator;
    Dressing d = {.def = def,
                  .allocator = outfit->allocator,
                  .findings = &outfit->findings,
                  .error = error ? error : &unheard};
    if (def->wear_count < 1) return wf_fail(error, WEFT_ERROR_INPUT, "there is nothing to wear");
    WeftResult result = prepare(&d);
    if (!result) result = put_on(&d);
    if (!result) {
        outfit->worn = wf_alloc(&d.allocator, (size_t)d.layer_count, sizeof *outfit->worn);
        if (!outfit->worn) result = wf_fail_memory(error);
    }
    for (int i = 0; i < d.layer_count && !result; i++) {
        outfit->worn_count = i + 1;
        result = hand_over(&d, &d.layers[i], &outfit->worn[i]);
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
