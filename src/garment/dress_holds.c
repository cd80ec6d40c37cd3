// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/dress.h"
#include "garment/hold.h"

#define HELD_OFF 0.001  // m, from the body; and as far as chords of the mesh cut into what bends
#define SHARPEST 0.031  // with this radius, m: contact cannot move edges between what is held
#define TIGHT 1.03      // a held edge, over its length: it draws nearer
#define NEARER 0.9      // per step

double wf_least_lift(const WfDressing* d, const WfLayer* layer) {
    double sagitta = layer->edge * layer->edge / (8 * SHARPEST);
    return HELD_OFF + sagitta + WF_BETWEEN * (double)(layer - d->layers);
}

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
static void mark_holds(const WfLayer* layer, unsigned char* marks) {
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
    for (int i = 0; i < g->mesh.vertex_count && layer->pressed; i++)
        if (layer->pressed[i] && marks[i] == 0) marks[i] = 1;
}

void wf_drop_holds(WfDressing* d, WfLayer* layer) {
    wf_free(&d->allocator, layer->holds);
    wf_free(&d->allocator, layer->stays);
    wf_free(&d->allocator, layer->hold_of);
    layer->holds = NULL, layer->stays = NULL, layer->hold_of = NULL;
    layer->hold_count = 0;
}

WeftResult wf_bind_holds(WfDressing* d, WfLayer* layer, const double* positions) {
    size_t n = (size_t)layer->garment.mesh.vertex_count;
    WfBody body = {d->def->vertex_count, d->def->triangle_count, positions, d->def->triangles};
    unsigned char* marks = wf_alloc(&d->allocator, n, 1);
    wf_drop_holds(d, layer);
    layer->holds = wf_alloc(&d->allocator, n, sizeof *layer->holds);
    layer->stays = wf_alloc(&d->allocator, n, sizeof *layer->stays);
    layer->hold_of = wf_alloc(&d->allocator, n, sizeof *layer->hold_of);
    bool room = marks && layer->holds && layer->stays && layer->hold_of;
    WeftResult result = room ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        mark_holds(layer, marks);
        for (size_t i = 0; i < n; i++) {
            layer->hold_of[i] = marks[i] ? layer->hold_count : -1;
            if (!marks[i]) continue;
            layer->stays[layer->hold_count] = marks[i] == 2;
            layer->holds[layer->hold_count++].vertex = (int)i;
        }
        result = wf_bind_points(&d->allocator, &body, layer->garment.mesh.positions, NULL,
                                layer->hold_count, layer->holds);
    }
    double least = wf_least_lift(d, layer);
    for (int h = 0; h < layer->hold_count; h++) {
        bool pressed = layer->pressed && layer->pressed[layer->holds[h].vertex];
        layer->holds[h].lift = pressed ? least : fmax(layer->holds[h].lift, least);
    }
    wf_free(&d->allocator, marks);
    return result ? wf_fail_memory(d->error) : WEFT_OK;
}

void wf_pin_holds(WfDressing* d, WfTrial* trial, bool all) {
    for (int i = 0; i < trial->count; i++) {
        const WfLayer* layer = &d->layers[trial->first + i];
        for (int h = 0; h < layer->hold_count; h++)
            if (all || layer->stays[h])
                weft_pin(trial->state, weft_first_vertex(trial->model, i) + layer->holds[h].vertex);
    }
}

void wf_release_crossed(WfDressing* d, WfTrial* trial) {
    for (int i = 0; i < trial->count; i++) {
        const WfLayer* layer = &d->layers[trial->first + i];
        for (int h = 0; h < layer->hold_count && layer->pressed; h++) {
            int vertex = layer->holds[h].vertex,
                of_all = weft_first_vertex(trial->model, i) + vertex;
            if (!layer->stays[h] && layer->pressed[vertex] && wf_is_crossed(trial, of_all))
                weft_unpin(trial->state, of_all);
        }
    }
}

void wf_move_holds(WfDressing* d, WfTrial* trial, const double* body) {
    for (int i = 0; i < trial->count; i++) {
        const WfLayer* layer = &d->layers[trial->first + i];
        for (int h = 0; h < layer->hold_count; h++) {
            int vertex = weft_first_vertex(trial->model, i) + layer->holds[h].vertex;
            double place[3];
            if (!weft_is_pinned(trial->state, vertex)) continue;
            weft_follow_body(&layer->holds[h], body, d->def->triangles, place);
            weft_move_pin(trial->state, vertex, place);
        }
    }
}

static void draw_tight_holds(const WfDressing* d, WfLayer* layer, const double* x) {
    const WeftMesh* mesh = &layer->garment.mesh;
    double least = wf_least_lift(d, layer);
    for (long t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int a = layer->hold_of[mesh->triangles[3 * t + k]];
            int b = layer->hold_of[mesh->triangles[3 * t + (k + 1) % 3]];
            if (a < 0 || b < 0 || wf_edge_ratio(mesh, x, t, k) < TIGHT) continue;
            WeftBodyPoint* far = &layer->holds[layer->holds[a].lift > layer->holds[b].lift ? a : b];
            far->lift = fmax(least, NEARER * far->lift);
        }
    }
}

void wf_draw_holds(WfDressing* d, WfTrial* trial, const double* body) {
    for (int i = 1; i < trial->count; i++)  // below the first there is none
        draw_tight_holds(
            d, &d->layers[trial->first + i],
            weft_positions(trial->state) + 3 * (long)weft_first_vertex(trial->model, i));
    wf_move_holds(d, trial, body);
}
