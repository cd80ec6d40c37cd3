// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What moves, and the scratch to move it.

#ifndef WF_SIM_STATE_H
#define WF_SIM_STATE_H

#include "contact/world.h"
#include "method/step.h"
#include "sim/budget.h"
#include "sim/lengths.h"
#include "sim/model.h"

enum { WF_REST_COUNT = 11 };

// What a user gives, and what of it was refused last (input.h).
typedef enum WfInputKind {
    WF_INPUT_NONE,
    WF_INPUT_PIN,
    WF_INPUT_POSITION,
    WF_INPUT_VELOCITY,
    WF_INPUT_BODY,
    WF_INPUT_SHAPE,
} WfInputKind;

typedef struct WfRefused {
    WfInputKind kind;
    int index;  // of the vertex or body
    double value;
} WfRefused;
enum { WF_OWN_FACTORS = 8 };

// The energy of a group of pieces around a substep (gain.c); at its first vertex, but for `group`.
typedef struct WfGain {
    bool moved, held, touches;
    double mass, energy[2];  // about the mean velocity: before the update, and behind it
    WfVec velocity;
} WfGain;

// What carries a pin on its way through a step.
typedef struct WfCarry {
    double by;     // 1 + a body; or one of these:
    WfPose frame;  // of a body: where the pin is in its frame, and how it is turned: not at all.
                   // Of an arc: by how much it turns in the next step
} WfCarry;
enum { WF_CARRIED_BY_ARC = -1, WF_CARRIED_BY_NONE = 0 };

// What touches and crosses is to be looked for: the cloth was put there, and nobody knows the sides
// of what all but touches; or a body was, or something passed, or touches still.
enum { WF_LOOK_ANEW = -1, WF_LOOK_AGAIN = -2 };

struct WeftState {
    const WeftModel* model;

    // what moves: saved, copied, hashed. One block of doubles, then the pins.
    double* moving;
    size_t moving_count;
    double *shown_x, *shown_v;  // positions and velocities as users see them (mirror.h); or x and v
    double* pushes;             // scratch of a step: what users push rows with, m/s^2
    struct WfOverlap* overlap;  // scratch of buttons (overlap.h)
    double *x, *x1, *x2, *v, *v1;  // positions at n, n-1, n-2; velocities at n, n-1
    double* goal;                  // where pinned vertices shall be at the end of the next step
    double* ages;                  // per vertex: for how long it has been pressed, s (opening.h)
    double* pulls;                 // likewise: strain by which edges that pull press others
    double* memory;                // of the terms
    size_t memory_count;
    double* poses;   // 14 per body: its frame now, and at the end of the next step
    double* shapes;  // of meshes, in their frames: positions now, then those at the end
    double* loads;   // 4 per vertex: force of contact, and how much layers press there, N
    double* tangle;  // [0] crossings when last looked for, or one of the two below; [1] vertices in
                     // exact bodies then; [2] for how long there have been any, s
    double* rest;    // of coming to rest (rest.h)
    double* clock;   // [0] time, [1] the h that the history was taken with; 0: none
    unsigned char* pinned;
    unsigned char* base;  // the pins of the factor in use (pins.c); saved and copied, not hashed
    unsigned char* next;  // the pins of the factor in the making,
    int pieces;           // and how much of it was made: -1 where there is none
    double next_length;   // s, of the substeps that it is made for
    WfCarry* carried;     // per vertex; saved and copied, hashed where there are any
    double first_dt;      // of the state's first step: 0 before it (lengths.h). Saved and copied
    double soft_dt;       // s, of the steps that the stiffness is lowered for; likewise
    double* lasting;  // per cloth: mean strain that lasts, below 0: not known (hurry.c); likewise

    // what does not
    double* backup;  // of `moving`, while a step is taken
    WfArena arena, block_arena, row_arena, sweep_arena;
    WfWork work;
    struct WfSpoke* spokes;        // scratch, per edge (opening.c)
    double* firming;               // per vertex, by its age
    bool opens;                    // what is pressed will push harder
    double* scales;                // per portion
    double* strains;               // per cloth: mean strain at the start of a step, where measured
    double* factor_scales;         // those that the factor in use is made for
    int pin_count, *pins;          // the pinned vertices, during a step
    double *pin_from, *pin_to;     // their way, 3 per pin
    double* pin_goal;              // where they shall be, where they cannot get there at once
    int* jumping;                  // scratch: those of a piece, of `pins`, with images twice
    WfFactor own[WF_OWN_FACTORS];  // factors for this state's own pins, settings and lengths:
    int current, making;           // the one in use, and in the making; -1: none
    long used[WF_OWN_FACTORS];     // when they were used last, counted by
    long uses;
    WfFactorWork factor_work;   // allocated with them
    WfExchange exchange;        // how `pinned` differs from `base`
    const WfFactor* exchanged;  // the factor that the exchange was made for; NULL: none
    bool pins_changed;          // since then
    WfArena contact_arena;
    WfWorld world;
    bool still;  // nothing around the cloth moves in this step
    WfTouchWork touch_work;
    int* gain_group;  // per vertex: the first of its group,
    WfGain* gains;    // where its gain is (gain.c)
    WfLimitWork limit;
    WfBudget budget;
    WfRefused refused;  // since the last step
    WeftStepReport report;
    WeftError error;
};

// A factor for the state's pins and this resolved step, or for one of nearly its length
// (lengths.h), with the exchange set; NULL for lack of memory. Allocates only where the state needs
// a factor of its own for the first time.
const WfFactor* wf_ready_factor(WeftState* state, const WeftStepDef* def);
// The same, for its very length.
const WfFactor* wf_ready_exact_factor(WeftState* state, const WeftStepDef* def);
// Whether the model has the first of these, so that none would have to be made. Overwrites
// `factor_scales`.
bool wf_has_factor(const WeftState* state, const WeftStepDef* def);
// Whether it has one for the very length.
bool wf_has_exact_factor(const WeftState* state, const WeftStepDef* def);

// The two frames of a body in `poses`, and its two shapes (NULL but for meshes).
WfPose* wf_state_pose(const WeftState* state, int body, bool end);
double* wf_state_shape(const WeftState* state, int body, bool end);
// Whether its two shapes differ.
bool wf_body_deforms(const WeftState* state, int body);
// Whether its frames or its shapes do.
bool wf_body_moves(const WeftState* state, int body);
// The body that is the mirror image of another, by where they start; the same where there is none
// that fits better.
int wf_body_image(const WeftModel* model, int body);
// Bodies at the model's start.
void wf_reset_bodies(WeftState* state);

// After all that moves rows: positions and velocities of users.
void wf_show(WeftState* state);
// After a change of the velocity of one row alone.
void wf_show_velocity(WeftState* state, int row);
void wf_pin_row(WeftState* state, int row);
// Rows that stay in the plane of a mirror are put into it, with their past and their motion.
void wf_settle_in_plane(WeftState* state);

// With this velocity, as if the vertex had always moved like this.
void wf_set_velocity(WeftState* state, int vertex, WfVec velocity);

// The length of an edge of users as it is simulated; images that a button moves are not.
double wf_edge_length(const WeftState* state, int edge);

#endif
