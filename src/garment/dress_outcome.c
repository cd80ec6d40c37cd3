// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/dress.h"
#include "garment/pattern.h"

#define SEAM_SLACK 1.1    // a seam is closed where edges beside it are no longer than this,
#define CLOTH_SLACK 1.05  // or than this times what the cloth is stretched by anyway

double wf_edge_ratio(const WeftMesh* mesh, const double* x, long triangle, int k, double* rest) {
    long a = 3 * triangle + k, b = 3 * triangle + (k + 1) % 3;
    const double* p = mesh->material + 2 * (long)mesh->triangle_material[a];
    const double* q = mesh->material + 2 * (long)mesh->triangle_material[b];
    double flat = wf_flat_length(p[0] - q[0], p[1] - q[1]);
    if (rest) *rest = flat;
    WfVec way = wf_sub(wf_load(x, mesh->triangles[a]), wf_load(x, mesh->triangles[b]));
    return wf_length(way) / flat;
}

// The ratio that all but one edge in a hundred keep, by counting into bins.
static double high_stretch(const WeftMesh* mesh) {
    enum { BINS = 1000 };
    int bins[BINS] = {0}, over = 0, b = BINS - 1;
    for (long t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            bins[(int)fmin(500 * wf_edge_ratio(mesh, mesh->positions, t, k, NULL), BINS - 1)]++;
    while (b > 0 && over + bins[b] <= 3 * mesh->triangle_count / 100) over += bins[b--];
    return (b + 1) / 500.0;
}

static WeftResult measure_seams(WfDressing* d, const WeftGarment* g, double stretch, double* gaps) {
    double slack = fmax(SEAM_SLACK, CLOTH_SLACK * stretch);
    double* excess = wf_alloc(&d->allocator, (size_t)g->mesh.vertex_count, sizeof *excess);
    if (!excess) return wf_fail_memory(d->error);
    for (long t = 0; t < g->mesh.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            double rest, ratio = wf_edge_ratio(&g->mesh, g->mesh.positions, t, k, &rest);
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

WeftResult wf_hand_over(WfDressing* d, WfLayer* layer, WeftWorn* worn) {
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
