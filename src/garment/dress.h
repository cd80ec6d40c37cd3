// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What dressing (dress.c) is made of: layers, what holds them, trials in which some of them are
// simulated on the body, and what came of it.

#ifndef WF_GARMENT_DRESS_H
#define WF_GARMENT_DRESS_H

#include "weft/weft_garment.h"

#define WF_GLIDE 0.1      // friction of a body that grows
#define WF_BETWEEN 0.004  // m, by which each layer makes room for that below

typedef struct WfLayer {
    const WeftWearDef* wear;
    WeftGarment garment;  // coarse until refined; mesh.positions: where it lies
    double edge;          // m, of that mesh
    WeftFabric* fabrics;  // per panel, for that mesh; NULL: all are of one
    double placed;        // m, the mean height at which its panels start
    // while there are layers above it (dress_below.c)
    WeftBodyPoint* feet;  // per vertex: the point of the body that it lies over,
    double* off;          // and from there to it
    double* thin;         // where it is around the thin body
    bool* pressed;        // per vertex: held to the body by what is above
    int hold_count;
    WeftBodyPoint* holds;
    bool* stays;   // per hold: not only while dressing
    int* hold_of;  // per vertex: its hold, or -1
} WfLayer;

typedef struct WfDressing {
    const WeftDressDef* def;
    WeftAllocator allocator;
    double height;
    bool is_long;     // some of it comes to lie on the floor
    double depth;     // m, how far below the floor the layer that is put on reaches
    double floor;     // m, or minus infinity
    double* thin;     // the body
    double* now;      // the body as it is, when it grows or goes to its pose
    double* end;      // the body in its last pose
    double* normals;  // scratch
    double* open;     // per vertex of it, 0 to 1: how far layers above it have opened
    double* shape;    // scratch for a layer that grows
    int layer_count;
    WfLayer* layers;
    int step_count, planned;
    WeftFindings* findings;
    WeftError* error;
} WfDressing;

// Whether one half is simulated.
static inline bool wf_is_halved(const WfDressing* d) {
    return d->def->mirror.kind != WEFT_MIRROR_NONE;
}

// Some cloths and bodies that are simulated together.
typedef struct WfTrial {
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    int first, count;  // layers
    double* scratch;   // 3 per vertex
} WfTrial;

// dress_trial.c
WeftBodyDef wf_dressed_body(const WfDressing* d, const double* positions, double friction);
// What the layer, whose mesh has edges of that length, is made of.
WeftResult wf_choose_fabrics(WfDressing* d, WfLayer* layer, double edge);
// Layers `first` to `first + count - 1` as cloth; those before them, around a thin body, as bodies.
WeftResult wf_open_trial(WfDressing* d, int first, int count, const WeftBodyDef* body,
                         WeftContact contact, WfTrial* trial);
void wf_close_trial(WfDressing* d, WfTrial* trial);
void wf_make_weightless(WfTrial* trial);
// How much is done, and what is; fails where the caller wants no more.
WeftResult wf_tell_progress(WfDressing* d, const char* stage);
// A step, after which the cloth keeps a part of its speed.
WeftResult wf_take_trial_step(WfDressing* d, WfTrial* trial, double keep, const char* stage);
void wf_keep_trial(WfDressing* d, const WfTrial* trial);  // the positions
double wf_trial_speed(const WfTrial* trial);              // m/s, root mean square
bool wf_trial_crosses(const WfTrial* trial);

// dress_mirror.c
// Refuses patterns and mirrors with which dressing cannot be done by halves.
WeftResult wf_check_dress_mirror(WfDressing* d);
// Refuses a body, with its vertices at `positions`, that is not symmetric.
WeftResult wf_check_body_mirror(WfDressing* d, const double* positions);
// Fails where the halves of a layer cross each other.
WeftResult wf_check_halves_apart(WfDressing* d);

// dress_below.c
// Press the first `count` layers on the thin body.
WeftResult wf_thin_below(WfDressing* d, int count);
// Open what is below the layer that is put on, up to `part`, by `step` of all; and press it where
// that layer is tight.
WeftResult wf_open_below(WfDressing* d, const WfTrial* trial, double part, double step);
// Where it is on a body with vertices at `positions`, as far as it has opened.
void wf_place_below(const WfDressing* d, const WfLayer* layer, const double* positions,
                    double* out);
// Leave the first `count` layers where they are now, and mark what of them is pressed.
void wf_settle_below(WfDressing* d, int count);
void wf_drop_below(WfDressing* d, WfLayer* layer);

// dress_holds.c
// Bind what is held to the body at `positions`.
WeftResult wf_bind_holds(WfDressing* d, WfLayer* layer, const double* positions);
// How near to the body something of a layer may be held.
double wf_least_lift(const WfDressing* d, const WfLayer* layer);
void wf_drop_holds(WfDressing* d, WfLayer* layer);
void wf_pin_holds(WfDressing* d, WfTrial* trial, bool all);
// Let go of what was pressed by the layer above, where it is crossed.
void wf_release_crossed(WfDressing* d, WfTrial* trial);
void wf_move_holds(WfDressing* d, WfTrial* trial, const double* body);
// Sides that are held on top of a lower layer, which stands off the body, are stretched there: they
// draw nearer, until they are as long as they should be, and press it to the body.
void wf_draw_holds(WfDressing* d, WfTrial* trial, const double* body);

// dress_outcome.c
// The length of the edge from corner k of a triangle over that at rest, with vertices at x.
double wf_edge_ratio(const WeftMesh* mesh, const double* x, long triangle, int k);
double wf_high_stretch(const WeftMesh* mesh);  // that all but one edge in a hundred keep
// Whether it was crossed at the start of the last step.
bool wf_is_crossed(const WfTrial* trial, int vertex);
// Says what still crosses, by the panel that does most.
WeftResult wf_fail_crossed(WfDressing* d, const WfTrial* trial);
// Tells of layers that lie below one that they should lie on.
WeftResult wf_tell_order(WfDressing* d);
// What is below the floor counts as on it.
double wf_mean_height(const WeftMesh* mesh, double floor);
// Fails where the layer is not on the body any more.
WeftResult wf_hand_over(WfDressing* d, WfLayer* layer, WeftWorn* worn);

#endif
