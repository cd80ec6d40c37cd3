// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "garment/dress.h"
#include "garment/even_halves.h"
#include "garment/pattern.h"

void wf_close_trial(WfDressing* d, WfTrial* trial) {
    weft_destroy_state(trial->state);
    weft_destroy_model(trial->model);
    wf_free(&d->allocator, trial->scratch);
    *trial = (WfTrial){0};
}

static WeftBodyDef mesh_body(int vertex_count, const double* positions, int triangle_count,
                             const int* triangles, double friction) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_MESH;
    def.vertex_count = vertex_count;
    def.positions = positions;
    def.triangle_count = triangle_count;
    def.triangles = triangles;
    def.friction = friction;
    return def;
}

WeftBodyDef wf_dressed_body(const WfDressing* d, const double* positions, double friction) {
    const WeftDressDef* def = d->def;
    return mesh_body(def->vertex_count, positions, def->triangle_count, def->triangles, friction);
}

static WeftBodyDef layer_body(const WfLayer* layer) {
    const WeftMesh* mesh = &layer->garment.mesh;
    return mesh_body(mesh->vertex_count, layer->thin, mesh->triangle_count, mesh->triangles,
                     WF_GLIDE);
}

static WeftBodyDef floor_body(const WfDressing* d) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_PLANE;
    def.position[1] = d->floor - d->depth;
    return def;
}

static WeftClothDef layer_cloth(const WfLayer* layer) {
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

WeftResult wf_open_trial(WfDressing* d, int first, int count, const WeftBodyDef* body,
                         WeftContact contact, WfTrial* trial) {
    *trial = (WfTrial){0};
    WeftClothDef* cloths = wf_alloc(&d->allocator, (size_t)count, sizeof *cloths);
    WeftBodyDef* bodies = wf_alloc(&d->allocator, (size_t)first + 2, sizeof *bodies);
    WeftResult result = cloths && bodies ? WEFT_OK : wf_fail_memory(d->error);
    if (result) goto done;
    for (int i = 0; i < count && !result; i++) {
        WfLayer* layer = &d->layers[first + i];
        if (wf_is_halved(d) && wf_even_halves(layer->wear->pattern, &layer->garment))
            result = wf_fail_memory(d->error);
        cloths[i] = layer_cloth(layer);
    }
    if (result) goto done;
    bodies[0] = *body;
    for (int i = 0; i < first; i++) bodies[i + 1] = layer_body(&d->layers[i]);
    WeftModelDef def = weft_default_model_def();
    def.cloths = cloths, def.cloth_count = count;
    def.bodies = bodies, def.body_count = first + 1;
    if (contact == WEFT_CONTACT_ALL && d->floor > -HUGE_VAL)
        bodies[def.body_count++] = floor_body(d);
    def.contact = contact;
    def.mirror = d->def->mirror;
    def.step = d->def->step;
    def.step.dt = 1.0 / 60;
    def.step.budget_ms = 0;
    def.allocator = d->allocator;
    def.jobs = d->def->jobs;
    *trial = (WfTrial){.step = def.step, .first = first, .count = count};
    result = weft_create_model(&def, &trial->model, d->error);
    if (!result) result = weft_create_state(trial->model, &trial->state, d->error);
    if (result) goto done;
    size_t n = (size_t)weft_vertex_count(trial->model);
    trial->scratch = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    if (!trial->scratch) result = wf_fail_memory(d->error);
done:
    if (result) wf_close_trial(d, trial);
    wf_free(&d->allocator, cloths);
    wf_free(&d->allocator, bodies);
    return result;
}

WeftResult wf_choose_fabrics(WfDressing* d, WfLayer* layer, double edge) {
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

void wf_make_weightless(WfTrial* trial) {
    for (int k = 0; k < 3; k++) trial->step.gravity[k] = 0;
    trial->step.air_density = 0;
}

WeftResult wf_tell_progress(WfDressing* d, const char* stage) {
    const WeftDressDef* def = d->def;
    double part = fmin((double)d->step_count / d->planned, 1);
    if (!def->progress || def->progress(def->progress_user, part, stage)) return WEFT_OK;
    return wf_fail(d->error, WEFT_ERROR_INPUT, "dressing was stopped");
}

WeftResult wf_take_trial_step(WfDressing* d, WfTrial* trial, double keep, const char* stage) {
    WeftResult result = weft_step(trial->state, &trial->step);
    if (result) {
        *d->error = *weft_state_error(trial->state);
        return result;
    }
    long n = 3L * weft_vertex_count(trial->model);
    const double* speed = weft_velocities(trial->state);
    for (long i = 0; i < n && keep < 1; i++) trial->scratch[i] = keep * speed[i];
    if (keep < 1) weft_set_velocities(trial->state, trial->scratch);
    d->step_count++;
    return wf_tell_progress(d, stage);
}

void wf_keep_trial(WfDressing* d, const WfTrial* trial) {
    for (int i = 0; i < trial->count; i++) {
        WeftMesh* mesh = &d->layers[trial->first + i].garment.mesh;
        memcpy(mesh->positions,
               weft_positions(trial->state) + 3 * (long)weft_first_vertex(trial->model, i),
               3 * (size_t)mesh->vertex_count * sizeof(double));
        wf_assert(!wf_is_halved(d) || wf_are_halves_even(mesh));
    }
}

double wf_trial_speed(const WfTrial* trial) {
    long n = weft_vertex_count(trial->model);
    const double* speed = weft_velocities(trial->state);
    double sum = 0;
    for (long i = 0; i < 3 * n; i++) sum += speed[i] * speed[i];
    return sqrt(sum / (double)n);
}

bool wf_trial_crosses(const WfTrial* trial) { return weft_report(trial->state)->tangles > 0; }
