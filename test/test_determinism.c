// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the bits: a scene ends in the same state with any number of threads, whoever runs the
// jobs, and whatever other states do meanwhile; where it is asked for, on every machine and by
// every compiler, too.

#include <inttypes.h>
#include <pthread.h>

#include "runners.h"
#include "swing.h"
#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Scenes: what the cloth is, and how it is stepped

static void springs(Swing* s) { (void)s; }
static void triangles(Swing* s) { swing_triangles(s); }
static void product(Swing* s) {
    swing_triangles(s);
    s->cloth.shear = WEFT_SHEAR_PRODUCT;
}
static void previous(Swing* s) { weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_PREVIOUS, 2); }
static void vertex(Swing* s) { weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2); }
static void vertex_triangles(Swing* s) {
    swing_triangles(s);
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2);
}
static void rotation(Swing* s) { weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_ROTATION, 2); }
static void rotation_triangles(Swing* s) {
    swing_triangles(s);
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_ROTATION, 2);
}
// everything that damps or blows, a crossed grid with shear springs, bending outside the matrix
static void gale(Swing* s) {
    s->grid = WEFT_GRID_CROSSED;
    s->cloth.bend = WEFT_BEND_EXPLICIT;
    s->cloth.uniform_mass = false;
    s->cloth.fabric.mass_damping = 0.3;
    s->cloth.fabric.stretch_damping = 0.001;
    s->cloth.fabric.bend_damping = 0.001;
    s->step.air_density = 1.2;
    s->step.wind[0] = 1;
    s->step.wind[2] = -3;
}
static void gale_triangles(Swing* s) {
    gale(s);
    s->grid = WEFT_GRID_ONE_WAY;
    s->cloth.bend = WEFT_BEND_IMPLICIT;
    swing_triangles(s);
}

static void symplectic(Swing* s) { s->step.method = WEFT_METHOD_SYMPLECTIC; }
// damping wants shorter steps
static void symplectic_40(Swing* s) {
    s->step.method = WEFT_METHOD_SYMPLECTIC;
    s->step.substeps = 40;
}
static void implicit(Swing* s) { s->step.method = WEFT_METHOD_IMPLICIT; }
static void converged(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.scheme = WEFT_SCHEME_JAJ;
    s->step.newton_steps = 20;
    s->step.newton_tolerance = 1e-6;
}
static void one_solve(Swing* s) { s->step.quality = 1; }
static void prefactored(Swing* s) { (void)s; }
static void softened(Swing* s) {
    s->cloth.fabric.stretch_warp *= 100;
    s->cloth.fabric.stretch_weft *= 100;
    s->step.stretch_tolerance = 0.01;
}
static void repeat_4(Swing* s) {
    s->step.scheme = WEFT_SCHEME_REPEAT;
    s->step.iterations[0] = 4;
}
static void jaj(Swing* s) {
    s->step.scheme = WEFT_SCHEME_JAJ;
    s->step.iterations[0] = s->step.iterations[1] = 4;
    s->step.substeps = 2;
    s->step.order = 1;
}

static void one_sided(Swing* s) {
    s->grid = WEFT_GRID_CROSSED_TWICE;
    s->cloth.stretch = WEFT_STRETCH_ONE_SIDED;
    s->cloth.bend_by = WEFT_BEND_BY_SPRINGS;
    s->cloth.bend = WEFT_BEND_EXPLICIT;
}
static void relaxation(Swing* s) { s->step.method = WEFT_METHOD_RELAXATION; }
static void scalable(Swing* s) {
    s->step.iterations[0] = 3;
    weft_use_preset(&s->step, WEFT_PRESET_SCALABLE);
}
static void jacobi(Swing* s) {
    s->step.method = WEFT_METHOD_RELAXATION;
    s->step.sweep = WEFT_SWEEP_JACOBI;
    s->step.jacobian = WEFT_JACOBIAN_SCALAR;
    s->step.iterations[0] = 5;
}
static void matrix_free(Swing* s) { s->step.method = WEFT_METHOD_MATRIX_FREE; }
static void matrix_free_plain(Swing* s) {
    s->step.method = WEFT_METHOD_MATRIX_FREE;
    s->step.scheme = WEFT_SCHEME_PLAIN;
}

typedef struct Scene {
    const char* name;
    void (*cloth)(Swing*);
    void (*step)(Swing*);
    bool large;       // on the large mesh, too
    uint64_t golden;  // the hash after STEPS steps; 0: libm or a rule of thumb has its say
} Scene;

// When a change of the sources changes results on purpose, print the new hashes with WEFT_GOLDEN=1
// in the environment and write them here.
static const Scene scenes[] = {
    {"springs, symplectic", springs, symplectic, true, 0x9a114c44ec0fb027},
    {"springs, implicit", springs, implicit, true, 0xe4990435631bfea4},
    {"springs, converged", springs, converged, false, 0x1f9959e07a2417b0},
    {"springs, one solve", springs, one_solve, false, 0x83eb5d23c5734ce9},
    {"springs, default", springs, prefactored, true, 0xdce458eb7ca75dde},
    {"springs, softened", springs, softened, false, 0},
    {"springs, repeat 4", springs, repeat_4, false, 0x1645522036ed796f},
    {"springs, jaj", springs, jaj, false, 0x4568130459d4bb31},
    {"triangles, symplectic", triangles, symplectic, false, 0xc28167b89b78ac44},
    {"triangles, implicit", triangles, implicit, false, 0x0f8b1d901d78fe02},
    {"triangles, default", triangles, prefactored, true, 0x8023406da6d36ce8},
    {"triangles, jaj", triangles, jaj, false, 0x4b2b0967dadf007b},
    {"shear product, symplectic", product, symplectic, false, 0x6b5395ae42a57635},
    {"shear product, implicit", product, implicit, false, 0x62439896b18e2e0d},
    {"previous, one solve", previous, one_solve, false, 0x8ee85a26c3b0b378},
    {"vertex, one solve", vertex, one_solve, false, 0x1527fd138a0afda8},
    {"vertex, implicit", vertex, implicit, false, 0xbd342780dd2e47e7},
    {"vertex triangles, one solve", vertex_triangles, one_solve, false, 0x75af12d9e50465e3},
    {"gale, symplectic", gale, symplectic_40, false, 0x57c037a0224fd46a},
    {"gale, implicit", gale, implicit, false, 0xec54ba338f2c8223},
    {"gale, default", gale, prefactored, false, 0xf8f6e464ad1e031f},
    {"gale triangles, implicit", gale_triangles, implicit, false, 0xe5ac917a40a84f3a},
    {"gale triangles, jaj", gale_triangles, jaj, false, 0x04eddc1d1b4bbb67},
    {"rotation, one solve", rotation, one_solve, true, 0},
    {"rotation triangles, one solve", rotation_triangles, one_solve, false, 0},
    {"springs, relaxation", springs, relaxation, true, 0x67e27eb1d6ebb146},
    {"springs, jacobi", springs, jacobi, true, 0x8e9a7c6d9fb660af},
    {"one-sided, scalable", one_sided, scalable, false, 0x3e80202919306dd2},
    {"triangles, relaxation", triangles, relaxation, false, 0x5a6b1b926a666b51},
    {"vertex, relaxation", vertex, relaxation, false, 0xaca0387a0ce4cda9},
    {"gale, relaxation", gale, relaxation, false, 0x653a85c2617f9539},
    {"springs, matrix-free", springs, matrix_free, true, 0xe609a2df2b9e87e0},
    {"springs, matrix-free, plain", springs, matrix_free_plain, false, 0x0f2aece8374f35f5},
    {"gale triangles, matrix-free", gale_triangles, matrix_free, false, 0x76ad5f128b4e776d},
};
enum { SCENE_COUNT = sizeof scenes / sizeof *scenes, STEPS = 30 };

static Swing open_scene(const Scene* scene, int n, bool same_bits, WeftJobs jobs) {
    Swing s = swing_def(n, 30);
    scene->cloth(&s);
    scene->step(&s);
    s.same_bits = same_bits;
    s.jobs = jobs;
    swing_open(&s);
    return s;
}

static uint64_t run_scene(const Scene* scene, int n, int steps, bool same_bits, WeftJobs jobs) {
    Swing s = open_scene(scene, n, same_bits, jobs);
    for (int k = 0; k < steps; k++) CHECK(swing_step(&s));
    uint64_t hash = weft_hash_state(s.state);
    swing_close(&s);
    return hash;
}

static bool same_hash(const char* name, const char* who, uint64_t hash, uint64_t expected) {
    if (hash != expected)
        printf("%s, %s: %016" PRIx64 ", expected %016" PRIx64 "\n", name, who, hash, expected);
    return hash == expected;
}

static void golden_hashes(void) {
    const char* print = getenv("WEFT_GOLDEN");
    for (int i = 0; i < SCENE_COUNT; i++) {
        const Scene* scene = &scenes[i];
        if (!scene->golden && !print) continue;
        uint64_t hash = run_scene(scene, 13, STEPS, true, (WeftJobs){.thread_count = 1});
        if (print)
            printf("%s 0x%016" PRIx64 "\n", scene->name, hash);
        else
            CHECK(same_hash(scene->name, "golden", hash, scene->golden));
    }
}

// Nothing moves by chance: another run, another address, the same bits.
static void same_twice(void) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        void* shift = malloc(4096 + 24);
        uint64_t first = run_scene(&scenes[i], 9, 10, i % 2, (WeftJobs){.thread_count = 1});
        free(shift);
        uint64_t second = run_scene(&scenes[i], 9, 10, i % 2, (WeftJobs){.thread_count = 1});
        CHECK(same_hash(scenes[i].name, "again", second, first));
    }
}

// ---------------------------------------------------------------------------------------------
// Who runs the blocks

// One step, alone and by the first runners.
static void check_runners(const Scene* scene, int n, bool same_bits, int count) {
    int used = 0;
    const struct {
        const char* name;
        WeftJobs jobs;
    } runners[] = {
        {"own threads", {.run = run_on_threads, .user = &used}},
        {"8 threads", {.thread_count = 8}},
        {"2 threads", {.thread_count = 2}},
        {"backwards", {.run = run_backwards, .user = &used}},
    };
    uint64_t alone = run_scene(scene, n, 1, same_bits, (WeftJobs){.thread_count = 1});
    for (int i = 0; i < count; i++) {
        used = 0;
        uint64_t hash = run_scene(scene, n, 1, same_bits, runners[i].jobs);
        CHECK(same_hash(scene->name, runners[i].name, hash, alone));
        CHECK(!runners[i].jobs.run || used > 0);
    }
}

// 10,000 vertices: enough blocks of everything that sharing them pays
static void any_runner(void) {
    static const char* const names[] = {"springs, default", "triangles, implicit",
                                        "springs, relaxation", "springs, jacobi",
                                        "springs, matrix-free"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int i = 0; i < SCENE_COUNT; i++)
            if (strcmp(scenes[i].name, names[k]) == 0)
                check_runners(&scenes[i], 100, false, test_slow() ? 4 : 1);
}

// 16,900 vertices: blocks of vectors, too
static void any_runner_large(void) {
    for (int i = 0; i < SCENE_COUNT; i++)
        if (scenes[i].large) check_runners(&scenes[i], 130, true, 2);
}

// ---------------------------------------------------------------------------------------------
// One model, two states at once

typedef struct Dancer {
    const WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    bool pinned;  // pins a vertex of its own on the way
} Dancer;

static void* dance(void* data) {
    Dancer* d = data;
    for (int k = 0; k < test_rounds(20); k++) {
        if (d->pinned && k == 2) weft_pin(d->state, 0);
        if (weft_step(d->state, &d->step)) return data;
    }
    return NULL;
}

static void two_states_at_once(void) {
    static const int chosen[] = {0, 1, 4, 7, 10, 25, 31};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        uint64_t hashes[2][2];
        for (int parallel = 0; parallel < 2; parallel++) {
            Swing s = open_scene(&scenes[chosen[i]], 21, false, (WeftJobs){.thread_count = 1});
            WeftState* other = NULL;
            CHECK(weft_create_state(s.model, &other, NULL) == WEFT_OK);
            Dancer a = {s.model, s.state, s.step, false}, b = {s.model, other, s.step, true};
            if (parallel) {
                pthread_t thread;
                void* failed = NULL;
                CHECK(pthread_create(&thread, NULL, dance, &b) == 0);
                CHECK(dance(&a) == NULL);
                CHECK(pthread_join(thread, &failed) == 0 && !failed);
            } else {
                CHECK(dance(&a) == NULL);
                CHECK(dance(&b) == NULL);
            }
            hashes[parallel][0] = weft_hash_state(a.state);
            hashes[parallel][1] = weft_hash_state(b.state);
            weft_destroy_state(other);
            swing_close(&s);
        }
        CHECK(hashes[0][0] != hashes[0][1]);
        for (int k = 0; k < 2; k++)
            CHECK(same_hash(scenes[chosen[i]].name, "at once", hashes[1][k], hashes[0][k]));
    }
}

#ifdef __SANITIZE_THREAD__  // one thread has nothing to tell it
#define ALONE_CASE SLOW_CASE
#else
#define ALONE_CASE CASE
#endif

TEST_MAIN(ALONE_CASE(golden_hashes), ALONE_CASE(same_twice), CASE(any_runner),
          LONG_CASE(any_runner_large), CASE(two_states_at_once))
