// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A curtain in the wind that never takes more than a millisecond per frame; then the same run once
// more from what was recorded, without a clock, to the last bit.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { FRAMES = 120 };

static double now(void* user) {
    struct timespec time;
    (void)user;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void blow(WeftStepDef* step, int frame) { step->wind[2] = 3 * sin(0.1 * frame); }

static void print_choice(int frame, const WeftStepReport* report) {
    printf("frame %3d: %4.2f ms, %d x", frame, 1000 * report->times.total, report->substeps);
    for (int i = 0; i < report->substeps; i++) printf(" %d", report->limits[i]);
    printf(" iterations%s\n", report->cut ? ", as many as there was time for" : "");
}

int main(void) {
    WeftError error = {0};
    WeftMesh mesh = {0};
    WeftGridDef grid = weft_default_grid_def();
    WeftModel* model = NULL;
    WeftState *state = NULL, *again = NULL;
    WeftStepReport reports[FRAMES];
    uint64_t recorded = 0, replayed = 1;
    if (weft_make_grid(&grid, NULL, &mesh, &error)) goto done;

    int pins[33];
    for (int i = 0; i < 33; i++) pins[i] = 32 * 33 + i;  // the top row
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins;
    cloth.pin_count = 33;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.clock.now = now;
    def.step.budget_ms = 1;  // what is set here is prepared for: no factor is made in a step
    if (weft_create_model(&def, &model, &error)) goto done;
    if (weft_create_state(model, &state, &error)) goto done;
    if (weft_create_state(model, &again, &error)) goto done;

    WeftStepDef step = def.step;
    for (int frame = 0; frame < FRAMES; frame++) {
        blow(&step, frame);
        if (weft_step(state, &step)) goto done;
        reports[frame] = *weft_report(state);
        if (frame % 20 == 0) print_choice(frame, &reports[frame]);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        blow(&step, frame);
        WeftStepDef same = weft_repeat_step(&step, &reports[frame]);
        if (weft_step(again, &same)) goto done;
    }
    recorded = weft_hash_state(state);
    replayed = weft_hash_state(again);
    printf("recorded %016" PRIx64 ", replayed %016" PRIx64 "\n", recorded, replayed);

done:
    if (error.result) fprintf(stderr, "%s\n", error.message);
    weft_destroy_state(again);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
    return recorded == replayed ? 0 : 1;
}
