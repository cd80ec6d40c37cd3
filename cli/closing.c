// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "closing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double AT_THE_MIRROR = 1e-4;  // m: what is zipped lies a hundredth of a mm before it
// A hem leaves the mirror at once; what opens there is still near it after a long way.
static const double BESIDE = 2;  // times its distance, along the edge

typedef struct Edge {
    int a, b;  // a < b
} Edge;

static bool is_halved(const Session* session) {
    WeftMirrorKind kind = session->scene->model.mirror.kind;
    return kind == WEFT_MIRROR_EXACT || kind == WEFT_MIRROR_RECIPE;
}

static bool has_closure(const Session* session) {
    return session->scene->model.mirror.closure != WEFT_CLOSURE_OPEN;
}

static double height(const WeftPlane* plane, const double* x) {
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        along += (x[k] - plane->point[k]) * plane->normal[k];
        square += plane->normal[k] * plane->normal[k];
    }
    return along / sqrt(square);
}

// ---------------------------------------------------------------------------------------------
// Free edges

static int compare_edges(const void* one, const void* other) {
    const Edge *p = one, *q = other;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Edges of one triangle only; `edges` has room for all. Returns their number.
static int find_free_edges(const WeftClothDef* cloth, Edge* edges) {
    int count = 3 * cloth->triangle_count, kept = 0;
    for (int c = 0; c < count; c++) {
        int a = cloth->triangles[c], b = cloth->triangles[c % 3 == 2 ? c - 2 : c + 1];
        edges[c] = a < b ? (Edge){a, b} : (Edge){b, a};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && compare_edges(&edges[i], &edges[next]) == 0;) next++;
        if (next == i + 1) edges[kept++] = edges[i];
    }
    return kept;
}

static double distance(const double* x, int a, int b) {
    double square = 0;
    for (int k = 0; k < 3; k++)
        square +=
            (x[3 * (long)a + k] - x[3 * (long)b + k]) * (x[3 * (long)a + k] - x[3 * (long)b + k]);
    return sqrt(square);
}

// How far each vertex of a free edge is from the mirror along it: infinite where it never gets
// there, less than 0 of all others.
static void measure_ways(const WeftClothDef* cloth, const Edge* edges, int count, double* ways) {
    for (int v = 0; v < cloth->vertex_count; v++) ways[v] = -1;
    for (int i = 0; i < count; i++) ways[edges[i].a] = ways[edges[i].b] = HUGE_VAL;
    for (int v = 0; v < cloth->vertex_count; v++)
        if (ways[v] > 0 && cloth->images[v] == v) ways[v] = 0;
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (int i = 0; i < count; i++) {
            int a = edges[i].a, b = edges[i].b;
            double length = distance(cloth->positions, a, b);
            int later = ways[a] > ways[b] ? a : b, sooner = later == a ? b : a;
            if (!(ways[sooner] + length < ways[later])) continue;
            ways[later] = ways[sooner] + length;
            shorter = true;
        }
    }
}

static int add_cloth(Closing* closing, const Session* session, int c) {
    const WeftClothDef* cloth = &session->scene->model.cloths[c];
    const WeftPlane* plane = &session->scene->model.mirror.plane;
    int first = weft_first_vertex(session->model, c);
    if (!cloth->images || cloth->triangle_count == 0) return GO_ON;
    Edge* edges = malloc(3 * (size_t)cloth->triangle_count * sizeof *edges);
    double* ways = malloc((size_t)cloth->vertex_count * sizeof *ways);
    if (edges && ways) measure_ways(cloth, edges, find_free_edges(cloth, edges), ways);
    for (int v = 0; v < cloth->vertex_count && edges && ways; v++) {
        double high = height(plane, cloth->positions + 3 * (long)v);
        bool image = cloth->images[v] != v && high < 0;
        if (!image && ways[v] > 0 && ways[v] > BESIDE * high)
            closing->vertices[closing->count++] = first + v;
    }
    bool good = edges && ways;
    free(edges);
    free(ways);
    return good ? GO_ON : complain(EXIT_FAILED, "out of memory");
}

int open_closing(Closing* closing, const Session* session) {
    *closing = (Closing){.gap = HUGE_VAL};
    if (!is_halved(session) || !has_closure(session)) return GO_ON;
    closing->vertices = malloc((size_t)weft_vertex_count(session->model) * sizeof(int));
    int code = closing->vertices ? GO_ON : complain(EXIT_FAILED, "out of memory");
    for (int c = 0; c < session->scene->model.cloth_count && code == GO_ON; c++)
        code = add_cloth(closing, session, c);
    look_at_closing(closing, session);
    return code;
}

void look_at_closing(Closing* closing, const Session* session) {
    const double* x = weft_positions(session->state);
    for (int i = 0; i < closing->count; i++) {
        double high =
            height(&session->scene->model.mirror.plane, x + 3 * (long)closing->vertices[i]);
        closing->gap = fmin(closing->gap, fmax(high, 0));
    }
}

void free_closing(Closing* closing) {
    free(closing->vertices);
    *closing = (Closing){0};
}

// ---------------------------------------------------------------------------------------------
// In words, as data

static const char* closure_name(const Session* session) {
    return choice_name("closure", (int)session->scene->model.mirror.closure);
}

static void print_unclosed(const Session* session, const Closing* closing) {
    const char* name = closure_name(session);
    if (!is_halved(session)) {
        printf("  closure   %s: nothing is closed, as all of the cloth is simulated\n", name);
        return;
    }
    if (closing->gap <= AT_THE_MIRROR) return;
    if (closing->count == 0)
        printf("  closure   %s: nothing is closed, as no free edge runs beside the mirror\n", name);
    else
        printf(
            "  closure   %s: nothing is closed, as no free edge of the cloth has come to the "
            "mirror, the\n            nearest to %.3g mm; a front that shall stay closed is a seam "
            "of its pattern, or pin its edge\n",
            name, 1000 * closing->gap);
}

void print_mirror(const Session* session, const Closing* closing) {
    WeftMirrorKind kind = session->scene->model.mirror.kind;
    if (kind != WEFT_MIRROR_NONE)
        printf("  mirror    %s: %d of %d vertices are simulated\n",
               choice_name("mirror", (int)kind), weft_simulated_count(session->model),
               weft_vertex_count(session->model));
    if (has_closure(session)) print_unclosed(session, closing);
}

void print_closing_at_start(const Session* session, const Closing* closing) {
    if (!has_closure(session)) return;
    printf("  closure: %s; ", closure_name(session));
    if (!is_halved(session))
        puts("it does nothing, as all of the cloth is simulated");
    else if (closing->count == 0)
        puts("it has nothing to close, as no free edge runs beside the mirror");
    else
        printf("the nearest free edge is %.3g mm from the mirror at the start\n",
               1000 * closing->gap);
}

json_t* gap_json(const Closing* closing) {
    return isfinite(closing->gap) ? json_real(closing->gap) : json_null();
}

json_t* mirror_json(const Session* session, const Closing* closing) {
    WeftMirrorKind kind = session->scene->model.mirror.kind;
    if (kind == WEFT_MIRROR_NONE) return json_null();
    return json_pack("{s:s,s:i,s:s,s:o}", "kind", choice_name("mirror", (int)kind),
                     "simulated_vertices", weft_simulated_count(session->model), "closure",
                     closure_name(session), "closure_gap", gap_json(closing));
}
