// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Balls: the sides of an icosahedron in n rows of triangles, moved out to the sphere. Vertices are
// its corners, then those within its edges, then those within its sides.
//
//            c o               (i, j): i rows from a towards b, j towards c; k = n - i - j
//             / \              k = 0 is the edge b c
//            o---o
//           / \ / \            areas of triangles differ by a factor of 2 at most, 20 n^2 of them
//        a o---o---o b

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/mesh.h"

enum { CORNERS = 12, EDGES = 30, SIDES = 20 };

// Top and bottom, then a ring of five below the one, and one above the other.
static const int sides[SIDES][3] = {
    {0, 2, 3},  {0, 3, 4},  {0, 4, 5},  {0, 5, 6},  {0, 6, 2},   {2, 7, 3},  {3, 8, 4},
    {4, 9, 5},  {5, 10, 6}, {6, 11, 2}, {3, 7, 8},  {4, 8, 9},   {5, 9, 10}, {6, 10, 11},
    {2, 11, 7}, {1, 8, 7},  {1, 9, 8},  {1, 10, 9}, {1, 11, 10}, {1, 7, 11},
};

// The edges of an equilateral triangle over the radius, where 20 have the area of the sphere.
static const double EDGE_OF_ONE = 1.2046;

typedef struct Ball {
    WeftMesh* mesh;
    double radius;
    int n;
    int edges[EDGES][2];  // lower corner first
    WfVec corners[CORNERS];
} Ball;

WeftBallDef weft_default_ball_def(void) { return (WeftBallDef){.radius = 0.5, .edge = 0.03}; }

// By roots alone, so that it has the same bits everywhere.
static void place_corners(WfVec corners[CORNERS]) {
    double five = sqrt(5), y = 1 / five, r = 2 / five;
    double c1 = (five - 1) / 4, s1 = sqrt(10 + 2 * five) / 4;   // of 72 degrees
    double c2 = -(five + 1) / 4, s2 = sqrt(10 - 2 * five) / 4;  // of 144 degrees
    const double c[5] = {1, c1, c2, c2, c1}, s[5] = {0, s1, s2, -s2, -s1};
    corners[0] = (WfVec){0, 1, 0};
    corners[1] = (WfVec){0, -1, 0};
    for (int k = 0; k < 5;
         k++) {  // counter-clockwise seen from above; the lower ring half a step on
        corners[2 + k] = (WfVec){r * c[k], y, 0 - r * s[k]};
        int across = (k + 3) % 5;
        corners[7 + k] = (WfVec){0 - r * c[across], -y, r * s[across]};
    }
}

static void list_edges(Ball* ball) {
    int count = 0;
    for (int s = 0; s < SIDES; s++)
        for (int k = 0; k < 3; k++) {
            int a = sides[s][k], b = sides[s][(k + 1) % 3];
            if (a > b) continue;  // its other side has it the other way round
            ball->edges[count][0] = a;
            ball->edges[count++][1] = b;
        }
}

// The vertex `along` the edge from corner a to b, from 0 to n.
static int edge_vertex(const Ball* ball, int a, int b, int along) {
    if (along == 0 || along == ball->n) return along == 0 ? a : b;
    int low = a < b ? a : b, high = a < b ? b : a, e = 0;
    while (ball->edges[e][0] != low || ball->edges[e][1] != high) e++;
    return CORNERS + e * (ball->n - 1) + (a < b ? along : ball->n - along) - 1;
}

static int side_vertex(const Ball* ball, int side, int i, int j) {
    const int* v = sides[side];
    int n = ball->n, within = (n - 1) * (n - 2) / 2;
    if (j == 0) return edge_vertex(ball, v[0], v[1], i);
    if (i == 0) return edge_vertex(ball, v[0], v[2], j);
    if (i + j == n) return edge_vertex(ball, v[1], v[2], j);
    int above = (i - 1) * (n - 2) - (i - 1) * (i - 2) / 2;  // in the rows before: n - 2, n - 3 ...
    return CORNERS + EDGES * (n - 1) + side * within + above + j - 1;
}

static void place_side(const Ball* ball, int side) {
    const int* v = sides[side];
    for (int i = 0; i <= ball->n; i++)
        for (int j = 0; j <= ball->n - i; j++) {
            // the same sum from either side of an edge: corners in the order of their numbers
            double share[CORNERS] = {0};
            share[v[0]] = ball->n - i - j, share[v[1]] = i, share[v[2]] = j;
            WfVec x = {0, 0, 0};
            for (int c = 0; c < CORNERS; c++)
                if (share[c] > 0) x = wf_madd(x, share[c], ball->corners[c]);
            wf_store(ball->mesh->positions, side_vertex(ball, side, i, j),
                     wf_mul(ball->radius, wf_unit(x)));
        }
}

static void add_triangle(WeftMesh* mesh, int* count, int a, int b, int c) {
    int* corner = mesh->triangles + 3 * (long)(*count)++;
    corner[0] = a, corner[1] = b, corner[2] = c;
}

static void fill_side(const Ball* ball, int side, int* count) {
    for (int i = 0; i < ball->n; i++)
        for (int j = 0; j < ball->n - i; j++) {
            int a = side_vertex(ball, side, i, j), b = side_vertex(ball, side, i + 1, j);
            int c = side_vertex(ball, side, i, j + 1);
            add_triangle(ball->mesh, count, a, b, c);
            if (i + j + 2 > ball->n) continue;
            add_triangle(ball->mesh, count, b, side_vertex(ball, side, i + 1, j + 1), c);
        }
}

static WeftResult check_ball(const WeftBallDef* def, WeftError* error) {
    if (!(def->radius > 0 && isfinite(def->radius)))
        return wf_fail(error, WEFT_ERROR_INPUT, "a ball of radius %g m has no volume", def->radius);
    if (!(def->edge > 0 && isfinite(def->edge)))
        return wf_fail(error, WEFT_ERROR_INPUT, "an edge of %g m is not a length", def->edge);
    double n = EDGE_OF_ONE * def->radius / def->edge + 0.5;
    if (!(10 * n * n + 2 <= WF_MAX_MESH_VERTICES))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "edges of %g m on a ball of radius %g m make more than %d vertices",
                       def->edge, def->radius, WF_MAX_MESH_VERTICES);
    return WEFT_OK;
}

WeftResult weft_make_ball(const WeftBallDef* def, const WeftAllocator* allocator, WeftMesh* mesh,
                          WeftError* error) {
    *mesh = (WeftMesh){0};
    WeftResult result = check_ball(def, error);
    if (result) return result;
    Ball ball = {.mesh = mesh, .radius = def->radius};
    ball.n = (int)fmax(1, floor(EDGE_OF_ONE * def->radius / def->edge + 0.5));
    int square = ball.n * ball.n, count = 0;
    result = wf_mesh_create(mesh, allocator, 10 * square + 2, SIDES * square, 0, error);
    if (result) return result;
    wf_free(&mesh->allocator, mesh->material);  // no ball can be laid flat
    mesh->material = NULL;
    mesh->material_count = 0;
    place_corners(ball.corners);
    list_edges(&ball);
    for (int s = 0; s < SIDES; s++) {
        place_side(&ball, s);
        fill_side(&ball, s, &count);
    }
    return WEFT_OK;
}
