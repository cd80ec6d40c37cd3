// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards cutting of cloth that a character wears, and of cloth that is blown up: copies of vertices
// keep to the skin of the one they were split from, whose arrays stay as they were; what is cut off
// falls; all of it is state. Balloons are empty at once.

#include "counting.h"
#include "tear_test.h"

enum { N = 10, COUNT = (N + 1) * (N + 1) };

// A cape: its upper side is on the shoulders, the rest may leave its skin by 15 cm and more. The
// left half is driven, too, and there are backstops behind it.
typedef struct Cape {
    Curtain c;
    double distance[COUNT], radius[COUNT], behind[COUNT], stiffness[COUNT], damping[COUNT];
    double bones[24], weights[2 * COUNT];
    int of_vertices[2 * COUNT];
    double start[3 * COUNT], skin[3 * COUNT], normals[3 * COUNT];
} Cape;

static void set_maps(Cape* k) {
    for (int i = 0; i < COUNT; i++) {
        int column = i % (N + 1), row = i / (N + 1);
        k->distance[i] = row == 0 ? 0 : 0.15 + 0.02 * row;
        k->radius[i] = column > N / 2 ? 2 : 0;
        k->behind[i] = 0.01;
        k->stiffness[i] = column < N / 2 ? 20 : 0;
        k->damping[i] = column < N / 2 ? 2 : 0;
        // two bones, to the left and to the right
        k->of_vertices[2 * i] = 0, k->of_vertices[2 * i + 1] = 1;
        k->weights[2 * i] = N - column, k->weights[2 * i + 1] = column;
        k->normals[3 * i + 2] = 1;
    }
}

static void set_frame(double* frame, double x, double y, double z) {
    const double still[12] = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z};
    memcpy(frame, still, sizeof still);
}

static void cape_def(Cape* k) {
    *k = (Cape){0};
    curtain_def(&k->c, N);
    set_maps(k);
    memcpy(k->start, k->c.mesh.positions, sizeof k->start);
    memcpy(k->skin, k->start, sizeof k->skin);
    for (int b = 0; b < 2; b++) set_frame(k->bones + 12 * b, b, 0, 0);
    WeftClothDef* cloth = &k->c.cloth;
    cloth->pin_count = 0;
    cloth->max_distance = k->distance;
    cloth->backstop_radius = k->radius;
    cloth->backstop_distance = k->behind;
    cloth->drive_stiffness = k->stiffness;
    cloth->drive_damping = k->damping;
    cloth->bone_count = 2;
    cloth->bones = k->bones;
    cloth->bones_per_vertex = 2;
    cloth->vertex_bones = k->of_vertices;
    cloth->vertex_weights = k->weights;
}

// Where the wearer is after `step` steps: he walks along z, and sways.
static void wear(Cape* k, int step) {
    double t = step / 60.0;
    for (int i = 0; i < COUNT; i++) {
        k->skin[3 * i] = k->start[3 * i] + 0.1 * sin(5 * t);
        k->skin[3 * i + 1] = k->start[3 * i + 1];
        k->skin[3 * i + 2] = k->start[3 * i + 2] + t;
    }
}

static void walk(Cape* k, WeftState* state, int first, int count) {
    for (int i = first; i < first + count; i++) {
        wear(k, i + 1);
        weft_move_skin(state, 0, k->skin, k->normals);
        take_steps(state, &k->c.step, 1);
    }
}

static double distance_of(const WeftState* state, const Cape* k, int vertex) {
    const double *x = weft_positions(state) + 3 * vertex,
                 *s = k->skin + 3 * weft_torn_from(state, vertex);
    return sqrt(pow(x[0] - s[0], 2) + pow(x[1] - s[1], 2) + pow(x[2] - s[2], 2));
}

static void copies_keep_to_the_skin(void) {
    Cape k;
    cape_def(&k);
    if (!curtain_open(&k.c)) return;
    walk(&k, k.c.state, 0, 20);
    CHECK(cut_line(k.c.state, &k.c, true, 5, 0, N) == N);  // through a shoulder, all the way
    for (int i = 0; i < 40; i++) {
        walk(&k, k.c.state, 20 + i, 1);
        for (int v = 0; v < weft_vertex_count(weft_state_model(k.c.state)); v++)
            CHECK_BELOW(distance_of(k.c.state, &k, v),
                        k.distance[weft_torn_from(k.c.state, v)] + 1e-3);
    }
    const WeftModel* torn = weft_state_model(k.c.state);
    CHECK(weft_vertex_count(torn) == COUNT + N + 1 && count_pieces(torn) == 2);
    CHECK(weft_is_pinned(k.c.state, 5) && weft_is_pinned(k.c.state, COUNT));
    // at the end of the leash, as capes are that are dragged: the skin was felt
    double most = 0;
    for (int v = 0; v < COUNT + N + 1; v++) most = fmax(most, distance_of(k.c.state, &k, v));
    CHECK(most > 0.05);
    // read back by the vertices that it was handed over for
    double skin[3 * COUNT], normals[3 * COUNT];
    weft_copy_skin(k.c.state, 0, skin, normals);
    CHECK(memcmp(skin, k.skin, sizeof skin) == 0 && memcmp(normals, k.normals, sizeof skin) == 0);
    curtain_close(&k.c);
}

// A cape that has the torn one's triangles and maps from the start.
typedef struct Made {
    int count, from[COUNT + 2 * N];
    double maps[5][COUNT + 2 * N], x[3 * (COUNT + 2 * N)], flat[2 * (COUNT + 2 * N)];
    double skin[3 * (COUNT + 2 * N)], normals[3 * (COUNT + 2 * N)];
    WeftModel* model;
    WeftState* state;
} Made;

static void make_so(const Cape* k, Made* made) {
    const WeftModel* torn = weft_state_model(k->c.state);
    const double* maps[5] = {k->distance, k->radius, k->behind, k->stiffness, k->damping};
    made->count = weft_vertex_count(torn);
    for (int i = 0; i < made->count; i++) {
        int from = made->from[i] = weft_torn_from(k->c.state, i);
        for (int m = 0; m < 5; m++) made->maps[m][i] = maps[m][from];
        memcpy(made->x + 3 * i, k->start + 3 * from, 3 * sizeof(double));
        memcpy(made->flat + 2 * i, k->c.mesh.material + 2 * from, 2 * sizeof(double));
    }
    WeftClothDef cloth = k->c.cloth;
    cloth.vertex_count = cloth.material_count = made->count;
    cloth.positions = made->x;
    cloth.material = made->flat;
    cloth.triangles = weft_triangles(torn);
    cloth.max_distance = made->maps[0];
    cloth.backstop_radius = made->maps[1];
    cloth.backstop_distance = made->maps[2];
    cloth.drive_stiffness = made->maps[3];
    cloth.drive_damping = made->maps[4];
    cloth.bone_count = 0;
    WeftModelDef def = k->c.def;
    def.cloths = &cloth;
    def.tearable = false;
    CHECK(!weft_create_model(&def, &made->model, NULL));
    CHECK(!weft_create_state(made->model, &made->state, NULL));
}

static void moves_as_if_made_so(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_RELAXATION};
    for (int m = 0; m < 2; m++) {
        Cape k;
        static Made made;
        cape_def(&k);
        k.c.step.method = methods[m];
        k.c.def.step = k.c.step;
        curtain_open(&k.c);
        walk(&k, k.c.state, 0, 20);
        cut_line(k.c.state, &k.c, true, 4, 2, N);
        cut_line(k.c.state, &k.c, false, 4, 4, 8);
        walk(&k, k.c.state, 20, 6);
        make_so(&k, &made);
        CHECK(made.count > COUNT + N);
        weft_continue_state(made.state, k.c.state);
        for (int i = 26; i < 40; i++) {
            walk(&k, k.c.state, i, 1);
            for (int v = 0; v < made.count; v++) {
                memcpy(made.skin + 3 * v, k.skin + 3 * made.from[v], 3 * sizeof(double));
                memcpy(made.normals + 3 * v, k.normals + 3 * made.from[v], 3 * sizeof(double));
            }
            weft_move_skin(made.state, 0, made.skin, made.normals);
            take_steps(made.state, &k.c.step, 1);
        }
        double most = 0;
        for (int i = 0; i < 3 * made.count; i++)
            most = fmax(most, fabs(weft_positions(made.state)[i] - weft_positions(k.c.state)[i]));
        CHECK_BELOW(most, 1e-6);
        weft_destroy_state(made.state);
        weft_destroy_model(made.model);
        curtain_close(&k.c);
    }
}

// The vertices of a second cape move up when the first is cut; its skin and its maps go on.
static void second_cape(void) {
    Cape k;
    cape_def(&k);
    WeftClothDef cloths[2] = {k.c.cloth, k.c.cloth};
    double beside[3 * COUNT], x[3 * COUNT], distance[COUNT];
    for (int i = 0; i < 3 * COUNT; i++) beside[i] = k.start[i] + 2 * (i % 3 == 0);
    for (int i = 0; i < COUNT; i++) distance[i] = i % (N + 1) < 3 ? 0 : 0.05 + 0.01 * (i % 7);
    cloths[1].positions = beside;
    k.c.def.cloths = cloths;
    k.c.def.cloth_count = 2;
    CHECK(!weft_create_model(&k.c.def, &k.c.model, NULL));
    CHECK(!weft_create_state(k.c.model, &k.c.state, NULL));
    for (int i = 0; i < 40; i++) {
        wear(&k, i + 1);
        for (int j = 0; j < 3 * COUNT; j++) x[j] = k.skin[j] + 2 * (j % 3 == 0);
        if (i == 5) cut_line(k.c.state, &k.c, true, 5, 2, N);
        if (i == 15) weft_set_max_distance(k.c.state, 1, distance);
        weft_move_skin(k.c.state, 0, k.skin, k.normals);
        weft_move_skin(k.c.state, 1, x, NULL);
        take_steps(k.c.state, &k.c.step, 1);
    }
    int first = weft_first_vertex(weft_state_model(k.c.state), 1);
    CHECK(first > COUNT);
    for (int i = 0; i < COUNT; i++) {
        const double* at = weft_positions(k.c.state) + 3 * (first + i);
        double away = sqrt(pow(at[0] - x[3 * i], 2) + pow(at[1] - x[3 * i + 1], 2) +
                           pow(at[2] - x[3 * i + 2], 2));
        CHECK_BELOW(away, distance[i] + (distance[i] == 0 ? 1e-9 : 2e-3));
        CHECK(weft_is_pinned(k.c.state, first + i) == (distance[i] == 0));
    }
    weft_copy_skin(k.c.state, 1, beside, NULL);
    CHECK(memcmp(beside, x, sizeof x) == 0);
    curtain_close(&k.c);
}

// Bones move the skin of a torn cape as its positions do.
static void bones_go_on(void) {
    Cape k;
    cape_def(&k);
    curtain_open(&k.c);
    for (int i = 0; i < 16; i++) {
        double frames[24], skin[3 * COUNT], moved[3 * COUNT];
        if (i == 3) cut_line(k.c.state, &k.c, true, 5, 2, N);
        for (int b = 0; b < 2; b++) set_frame(frames + 12 * b, b, 0.01 * i * b, 0.02 * i);
        for (int v = 0; v < COUNT; v++) {
            skin[3 * v] = k.start[3 * v];
            skin[3 * v + 1] = k.start[3 * v + 1] + 0.01 * i * (v % (N + 1)) / N;
            skin[3 * v + 2] = k.start[3 * v + 2] + 0.02 * i;
        }
        (i == 12 ? weft_place_bones : weft_move_bones)(k.c.state, 0, frames);
        take_steps(k.c.state, &k.c.step, 1);
        weft_copy_skin(k.c.state, 0, moved, NULL);
        for (int v = 0; v < 3 * COUNT; v++) CHECK_NEAR(moved[v], skin[v], 1e-12);
        memcpy(k.skin, skin, sizeof skin);
        for (int v = 0; v < weft_vertex_count(weft_state_model(k.c.state)); v++)
            CHECK_BELOW(distance_of(k.c.state, &k, v),
                        k.distance[weft_torn_from(k.c.state, v)] + 1e-3);
    }
    CHECK(weft_vertex_count(weft_state_model(k.c.state)) == COUNT + N - 2);
    curtain_close(&k.c);
}

// Of what is upwards, the mean over the rows below this one.
static double mean_below(const Curtain* c, int row, const double* values) {
    double sum = 0;
    for (int i = 0; i <= N; i++)
        for (int j = row + 1; j <= N; j++) sum += values[3 * vertex_at(c, i, j) + 1];
    return sum / ((N + 1) * (N - row));
}

// What is cut off from the shoulders is no longer worn: it falls, whatever its leash, and stays
// where the wearer is put somewhere else.
static void what_is_cut_off_falls(void) {
    Cape k;
    cape_def(&k);
    k.c.step.air_density = 0;
    curtain_open(&k.c);
    walk(&k, k.c.state, 0, 20);
    CHECK(cut_line(k.c.state, &k.c, false, 6, 0, N) == N);
    walk(&k, k.c.state, 20, 6);
    CHECK(count_pieces(weft_state_model(k.c.state)) == 2);
    int low = vertex_at(&k.c, 5, N), high = vertex_at(&k.c, 5, 4);
    double from = mean_below(&k.c, 6, weft_positions(k.c.state)),
           v = mean_below(&k.c, 6, weft_velocities(k.c.state));
    weft_set_max_distance(k.c.state, 0, k.distance);
    weft_set_backstop(k.c.state, 0, k.radius, k.behind);
    walk(&k, k.c.state, 26, 30);
    CHECK_NEAR(mean_below(&k.c, 6, weft_positions(k.c.state)), from + v * 0.5 - 9.81 / 8, 0.05);
    CHECK_BELOW(distance_of(k.c.state, &k, high), k.distance[high] + 1e-3);
    CHECK(weft_report(k.c.state)->over_distance < 1e-3);
    double x = weft_positions(k.c.state)[3 * low];
    for (int i = 0; i < COUNT; i++) k.skin[3 * i] += 100;
    weft_place_skin(k.c.state, 0, k.skin, k.normals);
    CHECK(weft_positions(k.c.state)[3 * low] == x);
    CHECK(weft_positions(k.c.state)[3 * high] > 90);
    weft_scale_animation(k.c.state, 0, 0, 1);  // all that is worn goes where its skin is
    take_steps(k.c.state, &k.c.step, 1);
    CHECK(weft_is_pinned(k.c.state, high) && !weft_is_pinned(k.c.state, low));
    curtain_close(&k.c);
}

// Cloth that nothing holds but its leashes stays on them.
static void leashes_alone_hold(void) {
    Cape k;
    cape_def(&k);
    for (int i = 0; i <= N; i++) k.distance[i] = 0.1;
    curtain_open(&k.c);
    cut_line(k.c.state, &k.c, false, 6, 0, N);
    walk(&k, k.c.state, 0, 40);
    CHECK(count_pieces(weft_state_model(k.c.state)) == 2);
    for (int v = 0; v < COUNT; v++)
        CHECK_BELOW(distance_of(k.c.state, &k, v), k.distance[v] + 2e-3);
    curtain_close(&k.c);
}

static void restores_at_every_moment(void) {
    Cape k;
    cape_def(&k);
    curtain_open(&k.c);
    WeftState *other = NULL, *copy = NULL, *fresh = NULL;
    CHECK(!weft_create_state(k.c.model, &other, NULL) &&
          !weft_create_state(k.c.model, &copy, NULL));
    double distance[COUNT];
    for (int i = 0; i < COUNT; i++) distance[i] = k.distance[i] / 2;
    for (int i = 0; i < 22; i++) {
        if (i == 2) weft_set_max_distance(k.c.state, 0, distance);
        if (i == 3) cut_line(k.c.state, &k.c, true, 5, 3, N);
        if (i == 9) cut_line(k.c.state, &k.c, false, 6, 0, 5);  // a piece falls off
        if (i == 12) weft_set_max_distance(k.c.state, 0, NULL);
        if (i == 13) weft_scale_animation(k.c.state, 0, 0.8, 0.5);
        size_t size = weft_saved_size(k.c.state);
        void* bytes = malloc(size);
        weft_save_state(k.c.state, bytes);
        CHECK(!weft_load_state(other, bytes, size, NULL));
        weft_copy_state(copy, k.c.state);
        free(bytes);
        walk(&k, k.c.state, i, 1);
        walk(&k, other, i, 1);
        walk(&k, copy, i, 1);
        CHECK(weft_hash_state(other) == weft_hash_state(k.c.state));
        CHECK(weft_hash_state(copy) == weft_hash_state(k.c.state));
    }
    CHECK(count_pieces(weft_state_model(k.c.state)) == 2);
    // and as it was created
    weft_reset_state(k.c.state);
    CHECK(!weft_create_state(k.c.model, &fresh, NULL));
    CHECK(weft_state_model(k.c.state) == k.c.model);
    walk(&k, k.c.state, 0, 4);
    walk(&k, fresh, 0, 4);
    CHECK(weft_hash_state(k.c.state) == weft_hash_state(fresh));
    weft_destroy_state(fresh);
    weft_destroy_state(other);
    weft_destroy_state(copy);
    curtain_close(&k.c);
}

static void survives_want_of_memory(void) {
    for (long n = 1, calls = 1; n <= calls; n += 7) {
        Cape k;
        Counting counting = {0};
        cape_def(&k);
        k.c.def.allocator = counting_allocator(&counting);
        curtain_open(&k.c);
        walk(&k, k.c.state, 0, 1);
        cut_line(k.c.state, &k.c, false, 6, 0, N);
        long before = counting.calls;
        counting.fail_at = before + n;
        int failed = 0;
        for (int i = 0; i < 6; i++) failed += weft_step(k.c.state, &k.c.step) != WEFT_OK;
        calls = counting.calls - before;
        CHECK(failed <= 1);
        take_steps(k.c.state, &k.c.step, 5);
        CHECK(weft_vertex_count(weft_state_model(k.c.state)) == COUNT + N + 1);
        curtain_close(&k.c);
        CHECK(counting.live == 0);
    }
}

// ---------------------------------------------------------------------------------------------
// Balloons

// A cube of 0.2 m, each side of CELLS x CELLS cells, closed.
enum { CELLS = 4, MOST_VERTICES = 6 * (CELLS + 1) * (CELLS + 1) };

typedef struct Cube {
    int vertex_count, triangle_count;
    double x[3 * MOST_VERTICES], beside[3 * MOST_VERTICES];
    int triangles[6 * 6 * CELLS * CELLS];
} Cube;

static int find_vertex(Cube* cube, const double x[3]) {
    for (int i = 0; i < cube->vertex_count; i++)
        if (memcmp(cube->x + 3 * i, x, 3 * sizeof *x) == 0) return i;
    memcpy(cube->x + 3 * cube->vertex_count, x, 3 * sizeof *x);
    return cube->vertex_count++;
}

static void add_side(Cube* cube, int axis, int up) {
    static const int corners[2][6][2] = {{{0, 0}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {1, 1}},
                                         {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}};
    for (int i = 0; i < CELLS * CELLS; i++) {
        for (int k = 0; k < 6; k++) {
            double x[3];
            x[axis] = 0.2 * up;
            x[(axis + 1) % 3] = 0.2 * (i % CELLS + corners[up][k][0]) / CELLS;
            x[(axis + 2) % 3] = 0.2 * (i / CELLS + corners[up][k][1]) / CELLS;
            cube->triangles[3 * cube->triangle_count + k] = find_vertex(cube, x);
        }
        cube->triangle_count += 2;
    }
}

static void make_cube(Cube* cube) {
    for (int side = 0; side < 6; side++) add_side(cube, side / 2, side % 2);
    for (int i = 0; i < 3 * cube->vertex_count; i++) cube->beside[i] = cube->x[i] + (i % 3 == 0);
}

static void balloons_are_empty_at_once(void) {
    Cube cube = {0};
    make_cube(&cube);
    WeftClothDef cloths[2] = {weft_default_cloth_def(), weft_default_cloth_def()};
    for (int c = 0; c < 2; c++) {
        cloths[c].vertex_count = cube.vertex_count;
        cloths[c].positions = c ? cube.beside : cube.x;
        cloths[c].triangle_count = cube.triangle_count;
        cloths[c].triangles = cube.triangles;
        cloths[c].inflation = WEFT_INFLATION_GAS;
        cloths[c].pressure = 100;
    }
    WeftModelDef def = weft_default_model_def();
    def.cloths = cloths;
    def.cloth_count = 2;
    def.contact = WEFT_CONTACT_NONE;
    def.tearable = true;
    memset(def.step.gravity, 0, sizeof def.step.gravity);
    WeftModel* model = NULL;
    WeftState *state = NULL, *other = NULL;
    WeftError error = {0};
    if (!CHECK(!weft_create_model(&def, &model, &error))) printf("%s\n", error.message);
    CHECK(!weft_create_state(model, &state, NULL) && !weft_create_state(model, &other, NULL));
    weft_set_pressure(state, 1, 150);
    weft_set_pressure(other, 1, 150);
    take_steps(state, &def.step, 20);
    double volume, pressure, kept, kept_pressure;
    // across a side of the first
    double points[6] = {-0.1, 0.1, 0.2, 0.3, 0.1, 0.2};
    WeftCutDef cut = weft_default_cut_def();
    cut.cloth = 0;
    cut.points = points;
    cut.point_count = 2;
    cut.reach = 0.1;
    int edges = 0;
    CHECK(!weft_cut(state, &cut, &edges, NULL) && edges > 2);
    take_steps(other, &def.step, 20 + wait_torn(state, &def.step));
    CHECK(weft_vertex_count(weft_state_model(state)) > 2 * cube.vertex_count);
    weft_copy_inflation(state, 0, &volume, &pressure);
    CHECK(volume == 0 && pressure == 0);
    weft_set_pressure(state, 0, 500);  // nothing is there that it could blow up
    take_steps(state, &def.step, 10);
    take_steps(other, &def.step, 10);
    weft_copy_inflation(state, 0, &volume, &pressure);
    CHECK(pressure == 0);
    weft_copy_inflation(state, 1, &volume, &pressure);  // the other knows nothing of it
    weft_copy_inflation(other, 1, &kept, &kept_pressure);
    CHECK_NEAR(volume, kept, 1e-4 * kept);
    CHECK_NEAR(pressure, kept_pressure, 1e-4 * kept_pressure);
    weft_copy_state(other, state);
    take_steps(state, &def.step, 2);
    take_steps(other, &def.step, 2);
    CHECK(weft_hash_state(other) == weft_hash_state(state));
    weft_destroy_state(other);
    weft_destroy_state(state);
    weft_destroy_model(model);
}

static void by_small_steps(void) {
    static const CurtainCase all[] = {{"copies keep to the skin", copies_keep_to_the_skin},
                                      {"second cape", second_cape},
                                      {"bones go on", bones_go_on},
                                      {"what is cut off falls", what_is_cut_off_falls},
                                      {"leashes alone hold", leashes_alone_hold},
                                      {"restores at every moment", restores_at_every_moment},
                                      {"survives want of memory", survives_want_of_memory},
                                      {"balloons are empty at once", balloons_are_empty_at_once}};
    run_by_small_steps(all, sizeof all / sizeof *all);
}

TEST_MAIN(CASE(by_small_steps), CASE(copies_keep_to_the_skin), CASE(moves_as_if_made_so),
          CASE(second_cape), CASE(bones_go_on), CASE(what_is_cut_off_falls),
          CASE(leashes_alone_hold), CASE(restores_at_every_moment), CASE(survives_want_of_memory),
          CASE(balloons_are_empty_at_once))
