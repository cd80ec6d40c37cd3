// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Tests of a textile laboratory, simulated: the drape of a disc over a smaller one (Cusick), and
// how far a strip stands out before it bends down (Peirce's cantilever).

#ifndef WEFT_CLI_LAB_H
#define WEFT_CLI_LAB_H

#include "picture.h"
#include "weft/weft_render.h"
#include "weft/weft_mesh.h"

static const double PI = 3.14159265358979323846;

// A fabric, and what is simulated of it.
typedef struct Sample {
    WeftFabric fabric;
    bool real_time;  // by its constants, with the prefactored method; else by its tables, or as a
                     // membrane where it has none
    double stretch_tolerance;  // of the real-time path
} Sample;

// What pressed cloth carries is the fabric's affair, and not the test's.
bool gives_by_itself(const Sample* sample);
// How a sample is to be simulated; damped, so that it comes to rest.
void dress_cloth(const Sample* sample, WeftClothDef* cloth);
void use_sample(const Sample* sample, WeftStepDef* step);

// Steps until nothing moves faster than 1 mm/s, for `most` seconds of cloth at most. `tick`, where
// not NULL, is called after every step. Returns whether it came to rest; false with *error set
// where a step failed.
bool settle(const WeftModel* model, WeftState* state, const WeftStepDef* step, double most,
            void (*tick)(void* context, double time), void* context, WeftError* error);

// 300 mm of fabric, held between discs of 180 mm.
typedef struct Drape {
    double coefficient;  // of the ring that could hang down, the part of its area in the shadow;
                         // mean of several discs
    double spread;       // of theirs, the largest less the smallest
    // of the disc that is nearest to the mean
    int folds;
    double time;   // s, until it was at rest
    bool settled;  // all came to rest
    int vertex_count;
    double* positions;  // 3 per vertex; y is up
    int triangle_count;
    int* triangles;
    double stretch;  // the longest edge over its length at rest
} Drape;

static const double drape_radius = 0.15, drape_support = 0.09;  // m

// The disc, with edges of about `edge` metres, its mesh turned against the fabric by `turn`
// radians. Destroy it in any case.
WeftResult make_drape_disc(double edge, double turn, WeftMesh* mesh);

// Returns WEFT_OK, or what is wrong. Destroy it in any case. `tick` goes with the first disc.
WeftResult simulate_drape(const Sample* sample, double edge, void (*tick)(void*, double),
                          void* context, Drape* drape, WeftError* error);
void destroy_drape(Drape* drape);
// The cloth from above, x to the right and z down; what is not covered has a height of -HUGE_VAL.
typedef struct Shadow {
    float* height;  // of what is on top
    float* normal;  // 3 each, of about length 1
} Shadow;
enum { SHADOW = 1600 };   // pixels across
double pixel_size(void);  // m
// False for lack of memory; free it in any case.
bool cast_shadow(const Drape* drape, Shadow* shadow);
void free_shadow(Shadow* shadow);
// A photograph of it, `size` pixels wide. False for lack of memory.
bool picture_drape(const Drape* drape, const WeftLook* look, int size, Picture* picture);

// A strip of 25 mm along the warp, or across it, that stands out until its end is 41.5 degrees
// below: half of that length is the bending length, m. HUGE_VAL where it stays above at half a
// metre, NAN where it does not come to rest.
WeftResult simulate_cantilever(const Sample* sample, bool across, double* bending_length,
                               WeftError* error);

#endif
