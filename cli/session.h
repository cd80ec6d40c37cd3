// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that is loaded and ready to step.

#ifndef WEFT_CLI_SESSION_H
#define WEFT_CLI_SESSION_H

#include "options.h"
#include "place.h"
#include "weft/weft_io.h"

// What the command line says about steps; the rest is as the scene has it.
typedef struct StepOptions {
    int preset, method, quality, order, substeps, scheme;  // -1: not given
    int sweep, jacobian, start;                            // -1: not given
    const char* iterations;                                // "4" or "4,12", or NULL
    double dt, stretch_tolerance, rest_speed;              // -1: not given
    double budget;                                         // ms, -1: not given
    int contact;                                           // -1: not given
    bool same_bits;  // also where the scene does not ask for it
    int threads;     // as in WeftJobs; all, unless given
    bool quiet;      // no word of how far dressing is
} StepOptions;

StepOptions default_step_options(void);
enum { STEP_OPTION_COUNT = 17 };
// The rows that fill them.
void list_step_options(StepOptions* options, Option rows[STEP_OPTION_COUNT]);

typedef struct Session {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftShow* show;          // what files have of it; NULL before open_show
    char folder[PATH_SIZE];  // where the scene lies
} Session;

// Returns GO_ON, or an exit code after telling what is wrong. Close it in any case. Garments are
// put on.
int open_session(Session* session, const char* path, const StepOptions* options);
// The same with a scene that is there already, and becomes the session's; `path` stands for it in
// messages.
int open_scene(Session* session, WeftScene* scene, const char* path, const StepOptions* options);
void close_session(Session* session);
// By what cloths are shown: reads the files that the scene names.
int open_show(Session* session, const char* path);

// Whether vertices of its cloth may be split while it runs.
bool may_tear(const WeftScene* scene);
// After a step: what is shown has the vertices that the state has.
int follow_tears(Session* session);
// How many more there are by now.
int split_vertices(const Session* session);

// Put garments on, where that is due; `path` stands for the scene in messages. What was found when
// the scene was read, and now, is told, once, and how far it is. Returns GO_ON, or an exit code.
int dress_scene(WeftScene* scene, const char* path, const StepOptions* options);
// The first of that, around the reading of a scene of which it is known that it has garments.
void tell_reading(const StepOptions* options, bool done);

// What was welded of each cloth, and what lies on something without being joined to it: a line
// each, begun with `indent`. Nothing where there is nothing to tell.
void print_welds(const Session* session, const char* indent);

// Where a cloth keeps less than its thickness from cloth: at how many vertices, and the least, m.
typedef struct Thinning {
    int vertices;
    double least;
} Thinning;
Thinning find_thinning(const Session* session, int cloth);
// A line for each cloth that has any.
void print_thinning(const Session* session, const char* indent);

// A cloth of a scene by its number, or by the name of its pattern; the only one needs neither:
// `text` may be NULL. Returns GO_ON, or an exit code after telling what is wrong.
int choose_cloth(const WeftScene* scene, const char* path, const char* text, int* cloth);

// Seconds on a clock that never jumps.
double now(void* unused);
// "prefactored, quality 4: order 2, 1 substep, A 4", after a step, whose report says what was done;
// without one, what is left to a budget is not told. The text is overwritten by the next call.
const char* method_text(const Session* session, const WeftStepReport* report);
// The name of value `index` of a group of weft_choice().
const char* choice_name(const char* group, int index);

#endif
