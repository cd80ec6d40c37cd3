// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A small random generator: the same numbers from the same seed on every machine. It is splitmix64;
// nothing but sums, products and square roots is used, which every machine rounds alike.

#ifndef WEFT_BENCH_STRESS_CHANCE_H
#define WEFT_BENCH_STRESS_CHANCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Chance {
    uint64_t state;
} Chance;

static inline uint64_t chance_bits(Chance* chance) {
    uint64_t z = (chance->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline double between(Chance* chance, double low, double high) {
    return low + (high - low) * (double)(chance_bits(chance) >> 11) * 0x1p-53;
}

// A whole number from 0 to count - 1.
static inline int pick(Chance* chance, int count) {
    return (int)(chance_bits(chance) % (uint64_t)count);
}

static inline bool happens(Chance* chance, double share) { return between(chance, 0, 1) < share; }

// Every octave from `low` to `high` is as likely as the others.
static inline double octaves(Chance* chance, double low, double high) {
    int count = 0;
    for (double x = low; x < high; x *= 2) count++;
    double value = low;
    for (int i = pick(chance, count > 0 ? count : 1); i > 0; i--) value *= 2;
    return fmin(high, value * between(chance, 1, 2));
}

// A point in the ball of radius 1, away from its centre.
static inline double in_ball(Chance* chance, int dimension, double* point) {
    double square = 2;
    while (square > 1 || square < 1e-3) {
        square = 0;
        for (int k = 0; k < dimension; k++) {
            point[k] = between(chance, -1, 1);
            square += point[k] * point[k];
        }
    }
    return sqrt(square);
}

static inline void any_direction(Chance* chance, double direction[3]) {
    double length = in_ball(chance, 3, direction);
    for (int k = 0; k < 3; k++) direction[k] /= length;
}

// A unit quaternion, x y z w.
static inline void any_rotation(Chance* chance, double rotation[4]) {
    double length = in_ball(chance, 4, rotation);
    for (int k = 0; k < 4; k++) rotation[k] /= length;
}

#endif
