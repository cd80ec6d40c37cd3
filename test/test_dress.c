// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/dress.c: garments end up on the body and around it, seams closed, crossing
// nothing and in order; what does not fit is stretched or refused, never inside.

#include "base/memory.h"
#include "dress_test.h"
#include "garment/dress.h"

#define EDGE 0.06

static bool dress(const WeftDressDef* def, WeftOutfit* outfit) {
    kit_error = (WeftError){0};
    WeftResult result = weft_dress(def, outfit, &kit_error);
    if (result) printf("%s\n", kit_error.message);
    return CHECK(result == WEFT_OK);
}

static void refuse(const WeftDressDef* def, WeftResult wanted, const char* message) {
    WeftOutfit outfit;
    kit_error = (WeftError){0};
    CHECK(weft_dress(def, &outfit, &kit_error) == wanted);
    CHECK_TEXT(kit_error.message, message);
    CHECK(outfit.worn == NULL && outfit.worn_count == 0);
    weft_destroy_outfit(&outfit);
}

// A garment as it is worn: its mesh is that of its pattern, with seams closed.
static void check_worn(const WeftWorn* worn, const WeftWearDef* wear, double slack) {
    check_garment(wear->pattern, &worn->garment, 1e-9);
    for (int s = 0; s < worn->garment.seam_count; s++) CHECK_BELOW(worn->seam_gap[s], slack);
    int bad = 0;
    for (int i = 0; i < 3 * worn->garment.mesh.vertex_count; i++)
        bad += !isfinite(worn->garment.mesh.positions[i]);
    CHECK(bad == 0);
}

// Whether the axis of the body goes through every level of a tube: it is all around.
static bool is_around(const WeftMesh* mesh, double low, double high, double x, double z) {
    bool sectors[8] = {false};
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double* p = mesh->positions + 3 * v;
        if (p[1] < low || p[1] > high) continue;
        double turn = atan2(p[2] - z, p[0] - x) / TEST_PI;  // -1 to 1
        sectors[(int)fmin(4 * (turn + 1), 7)] = true;
    }
    for (int i = 0; i < 8; i++)
        if (!sectors[i]) return false;
    return true;
}

// Steps of a simulation that starts from an outfit; positions at the end, to be freed.
static double* wear_on(const WeftOutfit* outfit, const WeftDressDef* def, int steps) {
    WeftClothDef cloth = weft_default_cloth_def();
    WeftBodyDef body = weft_default_body_def();
    const WeftMesh* mesh = &outfit->worn[0].garment.mesh;
    weft_use_mesh(&cloth, mesh);
    cloth.fabric = def->wear[0].fabric;
    body.kind = WEFT_BODY_MESH;
    body.positions = def->positions, body.vertex_count = def->vertex_count;
    body.triangles = def->triangles, body.triangle_count = def->triangle_count;
    body.friction = 0.3;
    WeftModelDef model_def = weft_default_model_def();
    model_def.cloths = &cloth, model_def.cloth_count = 1;
    model_def.bodies = &body, model_def.body_count = 1;
    model_def.contact = WEFT_CONTACT_ALL;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(weft_create_model(&model_def, &model, &kit_error) == WEFT_OK);
    CHECK(weft_create_state(model, &state, &kit_error) == WEFT_OK);
    for (int i = 0; i < steps; i++) CHECK(weft_step(state, &model_def.step) == WEFT_OK);
    size_t bytes = 3 * sizeof(double) * (size_t)mesh->vertex_count;
    double* positions = malloc(bytes);
    memcpy(positions, weft_positions(state), bytes);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return positions;
}

// ---------------------------------------------------------------------------------------------

static void a_skirt(void) {
    Kit* kit = make_skirt(1.1, 0.4);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    WeftOutfit outfit;
    if (dress(&def, &outfit)) {
        const WeftMesh* mesh = &outfit.worn[0].garment.mesh;
        CHECK(outfit.worn_count == 1 && outfit.step_count > 100 && outfit.findings.count == 0);
        check_worn(&outfit.worn[0], &wear, 1e-3);
        CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
        CHECK_BELOW(outfit.worn[0].stretch, 1.1);
        CHECK(outfit.worn[0].hold_count == 0);
        double span[2];
        span_of(mesh, 1, span);
        CHECK(span[1] > DUMMY_HIPS + 0.02 && span[1] < DUMMY_WAIST + 0.1);
        CHECK(span[0] > 0.4 && is_around(mesh, span[0], span[0] + 0.1, 0, 0));
        // it stays there
        double* later = wear_on(&outfit, &def, 60);
        WeftSurface surfaces[2] = {body_surface(&def, dummy.positions), cloth_surface(mesh, later)};
        CHECK(judge(surfaces, 2) == 0);
        int waist = outfit.worn[0].garment.first_side[0] + 2;
        const WeftGarment* g = &outfit.worn[0].garment;
        for (int i = g->side_start[waist]; i < g->side_start[waist + 1]; i++)
            CHECK(later[3 * g->side_vertices[i] + 1] > DUMMY_HIPS);
        free(later);
    }
    weft_destroy_outfit(&outfit);
    free(kit);
}

// The mesh is as fine as asked, though it was put on by a coarser one. Gathered by a band, some of
// its folds cross at first; under its weight they stayed crossed, and the skirt was refused.
static void a_finer_skirt(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    WeftWearDef wear = wear_kit(kit, 0.018);
    WeftDressDef def = dress_dummy(&wear, 1);
    WeftOutfit outfit;
    if (dress(&def, &outfit)) {
        check_worn(&outfit.worn[0], &wear, 1e-3);
        CHECK(outfit.worn[0].garment.mesh.vertex_count > 1000);
        CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
    }
    weft_destroy_outfit(&outfit);
    free(kit);
}

// The mean radius of a garment in six bands of height below the waist; 0: nothing of it is there.
static void measure_radii(const WeftMesh* mesh, double radii[6]) {
    int counts[6] = {0};
    for (int k = 0; k < 6; k++) radii[k] = 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double* p = mesh->positions + 3 * v;
        int band = (int)floor((p[1] - 0.6) / 0.06);
        if (band < 0 || band > 5) continue;
        radii[band] += hypot(p[0], p[2]);
        counts[band]++;
    }
    for (int k = 0; k < 6; k++) radii[k] /= counts[k] > 0 ? counts[k] : 1;
}

static void layers_in_order(void) {
    Kit *inner = make_skirt(1.06, 0.3), *outer = make_skirt(1.2, 0.4);
    snprintf(outer->pattern.name, sizeof outer->pattern.name, "overskirt");
    WeftWearDef wears[2] = {wear_kit(inner, EDGE), wear_kit(outer, EDGE)};
    WeftDressDef def = dress_dummy(wears, 2);
    WeftOutfit outfit;
    if (dress(&def, &outfit)) {
        double in[6], out[6];
        CHECK(outfit.worn_count == 2);
        for (int i = 0; i < 2; i++) check_worn(&outfit.worn[i], &wears[i], 1e-3);
        CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
        measure_radii(&outfit.worn[0].garment.mesh, in);
        measure_radii(&outfit.worn[1].garment.mesh, out);
        int compared = 0;
        for (int k = 0; k < 6; k++) {
            if (in[k] == 0 || out[k] == 0) continue;
            CHECK(out[k] > in[k]);
            compared++;
        }
        CHECK(compared >= 4);
    }
    weft_destroy_outfit(&outfit);
    free(inner);
    free(outer);
}

// A tube around another, as both lie in the end: what is below and should be above is told.
static void order_is_told(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftFindings findings = {0};
    WfLayer layers[2] = {{.wear = &wear}, {.wear = &wear}};
    WfDressing d = {.layer_count = 2, .layers = layers, .findings = &findings};
    WeftError error;
    d.error = &error;
    d.allocator = wf_allocator(NULL);
    for (int i = 0; i < 2; i++)
        CHECK(!weft_sew_pattern(&kit->pattern, 0.05, NULL, &layers[i].garment, NULL, &error));
    WeftMesh* lower = &layers[0].garment.mesh;
    WeftMesh* upper = &layers[1].garment.mesh;
    for (int way = 0; way < 2; way++) {
        for (int v = 0; v < upper->vertex_count; v++)
            for (int k = 0; k < 3; k += 2)
                upper->positions[3 * v + k] = (way ? 0.9 : 1.1) * lower->positions[3 * v + k];
        CHECK(!wf_tell_order(&d) && findings.count == way);
    }
    if (findings.count > 0) CHECK_TEXT(findings.lines[0], "lies below");
    for (int i = 0; i < 2; i++) weft_destroy_garment(&layers[i].garment);
    weft_destroy_findings(&findings);
    free(kit);
}

// Narrower than the waist: stretched, and said so, or refused; never inside.
static void too_small(void) {
    static const double girths[2] = {0.85, 0.5};
    for (int i = 0; i < 2; i++) {
        Kit* kit = make_skirt(girths[i], 0.3);
        kit->pattern.hold_count = 0;
        WeftWearDef wear = wear_kit(kit, EDGE);
        WeftDressDef def = dress_dummy(&wear, 1);
        WeftOutfit outfit;
        kit_error = (WeftError){0};
        WeftResult result = weft_dress(&def, &outfit, &kit_error);
        if (result == WEFT_OK) {
            CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
            CHECK(outfit.worn[0].stretch > 1.05);
        } else {
            CHECK(result == WEFT_ERROR_INPUT);
            CHECK_TEXT(kit_error.message, "could not be put on");
        }
        weft_destroy_outfit(&outfit);
        free(kit);
    }
}

// A single panel in front of the body falls, and that is said.
static void around_nothing(void) {
    Kit* kit = open_kit();
    place_panel(add_rectangle(kit, "apron", 0.4, 0.4), 0, 0.6, 0.25, 0);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    refuse(&def, WEFT_ERROR_INPUT, "\"kit\" could not be put on: it slid off, and is ");
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// Places

static void lift_kit(Kit* kit, double y) {
    for (int p = 0; p < kit->pattern.panel_count; p++) kit->panels[p].place.position[1] += y;
}

// Patterns for bodies with their origin in the middle are lifted.
static void origin_in_the_middle(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    lift_kit(kit, -0.68 * 1.6);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    WeftOutfit outfit;
    if (dress(&def, &outfit)) {
        double span[2];
        CHECK(outfit.findings.count == 1);
        if (outfit.findings.count > 0)
            CHECK_TEXT(outfit.findings.lines[0],
                       "\"skirt\" reaches from -0.39 to -0.09 m: it was "
                       "lifted by 1.09 m");
        CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
        span_of(&outfit.worn[0].garment.mesh, 1, span);
        CHECK(span[1] > DUMMY_HIPS);
    }
    weft_destroy_outfit(&outfit);
    lift_kit(kit, 20);
    refuse(&def, WEFT_ERROR_INPUT, "and the body from 0.00 to 1.60 m: it is not placed around it");
    free(kit);
}

// A skirt that is longer than the body: it was refused, as not placed around it.
static void longer_than_the_body(void) {
    for (int floor = 0; floor < 2; floor++) {
        Kit* kit = make_skirt(1.1, 1.2);
        kit->holds[0].kind = WEFT_HOLD_ALWAYS;
        WeftWearDef wear = wear_kit(kit, EDGE);
        WeftDressDef def = dress_dummy(&wear, 1);
        WeftOutfit outfit;
        if (floor) def.floor = 0;
        if (dress(&def, &outfit)) {
            double span[2];
            span_of(&outfit.worn[0].garment.mesh, 1, span);
            CHECK(outfit.findings.count == 0);
            CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
            CHECK(floor ? span[0] > 0 : span[0] < -0.1);
        }
        weft_destroy_outfit(&outfit);
        free(kit);
    }
}

// A floor that the body is not above is none.
static void floor_above_the_feet(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    WeftOutfit outfit;
    def.floor = 0.9;
    if (dress(&def, &outfit)) {
        double span[2];
        span_of(&outfit.worn[0].garment.mesh, 1, span);
        CHECK(span[0] < 0.8);
    }
    weft_destroy_outfit(&outfit);
    free(kit);
}

static void nothing_to_wear(void) {
    WeftDressDef def = dress_dummy(NULL, 0);
    refuse(&def, WEFT_ERROR_INPUT, "there is nothing to wear");
    Kit* kit = open_kit();
    WeftWearDef wear = wear_kit(kit, EDGE);
    def = dress_dummy(&wear, 1);
    refuse(&def, WEFT_ERROR_INPUT, "the pattern has no panels");
    free(kit);
    weft_destroy_outfit(NULL);
}

// A body in other units, and one whose triangles face inwards.
static void odd_bodies(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    size_t count = 3 * (size_t)def.vertex_count, corners = 3 * (size_t)def.triangle_count;
    double* large = malloc(count * sizeof *large);
    int* turned = malloc(corners * sizeof *turned);
    for (size_t i = 0; i < count; i++) large[i] = 100 * def.positions[i];
    for (size_t i = 0; i < corners; i++) turned[i] = def.triangles[i - i % 3 + 2 - i % 3];
    const double* positions = def.positions;
    def.positions = large;
    refuse(&def, WEFT_ERROR_INPUT, "is it in metres?");
    def.positions = positions, def.triangles = turned;
    refuse(&def, WEFT_ERROR_INPUT, "the body is inside out: its triangles face inwards");
    free(large);
    free(turned);
    free(kit);
}

static void no_body(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    def.vertex_count = def.triangle_count = 0;
    WeftOutfit outfit;
    CHECK(weft_dress(&def, &outfit, &kit_error) == WEFT_ERROR_INPUT);
    weft_destroy_outfit(&outfit);
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// Progress and pose

typedef struct Watch {
    int calls, stop_at;
    double last;
    bool backwards;
    char stages[8][32];
    int stage_count;
} Watch;

static bool watch(void* user, double part, const char* stage) {
    Watch* w = user;
    w->backwards = w->backwards || part < w->last || part > 1;
    w->last = part;
    if (w->stage_count == 0 || strcmp(w->stages[w->stage_count - 1], stage) != 0)
        if (w->stage_count < 8) snprintf(w->stages[w->stage_count++], 32, "%s", stage);
    return ++w->calls != w->stop_at;
}

static void progress(void) {
    static const char* const wanted[8] = {"sewing",         "closing seams", "putting on",
                                          "bringing apart", "settling",      "refining",
                                          "bringing apart", "refining"};
    Kit* kit = make_skirt(1.1, 0.3);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    Watch w = {0};
    WeftOutfit outfit;
    def.progress = watch, def.progress_user = &w;
    if (dress(&def, &outfit)) {
        CHECK(w.calls == 1 + outfit.step_count && !w.backwards);
        CHECK(w.stage_count == 8);
        for (int i = 0; i < 8; i++) CHECK_TEXT(w.stages[i], wanted[i]);
    }
    weft_destroy_outfit(&outfit);
    static const int stops[3] = {1, 45, 120};
    for (int i = 0; i < 3; i++) {
        w = (Watch){.stop_at = stops[i]};
        refuse(&def, WEFT_ERROR_INPUT, "dressing was stopped");
        CHECK(w.calls == stops[i]);
    }
    free(kit);
}

// It bends forward from the waist up, and steps aside.
static void take_pose(void* user, double part, double* positions) {
    (*(int*)user)++;
    for (int v = 0; v < DUMMY_VERTICES; v++) {
        WfVec x = wf_load(dummy.positions, v);
        double bend = 0.3 * part * fmax(x.y - 0.5, 0);
        wf_store(positions, v, (WfVec){x.x + 0.3 * part, x.y, x.z + bend * bend});
    }
}

// The garment goes with the body; what is held for good stays on the point it is held by.
static void goes_to_the_pose(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    kit->holds[0].kind = WEFT_HOLD_ALWAYS;
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    int calls = 0;
    double posed[3 * DUMMY_VERTICES];
    WeftOutfit outfit;
    def.pose = take_pose, def.pose_user = &calls;
    if (dress(&def, &outfit)) {
        CHECK(calls > 10);
        take_pose(&calls, 1, posed);
        CHECK(judge_outfit(&outfit, &def, posed) == 0);
        const WeftWorn* worn = &outfit.worn[0];
        check_worn(worn, &wear, 0.01);  // the body that holds it bends, and its waist with it
        double span[2];
        span_of(&worn->garment.mesh, 0, span);
        CHECK_NEAR((span[0] + span[1]) / 2, 0.3, 0.05);
        CHECK(worn->hold_count == 18);  // 9 edges in front, 9 behind
        for (int h = 0; h < worn->hold_count; h++) {
            double place[3];
            const WeftBodyPoint* hold = &worn->holds[h];
            weft_follow_body(hold, posed, dummy.triangles, place);
            WfVec is = wf_load(worn->garment.mesh.positions, hold->vertex);
            CHECK_BELOW(wf_length(wf_sub(is, wf_load(place, 0))), 0.02);
        }
    }
    weft_destroy_outfit(&outfit);
    free(kit);
}

// ---------------------------------------------------------------------------------------------

static void same_bits_twice(void) {
    Kit* kit = make_skirt(1.1, 0.3);
    WeftWearDef wear = wear_kit(kit, EDGE);
    WeftDressDef def = dress_dummy(&wear, 1);
    WeftOutfit outfit[2];
    for (int i = 0; i < 2; i++) {
        def.jobs.thread_count = i + 1;
        dress(&def, &outfit[i]);
    }
    if (outfit[0].worn_count == 1 && outfit[1].worn_count == 1) {
        const WeftMesh *a = &outfit[0].worn[0].garment.mesh, *b = &outfit[1].worn[0].garment.mesh;
        size_t bytes = 3 * sizeof(double) * (size_t)a->vertex_count;
        CHECK(a->vertex_count == b->vertex_count);
        CHECK(memcmp(a->positions, b->positions, bytes) == 0);
        CHECK(outfit[0].worn[0].stretch == outfit[1].worn[0].stretch);
    }
    for (int i = 0; i < 2; i++) weft_destroy_outfit(&outfit[i]);
    free(kit);
}

// Every one of the first, then ever fewer: a whole round takes long. Two layers where there is
// time.
static void nth_allocation_fails(void) {
    Kit* kit = make_skirt(1.18, 0.3);
    kit->holds[0].kind = WEFT_HOLD_ALWAYS;
    WeftWearDef wears[2] = {wear_kit(kit, 0.1), wear_kit(kit, 0.1)};
    WeftResult result = WEFT_ERROR_MEMORY;
    long n = 1;
    while (result && n < 100000) {
        Counting counting = {.fail_at = n};
        WeftDressDef def = dress_dummy(wears, test_slow() ? 2 : 1);
        WeftOutfit outfit;
        def.allocator = counting_allocator(&counting);
        kit_error = (WeftError){0};
        result = weft_dress(&def, &outfit, &kit_error);
        if (counting.calls >= n) {
            if (result) CHECK(result == WEFT_ERROR_MEMORY);
            if (result) CHECK(outfit.worn == NULL && counting.live == 0);
            result = WEFT_ERROR_MEMORY;
        }
        weft_destroy_outfit(&outfit);
        CHECK(counting.live == 0);
        n += n < 20 ? 3 : test_slow() ? n / 5 : n;
    }
    CHECK(result == WEFT_OK);
    free(kit);
}

TEST_MAIN(CASE(a_skirt), SLOW_CASE(a_finer_skirt), SLOW_CASE(layers_in_order), CASE(order_is_told),
          SLOW_CASE(too_small), CASE(around_nothing), SLOW_CASE(origin_in_the_middle),
          SLOW_CASE(longer_than_the_body), SLOW_CASE(floor_above_the_feet), CASE(nothing_to_wear),
          CASE(odd_bodies), CASE(no_body), SLOW_CASE(progress), SLOW_CASE(goes_to_the_pose),
          SLOW_CASE(same_bits_twice), CASE(nth_allocation_fails))
