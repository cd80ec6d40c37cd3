// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A sheet on a moving sphere: it falls onto the sphere, is carried along and around by friction,
// and sleeps when everything stands still again.

#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { FRAMES = 240 };
static const double RADIUS = 0.2;

// Two bodies: the ground, and a sphere above it.
static void make_bodies(WeftBodyDef bodies[2]) {
    bodies[0] = weft_default_body_def();
    bodies[0].kind = WEFT_BODY_PLANE;  // all below y = 0
    bodies[1] = weft_default_body_def();
    bodies[1].kind = WEFT_BODY_SPHERE;
    bodies[1].radius = RADIUS;
    bodies[1].friction = 0.6;  // with that of the fabric, 0.3: sqrt(0.6 * 0.3)
    bodies[1].position[1] = 0.5;
}

static WeftModel* make_model(WeftError* error) {
    WeftGridDef grid = weft_default_grid_def();
    grid.width = grid.height = 0.8;
    grid.columns = grid.rows = 24;
    WeftMesh mesh;
    if (weft_make_grid(&grid, NULL, &mesh, error)) return NULL;
    for (int i = 0; i < mesh.vertex_count; i++) {  // level, its middle 5 cm above the sphere
        mesh.positions[3 * i] -= 0.4;
        mesh.positions[3 * i + 1] += 0.75;
        mesh.positions[3 * i + 2] += 0.4;
    }
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.fabric.thickness = 2e-3;  // m, kept from bodies and from other cloth
    cloth.fabric.stretch_damping = 1e-3;
    cloth.fabric.bend_damping = 1e-2;

    WeftBodyDef bodies[2];
    make_bodies(bodies);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.bodies = bodies;
    def.body_count = 2;
    def.contact = WEFT_CONTACT_ALL;  // the default keeps cloth from bodies, and not from itself
    WeftModel* model = NULL;
    weft_create_model(&def, &model, error);
    weft_destroy_mesh(&mesh);
    return model;
}

// Where the sphere is at time t: it stands, from 1 s on goes 30 cm to the side and turns by a
// quarter, and stands again from 2 s on.
static void place_sphere(double t, double position[3], double rotation[4]) {
    double part = fmax(0, fmin(1, t - 1)), half = 0.25 * 3.14159265358979 * part;
    position[0] = 0.3 * part;
    position[1] = 0.5;
    position[2] = 0;
    rotation[0] = rotation[2] = 0;  // a unit quaternion, about the y axis
    rotation[1] = sin(half);
    rotation[3] = cos(half);
}

// How far the nearest vertex is from the surface of the sphere.
static double least_distance(const WeftModel* model, const WeftState* state, const double* centre) {
    const double* x = weft_positions(state);
    double least = HUGE_VAL;
    for (int i = 0; i < weft_vertex_count(model); i++, x += 3) {
        double dx = x[0] - centre[0], dy = x[1] - centre[1], dz = x[2] - centre[2];
        least = fmin(least, sqrt(dx * dx + dy * dy + dz * dz) - RADIUS);
    }
    return least;
}

int main(void) {
    WeftError error = {0};
    WeftModel* model = make_model(&error);
    WeftState* state = NULL;
    double nearest = HUGE_VAL;
    if (!model || weft_create_state(model, &state, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    WeftStepDef step = weft_default_step_def();
    for (int frame = 0; frame < FRAMES; frame++) {
        // say where the body is at the end of the step; on its way there it drags the cloth along.
        // (weft_place_body would put it there without a way.)
        double position[3], rotation[4];
        place_sphere(weft_time(state) + step.dt, position, rotation);
        weft_move_body(state, 1, position, rotation);

        if (weft_step(state, &step)) {
            fprintf(stderr, "%s\n", weft_state_error(state)->message);
            return 1;
        }
        double distance = least_distance(model, state, position);
        nearest = fmin(nearest, distance);
        const WeftStepReport* report = weft_report(state);
        if (frame % 30 != 29) continue;
        printf("%.1f s  %.2f mm above the sphere, ", weft_time(state), 1000 * distance);
        if (report->asleep)
            puts("asleep");
        else
            printf("%d of %d contacts carry\n", report->active_contacts,
                   report->body_contacts + report->self_contacts);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    return nearest > 0 ? 0 : 1;
}
