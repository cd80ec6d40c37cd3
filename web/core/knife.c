// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The way is followed from vertex to vertex along edges, on the layer of cloth that is seen: each
// time to the neighbour that is nearest to the knife. An edge is cut once it is left behind, since
// a shorter way may turn up: where the next vertex is joined to the one before, the one between is
// left out. Cloth opens behind the knife while it goes on, so vertices are remembered by what they
// were at first; of the parts that one has become, the one nearest to the knife goes on.

#include "knife.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ADVANTAGE = 0.1;  // of an edge: by which the next vertex must be nearer
static const double FAR = 3;          // edges: further than that is another part of the cloth
static const double OUTWARD = 0.3;    // cosine: edges further aside do not lead to the border
enum { MOST_OUTWARD = 3 };            // edges from where the knife leaves to the border

void free_knife(Knife* knife) {
    for (int i = 0; i < knife->count; i++) free(knife->cuts[i].vertices);
    free(knife->cuts);
    *knife = (Knife){0};
}

// ---------------------------------------------------------------------------------------------
// What was cut

static Cut* add_cut(Knife* knife, double time) {
    if (knife->count == knife->capacity) {
        int capacity = 2 * knife->capacity + 8;
        Cut* cuts = realloc(knife->cuts, (size_t)capacity * sizeof *cuts);
        if (!cuts) return NULL;
        knife->cuts = cuts;
        knife->capacity = capacity;
    }
    knife->cuts[knife->count] = (Cut){.time = time};
    return &knife->cuts[knife->count++];
}

static bool add_vertex(Cut* cut, int vertex) {
    if (cut->count == cut->capacity) {
        int capacity = 2 * cut->capacity + 8;
        int* vertices = realloc(cut->vertices, (size_t)capacity * sizeof *vertices);
        if (!vertices) return false;
        cut->vertices = vertices;
        cut->capacity = capacity;
    }
    cut->vertices[cut->count++] = vertex;
    return true;
}

// At the end of the line that was cut last, or as a new line. A single edge, as the one out to the
// border where the knife came in, goes on from either end.
static bool remember(Knife* knife, double time, int a, int b) {
    Cut* last = knife->count > 0 ? &knife->cuts[knife->count - 1] : NULL;
    if (last && last->count == 2 && last->vertices[0] == a) {
        last->vertices[0] = last->vertices[1];
        last->vertices[1] = a;
    }
    if (last && last->vertices[last->count - 1] == a) return add_vertex(last, b);
    Cut* cut = add_cut(knife, time);
    return cut && add_vertex(cut, a) && add_vertex(cut, b);
}

bool keep_knife(Knife* to, const Knife* from) {
    for (int i = 0; i < from->count; i++) {
        Cut* cut = add_cut(to, from->cuts[i].time);
        for (int k = 0; k < from->cuts[i].count; k++)
            if (!cut || !add_vertex(cut, from->cuts[i].vertices[k])) return false;
    }
    to->at = to->before = to->entered = -1;
    return true;
}

// ---------------------------------------------------------------------------------------------
// The mesh as it is now

typedef struct Way {
    WeftState* state;
    const WeftModel* model;
    const double* x;
} Way;

static Way look(WeftState* state) {
    return (Way){state, weft_state_model(state), weft_positions(state)};
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double off(const Way* w, int vertex, const double p[3]) {
    return distance(w->x + 3 * (size_t)vertex, p);
}

// The other end of edge e where it begins or ends at the vertex; else -1.
static int other_end(const Way* w, int e, int vertex) {
    const int* ends = weft_edges(w->model) + 2 * (size_t)e;
    return ends[0] == vertex ? ends[1] : ends[1] == vertex ? ends[0] : -1;
}

static bool are_joined(const Way* w, int a, int b) {
    for (int e = 0; e < weft_edge_count(w->model); e++)
        if (other_end(w, e, a) == b) return true;
    return false;
}

// The neighbour nearest to p, or the vertex itself; *edge: the mean length of its edges.
static int nearest_neighbour(const Way* w, int vertex, const double p[3], double* edge) {
    int best = vertex, count = 0;
    double sum = 0, least = HUGE_VAL;
    for (int e = 0; e < weft_edge_count(w->model); e++) {
        int next = other_end(w, e, vertex);
        if (next < 0) continue;
        double d = off(w, next, p);
        sum += off(w, next, w->x + 3 * (size_t)vertex), count++;
        if (d < least) best = next, least = d;
    }
    *edge = count > 0 ? sum / count : 0;
    return least < off(w, vertex, p) - ADVANTAGE * *edge ? best : vertex;
}

// Of the parts that a vertex of the first model has become, the one nearest to p.
static int part_of(const Way* w, int whole, const double p[3]) {
    int best = weft_torn_to(w->state, whole);
    for (int i = best; i < weft_vertex_count(w->model); i++)
        if (weft_torn_from(w->state, i) == whole && off(w, i, p) < off(w, best, p)) best = i;
    return best;
}

static bool has_side(const int* v, int a, int b) {
    bool has_a = v[0] == a || v[1] == a || v[2] == a;
    return has_a && (v[0] == b || v[1] == b || v[2] == b);
}

static int triangles_at(const Way* w, int a, int b) {
    const int* v = weft_triangles(w->model);
    int count = 0;
    for (int t = 0; t < weft_triangle_count(w->model); t++, v += 3) count += has_side(v, a, b);
    return count;
}

static bool is_on_border(const Way* w, int vertex) {
    for (int e = 0; e < weft_edge_count(w->model); e++) {
        int next = other_end(w, e, vertex);
        if (next >= 0 && triangles_at(w, vertex, next) == 1) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Cutting

// An edge by the vertices that its ends were at first. *count: edges that were not cut before.
static WeftResult cut_edge(WeftState* state, int a, int b, int* count, WeftError* error) {
    const WeftModel* model = weft_state_model(state);
    const int* edges = weft_edges(model);
    WeftResult result = WEFT_OK;
    *count = 0;
    for (int e = 0; e < weft_edge_count(model) && !result; e++) {
        int ends[2] = {edges[2 * (size_t)e], edges[2 * (size_t)e + 1]}, cut = 0;
        int p = weft_torn_from(state, ends[0]), q = weft_torn_from(state, ends[1]);
        if (!((p == a && q == b) || (p == b && q == a))) continue;
        WeftCutDef def = weft_default_cut_def();
        def.vertices = ends, def.vertex_count = 2;
        result = weft_cut(state, &def, &cut, error);
        *count += cut;
    }
    return result;
}

static WeftResult cut_between(Knife* knife, WeftState* state, int a, int b, WeftError* error) {
    int count = 0;
    WeftResult result = cut_edge(state, a, b, &count, error);
    knife->edge_count += count;
    if (result || count == 0) return result;
    return remember(knife, weft_time(state), a, b) ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// On to a neighbour of the vertex that the knife is at.
static WeftResult step_to(Knife* knife, const Way* w, int at, int next, WeftError* error) {
    int whole = weft_torn_from(w->state, next);
    if (knife->before >= 0) {
        int before = part_of(w, knife->before, w->x + 3 * (size_t)at);
        if (are_joined(w, before, next)) {
            knife->at = whole;
            return WEFT_OK;
        }
        WeftResult result = cut_between(knife, w->state, knife->before, knife->at, error);
        if (result) return result;
    }
    knife->before = knife->at;
    knife->at = whole;
    return WEFT_OK;
}

static WeftResult finish_edge(Knife* knife, WeftState* state, WeftError* error) {
    int before = knife->before;
    knife->before = -1;
    return before < 0 ? WEFT_OK : cut_between(knife, state, before, knife->at, error);
}

// From a vertex straight to the border, where that is near: where a line leaves the cloth or
// enters it.
static WeftResult reach_border(Knife* knife, const Way* w, int vertex, const double direction[3],
                               WeftError* error) {
    WeftResult result = WEFT_OK;
    int way[MOST_OUTWARD + 1] = {vertex}, count = 0;
    while (count < MOST_OUTWARD && !is_on_border(w, way[count])) {
        int best = -1;
        double most = OUTWARD;
        for (int e = 0; e < weft_edge_count(w->model); e++) {
            int next = other_end(w, e, way[count]);
            if (next < 0) continue;
            const double *to = w->x + 3 * (size_t)next, *from = w->x + 3 * (size_t)way[count];
            double along = 0;
            for (int k = 0; k < 3; k++) along += direction[k] * (to[k] - from[k]);
            along /= distance(from, to) + 1e-30;
            if (along > most) best = next, most = along;
        }
        if (best < 0) return WEFT_OK;
        way[++count] = best;
    }
    if (!is_on_border(w, way[count])) return WEFT_OK;
    for (int i = 0; i < count && !result; i++)
        result = cut_between(knife, w->state, weft_torn_from(w->state, way[i]),
                             weft_torn_from(w->state, way[i + 1]), error);
    return result;
}

static void find_direction(Knife* knife, const double place[3]) {
    double length = distance(place, knife->place);
    for (int k = 0; k < 3 && length > 0; k++)
        knife->direction[k] = (place[k] - knife->place[k]) / length;
}

static WeftResult leave(Knife* knife, WeftState* state, WeftError* error) {
    WeftResult result = finish_edge(knife, state, error);
    Way w = look(state);
    int at = knife->at;
    knife->at = knife->entered = -1;
    if (result || at < 0) return result;
    return reach_border(knife, &w, part_of(&w, at, knife->place), knife->direction, error);
}

static WeftResult follow(Knife* knife, WeftState* state, const double place[3], WeftError* error) {
    Way w = look(state);
    WeftResult result = WEFT_OK;
    int at = part_of(&w, knife->at, place);
    double edge;
    for (int next; !result && (next = nearest_neighbour(&w, at, place, &edge)) != at; at = next)
        result = step_to(knife, &w, at, next, error);
    return result;
}

// Whether the vertex that the knife was followed to is near where it is: folds lie over others.
static bool is_near(const Knife* knife, WeftState* state, const double place[3]) {
    Way w = look(state);
    double edge;
    int at = part_of(&w, knife->at, place);
    nearest_neighbour(&w, at, place, &edge);
    return off(&w, at, place) <= FAR * edge;
}

bool draw_knife(Knife* knife, WeftState* state, int vertex, const double place[3],
                WeftError* error) {
    WeftResult result = WEFT_OK;
    if (!knife->began) knife->at = knife->before = knife->entered = -1;
    if (vertex < 0) {
        if (knife->began && knife->at >= 0) result = leave(knife, state, error);
        knife->began = knife->beside = true;
        return !result;
    }
    if (knife->at >= 0) {
        find_direction(knife, place);
        result = follow(knife, state, place, error);
        if (!result && !is_near(knife, state, place)) {
            result = finish_edge(knife, state, error);
            knife->at = -1;
        }
    }
    if (knife->at < 0) {
        knife->at = weft_torn_from(state, vertex);
        if (knife->beside) knife->entered = knife->at;
    } else if (knife->entered >= 0 && knife->at != knife->entered && !result) {
        Way w = look(state);
        double back[3];
        for (int k = 0; k < 3; k++) back[k] = -knife->direction[k];
        result = reach_border(knife, &w, part_of(&w, knife->entered, place), back, error);
        knife->entered = -1;
    }
    memcpy(knife->place, place, sizeof knife->place);
    knife->beside = false;
    knife->began = true;
    return !result;
}

int lift_knife(Knife* knife, WeftState* state) {
    if (knife->began) finish_edge(knife, state, NULL);
    int count = knife->edge_count;
    knife->began = knife->beside = false;
    knife->edge_count = 0;
    return count;
}

bool cut_again(Knife* knife, WeftState* state, double time, int count, const int* vertices) {
    WeftError error;
    bool good = true;
    for (int i = 0; i + 1 < count && good; i++) {
        int cut = 0;
        if (cut_edge(state, vertices[i], vertices[i + 1], &cut, &error)) return false;
        if (cut > 0) good = remember(knife, time, vertices[i], vertices[i + 1]);
    }
    return good;
}
