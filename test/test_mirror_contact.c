// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards halves that meet in the plane of a mirror: nothing passes through it, and closures show
// halves that do not cross.

#include "halves.h"
#include "weft/weft_io.h"

typedef struct Scene {
    WeftModel* model;
    WeftState* state;
    const int* images;
    WeftPlane plane;
    WeftStepDef step;
} Scene;

static Scene open_scene(const WeftModelDef* def) {
    Scene scene = {.images = def->cloths[0].images, .plane = def->mirror.plane, .step = def->step};
    WeftError error = {0};
    if (!CHECK(!weft_create_model(def, &scene.model, &error)))
        printf("%s\n", error.message), exit(1);
    CHECK(!weft_create_state(scene.model, &scene.state, NULL));
    return scene;
}

static void close_scene(Scene* scene) {
    weft_destroy_state(scene->state);
    weft_destroy_model(scene->model);
}

static void step_scene(Scene* scene) {
    if (!CHECK(!weft_step(scene->state, &scene->step)))
        printf("%s\n", weft_state_error(scene->state)->message);
}

// 1 where a triangle is all of the own half, -1 of the image: by where it started.
static int side_of(const Scene* scene, const signed char* sides, int triangle) {
    const int* v = weft_triangles(scene->model) + 3 * (long)triangle;
    for (int k = 0; k < 3; k++)
        if (sides[v[k]]) return sides[v[k]];
    return 0;
}

typedef struct Crossings {
    int all;      // touching included
    int between;  // of both halves, without what only touches
    int within;   // of the own half, likewise
} Crossings;

// Whether two triangles are each on their own side of the plane, so that they can only touch.
static bool are_parted(const Scene* scene, const int triangles[2], const int sides[2]) {
    bool parted = sides[0] * sides[1] < 0;
    for (int k = 0; k < 6; k++) {
        int v = weft_triangles(scene->model)[3 * (long)triangles[k / 3] + k % 3];
        const double* x = weft_positions(scene->state) + 3 * (long)v;
        parted = parted && sides[k / 3] * height_over(&scene->plane, x) >= 0;
    }
    return parted;
}

static Crossings count_crossings(const Scene* scene, const signed char* sides) {
    enum { ROOM = 4096 };
    static WeftCrossing found[ROOM];
    WeftSurface surface = {weft_vertex_count(scene->model), weft_positions(scene->state),
                           weft_triangle_count(scene->model), weft_triangles(scene->model), false};
    Crossings count = {0};
    CHECK(!weft_find_crossings(&surface, 1, NULL, ROOM, found, &count.all, NULL));
    for (int k = 0; k < count.all && k < ROOM && sides; k++) {
        const int* t = found[k].triangle;
        int of[2] = {side_of(scene, sides, t[0]), side_of(scene, sides, t[1])};
        if (weft_crossing_touches(&surface, &found[k]) || are_parted(scene, t, of)) continue;
        if (of[0] != of[1])
            count.between++;
        else if (of[0] > 0)
            count.within++;
    }
    return count;
}

static signed char* find_sides(const Scene* scene) {
    int n = weft_vertex_count(scene->model);
    signed char* sides = malloc((size_t)n);
    for (int i = 0; i < n; i++) {
        double height = height_over(&scene->plane, weft_positions(scene->state) + 3 * (long)i);
        sides[i] = scene->images[i] == i ? 0 : height > 0 ? 1 : -1;
    }
    return sides;
}

// How far the own half is behind the plane, m.
static double depth_of(const Scene* scene, const signed char* sides) {
    double most = 0;
    for (int i = 0; i < weft_vertex_count(scene->model); i++) {
        double height = height_over(&scene->plane, weft_positions(scene->state) + 3 * (long)i);
        if (sides[i] > 0) most = fmax(most, -height);
    }
    return most;
}

static WeftMethod method = WEFT_METHOD_PREFACTORED;

static WeftModelDef model_of(const WeftClothDef* cloth) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = cloth;
    def.cloth_count = 1;
    def.contact = WEFT_CONTACT_ALL;
    def.mirror.kind = WEFT_MIRROR_EXACT;
    def.step.method = method;
    return def;
}

static bool check_apart(const Scene* scene, const signed char* sides, int step) {
    bool good = CHECK(count_crossings(scene, NULL).all == 0);
    good = CHECK_BELOW(depth_of(scene, sides), 1e-12) && good;
    if (!good) printf("  step %d\n", step);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Folds

// A sheet that is folded along the plane like a book, and shut by its outer edges.
static void books_shut(void) {
    enum { N = 16 };
    static const double speeds[] = {0.5, 5, 20};
    bool small = method == WEFT_METHOD_SMALL_STEPS;  // at 20 m/s it goes 1.3 mm behind the plane
    for (int s = 0; s < (small ? 2 : 3); s++) {
        Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, N);
        int pins[2 * (N + 1)];
        for (int i = 0; i < sheet.mesh.vertex_count; i++) {
            double* x = sheet.mesh.positions + 3 * (long)i;
            double out = x[0];
            x[2] = x[1];
            x[0] = 0.8 * out;
            x[1] = 0.6 * fabs(out);
        }
        for (int j = 0; j <= N; j++) pins[2 * j] = j * (N + 1), pins[2 * j + 1] = j * (N + 1) + N;
        sheet.cloth.pins = pins;
        sheet.cloth.pin_count = 2 * (N + 1);
        WeftModelDef def = model_of(&sheet.cloth);
        Scene scene = open_scene(&def);
        signed char* sides = find_sides(&scene);
        double out = 0.4;
        for (int i = 0; i < test_rounds(120); i++) {
            double next = fmax(0.003, out - speeds[s] * def.step.dt);
            for (int k = 0; k < 2 * (N + 1); k += 2) {
                double* x = sheet.mesh.positions + 3 * (long)pins[k + 1];
                double up = sqrt(0.25 - next * next);
                weft_move_pin(scene.state, pins[k + 1], (double[3]){next, up, x[2]});
            }
            out = next;
            step_scene(&scene);
            if (!check_apart(&scene, sides, i)) break;
        }
        free(sides);
        close_scene(&scene);
        free_sheet(&sheet);
    }
}

// A towel over a line: its halves fall, swing against each other, and come to rest.
static void hang_towel(WeftPlane plane, int steps, WeftBodyDef* bodies, int body_count,
                       double speed) {
    enum { N = 14 };
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, N);
    double length = 0, along[3] = {0, 0, 0}, n[3];
    int pins[N + 1];
    for (int k = 0; k < 3; k++) length += plane.normal[k] * plane.normal[k];
    for (int k = 0; k < 3; k++) n[k] = plane.normal[k] / sqrt(length);
    // z of the sheet runs along the plane, square to gravity
    along[0] = -n[2], along[2] = n[0];
    for (int i = 0; i < sheet.mesh.vertex_count; i++) {
        double* x = sheet.mesh.positions + 3 * (long)i;
        double out = x[0], at = x[1] - 0.5;
        for (int k = 0; k < 3; k++) x[k] = plane.point[k] + out * n[k] + at * along[k];
    }
    for (int j = 0; j <= N; j++) pins[j] = j * (N + 1) + N / 2;
    sheet.cloth.pins = pins;
    sheet.cloth.pin_count = N + 1;
    WeftModelDef def = model_of(&sheet.cloth);
    def.mirror.plane = plane;
    def.bodies = bodies;
    def.body_count = body_count;
    Scene scene = open_scene(&def);
    signed char* sides = find_sides(&scene);
    bool met = false, asleep = false;
    for (int i = 0; i < steps; i++) {
        // bodies 0 and 1 press the halves together, from the sides
        for (int b = 0; b < 2 && body_count > 1 && i > 40; b++) {
            double out = fmax(0.12, 0.7 - speed * def.step.dt * (i - 40)), side = b ? -1 : 1;
            double to[3];
            for (int k = 0; k < 3; k++) to[k] = plane.point[k] + side * out * n[k];
            to[1] -= 0.3;
            weft_move_body(scene.state, b, to, (double[4]){0, 0, 0, 1});
        }
        step_scene(&scene);
        if (!check_apart(&scene, sides, i)) break;
        met = met || weft_report(scene.state)->active_contacts > 0;
        asleep = weft_report(scene.state)->asleep;
    }
    CHECK(met);
    (void)asleep;
    free(sides);
    close_scene(&scene);
    free_sheet(&sheet);
}

static void towels_hang(void) {
    hang_towel((WeftPlane){{0, 0, 0}, {1, 0, 0}}, test_rounds(300), NULL, 0, 0);
    hang_towel((WeftPlane){{2, -1, 0.5}, {1, 0, 2}}, test_rounds(300), NULL, 0, 0);
}

static void pressed_towels(bool between, double speed) {
    WeftBodyDef bodies[3];
    for (int b = 0; b < 3; b++) {
        bodies[b] = weft_default_body_def();
        bodies[b].kind = b < 2 ? WEFT_BODY_BOX : WEFT_BODY_SPHERE;
        bodies[b].size[0] = between ? 0.1 : 0.2;
        bodies[b].position[0] = b == 2 ? 0 : b ? -0.7 : 0.7;
        bodies[b].position[1] = b == 2 ? -0.25 : -0.3;
        bodies[b].radius = 0.06;
    }
    hang_towel((WeftPlane){{0, 0, 0}, {1, 0, 0}}, test_rounds(120), bodies, between ? 3 : 2, speed);
}

static void towels_are_pressed(void) {
    pressed_towels(false, 1);
    pressed_towels(false, 5);
    pressed_towels(true, 5);
}

// Cloth that moves fast along the plane, and does not come near it, moves as if it were not there.
static void far_planes_do_nothing(void) {
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 12);
    int pins[4] = {0, 12, 13 * 12, 13 * 13 - 1};
    sheet.cloth.pins = pins;
    sheet.cloth.pin_count = 4;
    for (int k = 0; k < 4; k++) sheet.mesh.positions[3 * (long)pins[k]] *= 0.95;
    WeftModelDef def = model_of(&sheet.cloth);
    memset(def.step.gravity, 0, sizeof def.step.gravity);
    def.step.wind[2] = def.step.wind[1] = 5;
    Scene half = open_scene(&def);
    def.mirror.kind = WEFT_MIRROR_WHOLE;
    Scene whole = open_scene(&def);
    for (int i = 0; i < 60; i++) {
        step_scene(&half);
        step_scene(&whole);
        if (!CHECK(weft_report(half.state)->body_contacts == 0)) break;
    }
    const double *a = weft_positions(half.state), *b = weft_positions(whole.state);
    double off = 0;
    for (int k = 0; k < 3 * sheet.mesh.vertex_count; k++) off = fmax(off, fabs(a[k] - b[k]));
    CHECK_BELOW(off, 1e-7);
    close_scene(&half);
    close_scene(&whole);
    free_sheet(&sheet);
}

// ---------------------------------------------------------------------------------------------
// A body of triangles that reaches across the plane

static void falls_on_a_mesh(void) {
    static const double corners[6][3] = {{0.3, 0, 0},  {-0.3, 0, 0}, {0, 0.3, 0},
                                         {0, -0.3, 0}, {0, 0, 0.3},  {0, 0, -0.3}};
    static const int triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                        {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 16);
    for (int i = 0; i < sheet.mesh.vertex_count; i++) {
        double* x = sheet.mesh.positions + 3 * (long)i;
        x[2] = 0.5 - x[1];
        x[1] = 0.32;
    }
    WeftBodyDef body = weft_default_body_def();
    body.kind = WEFT_BODY_MESH;
    body.vertex_count = 6;
    body.positions = corners[0];
    body.triangle_count = 8;
    body.triangles = triangles[0];
    WeftModelDef def = model_of(&sheet.cloth);
    def.bodies = &body;
    def.body_count = 1;
    Scene scene = open_scene(&def);
    signed char* sides = find_sides(&scene);
    for (int i = 0; i < test_rounds(120); i++) {
        step_scene(&scene);
        if (!check_apart(&scene, sides, i)) break;
        WeftSurface surfaces[2] = {
            {weft_vertex_count(scene.model), weft_positions(scene.state),
             weft_triangle_count(scene.model), weft_triangles(scene.model), false},
            {6, corners[0], 8, triangles[0], true}};
        int count;
        CHECK(!weft_find_crossings(surfaces, 2, NULL, 0, NULL, &count, NULL));
        if (!CHECK(count == 0)) break;
    }
    free(sides);
    close_scene(&scene);
    free_sheet(&sheet);
}

// ---------------------------------------------------------------------------------------------
// Cloth on a body comes to rest, though the body pushes a half to its side

static void halves_sleep(void) {
    bool slept[2];
    for (int half = 0; half < 2; half++) {
        Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 10);
        for (int i = 0; i < sheet.mesh.vertex_count; i++) {
            double* x = sheet.mesh.positions + 3 * (long)i;
            x[0] *= 0.5;
            x[2] = 0.5 * (0.5 - x[1]);
            x[1] = 0.51;
        }
        sheet.cloth.material = NULL;
        sheet.cloth.fabric.friction = 1;
        WeftBodyDef body = weft_default_body_def();
        body.radius = 0.5;
        body.friction = 1;
        WeftModelDef def = model_of(&sheet.cloth);
        def.mirror.kind = half ? WEFT_MIRROR_EXACT : WEFT_MIRROR_WHOLE;
        def.bodies = &body;
        def.body_count = 1;
        Scene scene = open_scene(&def);
        slept[half] = false;
        for (int i = 0; i < 400 && !slept[half]; i++) {
            step_scene(&scene);
            slept[half] = weft_report(scene.state)->asleep;
        }
        close_scene(&scene);
        free_sheet(&sheet);
    }
    CHECK(slept[0] && slept[1]);
}

// Cloth that starts at a point of the plane unfolds to both sides of it.
static void unfold(WeftPlane plane) {
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 8);
    for (int i = 0; i < 3 * sheet.mesh.vertex_count; i++)
        sheet.mesh.positions[i] = plane.point[i % 3];
    WeftModelDef def = model_of(&sheet.cloth);
    def.mirror.plane = plane;
    memset(def.step.gravity, 0, sizeof def.step.gravity);
    Scene scene = open_scene(&def);
    signed char sides[81];
    for (int i = 0; i < 100; i++) step_scene(&scene);
    for (int i = 0; i < 81; i++) {
        // vertices of one column are on one side
        double height = height_over(&plane, weft_positions(scene.state) + 3 * (long)i);
        sides[i] = (signed char)(i % 9 == 4 ? 0 : height > 0 ? 1 : -1);
        CHECK(sides[i] == sides[i % 9]);
    }
    CHECK(sides[0] == sides[3] && sides[5] == -sides[0] && sides[8] == -sides[0]);
    WeftMeasure measure;
    CHECK(!weft_measure(scene.state, def.step.gravity, &measure));
    CHECK_BELOW(measure.max_stretch, 2);  // it still swings, and is not torn
    check_apart(&scene, sides, 100);
    close_scene(&scene);
    free_sheet(&sheet);
}

static void points_unfold(void) {
    static const WeftPlane planes[] = {{{0, 1, 2}, {1, 0, 2}},
                                       {{0, 0, 0}, {1, 0, 0}},
                                       {{0, 1, 0}, {-1, 0, 0}},
                                       {{0, 1, 2}, {0, 1, 0}}};
    for (int p = 0; p < test_rounds(4); p++) unfold(planes[p]);
}

// ---------------------------------------------------------------------------------------------
// Closures

// A curtain in two halves, each of which hangs from a row of pins and ends before the plane.
static void draw_curtain(WeftClosure closure, WeftMirrorKind kind, WeftContact contact, int steps) {
    WeftMesh mesh;
    WeftGridDef grid = {0.5, 0.8, 12, 18, WEFT_GRID_ALTERNATING};
    const WeftPlane plane = {{0, 0, 0}, {1, 0, 0}};
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    for (int i = 0; i < mesh.vertex_count; i++) {
        double* x = mesh.positions + 3 * (long)i;
        x[0] += 0.01;
        x[1] = -0.8 - x[2];
        x[2] = 0.02 * sin(20 * x[0]);
    }
    CHECK(!weft_mirror_mesh(&mesh, &plane, WEFT_HALVING_SPLIT, NULL, NULL));
    int pins[64], count = 0, n = mesh.vertex_count;
    for (int i = 0; i < n; i++)
        if (mesh.positions[3 * (long)i + 1] > -1e-9 && count < 64) pins[count++] = i;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins;
    cloth.pin_count = count;
    WeftModelDef def = model_of(&cloth);
    def.mirror.kind = kind;
    def.mirror.closure = closure;
    def.contact = contact;
    Scene scene = open_scene(&def), open = {0};
    if (closure == WEFT_CLOSURE_BUTTON) {
        def.mirror.kind = WEFT_MIRROR_RECIPE;  // neither keeps halves apart
        def.mirror.closure = WEFT_CLOSURE_OPEN;
        if (kind == WEFT_MIRROR_RECIPE) open = open_scene(&def);
    }
    signed char* sides = find_sides(&scene);
    double deepest = 0;
    for (int i = 0; i < steps; i++) {
        // the rails swing out and in, so that the lower ends meet
        for (int k = 0; k < count; k++) {
            const double* x = mesh.positions + 3 * (long)pins[k];
            double side = x[0] > 0 ? 1 : -1, t = i * def.step.dt;
            double to[3] = {x[0] + side * 0.15 * (1 - cos(7 * t)), x[1], x[2] + 0.1 * sin(5 * t)};
            weft_move_pin(scene.state, pins[k], to);
            if (open.state) weft_move_pin(open.state, pins[k], to);
        }
        step_scene(&scene);
        Crossings crossings = count_crossings(&scene, sides);
        double depth = depth_of(&scene, sides);
        deepest = fmax(deepest, depth);
        bool good = CHECK(crossings.between == 0);
        if (contact == WEFT_CONTACT_ALL) good = CHECK(crossings.within == 0) && good;
        if (closure == WEFT_CLOSURE_OPEN) good = CHECK(crossings.all == 0) && good;
        if (closure != WEFT_CLOSURE_BUTTON) good = CHECK_BELOW(depth, 1e-12) && good;
        if (open.state) {
            step_scene(&open);
            const double *a = weft_positions(scene.state), *b = weft_positions(open.state);
            for (int v = 0; v < n; v++)
                if (sides[v] >= 0) good = CHECK(memcmp(a + 3 * v, b + 3 * v, 24) == 0) && good;
        }
        if (!good) {
            printf("  closure %d, kind %d, contact %d, step %d: %d between halves, %d within, %d\n",
                   closure, kind, contact, i, crossings.between, crossings.within, crossings.all);
            break;
        }
    }
    if (closure == WEFT_CLOSURE_BUTTON) CHECK(deepest > 0.01);
    free(sides);
    close_scene(&scene);
    close_scene(&open);
    weft_destroy_mesh(&mesh);
}

static void curtains_are_kept_apart(void) {
    draw_curtain(WEFT_CLOSURE_OPEN, WEFT_MIRROR_EXACT, WEFT_CONTACT_ALL, test_rounds(240));
}

static void zips_meet_in_the_plane(void) {
    draw_curtain(WEFT_CLOSURE_ZIP, WEFT_MIRROR_RECIPE, WEFT_CONTACT_NONE, test_rounds(240));
    draw_curtain(WEFT_CLOSURE_ZIP, WEFT_MIRROR_RECIPE, WEFT_CONTACT_ALL, test_rounds(240));
    draw_curtain(WEFT_CLOSURE_ZIP, WEFT_MIRROR_EXACT, WEFT_CONTACT_ALL, test_rounds(240));
}

static void buttons_lie_over_each_other(void) {
    draw_curtain(WEFT_CLOSURE_BUTTON, WEFT_MIRROR_RECIPE, WEFT_CONTACT_NONE, test_rounds(240));
    draw_curtain(WEFT_CLOSURE_BUTTON, WEFT_MIRROR_RECIPE, WEFT_CONTACT_ALL, test_rounds(240));
    draw_curtain(WEFT_CLOSURE_BUTTON, WEFT_MIRROR_EXACT, WEFT_CONTACT_ALL, test_rounds(240));
}

// ---------------------------------------------------------------------------------------------
// Fronts of a coat that start across the plane, one behind the other

enum { ACROSS = 8, DOWN = 12, FRONT = (ACROSS + 1) * (DOWN + 1) };

typedef struct Fronts {
    double positions[6 * FRONT], material[4 * FRONT];
    int triangles[12 * ACROSS * DOWN], images[2 * FRONT], pins[2];
} Fronts;

static WeftClothDef make_fronts(Fronts* f) {
    WeftGridDef grid = {0.4, 0.6, ACROSS, DOWN, WEFT_GRID_ALTERNATING};
    WeftMesh mesh;
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    for (int i = 0; i < FRONT; i++) {
        const double *x = mesh.positions + 3 * (long)i, *uv = mesh.material + 2 * (long)i;
        for (int k = 0; k < 2; k++) {
            int side = k ? -1 : 1, v = i + k * FRONT;
            double place[3] = {side * (x[0] - 0.03), x[2], 0.01};
            memcpy(f->positions + 3 * (long)v, place, sizeof place);
            f->material[2 * v] = side * uv[0];
            f->material[2 * v + 1] = uv[1];
            f->images[v] = i + (1 - k) * FRONT;
        }
    }
    for (int t = 0; t < 3 * mesh.triangle_count; t++) {
        f->triangles[t] = mesh.triangles[t];
        f->triangles[3 * mesh.triangle_count + t] = FRONT + mesh.triangles[t - 2 * (t % 3) + 2];
    }
    f->pins[0] = ACROSS;
    f->pins[1] = FRONT + ACROSS;
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.vertex_count = cloth.material_count = 2 * FRONT;
    cloth.positions = f->positions;
    cloth.material = f->material;
    cloth.triangles = f->triangles;
    cloth.triangle_count = 2 * mesh.triangle_count;
    cloth.images = f->images;
    cloth.pins = f->pins;
    cloth.pin_count = 2;
    weft_destroy_mesh(&mesh);
    return cloth;
}

static void overlapping_fronts(void) {
    static Fronts fronts;
    static const WeftClosure closures[] = {WEFT_CLOSURE_OPEN, WEFT_CLOSURE_ZIP,
                                           WEFT_CLOSURE_BUTTON};
    for (int c = 0; c < 3; c++) {
        WeftClothDef cloth = make_fronts(&fronts);
        WeftModelDef def = model_of(&cloth);
        def.mirror.closure = closures[c];
        Scene scene = open_scene(&def);
        signed char sides[2 * FRONT];
        for (int i = 0; i < 2 * FRONT; i++) sides[i] = i < FRONT ? 1 : -1;
        for (int i = 0; i < 120; i++) {
            step_scene(&scene);
            bool apart = c == 2 || i > 60;  // those that are brought apart have time for it
            if (apart && !CHECK(count_crossings(&scene, sides).between == 0)) {
                printf("  closure %d, step %d\n", c, i);
                break;
            }
        }
        if (c < 2) CHECK_BELOW(depth_of(&scene, sides), 1e-9);
        close_scene(&scene);
    }
}

// A vest about a post, of one piece, whose back is one with its image and whose fronts overlap by
// 6 cm: they are pulled there, one over the other; the back is where it would be, and nothing is
// in the post.
static void vests_are_buttoned(void) {
    enum { AROUND = 24, UP = 8, N = (AROUND + 1) * (UP + 1) };
    WeftMesh mesh;
    WeftGridDef grid = {0.66, 0.3, AROUND, UP, WEFT_GRID_ALTERNATING};
    const WeftPlane plane = {{0, 0, 0}, {1, 0, 0}};
    const double radius = 0.19;
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    // from the middle of the back, in the plane, round to a little before the middle of the front
    for (int i = 0; i < N; i++) {
        double *x = mesh.positions + 3 * (long)i, angle = 3.05 * x[0] / 0.66;
        double up = x[2];
        x[0] = radius * sin(angle), x[1] = up, x[2] = -radius * cos(angle);
    }
    CHECK(!weft_mirror_mesh(&mesh, &plane, WEFT_HALVING_SPLIT, NULL, NULL));
    int pins[4 * AROUND], count = 0, front = -1;
    for (int i = 0; i < mesh.vertex_count; i++) {
        const double* x = mesh.positions + 3 * (long)i;
        bool is_front = x[2] > 0.189 && x[0] > 0;
        if (x[1] > -1e-9 && (x[2] < -0.15 || x[2] > 0.189)) pins[count++] = i;
        if (x[1] > -1e-9 && is_front) front = i;
    }
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins;
    cloth.pin_count = count;
    WeftBodyDef post = weft_default_body_def();
    post.kind = WEFT_BODY_CAPSULE;
    post.radius = 0.18;
    post.length = 2;
    WeftModelDef def = model_of(&cloth);
    def.mirror.closure = WEFT_CLOSURE_BUTTON;
    def.bodies = &post;
    def.body_count = 1;
    def.step.wind[2] = -6;
    Scene scene = open_scene(&def);
    signed char* sides = find_sides(&scene);
    double deepest = 0;
    for (int i = 0; i < 45; i++) {
        weft_move_pin(scene.state, front, (double[3]){fmax(-0.06, 0.017 - 0.002 * i), 0, 0.19});
        step_scene(&scene);
        bool good = CHECK(count_crossings(&scene, sides).between == 0);
        deepest = fmax(deepest, depth_of(&scene, sides));
        const double* x = weft_positions(scene.state);
        for (int v = 0; v < mesh.vertex_count; v++) {
            good = CHECK(x[3 * v] * x[3 * v] + x[3 * v + 2] * x[3 * v + 2] > 0.18 * 0.18) && good;
            const double* image = x + 3 * (long)mesh.images[v];
            if (x[3 * v + 2] < -0.05)  // the back is symmetric
                good = CHECK(fabs(image[2] - x[3 * v + 2]) < 1e-12) && good;
        }
        if (!good) {
            printf("  step %d\n", i);
            break;
        }
    }
    CHECK(deepest > 0.02);
    free(sides);
    close_scene(&scene);
    weft_destroy_mesh(&mesh);
}

static void by_small_steps(void) {
    method = WEFT_METHOD_SMALL_STEPS;
    books_shut();
    towels_hang();
    falls_on_a_mesh();
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 4);
    WeftModelDef def = model_of(&sheet.cloth);
    WeftModel* model = NULL;
    WeftError error;
    def.mirror.closure = WEFT_CLOSURE_ZIP;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(error.message, "small steps cannot take closures in a mirror");
    weft_destroy_model(model);
    free_sheet(&sheet);
    method = WEFT_METHOD_PREFACTORED;
}

TEST_MAIN(CASE(books_shut), CASE(by_small_steps), CASE(towels_hang), CASE(towels_are_pressed),
          CASE(far_planes_do_nothing), CASE(falls_on_a_mesh), CASE(halves_sleep),
          CASE(points_unfold), SLOW_CASE(curtains_are_kept_apart),
          SLOW_CASE(zips_meet_in_the_plane), SLOW_CASE(buttons_lie_over_each_other),
          SLOW_CASE(overlapping_fronts), CASE(vests_are_buttoned))
