// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "xpbd_motion.h"

#include <math.h>
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
    const WeftBodyDef* body = &scene->body;
    const WeftFabric* fabric = &scene->def.fabric;
    double air_density = weft_default_step_def().air_density;
    def.relaxation = relaxation;
    def.thickness = fabric->thickness;
    def.friction = sqrt(fabric->friction * body->friction);
    if (scene->def.air)
        def.air = (XpbdAir){scene->mesh.triangles, scene->mesh.triangle_count,
                            air_density / 2 * fabric->air_drag,
                            air_density / 2 * fabric->air_friction, fabric->density};
    if (!scene->has_body) return def;
    def.body_count = 1;
    memcpy(def.bodies[0].centre, body->position, sizeof body->position);
    if (body->kind == WEFT_BODY_SPHERE) def.bodies[0].radius = body->radius;
    def.bodies[0].normal[1] = 1;  // of a floor
    return def;
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
    for (int frame = 0; frame < THREE_FRAMES && !code; frame++)
        take_frame(scene, xpbd, frame, positions, run);
    run->stiffness_scale = 1;
    run->run_count++;
    destroy_xpbd(xpbd);
    destroy_net(&net);
    free(positions);
    return code;
}
