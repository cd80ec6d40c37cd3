// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Vector {
    double x, y, z;
} Vector;

static Vector between(const double* positions, int from, int to) {
    const double *a = positions + 3 * (long)from, *b = positions + 3 * (long)to;
    return (Vector){b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

static double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Vector cross(Vector a, Vector b) {
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static void fill_springs(const WeftModel* model, const WeftFabric* fabric, Net* net) {
    const int* edges = weft_edges(model);
    for (int e = 0; e < net->spring_count; e++) {
        int a = edges[2 * (long)e], b = edges[2 * (long)e + 1];
        Vector edge = between(net->positions, a, b);
        net->springs[e] = (Spring){{a, b}, sqrt(dot(edge, edge)), fabric->stretch_warp, 0, 0};
    }
}

// Bending of two triangles by R = sum alpha_a x_a (Volino and Magnenat-Thalmann 2006), with areas
// signed by the normal of the flat cloth; E = lambda/2 |R|^2.
Hinge make_hinge(const double* x, int i, int j, int k, int l, double bend) {
    Vector normal = cross(between(x, k, l), between(x, k, i)), edge = between(x, k, l);
    double size = sqrt(dot(normal, normal));
    normal = (Vector){normal.x / size, normal.y / size, normal.z / size};
    double ni = dot(normal, cross(between(x, i, k), between(x, i, l)));
    double nj = dot(normal, cross(between(x, j, l), between(x, j, k)));
    double nk = dot(normal, cross(between(x, k, j), between(x, k, i)));
    double nl = dot(normal, cross(between(x, l, i), between(x, l, j)));
    double areas = fabs(ni * nj), square = dot(edge, edge);
    return (Hinge){{i, j, k, l},
                   {nj / (ni + nj), ni / (ni + nj), -nl / (nk + nl), -nk / (nk + nl)},
                   2 * (fabs(ni) + fabs(nj)) / (areas * areas) * square * square * bend,
                   0};
}

// One side of a triangle, by its smaller vertex first, and the corner across.
typedef struct Side {
    int a, b, corner;
} Side;

static int compare_sides(const void* left, const void* right) {
    const Side *s = left, *t = right;
    return s->a != t->a ? (s->a < t->a ? -1 : 1) : s->b != t->b ? (s->b < t->b ? -1 : 1) : 0;
}

static bool fill_hinges(const WeftModel* model, const WeftFabric* fabric, Net* net) {
    int count = 3 * weft_triangle_count(model);
    const int* triangles = weft_triangles(model);
    Side* sides = malloc((size_t)count * sizeof *sides);
    if (!sides) return false;
    for (int s = 0; s < count; s++) {
        const int* triangle = triangles + s / 3 * 3;
        int a = triangle[s % 3], b = triangle[(s + 1) % 3], corner = triangle[(s + 2) % 3];
        sides[s] = (Side){a < b ? a : b, a < b ? b : a, corner};
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    for (int s = 0; s + 1 < count; s++) {
        const Side *one = &sides[s], *two = &sides[s + 1];
        if (compare_sides(one, two) == 0)
            net->hinges[net->hinge_count++] =
                make_hinge(net->positions, one->corner, two->corner, one->a, one->b, fabric->bend);
    }
    free(sides);
    return true;
}

bool create_net(const WeftModel* model, const WeftState* start, const WeftFabric* fabric,
                Net* net) {
    size_t n = (size_t)weft_vertex_count(model), edges = (size_t)weft_edge_count(model);
    *net = (Net){.vertex_count = (int)n, .spring_count = (int)edges};
    net->positions = malloc(3 * n * sizeof(double));
    net->masses = malloc(n * sizeof(double));
    net->pinned = malloc(n * sizeof(bool));
    net->springs = malloc(edges * sizeof *net->springs);
    net->hinges = malloc(edges * sizeof *net->hinges);  // at most one per edge
    bool good = net->positions && net->masses && net->pinned && net->springs && net->hinges;
    if (good) {
        memcpy(net->positions, weft_positions(start), 3 * n * sizeof(double));
        memcpy(net->masses, weft_masses(model), n * sizeof(double));
        for (size_t i = 0; i < n; i++) net->pinned[i] = weft_is_pinned(start, (int)i);
        fill_springs(model, fabric, net);
        good = fill_hinges(model, fabric, net);
    }
    if (!good) destroy_net(net);
    return good;
}

void destroy_net(Net* net) {
    free(net->positions);
    free(net->masses);
    free(net->pinned);
    free(net->springs);
    free(net->hinges);
    *net = (Net){0};
}
