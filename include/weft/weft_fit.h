// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, fitting: from measurements of a fabric to the tables that simulate it. Two kinds of tests,
// both simulated along with the fit:
//
//     stretch   a strip is held by a clamp at one end and pulled by a weight at the other, whose
//               clamp keeps its direction and may move; in the plane
//     bend      a strip lies on an edge and hangs over it by some length, under its own weight
//
// A test gives marks: points of the strip, and where they were seen. The tables are those whose
// simulated tests come nearest to the marks, and vary no more than the noise of the marks asks for.
//
//     WeftMeasurements* measurements = NULL;
//     weft_load_measurements("jersey.json", NULL, &measurements, &error);     // weft_io.h
//     WeftFitDef def = weft_default_fit_def();
//     WeftFit* fit = NULL;
//     weft_fit_fabric(measurements, &def, &fit, &error);
//     WeftFabric fabric = weft_default_fabric();
//     fabric.density = measurements->density;
//     fabric.measured = fit->measured;
//     weft_fit_constants(&fabric);

#ifndef WEFT_WEFT_FIT_H
#define WEFT_WEFT_FIT_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

// A point of a strip, and where it was seen. Metres.
//
//     stretch   along: from the upper clamp, 0 to the strip's length; across: from its left edge, 0
//               to its width. x, y: the same for the stretched strip, x along the pull, from where
//               the left edge leaves the upper clamp.
//     bend      along: from the edge, 0 to the overhang; across is not used. x: away from the edge;
//               y: up, so that cloth which hangs down has it below zero.
typedef struct WeftMark {
    double along, across;
    double x, y;
} WeftMark;

typedef enum WeftTestKind {
    WEFT_TEST_STRETCH,
    WEFT_TEST_BEND,
} WeftTestKind;

typedef struct WeftTest {
    WeftTestKind kind;
    double angle;     // degrees from the strip's length to the warp, 0 to 90; of stretch turning
                      // towards `across`
    double weight;    // N, of stretch
    double overhang;  // m, of bend
    int mark_count;
    WeftMark* marks;
} WeftTest;

typedef struct WeftMeasurements {
    char name[64];            // of the fabric
    double density;           // kg/m^2
    double width, length;     // m, of the strips that are stretched, between their clamps
    double reference_strain;  // at which the table is to be known
    double noise;             // m, standard deviation of a coordinate of a mark; negative: found
                              // from what is left after the fit
    int test_count;
    WeftTest* tests;
    WeftAllocator allocator;
} WeftMeasurements;

// Tests that reach what the tables of a fabric hold: stretch at 0, 22.5, 45, 67.5 and 90 degrees,
// each with five weights, the heaviest of which takes the strip a little beyond the reference
// strain; bending at 0, 45 and 90 degrees, each with five overhangs, up to the largest curvature.
// Marks are set and seen nowhere yet. A table the fabric does not have gets no tests. `allocator`
// and `error` may be NULL.
WEFT_API WeftResult weft_plan_measurements(const WeftFabric* fabric, const WeftAllocator* allocator,
                                           WeftMeasurements** measurements, WeftError* error);
// See all marks where simulated tests have them, moved by a noise of so many metres (standard
// deviation of a coordinate) in directions that follow from the seed. Sets noise.
WEFT_API WeftResult weft_simulate_measurements(const WeftMeasured* measured, double noise,
                                               unsigned long long seed,
                                               WeftMeasurements* measurements, WeftError* error);
WEFT_API void weft_destroy_measurements(WeftMeasurements* measurements);  // NULL is fine

// How far a fit is: after every iteration, with the distance of the marks so far (m, root of the
// mean square). False stops it.
typedef bool WeftFitProgress(void* user, int iteration, double residual);

typedef struct WeftFitDef {
    int max_iterations;         // of stretch and of bending, each; default 100
    const WeftMeasured* start;  // where to start, or NULL (the default): found
    // How much the tables vary where the marks do not tell, as the logarithm of a factor between
    // neighbours; default 0.5. More follows the marks more closely, noise included.
    double variation;
    WeftFitProgress* progress;  // or NULL
    void* progress_user;
    WeftAllocator allocator;
} WeftFitDef;

typedef struct WeftFitParameter {
    char name[32];     // "stretch[22.5 degrees].c11", "bend[0 degrees][20 /m]"
    double value;      // N/m of stretch, N m of bend
    double deviation;  // standard deviation, in the same unit
    // How much of its variance is noise of the marks, 0 to 1. The rest is how far it may be from
    // its neighbours, which it follows where the marks do not tell.
    double share;
    // Its share is at least 0.2, and its deviation at most 0.3 of the value (of c12, at most 0.03
    // of the root of c11 c22 where that is more).
    bool known;
} WeftFitParameter;

enum { WEFT_MAX_FIT_PARAMETERS = 24 + 15 };

typedef struct WeftFit {
    WeftMeasured measured;  // a table without tests stays 0
    int iterations;         // of stretch and bending together
    bool converged;
    double noise;     // m, as stated or as found, whichever is more
    double residual;  // m, distance of all marks, root of the mean square
    int parameter_count;
    WeftFitParameter parameters[WEFT_MAX_FIT_PARAMETERS];
    int test_count;
    double* residuals;  // per test, m
    WeftMark** fitted;  // per test, all marks where the fit has them
    WeftAllocator allocator;
} WeftFit;

WEFT_API WeftFitDef weft_default_fit_def(void);
// Fails for measurements that make no sense (they may come from anywhere, not only from files), and
// where no table simulates the tests.
WEFT_API WeftResult weft_fit_fabric(const WeftMeasurements* measurements, const WeftFitDef* def,
                                    WeftFit** fit, WeftError* error);
WEFT_API void weft_destroy_fit(WeftFit* fit);  // NULL is fine

#ifdef __cplusplus
}
#endif

#endif
