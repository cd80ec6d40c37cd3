// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Layers below the one that is put on. They shrink with the body and grow with it, as bodies do.
// How far each of their points stands off the point of the body that it lies over is
//
//     l (open + (1 - open) close(l) / l)      l      as it lies
//                                             open   per vertex of the body, 0 to 1
//
//     close(l)  ^          .  .  . 2 CLOSE
//               |      .
//         CLOSE |   /
//               | /
//               +---------------> l
//
// so that all of them lie on the thin body at first, whatever their width, and the new layer begins
// outside. Both are monotonous: what lies further out stays further out, in folds and of layers.
// Then they open with the growth of the body, but only as far as the new layer lets them: where it
// is tight they are pressed to the body again, and a robe is gathered under its belt.
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

#define CLOSE 0.005  // m, from the body, up to which cloth is not pressed
#define TIGHT 1.03   // edges of the new layer, over their length: what is below gives way,
#define NEAR 0.03    // m, up to this far from them
#define SPREAD 0.12  // m, on the body, within which what is pressed becomes open
#define PACE 2       // times as fast as the body grows, what is below opens and is pressed
enum { SMOOTHINGS = 3, EVENINGS = 6 };
#define PRESSED 0.5

static WfBody body_at(const WfDressing* d, const double* positions) {
    const WeftDressDef* def = d->def;
    return (WfBody){def->vertex_count, def->triangle_count, positions, def->triangles};
}

// Per vertex the mean of 3 numbers over the corners of the triangles around it.
static void average(const WeftMesh* mesh, const double* from, int* counts, double* to) {
    size_t n = (size_t)mesh->vertex_count;
    memset(to, 0, 3 * n * sizeof *to);
    memset(counts, 0, n * sizeof *counts);
    for (long t = 0; t < mesh->triangle_count; t++) {
        const int* v = mesh->triangles + 3 * t;
        WfVec sum = wf_add(wf_load(from, v[0]), wf_add(wf_load(from, v[1]), wf_load(from, v[2])));
        for (int k = 0; k < 3; k++) wf_accumulate(to, v[k], 1, sum), counts[v[k]] += 3;
    }
    for (size_t i = 0; i < n; i++)
        if (counts[i] > 0) wf_store(to, (int)i, wf_mul(1.0 / counts[i], wf_load(to, (int)i)));
}

// How far from the body a point lies that was l away from it.
static double press_distance(double l, double open) {
    double close = l > CLOSE ? CLOSE + CLOSE * (l - CLOSE) / l : l;
    return open * l + (1 - open) * close;
}

static double find_open(const WfDressing* d, const WeftBodyPoint* rest) {
    const int* corner = d->def->triangles + 3 * (long)rest->triangle;
    double open = 0;
    for (int k = 0; k < 3; k++) open += rest->weights[k] * d->open[corner[k]];
    return open;
}

void wf_place_below(const WfDressing* d, const WfLayer* layer, const double* positions,
                    double* out) {
    WfBody body = body_at(d, positions);
    for (int i = 0; i < layer->garment.mesh.vertex_count; i++) {
        const WeftBodyPoint* rest = &layer->rests[i];
        double l = rest->lift, part = l > 0 ? press_distance(l, find_open(d, rest)) / l : 1;
        WfVec place = wf_bound_point(&body, rest);
        wf_store(out, i, wf_madd(place, part, wf_load(layer->off, i)));
    }
}

void wf_drop_below(WfDressing* d, WfLayer* layer) {
    wf_free(&d->allocator, layer->rests);
    wf_free(&d->allocator, layer->off);
    wf_free(&d->allocator, layer->thin);
    wf_free(&d->allocator, layer->counts);
    wf_free(&d->allocator, layer->pressed);
    layer->counts = NULL, layer->pressed = NULL;
    layer->rests = NULL, layer->off = NULL, layer->thin = NULL;
}

static bool make_room(WfDressing* d, WfLayer* layer) {
    size_t n = (size_t)layer->garment.mesh.vertex_count;
    wf_drop_below(d, layer);
    layer->rests = wf_alloc(&d->allocator, n, sizeof *layer->rests);
    layer->off = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    layer->thin = wf_alloc(&d->allocator, 3 * n, sizeof(double));
    layer->counts = wf_alloc(&d->allocator, n, sizeof(int));
    layer->pressed = wf_alloc(&d->allocator, n, sizeof(bool));
    return layer->rests && layer->off && layer->thin;
}

// To where points are nearest to the body; `facing` as in hold.h. `feet` becomes these places.
static bool bind_layer(WfDressing* d, WfLayer* layer, const WfBody* body, const double* positions,
                       const double* facing, double* feet) {
    int n = layer->garment.mesh.vertex_count;
    for (int i = 0; i < n; i++) layer->rests[i].vertex = i;
    if (wf_bind_points(&d->allocator, body, positions, facing, n, layer->rests)) return false;
    for (int i = 0; i < n; i++) wf_store(feet, i, wf_bound_point(body, &layer->rests[i]));
    return true;
}

static WeftResult bind_below(WfDressing* d, WfLayer* layer, const double* positions) {
    const WeftMesh* mesh = &layer->garment.mesh;
    WfBody body = body_at(d, positions);
    size_t n = (size_t)mesh->vertex_count;
    if (!make_room(d, layer)) return wf_fail_memory(d->error);
    double outwards = 0, *facing = layer->thin, *feet = layer->off;
    wf_find_normals(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles,
                    facing);
    for (int round = 0; round < SMOOTHINGS; round++) {
        average(mesh, facing, layer->counts, layer->off);
        memcpy(facing, layer->off, 3 * n * sizeof *facing);
    }
    for (size_t i = 0; i < n; i++) wf_store(facing, (int)i, wf_unit(wf_load(facing, (int)i)));
    if (!bind_layer(d, layer, &body, mesh->positions, NULL, feet)) return wf_fail_memory(d->error);
    for (size_t i = 0; i < n; i++)
        outwards += wf_dot(wf_load(facing, (int)i),
                           wf_sub(wf_load(mesh->positions, (int)i), wf_load(feet, (int)i)));
    for (size_t i = 0; i < 3 * n && outwards < 0; i++) facing[i] *= -1;
    if (!bind_layer(d, layer, &body, mesh->positions, facing, feet))
        return wf_fail_memory(d->error);
    for (int round = 0; round < EVENINGS; round++) {
        average(mesh, feet, layer->counts, layer->thin);
        if (!bind_layer(d, layer, &body, layer->thin, NULL, feet)) return wf_fail_memory(d->error);
    }
    for (size_t i = 0; i < n; i++) {
        WfVec off = wf_sub(wf_load(mesh->positions, (int)i), wf_load(feet, (int)i));
        wf_store(layer->off, (int)i, off);
        layer->rests[i].lift = wf_length(off);
    }
    return WEFT_OK;
}

static void set_open(WfDressing* d, double open) {
    for (int i = 0; i < d->def->vertex_count; i++) d->open[i] = open;
}

WeftResult wf_thin_below(WfDressing* d, int count) {
    WeftResult result = WEFT_OK;
    set_open(d, 0);
    for (int i = 0; i < count && !result; i++) {
        WfLayer* layer = &d->layers[i];
        result = bind_below(d, layer, d->def->positions);
        if (!result) wf_place_below(d, layer, d->thin, layer->thin);
    }
    return result;
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

static bool is_near(WfVec p, const double* x, const int* list, int count) {
    for (int i = 0; i < count; i++) {
        WfVec way = wf_sub(p, wf_load(x, list[i]));
        if (wf_dot(way, way) < NEAR * NEAR) return true;
    }
    return false;
}

// Marks what of the body lies below some vertices of cloth at x, and below a layer under these.
static void mark_pressed(WfDressing* d, const WfLayer* layer, const double* positions,
                         const double* x, const int* list, int count, bool* pressed) {
    double* now = layer->thin;
    wf_place_below(d, layer, positions, now);
    for (int i = 0; i < layer->garment.mesh.vertex_count; i++) {
        const int* corner = d->def->triangles + 3 * (long)layer->rests[i].triangle;
        if (!is_near(wf_load(now, i), x, list, count)) continue;
        for (int k = 0; k < 3; k++) pressed[corner[k]] = true;
    }
}

// So that nothing is pressed right beside what is open.
static void spread_pressed(const WeftDressDef* def, double* open) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (long c = 0; c < 3L * def->triangle_count; c++) {
            int a = def->triangles[c], b = def->triangles[c % 3 < 2 ? c + 1 : c - 2];
            WfVec way = wf_sub(wf_load(def->positions, a), wf_load(def->positions, b));
            double most = open[b] + wf_length(way) / SPREAD;
            if (!(open[a] > most)) continue;
            open[a] = most;
            changed = true;
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
        mark_pressed(d, &d->layers[i], d->now, x, tight, count, pressed);
    for (size_t i = 0; i < body && !result; i++)
        d->open[i] =
            pressed[i] ? fmax(d->open[i] - PACE * step, 0) : fmin(d->open[i] + PACE * step, part);
    if (!result) spread_pressed(d->def, d->open);
    wf_free(&d->allocator, seen);
    wf_free(&d->allocator, tight);
    wf_free(&d->allocator, pressed);
    return result;
}

void wf_settle_below(WfDressing* d, int count) {
    for (int i = 0; i < count; i++) {
        WfLayer* layer = &d->layers[i];
        wf_place_below(d, layer, d->def->positions, layer->garment.mesh.positions);
        for (int v = 0; v < layer->garment.mesh.vertex_count; v++)
            layer->pressed[v] = find_open(d, &layer->rests[v]) < PRESSED;
    }
}
