// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far a figure is from being its own mirror image: from the mirror image of each vertex to the
// surface. A tree of boxes over the triangles is built once and fitted to each frame. Only the
// worst vertex is asked for, so the search for one ends where something is no farther from it than
// that (as distances between meshes are found: Taha and Hanbury 2015).

#include <math.h>
#include <stdbool.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "contact/near.h"
#include "weft/weft_garment.h"

enum { LEAF = 4, MOST_DEPTH = 64 };

typedef struct Box {
    double low[3], high[3];
    int first, count;  // of its triangles
    int child;         // and the one after it; 0: a leaf
} Box;

typedef struct Seeker {
    const WeftFigure* figure;
    WfVec point, normal;  // of the plane; length 1
    double* x;            // posed
    int* order;           // triangles, those of a box side by side
    bool* on_surface;     // per vertex
    int box_count;
    Box* boxes;    // the root first, children after their parents
    double worst;  // so far, squared
} Seeker;

static const int* corners_of(const Seeker* s, int place) {
    return s->figure->triangles + 3 * (long)s->order[place];
}

// ---------------------------------------------------------------------------------------------
// Boxes

static void empty_box(Box* box) {
    for (int a = 0; a < 3; a++) {
        box->low[a] = HUGE_VAL;
        box->high[a] = -HUGE_VAL;
    }
}

static void grow_box(Box* box, const double* low, const double* high) {
    for (int a = 0; a < 3; a++) {
        box->low[a] = fmin(box->low[a], low[a]);
        box->high[a] = fmax(box->high[a], high[a]);
    }
}

static void fit_box(const Seeker* s, Box* box) {
    empty_box(box);
    for (int i = box->first; i < box->first + box->count; i++)
        for (int k = 0; k < 3; k++) {
            const double* x = s->x + 3 * (long)corners_of(s, i)[k];
            grow_box(box, x, x);
        }
}

static void fit_boxes(Seeker* s) {
    for (int b = s->box_count - 1; b >= 0; b--) {
        Box* box = &s->boxes[b];
        if (box->child == 0) {
            fit_box(s, box);
            continue;
        }
        empty_box(box);
        for (int k = 0; k < 2; k++)
            grow_box(box, s->boxes[box->child + k].low, s->boxes[box->child + k].high);
    }
}

// Where a triangle is along an axis, times 3.
static double place_of(const Seeker* s, int place, int axis) {
    const int* v = corners_of(s, place);
    return s->x[3 * (long)v[0] + axis] + s->x[3 * (long)v[1] + axis] + s->x[3 * (long)v[2] + axis];
}

// Triangles of a box sorted so far that the one in the middle is at its place (Hoare 1961).
static void part_at_middle(Seeker* s, const Box* box, int axis) {
    int low = box->first, high = low + box->count - 1, middle = low + box->count / 2;
    while (low < high) {
        double pivot = place_of(s, (low + high) / 2, axis);
        int i = low, j = high;
        while (i <= j) {
            while (place_of(s, i, axis) < pivot) i++;
            while (place_of(s, j, axis) > pivot) j--;
            if (i > j) break;
            int swapped = s->order[i];
            s->order[i++] = s->order[j];
            s->order[j--] = swapped;
        }
        if (j < middle) low = i;
        if (i > middle) high = j;
    }
}

static int longest_axis(const Box* box) {
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (box->high[a] - box->low[a] > box->high[longest] - box->low[longest]) longest = a;
    return longest;
}

// Boxes are halved until they are leaves; halves are appended, so that all are reached.
static void build_boxes(Seeker* s) {
    for (int t = 0; t < s->figure->triangle_count; t++) s->order[t] = t;
    s->boxes[0] = (Box){.count = s->figure->triangle_count};
    s->box_count = 1;
    for (int b = 0; b < s->box_count; b++) {
        Box* box = &s->boxes[b];
        if (box->count <= LEAF) continue;
        fit_box(s, box);
        part_at_middle(s, box, longest_axis(box));
        int half = box->count / 2;
        box->child = s->box_count;
        s->boxes[s->box_count++] = (Box){.first = box->first, .count = half};
        s->boxes[s->box_count++] = (Box){.first = box->first + half, .count = box->count - half};
    }
}

// ---------------------------------------------------------------------------------------------
// Distances, squared

static double box_distance(const Box* box, WfVec p) {
    const double at[3] = {p.x, p.y, p.z};
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double off = fmax(fmax(box->low[a] - at[a], at[a] - box->high[a]), 0);
        sum += off * off;
    }
    return sum;
}

static double leaf_distance(const Seeker* s, const Box* box, WfVec p) {
    double best = HUGE_VAL, w[3];
    for (int i = box->first; i < box->first + box->count; i++) {
        const int* v = corners_of(s, i);
        best = fmin(best, wf_near_point_triangle(p, wf_load(s->x, v[0]), wf_load(s->x, v[1]),
                                                 wf_load(s->x, v[2]), w));
    }
    return best;
}

// Of p to the surface; or, where that is no more than `enough`, anything up to it.
static double surface_distance(const Seeker* s, WfVec p, double enough) {
    int stack[MOST_DEPTH], depth = 0;
    double best = HUGE_VAL;
    stack[depth++] = 0;
    while (depth > 0 && best > enough) {
        const Box* box = &s->boxes[stack[--depth]];
        if (box_distance(box, p) >= best) continue;
        if (box->child == 0) {
            best = fmin(best, leaf_distance(s, box, p));
            continue;
        }
        const Box* half = &s->boxes[box->child];
        bool second = box_distance(half, p) > box_distance(half + 1, p);
        stack[depth++] = box->child + !second;  // the nearer one comes off first
        stack[depth++] = box->child + second;
        wf_assert(depth < MOST_DEPTH);
    }
    return best;
}

static WfVec mirrored(const Seeker* s, WfVec p) {
    return wf_madd(p, -2 * wf_dot(wf_sub(p, s->point), s->normal), s->normal);
}

// ---------------------------------------------------------------------------------------------

// Whatever of a frame is worse than what is known.
static void measure_frame(Seeker* s, double time, WeftFigureSymmetry* symmetry) {
    fit_boxes(s);
    for (int v = 0; v < s->figure->vertex_count; v++) {
        if (!s->on_surface[v]) continue;
        double square = surface_distance(s, mirrored(s, wf_load(s->x, v)), s->worst);
        if (!(square > s->worst)) continue;
        s->worst = square;
        *symmetry = (WeftFigureSymmetry){.deviation = sqrt(square), .vertex = v, .time = time};
    }
}

static WeftResult measure_frames(Seeker* s, int clip, double time, WeftFigureSymmetry* symmetry,
                                 WeftError* error) {
    bool all = time < 0 && clip >= 0;
    int frames = all ? s->figure->clips[clip].frame_count : 1;
    *symmetry = (WeftFigureSymmetry){.vertex = -1, .time = all ? 0 : time};
    for (int i = 0; i < frames; i++) {
        double at = all ? i / s->figure->clips[clip].rate : time;
        WeftResult result = weft_pose_figure(s->figure, clip, at, s->x, error);
        if (result) return result;
        if (i == 0) build_boxes(s);
        measure_frame(s, at, symmetry);
    }
    return WEFT_OK;
}

static WeftResult check_figure(const WeftFigure* figure, WeftError* error) {
    if (figure->triangle_count == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "symmetry: the figure has no triangles");
    for (long c = 0; c < 3L * figure->triangle_count; c++)
        if (figure->triangles[c] < 0 || figure->triangles[c] >= figure->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "symmetry: triangle %ld names vertex %d, but there are %d", c / 3,
                           figure->triangles[c], figure->vertex_count);
    for (long i = 0; i < 3L * figure->vertex_count; i++)
        if (!isfinite(figure->positions[i]))
            return wf_fail(error, WEFT_ERROR_INPUT, "symmetry: vertex %ld is not at any place",
                           i / 3);
    return WEFT_OK;
}

static WeftResult check_input(const WeftFigure* figure, int clip, double time,
                              const WeftPlane* plane, WeftError* error) {
    double length = wf_length(wf_load(plane->normal, 0));
    if (!(length > 0 && isfinite(length)))
        return wf_fail(error, WEFT_ERROR_INPUT, "symmetry: the plane's normal has no length");
    for (int k = 0; k < 3; k++)
        if (!isfinite(plane->point[k]))
            return wf_fail(error, WEFT_ERROR_INPUT, "symmetry: the plane's point is at %g",
                           plane->point[k]);
    if (clip < -1 || clip >= figure->clip_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "symmetry: there is no clip %d, but %d of them",
                       clip, figure->clip_count);
    if (!isfinite(time))
        return wf_fail(error, WEFT_ERROR_INPUT, "symmetry: a time of %g s is none", time);
    return check_figure(figure, error);
}

WeftResult weft_measure_symmetry(const WeftFigure* figure, int clip, double time,
                                 const WeftPlane* plane, WeftFigureSymmetry* symmetry,
                                 WeftError* error) {
    const WeftAllocator* a = &figure->allocator;
    size_t n = (size_t)figure->vertex_count, triangles = (size_t)figure->triangle_count;
    WeftResult result = check_input(figure, clip, time, plane, error);
    if (result) return result;
    Seeker s = {.figure = figure, .point = wf_load(plane->point, 0)};
    s.normal = wf_unit(wf_load(plane->normal, 0));
    s.x = wf_alloc(a, 3 * n, sizeof *s.x);
    s.order = wf_alloc(a, triangles, sizeof *s.order);
    s.on_surface = wf_alloc(a, n, sizeof *s.on_surface);
    s.boxes = wf_alloc(a, 2 * triangles, sizeof *s.boxes);
    if (s.x && s.order && s.on_surface && s.boxes) {
        for (size_t c = 0; c < 3 * triangles; c++) s.on_surface[figure->triangles[c]] = true;
        result = measure_frames(&s, clip, time, symmetry, error);
    } else {
        result = wf_fail_memory(error);
    }
    wf_free(a, s.x);
    wf_free(a, s.order);
    wf_free(a, s.on_surface);
    wf_free(a, s.boxes);
    return result;
}
