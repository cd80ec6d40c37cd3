// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "motion.h"

#include <stdio.h>

int record_motion(const Square* square, const Method* method, int frame_count, Trajectory* record) {
    Trial trial;
    show_progress("%d vertices: %s", square->mesh.vertex_count, method->name);
    int code = create_trial(method, square, 1, &trial);
    if (code) return code;
    trial.record = record;
    code = run_trial(&trial, frame_count);
    destroy_trial(&trial);
    return code;
}

static void describe_motion(const Square* square, const Method* method, int frame_count, char* text,
                            size_t size) {
    const WeftFabric* fabric = &square->cloth.fabric;
    snprintf(text, size,
             "weft %s, %d vertices, %d triangles, density %g, stretch %g, bend %g, order %d, "
             "%d substeps, newton %g, frames %d",
             weft_version(), square->mesh.vertex_count, square->mesh.triangle_count,
             fabric->density, fabric->stretch_warp, fabric->bend, method->step.order,
             method->step.substeps, method->step.newton_tolerance, frame_count);
}

int find_motion(const BenchOptions* options, const Square* square, int frame_count,
                Trajectory* motion, double* floor) {
    bool quick = options->quick;
    Method fine = motion_itself(quick ? QUICK_FINE_SUBSTEPS : FINE_SUBSTEPS);
    Method half = motion_itself(fine.step.substeps / 2);
    char definition[400];
    describe_motion(square, &fine, frame_count, definition, sizeof definition);
    create_trajectory(motion, frame_count, square->mesh.vertex_count);
    if (!quick && !options->fresh && load_trajectory(definition, motion, floor)) return EXIT_GOOD;
    Trajectory other;
    create_trajectory(&other, frame_count, square->mesh.vertex_count);
    int code = record_motion(square, &fine, frame_count, motion);
    if (!code) code = record_motion(square, &half, frame_count, &other);
    if (!code) *floor = mean_distance(motion, &other);
    if (!code && !quick) keep_trajectory(definition, motion, *floor);
    destroy_trajectory(&other);
    return code;
}
