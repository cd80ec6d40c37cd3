// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How levels are made: members one after the other, each as far as it gets from all before, so that
// the first n of them cover the cloth evenly, whatever n is. A pinned vertex counts as PINS_FIRST
// times as far: single pins are members of every level, rows of them no more than others need.
//
// Cells of a level are what is nearest to each member; members whose cells touch pull each other. A
// vertex i at the distance d from a member c of a level of the radius r follows it by
//
//     P_ic = z^2 - z'^2,  z = 1 - d/REACH r,  z' that of the fifth heaviest
//
// over their sum: the four heaviest, each of which comes and goes evenly along the cloth.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/geodesic.h"
#include "small_steps/levels.h"

// Measured with swings of 65 x 65 and 97 x 97 vertices in 16 substeps of one sweep, where p99 of
// the stretch is 3.1 and 3.1 %, and a sheet that hangs by a side in 32.
enum {
    FEWEST = 24,  // members per piece on the coarsest level; 48: 3.1 and 3.9 %, 96: 5.0 and 3.9
    LEAST_CLOTH = 192  // vertices; with less, two sweeps do as well (method/small_steps.c)
};
static const double PINS_FIRST = 4;  // 1 and 16: within 0.4 % of it
static const double REACH = 2.2;     // radii; 1.6: 3.2 and 4.1 %, 3: as good, and more work
// Of the fabric's stiffness, for all levels together: pulls cross where threads do not. A sheet is
// longer by 5.27 mm for 5.25; with half of it by 5.95, with twice by 4.01.
static const double PULL = 0.5;
static const double LONGEST = 1.03;  // times its rest length an edge may be
static const double GRAVITY = 9.81;  // m/s^2, of the cloth's own weight

typedef struct Builder {
    const WeftAllocator* allocator;
    const WfLevelsDef* def;
    WfLevels* levels;
    WfGeodesic geodesic;
    int vertex_count, cloth_count;  // of cloth
    double* areas;                  // per vertex, m^2; 0: of no cloth
    double* far;                    // per vertex: from the nearest member
    double* extent;                 // per vertex: how far its piece of cloth goes
    int* nearest;                   // per vertex: the rank of the nearest member
    int* cells[WF_MOST_LEVELS];     // the same, of each level
    int* best;                      // a tree: of two vertices the one to take first
    int leaf_count;                 // of it
    int pieces, member_count;
    int* row;  // per vertex: where it is among those that follow a level, or -1
} Builder;

// ---------------------------------------------------------------------------------------------
// Which vertices are members

static bool goes_first(const Builder* b, int i, int j) {
    const unsigned char* pinned = b->def->mesh->pinned;
    double p = b->far[i] * (pinned[i] ? PINS_FIRST : 1),
           q = b->far[j] * (pinned[j] ? PINS_FIRST : 1);
    if (p != q) return p > q;
    return pinned[i] != pinned[j] ? pinned[i] : i < j;
}

static int first_of(const Builder* b, int i, int j) {
    if (i < 0 || j < 0) return i < 0 ? j : i;
    return goes_first(b, i, j) ? i : j;
}

static void update_best(Builder* b, int vertex) {
    for (int k = (b->leaf_count + vertex) / 2; k > 0; k /= 2)
        b->best[k] = first_of(b, b->best[2 * k], b->best[2 * k + 1]);
}

static void plant_best(Builder* b) {
    for (int i = 0; i < b->leaf_count; i++)
        b->best[b->leaf_count + i] = i < b->vertex_count && b->areas[i] > 0 ? i : -1;
    for (int k = b->leaf_count - 1; k > 0; k--)
        b->best[k] = first_of(b, b->best[2 * k], b->best[2 * k + 1]);
}

// The farthest vertex becomes a member; false: all cloth is.
static bool add_member(Builder* b) {
    WfGeodesic* g = &b->geodesic;
    int vertex = b->best[1];
    bool fresh = b->far[vertex] == HUGE_VAL;
    if (!(b->far[vertex] > 0)) return false;
    wf_geodesic_march(g, vertex, HUGE_VAL, b->far);
    b->pieces += fresh;
    for (int k = 0; k < g->reached; k++) {
        int i = g->order[k];
        if (fresh) b->extent[i] = g->distance[g->order[g->reached - 1]];
        b->far[i] = g->distance[i];
        b->nearest[i] = b->member_count;
        if (b->areas[i] > 0) update_best(b, i);
    }
    b->levels->members[b->member_count++] = vertex;
    return true;
}

static void keep_cells(Builder* b, int l) {
    WfCoarseLevel* level = &b->levels->level[l];
    level->member_count = b->member_count;
    memcpy(b->cells[l], b->nearest, (size_t)b->vertex_count * sizeof(int));
    for (int i = 0; i < b->vertex_count; i++)
        if (b->areas[i] > 0) level->radius = fmax(level->radius, b->far[i]);
}

static void choose_members(Builder* b) {
    WfLevels* levels = b->levels;
    plant_best(b);
    for (int l = WF_MOST_LEVELS - 1; l >= 0; l--) {
        while (b->member_count < b->cloth_count >> 2 * (l + 1) && add_member(b)) {
        }
        keep_cells(b, l);
    }
    while (levels->count < WF_MOST_LEVELS &&
           levels->level[levels->count].member_count >= FEWEST * b->pieces)
        levels->count++;
    for (int i = 0; i < b->vertex_count; i++) levels->ranks[i] = -1;
    levels->member_count = b->member_count;
    for (int k = 0; k < b->member_count; k++) levels->ranks[levels->members[k]] = k;
}

// ---------------------------------------------------------------------------------------------
// Who pulls whom, and who follows

typedef struct Pair {
    int a, b;
} Pair;

static int compare_pairs(const void* first, const void* second) {
    const Pair *p = first, *q = second;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

// Members whose cells have an edge between them, once each, in order. Returns how many.
static int list_pairs(const Builder* b, const int* cells, Pair* pairs) {
    const WfWayMesh* mesh = b->def->mesh;
    int count = 0, kept = 0;
    for (int e = 0; e < mesh->edge_count; e++) {
        int p = cells[mesh->edges[2L * e]], q = cells[mesh->edges[2L * e + 1]];
        if (p >= 0 && q >= 0 && p != q) pairs[count++] = (Pair){p < q ? p : q, p < q ? q : p};
    }
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
    for (int k = 0; k < count; k++)
        if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[k])) pairs[kept++] = pairs[k];
    return kept;
}

// What one vertex follows: the heaviest, and one more.
typedef struct Heaviest {
    int members[WF_LEVEL_WEIGHTS + 1], count;
    double weights[WF_LEVEL_WEIGHTS + 1];
} Heaviest;

static void add_weight(Heaviest* h, int member, double weight) {
    int k = h->count;
    if (k == WF_LEVEL_WEIGHTS + 1 && !(weight > h->weights[--k])) return;
    for (; k > 0 && weight > h->weights[k - 1]; k--) {
        h->weights[k] = h->weights[k - 1];
        h->members[k] = h->members[k - 1];
    }
    h->weights[k] = weight, h->members[k] = member;
    if (h->count <= WF_LEVEL_WEIGHTS) h->count++;
}

// Equal ones have nothing left of them, and keep what they had.
static void write_weights(const Heaviest* h, int* members, float* weights) {
    int count = h->count < WF_LEVEL_WEIGHTS ? h->count : WF_LEVEL_WEIGHTS;
    double less = h->count > WF_LEVEL_WEIGHTS ? h->weights[WF_LEVEL_WEIGHTS] : 0, sum = 0;
    if (!(h->weights[0] > less)) less = 0;
    for (int k = 0; k < count; k++) sum += h->weights[k] - less;
    for (int k = 0; k < count; k++) {
        members[k] = h->members[k];
        weights[k] = (float)((h->weights[k] - less) / sum);
    }
}

// Numbers of the vertices that follow level l, in the order of their ranks or of the cloth.
static int list_followers(const Builder* b, int l, int* vertices) {
    const WfLevels* levels = b->levels;
    int count = 0;
    for (int i = 0; i < b->vertex_count && l == 0; i++)
        if (levels->ranks[i] < 0 && b->areas[i] > 0) vertices[count++] = i;
    for (int k = levels->level[l].member_count; l > 0 && k < levels->level[l - 1].member_count; k++)
        vertices[count++] = levels->members[k];
    return count;
}

static double longest_edge(const WfWayMesh* mesh) {
    double most = 0;
    for (int e = 0; e < mesh->edge_count; e++) most = fmax(most, mesh->lengths[e]);
    return most;
}

// From every member, once: the lengths of its pairs, and the weights of what is near.
static void measure(Builder* b, int l, int pair_count, const Pair* pairs, double* lengths,
                    Heaviest* rows) {
    const WfLevels* levels = b->levels;
    const WfCoarseLevel* level = &levels->level[l];
    WfGeodesic* g = &b->geodesic;
    double reach = REACH * level->radius;
    double radius = fmax(reach, 2 * level->radius + longest_edge(b->def->mesh));
    for (int k = 0, p = 0; k < level->member_count; k++) {
        wf_geodesic_march(g, levels->members[k], radius, NULL);
        for (; p < pair_count && pairs[p].a == k; p++)
            lengths[p] = g->distance[levels->members[pairs[p].b]];
        for (int q = 0; q < g->reached; q++) {
            int i = g->order[q];
            double z = 1 - g->distance[i] / reach;
            if (b->row[i] >= 0 && z > 0) add_weight(&rows[b->row[i]], k, z * z);
        }
    }
}

static double stiffness_at(const Builder* b, int i) { return b->def->shares[i] / b->areas[i]; }

// part: of the stiffness of the fabric
static void write_pull(const Builder* b, int i, int j, double length, double part, float* out) {
    double k = part * (stiffness_at(b, i) + stiffness_at(b, j)) / 2;
    out[0] = (float)length;
    out[1] = (float)(1 / fmax(k, 1e-20));
    out[2] = (float)((b->def->masses[i] + b->def->masses[j]) / 2);
}

static WeftResult make_pulls(const Builder* b, int l, int count, const Pair* pairs,
                             const double* lengths, WfCoarseLevel* level) {
    const int* members = b->levels->members;
    WfPulls pulls = {.count = count};
    pulls.vertices = wf_alloc(b->allocator, 2 * (size_t)count, sizeof(int));
    pulls.numbers = wf_alloc(b->allocator, WF_PULL_NUMBERS * (size_t)count, sizeof(float));
    WeftResult result = pulls.vertices && pulls.numbers ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (int p = 0; p < count && !result; p++) {
        pulls.vertices[2L * p] = pairs[p].a, pulls.vertices[2L * p + 1] = pairs[p].b;
        write_pull(b, members[pairs[p].a], members[pairs[p].b], lengths[p], PULL / b->levels->count,
                   pulls.numbers + (long)WF_PULL_NUMBERS * p);
    }
    if (!result)
        result = wf_local_create_pulls(b->allocator, &pulls, b->member_count, &level->pulls);
    level->pulls.begun_at = l == 0 ? 0
                                   : b->levels->level[l - 1].pulls.begun_at +
                                         (long)WF_OCT * b->levels->level[l - 1].pulls.batch_count;
    wf_free(b->allocator, pulls.vertices);
    wf_free(b->allocator, pulls.numbers);
    return result;
}

static WeftResult make_spread(const Builder* b, int l, const Heaviest* rows, WfLevelSpread* out) {
    size_t weights = WF_LEVEL_WEIGHTS * (size_t)out->count;
    out->members = wf_alloc(b->allocator, weights, sizeof(int));
    out->weights = wf_alloc(b->allocator, weights, sizeof(float));
    if (!out->members || !out->weights) return WEFT_ERROR_MEMORY;
    for (int k = 0; k < out->count; k++) {
        long at = (long)WF_LEVEL_WEIGHTS * k;
        write_weights(&rows[k], out->members + at, out->weights + at);
        if (l > 0) out->vertices[k] = b->levels->ranks[out->vertices[k]];
    }
    return WEFT_OK;
}

static WeftResult make_level(Builder* b, int l) {
    WeftResult result = WEFT_ERROR_MEMORY;
    WfCoarseLevel* level = &b->levels->level[l];
    WfLevelSpread* spread = &level->spread;
    size_t edges = (size_t)b->def->mesh->edge_count, n = (size_t)b->vertex_count;
    Pair* pairs = wf_alloc(b->allocator, edges, sizeof *pairs);
    double* lengths = wf_alloc(b->allocator, edges, sizeof *lengths);
    spread->vertices = wf_alloc(b->allocator, n, sizeof(int));
    Heaviest* rows = NULL;
    if (!pairs || !lengths || !spread->vertices) goto done;
    spread->count = list_followers(b, l, spread->vertices);
    rows = wf_alloc(b->allocator, (size_t)spread->count, sizeof *rows);
    if (!rows) goto done;
    for (size_t i = 0; i < n; i++) b->row[i] = -1;
    for (int k = 0; k < spread->count; k++) b->row[spread->vertices[k]] = k;
    int count = list_pairs(b, b->cells[l], pairs);
    measure(b, l, count, pairs, lengths, rows);
    result = make_pulls(b, l, count, pairs, lengths, level);
    if (!result) result = make_spread(b, l, rows, spread);
done:
    wf_free(b->allocator, pairs);
    wf_free(b->allocator, lengths);
    wf_free(b->allocator, rows);
    return result;
}

// M_c = m_c + sum P_ic m_i, with the masses m of the finer level.
static WeftResult make_masses(Builder* b, int l) {
    WfLevels* levels = b->levels;
    WfCoarseLevel* level = &levels->level[l];
    const WfLevelSpread* spread = &level->spread;
    const float* finer = l > 0 ? levels->level[l - 1].masses : levels->masses;
    level->masses = wf_alloc(b->allocator, (size_t)level->member_count, sizeof(float));
    double* sums = wf_alloc(b->allocator, (size_t)level->member_count, sizeof(double));
    WeftResult result = level->masses && sums ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (int c = 0; c < level->member_count && !result; c++) sums[c] = (double)finer[c];
    for (long k = 0; k < (long)WF_LEVEL_WEIGHTS * spread->count && !result; k++) {
        int i = spread->vertices[k / WF_LEVEL_WEIGHTS];
        double mass = l > 0 ? (double)finer[i] : b->def->masses[i];
        sums[spread->members[k]] += (double)spread->weights[k] * mass;
    }
    for (int c = 0; c < level->member_count && !result; c++) level->masses[c] = (float)sums[c];
    wf_free(b->allocator, sums);
    return result;
}

// ---------------------------------------------------------------------------------------------
// The limit

// The strain of cloth that hangs from one end of its piece by the width.
static double give_at(const Builder* b, int i) {
    double density = b->def->masses[i] / b->areas[i];
    return density * GRAVITY * b->extent[i] / fmax(stiffness_at(b, i), 1e-20);
}

static WeftResult make_limit(Builder* b) {
    const WfWayMesh* mesh = b->def->mesh;
    WfPulls pulls = {0};
    size_t edges = (size_t)mesh->edge_count;
    pulls.vertices = wf_alloc(b->allocator, 2 * edges, sizeof(int));
    pulls.numbers = wf_alloc(b->allocator, WF_PULL_NUMBERS * edges, sizeof(float));
    WeftResult result = pulls.vertices && pulls.numbers ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (int e = 0; e < mesh->edge_count && !result; e++) {
        int i = mesh->edges[2L * e], j = mesh->edges[2L * e + 1], k = pulls.count;
        if (!(b->areas[i] > 0 && b->areas[j] > 0)) continue;
        double most = LONGEST + (give_at(b, i) + give_at(b, j)) / 2;
        pulls.vertices[2L * k] = i, pulls.vertices[2L * k + 1] = j, pulls.count++;
        write_pull(b, i, j, most * mesh->lengths[e], 1, pulls.numbers + (long)WF_PULL_NUMBERS * k);
    }
    if (!result)
        result = wf_local_create_pulls(b->allocator, &pulls, b->vertex_count, &b->levels->limit);
    wf_free(b->allocator, pulls.vertices);
    wf_free(b->allocator, pulls.numbers);
    return result;
}

// ---------------------------------------------------------------------------------------------

// By Heron's formula, a third of each triangle.
static double area_at(const WfGeodesic* g, int vertex) {
    double sum = 0;
    for (int k = g->star_start[vertex]; k < g->star_start[vertex + 1]; k++) {
        const WfWedge* w = &g->star[k];
        double s = (w->vb + w->vc + w->bc) / 2;
        double square = s * (s - w->vb) * (s - w->vc) * (s - w->bc);
        if (square > 0) sum += sqrt(square) / 3;
    }
    return sum;
}

static WeftResult ready(Builder* b) {
    size_t n = (size_t)b->vertex_count, leaves = 1;
    while (leaves < n) leaves *= 2;
    b->leaf_count = (int)leaves;
    b->areas = wf_alloc(b->allocator, 3 * n, sizeof(double));
    b->nearest = wf_alloc(b->allocator, (2 + WF_MOST_LEVELS) * n, sizeof(int));
    b->best = wf_alloc(b->allocator, 2 * leaves, sizeof(int));
    b->levels->members = wf_alloc(b->allocator, n / 4 + 1, sizeof(int));
    b->levels->ranks = wf_alloc(b->allocator, n, sizeof(int));
    if (!b->areas || !b->nearest || !b->best || !b->levels->members || !b->levels->ranks ||
        wf_geodesic_create(b->allocator, b->def->mesh, &b->geodesic))
        return WEFT_ERROR_MEMORY;
    b->far = b->areas + n, b->extent = b->areas + 2 * n, b->row = b->nearest + n;
    for (int l = 0; l < WF_MOST_LEVELS; l++) b->cells[l] = b->nearest + (size_t)(2 + l) * n;
    for (int i = 0; i < b->vertex_count; i++) {
        b->areas[i] = area_at(&b->geodesic, i);
        b->cloth_count += b->areas[i] > 0;
        b->far[i] = HUGE_VAL, b->nearest[i] = -1;
    }
    return WEFT_OK;
}

static void release(Builder* b) {
    wf_geodesic_destroy(b->allocator, &b->geodesic);
    wf_free(b->allocator, b->areas);
    wf_free(b->allocator, b->nearest);
    wf_free(b->allocator, b->best);
}

static WeftResult make_all(Builder* b) {
    WfLevels* levels = b->levels;
    levels->masses = wf_alloc(b->allocator, (size_t)b->member_count, sizeof(float));
    WeftResult result = levels->masses ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (int k = 0; k < b->member_count && !result; k++)
        levels->masses[k] = (float)b->def->masses[levels->members[k]];
    for (int l = 0; l < levels->count && !result; l++) {
        result = make_level(b, l);
        if (!result) result = make_masses(b, l);
    }
    return result ? result : make_limit(b);
}

WeftResult wf_levels_create(const WeftAllocator* allocator, const WfLevelsDef* def,
                            WfLevels* levels) {
    Builder b = {.allocator = allocator, .def = def, .levels = levels};
    b.vertex_count = def->mesh->vertex_count;
    *levels = (WfLevels){0};
    if (b.vertex_count < LEAST_CLOTH) return WEFT_OK;
    WeftResult result = ready(&b);
    if (!result && b.cloth_count >= LEAST_CLOTH) {
        choose_members(&b);
        if (levels->count > 0) result = make_all(&b);
    }
    release(&b);
    if (result || levels->count == 0) wf_levels_destroy(allocator, levels);
    return result;
}

void wf_levels_destroy(const WeftAllocator* allocator, WfLevels* levels) {
    for (int l = 0; l < WF_MOST_LEVELS; l++) {
        WfCoarseLevel* level = &levels->level[l];
        wf_local_destroy(allocator, &level->pulls);
        wf_free(allocator, level->masses);
        wf_free(allocator, level->spread.vertices);
        wf_free(allocator, level->spread.members);
        wf_free(allocator, level->spread.weights);
    }
    wf_local_destroy(allocator, &levels->limit);
    wf_free(allocator, levels->members);
    wf_free(allocator, levels->ranks);
    wf_free(allocator, levels->masses);
    *levels = (WfLevels){0};
}

size_t wf_levels_bytes(const WfLevels* levels) {
    size_t bytes = (size_t)levels->member_count * (sizeof(int) + sizeof(float));
    if (levels->count > 0) bytes += wf_local_bytes(&levels->limit);
    for (int l = 0; l < levels->count; l++) {
        const WfCoarseLevel* level = &levels->level[l];
        size_t row = sizeof(int) + WF_LEVEL_WEIGHTS * (sizeof(int) + sizeof(float));
        bytes += wf_local_bytes(&level->pulls) + (size_t)level->member_count * sizeof(float);
        bytes += (size_t)level->spread.count * row;
    }
    return bytes;
}
