// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact with tapered capsules, hulls and distance fields: as with the capsule, the box and
// the ball that they can be, at rest, moving, turning and at 10 m/s; nothing crosses, by the
// checker; what starts inside comes out.

#include "contact_test.h"
#include "touch.h"

typedef enum Kind {
    BALL,
    FUNCTION,  // fields of that ball
    GRID,
    CAPSULE,
    EVEN,   // tapered, as that capsule
    TAPER,  // and as a cone
    BOX,
    BOX_HULL,
    BALL_HULL,
    KINDS,
} Kind;

static const char* const NAMES[KINDS] = {"ball",  "function", "grid", "capsule",  "even",
                                         "taper", "box",      "hull", "ball hull"};
static const double RADIUS = 0.2, CELL = 0.02;
enum { SIDE = 27, BALL_POINTS = 150 };

static double ball_distance(void* user, const double p[3], double gradient[3]) {
    double far = wf_length(wf_load(p, 0));
    for (int k = 0; k < 3; k++) gradient[k] = far > 0 ? p[k] / far : 0;
    return far - *(const double*)user;
}

static void use_field(WeftBodyDef* body, bool grid) {
    static float values[SIDE * SIDE * SIDE];
    static double radius;
    radius = RADIUS;
    body->kind = WEFT_BODY_DISTANCE;
    WeftDistanceDef* field = &body->distance;
    field->cell = CELL;
    for (int k = 0; k < 3; k++) {
        field->counts[k] = SIDE;
        field->origin[k] = -CELL * (SIDE - 1) / 2;
    }
    field->user = &radius;
    field->distance = grid ? NULL : ball_distance;
    field->values = grid ? values : NULL;
    for (int i = 0; grid && i < SIDE * SIDE * SIDE; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        double p[3], unused[3];
        for (int k = 0; k < 3; k++) p[k] = field->origin[k] + CELL * at[k];
        values[i] = (float)ball_distance(&radius, p, unused);
    }
}

static void use_hull(WeftBodyDef* body, bool ball) {
    static double points[3 * BALL_POINTS];
    body->kind = WEFT_BODY_HULL;
    body->positions = points;
    body->vertex_count = ball ? BALL_POINTS : 8;
    random_state = 0;
    for (int i = 0; i < body->vertex_count; i++) {
        WfVec corner = {i & 1 ? 0.15 : -0.15, i & 2 ? 0.15 : -0.15, i & 4 ? 0.15 : -0.15};
        wf_store(points, i, ball ? wf_mul(RADIUS, wf_unit(random_vec(1))) : corner);
    }
}

static WeftBodyDef* add_body(Touch* t, Kind kind, double y) {
    static const WeftBodyKind kinds[KINDS] = {
        [BALL] = WEFT_BODY_SPHERE,   [CAPSULE] = WEFT_BODY_CAPSULE, [EVEN] = WEFT_BODY_TAPERED,
        [TAPER] = WEFT_BODY_TAPERED, [BOX] = WEFT_BODY_BOX,
    };
    WeftBodyDef* body = touch_body(t, kinds[kind], 0, y, 0);
    body->radius = RADIUS;
    body->top_radius = kind == TAPER ? 0.07 : RADIUS;
    body->length = 0.3;
    for (int k = 0; k < 3; k++) body->size[k] = 0.3;
    if (kind == FUNCTION || kind == GRID) use_field(body, kind == GRID);
    if (kind == BOX_HULL || kind == BALL_HULL) use_hull(body, kind == BALL_HULL);
    return body;
}

static Touch drape(Kind kind, double edge, double tilt) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    double size = edge < 0.01 ? 0.3 : 0.7;
    touch_sheet(&t, size, (int)(size / edge + 0.5), 0.013, 0.37, 0.007);
    touch_turn(add_body(&t, kind, 0)->rotation, 0, tilt);
    return t;
}

// ---------------------------------------------------------------------------------------------
// Against what is known

// Root mean square, m.
static double apart(const Touch* a, const Touch* b) {
    int n = weft_vertex_count(a->model);
    double sum = 0;
    for (int i = 0; i < 3 * n; i++) {
        double off = weft_positions(a->state)[i] - weft_positions(b->state)[i];
        sum += off * off;
    }
    return sqrt(sum / n);
}

static void falls_alike(Kind kind, Kind known, double edge, int steps, double most) {
    int before = test_failures;
    Touch a = drape(kind, edge, 1.3), b = drape(known, edge, 1.3);
    touch_open(&a);
    touch_open(&b);
    double turn[4];
    for (int k = 0; k < steps; k++) {
        touch_turn(turn, 0, 1.3 + 0.01 * k);
        touch_move(&a, 0, 0.002 * k, 0, 0, turn);
        touch_move(&b, 0, 0.002 * k, 0, 0, turn);
        if (!touch_step(&a) || !touch_step(&b)) break;
    }
    CHECK(weft_report(b.state)->active_contacts > 5);
    CHECK_BELOW(apart(&a, &b), most);
    touch_say(before, NAMES[kind], NAMES[known]);
    touch_close(&a);
    touch_close(&b);
}

// Rounding grows from step to step where cloth slides. Cloth whose triangles are large beside a
// ball is held by formulas where a field has samples: it moves otherwise.
static void as_what_they_can_be(void) {
    falls_alike(EVEN, CAPSULE, 0.05, 14, 1e-6);
    falls_alike(BOX_HULL, BOX, 0.05, 14, 2e-3);
    falls_alike(FUNCTION, BALL, 0.02, 18, 2e-3);
    falls_alike(GRID, BALL, 0.02, 18, 3e-3);
    falls_alike(BALL_HULL, BALL, 0.02, 18, 1e-2);
}

// ---------------------------------------------------------------------------------------------
// Nothing crosses

typedef enum Motion { REST, RISE, TURN, SHAKE, MOTIONS } Motion;

static void move(Touch* t, Motion motion, int step) {
    static const double tilts[MOTIONS] = {0.3, 1.3, 1.1, 1.2};
    double turn[4], time = step / 60.0;
    touch_turn(turn, 0, tilts[motion] + (motion == TURN ? 6 * time : 0));
    if (motion == RISE) touch_move(t, 0, 0, fmin(10 * time, 1.5), 0, turn);  // 10 m/s
    if (motion == TURN) touch_move(t, 0, 0, 0, 0, turn);
    if (motion == SHAKE) touch_move(t, 0, 0.15 * sin(20 * time), 0, 0, turn);
}

static void stays_outside(Kind kind, Motion motion, double edge, int steps, int allowed) {
    static const double tilts[MOTIONS] = {1.57, 1.3, 1.1, 1.2};
    static const char* const motions[MOTIONS] = {"at rest", "10 m/s", "turning", "shaken"};
    int before = test_failures, most = 0;
    Touch t = drape(kind, edge, tilts[motion]);
    t.meshes[0].positions[1] += 1e-4;
    touch_open(&t);
    for (int k = 1; k <= steps; k++) {
        move(&t, motion, k);
        if (!touch_step(&t)) break;
        int crossings = touch_crossings(&t);
        most = crossings > most ? crossings : most;
        CHECK(weft_report(t.state)->unstopped == 0 && weft_report(t.state)->tangles <= 0);
    }
    CHECK(touch_is_finite(&t));
    if (!CHECK(most <= allowed)) printf("  %d crossings\n", most);
    touch_say(before, NAMES[kind], motions[motion]);
    touch_close(&t);
}

static const Kind NEW_KINDS[] = {FUNCTION, GRID, EVEN, TAPER, BOX_HULL, BALL_HULL};
enum { NEW_COUNT = sizeof NEW_KINDS / sizeof *NEW_KINDS };

// The distance in a grid is off by 0.4 mm here, of which 0.1 is kept between vertices at least.
static void nothing_crosses(void) {
    for (int k = 0; k < NEW_COUNT; k++)
        for (Motion motion = REST; motion < MOTIONS; motion++)
            stays_outside(NEW_KINDS[k], motion, 0.05, test_slow() ? 60 : 15, 0);
}

static void nothing_crosses_fine_cloth(void) {
    for (int k = 0; k < NEW_COUNT; k++) stays_outside(NEW_KINDS[k], RISE, 0.005, 20, 0);
}

// ---------------------------------------------------------------------------------------------
// Starts

// A sheet through the middle.
static void what_starts_inside_comes_out(void) {
    for (int k = 0; k < NEW_COUNT; k++) {
        int before = test_failures, steps = 0;
        Touch t = drape(NEW_KINDS[k], 0.05, 1.3);
        for (int i = 0; i < t.meshes[0].vertex_count; i++) t.meshes[0].positions[3 * i + 1] = 0.12;
        touch_open(&t);
        CHECK(touch_step(&t) && weft_report(t.state)->tangles > 0);
        while (weft_report(t.state)->tangles > 0 && steps++ < 400 && touch_step(&t)) continue;
        CHECK(weft_report(t.state)->tangles <= 0);
        CHECK(touch_crossings(&t) == 0);
        touch_say(before, NAMES[NEW_KINDS[k]], "from inside");
        touch_close(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// Mirrors and threads

// Half of it, and the whole.
static void halves_of_new_kinds(void) {
    for (int k = 0; k < NEW_COUNT; k++) {
        int before = test_failures;
        Touch t[2];
        for (int whole = 0; whole < 2; whole++) {
            t[whole] = touch_def(WEFT_CONTACT_BODIES);
            touch_sheet(&t[whole], 0.7, 14, 0, 0.37, 0.007);
            touch_turn(add_body(&t[whole], NEW_KINDS[k] == BALL_HULL ? BOX_HULL : NEW_KINDS[k], 0)
                           ->rotation,
                       0, 1.3);
            t[whole].def.mirror.kind = whole ? WEFT_MIRROR_WHOLE : WEFT_MIRROR_EXACT;
            touch_open(&t[whole]);
            for (int step = 0; step < 12; step++) CHECK(touch_step(&t[whole]));
        }
        CHECK_BELOW(apart(&t[0], &t[1]), 2e-3);
        touch_say(before, NAMES[NEW_KINDS[k]], "half");
        for (int whole = 0; whole < 2; whole++) touch_close(&t[whole]);
    }
}

static void the_same_bits_by_any_threads(void) {
    for (int k = 0; k < NEW_COUNT; k++) {
        uint64_t hashes[2];
        for (int many = 0; many < 2; many++) {
            Touch t = drape(NEW_KINDS[k], 0.03, 1.3);
            t.def.jobs.thread_count = many ? 4 : 1;
            touch_open(&t);
            for (int step = 0; step < 20; step++) CHECK(touch_step(&t));
            hashes[many] = weft_hash_state(t.state);
            touch_close(&t);
        }
        CHECK(hashes[0] == hashes[1]);
    }
}

TEST_MAIN(SLOW_CASE(as_what_they_can_be), SLOW_CASE(nothing_crosses),
          LONG_CASE(nothing_crosses_fine_cloth), CASE(what_starts_inside_comes_out),
          CASE(halves_of_new_kinds), SLOW_CASE(the_same_bits_by_any_threads))
