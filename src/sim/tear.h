// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// States whose cloth is cut or torn. A cut marks sides of triangles (mesh/tear.h). The next step
// begins to make a model of the torn cloth, some stages per step, beside the model in use; the
// fifth step or so (tear_make.c) ends with the state moved over to it: its handle stays, all that
// is behind it is another. What was asked for meanwhile waits for the next model. Where the def
// asks for it, all stages are taken in one step.
//
// What is done depends on marks and steps alone, never on a clock.

#ifndef WF_SIM_TEAR_H
#define WF_SIM_TEAR_H

#include "sim/builder.h"
#include "sim/origin.h"
#include "sim/state.h"

enum { WF_SIDE_CUT = 1, WF_SIDE_ASKED = 2 };  // of a side: it counts; it waits for the next model

// The cloth of a torn model.
typedef struct WfTorn {
    int vertex_count;
    int* first;             // per cloth, and one more
    int* from;              // per vertex: the vertex of the whole model that it was at first
    int* triangles;         // 3 each, numbered through
    unsigned char* pinned;  // per vertex: the factor is made with these
} WfTorn;

// A torn model in the making.
typedef struct WfTearing {
    int stage;  // stages that are done
    WfTorn torn;
    int* source;  // per vertex: the one of the model in use that it is, or is split from
    WfOrigin* def;
    int* order;  // of elimination
    WfBuilder builder;
    WeftAllocator allocator;
    WeftError error;
    WeftModel* model;
    WfFactorWork work;
    WeftState* state;  // that takes over
} WfTearing;

typedef struct WfTear {
    const WeftModel* whole;   // what the state was made with
    WeftModel* own;           // the torn model in use, or NULL
    WfTorn torn;              // its cloth; empty where there is none
    unsigned char* sides;     // 3 per triangle
    bool asked;               // some of them wait
    int due;                  // of a state that was restored: stages to be made again; else 0
    unsigned char* due_pins;  // with the pins of then, per vertex of the model in use; or NULL
    double gamma;             // of the factor in use last, 0: none,
    double* scales;           // and its scales, per portion
    WfTearing* making;        // or NULL

    // of tearing by load: the side on the other side of each one, of this model, the lengths of
    // sides at rest, and stresses of its vertices
    const WeftModel* twins_of;
    int* twins;
    double* lengths;
    struct WfStress* stresses;
} WfTear;

// NULL in *tear where the model cannot be torn.
WeftResult wf_tear_create(const WeftModel* model, WfTear** tear);
void wf_tear_destroy(WfTear* tear);
// At the beginning of a step: the next stage of what is in the making. Fails for lack of memory.
WeftResult wf_tear_begin_step(WeftState* state, const WeftStepDef* def);
// At its end: the state moves to a torn model that is made, cloth tears under its load. factor: the
// one that was used, or NULL.
void wf_tear_end_step(WeftState* state, const WfFactor* factor);

// Mark what carries too much, where cloth has a tear_load.
void wf_tear_by_load(WeftState* state);

// How many stages a model is made in, and which one a step gets to that begins behind `stage`.
enum { WF_TORN_STAGES = WF_BUILD_STAGES + 7 };
int wf_stages_after(const WeftModel* whole, const WeftStepDef* def, int stage);
// All up to there. gamma, scales: of the first factor, 0: none.
WeftResult wf_take_stages(const WeftModel* whole, double gamma, const double* scales, int until,
                          WfTearing* making);
void wf_tearing_destroy(const WeftAllocator* allocator, WfTearing* making);
// The next one of the factors that the whole model has and the torn one has not.
WeftResult wf_add_missing_factor(const WeftModel* whole, WeftModel* own);

// Everything of a torn model at once, where `torn` says how it is. gamma, scales: of its first
// factor, 0: none. factor_count: how many there are in all, those behind it as the whole model has
// them.
WeftResult wf_make_torn_model(const WeftModel* whole, const WfTorn* torn, double gamma,
                              const double* scales, int factor_count, WeftModel** model,
                              WeftError* error);
// False without memory, with what wf_torn_destroy frees.
bool wf_torn_allocate(const WeftAllocator* allocator, int cloth_count, int triangle_count,
                      int vertex_count, WfTorn* torn);
void wf_torn_destroy(const WeftAllocator* allocator, WfTorn* torn);
WeftResult wf_torn_copy(const WeftAllocator* allocator, int cloth_count, int triangle_count,
                        const WfTorn* from, WfTorn* to);

// Forget what is in the making.
void wf_drop_tearing(WfTear* tear);
// What is behind two handles changes places, all but what is torn (state->tear).
void wf_exchange_states(WeftState* a, WeftState* b);

// Bytes of a torn state, before those of every state; none where nothing is cut, nor asked for.
size_t wf_torn_bytes(const WeftState* state);
void wf_save_torn(const WeftState* state, void* bytes);
// Whether these are bytes of a torn state.
bool wf_is_saved_torn(const void* bytes, size_t byte_count);
// Make a state of the model that these bytes tell of, without what moves. *used: how many bytes
// they are. The state itself is left as it is; where its model is the right one, *fresh is NULL.
// wf_take_torn then makes the state that one.
typedef struct WfSavedTorn {
    WfTorn torn;
    WeftModel* model;
    WeftState* fresh;
    int due;
    int made_count;
    double gamma, made_gamma;
    // within the bytes, or NULL
    const unsigned char *sides, *due_pins, *scales, *made_scales;
    unsigned char* kept_pins;  // room for due_pins
    bool is_whole;
} WfSavedTorn;
WeftResult wf_read_torn(const WeftState* state, const void* bytes, size_t byte_count,
                        WfSavedTorn* saved, size_t* used, WeftError* error);
void wf_take_torn(WeftState* state, WfSavedTorn* saved);
void wf_drop_torn(const WeftState* state, WfSavedTorn* saved);
// Nothing is cut any more, nor asked for; without memory it stays as it is, and the next step
// fails.
void wf_make_whole(WeftState* state);

// Where one of two states of one model is torn. Without memory the copy stays as it was, and its
// next step fails.
void wf_copy_torn(WeftState* to, const WeftState* from);
// Make `to` torn as `from` is, though its model may be another one, of the same triangles. False
// where it cannot be, or for want of memory.
bool wf_tear_alike(WeftState* to, const WeftState* from);
uint64_t wf_hash_torn(const WeftState* state, uint64_t hash);

#endif
