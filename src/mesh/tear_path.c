// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/tear_path.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_SAMPLES = 1 << 16 };
static const double SPACING = 0.25;   // of samples, in mean edges
static const double ADVANTAGE = 0.1;  // mean edges: by which another vertex must be nearer, lest a
                                      // line between two rows of vertices becomes a zigzag

enum { MOST_EDGES = 8, MOST_NEAR_SAMPLES = 64 };  // of a run

typedef struct Follower {
    const WfPathMesh* mesh;
    double reach;
    WfPathVisit* visit;
    void* context;
    WfVec low, high;  // what the cloth takes up, and the reach around it
    int at;           // the vertex that was followed to; -1: the line is off the cloth
    bool is_begun;    // a sample was seen
    WfVec direction;  // of the line at the sample, unit length; 0 where it has none

    // what was followed last, until it is straightened
    int chain[MOST_EDGES + 1], edge_count;
    WfVec samples[MOST_NEAR_SAMPLES];
    int sample_count;
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

// ---------------------------------------------------------------------------------------------
// Straightening. The nearest vertices make stairs where diagonals would do. Between the ends of a
// run those edges are taken whose sum of L (a^2 + b^2 + STRAIGHT) is the least, with distances a
// and b of their ends from the line, all in mean edges (Dijkstra 1959): on a grid whose diagonals
// alternate, a line at a slope of 1 in 2 takes 40 edges instead of 60.

static const double STRAIGHT = 0.02;
enum { MOST_NEAR = 256 };

// Vertices near a run.
typedef struct Near {
    int count, vertices[MOST_NEAR], before[MOST_NEAR];
    double distances[MOST_NEAR], costs[MOST_NEAR];  // the former squared
    bool done[MOST_NEAR];
} Near;

static double square_from_line(const Follower* f, int vertex) {
    double least = HUGE_VAL;
    for (int i = 0; i < f->sample_count; i++) {
        double d = distance(f, vertex, f->samples[i]) / f->mesh->edge;
        least = fmin(least, d * d);
    }
    return least;
}

// The place of a vertex among them; -1: it is too far from the line, or there is no room.
static int place_near(const Follower* f, Near* n, int vertex) {
    for (int i = 0; i < n->count; i++)
        if (n->vertices[i] == vertex) return i;
    double reach = f->reach / f->mesh->edge, square = square_from_line(f, vertex);
    bool is_near = square <= reach * reach || vertex == f->chain[f->edge_count];
    if (n->count == MOST_NEAR || !is_near) return -1;
    n->vertices[n->count] = vertex;
    n->distances[n->count] = square;
    n->costs[n->count] = HUGE_VAL;
    n->done[n->count] = false;
    return n->count++;
}

// The one with the least cost of those that are not done; -1: none is left.
static int next_near(const Near* n) {
    int best = -1;
    for (int i = 0; i < n->count; i++)
        if (!n->done[i] && (best < 0 || n->costs[i] < n->costs[best])) best = i;
    return best;
}

static void spread(const Follower* f, Near* n, int from) {
    const WfPathMesh* m = f->mesh;
    int vertex = n->vertices[from];
    n->done[from] = true;
    for (int k = m->star_start[vertex]; k < m->star_start[vertex + 1]; k++) {
        int next = other_end(m, m->star[k], vertex), to = place_near(f, n, next);
        if (to < 0) continue;
        double length = distance(f, next, wf_load(m->x, vertex)) / m->edge;
        double cost = n->costs[from] + length * (n->distances[from] + n->distances[to] + STRAIGHT);
        if (cost >= n->costs[to]) continue;
        n->costs[to] = cost;
        n->before[to] = from;
    }
}

// False where there was no room: then it is cut as it was followed.
static bool visit_straight(const Follower* f) {
    Near n = {0};
    int first = f->chain[0], last = f->chain[f->edge_count], at;
    if (first == last) return false;
    at = place_near(f, &n, first);
    if (at < 0) return false;
    n.costs[at] = 0;
    for (; at >= 0 && n.vertices[at] != last; at = next_near(&n)) spread(f, &n, at);
    if (at < 0 || n.costs[at] == HUGE_VAL) return false;
    for (; at > 0; at = n.before[at])
        f->visit(f->context, n.vertices[at], n.vertices[n.before[at]]);
    return true;
}

// Visit what was followed, and go on from its end.
static void end_run(Follower* f) {
    if (f->edge_count > 0 && !visit_straight(f))
        for (int i = 0; i < f->edge_count; i++) f->visit(f->context, f->chain[i], f->chain[i + 1]);
    f->chain[0] = f->at;
    f->edge_count = 0;
    if (f->sample_count > 0) f->samples[0] = f->samples[f->sample_count - 1];
    f->sample_count = f->sample_count > 0;
}

static void add_sample(Follower* f, WfVec p) {
    if (f->sample_count == MOST_NEAR_SAMPLES) end_run(f);
    f->samples[f->sample_count++] = p;
}

static void add_edge(Follower* f, int next) {
    f->chain[++f->edge_count] = f->at = next;
    if (f->edge_count == MOST_EDGES) end_run(f);
}

// ---------------------------------------------------------------------------------------------
// Ends. The vertex nearest to the end of a line need not be on the border though the line goes
// beyond it: not where the line is off the cloth, and the cloth not flat. So the line is carried on
// from there, outwards and straight above the cloth, up to the plane across its end. Where the
// border comes first, these edges belong to the cut; else it ends inside and stays as it is.

static const double OUTWARD = 0.5;  // cosine: edges that lead further aside do not carry on
static const double AT_END = 0.02;  // mean edges: so close to the plane counts as before it

typedef struct End {
    WfVec p, out;  // out: unit length, off the line
    WfVec up;      // from the line to the cloth, unit length; 0 where the line is close to it
} End;

static double past(const Follower* f, const End* e, int vertex) {
    return wf_dot(wf_sub(wf_load(f->mesh->x, vertex), e->p), e->out);
}

// Off the line carried on.
static WfVec off_line(const Follower* f, const End* e, int vertex) {
    WfVec r = wf_sub(wf_load(f->mesh->x, vertex), e->p);
    return wf_sub(r, wf_along(e->out, r));
}

// And what of that is not height: waves shall not draw the line aside.
static WfVec aside(const Follower* f, const End* e, int vertex) {
    WfVec r = off_line(f, e, vertex);
    return wf_sub(r, wf_along(e->up, r));
}

static bool is_within_reach(const Follower* f, const End* e, int vertex) {
    return wf_length(off_line(f, e, vertex)) <= f->reach;
}

// At the end of the line or before.
static bool is_before(const Follower* f, double past) { return past <= AT_END * f->mesh->edge; }

// Whether the line passes between two vertices before its end.
static bool passes_between(const Follower* f, const End* e, int a, int b) {
    WfVec from = aside(f, e, a), to = wf_sub(aside(f, e, b), from);
    double square = wf_dot(to, to), t = square > 0 ? -wf_dot(from, to) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return is_before(f, (1 - t) * past(f, e, a) + t * past(f, e, b));
}

// The neighbour least aside of those outwards; -1: none is within reach.
static int outward_neighbour(const Follower* f, const End* e, int vertex) {
    const WfPathMesh* m = f->mesh;
    int best = -1;
    double least = HUGE_VAL;
    for (int k = m->star_start[vertex]; k < m->star_start[vertex + 1]; k++) {
        int next = other_end(m, m->star[k], vertex);
        WfVec edge = wf_sub(wf_load(m->x, next), wf_load(m->x, vertex));
        double d = wf_length(aside(f, e, next));
        if (wf_dot(edge, e->out) > OUTWARD * wf_length(edge) && d < least &&
            is_within_reach(f, e, next))
            best = next, least = d;
    }
    return best;
}

// Whether the line passes the border beside a vertex of it before its end: the border runs aslant.
static bool passes_border(const Follower* f, const End* e, int vertex) {
    const WfPathMesh* m = f->mesh;
    for (int k = m->star_start[vertex]; k < m->star_start[vertex + 1]; k++) {
        int next = other_end(m, m->star[k], vertex);
        if (m->border[next] && passes_between(f, e, vertex, next)) return true;
    }
    return false;
}

// The vertex to go on to; -1: the line ends inside.
static int carry_on(const Follower* f, const End* e, int vertex) {
    int next = outward_neighbour(f, e, vertex);
    if (next < 0 || is_before(f, past(f, e, next))) return next;
    return f->mesh->border[next] && passes_border(f, e, next) ? next : -1;
}

static void carry_to_border(const Follower* f, int vertex, WfVec p, WfVec out) {
    const unsigned char* border = f->mesh->border;
    int last = vertex;
    End e = {.p = p, .out = out};
    WfVec off = off_line(f, &e, vertex);
    if (wf_length(off) > f->mesh->edge) e.up = wf_unit(off);
    while (last >= 0 && !border[last]) last = carry_on(f, &e, last);
    for (int next; last >= 0 && vertex != last; vertex = next) {
        next = carry_on(f, &e, vertex);
        f->visit(f->context, vertex, next);
    }
}

// From where the line leaves or enters the cloth to the border, where that is an edge away.
static bool reach_border(const Follower* f, int vertex, WfVec p) {
    const WfPathMesh* m = f->mesh;
    int best = -1;
    double least = 2 * f->reach;
    if (m->border[vertex]) return true;
    for (int k = m->star_start[vertex]; k < m->star_start[vertex + 1]; k++) {
        int next = other_end(m, m->star[k], vertex);
        double d = distance(f, next, p);
        if (m->border[next] && d < least) best = next, least = d;
    }
    if (best >= 0) f->visit(f->context, vertex, best);
    return best >= 0;
}

static void enter(Follower* f, WfVec p) {
    bool was_off = f->is_begun && f->at < 0;
    f->at = f->chain[0] = nearest_of_all(f, p);
    f->is_begun = true;
    f->samples[0] = p;
    f->sample_count = 1;
    if (f->at < 0 || (was_off && reach_border(f, f->at, p))) return;
    carry_to_border(f, f->at, p, wf_mul(-1, f->direction));
}

// The line ends at p, or leaves the cloth.
static void leave(Follower* f, WfVec p) {
    bool is_off = distance(f, f->at, p) > f->reach;
    end_run(f);
    if (!is_off || !reach_border(f, f->at, p)) carry_to_border(f, f->at, p, f->direction);
    f->at = -1;
}

static void follow(Follower* f, WfVec p) {
    double advantage = ADVANTAGE * f->mesh->edge;
    add_sample(f, p);
    for (int next; (next = nearest_neighbour(f, f->at, p, advantage)) != f->at;) add_edge(f, next);
    if (distance(f, f->at, p) <= f->reach) return;
    leave(f, p);
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
        if (count > 0) f.direction = wf_unit(way);
        for (int k = i == 0 ? 0 : 1; k <= count; k++) {
            WfVec p = wf_madd(a, count > 0 ? (double)k / count : 0, way);
            if (f.at < 0)
                enter(&f, p);
            else
                follow(&f, p);
        }
    }
    if (f.at >= 0) leave(&f, wf_load(points, point_count - 1));
}
