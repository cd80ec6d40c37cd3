// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards: a line across the whole cloth parts it in two, also where it is off the cloth and the
// cloth not flat; one that ends inside does not. A flag once hung by a thread behind a sword that
// passed 30 cm beside it.

#include <math.h>
#include <string.h>

#include "tear_test.h"

enum { CELLS = 12 };
static const double EDGE = 1.0 / CELLS;

// In the plane of the sheet, which takes up 0 to 1 and -1 to 0.
typedef struct Line {
    double from[2], to[2];
} Line;

static void open_sheet(Curtain* c) {
    curtain_def(c, CELLS);
    c->cloth.pin_count = 0;
    c->def.tear_at_once = true;
    curtain_open(c);
    memset(c->step.gravity, 0, sizeof c->step.gravity);
}

static void raise_waves(Curtain* c, double height) {
    double x[3 * (CELLS + 1) * (CELLS + 1)];
    memcpy(x, c->mesh.positions, sizeof x);
    for (int i = 0; i < c->mesh.vertex_count; i++)
        x[3 * i + 2] = height * sin(7 * x[3 * i] + 4 * x[3 * i + 1]);
    weft_set_positions(c->state, x);
}

// How many pieces there are behind a cut along the line, `off` beside the plane.
static int cut_sheet(Curtain* c, double waves, double off, const Line* line) {
    double points[] = {line->from[0], line->from[1], off, line->to[0], line->to[1], off};
    WeftCutDef cut = weft_default_cut_def();
    int edges = 0;
    cut.points = points;
    cut.point_count = 2;
    cut.reach = 0.4;
    weft_reset_state(c->state);
    raise_waves(c, waves);
    CHECK(!weft_cut(c->state, &cut, &edges, NULL) && edges > 0);
    take_steps(c->state, &c->step, 1);
    return count_pieces(weft_state_model(c->state));
}

static Line turned(Line a) { return (Line){{a.to[0], a.to[1]}, {a.from[0], a.from[1]}}; }

static bool parts(Curtain* c, double waves, double off, Line line, int pieces) {
    Line back = turned(line);
    int there = cut_sheet(c, waves, off, &line), again = cut_sheet(c, waves, off, &back);
    if (CHECK(there == pieces && again == pieces)) return true;
    printf("waves %g, off %g, (%g %g) to (%g %g): %d and %d pieces\n", waves, off, line.from[0],
           line.from[1], line.to[0], line.to[1], there, again);
    return false;
}

// Lines at many places, from border to border and `beyond` past both.
static void part_all(double waves, double off, double beyond, double slope) {
    enum { COUNT = 9 };
    Curtain c;
    open_sheet(&c);
    for (int i = 0; i < COUNT; i++) {
        double at = 0.35 + 0.3 * i / (COUNT - 1), aside = slope * (0.5 + beyond);
        parts(&c, waves, off, (Line){{at - aside, beyond}, {at + aside, -1 - beyond}}, 2);
        parts(&c, waves, off, (Line){{-beyond, aside - at}, {1 + beyond, -at - aside}}, 2);
    }
    curtain_close(&c);
}

static void parts_beside_the_sheet(void) { part_all(0, 0.38, 0.001, 0); }
static void parts_aslant(void) { part_all(0, 0.38, 0.02, 0.37); }
static void parts_waves(void) { part_all(0.15, 0, 0.01, 0); }
static void parts_waves_from_afar(void) { part_all(0.15, 0, 0.6, 0.1); }

// From beyond a border to a place inside, the last an edge and a bit before the other one.
static void ends_inside(void) {
    Curtain c;
    open_sheet(&c);
    for (int i = 0; i < 16; i++) {
        double at = 0.4 + 0.2 * i / 15, end = -0.5 - (0.5 - 1.2 * EDGE) * i / 15;
        parts(&c, 0, 0.3, (Line){{at, 0.01}, {at + 0.1, end}}, 1);
        parts(&c, 0.1, 0, (Line){{at, 0.01}, {at + 0.1, end}}, 1);
    }
    curtain_close(&c);
}

static void by_small_steps(void) {
    static const CurtainCase all[] = {{"parts beside the sheet", parts_beside_the_sheet},
                                      {"parts aslant", parts_aslant},
                                      {"ends inside", ends_inside}};
    run_by_small_steps(all, sizeof all / sizeof *all);
}

TEST_MAIN(CASE(by_small_steps), CASE(parts_beside_the_sheet), CASE(parts_aslant), CASE(parts_waves),
          CASE(parts_waves_from_afar), CASE(ends_inside))
