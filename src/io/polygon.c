// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ear clipping. An ear is a corner that turns outwards and whose triangle holds no other corner:
//
//        b
//       / \         (a, b, c) is an ear: cut it off along the diagonal ac, go on with the rest.
//      a - - c      Of all ears we take the one with the shortest diagonal, so that a convex quad
//      |     |      is cut along its shorter diagonal and a concave one along the one inside it.
//
// Only corners that turn inwards can lie in an ear, so convex polygons need no such test. Corners
// on a straight side count as turning inwards: their triangle has no area.

#include "io/polygon.h"

#include <math.h>
#include <stdbool.h>

#include "base/assert.h"
#include "base/vec.h"

typedef struct Point {
    double x, y;
} Point;

typedef struct Polygon {
    const double* points;
    double tiny;                     // areas below it are none
    Point flat[WF_POLYGON_CORNERS];  // seen from where it turns to the left
    int before[WF_POLYGON_CORNERS], after[WF_POLYGON_CORNERS];
    bool inward[WF_POLYGON_CORNERS];
} Polygon;

// twice the area of a, b, c
static double area(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// the sum of the cross products of the corners' positions: normal to the polygon, twice its area
static WfVec newell_normal(const double* points, int count) {
    WfVec first = wf_load(points, 0), normal = {0, 0, 0};
    for (int i = 1; i + 1 < count; i++) {
        WfVec a = wf_sub(wf_load(points, i), first), b = wf_sub(wf_load(points, i + 1), first);
        normal = wf_add(normal, wf_cross(a, b));
    }
    return normal;
}

// drop the coordinate along which the polygon is flattest
static void flatten(Polygon* polygon, int count) {
    WfVec normal = newell_normal(polygon->points, count);
    double n[3] = {normal.x, normal.y, normal.z};
    int axis = 2;
    for (int k = 0; k < 2; k++)
        if (fabs(n[k]) > fabs(n[axis])) axis = k;
    double side = n[axis] < 0 ? -1 : 1;
    for (int i = 0; i < count; i++) {
        const double* p = polygon->points + 3 * i;
        polygon->flat[i] = (Point){side * p[(axis + 1) % 3], p[(axis + 2) % 3]};
    }
    polygon->tiny = 1e-12 * fabs(n[axis]);
}

static double corner_area(const Polygon* polygon, int i) {
    return area(polygon->flat[polygon->before[i]], polygon->flat[i],
                polygon->flat[polygon->after[i]]);
}

static bool holds_corner(const Polygon* polygon, int b) {
    int a = polygon->before[b], c = polygon->after[b];
    const Point* flat = polygon->flat;
    for (int i = polygon->after[c]; i != a; i = polygon->after[i]) {
        if (!polygon->inward[i]) continue;
        if (area(flat[a], flat[b], flat[i]) >= -polygon->tiny &&
            area(flat[b], flat[c], flat[i]) >= -polygon->tiny &&
            area(flat[c], flat[a], flat[i]) >= -polygon->tiny)
            return true;
    }
    return false;
}

// The ear to cut next, of `left` corners from `start` on. A polygon that crosses itself may have
// none: then the corner that turns outwards most.
static int find_ear(const Polygon* polygon, int start, int left) {
    int best = -1, widest = start;
    double shortest = HUGE_VAL;
    for (int k = 0, i = start; k < left; k++, i = polygon->after[i]) {
        if (corner_area(polygon, i) > corner_area(polygon, widest)) widest = i;
        if (polygon->inward[i]) continue;
        WfVec diagonal = wf_sub(wf_load(polygon->points, polygon->before[i]),
                                wf_load(polygon->points, polygon->after[i]));
        double length = wf_length(diagonal);
        // equal diagonals of a regular grid shall not be told apart by their rounding
        if (length < shortest * (1 - 1e-9) && !holds_corner(polygon, i)) {
            shortest = length;
            best = i;
        }
    }
    return best >= 0 ? best : widest;
}

void wf_cut_polygon(const double* points, int count, int* triangles) {
    wf_assert(count >= 3 && count <= WF_POLYGON_CORNERS);
    Polygon polygon;  // large, and all that is read is set below
    polygon.points = points;
    flatten(&polygon, count);
    for (int i = 0; i < count; i++) {
        polygon.before[i] = (i + count - 1) % count;
        polygon.after[i] = (i + 1) % count;
    }
    for (int i = 0; i < count; i++) polygon.inward[i] = !(corner_area(&polygon, i) > polygon.tiny);

    // from corner 1 on: where all is equal, the first cut is 0-2, as a fan has it
    int start = 1;
    for (int left = count; left >= 3; left--) {
        int b = left > 3 ? find_ear(&polygon, start, left) : start;
        int a = polygon.before[b], c = polygon.after[b];
        *triangles++ = a;
        *triangles++ = b;
        *triangles++ = c;
        polygon.after[a] = c;
        polygon.before[c] = a;
        polygon.inward[a] = !(corner_area(&polygon, a) > polygon.tiny);
        polygon.inward[c] = !(corner_area(&polygon, c) > polygon.tiny);
        start = c;
    }
}
