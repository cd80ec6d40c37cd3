// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Layers below the one that is put on. They shrink with the body and grow with it, as bodies do.
// Every vertex has a foot, a point of the body that it lies over, and goes from where it is pressed
// there to where it lies:
//
//     x = foot + (1 - open) lift n + open off      n     the normal of the body at the foot
//                                                  off   from the foot to where it lies
//     lift ^           .  .  . 2 CLOSE             open  per vertex of the body, 0 to 1
//          |      .
//    CLOSE |   /
//          | /
//          +---------------> how far from the body it lies
//
// All of them lie on the thin body at first, whatever their width, so that the new layer begins
// outside. They open with the growth of the body, but only as far as the new layer lets them: where
// it is tight they are pressed to the body again, and a robe is gathered under its belt. What is
// pressed there is smooth, and is held so until the mesh becomes fine: folds of the coarse mesh
// under a belt would cross it as a finer one.
//
// Feet are the nearest points of the body that face as the layer does: the side of a wide shirt
// belongs to the trunk, though the arm is nearer. Where it stands off they are evened out over the
// layer, so that what folds does not when it is pressed.
//
// Tried and dropped: layers that keep their distance from the body as it shrinks, which for wide
// ones is beyond where a belt starts; and those that open in any case, which stretches the belt to
// twice its length, and lets it slide.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/dress.h"
#include "garment/hold.h"
#include "mesh/normals.h"

#define CLOSE 0.005   // m, from the body: cloth is pressed that lies further off,
#define WIDE 0.02     // and counts as standing off where it lies this far
#define TIGHT 1.03    // edges of the new layer, over their length: what is below gives way,
#define BESIDE 0.03   // m, up to this far from them
#define SPREAD 0.12   // m, on the body, within which what is pressed becomes open
#define PACE 2        // times as fast as the body grows, what is below opens and is pressed
#define PRESSED 0.25  // open, up to which it is held
enum { SMOOTHINGS = 3, EVENINGS = 6 };

static WfBody body_at(const WfDressing* d, const double* positions) {
    const WeftDressDef* def = d->def;
    return (WfBody){def->vertex_count, def->triangle_count, positions, def->triangles};
}

// ---------------------------------------------------------------------------------------------
// Feet

typedef struct Scratch {
    double* facing;  // 3 per vertex, as hold.h has it
    double* means;   // 3 per vertex
    double* far;     // per vertex: m, from the body
    int* counts;     // per vertex
} Scratch;

// Per vertex the mean of 3 numbers over the corners of the triangles around it.
static void average(const WeftMesh* mesh, const double* from, const Scratch* s) {
    size_t n = (size_t)mesh->vertex_count;
    memset(s->means, 0, 3 * n * sizeof *s->means);
    memset(s->counts, 0, n * sizeof *s->counts);
    for (long t = 0; t < mesh->triangle_count; t++) {
        const int* v = mesh->triangles + 3 * t;
        WfVec sum = wf_add(wf_load(from, v[0]), wf_add(wf_load(from, v[1]), wf_load(from, v[2])));
        for (int k = 0; k < 3; k++) wf_accumulate(s->means, v[k], 1.0 / 3, sum), s->counts[v[k]]++;
    }
    for (size_t i = 0; i < n; i++)
        if (s->counts[i] > 0)
            wf_store(s->means, (int)i, wf_mul(1.0 / s->counts[i], wf_load(s->means, (int)i)));
}

// Which way the layer faces on the whole, not in each fold.
static void find_facing(const WeftMesh* mesh, const Scratch* s) {
    wf_find_normals(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles,
                    s->facing);
    for (int round = 0; round < SMOOTHINGS; round++) {
        average(mesh, s->facing, s);
        for (int i = 0; i < mesh->vertex_count; i++)
            wf_store(s->facing, i, wf_unit(wf_load(s->means, i)));
    }
}

// To the nearest points of the body. `off` becomes these.
static bool bind_layer(WfDressing* d, WfLayer* layer, const double* positions,
                       const double* facing) {
    WfBody body = body_at(d, d->def->positions);
    int n = layer->garment.mesh.vertex_count;
    for (int i = 0; i < n; i++) layer->feet[i].vertex = i;
    if (wf_bind_points(&d->allocator, &body, positions, facing, n, layer->feet)) return false;
    for (int i = 0; i < n; i++) wf_store(layer->off, i, wf_bound_point(&body, &layer->feet[i]));
    return true;
}

// Garments that were drawn inside out face inwards.
static void face_outwards(const WfLayer* layer, const Scratch* s) {
    const WeftMesh* mesh = &layer->garment.mesh;
    double outwards = 0;
    for (int i = 0; i < mesh->vertex_count; i++)
        outwards += wf_dot(wf_load(s->facing, i),
                           wf_sub(wf_load(mesh->positions, i), wf_load(layer->off, i)));
    for (long i = 0; i < 3L * mesh->vertex_count && outwards < 0; i++) s->facing[i] *= -1;
}

static bool even_out(WfDressing* d, WfLayer* layer, const Scratch* s) {
    const WeftMesh* mesh = &layer->garment.mesh;
    average(mesh, layer->off, s);
    for (int i = 0; i < mesh->vertex_count; i++) {
        double part = fmin(fmax((s->far[i] - CLOSE) / (WIDE - CLOSE), 0), 1);
        WfVec foot = wf_load(layer->off, i), way = wf_sub(wf_load(s->means, i), foot);
        wf_store(s->means, i, wf_madd(foot, part, way));
    }
    return bind_layer(d, layer, s->means, NULL);
}

static bool find_feet(WfDressing* d, WfLayer* layer, const Scratch* s) {
    const WeftMesh* mesh = &layer->garment.mesh;
    find_facing(mesh, s);
    if (!bind_layer(d, layer, mesh->positions, NULL)) return false;
    face_outwards(layer, s);
    if (!bind_layer(d, layer, mesh->positions, s->facing)) return false;
    for (int i = 0; i < mesh->vertex_count; i++) s->far[i] = layer->feet[i].lift;
    for (int round = 0; round < EVENINGS; round++)
        if (!even_out(d, layer, s)) return false;
    return true;
}

// How far from the body it is pressed.
static double pressed_lift(double far, double least) {
    return fmax(far > CLOSE ? CLOSE + CLOSE * (far - CLOSE) / far : far, least);
}

static WeftResult bind_below(WfDressing* d, WfLayer* layer) {
    const WeftMesh* mesh = &layer->garment.mesh;
    size_t n = (size_t)mesh->vertex_count;
    if (!layer->feet) layer->feet = wf_alloc(&d->allocator, n, sizeof *layer->feet);
    if (!layer->off) layer->off = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    if (!layer->thin) layer->thin = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    if (!layer->pressed) layer->pressed = wf_alloc(&d->allocator, n, sizeof(bool));
    Scratch s = {layer->thin, wf_alloc(&d->allocator, 3 * n, sizeof(double)),
                 wf_alloc(&d->allocator, n, sizeof(double)),
                 wf_alloc(&d->allocator, n, sizeof(int))};
    bool good = layer->feet && layer->off && layer->thin && layer->pressed && s.means && s.far &&
                s.counts && find_feet(d, layer, &s);
    for (int i = 0; i < (int)n && good; i++) {
        layer->feet[i].lift = pressed_lift(s.far[i], wf_least_lift(d, layer));
        wf_store(layer->off, i, wf_sub(wf_load(mesh->positions, i), wf_load(layer->off, i)));
    }
    wf_free(&d->allocator, s.means);
    wf_free(&d->allocator, s.far);
    wf_free(&d->allocator, s.counts);
    return good ? WEFT_OK : wf_fail_memory(d->error);
}

void wf_drop_below(WfDressing* d, WfLayer* layer) {
    wf_free(&d->allocator, layer->feet);
    wf_free(&d->allocator, layer->off);
    wf_free(&d->allocator, layer->thin);
    wf_free(&d->allocator, layer->pressed);
    layer->feet = NULL, layer->off = NULL, layer->thin = NULL, layer->pressed = NULL;
}

// ---------------------------------------------------------------------------------------------
// Places

static double open_at(const WfDressing* d, const WeftBodyPoint* foot) {
    const int* corner = d->def->triangles + 3 * (long)foot->triangle;
    double open = 0;
    for (int k = 0; k < 3; k++) open += foot->weights[k] * d->open[corner[k]];
    return open;
}

void wf_place_below(const WfDressing* d, const WfLayer* layer, const double* positions,
                    double* out) {
    WfBody body = body_at(d, positions), normals = body_at(d, d->normals);
    wf_find_normals(body.vertex_count, positions, body.triangle_count, body.triangles, d->normals);
    for (int i = 0; i < layer->garment.mesh.vertex_count; i++) {
        const WeftBodyPoint* foot = &layer->feet[i];
        double open = open_at(d, foot);
        WfVec normal = wf_unit(wf_bound_point(&normals, foot));
        WfVec place = wf_madd(wf_bound_point(&body, foot), (1 - open) * foot->lift, normal);
        wf_store(out, i, wf_madd(place, open, wf_load(layer->off, i)));
    }
}

WeftResult wf_thin_below(WfDressing* d, int count) {
    WeftResult result = WEFT_OK;
    memset(d->open, 0, (size_t)d->def->vertex_count * sizeof *d->open);
    for (int i = 0; i < count && !result; i++) {
        WfLayer* layer = &d->layers[i];
        result = bind_below(d, layer);
        if (!result) wf_place_below(d, layer, d->thin, layer->thin);
    }
    return result;
}

void wf_settle_below(WfDressing* d, int count) {
    for (int i = 0; i < count; i++) {
        WfLayer* layer = &d->layers[i];
        wf_place_below(d, layer, d->def->positions, layer->garment.mesh.positions);
        for (int v = 0; v < layer->garment.mesh.vertex_count; v++)
            if (wf_length(wf_load(layer->off, v)) > WIDE && open_at(d, &layer->feet[v]) < PRESSED)
                layer->pressed[v] = true;
    }
}

// ---------------------------------------------------------------------------------------------
// Opening

// The corners of edges that are stretched. Returns how many.
static int list_tight(const WeftMesh* mesh, const double* x, bool* seen, int* tight) {
    int count = 0;
    for (long t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            if (wf_edge_ratio(mesh, x, t, k) < TIGHT) continue;
            for (int end = 0; end < 2; end++) {
                int v = mesh->triangles[3 * t + (k + end) % 3];
                if (!seen[v]) tight[count++] = v;
                seen[v] = true;
            }
        }
    }
    return count;
}

static bool is_beside(WfVec p, const double* x, const int* tight, int count) {
    for (int i = 0; i < count; i++) {
        WfVec way = wf_sub(p, wf_load(x, tight[i]));
        if (wf_dot(way, way) < BESIDE * BESIDE) return true;
    }
    return false;
}

// Marks what of the body lies below a layer, and that below tight vertices of cloth at x.
static void mark_pressed(WfDressing* d, const WfLayer* layer, const double* x, const int* tight,
                         int count, bool* pressed) {
    wf_place_below(d, layer, d->now, d->shape);
    for (int i = 0; i < layer->garment.mesh.vertex_count; i++) {
        const int* corner = d->def->triangles + 3 * (long)layer->feet[i].triangle;
        if (!is_beside(wf_load(d->shape, i), x, tight, count)) continue;
        for (int k = 0; k < 3; k++) pressed[corner[k]] = true;
    }
}

// So that what is open does not begin right beside what is pressed.
static void spread_pressed(const WeftDressDef* def, double* open) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (long c = 0; c < 3L * def->triangle_count; c++) {
            int a = def->triangles[c], b = def->triangles[c % 3 < 2 ? c + 1 : c - 2];
            WfVec way = wf_sub(wf_load(def->positions, a), wf_load(def->positions, b));
            double most = open[b] + wf_length(way) / SPREAD;
            changed = changed || open[a] > most;
            open[a] = fmin(open[a], most);
        }
    }
}

WeftResult wf_open_below(WfDressing* d, const WfTrial* trial, double part, double step) {
    const WeftMesh* mesh = &d->layers[trial->first].garment.mesh;
    const double* x = weft_positions(trial->state);
    size_t n = (size_t)mesh->vertex_count, body = (size_t)d->def->vertex_count;
    if (trial->first == 0) return WEFT_OK;
    bool* seen = wf_alloc(&d->allocator, n, sizeof *seen);
    int* tight = wf_alloc(&d->allocator, n, sizeof *tight);
    bool* pressed = wf_alloc(&d->allocator, body, sizeof *pressed);
    WeftResult result = seen && tight && pressed ? WEFT_OK : wf_fail_memory(d->error);
    int count = result ? 0 : list_tight(mesh, x, seen, tight);
    for (int i = 0; i < trial->first && !result; i++)
        mark_pressed(d, &d->layers[i], x, tight, count, pressed);
    for (size_t i = 0; i < body && !result; i++)
        d->open[i] =
            pressed[i] ? fmax(d->open[i] - PACE * step, 0) : fmin(d->open[i] + PACE * step, part);
    if (!result) spread_pressed(d->def, d->open);
    wf_free(&d->allocator, seen);
    wf_free(&d->allocator, tight);
    wf_free(&d->allocator, pressed);
    return result;
}
