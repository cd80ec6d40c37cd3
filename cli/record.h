// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Records: what every step of a run did, as a file, and runs that do the same again. What a budget
// chose depends on the clock; taken from a record it does not, and gives the same bits.
//
//     {"weft_record": 1, "scene": "demo", "vertices": 2500, "dt": 0.0166,
//      "steps": [{"method": "prefactored", "order": 2, "substeps": 2, "scheme": "a",
//                 "iterations": [7], "limits": [6, 7]}, ...],
//      "hash": "b4f1..."}
//
// "iterations" are as planned, "limits" those that each substep took, where the clock had a say.
// All other settings are those of the scene and the options, the same in both runs.

#ifndef WEFT_CLI_RECORD_H
#define WEFT_CLI_RECORD_H

#include <stdio.h>

#include "session.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Writing

typedef struct Recorder {
    const char* path;  // NULL: nothing is recorded, and all of these do nothing
    FILE* file;        // path.part, until it is complete
    int steps;
} Recorder;

// These return GO_ON, or an exit code after telling what is wrong. Close it in any case.
int open_record(Recorder* recorder, const char* path, const Session* session);
// The last step, which was taken by `step`.
int record_step(Recorder* recorder, const Session* session, const WeftStepDef* step);
// Complete the file: the steps so far stay.
int close_record(Recorder* recorder, const Session* session);

// ---------------------------------------------------------------------------------------------
// Replaying

typedef struct RecordedStep {
    WeftMethod method;
    int order, substeps;
    WeftScheme scheme;
    int iterations[WEFT_MAX_NEWTON];
    int limits[WEFT_MAX_LIMITS];
} RecordedStep;

typedef struct Replay {
    const char* path;  // NULL: nothing is replayed
    int step_count;
    RecordedStep* steps;
    char hash[17];
} Replay;

// Read a record, hold it against the session, and prepare the model for its steps. Returns GO_ON,
// or an exit code after telling what is wrong. Free it in any case.
int open_replay(Replay* replay, const char* path, Session* session);
void free_replay(Replay* replay);
// Set what step `index`, from 0, was taken by.
void use_recorded_step(const Replay* replay, int index, WeftStepDef* step);

typedef enum ReplayResult {
    REPLAY_NONE,   // there was nothing to replay
    REPLAY_PART,   // not all steps were taken: nothing to compare with
    REPLAY_SAME,   // the same bits as when it was recorded
    REPLAY_OTHER,  // not the same
} ReplayResult;

ReplayResult compare_replay(const Replay* replay, const Session* session, int steps);
// Tell that the bits are not the same; returns the exit code.
int fail_replay(const Replay* replay, const Session* session);

enum { HASH_SIZE = 17 };
void print_hash(const Session* session, char hash[HASH_SIZE]);

#endif
