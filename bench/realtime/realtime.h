// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a step with contact takes, scene by scene and method by method.

#ifndef WEFT_BENCH_REALTIME_H
#define WEFT_BENCH_REALTIME_H

#include "bench.h"
#include "contact_stage.h"

// ---------------------------------------------------------------------------------------------
// Methods

// The ways of stepping that are compared, each by the name that weft_choice has for its method.
typedef struct RealtimeMethod {
    const char* name;                 // of its rows
    const char* choice;               // of the group "method"
    bool cheap;                       // its reference is taken without --full, too
    const char* within[2];            // ratios of the part budget: 4 and 8 ms
    const char* within_or_late[2];    // the same with steps that the report calls late
    const char *stretch, *crossings;  // ratios over all rows
    const char* over_xpbd[3];         // ratios of the part xpbd, by mesh
    int substeps[8];                  // settings of the part xpbd, beside the levels; ended by 0
} RealtimeMethod;

extern const RealtimeMethod realtime_methods[];
enum { REALTIME_METHODS = 2 };  // the first is what the others are compared with

// Which of its group a choice is, -1: the library does not know it.
int find_choice(const char* group, const char* name);
// What the library calls it; false, and why, where it does not know it.
bool find_method(const RealtimeMethod* method, WeftMethod* found, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Scenes

enum { MOST_GARMENTS = 3 };

typedef struct RealtimeScene {
    const char* name;
    const char* part;                         // that has it
    const char* contact;                      // by its name
    double seconds;                           // of motion
    bool stands;                              // then nothing is moved any more, for 2.5 s
    bool quick;                               // it is cheap enough for --quick
    const char* file;                         // of scenes/; NULL: it is none of them
    int cloths;                               // of the file: so many of them; 0: all
    int columns;                              // of a sheet on a sphere, or of a small cape; 0: none
    const char* garments[MOST_GARMENTS + 1];  // from the skin outwards, ended by NULL
    const char* body;                         // that wears them
    double edge;                              // m, of garments
    const char* ratio;                        // name of: small steps over conventional
} RealtimeScene;

extern const RealtimeScene realtime_scenes[];  // ended by one without a name
// A crowd of small capes, of one model; ended likewise.
extern const RealtimeScene realtime_crowds[];

// By its name, which is in the list.
const RealtimeScene* find_realtime_scene(const char* name);
// Reads it, dressed. How garments lie is kept between runs, and so is the scene as a file that
// `weft run` shows: realtime-NAME.json in the user's cache. Returns an exit code.
int load_realtime_scene(const BenchOptions* options, const RealtimeScene* scene,
                        WeftScene** loaded);

// ---------------------------------------------------------------------------------------------
// Stages

// How a scene is stepped.
typedef struct Setting {
    const RealtimeMethod* method;
    int substeps;      // 0: as the method's default quality has it
    double budget_ms;  // 0: none
} Setting;

// Ready to step, with the scene of the stage, on one thread and by its processor time; clear it in
// any case. What is refused is told by `error`.
WeftResult ready_step(const WeftStepDef* step, ContactStage* stage, WeftError* error);
// The same by a setting. A method that the library does not know is refused as well.
WeftResult ready_setting(const Setting* setting, ContactStage* stage, WeftError* error);
// Of the allocator that stages have: how often memory was asked for, since the program began.
long count_allocations(void);

// What has passed through what, in one frame.
typedef struct Verdict {
    int crossings;  // pairs of triangles: of cloth and bodies, and where contact is all of cloth
    int inside;     // vertices inside of bodies or below planes
    double depth;   // m, of the deepest
} Verdict;
// Returns an exit code.
int judge_realtime(ContactStage* stage, Verdict* verdict);

// The sides of all triangles, and how long they are at rest; scratch.
typedef struct RestLengths {
    int count;
    int* ends;  // 2 each
    double *rest, *stretch;
} RestLengths;
void find_rest_lengths(const WeftScene* scene, RestLengths* lengths);
// Length over length at rest.
double median_stretch(const RestLengths* lengths, const double* positions);
void destroy_rest_lengths(RestLengths* lengths);

// ---------------------------------------------------------------------------------------------
// Parts. Each adds rows, ratios and notes, and returns an exit code.

int run_realtime_scenes(const BenchOptions* options, Report* report);
int run_realtime_crowd(const BenchOptions* options, Report* report);
int run_realtime_budget(const BenchOptions* options, Report* report);
int run_realtime_xpbd(const BenchOptions* options, Report* report);

// Cells of a row.
void add_phase_ms(const WeftTimes* times, double scale, Report* report);
// A note that is told once: what was left out, and why.
void note_refusal(Report* report, const char* method, const char* why);
// Loads the scene of a stage; where the library does not know its kind of contact, a note says so
// and the stage has none. Returns an exit code.
int open_realtime_scene(const BenchOptions* options, const RealtimeScene* scene,
                        ContactStage* stage, Report* report);
// As ready_setting; false: a note says what was refused.
bool ready_or_note(const Setting* setting, ContactStage* stage, Report* report);

#endif
