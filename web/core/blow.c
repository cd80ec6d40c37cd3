// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The speed is that at which the air presses with
//
//     q = Q (g d)^(1/4)     Pa; d kg/m^2 the density of the cloth
//
// so that it lifts chiffon of 0.05 kg/m^2 by some ten times its weight and canvas of 0.4 kg/m^2 by
// some two, where it meets it. With the same speed for both it would be eight times as much for
// chiffon, which no hand could lead.

#include "blow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PRESSURE = 7;   // Q
static const double AIR = 0.72;     // Pa s^2/m^2: half of the density of air, times a drag of 1.2
static const double RADIUS = 0.14;  // m
static const double RADIUS_PART = 0.2;  // of the scene: no breath is wider
static const double LENGTH = 8;         // radii to both sides of the place, along which it is felt
static const double MOST_STRENGTH = 3;

void free_blow(Blow* blow) { free(blow->winds); }

void begin_blow(Blow* blow, const double at[3], const double direction[3], double strength,
                double density, double size) {
    double square = 0;
    for (int k = 0; k < 3; k++) square += direction[k] * direction[k];
    blow->on = square > 0 && isfinite(square) && strength > 0;
    if (!blow->on) return;
    for (int k = 0; k < 3; k++) {
        blow->at[k] = at[k];
        blow->direction[k] = direction[k] / sqrt(square);
    }
    double pressure = PRESSURE * sqrt(sqrt(9.81 * fmax(density, 0.01)));
    blow->speed = fmin(strength, MOST_STRENGTH) * sqrt(pressure / AIR);
    blow->radius = fmin(RADIUS, RADIUS_PART * size);
}

void end_blow(Blow* blow) { blow->on = false; }

// A WeftWindFunction: a jet that falls off with the distance from its axis, and smoothly along it.
static void jet(void* user, int count, const double* positions, double time, double* velocities) {
    const Blow* blow = user;
    (void)time;
    for (int i = 0; i < count; i++) {
        const double* x = positions + 3 * (size_t)i;
        double along = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            along += (x[k] - blow->at[k]) * blow->direction[k];
            square += (x[k] - blow->at[k]) * (x[k] - blow->at[k]);
        }
        double across = (square - along * along) / (blow->radius * blow->radius);
        double length = along / (LENGTH * blow->radius);
        double speed = blow->speed * exp(-across - length * length);
        for (int k = 0; k < 3; k++)
            velocities[3 * (size_t)i + (size_t)k] = speed * blow->direction[k];
    }
}

bool add_blow(Blow* blow, WeftStepDef* step) {
    if (!blow->on) return true;
    if (blow->capacity <= step->wind_count) {
        WeftWind* winds = realloc(blow->winds, ((size_t)step->wind_count + 1) * sizeof *winds);
        if (!winds) return false;
        blow->winds = winds;
        blow->capacity = step->wind_count + 1;
    }
    for (int i = 0; i < step->wind_count; i++) blow->winds[i] = step->winds[i];
    WeftWind* breath = &blow->winds[step->wind_count];
    *breath = weft_default_wind();
    breath->kind = WEFT_WIND_CALLBACK;
    breath->function = jet;
    breath->user = blow;
    step->winds = blow->winds;
    step->wind_count++;
    return true;
}
