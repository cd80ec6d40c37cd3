// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards cloth of several fabrics: each part moves as it would alone, what lies between two has the
// mean of both, and cloth of one fabric stays what it is, to the last bit.

#include "energy/portion.h"

#include "counting.h"
#include "energy_test.h"
#include "material/fabric.h"
#include "sim/model.h"
#include "sim/state.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static WeftFabric silk(void) {
    WeftFabric fabric = weft_default_fabric();
    fabric.density = 0.07, fabric.stretch_warp = 300, fabric.stretch_weft = 350;
    fabric.shear = 40, fabric.poisson = 0.1, fabric.bend = 2e-6, fabric.bend_spring = 1;
    fabric.thickness = 4e-4, fabric.friction = 0.2, fabric.mass_damping = 0.3;
    fabric.stretch_damping = 2e-3, fabric.bend_damping = 1e-3, fabric.air_drag = 1;
    fabric.compression = WEFT_UNYIELDING;
    fabric.measured.reference_strain = 0.2;
    for (int i = 0; i < 6; i++)
        memcpy(fabric.measured.stretch[i], (double[4]){300, 30, 350, 80}, 4 * sizeof(double));
    return fabric;
}

static WeftFabric denim(void) {
    WeftFabric fabric = silk();
    fabric.density = 0.4, fabric.stretch_warp = 1500, fabric.stretch_weft = 900;
    fabric.shear = 200, fabric.poisson = 0.25, fabric.bend = 1e-4, fabric.bend_spring = 8;
    fabric.thickness = 1.2e-3, fabric.friction = 0.5, fabric.mass_damping = 0;
    fabric.stretch_damping = 5e-3, fabric.bend_damping = 4e-3;
    fabric.air_drag = 1.4, fabric.air_friction = 0.1;
    for (int i = 0; i < 6; i++)
        memcpy(fabric.measured.stretch[i], (double[4]){1500, 200, 900, 400}, 4 * sizeof(double));
    for (int i = 0; i < 15; i++) fabric.measured.bend[i / 5][i % 5] = 1e-4 + 1e-6 * i;
    return fabric;
}

// ---------------------------------------------------------------------------------------------
// Strips: u down, of which the first half is of one fabric

enum { COLUMNS = 12, ROWS = 2, TRIANGLES = 2 * COLUMNS * ROWS };
static const double LENGTH = 1.2;

typedef struct Strip {
    WeftMesh mesh;
    WeftClothDef cloth;
    int pins[ROWS + 1], fabric_of[TRIANGLES];
    WeftFabric fabrics[2];
} Strip;

static void hang_strip(Strip* s, WeftFabric upper, WeftFabric lower) {
    WeftGridDef grid = {.width = LENGTH,
                        .height = 0.2,
                        .columns = COLUMNS,
                        .rows = ROWS,
                        .kind = WEFT_GRID_ALTERNATING};
    *s = (Strip){.cloth = weft_default_cloth_def(), .fabrics = {upper, lower}};
    CHECK(weft_make_grid(&grid, NULL, &s->mesh, NULL) == WEFT_OK);
    for (int i = 0; i < s->mesh.vertex_count; i++) {
        WfVec x = wf_load(s->mesh.positions, i);
        wf_store(s->mesh.positions, i, (WfVec){-x.z, -x.x, 0});
    }
    for (int r = 0; r <= ROWS; r++) s->pins[r] = r * (COLUMNS + 1);
    for (int t = 0; t < s->mesh.triangle_count; t++) {
        double middle = 0;
        for (int k = 0; k < 3; k++)
            middle += s->mesh.material[2 * s->mesh.triangles[3 * t + k]] / 3;
        s->fabric_of[t] = middle > LENGTH / 2;
    }
    weft_use_mesh(&s->cloth, &s->mesh);
    s->cloth.stretch = WEFT_STRETCH_TRIANGLES;
    s->cloth.pins = s->pins, s->cloth.pin_count = ROWS + 1;
    s->cloth.fabric = upper;
    s->cloth.fabrics = s->fabrics, s->cloth.fabric_count = 2;
    s->cloth.triangle_fabric = s->fabric_of;
}

static WeftModel* make_model(const WeftClothDef* cloths, int count) {
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftError error = {0};
    def.cloths = cloths, def.cloth_count = count;
    def.step.method = WEFT_METHOD_IMPLICIT;
    def.contact = WEFT_CONTACT_ALL;
    if (weft_create_model(&def, &model, &error)) printf("%s\n", error.message);
    CHECK(model != NULL);
    return model;
}

static WeftStepDef slow_step(WeftMethod method) {
    WeftStepDef step = weft_default_step_def();
    step.method = method;
    step.stretch_tolerance = 0;
    return step;
}

static WeftState* run(const WeftModel* model, const WeftStepDef* step, int steps) {
    WeftState* state = NULL;
    CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
    for (int i = 0; i < steps; i++) CHECK(weft_step(state, step) == WEFT_OK);
    return state;
}

// How far the middle of the strip and its end sink, over the lengths at rest.
static void hang(const Strip* s, const WeftClothDef* cloth, double sunk[2]) {
    WeftModel* model = make_model(cloth, 1);
    WeftStepDef step = slow_step(WEFT_METHOD_IMPLICIT);
    step.air_density = 0;
    WeftState* state = run(model, &step, 300);
    const double *x = weft_positions(state), *start = s->mesh.positions;
    int row = COLUMNS + 1;
    for (int half = 0; half < 2; half++) {
        int i = row + (half + 1) * COLUMNS / 2;
        sunk[half] = start[3 * i + 1] - x[3 * i + 1];
    }
    sunk[1] -= sunk[0];
    weft_destroy_state(state);
    weft_destroy_model(model);
}

// With no shear a strip is stretched along its warp alone: by the weight below, over its stiffness.
static double sinks(WeftFabric of, double below) {
    double half = LENGTH / 2;
    return 9.81 * half * (below + of.density * half / 2) / of.stretch_warp;
}

static void halves_hang_as_they_are(void) {
    static const WeftStretch stretches[] = {WEFT_STRETCH_TRIANGLES, WEFT_STRETCH_QUADRATIC,
                                            WEFT_STRETCH_MEASURED};
    for (size_t k = 0; k < sizeof stretches / sizeof *stretches; k++)
        for (int turned = 0; turned < 2; turned++) {
            WeftFabric fabrics[2] = {turned ? denim() : silk(), turned ? silk() : denim()};
            for (int f = 0; f < 2; f++) {
                fabrics[f].shear = 0, fabrics[f].poisson = 0, fabrics[f].mass_damping = 4;
                for (int i = 0; i < 6; i++)
                    fabrics[f].measured.stretch[i][1] = fabrics[f].measured.stretch[i][3] = 0;
            }
            Strip s;
            double sunk[2];
            hang_strip(&s, fabrics[0], fabrics[1]);
            s.cloth.stretch = stretches[k];
            // constants of the membrane want some
            if (stretches[k] == WEFT_STRETCH_QUADRATIC)
                for (int f = 0; f < 2; f++) s.fabrics[f].shear = 1, s.cloth.fabric.shear = 1;
            hang(&s, &s.cloth, sunk);
            double upper = sinks(fabrics[0], fabrics[1].density * LENGTH / 2);
            double lower = sinks(fabrics[1], 0);
            CHECK_NEAR(sunk[0], upper, 0.02 * upper);
            CHECK_NEAR(sunk[1], lower, 0.02 * lower);
            weft_destroy_mesh(&s.mesh);
        }
}

// ---------------------------------------------------------------------------------------------
// Cloth of one fabric

static uint64_t hash_of(const WeftClothDef* cloth, const WeftStepDef* step) {
    WeftModel* model = make_model(cloth, 1);
    WeftState* state = run(model, step, 12);
    uint64_t hash = weft_hash_state(state);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return hash;
}

// Whichever way a cloth says that it is of one fabric, the bits are the same.
static void equal_fabrics_have_the_same_bits(void) {
    static const WeftStretch stretches[] = {WEFT_STRETCH_SPRINGS, WEFT_STRETCH_TRIANGLES};
    WeftStepDef step = weft_default_step_def();
    for (int k = 0; k < 2; k++) {
        Strip s;
        hang_strip(&s, denim(), denim());
        s.cloth.stretch = stretches[k];
        uint64_t mixed = hash_of(&s.cloth, &step);
        s.cloth.fabric = silk();  // of which no triangle is made
        CHECK(hash_of(&s.cloth, &step) == mixed);
        s.cloth.fabric = denim();
        s.cloth.triangle_fabric = NULL;
        CHECK(hash_of(&s.cloth, &step) == mixed);
        s.cloth.fabric = silk();
        CHECK(hash_of(&s.cloth, &step) != mixed);
        weft_destroy_mesh(&s.mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Two pieces in one cloth, of a fabric each, and the same as two cloths

enum { SIDE = 5, PIECE = (SIDE + 1) * (SIDE + 1), PIECE_TRIANGLES = 2 * SIDE * SIDE };

typedef struct Pieces {
    WeftMesh piece;
    double positions[2][3 * PIECE], material[2][2 * PIECE];
    int triangles[2][3 * PIECE_TRIANGLES], fabric_of[2 * PIECE_TRIANGLES];
    int pins[2];
    WeftFabric fabrics[2];
    WeftClothDef both, single[2];
} Pieces;

static void make_pieces(Pieces* p, WeftStretch stretch, WeftBendBy bend_by) {
    WeftGridDef grid = {.width = 0.3, .height = 0.3, .columns = SIDE, .rows = SIDE};
    grid.kind = WEFT_GRID_ONE_WAY;
    *p = (Pieces){.both = weft_default_cloth_def(), .fabrics = {silk(), denim()}};
    CHECK(weft_make_grid(&grid, NULL, &p->piece, NULL) == WEFT_OK);
    for (int c = 0; c < 2; c++) {
        memcpy(p->positions[c], p->piece.positions, sizeof p->positions[c]);
        memcpy(p->material[c], p->piece.material, sizeof p->material[c]);
        for (int i = 0; i < PIECE; i++) p->positions[c][3 * i] += 0.7 * c;
        for (int k = 0; k < 3 * PIECE_TRIANGLES; k++)
            p->triangles[c][k] = PIECE * c + p->piece.triangles[k];
        for (int t = 0; t < PIECE_TRIANGLES; t++) p->fabric_of[PIECE_TRIANGLES * c + t] = c;
        p->pins[c] = PIECE * c;
    }
    WeftClothDef* both = &p->both;
    both->stretch = stretch, both->bend_by = bend_by;
    both->positions = p->positions[0], both->vertex_count = 2 * PIECE;
    both->material = p->material[0], both->material_count = 2 * PIECE;
    both->triangles = p->triangles[0], both->triangle_count = 2 * PIECE_TRIANGLES;
    both->pins = p->pins, both->pin_count = 2;
    for (int c = 0; c < 2; c++) {
        p->single[c] = *both;
        p->single[c].fabric = p->fabrics[c];
        p->single[c].positions = p->positions[c], p->single[c].vertex_count = PIECE;
        p->single[c].material = p->material[c], p->single[c].material_count = PIECE;
        p->single[c].triangles = p->triangles[0], p->single[c].triangle_count = PIECE_TRIANGLES;
        p->single[c].pins = p->pins, p->single[c].pin_count = 1;
    }
    both->fabrics = p->fabrics, both->fabric_count = 2, both->triangle_fabric = p->fabric_of;
}

static void compare_pieces(Pieces* p, WeftMethod method) {
    WeftModel *one = make_model(&p->both, 1), *two = make_model(p->single, 2);
    WeftStepDef step = slow_step(method);
    if (method == WEFT_METHOD_IMPLICIT) step.tolerance = 1e-12, step.newton_steps = 6;
    step.wind[2] = 3;
    for (int i = 0; i < 2 * PIECE; i++) {
        CHECK_NEAR(weft_masses(one)[i], weft_masses(two)[i], 1e-15);
        CHECK(one->thickness[i] == two->thickness[i] && one->friction[i] == two->friction[i]);
        CHECK(one->gives[one->vertex_portion[i]] == two->gives[two->vertex_portion[i]]);
    }
    WeftState *a = run(one, &step, 20), *b = run(two, &step, 20);
    CHECK_BELOW(largest_difference(weft_positions(a), weft_positions(b), 6 * PIECE), 1e-6);
    WeftMeasure of_one, of_two;
    CHECK(!weft_measure(a, step.gravity, &of_one) && !weft_measure(b, step.gravity, &of_two));
    CHECK_NEAR(of_one.stretch, of_two.stretch, 1e-4 * of_two.stretch);
    CHECK_NEAR(of_one.bend, of_two.bend, 1e-4 * of_two.bend);
    weft_destroy_state(a), weft_destroy_state(b);
    weft_destroy_model(one), weft_destroy_model(two);
}

// Stretch, bending, damping, weight and air: as if each piece were a cloth of its own.
static void pieces_move_as_if_alone(void) {
    static const struct {
        WeftStretch stretch;
        WeftBendBy bend_by;
        WeftMethod method;
    } rows[] = {
        {WEFT_STRETCH_SPRINGS, WEFT_BEND_BY_HINGES, WEFT_METHOD_PREFACTORED},
        {WEFT_STRETCH_TRIANGLES, WEFT_BEND_BY_SPRINGS, WEFT_METHOD_PREFACTORED},
        {WEFT_STRETCH_TRIANGLES, WEFT_BEND_BY_HINGES, WEFT_METHOD_IMPLICIT},
        {WEFT_STRETCH_BIQUADRATIC, WEFT_BEND_BY_ANGLES, WEFT_METHOD_IMPLICIT},
        {WEFT_STRETCH_MEASURED, WEFT_BEND_BY_ANGLES, WEFT_METHOD_IMPLICIT},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Pieces p;
        int before = test_failures;
        make_pieces(&p, rows[k].stretch, rows[k].bend_by);
        compare_pieces(&p, rows[k].method);
        if (test_failures > before) printf("    row %d\n", (int)k);
        weft_destroy_mesh(&p.piece);
    }
}

static void linear_pieces_are_measured(void) {
    Pieces p;
    make_pieces(&p, WEFT_STRETCH_SPRINGS, WEFT_BEND_BY_HINGES);
    weft_set_estimator(&p.both, WEFT_ESTIMATOR_ROTATION, 2);
    for (int c = 0; c < 2; c++) weft_set_estimator(&p.single[c], WEFT_ESTIMATOR_ROTATION, 2);
    compare_pieces(&p, WEFT_METHOD_PREFACTORED);
    weft_destroy_mesh(&p.piece);
}

// Cheap steps soften both so far as the heavier one would sag: the lighter may have to carry it.
static void softening_goes_by_the_heaviest(void) {
    Strip s;
    hang_strip(&s, silk(), denim());
    WeftModel* model = make_model(&s.cloth, 1);
    WeftStepDef step = weft_default_step_def();
    WeftState* state = run(model, &step, 1);
    CHECK(model->portion_count == 3);
    for (int p = 0; p < model->portion_count; p++)
        CHECK(model->sizes[p].density == denim().density);
    CHECK(model->sizes[0].stiffness == 350 && model->sizes[1].stiffness == 1500);
    CHECK(state->scales[0] == 1 && state->scales[1] < 1);
    CHECK(weft_report(state)->stiffness_scale == state->scales[1]);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&s.mesh);
}

// ---------------------------------------------------------------------------------------------
// Portions

static WeftResult open_portions(Strip* s, TestCloth* cloth, const WeftAllocator* allocator,
                                WfPortions* portions) {
    cloth->mesh = s->mesh;
    cloth->def = s->cloth;
    open_cloth(cloth);
    WfClothParts whole = cloth_parts(cloth, &cloth->def);
    return wf_portions_create(allocator, &whole, portions);
}

// Everything is in one portion, and in the right one; the border is a portion of the mean.
static void portions_of_a_strip(void) {
    Strip s;
    TestCloth cloth = {0};
    WfPortions portions;
    WeftAllocator allocator = plain_allocator();
    hang_strip(&s, silk(), denim());
    CHECK(open_portions(&s, &cloth, &allocator, &portions) == WEFT_OK);
    CHECK(portions.count == 3 && wf_most_portions(&s.cloth) == 6);
    int triangles = 0, hinges = 0, springs = 0;
    for (int p = 0; p < portions.count; p++) {
        triangles += portions.all[p].def.triangle_count;
        hinges += portions.all[p].topology.hinge_count;
        springs += portions.all[p].rest.spring_count;
        CHECK(portions.all[p].parts.is_further == (p > 0));
    }
    CHECK(triangles == TRIANGLES && hinges == cloth.topology.hinge_count);
    CHECK(springs == cloth.topology.edge_count);
    const WfPortion* border = &portions.all[2];
    CHECK(border->def.triangle_count == 0);
    CHECK(border->topology.hinge_count == ROWS && border->rest.spring_count == ROWS);
    CHECK(border->def.fabric.bend == (silk().bend + denim().bend) / 2);
    CHECK(border->def.fabric.air_drag == (silk().air_drag + denim().air_drag) / 2);
    wf_portions_destroy(&allocator, &portions);
    close_cloth(&cloth);
}

static void border_vertices_have_the_mean(void) {
    Strip s;
    hang_strip(&s, silk(), denim());
    WeftModel* model = make_model(&s.cloth, 1);
    int row = COLUMNS + 1, middle = row + COLUMNS / 2;
    CHECK(model->thickness[row + 1] == silk().thickness);
    CHECK(model->friction[row + COLUMNS] == denim().friction);
    CHECK_NEAR(model->thickness[middle], (silk().thickness + denim().thickness) / 2, 1e-18);
    CHECK_NEAR(model->friction[middle], (silk().friction + denim().friction) / 2, 1e-15);
    double area = LENGTH * 0.2 / 2, mass = 0;
    for (int i = 0; i < s.mesh.vertex_count; i++) mass += weft_masses(model)[i];
    CHECK_NEAR(mass, area * (silk().density + denim().density), 1e-12);
    weft_destroy_model(model);
    weft_destroy_mesh(&s.mesh);
}

// Every panel of a garment may bring its fabric: only those that differ count.
static void more_fabrics_than_differ(void) {
    Strip s;
    WeftFabric many[2 * WEFT_MAX_FABRICS];
    hang_strip(&s, silk(), denim());
    for (int f = 0; f < 2 * WEFT_MAX_FABRICS; f++) many[f] = f % 2 ? denim() : silk();
    for (int t = 0; t < TRIANGLES; t++) s.fabric_of[t] += 2 * t;
    s.cloth.fabrics = many, s.cloth.fabric_count = 2 * WEFT_MAX_FABRICS;
    WeftModel* model = make_model(&s.cloth, 1);
    CHECK(model->portion_count == 3);
    weft_destroy_model(model);
    weft_destroy_mesh(&s.mesh);
}

// As many as there may be, each a triangle or so: nothing runs over.
static void as_many_as_may_be(void) {
    Strip s;
    WeftFabric many[WEFT_MAX_FABRICS];
    hang_strip(&s, silk(), denim());
    for (int f = 0; f < WEFT_MAX_FABRICS; f++) many[f] = silk(), many[f].density += 1e-3 * f;
    for (int t = 0; t < TRIANGLES; t++) s.fabric_of[t] = t % WEFT_MAX_FABRICS;
    s.cloth.fabrics = many, s.cloth.fabric_count = WEFT_MAX_FABRICS;
    WeftModel* model = make_model(&s.cloth, 1);
    WeftStepDef step = weft_default_step_def();
    WeftState* state = run(model, &step, 3);
    CHECK(model->portion_count > TRIANGLES);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&s.mesh);
}

// Between cloth that gives way and cloth that does not, nothing does.
static void giving_way_between(void) {
    Strip s;
    WeftFabric soft = denim();
    soft.compression = 0.01;
    hang_strip(&s, silk(), soft);
    WeftModel* model = make_model(&s.cloth, 1);
    CHECK(model->gives[0] == 0 && model->gives[1] == 0.01 && model->gives[2] == 0);
    weft_destroy_model(model);
    s.fabrics[0].compression = 0.03;
    model = make_model(&s.cloth, 1);
    CHECK_NEAR(model->gives[2], 0.02, 1e-15);
    weft_destroy_model(model);
    weft_destroy_mesh(&s.mesh);
}

static void nth_allocation_fails(void) {
    Strip s;
    hang_strip(&s, silk(), denim());
    WeftModelDef def = weft_default_model_def();
    def.cloths = &s.cloth, def.cloth_count = 1;
    WeftModel* model = NULL;
    for (int n = 1; !model && n < 1000; n++) {
        Counting memory = {.fail_at = n};
        def.allocator = counting_allocator(&memory);
        WeftResult result = weft_create_model(&def, &model, NULL);
        CHECK(result == (model ? WEFT_OK : WEFT_ERROR_MEMORY));
        weft_destroy_model(model);
        CHECK(memory.live == 0);
    }
    CHECK(model != NULL);
    weft_destroy_mesh(&s.mesh);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void check_refused(const Strip* s, WeftResult expected, const char* words) {
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftError error = {0};
    def.cloths = &s->cloth, def.cloth_count = 1;
    CHECK(weft_create_model(&def, &model, &error) == expected);
    CHECK_TEXT(error.message, words);
    weft_destroy_model(model);
}

static void refusals(void) {
    Strip s;
    hang_strip(&s, silk(), denim());
    s.fabric_of[7] = 2;
    check_refused(&s, WEFT_ERROR_INPUT, "cloth 0: triangle 7 has the fabric 2; it must be -1 to 1");
    s.fabric_of[7] = -2;
    check_refused(&s, WEFT_ERROR_INPUT, "triangle 7 has the fabric -2");
    s.fabric_of[7] = -1;
    s.cloth.fabrics = NULL;
    check_refused(&s, WEFT_ERROR_INPUT, "there are no fabrics, but a count of 2");
    WeftFabric many[WEFT_MAX_FABRICS + 1];
    for (int f = 0; f <= WEFT_MAX_FABRICS; f++) many[f] = silk(), many[f].density += 1e-3 * f;
    s.cloth.fabrics = many, s.cloth.fabric_count = WEFT_MAX_FABRICS + 1;
    check_refused(&s, WEFT_ERROR_INPUT, "there are more than 64 fabrics that differ");
    s.cloth.fabrics = s.fabrics, s.cloth.fabric_count = 2;
    s.fabrics[1].density = -1;
    check_refused(&s, WEFT_ERROR_INPUT, "cloth 0: fabric 1: the fabric's density is -1");
    s.fabrics[1] = weft_default_fabric();
    s.cloth.stretch = WEFT_STRETCH_MEASURED;
    check_refused(&s, WEFT_ERROR_COMBINATION, "stretch measured needs a fabric with");
    s.cloth.stretch = WEFT_STRETCH_TRIANGLES;
    s.cloth.bend_by = WEFT_BEND_BY_THREADS;
    check_refused(&s, WEFT_ERROR_COMBINATION, "threads are made of one fabric");
    weft_destroy_mesh(&s.mesh);
}

TEST_MAIN(CASE(halves_hang_as_they_are), CASE(equal_fabrics_have_the_same_bits),
          SLOW_CASE(pieces_move_as_if_alone), CASE(linear_pieces_are_measured),
          CASE(softening_goes_by_the_heaviest), CASE(portions_of_a_strip),
          CASE(border_vertices_have_the_mean), CASE(more_fabrics_than_differ),
          CASE(as_many_as_may_be), CASE(giving_way_between), CASE(nth_allocation_fails),
          CASE(refusals))
