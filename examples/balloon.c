// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A balloon is blown up gently with helium, rises until its string is taut, and is squeezed between
// two hands: its pressure grows as its volume gets less.

#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { PUMPING = 120, RISING = 180, SQUEEZING = 120, FRAMES = PUMPING + RISING + SQUEEZING };
enum { LEFT, RIGHT };
static const double RADIUS = 0.15, STRING = 0.5, PRESSURE = 300;  // m, m, Pa
static const double OPEN = 0.6, CLOSED = 0.2;                     // m, of the hands from the middle

static WeftModel* make_balloon(WeftError* error) {
    WeftBallDef ball = weft_default_ball_def();
    ball.radius = RADIUS, ball.edge = 0.04;
    WeftMesh mesh;
    if (weft_make_ball(&ball, NULL, &mesh, error)) return NULL;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.fabric.density = 0.02;  // kg/m^2, foil
    cloth.fabric.bend = 1e-6;
    cloth.fabric.stretch_damping = 0.01;  // what presses a gas shall not be thrown
    cloth.inflation = WEFT_INFLATION_GAS;
    cloth.gas_density = 0.17;        // helium
    cloth.outside_pressure = 10000;  // Pa: a tenth of the real air, so that it can be squeezed
    WeftBodyDef hands[2] = {weft_default_body_def(), weft_default_body_def()};
    for (int h = LEFT; h <= RIGHT; h++) {
        hands[h].kind = WEFT_BODY_BOX;
        hands[h].size[0] = 0.2, hands[h].size[1] = 0.5, hands[h].size[2] = 0.5;
        hands[h].position[0] = h == LEFT ? -OPEN : OPEN;
    }
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = hands, def.body_count = 2;
    WeftModel* model = NULL;
    weft_create_model(&def, &model, error);
    weft_destroy_mesh(&mesh);
    return model;
}

// From its lowest point to where that was at first: a string that pulls, and never pushes.
static void pull_string(WeftState* state, double mass, double accelerations[]) {
    const double* x = weft_positions(state) + 3;  // vertex 1 is at the bottom
    double d[3] = {x[0], x[1] + RADIUS, x[2]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double pull = length > STRING ? 5 * (length - STRING) : 0;  // N
    for (int k = 0; k < 3; k++)
        accelerations[3 + k] = pull > 0 ? -pull * d[k] / (mass * length) : 0;
}

static void move_hands(WeftState* state, double part) {
    const double upright[4] = {0, 0, 0, 1};
    const double *top = weft_positions(state), *bottom = top + 3;
    double away = OPEN + part * (CLOSED - OPEN), middle = (top[1] + bottom[1]) / 2;
    for (int h = LEFT; h <= RIGHT; h++) {
        double place[3] = {h == LEFT ? -away : away, middle, 0};
        weft_move_body(state, h, place, upright);
    }
}

int main(void) {
    static double accelerations[3 * 10000];
    WeftError error;
    WeftModel* model = make_balloon(&error);
    WeftState* state = NULL;
    if (!model || weft_create_state(model, &state, &error)) return puts(error.message), 1;
    WeftStepDef step = weft_default_step_def();
    step.accelerations = accelerations;
    double volume[2], pressure[2], height = 0, stretch = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        int risen = frame - PUMPING, pressed = risen - RISING;
        // gently: a little more in every frame, so that nothing is thrown
        if (frame < PUMPING) weft_set_pressure(state, 0, PRESSURE * (frame + 1) / PUMPING);
        pull_string(state, weft_masses(model)[1], accelerations);
        move_hands(state, pressed > 0 ? fmin(1, 2.0 * pressed / SQUEEZING) : 0);
        if (weft_step(state, &step)) return puts(weft_state_error(state)->message), 1;
        int squeezed = pressed > 0;
        weft_copy_inflation(state, 0, &volume[squeezed], &pressure[squeezed]);
        height = weft_positions(state)[1];  // of its top
        WeftMeasure measure;
        if (!weft_measure(state, step.gravity, &measure))
            stretch = fmax(stretch, measure.p99_stretch);
        if (frame % 60 == 59)
            printf("%.1f s  %5.2f l at %5.0f Pa, its top at %5.2f m\n", weft_time(state),
                   1000 * volume[squeezed], pressure[squeezed], height);
    }
    printf("squeezed from %.2f to %.2f l, from %.0f to %.0f Pa; edges stayed below %.1f %%\n",
           1000 * volume[0], 1000 * volume[1], pressure[0], pressure[1], 100 * (stretch - 1));
    weft_destroy_state(state);
    weft_destroy_model(model);
    bool rose = height > 0.6, gave_way = volume[1] < 0.95 * volume[0];
    return rose && gave_way && pressure[1] > 1.5 * pressure[0] && stretch < 1.2 ? 0 : 1;
}
