// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Your own job system: the library hands over blocks of work and does not care who does them. The
// result has the same bits whoever did, which the hashes show.

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

// One batch of blocks. An engine would queue it; here every worker takes the next block in line.
typedef struct Batch {
    atomic_int next;
    int block_count;
    void (*block)(void* context, int index);
    void* context;
} Batch;

static int work(void* data) {
    Batch* batch = data;
    for (int i; (i = atomic_fetch_add(&batch->next, 1)) < batch->block_count;)
        batch->block(batch->context, i);
    return 0;
}

#ifndef __STDC_NO_THREADS__
#include <threads.h>

// Starting threads for every batch is dear: an engine keeps its workers.
static void run_on_threads(Batch* batch) {
    enum { WORKERS = 3 };
    thrd_t threads[WORKERS];
    int started = 0;
    while (started < WORKERS && thrd_create(&threads[started], work, batch) == thrd_success)
        started++;
    work(batch);  // this thread is a worker too
    for (int i = 0; i < started; i++) thrd_join(threads[i], NULL);
}
#else
static void run_on_threads(Batch* batch) { work(batch); }
#endif

static int batch_count;  // to show that the hook was used

// The hook: run every block once, return when all are done.
static void run_jobs(void* user, int block_count, void (*block)(void* context, int index),
                     void* context) {
    Batch batch = {.block_count = block_count, .block = block, .context = context};
    ++*(int*)user;
    run_on_threads(&batch);
}

// Simulate half a second and return the fingerprint of where it ended.
static uint64_t simulate(WeftJobs jobs) {
    WeftError error;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 40;
    WeftMesh mesh;
    if (weft_make_grid(&grid, NULL, &mesh, &error)) return 0;
    const int pins[] = {41 * 40, 41 * 40 + 40};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins;
    cloth.pin_count = 2;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.jobs = jobs;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    uint64_t hash = 0;
    if (!weft_create_model(&def, &model, &error) && !weft_create_state(model, &state, &error)) {
        WeftStepDef step = weft_default_step_def();
        for (int i = 0; i < 30; i++) weft_step(state, &step);
        hash = weft_hash_state(state);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
    return hash;
}

int main(void) {
    uint64_t by_library = simulate((WeftJobs){0});
    uint64_t by_us = simulate((WeftJobs){.run = run_jobs, .user = &batch_count});
    printf("by the library %016" PRIx64 "\n", by_library);
    printf("by our threads %016" PRIx64 ", %d batches\n", by_us, batch_count);
    return by_us == by_library && by_us != 0 ? 0 : 1;
}
