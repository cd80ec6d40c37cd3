// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "tune.h"

#include <math.h>
#include <stdlib.h>

enum { TUNED_FRAMES = 40 };

void replay(Way* way, const Record* record, int frames) {
    float* normals = need(3 * (size_t)record->dense_count, sizeof *normals);
    begin_way(way, NULL, record->held, NULL);
    for (long i = 0; i < frames && i < record->frames; i++) {
        const double* dense = record->dense + 3 * i * record->dense_count;
        WeftDetailFrame frame = {
            .positions = record->positions + 3 * i * record->coarse_count,
            .velocities = record->velocities + 3 * i * record->coarse_count,
            .gravity = {record->gravity[0], record->gravity[1], record->gravity[2]}};
        weft_apply_detail(way->detail, &frame, NULL, way->shown);
        if (way->sweeper) sweep(way->sweeper, way->shown);
        weft_copy_detail(way->detail, dense, NULL, NULL, normals);
        judge_way(way, dense, normals);
    }
    free(normals);
}

static double tuned_error(Way* way, const Record* record) {
    replay(way, record, TUNED_FRAMES);
    return vertex_error(&way->score) * normal_error(&way->score);
}

double base_error(const WeftDetail* base, const Record* record) {
    Way way;
    open_way(&way, "", base, NULL);
    double error = tuned_error(&way, record);
    close_way(&way);
    return error;
}

SweepDef tune_sweeps(const WeftDetail* base, const WeftMesh* dense, const Record* record,
                     int sweeps, bool resumes) {
    static const double pulls[] = {0.003, 0.01, 0.03, 0.1, 0.3}, bends[] = {0.03, 0.1, 0.3};
    SweepDef best = {.sweeps = sweeps};
    double least = HUGE_VAL;
    for (int k = 0; k < 15; k++) {
        SweepDef def = {sweeps, pulls[k / 3], bends[k % 3], resumes};
        Way way;
        open_way(&way, "", base, create_sweeper(dense, &def));
        double error = tuned_error(&way, record);
        if (error < least) least = error, best = def;
        close_way(&way);
    }
    return best;
}
