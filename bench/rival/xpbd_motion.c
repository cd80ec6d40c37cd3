// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "xpbd_motion.h"

#include <stdlib.h>
#include <string.h>

#include "xpbd.h"

// A model of the cloth as it lies flat, for its masses and its springs at rest.
static int create_flat(const MotionScene* scene, const double* flat, WeftModel** model,
                       WeftState** state) {
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    weft_use_mesh(&cloth, &scene->mesh);
    cloth.positions = flat;
    cloth.fabric = scene->def.fabric;
    cloth.pins = scene->pins;
    cloth.pin_count = scene->pin_count;
    def.cloths = &cloth;
    def.cloth_count = 1;
    if (weft_create_model(&def, model, &error) || weft_create_state(*model, state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

static int create_motion_net(const MotionScene* scene, Net* net) {
    WeftModel* model = NULL;
    WeftState* state = NULL;
    size_t n = (size_t)scene->mesh.vertex_count;
    double* flat = need(3 * n, sizeof *flat);
    for (size_t i = 0; i < n; i++) {
        flat[3 * i] = scene->mesh.material[2 * i];
        flat[3 * i + 2] = -scene->mesh.material[2 * i + 1];
    }
    int code = create_flat(scene, flat, &model, &state);
    if (!code && !create_net(model, state, &scene->def.fabric, net))
        code = complain(EXIT_FAILED, "out of memory");
    if (!code) memcpy(net->positions, scene->mesh.positions, 3 * n * sizeof *flat);
    weft_destroy_state(state);
    weft_destroy_model(model);
    free(flat);
    return code;
}

static XpbdDef motion_def(const MotionScene* scene, int substeps, double relaxation) {
    XpbdDef def = default_xpbd_def(substeps);
    const WeftFabric* fabric = &scene->def.fabric;
    double air_density = weft_default_step_def().air_density;
    def.relaxation = relaxation;
    def.thickness = fabric->thickness;
    def.friction = fabric->friction;
    if (scene->def.air)
        def.air = (XpbdAir){.triangles = scene->mesh.triangles,
                            .triangle_count = scene->mesh.triangle_count,
                            .drag = air_density / 2 * fabric->air_drag,
                            .friction = air_density / 2 * fabric->air_friction,
                            .density = fabric->density};
    def.body_count = scene->has_body;
    return def;
}

static void set_body(const MotionScene* scene, Xpbd* xpbd) {
    static const double up[3] = {0, 1, 0};
    const WeftBodyDef* def = &scene->body;
    if (!scene->has_body) return;
    XpbdBody body = def->kind == WEFT_BODY_SPHERE
                        ? xpbd_ball(def->position, def->radius, def->friction)
                        : xpbd_half_space(def->position, up, def->friction);
    set_xpbd_bodies(xpbd, &body);
}

static void take_frame(const MotionScene* scene, Xpbd* xpbd, int frame, double* positions,
                       MotionRun* run) {
    double start = thread_time(NULL);
    take_xpbd_step(xpbd);
    double seconds = thread_time(NULL) - start;
    read_xpbd(xpbd, positions, NULL);
    record_frame(scene, frame, seconds, positions, run);
}

int run_xpbd_motion(const MotionScene* scene, int substeps, double relaxation, MotionRun* run) {
    Net net = {0};
    XpbdDef def = motion_def(scene, substeps, relaxation);
    double* positions = need(3 * (size_t)scene->mesh.vertex_count, sizeof *positions);
    if (!run->lattice.positions) create_trajectory(&run->lattice, THREE_FRAMES, LATTICE_COUNT);
    int code = create_motion_net(scene, &net);
    Xpbd* xpbd = code ? NULL : create_xpbd(&net, &def);
    if (!code && !xpbd) code = complain(EXIT_FAILED, "out of memory");
    if (!code) set_body(scene, xpbd);
    for (int frame = 0; frame < THREE_FRAMES && !code; frame++)
        take_frame(scene, xpbd, frame, positions, run);
    run->stiffness_scale = 1;
    run->run_count++;
    destroy_xpbd(xpbd);
    destroy_net(&net);
    free(positions);
    return code;
}
