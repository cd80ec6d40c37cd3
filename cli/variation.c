// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "variation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double SLOWEST = 0.5, FASTEST = 1.5;
static const double SWAY = 0.1;  // of the size of the cloth, at most
static const double GUST = 0.5;  // of the wind that there is, at most
static const double RAMP = 0.5;  // s, until both are as strong as they get

// ---------------------------------------------------------------------------------------------
// Which

// 1/2, 1/4, 3/4, 1/8, 5/8 ...: however many are taken, they are spread evenly (van der Corput).
static double spread(int number) {
    double part = 0.5, sum = 0;
    for (; number > 0; number /= 2, part /= 2) sum += part * (number % 2);
    return sum;
}

// 0 to 1, the same for the same numbers (splitmix64).
static double draw(int number, int which) {
    uint64_t x = (uint64_t)number * 64 + (uint64_t)which + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

// Half of the diagonal of the box around it.
static double size_of(const WeftMesh* mesh) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (long i = 0; i < 3L * mesh->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
        high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
    }
    return 0.5 * hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

static bool is_worn(const WeftScene* scene, int cloth) {
    for (int w = 0; w < scene->wear_count; w++)
        if (scene->wears[w].cloth == cloth) return true;
    return false;
}

// Of length up to `most`, level but for `up` of it.
static void draw_direction(int number, int which, double most, double up, double vector[3]) {
    double angle = 6.283185307179586 * draw(number, which);
    double length = most * (0.3 + 0.7 * draw(number, which + 1));
    vector[0] = length * cos(angle);
    vector[1] = length * up * (2 * draw(number, which + 2) - 1);
    vector[2] = length * sin(angle);
}

// What a scene never does costs what it does. scenes/detail_swing.json, of ten motions; what is
// left of the error of flat triangles at the unseen paces 0.8 and 1.25, and with an unseen sway:
//
//     the pace is varied                            0.49  0.65  0.77
//     and sways in every second motion              0.50  0.65  0.76
//     and sways in all                              0.52  0.66  0.76
//     and gusts of 2 m/s, where there is no wind    0.57  0.70  0.76
//
// So every second motion sways, and gusts are for scenes with wind.
Variation make_variation(const WeftScene* scene, const Unvaried* unvaried, int cloth, int number) {
    Variation v = {.pace = 1, .reach = 1};
    if (number == 0) return v;
    v.pace = SLOWEST + (FASTEST - SLOWEST) * spread(number);
    if (is_worn(scene, cloth)) return v;
    if (scene->model.body_count == 0) v.reach = 0.6 + 0.8 * draw(number, 0);
    if (number % 2 == 0) {
        draw_direction(number, 1, SWAY * size_of(&scene->meshes[cloth]), 0.3, v.sway);
        v.sway_rate = 0.3 + 0.7 * draw(number, 4);
    }
    const double* wind = unvaried->wind;
    double speed = hypot(hypot(wind[0], wind[1]), wind[2]);
    draw_direction(number, 5, GUST * speed, 0.2, v.gust);
    v.gust_rate = 0.2 + 0.6 * draw(number, 8);
    return v;
}

// ---------------------------------------------------------------------------------------------
// The scene

bool keep_unvaried(const WeftScene* scene, Unvaried* unvaried) {
    memcpy(unvaried->wind, scene->model.step.wind, sizeof unvaried->wind);
    unvaried->offsets = calloc((size_t)scene->motion_count + 1, sizeof *unvaried->offsets);
    for (int m = 0; m < scene->motion_count && unvaried->offsets; m++) {
        const WeftTrack* offset = &scene->motions[m].offset;
        size_t size = 3 * sizeof(double) * (size_t)offset->key_count;
        unvaried->offsets[m] = malloc(size + 1);
        if (!unvaried->offsets[m]) return false;
        if (size > 0) memcpy(unvaried->offsets[m], offset->values, size);
    }
    return unvaried->offsets != NULL;
}

void free_unvaried(const WeftScene* scene, Unvaried* unvaried) {
    for (int m = 0; unvaried->offsets && m < scene->motion_count; m++) free(unvaried->offsets[m]);
    free(unvaried->offsets);
}

void begin_variation(WeftScene* scene, const Unvaried* unvaried, const Variation* variation) {
    scene->pace = variation->pace;
    for (int m = 0; m < scene->motion_count; m++) {
        const WeftTrack* offset = &scene->motions[m].offset;
        const double* from = unvaried->offsets[m];
        for (int i = 0; i < 3 * offset->key_count; i++)
            offset->values[i] = variation->reach == 1
                                    ? from[i]
                                    : from[i % 3] + variation->reach * (from[i] - from[i % 3]);
    }
    direct_variation(scene, unvaried, variation, 0);
}

// From 0 on, and without a jump of speed.
static double wave(double rate, double time) {
    double part = fmin(time / RAMP, 1);
    return part * part * (3 - 2 * part) * sin(6.283185307179586 * rate * time);
}

// A scene whose own wind changes is blown at by that.
void direct_variation(WeftScene* scene, const Unvaried* unvaried, const Variation* variation,
                      double time) {
    double from = wave(variation->sway_rate, time);
    double to = wave(variation->sway_rate, time + scene->model.step.dt);
    double gust = wave(variation->gust_rate, time);
    for (int k = 0; k < 3; k++) {
        scene->carry_from[k] = from * variation->sway[k];
        scene->carry_to[k] = to * variation->sway[k];
        scene->model.step.wind[k] = unvaried->wind[k] + gust * variation->gust[k];
    }
}

int variation_frames(const WeftScene* scene, const Variation* variation) {
    double frames = round(scene->duration / (variation->pace * scene->model.step.dt));
    return frames < 1 ? 1 : frames > 1e9 ? 1000000000 : (int)frames;
}
