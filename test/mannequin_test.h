// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What tests of mannequins measure: edges, angles, girths, distances between parts, crossings.

#ifndef WEFT_MANNEQUIN_TEST_H
#define WEFT_MANNEQUIN_TEST_H

#include "base/vec.h"
#include "test.h"
#include "weft/weft_garment.h"
#include "weft/weft_io.h"

// Height, chest, waist, hips; zeros are left to the mannequin.
typedef struct Size {
    WeftMannequinKind kind;
    double height, chest, waist, hips;
} Size;

static inline WeftFigure make_size(Size size) {
    WeftMannequinDef def = weft_default_mannequin_def(size.kind);
    def.height = size.height;
    def.chest = size.chest;
    def.waist = size.waist;
    def.hips = size.hips;
    WeftFigure figure;
    WeftError error = {0};
    if (!CHECK(weft_make_mannequin(&def, NULL, &figure, &error) == WEFT_OK))
        printf("%s\n", error.message);
    return figure;
}

static inline double* pose_at(const WeftFigure* figure, const char* clip, double time) {
    double* positions = malloc(3 * (size_t)figure->vertex_count * sizeof *positions);
    CHECK(weft_pose_figure(figure, weft_find_clip(figure, clip), time, positions, NULL) == WEFT_OK);
    return positions;
}

// ---------------------------------------------------------------------------------------------
// Meshes

typedef struct HalfEdge {
    int low, high, sign;
} HalfEdge;

static inline int compare_half_edges(const void* a, const void* b) {
    const HalfEdge *p = a, *q = b;
    return p->low != q->low ? p->low - q->low : p->high - q->high;
}

// Every edge has two triangles that run along it in opposite directions.
static inline bool is_closed(const WeftFigure* figure) {
    long count = 3L * figure->triangle_count;
    HalfEdge* edges = malloc((size_t)count * sizeof *edges);
    for (long h = 0; h < count; h++) {
        int a = figure->triangles[h], b = figure->triangles[h % 3 == 2 ? h - 2 : h + 1];
        edges[h] = a < b ? (HalfEdge){a, b, 1} : (HalfEdge){b, a, -1};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_half_edges);
    bool closed = count % 2 == 0;
    for (long h = 0; closed && h < count; h += 2)
        closed = !compare_half_edges(&edges[h], &edges[h + 1]) &&
                 edges[h].sign + edges[h + 1].sign == 0 &&
                 (h + 2 == count || compare_half_edges(&edges[h], &edges[h + 2]));
    free(edges);
    return closed;
}

static inline double least_angle(const double* positions, const int* t) {
    double least = 180;
    for (int i = 0; i < 3; i++) {
        WfVec p = wf_load(positions, t[i]);
        WfVec u = wf_unit(wf_sub(wf_load(positions, t[(i + 1) % 3]), p));
        WfVec v = wf_unit(wf_sub(wf_load(positions, t[(i + 2) % 3]), p));
        least = fmin(least, acos(fmin(fmax(wf_dot(u, v), -1), 1)) * 57.29577951308232);
    }
    return least;
}

static inline int count_crossings(const WeftFigure* figure, const double* positions) {
    WeftSurface surface = {figure->vertex_count, positions, figure->triangle_count,
                           figure->triangles, false};
    WeftCrossing found[8];
    int count = -1;
    CHECK(weft_find_crossings(&surface, 1, NULL, 8, found, &count, NULL) == WEFT_OK);
    for (int i = 0; i < count && i < 2; i++) {
        WfVec p = wf_load(figure->positions, figure->triangles[3 * (long)found[i].triangle[0]]);
        printf("crossing at %.3f %.3f %.3f of the figure at rest\n", p.x, p.y, p.z);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Parts: what bones hold most of

static inline double weight_of(const WeftFigure* figure, int vertex, const char* words) {
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        long at = 4L * vertex + k;
        if (strstr(figure->bones[figure->skin_bones[at]].name, words))
            sum += figure->skin_weights[at];
    }
    return sum;
}

static inline bool is_arm(const WeftFigure* figure, int v) {
    return weight_of(figure, v, "arm") + weight_of(figure, v, "hand") > 0.5;
}

// ---------------------------------------------------------------------------------------------
// Girths: the hull of a slice without arms

static inline int compare_points(const void* a, const void* b) {
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0] ? 1 : -1) : (p[1] > q[1]) - (p[1] < q[1]);
}

static inline double hull_length(double (*points)[2], int count) {
    qsort(points, (size_t)count, sizeof *points, compare_points);
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int n = 0;
        int* hull = malloc((size_t)count * sizeof *hull);
        for (int i = 0; i < count; i++) {
            int next = side ? count - 1 - i : i;
            while (n > 1) {
                const double *a = points[hull[n - 2]], *b = points[hull[n - 1]], *c = points[next];
                if ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0) break;
                n--;
            }
            hull[n++] = next;
        }
        for (int i = 1; i < n; i++)
            sum += wf_flat_length(points[hull[i]][0] - points[hull[i - 1]][0],
                                  points[hull[i]][1] - points[hull[i - 1]][1]);
        free(hull);
    }
    return sum;
}

static inline double girth_at(const WeftFigure* figure, const bool* arms, double y) {
    double(*points)[2] = malloc(3 * (size_t)figure->triangle_count * sizeof *points);
    int count = 0;
    for (int t = 0; t < figure->triangle_count; t++) {
        const int* corner = figure->triangles + 3 * (long)t;
        if (arms[corner[0]] || arms[corner[1]] || arms[corner[2]]) continue;
        for (int i = 0; i < 3; i++) {
            WfVec a = wf_load(figure->positions, corner[i]);
            WfVec b = wf_load(figure->positions, corner[(i + 1) % 3]);
            if ((a.y < y) == (b.y < y)) continue;
            double s = (y - a.y) / (b.y - a.y);
            points[count][0] = a.x + s * (b.x - a.x);
            points[count++][1] = a.z + s * (b.z - a.z);
        }
    }
    double length = count ? hull_length(points, count) : 0;
    free(points);
    return length;
}

// The largest (side 1) or smallest (-1) girth between two heights, by steps of 2 mm.
static inline double extreme_girth(const WeftFigure* figure, double low, double high, double side) {
    double best = -1e30;
    bool* arms = malloc((size_t)figure->vertex_count * sizeof *arms);
    for (int v = 0; v < figure->vertex_count; v++) arms[v] = is_arm(figure, v);
    for (double y = low; y <= high; y += 0.002) best = fmax(best, side * girth_at(figure, arms, y));
    free(arms);
    return side * best;
}

// ---------------------------------------------------------------------------------------------
// Distances

static inline double point_to_triangle(WfVec p, WfVec a, WfVec b, WfVec c) {
    WfVec ab = wf_sub(b, a), ac = wf_sub(c, a), ap = wf_sub(p, a);
    double d1 = wf_dot(ab, ap), d2 = wf_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return wf_length(ap);
    WfVec bp = wf_sub(p, b);
    double d3 = wf_dot(ab, bp), d4 = wf_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return wf_length(bp);
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return wf_length(wf_madd(ap, -d1 / (d1 - d3), ab));
    WfVec cp = wf_sub(p, c);
    double d5 = wf_dot(ab, cp), d6 = wf_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return wf_length(cp);
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return wf_length(wf_madd(ap, -d2 / (d2 - d6), ac));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return wf_length(wf_madd(bp, -w, wf_sub(c, b)));
    }
    double whole = 1 / (va + vb + vc);
    return wf_length(wf_madd(wf_madd(ap, -vb * whole, ab), -vc * whole, ac));
}

typedef bool Part(const WeftFigure* figure, int vertex);

// From the vertices of one part to the triangles of another; `most` where it is more.
static inline double distance_between(const WeftFigure* figure, const double* positions, Part* part,
                                      Part* other, double most) {
    unsigned char* in = calloc((size_t)figure->vertex_count, 2);
    for (int v = 0; v < figure->vertex_count; v++) {
        in[2 * v] = part(figure, v);
        in[2 * v + 1] = other(figure, v);
    }
    for (int t = 0; t < figure->triangle_count; t++) {
        const int* corner = figure->triangles + 3 * (long)t;
        if (!in[2 * corner[0] + 1] || !in[2 * corner[1] + 1] || !in[2 * corner[2] + 1]) continue;
        WfVec a = wf_load(positions, corner[0]), b = wf_load(positions, corner[1]);
        WfVec c = wf_load(positions, corner[2]);
        for (int v = 0; v < figure->vertex_count; v++) {
            WfVec p = wf_load(positions, v);
            double reach = most + 0.04;
            if (!in[2 * v] || fabs(p.y - a.y) > reach || fabs(p.x - a.x) > reach ||
                fabs(p.z - a.z) > reach)
                continue;
            most = fmin(most, point_to_triangle(p, a, b, c));
        }
    }
    free(in);
    return most;
}

#endif
