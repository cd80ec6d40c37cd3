// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/dress.h"
#include "garment/pattern.h"
#include "mesh/normals.h"
#include "mesh/topology.h"
#include "sim/state.h"

#define SEAM_SLACK 1.1    // a seam is closed where cloth beside it is no further than this from it,
#define CLOTH_SLACK 1.05  // or than this times what the cloth is stretched by anyway
#define PUSHED_UP 0.1     // of the body's height: what is that much higher is bunched, and so
#define SLID 0.2          // of the body's height: what is that much lower is not worn any more

double wf_edge_ratio(const WeftMesh* mesh, const double* x, long triangle, int k) {
    long a = 3 * triangle + k, b = 3 * triangle + (k + 1) % 3;
    const double* p = mesh->material + 2 * (long)mesh->triangle_material[a];
    const double* q = mesh->material + 2 * (long)mesh->triangle_material[b];
    double flat = wf_flat_length(p[0] - q[0], p[1] - q[1]);
    WfVec way = wf_sub(wf_load(x, mesh->triangles[a]), wf_load(x, mesh->triangles[b]));
    return wf_length(way) / flat;
}

// By counting into bins.
double wf_high_stretch(const WeftMesh* mesh) {
    enum { BINS = 1000 };
    int bins[BINS] = {0}, over = 0, b = BINS - 1;
    for (long t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            bins[(int)fmin(500 * wf_edge_ratio(mesh, mesh->positions, t, k), BINS - 1)]++;
    while (b > 0 && over + bins[b] <= 3 * mesh->triangle_count / 100) over += bins[b--];
    return (b + 1) / 500.0;
}

// How much further from its edge k than `slack` times as it was cut the third corner of a triangle
// is. Not how long the other edges are: cloth that is pulled aslant is sheared, and no seam opens.
static double excess_height(const WeftMesh* mesh, long t, int k, double slack) {
    const int *v = mesh->triangles + 3 * t, *m = mesh->triangle_material + 3 * t;
    const double *p = mesh->material + 2 * (long)m[k],
                 *q = mesh->material + 2 * (long)m[(k + 1) % 3];
    const double* r = mesh->material + 2 * (long)m[(k + 2) % 3];
    double e[2] = {q[0] - p[0], q[1] - p[1]}, f[2] = {r[0] - p[0], r[1] - p[1]};
    double flat = fabs(e[0] * f[1] - e[1] * f[0]) / wf_flat_length(e[0], e[1]);
    WfVec x = wf_load(mesh->positions, v[k]);
    WfVec along = wf_sub(wf_load(mesh->positions, v[(k + 1) % 3]), x);
    WfVec aside = wf_sub(wf_load(mesh->positions, v[(k + 2) % 3]), x);
    return wf_length(wf_cross(along, aside)) / wf_length(along) - slack * flat;
}

// Of the triangles around a vertex of a seam. `place` has, per vertex, its place along the seam
// from 1 on, or 0.
static double measure_star(const WeftMesh* mesh, const WfTopology* topology, int vertex,
                           const int* place, double slack) {
    double gap = 0;
    for (int s = topology->star_start[vertex]; s < topology->star_start[vertex + 1]; s++) {
        long t = topology->star[s];
        const int* v = mesh->triangles + 3 * t;
        for (int k = 0; k < 3; k++) {
            int a = place[v[k]], b = place[v[(k + 1) % 3]];
            if (a > 0 && b > 0 && abs(a - b) == 1)
                gap = fmax(gap, excess_height(mesh, t, k, slack));
        }
    }
    return gap;
}

static WeftResult measure_seams(WfDressing* d, const WeftGarment* g, double stretch, double* gaps) {
    double slack = fmax(SEAM_SLACK, CLOTH_SLACK * stretch);
    WfTopology topology;
    int* place = wf_alloc(&d->allocator, (size_t)g->mesh.vertex_count, sizeof *place);
    if (!place) return wf_fail_memory(d->error);
    WeftResult result =
        wf_topology_create(&d->allocator, g->mesh.vertex_count, g->mesh.triangle_count,
                           g->mesh.triangles, &topology, d->error);
    if (result) goto done;
    for (int s = 0; s < g->seam_count; s++) {
        const int* along = g->seam_vertices + g->seam_start[s];
        int count = g->seam_start[s + 1] - g->seam_start[s];
        for (int i = 0; i < count; i++) place[along[i]] = i + 1;
        for (int i = 0; i < count; i++)
            gaps[s] = fmax(gaps[s], measure_star(&g->mesh, &topology, along[i], place, slack));
        for (int i = 0; i < count; i++) place[along[i]] = 0;
    }
    wf_topology_destroy(&d->allocator, &topology);
done:
    wf_free(&d->allocator, place);
    return result;
}

// In which of the ways of contact/tangle.h a vertex of the trial was crossed.
static int ways_crossed(const WfTrial* trial, int vertex) {
    return trial->state->world.tangled[wf_row_of(&trial->model->shown, vertex)];
}

bool wf_is_crossed(const WfTrial* trial, int vertex) { return ways_crossed(trial, vertex) != 0; }

// How many vertices of a panel are crossed in some way. Those of seams count for both panels.
// `first`: of the garment, in the trial.
static int count_crossed(const WeftGarment* g, const WfTrial* trial, int first, int panel,
                         int ways) {
    int count = 0;
    for (long t = 0; t < g->mesh.triangle_count; t++)
        for (int k = 0; k < 3 && g->panels[t] == panel; k++)
            count += (ways_crossed(trial, first + g->mesh.triangles[3 * t + k]) & ways) != 0;
    return count;
}

WeftResult wf_fail_crossed(WfDressing* d, const WfTrial* trial) {
    const char *panel = "", *name = "";
    int most = 0, body = 0;
    for (int i = 0; i < trial->count; i++) {
        const WfLayer* layer = &d->layers[trial->first + i];
        int first = weft_first_vertex(trial->model, i);
        for (int p = 0; p < layer->garment.panel_count; p++) {
            int count = count_crossed(&layer->garment, trial, first, p, ~0);
            if (count <= most) continue;
            most = count;
            body = count_crossed(&layer->garment, trial, first, p, WF_TANGLED_BODY);
            panel = layer->wear->pattern->panels[p].name, name = layer->wear->pattern->name;
        }
    }
    return wf_fail(d->error, WEFT_ERROR_INPUT,
                   "\"%s\" could not be put on: %d places still cross each other or the body, most "
                   "of them where panel \"%s\" is in %s",
                   name, weft_report(trial->state)->tangles, panel,
                   2 * body > most ? "the body" : "cloth");
}

#define BESIDE 0.04  // m, within which layers lie on each other

// How many of some vertices of a layer lie on the front of the one below, less those behind it.
static int count_above(const WeftMesh* upper, const WeftMesh* lower, const double* normals) {
    enum { EVERY = 5 };
    int above = 0;
    for (int i = 0; i < upper->vertex_count; i += EVERY) {
        WfVec x = wf_load(upper->positions, i), nearest = {BESIDE, 0, 0};
        int at = -1;
        for (int k = 0; k < lower->vertex_count; k++) {
            WfVec way = wf_sub(x, wf_load(lower->positions, k));
            if (wf_dot(way, way) < wf_dot(nearest, nearest)) nearest = way, at = k;
        }
        if (at >= 0) above += wf_dot(nearest, wf_load(normals, at)) > 0 ? 1 : -1;
    }
    return above;
}

WeftResult wf_tell_order(WfDressing* d) {
    WeftResult result = WEFT_OK;
    for (int low = 0; low + 1 < d->layer_count && !result; low++) {
        const WeftMesh* lower = &d->layers[low].garment.mesh;
        size_t n = (size_t)lower->vertex_count;
        double* normals = wf_alloc(&d->allocator, 3 * n, sizeof *normals);
        if (!normals) return wf_fail_memory(d->error);
        wf_find_normals((int)n, lower->positions, lower->triangle_count, lower->triangles, normals);
        for (int i = low + 1; i < d->layer_count && !result; i++)
            if (count_above(&d->layers[i].garment.mesh, lower, normals) < 0)
                result =
                    wf_find(d->findings, d->error,
                            "\"%s\" lies below \"%s\", over which it is worn: place its "
                            "panels further out",
                            d->layers[i].wear->pattern->name, d->layers[low].wear->pattern->name);
        wf_free(&d->allocator, normals);
    }
    return result;
}

double wf_mean_height(const WeftMesh* mesh, double floor) {
    double sum = 0;
    for (long i = 0; i < mesh->vertex_count; i++) sum += fmax(mesh->positions[3 * i + 1], floor);
    return sum / mesh->vertex_count;
}

WeftResult wf_hand_over(WfDressing* d, WfLayer* layer, WeftWorn* worn) {
    double drop = layer->placed - wf_mean_height(&layer->garment.mesh, d->floor);
    if (drop > SLID * d->height || -drop > PUSHED_UP * d->height)
        return wf_fail(d->error, WEFT_ERROR_INPUT,
                       "\"%s\" could not be put on: it %s, and is %.2f m %s than it was placed",
                       layer->wear->pattern->name, drop > 0 ? "slid off" : "was pushed up",
                       fabs(drop), drop > 0 ? "lower" : "higher");
    worn->seam_gap =
        wf_alloc(&d->allocator, (size_t)layer->garment.seam_count, sizeof *worn->seam_gap);
    if (!worn->seam_gap) return wf_fail_memory(d->error);
    worn->stretch = wf_high_stretch(&layer->garment.mesh);
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
