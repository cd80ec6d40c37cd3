// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/parallel.c and all that runs on it: every block once, and the same bits however many
// threads there are and in whatever order they come.

#include "base/parallel.h"

#include <pthread.h>

#include "sparse_test.h"
#include "swing.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Job systems as users bring them

typedef void Block(void* context, int index);

static int hook_calls;

static void run_backwards(void* user, int count, Block* block, void* context) {
    (void)user;
    hook_calls++;
    for (int i = count - 1; i >= 0; i--) block(context, i);
}

static void run_shuffled(void* user, int count, Block* block, void* context) {
    (void)user;
    hook_calls++;
    int* order = random_names(count);
    for (int i = 0; i < count; i++) block(context, order[i]);
    free(order);
}

enum { THREADS = 4 };

typedef struct Share {
    int first, count;
    Block* block;
    void* context;
} Share;

static void* run_share(void* data) {
    const Share* share = data;
    for (int i = share->first; i < share->count; i += THREADS) share->block(share->context, i);
    return NULL;
}

// threads of our own: what the thread sanitizer can see through
static void run_threads(void* user, int count, Block* block, void* context) {
    (void)user;
    hook_calls++;
    pthread_t threads[THREADS];
    Share shares[THREADS];
    for (int k = 0; k < THREADS; k++) {
        shares[k] = (Share){k, count, block, context};
        pthread_create(&threads[k], NULL, run_share, &shares[k]);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
}

static const WeftJobs all_jobs[] = {
    {NULL, NULL, 0},
    {NULL, NULL, 1},
    {NULL, NULL, 2},
    {NULL, NULL, 8},
    {NULL, NULL, WEFT_ALL_THREADS},
    {run_backwards, NULL, 0},
    {run_shuffled, NULL, 0},
    {run_threads, NULL, 0},
};
enum { JOBS_COUNT = sizeof all_jobs / sizeof *all_jobs };

// ---------------------------------------------------------------------------------------------
// Loops

static void count_block(void* context, int index) { ((int*)context)[index]++; }

static void every_block_once(void) {
    static const int counts[] = {0, 1, 2, 7, 8, 15, 16, 17, 100, 1000};
    for (int j = 0; j < JOBS_COUNT; j++)
        for (int c = 0; c < 10; c++) {
            int seen[1001] = {0};
            wf_parallel(&all_jobs[j], counts[c], count_block, seen);
            for (int i = 0; i < counts[c]; i++) CHECK(seen[i] == 1);
            CHECK(seen[counts[c]] == 0);
        }
}

static void own_block(void* context, int index) {
    (void)index;
    CHECK(pthread_equal(pthread_self(), *(const pthread_t*)context));
}

// Nobody asked for threads: the caller does it all.
static void alone_unless_asked(void) {
    pthread_t self = pthread_self();
    WeftModelDef def = weft_default_model_def();
    wf_parallel(&def.jobs, 1000, own_block, &self);
}

// A user's hook is used where there is enough to do, and not bothered with nothing.
static void hook_is_used(void) {
    int seen[1000] = {0};
    WeftJobs jobs = {run_backwards, NULL, 0};
    hook_calls = 0;
    wf_parallel(&jobs, 0, count_block, seen);
    wf_parallel(&jobs, 1, count_block, seen);
    CHECK(hook_calls == 0 && seen[0] == 1);
    wf_parallel(&jobs, 1000, count_block, seen);
    CHECK(hook_calls == 1);
}

static void run_counted(void* user, int count, Block* block, void* context) {
    ++*(int*)user;
    run_backwards(NULL, count, block, context);
}

static void hook_gets_its_user(void) {
    int calls = 0, seen[1000] = {0};
    WeftJobs jobs = {run_counted, &calls, 0};
    wf_parallel(&jobs, 1000, count_block, seen);
    CHECK(calls == 1 && seen[999] == 1);
}

static void vector_blocks(void) {
    CHECK(wf_vector_blocks(0) == 0);
    CHECK(wf_vector_blocks(1) == 1);
    CHECK(wf_vector_blocks(WF_VECTOR_BLOCK) == 1);
    CHECK(wf_vector_blocks(WF_VECTOR_BLOCK + 1) == 2);
    CHECK(WF_VECTOR_BLOCK % 3 == 0);  // vertices are not cut in two
}

// Against plain loops, over lengths around those of blocks and of the unrolled loop.
static void vectors(void) {
    static const int lengths[] = {0,
                                  1,
                                  3,
                                  7,
                                  8,
                                  9,
                                  100,
                                  WF_VECTOR_BLOCK - 1,
                                  WF_VECTOR_BLOCK,
                                  WF_VECTOR_BLOCK + 1,
                                  20 * WF_VECTOR_BLOCK + 5};
    for (int c = 0; c < 11; c++) {
        int n = lengths[c];
        size_t bytes = ((size_t)n + 1) * sizeof(double);
        double *a = malloc(bytes), *b = malloc(bytes), *y = malloc(bytes), *partial = calloc(64, 8);
        double dot = 0, first = 0;
        for (int i = 0; i <= n; i++) a[i] = random_unit(), b[i] = random_unit();
        for (int i = 0; i < n; i++) dot += a[i] * b[i];
        for (int j = 0; j < JOBS_COUNT; j++) {
            WfVectors v = {&all_jobs[j], n, partial};
            double sum = wf_vector_dot(&v, a, b);
            if (j == 0) first = sum;
            CHECK(sum == first);
            CHECK_NEAR(sum, dot, 1e-13 * (n + 1));
            memcpy(y, b, bytes);
            wf_vector_axpy(&v, 0.3, a, y);
            int bad = 0;
            for (int i = 0; i < n; i++) bad += y[i] != b[i] + 0.3 * a[i];
            CHECK(bad == 0 && y[n] == b[n]);
            memcpy(y, b, bytes);
            wf_vector_xpay(&v, a, 0.3, y);
            for (int i = 0; i < n; i++) bad += y[i] != a[i] + 0.3 * b[i];
            CHECK(bad == 0 && y[n] == b[n]);
        }
        free(a), free(b), free(y), free(partial);
    }
}

// ---------------------------------------------------------------------------------------------
// Whole steps

static void take_steps(Swing* s) {
    WeftStepDef plain = s->step;
    s->step.quality = 5;
    for (int k = 0; k < 3; k++) CHECK(swing_step(s));
    s->step = plain;
    s->step.scheme = WEFT_SCHEME_JAJ;
    s->step.iterations[0] = 3;
    CHECK(swing_step(s));
    s->step = plain;
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.max_iterations = 10;
    CHECK(swing_step(s));
    s->step = plain;
    s->step.method = WEFT_METHOD_SYMPLECTIC;
    s->step.dt = 1e-4;
    CHECK(swing_step(s));
}

// A ribbon: enough elements for many blocks, and a narrow matrix that is quick to factor. Every
// term that can stand beside the others is there.
static uint64_t simulate(const WeftJobs* jobs, WeftStretch stretch, bool bend_explicit) {
    Swing s = swing_def(110, 100);
    if (stretch == WEFT_STRETCH_TRIANGLES) swing_triangles(&s);
    s.cloth.fabric.stretch_damping = s.cloth.fabric.bend_damping = 1e-4;
    s.cloth.fabric.mass_damping = 0.1;
    s.cloth.bend = bend_explicit ? WEFT_BEND_EXPLICIT : WEFT_BEND_IMPLICIT;
    s.step.air_density = 1.2;
    s.step.wind[2] = 1;
    s.step.order = 1;
    s.step.quality = 4;
    WeftGridDef grid = {.width = 0.1, .height = 8, .columns = 10, .rows = 1100};
    grid.kind = WEFT_GRID_ALTERNATING;
    CHECK(weft_make_grid(&grid, NULL, &s.mesh, NULL) == WEFT_OK);
    weft_use_mesh(&s.cloth, &s.mesh);
    s.pins[1] = s.mesh.vertex_count - 1;
    s.cloth.pins = s.pins;
    s.cloth.pin_count = 2;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &s.cloth;
    def.cloth_count = 1;
    def.step = s.step;
    def.jobs = *jobs;
    CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
    CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
    take_steps(&s);
    uint64_t hash = weft_hash_state(s.state);
    swing_close(&s);
    return hash;
}

static void check_bits(WeftStretch stretch, bool bend_explicit) {
    uint64_t expected = simulate(&all_jobs[0], stretch, bend_explicit);
    int stride = test_slow() ? 1 : 2;
    for (int j = stride; j < JOBS_COUNT; j += stride) {
        hook_calls = 0;
        CHECK(simulate(&all_jobs[j], stretch, bend_explicit) == expected);
        if (all_jobs[j].run) CHECK(hook_calls > 0);
    }
}

static void same_bits_springs(void) { check_bits(WEFT_STRETCH_SPRINGS, false); }
static void same_bits_explicit_bending(void) { check_bits(WEFT_STRETCH_SPRINGS, true); }
static void same_bits_triangles(void) { check_bits(WEFT_STRETCH_TRIANGLES, false); }

TEST_MAIN(CASE(every_block_once), CASE(alone_unless_asked), CASE(hook_is_used),
          CASE(hook_gets_its_user), CASE(vector_blocks), CASE(vectors), CASE(same_bits_springs),
          SLOW_CASE(same_bits_explicit_bending), SLOW_CASE(same_bits_triangles))
