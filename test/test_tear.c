// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards tearing: meshes that are split along edges, and what becomes of their springs; cloth that
// tears at its load and not below it, whatever its stiffness in the step, and in the end in two.

#include "base/memory.h"
#include "mesh/tear.h"
#include "tear_test.h"

// ---------------------------------------------------------------------------------------------
// Meshes

enum { CUT = 1, OTHER = 2 };

typedef struct Sheet {
    WeftAllocator allocator;
    WeftMesh mesh;
    WfStars stars;
    unsigned char marks[6 * 16];
    int triangles[6 * 16];
    int count, *from;
} Sheet;

// 4 x 4 cells, vertex (i, j) is 5 j + i.
static void open_sheet(Sheet* s, WeftGridKind kind) {
    *s = (Sheet){.allocator = wf_allocator(NULL)};
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 4;
    grid.kind = kind;
    CHECK(!weft_make_grid(&grid, NULL, &s->mesh, NULL));
    CHECK(wf_stars_create(&s->allocator, 25, 32, s->mesh.triangles, &s->stars));
}

static void split_sheet(Sheet* s, const unsigned char* held) {
    wf_free(&s->allocator, s->from);
    CHECK(!wf_split_sides(&s->allocator, &s->stars, 25, 32, s->marks, CUT, held, s->triangles,
                          &s->count, &s->from));
}

static void close_sheet(Sheet* s) {
    wf_free(&s->allocator, s->from);
    wf_stars_destroy(&s->allocator, &s->stars);
    weft_destroy_mesh(&s->mesh);
}

static bool mark(Sheet* s, int a, int b) {
    return wf_mark_edge(&s->stars, a, b, CUT, CUT, s->marks);
}

static void splits_meshes(void) {
    Sheet s;
    open_sheet(&s, WEFT_GRID_ALTERNATING);
    split_sheet(&s, NULL);
    CHECK(s.count == 0 && memcmp(s.triangles, s.mesh.triangles, sizeof s.triangles) == 0);
    CHECK(!mark(&s, 0, 1) && !mark(&s, 0, 12));  // a border, and no edge at all
    CHECK(mark(&s, 12, 11) && !mark(&s, 11, 12));
    split_sheet(&s, NULL);
    CHECK(s.count == 0);  // an edge inside
    CHECK(mark(&s, 12, 13));
    split_sheet(&s, NULL);
    CHECK(s.count == 1 && s.from[0] == 12);
    // those of its triangles with one of them have the same as before, or the new one
    for (int k = 0; k < 96; k++)
        CHECK(s.triangles[k] == s.mesh.triangles[k] ||
              (s.triangles[k] == 25 && s.mesh.triangles[k] == 12));
    CHECK(mark(&s, 13, 14));  // to the border
    split_sheet(&s, NULL);
    CHECK(s.count == 3 && s.from[0] == 12 && s.from[1] == 13 && s.from[2] == 14);
    unsigned char held[25] = {[13] = 1};
    split_sheet(&s, held);
    CHECK(s.count == 2 && s.from[0] == 12 && s.from[1] == 14);
    // a cross: its middle comes apart in four
    CHECK(mark(&s, 7, 12) && mark(&s, 12, 17) && mark(&s, 10, 11));
    split_sheet(&s, NULL);
    int middles = 0;
    for (int i = 0; i < s.count; i++) middles += s.from[i] == 12;
    CHECK(middles == 3);
    // marks of another kind do not count
    memset(s.marks, 0, sizeof s.marks);
    wf_mark_edge(&s.stars, 11, 12, OTHER, OTHER, s.marks);
    wf_mark_edge(&s.stars, 12, 13, OTHER, OTHER, s.marks);
    split_sheet(&s, NULL);
    CHECK(s.count == 0);
    close_sheet(&s);
}

static int count_kind(const WeftSpring* springs, int count, WeftSpringKind kind) {
    int found = 0;
    for (int i = 0; i < count; i++) found += springs[i].kind == kind;
    return found;
}

// Cut in two along row 2: springs along it are there twice, and none goes across.
static void splits_springs(void) {
    Sheet s;
    open_sheet(&s, WEFT_GRID_CROSSED_TWICE);
    for (int i = 10; i < 14; i++) mark(&s, i, i + 1);
    split_sheet(&s, NULL);
    CHECK(s.count == 5);
    int from[30], count, across = 0;
    bool low[30] = {false};
    for (int i = 0; i < 30; i++) from[i] = i < 25 ? i : s.from[i - 25];
    for (int t = 0; t < 32; t++)
        for (int k = 0; k < 3; k++) low[s.triangles[3 * t + k]] |= t / 8 >= 2;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &s.mesh);
    WeftSpring* springs = NULL;
    CHECK(!wf_split_springs(&s.allocator, &cloth, 30, s.triangles, from, &count, &springs));
    for (int i = 0; i < count; i++) across += low[springs[i].a] != low[springs[i].b];
    CHECK(across == 0);
    CHECK(count_kind(springs, count, WEFT_SPRING_STRETCH) == 40 + 4);
    CHECK(count_kind(springs, count, WEFT_SPRING_SHEAR) == 32);  // two in every cell, as before
    // over two cells: upright in rows 0 to 2 and 2 to 4, level in five rows, one of them twice, and
    // aslant
    CHECK(count_kind(springs, count, WEFT_SPRING_BEND) == 10 + 15 + 3 + 12);
    wf_free(&s.allocator, springs);
    close_sheet(&s);
}

// Nothing is cut: the same springs in the same order.
static void keeps_springs(void) {
    Sheet s;
    open_sheet(&s, WEFT_GRID_CROSSED_TWICE);
    int from[25], count;
    for (int i = 0; i < 25; i++) from[i] = i;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &s.mesh);
    WeftSpring* springs = NULL;
    CHECK(!wf_split_springs(&s.allocator, &cloth, 25, s.mesh.triangles, from, &count, &springs));
    CHECK(count == s.mesh.spring_count);
    CHECK(memcmp(springs, s.mesh.springs, (size_t)count * sizeof *springs) == 0);
    wf_free(&s.allocator, springs);
    close_sheet(&s);
}

// ---------------------------------------------------------------------------------------------
// Loads

static const double LOAD = 100;  // N/m

typedef struct Pull {
    Curtain c;
    double* accelerations;
    bool both;  // sides are pulled, and it is held in the middle
} Pull;

static void open_pull(Pull* p, int cells, WeftStretch stretch, double tolerance, bool both) {
    curtain_def(&p->c, cells);
    p->both = both;
    if (both) p->c.pins[0] = vertex_at(&p->c, cells / 2, cells / 2), p->c.cloth.pin_count = 1;
    p->c.def.tearable = false;  // the load says so
    p->c.cloth.stretch = stretch;
    p->c.cloth.tear_load = LOAD;
    p->c.cloth.fabric.mass_damping = 20;
    p->c.cloth.fabric.stretch_damping = 0.05;
    // Pulled by 500 times their weight, rows of elements share the load unevenly in small steps,
    // the more so the more they damp.
    bool small = curtain_method == WEFT_METHOD_SMALL_STEPS;
    if (small) p->c.cloth.fabric.stretch_damping = 0, p->c.step.substeps = 80;
    p->c.step.stretch_tolerance = tolerance;
    p->c.step.air_density = 0;
    p->c.step.gravity[1] = 0;
    p->c.def.step = p->c.step;
    curtain_open(&p->c);
    p->accelerations = calloc(3 * 10 * (size_t)p->c.mesh.vertex_count, sizeof(double));
    p->c.step.accelerations = p->accelerations;
}

static void close_pull(Pull* p) {
    curtain_close(&p->c);
    free(p->accelerations);
}

// One step, with the lower side pulled by so many N/m.
static void pull(Pull* p, double load) {
    Curtain* c = &p->c;
    const WeftModel* model = weft_state_model(c->state);
    memset(p->accelerations, 0, 3 * (size_t)weft_vertex_count(model) * sizeof(double));
    for (int i = 0; i < weft_vertex_count(model); i++) {
        int from = weft_torn_from(c->state, i), column = from % (c->cells + 1);
        int row = from / (c->cells + 1);
        if (row < c->cells && !(row == 0 && p->both)) continue;
        double width = (column % c->cells == 0 ? 0.5 : 1) / c->cells;
        double size = load * width / weft_masses(c->model)[from];
        p->accelerations[3 * i + 1] = row == 0 ? size : -size;
    }
    take_steps(c->state, &c->step, 1);
}

// Whether it tears under a load that grows for a second, and stays for another one.
static bool tears_at(int cells, WeftStretch stretch, double tolerance, double load, bool both) {
    Pull p;
    bool torn = false;
    open_pull(&p, cells, stretch, tolerance, both);
    for (int i = 0; i < 120 && !torn; i++) {
        pull(&p, load * fmin(1, i / 60.0));
        torn = weft_report(p.c.state)->tearing;
    }
    close_pull(&p);
    return torn;
}

// Triangles hardly contract across, so that the load is the same everywhere. Nets carry more along
// their borders, and where a side is held at its corners, by 1.4 times with 8 cells: their
// Poisson's ratio is 1/3.
static void tears_at_its_load(void) {
    static const double tolerances[] = {0, 0.01};
    static const struct {
        WeftStretch stretch;
        bool both;
        double below, above;
    } cases[] = {{WEFT_STRETCH_TRIANGLES, false, 0.85, 1.1},
                 {WEFT_STRETCH_TRIANGLES, true, 0.9, 1.1},
                 {WEFT_STRETCH_SPRINGS, true, 0.7, 1.05},
                 {WEFT_STRETCH_SPRINGS, false, 0.6, 0.85}};
    for (int k = 0; k < 4; k++)
        for (int t = 0; t < 2; t++) {
            double low = cases[k].below * LOAD, high = cases[k].above * LOAD;
            CHECK(!tears_at(8, cases[k].stretch, tolerances[t], low, cases[k].both));
            CHECK(tears_at(8, cases[k].stretch, tolerances[t], high, cases[k].both));
        }
}

static void tears_in_two(void) {
    Pull p;
    int steps = 0, first = 0;
    open_pull(&p, 12, WEFT_STRETCH_TRIANGLES, 0.01, false);
    while (steps < 400 && count_pieces(weft_state_model(p.c.state)) < 2) {
        pull(&p, 1.2 * LOAD * fmin(1, steps / 60.0));
        steps++;
        if (!first && weft_report(p.c.state)->torn) first = steps;
    }
    const WeftModel* torn = weft_state_model(p.c.state);
    CHECK(count_pieces(torn) == 2);
    CHECK(first > 40 && steps > first);  // it grows
    CHECK_NEAR(sum_of_masses(torn), sum_of_masses(p.c.model), 1e-12);
    // along one line or so: no more than it takes
    CHECK(weft_vertex_count(torn) - weft_vertex_count(p.c.model) < 3 * 13);
    close_pull(&p);
}

// A slit from the side: the load is at its end, and below that of the whole cloth.
static void slits_grow(void) {
    Pull whole, slit;
    open_pull(&whole, 12, WEFT_STRETCH_TRIANGLES, 0, false);
    open_pull(&slit, 12, WEFT_STRETCH_TRIANGLES, 0, false);
    cut_line(slit.c.state, &slit.c, false, 6, 0, 4);
    wait_torn(slit.c.state, &slit.c.step);
    for (int i = 0; i < 120; i++) {
        pull(&whole, 0.7 * LOAD * fmin(1, i / 60.0));
        pull(&slit, 0.7 * LOAD * fmin(1, i / 60.0));
    }
    CHECK(weft_state_model(whole.c.state) == whole.c.model);
    CHECK(weft_vertex_count(weft_state_model(slit.c.state)) > 169 + 4);
    close_pull(&whole);
    close_pull(&slit);
}

// Saved in the middle of it, with edges that have carried too much for a step or two.
static void tears_to_the_same_bits(void) {
    Pull p;
    WeftState* other = NULL;
    open_pull(&p, 8, WEFT_STRETCH_TRIANGLES, 0.01, false);
    CHECK(!weft_create_state(p.c.model, &other, NULL));
    for (int i = 0; i < 110; i++) {
        bool same = true;
        if (i > 50) {
            size_t size = weft_saved_size(p.c.state);
            void* bytes = malloc(size);
            weft_save_state(p.c.state, bytes);
            CHECK(!weft_load_state(other, bytes, size, NULL));
            free(bytes);
        }
        pull(&p, 1.3 * LOAD * fmin(1, i / 60.0));
        if (i > 50) {
            take_steps(other, &p.c.step, 1);
            same = weft_hash_state(other) == weft_hash_state(p.c.state);
        }
        CHECK(same);
    }
    CHECK(weft_state_model(p.c.state) != p.c.model);
    weft_destroy_state(other);
    close_pull(&p);
}

// A ball of 30 cm that is moved through cloth held on all sides, 10 cm per step. The cloth is
// softened, and would carry its tear_load when it is twice as long. Returns how far it is
// stretched.
static double fly_through(bool at_once, int* added) {
    enum { N = 16 };
    Curtain c;
    WeftBodyDef ball = weft_default_body_def();
    int pins[4 * N], count = 0;
    double most = 0, still[4] = {1, 0, 0, 0}, place[3] = {0.5, -0.5, -0.4};
    curtain_def(&c, N);
    for (int i = 0; i < (N + 1) * (N + 1); i++)
        if (i <= N || i >= N * (N + 1) || i % (N + 1) == 0 || i % (N + 1) == N) pins[count++] = i;
    c.cloth.pins = pins;
    c.cloth.pin_count = count;
    c.cloth.tear_load = 800;
    ball.radius = 0.15;
    memcpy(ball.position, place, sizeof place);
    c.def.bodies = &ball;
    c.def.body_count = 1;
    c.def.contact = WEFT_CONTACT_ALL;
    c.def.tear_at_once = at_once;
    curtain_open(&c);
    for (int i = 0; i < 20; i++) {
        WeftMeasure measure;
        place[2] += 0.1;
        weft_move_body(c.state, 0, place, still);
        take_steps(c.state, &c.step, 1);
        CHECK(!weft_measure(c.state, c.step.gravity, &measure));
        most = fmax(most, measure.max_stretch);
    }
    *added = weft_vertex_count(weft_state_model(c.state)) - weft_vertex_count(c.model);
    curtain_close(&c);
    return most;
}

static void tears_when_it_is_hit(void) {
    int soon, later;
    double at_once = fly_through(true, &soon), beside = fly_through(false, &later);
    CHECK(soon > 4 && later > 4);
    CHECK_BELOW(at_once, 2.05);
    CHECK_BELOW(at_once, beside);
}

static void by_small_steps(void) {
    static const CurtainCase all[] = {{"tears at its load", tears_at_its_load},
                                      {"tears in two", tears_in_two},
                                      {"slits grow", slits_grow},
                                      {"tears to the same bits", tears_to_the_same_bits},
                                      {"tears when it is hit", tears_when_it_is_hit}};
    run_by_small_steps(all, sizeof all / sizeof *all);
}

TEST_MAIN(CASE(by_small_steps), CASE(splits_meshes), CASE(splits_springs), CASE(keeps_springs),
          SLOW_CASE(tears_at_its_load), CASE(tears_in_two), CASE(slits_grow),
          CASE(tears_to_the_same_bits), CASE(tears_when_it_is_hit))
