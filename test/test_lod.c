// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards levels of detail: motion that goes on in another mesh, pins, what is drawn meanwhile.

#include "render_test.h"
#include "weft/weft_io.h"

// A sheet held at two corners that falls onto a ball, in two densities.
typedef struct Level {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    WeftFrames* frames;
} Level;

static Level open_mirrored(int cells, WeftContact contact, WeftMirrorKind mirror) {
    Level level = {.model = NULL};
    WeftGridDef grid = {1, 1, cells, cells, WEFT_GRID_ALTERNATING};
    CHECK(!weft_make_grid(&grid, NULL, &level.mesh, NULL));
    int pins[2] = {0, cells};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &level.mesh);
    cloth.pins = pins, cloth.pin_count = 2;
    WeftBodyDef ball = weft_default_body_def();
    ball.radius = 0.2;
    ball.position[0] = 0.5, ball.position[1] = -0.45, ball.position[2] = -0.4;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = &ball, def.body_count = 1;
    def.contact = contact;
    def.mirror.kind = mirror;
    def.mirror.plane.point[0] = 0.5;
    CHECK(!weft_create_model(&def, &level.model, NULL));
    CHECK(!weft_create_state(level.model, &level.state, NULL));
    CHECK(!weft_create_frames(level.model, NULL, &level.frames, NULL));
    return level;
}

static Level open_level(int cells, WeftContact contact) {
    return open_mirrored(cells, contact, WEFT_MIRROR_NONE);
}

static void close_level(Level* level) {
    weft_destroy_frames(level->frames);
    weft_destroy_state(level->state);
    weft_destroy_model(level->model);
    weft_destroy_mesh(&level->mesh);
}

static void take_steps(Level* level, int count) {
    WeftStepDef step = weft_default_step_def();
    for (int i = 0; i < count; i++) {
        CHECK(!weft_step(level->state, &step));
        weft_push_frame(level->frames, level->state);
    }
}

static WeftTransfer* connect(const Level* from, const Level* to, bool flat) {
    WeftTransferDef def = weft_default_transfer_def();
    WeftTransfer* transfer = NULL;
    WeftError error = {0};
    def.from = from->model, def.to = to->model;
    if (flat) def.from_mesh = &from->mesh, def.to_mesh = &to->mesh;
    if (!CHECK(!weft_create_transfer(&def, &transfer, &error))) printf("%s\n", error.message);
    return transfer;
}

static WeftMeasure measure(const Level* level) {
    const double gravity[3] = {0, -9.81, 0};
    WeftMeasure m;
    CHECK(!weft_measure(level->state, gravity, &m));
    return m;
}

// Triangles of the cloth that cross each other or the ball, by the audit.
static int count_crossings(const Level* level) {
    int count = 0, n = weft_body_vertex_count(level->model, 0);
    double* ball = malloc(3 * (size_t)n * sizeof *ball);
    weft_copy_body(level->state, 0, ball);
    WeftSurface surfaces[2] = {
        {weft_vertex_count(level->model), weft_positions(level->state),
         weft_triangle_count(level->model), weft_triangles(level->model), false},
        {n, ball, weft_body_triangle_count(level->model, 0), weft_body_triangles(level->model, 0),
         true}};
    CHECK(!weft_find_crossings(surfaces, 2, NULL, 0, NULL, &count, NULL));
    free(ball);
    return count;
}

static void find_momentum(const Level* level, double momentum[3]) {
    const double *masses = weft_masses(level->model), *v = weft_velocities(level->state);
    for (int k = 0; k < 3; k++) momentum[k] = 0;
    for (int i = 0; i < 3 * weft_vertex_count(level->model); i++)
        momentum[i % 3] += masses[i / 3] * v[i];
}

// The sheet goes on in the other mesh: no more energy, no kick, nothing crossed.
static void go_on(Level* from, Level* to, WeftTransfer* transfer) {
    WeftStepDef step = weft_default_step_def();
    WeftMeasure before = measure(from);
    CHECK(!weft_transfer_state(transfer, from->state, to->state, &step));
    WeftMeasure after = measure(to);
    CHECK(weft_time(to->state) == weft_time(from->state));
    double p[2][3];
    find_momentum(from, p[0]), find_momentum(to, p[1]);
    double size = sqrt(p[0][0] * p[0][0] + p[0][1] * p[0][1] + p[0][2] * p[0][2]);
    for (int k = 0; k < 3; k++) CHECK_NEAR(p[1][k], p[0][k], 0.05 * size);
    CHECK_BELOW(after.kinetic, 1.02 * before.kinetic);
    CHECK_BELOW(0.5 * before.kinetic, after.kinetic);  // finer motion is lost
    CHECK_BELOW(after.total, before.total + 0.02 * fabs(before.total));
    CHECK(count_crossings(to) == 0);
    for (int i = 0; i < 3; i++) {
        take_steps(from, 1), take_steps(to, 1);
        CHECK_BELOW(measure(to).kinetic, 1.6 * measure(from).kinetic);
        CHECK(count_crossings(to) == 0);
    }
}

static void motion_goes_on(void) {
    Level coarse = open_level(10, WEFT_CONTACT_ALL), fine = open_level(24, WEFT_CONTACT_ALL);
    WeftTransfer *up = connect(&coarse, &fine, true), *down = connect(&fine, &coarse, false);
    take_steps(&coarse, 35);
    go_on(&coarse, &fine, up);
    take_steps(&fine, 20);
    go_on(&fine, &coarse, down);
    weft_destroy_transfer(up), weft_destroy_transfer(down);
    close_level(&coarse), close_level(&fine);
}

// Halves, from and to each other and the whole; what is seen of them is always both.
static void with_mirrors(void) {
    Level whole = open_level(8, WEFT_CONTACT_ALL);
    Level half = open_mirrored(20, WEFT_CONTACT_ALL, WEFT_MIRROR_EXACT);
    Level coarse = open_mirrored(8, WEFT_CONTACT_ALL, WEFT_MIRROR_EXACT);
    WeftTransfer *up = connect(&whole, &half, true), *down = connect(&half, &coarse, true);
    take_steps(&whole, 25);
    go_on(&whole, &half, up);
    go_on(&half, &coarse, down);
    const double* x = weft_positions(coarse.state);
    for (int j = 0; j <= 8; j++)
        for (int i = 0; i <= 4; i++) {
            long a = 3L * (9 * j + i), b = 3L * (9 * j + 8 - i);
            CHECK_NEAR(x[a] + x[b], 1, 1e-12);
            CHECK_NEAR(x[a + 1], x[b + 1], 1e-12);
        }
    weft_destroy_transfer(up), weft_destroy_transfer(down);
    close_level(&whole), close_level(&half), close_level(&coarse);
}

// Without settling: every vertex is where its place in the other cloth is, and as fast.
static void places_and_velocities(void) {
    for (int flat = 0; flat < 2; flat++) {
        Level coarse = open_level(6, WEFT_CONTACT_NONE), fine = open_level(12, WEFT_CONTACT_NONE);
        WeftTransfer* up = connect(&coarse, &fine, flat);
        take_steps(&coarse, 20);
        CHECK(!weft_transfer_state(up, coarse.state, fine.state, NULL));
        for (int j = 0; j <= 12; j += 2)
            for (int i = 0; i <= 12; i++)  // also half-way between vertices
                for (int k = 0; k < 3; k++) {
                    long a = 3L * (j / 2 * 7 + i / 2) + k, b = a + (i % 2 ? 3 : 0);
                    long at = 3L * (j * 13 + i) + k;
                    const double *x = weft_positions(coarse.state),
                                 *v = weft_velocities(coarse.state);
                    CHECK_NEAR(weft_positions(fine.state)[at], (x[a] + x[b]) / 2, 1e-9);
                    CHECK_NEAR(weft_velocities(fine.state)[at], (v[a] + v[b]) / 2, 1e-9);
                }
        weft_destroy_transfer(up);
        close_level(&coarse), close_level(&fine);
    }
}

// Pins: kept, let go, grabbed, carried by a body.
static void pins(void) {
    Level coarse = open_level(6, WEFT_CONTACT_BODIES), fine = open_level(15, WEFT_CONTACT_BODIES);
    WeftTransfer *up = connect(&coarse, &fine, true), *down = connect(&fine, &coarse, true);
    int grabbed = 8 * 16 + 5, near = 3 * 7 + 2;  // (5, 8) of 15 cells, (2, 3) of 6
    weft_unpin(fine.state, 15);
    weft_attach_pin(fine.state, 0, 0);
    weft_pin(fine.state, grabbed);
    take_steps(&fine, 5);
    CHECK(!weft_transfer_state(down, fine.state, coarse.state, NULL));
    CHECK(weft_is_pinned(coarse.state, 0) && !weft_is_pinned(coarse.state, 6));
    CHECK(weft_is_pinned(coarse.state, near));
    // the body takes its pin along
    const double to[3] = {0.6, -0.45, -0.4}, upright[4] = {0, 0, 0, 1};
    double x = weft_positions(coarse.state)[0];
    weft_move_body(coarse.state, 0, to, upright);
    take_steps(&coarse, 1);
    CHECK_NEAR(weft_positions(coarse.state)[0], x + 0.1, 1e-9);
    // and back: what was let go stays so, what was grabbed is still held
    weft_unpin(coarse.state, near);
    CHECK(!weft_transfer_state(up, coarse.state, fine.state, NULL));
    CHECK(weft_is_pinned(fine.state, 0) && !weft_is_pinned(fine.state, 15));
    CHECK(!weft_is_pinned(fine.state, grabbed));
    int count = 0;
    for (int i = 0; i < 256; i++) count += weft_is_pinned(fine.state, i);
    CHECK(count == 1);
    weft_destroy_transfer(up), weft_destroy_transfer(down);
    close_level(&coarse), close_level(&fine);
}

static void add_force(const WeftState* state, int attachment, double sum[3]) {
    double force[3];
    weft_attachment_force(state, attachment, force);
    for (int d = 0; d < 3; d++) sum[d] += force[d];
}

// A hand that holds a vertex, a cord from a triangle to the ball, and a thread across the cloth go
// on in the other mesh, under their numbers; what is let go there is gone here, too.
static void grabs(void) {
    Level coarse = open_level(6, WEFT_CONTACT_BODIES), fine = open_level(15, WEFT_CONTACT_BODIES);
    WeftTransfer *up = connect(&coarse, &fine, true), *down = connect(&fine, &coarse, true);
    WeftAttachmentDef hand = weft_default_attachment_def(), cord = hand, thread = hand;
    const int* triangle = weft_triangles(coarse.model) + 3 * 40;
    WeftStepDef step = weft_default_step_def();
    int numbers[3], other;
    double end[3], sums[2][3][3] = {0};
    hand.vertices[0] = 45;
    hand.stiffness = 20;
    for (int k = 0; k < 3; k++) cord.vertices[k] = triangle[k], cord.weights[k] = 1.0 / 3;
    cord.to = WEFT_ATTACH_TO_BODY;
    cord.here = false;
    cord.place[1] = 0.6;
    cord.length = 0.2;
    cord.stiffness = 20;
    thread.vertices[0] = 43;
    thread.to = WEFT_ATTACH_TO_CLOTH;
    thread.other_vertices[0] = 47;
    CHECK(!weft_attach(coarse.state, &hand, &other, NULL));
    CHECK(!weft_attach(coarse.state, &hand, &numbers[0], NULL));
    CHECK(!weft_attach(coarse.state, &cord, &numbers[1], NULL));
    thread.stiffness = 3;
    CHECK(!weft_attach(coarse.state, &thread, &numbers[2], NULL));
    weft_detach(coarse.state, other);
    memcpy(end, weft_positions(coarse.state) + 3 * 45, sizeof end);
    end[1] += 0.1;
    weft_move_attachment(coarse.state, numbers[0], end);
    take_steps(&coarse, 20);
    CHECK(!weft_transfer_state(up, coarse.state, fine.state, &step));
    CHECK(!weft_is_attached(fine.state, other));
    for (int k = 0; k < 3; k++) CHECK(weft_is_attached(fine.state, numbers[k]));
    // both go on alike, and where the hand goes
    for (int k = 0; k < 30; k++) {
        end[0] += 0.002;
        weft_move_attachment(coarse.state, numbers[0], end);
        weft_move_attachment(fine.state, numbers[0], end);
        take_steps(&coarse, 1), take_steps(&fine, 1);
        for (int i = 0; i < 3 && k < 4; i++) {
            add_force(coarse.state, numbers[i], sums[0][i]);
            add_force(fine.state, numbers[i], sums[1][i]);
        }
    }
    for (int k = 0; k < 3; k++) {
        double size = 0, apart = 0;
        for (int d = 0; d < 3; d++) {
            size += pow(sums[0][k][d], 2);
            apart += pow(sums[1][k][d] - sums[0][k][d], 2);
        }
        CHECK(size > 0.1);
        CHECK_BELOW(sqrt(apart), 0.4 * sqrt(size));
    }
    weft_detach(fine.state, numbers[1]);
    CHECK(!weft_transfer_state(down, fine.state, coarse.state, &step));
    CHECK(weft_is_attached(coarse.state, numbers[0]) &&
          !weft_is_attached(coarse.state, numbers[1]));
    CHECK(weft_is_attached(coarse.state, numbers[2]));
    weft_destroy_transfer(up), weft_destroy_transfer(down);
    close_level(&coarse), close_level(&fine);
}

// Where a vertex was in the last frames.
typedef struct Trail {
    double x[3][3];
} Trail;

// The largest second difference of a vertex, m.
static double push_trails(Trail* trails, const Vertex* v, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        double(*x)[3] = trails[i].x, square = 0;
        memmove(x[1], x[0], 2 * sizeof x[0]);
        for (int k = 0; k < 3; k++) {
            x[0][k] = (double)v[i].position[k];
            square += pow(x[0][k] - 2 * x[1][k] + x[2][k], 2);
        }
        most = fmax(most, sqrt(square));
    }
    return most;
}

// One render mesh, first by the coarse cloth, then by the fine one, over some frames: how much more
// a vertex jerks than by either cloth alone.
static double find_pop(int blend) {
    enum { BEFORE = 36 };
    Level levels[2] = {open_level(10, WEFT_CONTACT_BODIES), open_level(24, WEFT_CONTACT_BODIES)};
    Shown shown = make_shown(30, 1, 0, 1, lie_flat, NULL);
    WeftTransfer* up = connect(&levels[0], &levels[1], true);
    WeftBinding* bindings[2] = {NULL, NULL};
    WeftStepDef step = weft_default_step_def();
    for (int k = 0; k < 2; k++) {
        Stage stage = {.model = levels[k].model};
        WeftBindingDef def = shown_def(&stage, &shown);
        CHECK(!weft_create_binding(&def, &bindings[k], NULL));
    }
    Vertex* v = malloc((size_t)shown.count * sizeof *v);
    Trail* trails[3];
    for (int k = 0; k < 3; k++) trails[k] = calloc((size_t)shown.count, sizeof *trails[k]);
    WeftVertexLayout layout = vertex_layout(v);
    WeftDrawn drawn[2] = {{bindings[0], levels[0].frames}, {bindings[1], levels[1].frames}};
    double usual = 0, most = 0;
    for (int frame = 0; frame < BEFORE + 24; frame++) {
        int since = frame - BEFORE;
        if (since == 0) {
            CHECK(!weft_transfer_state(up, levels[0].state, levels[1].state, &step));
            weft_restart_frames(levels[1].frames, levels[1].state);
        }
        for (int k = 0; k < 2; k++) {
            if (k == 1 && since < 0) continue;
            take_steps(&levels[k], 1);
            weft_draw_frame(levels[k].frames, 1, NULL);
        }
        weft_write_blend(drawn, since < 0 ? 0 : (since + 1.0) / blend, &layout);
        double jerk = push_trails(trails[2], v, shown.count);
        if (since >= 0) most = fmax(most, jerk);
        for (int k = 0; k < 2; k++) {
            if (k == 1 && since < 0) continue;
            weft_write_vertices(bindings[k], levels[k].frames, &layout);
            jerk = push_trails(trails[k], v, shown.count);
            if (since >= 2 * k) usual = fmax(usual, jerk);
        }
    }
    for (int k = 0; k < 3; k++) free(trails[k]);
    free(v);
    for (int k = 0; k < 2; k++) weft_destroy_binding(bindings[k]), close_level(&levels[k]);
    weft_destroy_transfer(up);
    free_shown(&shown);
    return most / usual;
}

static void no_pop(void) {
    double hard = find_pop(1), soft = find_pop(20);
    CHECK_BELOW(soft, 1.05);
    CHECK_BELOW(1.5, hard);  // else this measures nothing
}

// Two panels that lie on each other in the flat shape, sewn side by side.
static WeftMesh two_panels(int cells, int** panels) {
    WeftGridDef grid = {2, 1, 2 * cells, cells, WEFT_GRID_ALTERNATING};
    WeftMesh mesh;
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    double* material = malloc(4 * (size_t)mesh.vertex_count * sizeof *material);
    int* flat = malloc(3 * (size_t)mesh.triangle_count * sizeof *flat);
    *panels = malloc((size_t)mesh.triangle_count * sizeof **panels);
    for (int i = 0; i < 2 * mesh.vertex_count; i++) {
        int of = i % mesh.vertex_count, panel = i / mesh.vertex_count;
        material[2 * i] = mesh.material[2 * of] - panel;
        material[2 * i + 1] = mesh.material[2 * of + 1];
    }
    for (int t = 0; t < mesh.triangle_count; t++) {
        double u = 0;
        for (int k = 0; k < 3; k++) u += mesh.material[2 * mesh.triangles[3 * t + k]] / 3;
        (*panels)[t] = u > 1;
        for (int k = 0; k < 3; k++)
            flat[3 * t + k] = mesh.triangles[3 * t + k] + (u > 1 ? mesh.vertex_count : 0);
    }
    free(mesh.material);
    mesh.material = material, mesh.triangle_material = flat;
    mesh.material_count = 2 * mesh.vertex_count;
    return mesh;
}

static void panels_on_each_other(void) {
    WeftMesh meshes[2];
    int* panels[2];
    WeftModel* models[2];
    WeftState* states[2];
    for (int k = 0; k < 2; k++) {
        meshes[k] = two_panels(k ? 7 : 4, &panels[k]);
        WeftClothDef cloth = weft_default_cloth_def();
        weft_use_mesh(&cloth, &meshes[k]);
        WeftModelDef def = weft_default_model_def();
        def.cloths = &cloth, def.cloth_count = 1;
        CHECK(!weft_create_model(&def, &models[k], NULL));
        CHECK(!weft_create_state(models[k], &states[k], NULL));
    }
    WeftTransferDef def = weft_default_transfer_def();
    WeftTransfer* transfer = NULL;
    WeftError error;
    def.from = models[0], def.to = models[1];
    def.from_mesh = &meshes[0], def.to_mesh = &meshes[1];
    def.from_panels = panels[0];
    CHECK(weft_create_transfer(&def, &transfer, &error) == WEFT_ERROR_INPUT && !transfer);
    CHECK_TEXT(error.message, "panels of both");
    def.to_panels = panels[1];
    CHECK(!weft_create_transfer(&def, &transfer, &error));
    double* before = malloc(3 * (size_t)meshes[1].vertex_count * sizeof *before);
    memcpy(before, weft_positions(states[1]), 3 * (size_t)meshes[1].vertex_count * sizeof *before);
    CHECK(!weft_transfer_state(transfer, states[0], states[1], NULL));
    for (int i = 0; i < 3 * meshes[1].vertex_count; i++)
        CHECK_NEAR(weft_positions(states[1])[i], before[i], 1e-9);
    free(before);
    weft_destroy_transfer(transfer);
    for (int k = 0; k < 2; k++) {
        weft_destroy_state(states[k]);
        weft_destroy_model(models[k]);
        weft_destroy_mesh(&meshes[k]);
        free(panels[k]);
    }
}

// A sheet in a space that rides, within 5 cm of a skin that moves in it; its first row is the
// skin's.
static Level open_skinned(int cells) {
    Level level = {.model = NULL};
    WeftGridDef grid = {1, 1, cells, cells, WEFT_GRID_ALTERNATING};
    CHECK(!weft_make_grid(&grid, NULL, &level.mesh, NULL));
    double* most = malloc((size_t)level.mesh.vertex_count * sizeof *most);
    for (int i = 0; i < level.mesh.vertex_count; i++) most[i] = i <= cells ? 0 : 0.05;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &level.mesh);
    cloth.max_distance = most;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    CHECK(!weft_create_model(&def, &level.model, NULL));
    CHECK(!weft_create_state(level.model, &level.state, NULL));
    CHECK(!weft_create_frames(level.model, NULL, &level.frames, NULL));
    free(most);
    return level;
}

// Takes a step with the skin moved along x.
static void ride(Level* level, double offset, double away) {
    int n = level->mesh.vertex_count;
    double* skin = malloc(3 * (size_t)n * sizeof *skin);
    const double place[3] = {0, 0, away}, upright[4] = {0, 0, 0, 1};
    for (int i = 0; i < 3 * n; i++) skin[i] = level->mesh.positions[i] + (i % 3 ? 0 : offset);
    weft_move_skin(level->state, 0, skin, NULL);
    weft_move_space(level->state, place, upright);
    take_steps(level, 1);
    free(skin);
}

// How far the cloth is from its skin at most.
static double leave_skin(const Level* level) {
    int n = level->mesh.vertex_count;
    double most = 0, *skin = malloc(3 * (size_t)n * sizeof *skin);
    const double* x = weft_positions(level->state);
    weft_copy_skin(level->state, 0, skin, NULL);
    for (int i = 0; i < 3 * n; i += 3)
        most = fmax(most, sqrt(pow(x[i] - skin[i], 2) + pow(x[i + 1] - skin[i + 1], 2) +
                               pow(x[i + 2] - skin[i + 2], 2)));
    free(skin);
    return most;
}

static void skins_and_spaces(void) {
    Level coarse = open_skinned(6), fine = open_skinned(13);
    WeftTransfer* up = connect(&coarse, &fine, true);
    WeftStepDef step = weft_default_step_def();
    for (int i = 1; i <= 20; i++) ride(&coarse, 0.02 * i, 0.5 * i);
    CHECK(!weft_transfer_state(up, coarse.state, fine.state, &step));
    double place[2][3], turn[4];
    weft_copy_space(coarse.state, place[0], turn);
    weft_copy_space(fine.state, place[1], turn);
    CHECK(memcmp(place[0], place[1], sizeof place[0]) == 0 && place[0][2] == 10);
    CHECK_BELOW(leave_skin(&fine), 0.052);
    double before = weft_positions(fine.state)[0];
    CHECK_NEAR(before, 0.4, 1e-9);
    for (int i = 21; i <= 24; i++) ride(&fine, 0.02 * i, 0.5 * i);
    CHECK_BELOW(leave_skin(&fine), 0.052);
    // the first row is still the skin's, and nothing else is pinned
    for (int i = 0; i < fine.mesh.vertex_count; i++)
        CHECK(weft_is_pinned(fine.state, i) == (i <= 13));
    CHECK_NEAR(weft_positions(fine.state)[0], 0.48, 1e-9);
    weft_destroy_transfer(up);
    close_level(&coarse), close_level(&fine);
}

// A vertex that hangs by a rope.
static void ropes_are_refused(void) {
    Level level = open_level(4, WEFT_CONTACT_NONE);
    int n = level.mesh.vertex_count, chain[2] = {n - 1, n};
    double* positions = malloc(3 * (size_t)(n + 1) * sizeof *positions);
    memcpy(positions, level.mesh.positions, 3 * (size_t)n * sizeof *positions);
    positions[3 * n] = 1, positions[3 * n + 1] = 0.2, positions[3 * n + 2] = -1;
    WeftThread rope = {.kind = WEFT_THREAD_ROPE, .first = 0, .count = 2};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &level.mesh);
    cloth.vertex_count = n + 1, cloth.positions = positions, cloth.material = NULL;
    cloth.threads = &rope, cloth.thread_count = 1;
    cloth.thread_vertices = chain, cloth.thread_vertex_count = 2;
    WeftModelDef model_def = weft_default_model_def();
    model_def.cloths = &cloth, model_def.cloth_count = 1;
    WeftModel* model = NULL;
    WeftError error;
    if (!CHECK(!weft_create_model(&model_def, &model, &error))) printf("%s\n", error.message);
    WeftTransferDef def = weft_default_transfer_def();
    WeftTransfer* none = NULL;
    def.from = level.model, def.to = model;
    CHECK(weft_create_transfer(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "vertex 25 of the cloth lies in no triangle");
    free(positions);
    weft_destroy_model(model);
    close_level(&level);
}

static void refusals(void) {
    Level a = open_level(4, WEFT_CONTACT_NONE), b = open_level(6, WEFT_CONTACT_NONE);
    WeftTransferDef def = weft_default_transfer_def();
    WeftTransfer* none = NULL;
    WeftError error;
    def.from = a.model, def.to = b.model;
    def.to_cloth = 1;
    CHECK(weft_create_transfer(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "to: there is no cloth 1");
    def.to_cloth = 0;
    def.from_mesh = &a.mesh;
    CHECK(weft_create_transfer(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "meshes of both");
    def.to_mesh = &a.mesh;
    CHECK(weft_create_transfer(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "another mesh");
    def.to_mesh = &b.mesh;
    for (int i = 0; i < 2 * b.mesh.material_count; i++) b.mesh.material[i] += 0.6;
    CHECK(weft_create_transfer(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "not of one shape when flat");
    close_level(&a), close_level(&b);
}

static void choosing(void) {
    const double thresholds[3] = {5, 15, 40};
    const struct {
        int current;
        double distance;
        int level;
    } all[] = {{-1, 3, 0},  {-1, 5, 0},          {-1, 5.1, 1},    {-1, 100, 3}, {0, 5.4, 0},
               {0, 5.6, 1}, {1, 4.6, 1},         {1, 4.4, 0},     {0, 16, 1},   {0, 17, 2},
               {2, 41, 2},  {2, 45, 3},          {3, 37, 3},      {3, 35, 2},   {3, 4.6, 1},
               {3, 1, 0},   {2, (double)NAN, 2}, {1, HUGE_VAL, 3}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK(weft_choose_lod(all[i].current, all[i].distance, 3, thresholds, 0.1) == all[i].level);
}

static Level* memory_levels;

static WeftResult make_transfer(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftTransferDef def = weft_default_transfer_def();
    WeftTransfer* transfer = NULL;
    *mesh = (WeftMesh){0};
    def.from = memory_levels[0].model, def.to = memory_levels[1].model;
    def.from_mesh = &memory_levels[0].mesh, def.to_mesh = &memory_levels[1].mesh;
    def.allocator = *allocator;
    WeftResult result = weft_create_transfer(&def, &transfer, error);
    CHECK(!result == !!transfer);
    weft_destroy_transfer(transfer);
    return result;
}

static void without_memory(void) {
    Level levels[2] = {open_level(4, WEFT_CONTACT_NONE), open_level(5, WEFT_CONTACT_NONE)};
    memory_levels = levels;
    check_every_allocation(make_transfer);
    close_level(&levels[0]), close_level(&levels[1]);
}

TEST_MAIN(SLOW_CASE(motion_goes_on), CASE(with_mirrors), CASE(places_and_velocities), CASE(pins),
          CASE(grabs), CASE(no_pop), CASE(panels_on_each_other), CASE(skins_and_spaces),
          CASE(refusals), CASE(ropes_are_refused), CASE(choosing), CASE(without_memory))
