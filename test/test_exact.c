// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/exact.c: signs that doubles alone would get wrong.

#include "mesh/exact.h"

#include "test.h"

static const WfPoint middle = {WF_GRID_SIZE / 2, WF_GRID_SIZE / 2};

static WfPoint at(int x, int y) { return (WfPoint){middle.x + x, middle.y + y}; }

static void orientation(void) {
    WfPoint a = {0, 0}, b = {WF_GRID_SIZE, WF_GRID_SIZE - 1};
    CHECK(wf_orient(a, b, (WfPoint){WF_GRID_SIZE, WF_GRID_SIZE}) > 0);
    CHECK(wf_orient(a, b, (WfPoint){WF_GRID_SIZE / 2, WF_GRID_SIZE / 2}) > 0);
    CHECK(wf_orient(a, b, (WfPoint){WF_GRID_SIZE / 2, WF_GRID_SIZE / 2 - 1}) < 0);
    CHECK(wf_orient(a, b, b) == 0);
}

// 20 points of the circle of radius 5^2 13 k, from the ways to write it as a sum of two squares
static void on_a_large_circle(void) {
    int k = 100000, count = 0;
    static const int legs[][2] = {{325, 0},   {315, 80},  {312, 91},  {300, 125},
                                  {280, 165}, {260, 195}, {253, 204}, {36, 323}};
    WfPoint ring[64];
    for (int i = 0; i < 8; i++)
        for (int s = 0; s < 4; s++) {
            int x = legs[i][0] * (s & 1 ? -1 : 1), y = legs[i][1] * (s & 2 ? -1 : 1);
            if ((s & 2) && y == 0) continue;
            ring[count++] = at(x * k, y * k);
        }
    CHECK(count == 30);
    int wrong = 0;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            for (int c = 0; c < count; c++) {
                if (wf_orient(ring[a], ring[b], ring[c]) <= 0) continue;
                for (int d = 0; d < count; d++) {
                    WfPoint p = ring[d], in = p, out = p;
                    in.x += p.x < middle.x ? 1 : -1;  // one step in, one step out
                    out.x += p.x < middle.x ? -1 : 1;
                    if (p.x == middle.x) continue;
                    wrong += wf_in_circle(ring[a], ring[b], ring[c], p) != 0;
                    wrong += wf_in_circle(ring[a], ring[b], ring[c], in) <= 0;
                    wrong += wf_in_circle(ring[a], ring[b], ring[c], out) >= 0;
                }
            }
    CHECK(wrong == 0);
}

static void corners_of_the_grid(void) {
    WfPoint a = {0, 0}, b = {WF_GRID_SIZE, 0}, c = {WF_GRID_SIZE, WF_GRID_SIZE};
    CHECK(wf_in_circle(a, b, c, (WfPoint){0, WF_GRID_SIZE}) == 0);
    CHECK(wf_in_circle(a, b, c, (WfPoint){1, WF_GRID_SIZE - 1}) > 0);
    CHECK(wf_in_circle(a, b, c, (WfPoint){0, WF_GRID_SIZE - 1}) > 0);
    CHECK(wf_in_circle(b, c, (WfPoint){0, WF_GRID_SIZE}, a) == 0);
    // nearly flat: the circle is much larger than the grid
    WfPoint d = {WF_GRID_SIZE / 2, 1};
    CHECK(wf_in_circle(a, b, d, (WfPoint){WF_GRID_SIZE / 2, 2}) < 0);
    CHECK(wf_in_circle(a, b, d, (WfPoint){WF_GRID_SIZE / 2 + 1, 1}) < 0);
    CHECK(wf_in_circle(a, b, d, (WfPoint){WF_GRID_SIZE / 2, 0}) > 0);
}

TEST_MAIN(CASE(orientation), CASE(on_a_large_circle), CASE(corners_of_the_grid))
