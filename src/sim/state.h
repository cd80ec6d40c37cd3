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
#include "sim/scratch.h"

enum { WF_REST_COUNT = 11 };

// What a user gives, and what of it was refused last (input.h).
typedef enum WfInputKind {
    WF_INPUT_NONE,
    WF_INPUT_PIN,
    WF_INPUT_POSITION,
    WF_INPUT_VELOCITY,
    WF_INPUT_SKIN,
    WF_INPUT_NORMAL,
    WF_INPUT_DISTANCE,
    WF_INPUT_BACKSTOP,
    WF_INPUT_BONE,  // of a cloth
    WF_INPUT_SCALE,
    WF_INPUT_ATTACHMENT,
    WF_INPUT_IMPULSE,
    WF_INPUT_COPY,  // a copy of a state that is torn or attached, for want of memory
    WF_INPUT_TORN,  // a state to go on from that is torn otherwise
    WF_INPUT_BODY,
    WF_INPUT_SHAPE,
    WF_INPUT_SPACE,
    WF_INPUT_TELEPORT,
    WF_INPUT_PRESSURE,
    WF_INPUT_VACUUM,  // the same, of a gas that would pull
    WF_INPUT_ACROSS,  // the same across a mirror
} WfInputKind;

typedef struct WfRefused {
    WfInputKind kind;
    int index;  // of the vertex, attachment or body
    double value;
    bool turn;  // it is its rotation, which has this square
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
enum { WF_CARRIED_BY_SKIN = -2, WF_CARRIED_BY_ARC = -1, WF_CARRIED_BY_NONE = 0 };

// The skin of a vertex: now, and at the end of the next step; and what holds the vertex to it, m.
typedef struct WfSkinPoint {
    double from[3], to[3];
    double normal_from[3], normal_to[3];  // of length 1, or zero
    double distance;                      // negative: as far as it likes
    double behind, radius;                // of the backstop; radius 0: there is none
} WfSkinPoint;
enum { WF_SKIN_NUMBERS = sizeof(WfSkinPoint) / sizeof(double) };
_Static_assert(WF_SKIN_NUMBERS == 15, "skins are runs of doubles");

// Of a cloth: by what distances and drives are multiplied.
typedef struct WfSkinScale {
    double distance, drive;
} WfSkinScale;

// An attachment, as rows have it (attach.h). Doubles, so that it is saved as it is.
enum { WF_ATTACHMENT_NONE, WF_ATTACHMENT_HOLDS, WF_ATTACHMENT_BROKEN };
typedef struct WfAttachment {
    double state;  // one of these
    double to;     // WeftAttachTo
    double body;
    double is_image;  // it was asked for on the other side of the mirror
    double share;     // 1/2 where all of it is in the plane of the mirror; else 1
    double count, rows[WF_TIE_VERTICES], weights[WF_TIE_VERTICES];  // of the other end: negative
    double place[3], goal[3];  // of the end, in space or in its body's frame: now, and at the end
                               // of the next step
    double length;             // m; 0: no line
    double stiffness, damping, most, breaks;
    double force[3];  // N, on its point, in the last step
} WfAttachment;

// Of a cloth: what has lasted for a while.
typedef struct WfLasting {
    double strain;  // mean (hurry.c)
    double air;     // Pa, mean load by the air (rating.h)
    double rating;  // Pa, the load that its stiffness was made for
} WfLasting;

// What a step keeps of forces (forces.h), N s; the last three are sums over the step.
typedef struct WfForces {
    WfArena arena;
    double dt;               // s, of that step; 0: it keeps none
    double* impulse;         // 3 per vertex, of a substep: what is not known to be something else's
    double* pins;            // 3 per vertex
    double* contacts;        // 3 per vertex
    double* bodies;          // 6 per body: impulse, and moment about its frame
    unsigned char* claimed;  // per vertex, of a substep: a pin or a contact gave its impulse
    int* group;              // per vertex: the first of all that is joined to it
    // of small steps (small_forces.c), 3 per vertex:
    bool balances;           // they are kept in this step
    double *given, *marked;  // impulses from outside, in the step; motion before something
} WfForces;

// The frame that positions are in (space.h). Saved and copied, hashed where it is not the world.
typedef struct WfSpace {
    WfPose now, end;     // in the world: now, and at the end of the next step
    double velocity[3];  // m/s, of its origin in the last step, in its own axes
    double placed;       // not 0: it was put there, and its velocity is whatever comes next
} WfSpace;

// How it goes in a step.
typedef struct WfRide {
    bool turns;      // what stands in it moves, as felt
    bool wakes;      // too fast a change to sleep in
    WfPose turn;     // Q, as felt
    WfVec change;    // m/s: d, as felt
    WfVec velocity;  // m/s, of its origin, in the axes of its end
    WfVec way;       // m, likewise; 0 where it does not turn: nobody asks then
    WfVec air;       // m/s: what the air has beside the wind, at its origin
    WfVec spin;      // rad/s: and by which it turns about that
    double axes[9];  // of the world, at its end
} WfRide;

// What touches and crosses is to be looked for: the cloth was put there, and nobody knows the sides
// of what all but touches; or a body was, or something passed, or touches still.
enum { WF_LOOK_ANEW = -1, WF_LOOK_AGAIN = -2 };

struct WeftState {
    const WeftModel* model;
    struct WfTear* tear;  // of models that can be torn (tear.h), or NULL

    // what moves: saved, copied, hashed. One block of doubles, then the pins.
    double* moving;
    size_t moving_count;
    double *shown_x, *shown_v;  // positions and velocities as users see them (mirror.h); or x and v
    struct WfOverlap* overlap;  // scratch of buttons (overlap.h)
    double *x, *x1, *x2, *v, *v1;  // positions at n, n-1, n-2; velocities at n, n-1
    double* goal;                  // where pinned vertices shall be at the end of the next step
    double* ages;                  // per vertex: for how long it has been pressed, s (opening.h)
    double* pulls;                 // likewise: strain by which edges that pull press others
    double* memory;                // of the terms
    size_t memory_count;
    double* poses;             // 14 per body: its frame now, and at the end of the next step
    double* shapes;            // of meshes, in their frames: positions now, then those at the end
    WfSkinPoint* skins;        // of the rows that have one (WfSkinned)
    WfSkinScale* skin_scales;  // per cloth, where there are any
    double* loads;             // 4 per vertex: force of contact, and how much layers press there, N
    double* tangle;  // [0] crossings when last looked for, or one of the two below; [1] vertices in
                     // exact bodies then; [2] for how long there have been any, s
    double* rest;    // of coming to rest (rest.h)
    double* masks;   // of cloths and bodies (masks.h); saved and copied, hashed where they differ
                     // from the model's
    double* clock;   // [0] time, [1] the h that the history was taken with; 0: none
    unsigned char* pinned;
    unsigned char* base;  // the pins of the factor in use (pins.c); saved and copied, not hashed
    unsigned char* next;  // the pins of the factor in the making,
    int pieces;           // and how much of it was made: -1 where there is none
    double next_length;   // s, of the substeps that it is made for
    WfCarry* carried;     // per vertex; saved and copied, hashed where there are any
    WfAttachment* attachments;  // WEFT_MAX_ATTACHMENTS, or NULL: none yet (attach.h); likewise
    double first_dt;  // of the state's first step: 0 before it (lengths.h). Saved and copied
    double soft_dt;   // s, of the steps that the stiffness is lowered for; likewise
    WfSpace space;
    WfLasting* lasting;  // per cloth; likewise

    // what does not
    WfScratch* scratch;  // while a step is taken
    WfRide ride;         // of the step
    WfArena arena;
    WfTermSpace* spaces;    // per term; the scratch of a step is there in steps only,
    double* partial;        // and outside of them this, for terms across a mirror; NULL: none
    bool opens;             // what is pressed will push harder
    double* scales;         // per portion
    double* ratings;        // per cloth, Pa: of the step (rating.h)
    double* strains;        // per cloth: mean strain at the start of a step, where measured
    double* factor_scales;  // those that the factor in use is made for
    int pin_count;          // of a step
    // of a substep, per row: where its skin is at its start and its end, and how fast it is; and
    // per cloth, how hard it is driven
    double *skin_from, *skin_to, *skin_velocity, *drives;
    double *shown_skin, *shown_normals;  // scratch: a skin as users have it
    int* jumping;                        // scratch: pins of a piece, with images twice
    WfFactor own[WF_OWN_FACTORS];        // factors for this state's own pins, settings and lengths:
    int current, making;                 // the one in use, and in the making; -1: none
    long used[WF_OWN_FACTORS];           // when they were used last, counted by
    long uses;
    WfFactorWork factor_work;   // allocated with them
    WfExchange exchange;        // how `pinned` differs from `base`; without `cholesky`: none yet
    const WfFactor* exchanged;  // the factor that the exchange was made for; NULL: none
    bool pins_changed;          // since then
    WfTies ties;                // of a step
    bool ties_changed;          // since the exchange was made
    WfArena contact_arena;
    WfWorld world;
    bool still;  // nothing around the cloth moves in this step
    WfTouchWork touch_work;
    int* gain_group;  // per vertex: the first of its group,
    WfGain* gains;    // where its gain is (gain.c)
    WfBudget budget;
    WfForces forces;
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

// Numbers in `shapes`.
size_t wf_shape_count(const WeftModel* model);
// Room for the exchange, where there is none.
WeftResult wf_ready_exchange(WeftState* state);
// The memory of terms starts anew where the state is.
void wf_reset_terms(WeftState* state);

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
// The state is another one than in the last step: nothing that was found for it holds.
void wf_forget_found(WeftState* state);
// Saved bytes that were changed get the checksum that belongs to them.
void wf_seal_saved(void* bytes, size_t byte_count);
// Bytes of `lasting` and of `masks`.
size_t wf_lasting_bytes(const WeftState* state);
size_t wf_mask_bytes(const WeftState* state);
// Bodies at the model's start.
void wf_reset_bodies(WeftState* state);

// After all that moves rows: positions and velocities of users.
void wf_show(WeftState* state);
// After a change of the velocity of one row alone.
void wf_show_velocity(WeftState* state, int row);
void wf_pin_row(WeftState* state, int row);
// Rows that stay in the plane of a mirror are put into it, with their past and their motion.
void wf_settle_in_plane(WeftState* state);

// The pressure of cloth that is blown up in both.
void wf_continue_inflation(WeftState* to, const WeftState* from);

// With this velocity, as if the vertex had always moved like this.
void wf_set_velocity(WeftState* state, int vertex, WfVec velocity);

// The length of an edge of users as it is simulated; images that a button moves are not.
double wf_edge_length(const WeftState* state, int edge);

#endif
