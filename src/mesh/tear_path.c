// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/tear_path.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_SAMPLES = 1 << 16 };
static const double SPACING = 0.25;   // of samples, in mean edges
static const double ADVANTAGE = 0.1;  // mean edges: by which another vertex must be nearer, lest a
                                      // line between two rows of vertices becomes a zigzag

typedef struct Follower {
    const WfPathMesh* mesh;
    double reach;
    WfPathVisit* visit;
    void* context;
    WfVec low, high;  // what the cloth takes up, and the reach around it
    int at;           // the vertex that was followed to; -1: the line is off the cloth
    bool was_off;     // and so it was at a sample before
} Follower;

static int other_end(const WfPathMesh* m, int edge, int vertex) {
    const int* ends = m->edges + 2L * edge;
    return ends[0] == vertex ? ends[1] : ends[0];
}

static double distance(const Follower* f, int vertex, WfVec p) {
    return wf_length(wf_sub(wf_load(f->mesh->x, vertex), p));
}

static void find_box(Follower* f) {
    const WfPathMesh* m = f->mesh;
    f->low = (WfVec){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    f->high = (WfVec){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = m->first; i < m->end; i++) {
        WfVec x = wf_load(m->x, i);
        f->low = (WfVec){fmin(f->low.x, x.x), fmin(f->low.y, x.y), fmin(f->low.z, x.z)};
        f->high = (WfVec){fmax(f->high.x, x.x), fmax(f->high.y, x.y), fmax(f->high.z, x.z)};
    }
    WfVec reach = {f->reach, f->reach, f->reach};
    f->low = wf_sub(f->low, reach);
    f->high = wf_add(f->high, reach);
}

static bool is_in_box(const Follower* f, WfVec p) {
    return p.x >= f->low.x && p.y >= f->low.y && p.z >= f->low.z && p.x <= f->high.x &&
           p.y <= f->high.y && p.z <= f->high.z;
}

// Of all vertices; -1 where there is none within reach.
static int nearest_of_all(const Follower* f, WfVec p) {
    int best = -1;
    double least = f->reach;
    for (int i = f->mesh->first; i < f->mesh->end && is_in_box(f, p); i++) {
        double d = distance(f, i, p);
        bool has_edges = f->mesh->star_start[i] < f->mesh->star_start[i + 1];
        if (d <= least && has_edges) best = i, least = d;
    }
    return best;
}

// The neighbour nearest to p, or the vertex itself where none is nearer by `advantage`.
static int nearest_neighbour(const Follower* f, int vertex, WfVec p, double advantage) {
    const WfPathMesh* m = f->mesh;
    int best = vertex;
    double least = distance(f, vertex, p) - advantage;
    for (int k = m->star_start[vertex]; k < m->star_start[vertex + 1]; k++) {
        int next = other_end(m, m->star[k], vertex);
        double d = distance(f, next, p);
        if (d < least) best = next, least = d;
    }
    return best;
}

// From where the line leaves or enters the cloth to the border, where that is an edge away.
static void reach_border(const Follower* f, int vertex, WfVec p) {
    const WfPathMesh* m = f->mesh;
    int best = -1;
    double least = 2 * f->reach;
    if (m->border[vertex]) return;
    for (int k = m->star_start[vertex]; k < m->star_start[vertex + 1]; k++) {
        int next = other_end(m, m->star[k], vertex);
        double d = distance(f, next, p);
        if (m->border[next] && d < least) best = next, least = d;
    }
    if (best >= 0) f->visit(f->context, vertex, best);
}

static void enter(Follower* f, WfVec p) {
    f->at = nearest_of_all(f, p);
    if (f->at >= 0 && f->was_off) reach_border(f, f->at, p);
    f->was_off = f->at < 0;
}

static void follow(Follower* f, WfVec p) {
    double advantage = ADVANTAGE * f->mesh->edge;
    for (int next; (next = nearest_neighbour(f, f->at, p, advantage)) != f->at; f->at = next)
        f->visit(f->context, f->at, next);
    if (distance(f, f->at, p) <= f->reach) return;
    reach_border(f, f->at, p);
    f->at = -1;
    f->was_off = true;
    enter(f, p);
}

static double length_of(int point_count, const double* points) {
    double sum = 0;
    for (int i = 0; i + 1 < point_count; i++)
        sum += wf_length(wf_sub(wf_load(points, i + 1), wf_load(points, i)));
    return sum;
}

void wf_follow_path(const WfPathMesh* mesh, int point_count, const double* points, double reach,
                    WfPathVisit* visit, void* context) {
    Follower f = {.mesh = mesh, .reach = reach, .visit = visit, .context = context, .at = -1};
    double spacing = fmax(SPACING * mesh->edge, length_of(point_count, points) / MOST_SAMPLES);
    find_box(&f);
    for (int i = 0; i + 1 < point_count; i++) {
        WfVec a = wf_load(points, i), way = wf_sub(wf_load(points, i + 1), a);
        int count = (int)ceil(wf_length(way) / spacing);
        for (int k = i == 0 ? 0 : 1; k <= count; k++) {
            WfVec p = wf_madd(a, count > 0 ? (double)k / count : 0, way);
            if (f.at < 0)
                enter(&f, p);
            else
                follow(&f, p);
        }
    }
}
