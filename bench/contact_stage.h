// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene with contact at work, and a judge of what has passed through what: exact crossings of
// triangles, and how deep vertices lie inside of bodies whose shape is a formula.

#ifndef WEFT_BENCH_CONTACT_STAGE_H
#define WEFT_BENCH_CONTACT_STAGE_H

#include "weft/weft_io.h"

// Three vertices of a body, by which its place is told from its triangles.
typedef struct BodyMark {
    int vertices[3];
    double origin[3], axes[3][3];  // in the frame of the body
} BodyMark;

typedef struct ContactStage {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    double** shapes;  // of each body: where its vertices are
    BodyMark* marks;  // of each body
    WeftSurface* surfaces;
    int surface_count;  // the cloth, then bodies, but for planes
} ContactStage;

typedef struct Passed {
    int crossings;  // pairs of triangles
    int below;      // vertices below planes
    double depth;   // m, of the deepest vertex inside of a plane, sphere, capsule or box; 0: none
} Passed;

// The text of a scene of scenes/, with `density` times as many vertices, about, and where
// `explicit` without the linear models, which explicit steps refuse; to be freed. NULL where it
// cannot be had, after telling why.
char* read_contact_scene(const char* name, double density, bool explicit);

// Ready to step by `method` (-1: the scene's own) on one thread, with the processor's time. Returns
// an exit code after telling what is wrong. Close it in any case.
int open_contact_stage(const char* name, const char* text, int method, ContactStage* stage);
void close_contact_stage(ContactStage* stage);
// The same of a stage that has nothing but a scene, which is dressed: ready to step as the scene's
// model is set. Clear it in any case: it then has nothing but the scene again.
WeftResult ready_contact_stage(ContactStage* stage, WeftError* error);
void clear_contact_stage(ContactStage* stage);
// Back to the start.
int reset_contact_stage(ContactStage* stage);

// The next step; weft_state_error tells what went wrong.
WeftResult take_contact_step(ContactStage* stage);
int judge_contact(ContactStage* stage, Passed* passed);

// Processor time (s) that a scene may take before it is given up: no scene shall hold up the bench.
enum { CONTACT_PATIENCE = 60 };

// Root mean square over all vertices, m/s.
double rms_speed(const ContactStage* stage);

#endif
