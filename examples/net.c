// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A net that catches a ball: the ball is a rigid body of the program's own, pushed by what the net
// says that it does to it. It comes to rest in the net, and the net then carries its weight.

#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { CELLS = 24, FRAMES = 480 };
static const double SIZE = 1.2, SLACK = 0.85, RADIUS = 0.12, MASS = 1.5, FALL = 1.2;  // m, kg

typedef struct Ball {
    double position[3], velocity[3];
} Ball;

static WeftModel* make_net(const Ball* ball, WeftError* error) {
    WeftGridDef grid = weft_default_grid_def();
    grid.width = grid.height = SIZE;
    grid.columns = grid.rows = CELLS;
    WeftMesh mesh;
    if (weft_make_grid(&grid, NULL, &mesh, error)) return NULL;
    int pins[4 * CELLS], count = 0;  // all around
    for (int i = 0; i < mesh.vertex_count; i++) {
        int column = i % (CELLS + 1), row = i / (CELLS + 1);
        if (column == 0 || row == 0 || column == CELLS || row == CELLS) pins[count++] = i;
        mesh.positions[3 * i] = SLACK * (mesh.positions[3 * i] - SIZE / 2);
        mesh.positions[3 * i + 1] = 1;
        mesh.positions[3 * i + 2] = SLACK * (mesh.positions[3 * i + 2] + SIZE / 2);
    }
    WeftBodyDef body = weft_default_body_def();
    body.kind = WEFT_BODY_SPHERE;
    body.radius = RADIUS;
    for (int k = 0; k < 3; k++) body.position[k] = ball->position[k];
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.fabric.density = 0.3;
    cloth.fabric.stretch_damping = 0.02, cloth.fabric.mass_damping = 1;  // knots rub
    cloth.pins = pins, cloth.pin_count = count;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = &body, def.body_count = 1;
    WeftModel* model = NULL;
    weft_create_model(&def, &model, error);
    weft_destroy_mesh(&mesh);
    return model;
}

// The ball goes on by its weight and by what the cloth did to it in the last step; then the cloth
// gets the ball's way.
static WeftResult take_step(WeftState* state, const WeftStepDef* step, Ball* ball) {
    static const double level[4] = {0, 0, 0, 1};
    double force[3];
    weft_contact_force(state, 0, force, NULL);
    for (int k = 0; k < 3; k++) {
        ball->velocity[k] += step->dt * (step->gravity[k] + force[k] / MASS);
        ball->position[k] += step->dt * ball->velocity[k];
    }
    weft_move_body(state, 0, ball->position, level);
    return weft_step(state, step);
}

int main(void) {
    WeftError error;
    Ball ball = {.position = {0.05, 1 + RADIUS + 0.01 + FALL, 0.03}};
    WeftModel* model = make_net(&ball, &error);
    WeftState* state = NULL;
    if (!model || weft_create_state(model, &state, &error)) return puts(error.message), 1;
    WeftStepDef step = weft_default_step_def();
    step.dt = 1.0 / 120;  // what goes to and fro between two solvers likes short steps
    step.forces = true;   // keep them, to be read
    double lowest = 10, held = 0;
    int samples = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        if (take_step(state, &step, &ball)) return puts(weft_state_error(state)->message), 1;
        double force[3];
        weft_contact_force(state, 0, force, NULL);
        lowest = fmin(lowest, ball.position[1]);
        if (frame >= FRAMES - 120) held += force[1], samples++;
        if (frame % 60 == 59)
            printf("%.2f s  ball at %5.2f %5.2f %5.2f m, %5.2f m/s, the net pushes by %6.2f N\n",
                   weft_time(state), ball.position[0], ball.position[1], ball.position[2],
                   ball.velocity[1], force[1]);
    }
    held /= samples;
    printf("the ball got down to %.2f m and is held by %.2f N; it weighs %.2f N\n", lowest, held,
           MASS * 9.81);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return ball.position[1] > 0.3 && fabs(held - MASS * 9.81) < 0.05 * MASS * 9.81 ? 0 : 1;
}
