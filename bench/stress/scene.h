// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A random scene that attacks: pieces of cloth and bodies, placed where contact has it hardest, and
// what is done to them between steps. All of it follows from a seed.

#ifndef WEFT_BENCH_STRESS_SCENE_H
#define WEFT_BENCH_STRESS_SCENE_H

#include "chance.h"
#include "weft/weft_mesh.h"

enum { MOST_PIECES = 4, MOST_BODIES = 3, MOST_PINS = 12, STRESS_TEXT = 4096 };

// How the pieces lie to each other at the start.
typedef enum Placement {
    PLACE_FREELY,
    PLACE_APART,  // in layers with gaps: a start that is clean
    PLACE_IN_PLANE,
    PLACE_ON_LATTICE,
    PLACE_COINCIDENT,
    PLACE_ON_LINE,   // collapsed
    PLACE_ON_POINT,  // collapsed
    PLACEMENT_COUNT
} Placement;

typedef enum BodyMotion {
    BODY_STILL,
    BODY_MOVES,
    BODY_SPINS,
    BODY_JUMPS,      // by weft_move_body, in one step
    BODY_IS_PLACED,  // by weft_place_body
    BODY_MOTION_COUNT
} BodyMotion;

typedef enum PinMotion {
    PINS_HOLD,
    PINS_MOVE,
    PINS_JUMP,
    PINS_TURN,  // by 180 degrees in a step
    PIN_MOTION_COUNT
} PinMotion;

typedef struct StressBody {
    WeftMesh mesh;  // of meshes and hulls
    float* values;  // of distance fields
    double half;    // m, of these: half their height
    bool closed;    // has an inside
    BodyMotion motion;
    double velocity[3], axis[3];
    double half_turn;    // tangent of half the angle per step
    double position[3];  // where its frame is now
    double rotation[4];
} StressBody;

typedef struct StressScene {
    uint64_t seed;
    Chance chance;       // for what comes next
    Chance kind_chance;  // for kinds of bodies that came later,
    bool first_kinds;    // unless there are none
    int step_count;
    double size;  // m, of the pieces
    Placement placement;
    WeftModelDef def;
    int piece_count;
    WeftMesh meshes[MOST_PIECES];
    WeftClothDef cloths[MOST_PIECES];
    int pins[MOST_PIECES][MOST_PINS];
    PinMotion pin_motion;
    double pin_velocity[3];
    WeftBodyDef body_defs[MOST_BODIES];
    StressBody bodies[MOST_BODIES];
    double start_speed;     // m/s, of vertices by chance; 0: at rest
    bool dt_varies, edits;  // from step to step; in the middle
    bool real_clock;        // a budget by the machine's clock, hence another run each time
    double clock_seconds;   // of the clock that every look at advances
    Chance clock_chance;
    char text[STRESS_TEXT];  // what it is, in lines
} StressScene;

// Where an early call fails the error says why, and the scene can only be destroyed.
// `real_clocks`: budgets go by the machine's clock in half of the scenes that have one.
// `first_kinds`: bodies are planes, spheres, capsules, boxes and meshes only.
WeftResult create_stress_scene(uint64_t seed, bool real_clocks, bool first_kinds,
                               StressScene* scene, WeftError* error);
void destroy_stress_scene(StressScene* scene);

// Before step number `step`: moves bodies and pins, edits, sets dt. `edited`: something was put
// elsewhere without a motion.
void direct_stress_scene(StressScene* scene, const WeftModel* model, WeftState* state, int step,
                         WeftStepDef* def, bool* edited);

// Adds a formatted text to the description.
void describe(StressScene* scene, const char* format, ...);

// Parts of create_stress_scene.
WeftResult add_pieces(StressScene* scene, WeftError* error);
WeftResult add_bodies(StressScene* scene, WeftError* error);
void choose_steps(StressScene* scene, bool real_clocks);
// Some bodies become tapered, hulls and distance fields.
void choose_later_kind(StressScene* scene, WeftBodyDef* def, StressBody* body);

// How deep a point in the frame of such a body lies inside; negative outside.
double tapered_depth(const WeftBodyDef* def, const double p[3]);
double field_depth(const WeftBodyDef* def, const double p[3]);

#endif
