// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "slip.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST = 50 };
static const double OFF = 0.1;  // m

// ---------------------------------------------------------------------------------------------
// The nearest point of the body

static double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double* a, const double* b, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double clamp_part(double part) { return part < 0 ? 0 : part > 1 ? 1 : part; }

// The nearest point of the edge from corner `i` to the next.
static double near_edge(const double* p, double* const corners[3], int i, double weights[3]) {
    int j = (i + 1) % 3;
    double e[3], d[3], square = 0;
    subtract(corners[j], corners[i], e);
    subtract(p, corners[i], d);
    double length = dot(e, e), t = length > 0 ? clamp_part(dot(d, e) / length) : 0;
    weights[i] = 1 - t, weights[j] = t, weights[3 - i - j] = 0;
    for (int k = 0; k < 3; k++) square += (d[k] - t * e[k]) * (d[k] - t * e[k]);
    return square;
}

// The square of the distance to a triangle, and the weights of its nearest point.
static double near_triangle(const double* p, double* const corners[3], double weights[3]) {
    double u[3], v[3], d[3], trial[3], least = DBL_MAX;
    subtract(corners[1], corners[0], u);
    subtract(corners[2], corners[0], v);
    subtract(p, corners[0], d);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), area = uu * vv - uv * uv;
    double du = dot(d, u), dv = dot(d, v);
    double s = (vv * du - uv * dv) / area, t = (uu * dv - uv * du) / area;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        double square = 0;
        weights[0] = 1 - s - t, weights[1] = s, weights[2] = t;
        for (int k = 0; k < 3; k++) {
            double x = d[k] - s * u[k] - t * v[k];
            square += x * x;
        }
        return square;
    }
    for (int i = 0; i < 3; i++) {
        double square = near_edge(p, corners, i, trial);
        if (square >= least) continue;
        least = square;
        memcpy(weights, trial, sizeof trial);
    }
    return least;
}

// Fills all of `point` but its vertex; returns the square of the distance.
static double near_body(const Fitting* fitting, const double* p, WeftBodyPoint* point) {
    const WeftFigure* figure = &fitting->def.wearer->figure;
    double least = DBL_MAX, weights[3];
    for (int t = 0; t < figure->triangle_count; t++) {
        double* corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = fitting->shapes[0] + 3 * (size_t)figure->triangles[3 * (size_t)t + k];
        double square = near_triangle(p, corners, weights);
        if (square >= least) continue;
        least = square;
        point->triangle = t, point->lift = 0;
        memcpy(point->weights, weights, sizeof weights);
    }
    return least;
}

// ---------------------------------------------------------------------------------------------
// Marks

static bool keeps_up(const WeftPattern* pattern, const char* label) {
    static const char* const words[] = {"waist", "neckline", "collar", "strap", "lower_interface"};
    for (int i = 0; i < pattern->hold_count; i++)
        if (label[0] && strcmp(pattern->holds[i].label, label) == 0) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(label, words[i])) return true;
    return false;
}

static int mark_sides(const Fitting* fitting, bool* marked, bool* at_waist) {
    const WeftGarment* g = &fitting->outfit.worn[0].garment;
    int count = 0;
    for (int p = 0; p < g->panel_count; p++)
        for (int s = g->first_side[p]; s < g->first_side[p + 1]; s++) {
            const char* label = fitting->def.pattern->panels[p].sides[s - g->first_side[p]].label;
            if (!keeps_up(fitting->def.pattern, label)) continue;
            *at_waist = *at_waist || strstr(label, "waist") != NULL;
            for (int i = g->side_start[s]; i < g->side_start[s + 1]; i++) {
                count += !marked[g->side_vertices[i]];
                marked[g->side_vertices[i]] = true;
            }
        }
    return count;
}

static void mark_nearest(const Fitting* fitting, bool* marked) {
    int n = fitting->surfaces[0].vertex_count;
    double *squares = need((size_t)n, sizeof *squares), *sorted = need((size_t)n, sizeof *sorted);
    WeftBodyPoint point;
    for (int v = 0; v < n; v++)
        sorted[v] = squares[v] =
            near_body(fitting, weft_positions(fitting->state) + 3 * (size_t)v, &point);
    sort_numbers(sorted, n);
    double bound = sorted[n > NEAREST ? NEAREST - 1 : n - 1];
    for (int v = 0; v < n; v++) marked[v] = squares[v] <= bound;
    free(squares);
    free(sorted);
}

void set_marks(const Fitting* fitting, Marks* marks) {
    int n = fitting->surfaces[0].vertex_count;
    bool* marked = need((size_t)n, sizeof *marked);
    *marks = (Marks){.points = need((size_t)n, sizeof *marks->points)};
    if (mark_sides(fitting, marked, &marks->at_waist) == 0) mark_nearest(fitting, marked);
    for (int v = 0; v < n; v++) {
        if (!marked[v]) continue;
        WeftBodyPoint* point = &marks->points[marks->count++];
        point->vertex = v;
        near_body(fitting, weft_positions(fitting->state) + 3 * (size_t)v, point);
    }
    free(marked);
}

void destroy_marks(Marks* marks) {
    free(marks->points);
    *marks = (Marks){0};
}

Slip measure_slip(const Fitting* fitting, const Marks* marks) {
    const Wearer* wearer = fitting->def.wearer;
    const int* triangles = wearer->figure.triangles;
    double height = 0;
    Slip slip = {0};
    for (int i = 0; i < marks->count; i++) {
        const double* p = weft_positions(fitting->state) + 3 * (size_t)marks->points[i].vertex;
        WeftBodyPoint now = {0};
        double was[3], is[3], d[3];
        near_body(fitting, p, &now);
        weft_follow_body(&marks->points[i], fitting->shapes[0], triangles, was);
        weft_follow_body(&now, fitting->shapes[0], triangles, is);
        subtract(is, was, d);
        slip.distance += sqrt(dot(d, d)) / marks->count;
        slip.drop -= d[1] / marks->count;
        height += p[1] / marks->count;
    }
    slip.off = slip.drop > OFF || (marks->at_waist && wearer->measured &&
                                   height < wearer->measures.floor + wearer->measures.hip_height);
    return slip;
}
