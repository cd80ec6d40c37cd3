// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies for tests: closed tubes of elliptic rings that are stuck into each other, of known girths.

#ifndef WEFT_TEST_BODY_H
#define WEFT_TEST_BODY_H

#include <math.h>
#include <string.h>

#include "test.h"

enum { BODY_ROOM = 20000, BODY_SEGMENTS = 32 };

typedef struct TestBody {
    int vertex_count, triangle_count;
    double positions[3 * BODY_ROOM];
    int triangles[3 * 2 * BODY_ROOM];
} TestBody;

// A ring: where its middle is, and its half axes across and in z.
typedef struct TestRing {
    double x, y, z, across, deep;
} TestRing;

static inline void add_body_triangle(TestBody* body, int a, int b, int c) {
    int corners[3] = {a, b, c};
    memcpy(body->triangles + 3 * body->triangle_count++, corners, sizeof corners);
}

static inline int add_body_vertex(TestBody* body, double x, double y, double z) {
    double at[3] = {x, y, z};
    memcpy(body->positions + 3 * body->vertex_count, at, sizeof at);
    return body->vertex_count++;
}

// Rings follow each other in the plane z = const, each across the line to the next; closed by fans.
// Wound outwards.
static inline void add_tube(TestBody* body, const TestRing* rings, int count) {
    int first = body->vertex_count;
    const TestRing *from = &rings[0], *to = &rings[count - 1];
    double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
    double ax = dy / length, ay = -dx / length;  // across
    for (int r = 0; r < count; r++)
        for (int k = 0; k < BODY_SEGMENTS; k++) {
            double angle = 2 * 3.14159265358979 * k / BODY_SEGMENTS;
            double u = rings[r].across * cos(angle), v = rings[r].deep * sin(angle);
            add_body_vertex(body, rings[r].x + u * ax, rings[r].y + u * ay, rings[r].z + v);
        }
    for (int r = 0; r + 1 < count; r++)
        for (int k = 0; k < BODY_SEGMENTS; k++) {
            int a = first + r * BODY_SEGMENTS + k;
            int b = first + r * BODY_SEGMENTS + (k + 1) % BODY_SEGMENTS;
            add_body_triangle(body, a, a + BODY_SEGMENTS, b);
            add_body_triangle(body, b, a + BODY_SEGMENTS, b + BODY_SEGMENTS);
        }
    int low = add_body_vertex(body, from->x, from->y, from->z);
    int high = add_body_vertex(body, to->x, to->y, to->z);
    for (int k = 0; k < BODY_SEGMENTS; k++) {
        int next = (k + 1) % BODY_SEGMENTS, top = first + (count - 1) * BODY_SEGMENTS;
        add_body_triangle(body, low, first + k, first + next);
        add_body_triangle(body, high, top + next, top + k);
    }
}

// The tape around a ring of such a tube.
static inline double ring_girth(double across, double deep) {
    double sum = 0;
    for (int k = 0; k < BODY_SEGMENTS; k++) {
        double a = 2 * 3.14159265358979 * k / BODY_SEGMENTS;
        double b = 2 * 3.14159265358979 * (k + 1) / BODY_SEGMENTS;
        double u = across * (cos(b) - cos(a)), v = deep * (sin(b) - sin(a));
        sum += sqrt(u * u + v * v);
    }
    return sum;
}

#define ADD_TUBE(body, ...)                           \
    add_tube((body), (const TestRing[]){__VA_ARGS__}, \
             (int)(sizeof((const TestRing[]){__VA_ARGS__}) / sizeof(TestRing)))

// 1.75 m high, crotch at 0.80 (`legs_apart`), armpits at about 1.33, arms `degrees` below the
// horizontal: shoulders at 1.4, wrists 0.52 along the arm, hands up to 0.70. `wide` is for the
// trunk alone.
static inline TestBody* make_test_body(double degrees, double wide, bool arms, bool legs) {
    TestBody* body = calloc(1, sizeof *body);
    if (!body) abort();
    double w = wide;
    ADD_TUBE(body, {0, 0.80, 0, 0.10 * w, 0.08 * w}, {0, 0.82, 0, 0.165 * w, 0.11 * w},
             {0, 0.90, 0, 0.18 * w, 0.12 * w}, {0, 1.00, 0, 0.16 * w, 0.11 * w},
             {0, 1.10, 0, 0.13 * w, 0.10 * w}, {0, 1.20, 0, 0.15 * w, 0.115 * w},
             {0, 1.26, 0, 0.16 * w, 0.125 * w}, {0, 1.32, 0, 0.16 * w, 0.115 * w},
             {0, 1.40, 0, 0.16 * w, 0.09 * w}, {0, 1.44, 0, 0.12 * w, 0.07 * w},
             {0, 1.47, 0, 0.065, 0.065}, {0, 1.51, 0, 0.055, 0.055}, {0, 1.54, 0, 0.06, 0.07},
             {0, 1.60, 0, 0.075, 0.095}, {0, 1.68, 0, 0.075, 0.095}, {0, 1.73, 0, 0.05, 0.06},
             {0, 1.75, 0, 0.01, 0.01});
    double c = cos(degrees * 3.14159265358979 / 180), s = sin(degrees * 3.14159265358979 / 180);
    for (int side = -1; side <= 1; side += 2) {
        double x0 = side * (0.16 * w - 0.03), y0 = 1.38;
        double leg = side * 0.09 * w, thick = 0.075 * w;
        if (legs)
            ADD_TUBE(body, {leg, 0, 0.05, 0.04, 0.1}, {leg, 0.05, 0.03, 0.04, 0.08},
                     {leg, 0.10, 0, 0.035, 0.035}, {leg, 0.30, 0, 0.055, 0.055},
                     {leg, 0.48, 0, 0.055, 0.055}, {leg, 0.70, 0, thick, thick},
                     {leg, 0.85, 0, thick, thick});
        if (arms)
            ADD_TUBE(body, {x0, y0, 0, 0.05, 0.05},
                     {x0 + side * 0.3 * c, y0 - 0.3 * s, 0, 0.045, 0.045},
                     {x0 + side * 0.4 * c, y0 - 0.4 * s, 0, 0.04, 0.04},
                     {x0 + side * 0.52 * c, y0 - 0.52 * s, 0, 0.026, 0.026},
                     {x0 + side * 0.60 * c, y0 - 0.60 * s, 0, 0.03, 0.04},
                     {x0 + side * 0.66 * c, y0 - 0.66 * s, 0, 0.015, 0.035},
                     {x0 + side * 0.70 * c, y0 - 0.70 * s, 0, 0.01, 0.02});
    }
    return body;
}

#endif
