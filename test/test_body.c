// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards bodies: distances and normals of exact ones, poses, what defs are refused for, bodies as
// triangles (closed, facing outwards), and that moving, placing and deforming does what it says.

#include "contact/body.h"
#include "contact/sharp.h"

#include "contact_test.h"
#include "touch.h"

static const WeftBodyKind KINDS[5] = {WEFT_BODY_PLANE, WEFT_BODY_SPHERE, WEFT_BODY_CAPSULE,
                                      WEFT_BODY_BOX, WEFT_BODY_MESH};

static void check_vec(WfVec a, WfVec b, double tolerance) {
    CHECK_BELOW(wf_length(wf_sub(a, b)), tolerance);
}

// ---------------------------------------------------------------------------------------------
// Poses

static WfPose random_pose(void) {
    WfPose pose;
    double square = 0;
    wf_store(pose.position, 0, random_vec(2));
    for (int k = 0; k < 4; k++) {
        pose.rotation[k] = 2 * random_unit() - 1;
        square += pose.rotation[k] * pose.rotation[k];
    }
    for (int k = 0; k < 4; k++) pose.rotation[k] /= sqrt(square);
    return pose;
}

static void poses_go_there_and_back(void) {
    for (int i = 0; i < 100; i++) {
        WfPose pose = random_pose();
        WfVec p = random_vec(3), q = random_vec(3);
        WfVec moved = wf_pose_point(&pose, p);
        check_vec(wf_pose_local(&pose, moved), p, 1e-12);
        CHECK_NEAR(wf_length(wf_sub(moved, wf_pose_point(&pose, q))), wf_length(wf_sub(p, q)),
                   1e-12);
        check_vec(wf_pose_turn(&pose, wf_sub(p, q)), wf_sub(moved, wf_pose_point(&pose, q)), 1e-12);
        // right-handed
        WfVec a = wf_pose_turn(&pose, p), b = wf_pose_turn(&pose, q);
        check_vec(wf_cross(a, b), wf_pose_turn(&pose, wf_cross(p, q)), 1e-11);
    }
}

static void a_quarter_turn(void) {
    WfPose pose = {{1, 2, 3}, {0, 0, 0, 1}};
    touch_turn(pose.rotation, 1, TOUCH_PI / 2);
    check_vec(wf_pose_turn(&pose, (WfVec){0, 0, 1}), (WfVec){1, 0, 0}, 1e-15);
    check_vec(wf_pose_point(&pose, (WfVec){1, 0, 0}), (WfVec){1, 2, 2}, 1e-15);
}

static void poses_in_between(void) {
    WfPose from = {{0, 0, 0}, {0, 0, 0, 1}}, to = {{2, 0, -4}, {0, 0, 0, 1}};
    touch_turn(to.rotation, 2, 0.6);
    WfPose half = wf_pose_between(&from, &to, 0.5);
    double wanted[4];
    touch_turn(wanted, 2, 0.3);
    check_vec(wf_load(half.position, 0), (WfVec){1, -tan(0.15), -2}, 1e-15);
    for (int k = 0; k < 4; k++) CHECK_NEAR(half.rotation[k], wanted[k], 1e-15);
    // the other sign is the same rotation, and the way there as short
    for (int k = 0; k < 4; k++) to.rotation[k] = -to.rotation[k];
    WfPose other = wf_pose_between(&from, &to, 0.5);
    for (int k = 0; k < 4; k++) CHECK_NEAR(other.rotation[k], wanted[k], 1e-15);
}

// A point of the frame, told by itself how far it goes and turns, stays where it is in the frame.
// (Bodies went along chords where pins went on arcs.)
static void points_stay_in_their_frame(void) {
    const double turns[] = {0, 1e-9, 1e-4, 0.3, 2, TOUCH_PI - 1e-9, -2};
    for (int k = 0; k < 7; k++) {
        WfPose from = {{0.3, 1, -2}, {0.5, 0.5, -0.5, 0.5}}, to = {{0.9, 1.2, -2.5}, {0}};
        WfPose turn = {{0, 0, 0},
                       {0.6 * sin(turns[k] / 2), 0, 0.8 * sin(turns[k] / 2), cos(turns[k] / 2)}};
        double w = from.rotation[3];  // turn times from
        WfVec axis = wf_load(turn.rotation, 0), old = wf_load(from.rotation, 0);
        WfVec mixed = wf_madd(wf_mul(turn.rotation[3], old), w, axis);
        wf_store(to.rotation, 0, wf_add(mixed, wf_cross(axis, old)));
        to.rotation[3] = turn.rotation[3] * w - wf_dot(axis, old);
        for (int p = 0; p <= 8; p++) {
            WfVec local = {p - 3.0, 0.5 * p, 2 - p};
            WfVec start = wf_pose_point(&from, local), end = wf_pose_point(&to, local);
            WfPose between = wf_pose_between(&from, &to, p / 8.0);
            WfVec way = wf_screw_way(turn.rotation, wf_sub(end, start), p / 8.0);
            check_vec(wf_pose_point(&between, local), wf_add(start, way), 1e-13);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Exact bodies

static WfBody make(WeftBodyKind kind) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = kind;
    def.radius = 0.3;
    def.length = 0.8;
    WfBody body = {0};
    WeftAllocator allocator = wf_allocator(NULL);
    CHECK(wf_body_check(&def, NULL) == WEFT_OK);
    CHECK(wf_body_create(&allocator, &def, &body) == WEFT_OK);
    return body;
}

static void unmake(WfBody* body) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_body_destroy(&allocator, body);
}

// Of a box its twelve edges, not the diagonals of its faces; of a ball, none.
static void sharp_edges(void) {
    WeftBodyDef def = weft_default_body_def();
    WeftAllocator allocator = wf_allocator(NULL);
    WfBody box, ball = make(WEFT_BODY_SPHERE);
    def.kind = WEFT_BODY_BOX;
    def.size[0] = def.size[1] = def.size[2] = 2;
    CHECK(wf_body_create(&allocator, &def, &box) == WEFT_OK);
    CHECK(box.sharp_count == 12 && ball.sharp_count == 0);
    CHECK(wf_is_near_sharp_edge(&box, box.positions, (WfVec){1.05, 0.2, 1}, 0.06));
    CHECK(!wf_is_near_sharp_edge(&box, box.positions, (WfVec){1.05, 0.2, 0.2}, 0.5));
    CHECK(!wf_is_near_sharp_edge(&box, box.positions, (WfVec){1.2, 1.2, 1.2}, 0.34));
    CHECK(wf_is_near_sharp_edge(&box, box.positions, (WfVec){1.2, 1.2, 1.2}, 0.35));
    unmake(&box);
    unmake(&ball);
}

static void known_distances(void) {
    static const struct {
        WeftBodyKind kind;
        WfVec p, normal;
        double distance;
    } cases[] = {
        {WEFT_BODY_PLANE, {3, 0.5, 7}, {0, 1, 0}, 0.5},
        {WEFT_BODY_PLANE, {3, -0.5, 7}, {0, 1, 0}, -0.5},
        {WEFT_BODY_SPHERE, {0, 0, 1}, {0, 0, 1}, 0.7},
        {WEFT_BODY_SPHERE, {-0.1, 0, 0}, {-1, 0, 0}, -0.2},
        {WEFT_BODY_SPHERE, {0, 0, 0}, {0, 1, 0}, -0.3},
        {WEFT_BODY_CAPSULE, {1, 0.2, 0}, {1, 0, 0}, 0.7},
        {WEFT_BODY_CAPSULE, {0, 1, 0}, {0, 1, 0}, 0.3},
        {WEFT_BODY_CAPSULE, {0, -0.8, 0.3}, {0, -0.8, 0.6}, 0.2},
        {WEFT_BODY_CAPSULE, {0, 0.1, 0}, {0, 1, 0}, -0.3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WfBody body = make(cases[i].kind);
        WfPose pose = random_pose();
        WfVec n, wanted = cases[i].normal;
        CHECK_NEAR(wf_body_local_distance(&body, cases[i].p, &n), cases[i].distance, 1e-12);
        check_vec(n, wanted, 1e-12);
        CHECK_NEAR(wf_body_distance(&body, &pose, wf_pose_point(&pose, cases[i].p), &n),
                   cases[i].distance, 1e-12);
        // in the middle every direction is as good
        if (cases[i].distance > -0.29) check_vec(n, wf_pose_turn(&pose, wanted), 1e-12);
        unmake(&body);
    }
}

// The normal is how the distance grows; a step along it by as much as it says is on the surface.
static void normals_are_gradients(void) {
    for (int k = 0; k < 3; k++) {
        WfBody body = make(KINDS[k]);
        WfPose pose = random_pose();
        for (int i = 0; i < 200; i++) {
            WfVec p = wf_pose_point(&pose, random_vec(1)), n, on;
            double d = wf_body_distance(&body, &pose, p, &n), h = 1e-6;
            CHECK_NEAR(wf_length(n), 1, 1e-12);
            CHECK_NEAR(wf_body_distance(&body, &pose, wf_madd(p, -d, n), &on), 0, 1e-12);
            const WfVec axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
            const double slope[3] = {n.x, n.y, n.z};
            for (int c = 0; c < 3 && fabs(d) > 1e-3 && d > -0.25; c++) {
                double more = wf_body_distance(&body, &pose, wf_add(p, axes[c]), &on);
                double less = wf_body_distance(&body, &pose, wf_sub(p, axes[c]), &on);
                CHECK_NEAR((more - less) / (2 * h), slope[c], 1e-5);
            }
        }
        unmake(&body);
    }
}

// The first place of the way that is as near as that, by small steps; 2 where there is none.
static double first_near(const WfBody* body, WfVec a, WfVec b, double keep) {
    enum { STEPS = 4000 };
    for (int i = 0; i <= STEPS; i++) {
        WfVec n, p = wf_madd(a, i / (double)STEPS, wf_sub(b, a));
        if (wf_body_local_distance(body, p, &n) < keep) return i / (double)STEPS;
    }
    return 2;
}

static void ways_meet_bodies(void) {
    for (int k = 0; k < 3; k++) {
        WfBody body = make(KINDS[k]);
        int met = 0;
        for (int i = 0; i < 300; i++) {
            WfVec a = random_vec(1.5), b = random_vec(1.5), n, at;
            double keep = 0.001 + 0.1 * random_unit();
            if (wf_body_local_distance(&body, a, &n) < keep) continue;
            WfVec found = wf_body_meet(&body, a, b, keep, &n);
            double t = first_near(&body, a, b, keep), length = wf_length(wf_sub(b, a));
            double place = wf_length(wf_sub(found, a)) / length;
            double distance = wf_body_local_distance(&body, found, &at);
            check_vec(n, at, 1e-12);
            CHECK(distance > keep - 1e-6);  // never too late
            if (t > 1) {
                // missed, or by less than the small steps can tell
                CHECK(place > 1 - 1e-9 || distance < keep + 1e-6);
                continue;
            }
            met++;
            // grazing ways come near at a place that is not well defined
            CHECK_BELOW(place, t + 1e-6);
            CHECK_BELOW(distance - keep, 1e-6);
        }
        CHECK(met > 20);
        unmake(&body);
    }
}

static void ends_of_ways(void) {
    WfBody body = make(WEFT_BODY_SPHERE);
    WfVec n, inside = {0.1, 0, 0}, out = {0, 2, 0};
    check_vec(wf_body_meet(&body, inside, out, 0.01, &n), inside, 1e-15);  // at once
    check_vec(wf_body_meet(&body, out, out, 0.01, &n), out, 1e-15);
    check_vec(wf_body_meet(&body, out, (WfVec){0, 3, 0}, 0.01, &n), (WfVec){0, 3, 0}, 1e-15);
    check_vec(wf_body_meet(&body, out, (WfVec){0, -2, 0}, 0.01, &n), (WfVec){0, 0.31, 0}, 1e-6);
    check_vec(n, (WfVec){0, 1, 0}, 1e-12);
    unmake(&body);
}

static void points_are_carried(void) {
    WfBody body = make(WEFT_BODY_CAPSULE);
    WfMover mover = {.body = &body, .from = random_pose(), .to = random_pose()};
    for (int i = 0; i < 20; i++) {
        WfVec local = random_vec(1), p = wf_pose_point(&mover.from, local);
        check_vec(wf_add(p, wf_body_carry(&mover, p)), wf_pose_point(&mover.to, local), 1e-12);
    }
    unmake(&body);
}

// ---------------------------------------------------------------------------------------------
// Refusals

static Touch sheet_and(WeftBodyKind kind) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.6, 12, 0, 0.3, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, -1, 0);
    WeftBodyDef* body = touch_body(&t, kind, 0, 0, 0);
    if (kind == WEFT_BODY_MESH) touch_gem(body);
    return t;
}

static void refused(WeftBodyKind kind, const WeftBodyDef* def, const char* words) {
    Touch t = sheet_and(kind);
    t.bodies[1] = *def;
    WeftError error = {0};
    CHECK(touch_create(&t, &error) == WEFT_ERROR_INPUT);
    CHECK(!t.model && !t.state);
    CHECK_TEXT(error.message, "body 1: ");
    CHECK_TEXT(error.message, words);
    touch_close(&t);
}

static void refuse_number(WeftBodyKind kind, size_t offset, double value, const char* words) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = kind;
    memcpy((char*)&def + offset, &value, sizeof value);
    refused(kind, &def, words);
}

static void refused_numbers(void) {
    static const double wrong[4] = {0, -1, NAN, 2e4};
    for (int i = 0; i < 4; i++) {
        size_t radius = offsetof(WeftBodyDef, radius), size = offsetof(WeftBodyDef, size);
        refuse_number(WEFT_BODY_SPHERE, radius, wrong[i], "radius is");
        refuse_number(WEFT_BODY_CAPSULE, radius, wrong[i], "radius is");
        refuse_number(WEFT_BODY_BOX, size + sizeof(double), wrong[i], "size[1] is");
        if (i > 0)
            refuse_number(WEFT_BODY_CAPSULE, offsetof(WeftBodyDef, length), wrong[i], "length is");
    }
    for (int k = 0; k < 4; k++) {
        size_t friction = offsetof(WeftBodyDef, friction);
        size_t position = offsetof(WeftBodyDef, position);
        refuse_number(KINDS[k], friction, -0.1, "friction is -0.1");
        refuse_number(KINDS[k], friction, NAN, "friction is");
        refuse_number(KINDS[k], position + 2 * sizeof(double), HUGE_VAL, "position is inf");
        refuse_number(KINDS[k], offsetof(WeftBodyDef, rotation), 0.5, "rotation has length");
        refuse_number(KINDS[k], offsetof(WeftBodyDef, rotation), NAN, "rotation has length");
    }
    WeftBodyDef def = weft_default_body_def();
    def.kind = (WeftBodyKind)17;
    refused(WEFT_BODY_PLANE, &def, "kind is 17");
}

static void refused_meshes(void) {
    WeftBodyDef good = weft_default_body_def(), def;
    good.kind = WEFT_BODY_MESH;
    touch_gem(&good);
    double positions[3 * GEM_VERTICES];
    int triangles[3 * GEM_TRIANGLES];
    memcpy(positions, gem_positions, sizeof positions);
    memcpy(triangles, gem_triangles, sizeof triangles);
    def = good, def.positions = NULL;
    refused(WEFT_BODY_MESH, &def, "vertices and triangles");
    def = good, def.triangle_count = 0;
    refused(WEFT_BODY_MESH, &def, "vertices and triangles");
    def = good, def.vertex_count = -3;
    refused(WEFT_BODY_MESH, &def, "vertices and triangles");
    def = good, def.positions = positions, positions[3 * 5 + 1] = NAN;
    refused(WEFT_BODY_MESH, &def, "vertex 5 is at");
    def = good, def.triangles = triangles, triangles[3 * 7 + 2] = GEM_VERTICES;
    refused(WEFT_BODY_MESH, &def, "triangle 7 names vertex 14 of 14");
    triangles[3 * 7 + 2] = -1;
    refused(WEFT_BODY_MESH, &def, "triangle 7 names vertex -1");
    triangles[3 * 7 + 2] = triangles[3 * 7];
    refused(WEFT_BODY_MESH, &def, "triangle 7 names a vertex twice");
}

// ---------------------------------------------------------------------------------------------
// As triangles

// Its volume, where every edge has one triangle on each side; else 0.
static double volume_of(const WeftModel* model, const WeftState* state, int body) {
    int count = weft_body_triangle_count(model, body), n = weft_body_vertex_count(model, body);
    const int* triangles = weft_body_triangles(model, body);
    double *x = calloc(3 * (size_t)n, sizeof *x), sum = 0;
    int* sides = calloc((size_t)n * (size_t)n, sizeof *sides);
    weft_copy_body(state, body, x);
    for (int t = 0; t < count; t++) {
        const int* v = triangles + 3 * t;
        WfVec a = wf_load(x, v[0]), b = wf_load(x, v[1]), c = wf_load(x, v[2]);
        sum += wf_dot(a, wf_cross(b, c)) / 6;
        for (int k = 0; k < 3; k++) sides[v[k] * n + v[(k + 1) % 3]]++;
    }
    bool closed = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            closed = closed && sides[i * n + j] <= 1 && sides[i * n + j] == sides[j * n + i];
    free(sides);
    free(x);
    return closed ? sum : 0;
}

static void triangles_are_closed(void) {
    double ball = TOUCH_PI / 48, base = 6 * 0.04 * sin(TOUCH_PI / 6);  // of the gem
    const double volumes[5] = {0, ball, ball + TOUCH_PI / 32, 0.125, 2 * base * 0.25 / 3};
    for (int k = 1; k < 5; k++) {
        Touch t = sheet_and(KINDS[k]);
        touch_turn(t.bodies[1].rotation, 0, 1);
        t.bodies[1].position[2] = 5;
        touch_open(&t);
        CHECK(weft_body_count(t.model) == 2);
        CHECK_NEAR(volume_of(t.model, t.state, 1), volumes[k], 0.01 * volumes[k]);
        touch_close(&t);
    }
}

// Corners lie on the surface: of round bodies and boxes, by formula.
static void corners_are_on_the_surface(void) {
    for (int k = 0; k < 4; k++) {
        Touch t = sheet_and(KINDS[k]);
        touch_turn(t.bodies[1].rotation, 2, 0.7);
        t.bodies[1].position[0] = -2;
        touch_open(&t);
        int n = weft_body_vertex_count(t.model, 1);
        double* x = calloc(3 * (size_t)n, sizeof *x);
        weft_copy_body(t.state, 1, x);
        for (int i = 0; i < n; i++) CHECK_NEAR(touch_distance(&t, 1, wf_load(x, i)), 0, 1e-12);
        free(x);
        touch_close(&t);
    }
}

static void a_plane_faces_up(void) {
    Touch t = sheet_and(WEFT_BODY_PLANE);
    touch_open(&t);
    double x[12];
    const int* v = weft_body_triangles(t.model, 0);
    CHECK(weft_body_vertex_count(t.model, 0) == 4 && weft_body_triangle_count(t.model, 0) == 2);
    weft_copy_body(t.state, 0, x);
    double area = 0;
    for (int k = 0; k < 2; k++, v += 3) {
        WfVec a = wf_load(x, v[0]);
        WfVec n = wf_cross(wf_sub(wf_load(x, v[1]), a), wf_sub(wf_load(x, v[2]), a));
        CHECK(n.y > 0 && n.x == 0 && n.z == 0 && a.y == -1);
        area += n.y / 2;
    }
    CHECK_NEAR(area, 400, 1e-9);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Motion

static WfVec corner_of(const Touch* t, int body, int vertex) {
    double x[3 * 2000];
    if (!CHECK(weft_body_vertex_count(t->model, body) <= 2000)) return (WfVec){0, 0, 0};
    weft_copy_body(t->state, body, x);
    return wf_load(x, vertex);
}

// A body asked to move is there after the next step, not before; it stays there; at once where
// it is placed.
static void bodies_move(void) {
    for (int k = 0; k < 5; k++) {
        Touch t = sheet_and(KINDS[k]);
        t.bodies[1].position[0] = 3;
        touch_open(&t);
        double turn[4];
        const double start[3] = {3, 0, 0}, there[3] = {3, 0.25, -1}, other[3] = {-4, 0, 1};
        touch_turn(turn, 1, TOUCH_PI / 2);
        WfVec before = corner_of(&t, 1, 1), local = wf_sub(before, wf_load(start, 0));
        weft_move_body(t.state, 1, there, turn);
        check_vec(corner_of(&t, 1, 1), before, 1e-15);
        CHECK(touch_step(&t));
        WfVec wanted = {there[0] + local.z, there[1] + local.y, there[2] - local.x};
        check_vec(corner_of(&t, 1, 1), wanted, 1e-12);
        CHECK(touch_step(&t));
        check_vec(corner_of(&t, 1, 1), wanted, 1e-12);
        weft_place_body(t.state, 1, other, TOUCH_LEVEL);
        check_vec(corner_of(&t, 1, 1), wf_add(wf_load(other, 0), local), 1e-12);
        touch_close(&t);
    }
}

static void meshes_deform(void) {
    Touch t = sheet_and(WEFT_BODY_MESH);
    t.bodies[1].position[0] = 3;
    touch_open(&t);
    double larger[3 * GEM_VERTICES];
    for (int i = 0; i < 3 * GEM_VERTICES; i++) larger[i] = 2 * gem_positions[i];
    double before = volume_of(t.model, t.state, 1);
    weft_deform_body(t.state, 1, larger);
    CHECK_NEAR(volume_of(t.model, t.state, 1), before, 1e-12);
    for (int k = 0; k < 2; k++) {
        CHECK(touch_step(&t));
        CHECK_NEAR(volume_of(t.model, t.state, 1), 8 * before, 1e-12);
    }
    check_vec(corner_of(&t, 1, GEM_SIDES), (WfVec){3, 0.5, 0}, 1e-12);
    touch_close(&t);
}

// What a body that was placed touches stays; what it touches when it moves is dragged along.
static void placing_drags_nothing(void) {
    double way[2];
    for (int moves = 0; moves < 2; moves++) {
        Touch t = touch_def(WEFT_CONTACT_BODIES);
        touch_sheet(&t, 0.4, 8, 0, 1e-3, 0)->fabric.friction = 1;
        touch_body(&t, WEFT_BODY_BOX, 0, -0.25, 0)->friction = 1;
        t.bodies[0].size[0] = 4;
        touch_open(&t);
        for (int k = 0; k < 20; k++) CHECK(touch_step(&t));
        const double there[3] = {0.1, -0.25, 0};
        for (int k = 0; k < 20; k++) {
            const double next[3] = {0.1 * (k + 1) / 20, -0.25, 0};
            if (moves)
                weft_move_body(t.state, 0, next, TOUCH_LEVEL);
            else if (k == 0)
                weft_place_body(t.state, 0, there, TOUCH_LEVEL);
            CHECK(touch_step(&t));
        }
        way[moves] = touch_mean(&t, 0, (WfVec){1, 0, 0});
        touch_close(&t);
    }
    CHECK_NEAR(way[0], 0, 1e-4);
    CHECK_NEAR(way[1], 0.1, 0.01);
}

// Of cloth and body, the geometric mean: as one of both alike, and none where either is smooth.
static double slide_with(double cloth, double body) {
    double angle = TOUCH_PI / 6, turn[4];
    touch_turn(turn, 2, -angle);
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    t.step.air_density = 0;
    touch_sheet(&t, 0.3, 6, 0, 0, 0)->fabric.friction = cloth;
    for (int i = 0; i < t.meshes[0].vertex_count; i++) {
        double *p = t.meshes[0].positions + 3 * i, u = p[0];
        p[0] = u * cos(angle) + 1e-3 * sin(angle);
        p[1] = -u * sin(angle) + 1e-3 * cos(angle);
    }
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0)->friction = body;
    memcpy(t.bodies[0].rotation, turn, sizeof turn);
    touch_open(&t);
    for (int k = 0; k < 30; k++) CHECK(touch_step(&t));
    double way = touch_mean(&t, 0, (WfVec){cos(angle), -sin(angle), 0});
    touch_close(&t);
    return way;
}

static void friction_is_the_geometric_mean(void) {
    double alike = slide_with(0.2, 0.2);
    CHECK_NEAR(slide_with(0.1, 0.4), alike, 1e-9);
    CHECK_NEAR(slide_with(0.8, 0.05), alike, 1e-9);
    CHECK_NEAR(slide_with(0.9, 0), slide_with(0, 0), 1e-9);
    CHECK(slide_with(0, 0.9) > 1.2 * alike);
}

// Substeps of a step in which a sheet slides over a gem, whose shape lay `away` in the model, and
// is wider by `swells` times its size at the end of that step.
static int substeps_over_gem(double away, double swells) {
    enum { CELLS = 12, SETTLES = 30, VERTICES = (CELLS + 1) * (CELLS + 1) };
    double shape[3 * GEM_VERTICES], v[3 * VERTICES];
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.6, CELLS, 0, 0.26, 0);
    touch_gem(touch_body(&t, WEFT_BODY_MESH, 0, 0, 0));
    memcpy(shape, gem_positions, sizeof shape);
    for (int i = 0; i < GEM_VERTICES; i++) gem_positions[3 * i] += away;
    touch_open(&t);
    for (int k = 0; k < SETTLES; k++) {
        weft_deform_body(t.state, 0, shape);
        CHECK(touch_step(&t));
    }
    for (int i = 0; i < 3 * GEM_VERTICES; i++) shape[i] *= 1 + swells;
    for (int i = 0; i < 3 * VERTICES; i++) v[i] = i % 3 == 0 ? 4 : 0;
    weft_deform_body(t.state, 0, shape);
    weft_set_velocities(t.state, v);
    CHECK(touch_step(&t));
    int substeps = weft_report(t.state)->substeps;
    touch_close(&t);
    return substeps;
}

// A mannequin that began to walk was cut into parts where its armpits had been.
static void sharp_edges_go_with_the_shape(void) {
    CHECK(substeps_over_gem(0, 0) > 2);
    CHECK(substeps_over_gem(3, 0) > 2);
    CHECK(substeps_over_gem(0, 1e-6) == 2);
}

TEST_MAIN(CASE(sharp_edges_go_with_the_shape), CASE(poses_go_there_and_back), CASE(a_quarter_turn),
          CASE(poses_in_between), CASE(points_stay_in_their_frame), CASE(sharp_edges),
          CASE(known_distances), CASE(normals_are_gradients), CASE(ways_meet_bodies),
          CASE(ends_of_ways), CASE(points_are_carried), CASE(refused_numbers), CASE(refused_meshes),
          CASE(triangles_are_closed), CASE(corners_are_on_the_surface), CASE(a_plane_faces_up),
          CASE(bodies_move), CASE(meshes_deform), CASE(placing_drags_nothing),
          CASE(friction_is_the_geometric_mean))
