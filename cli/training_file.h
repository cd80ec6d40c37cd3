// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What was learned so far, in FILE.training: a training that was stopped goes on from there.

#ifndef WEFT_CLI_TRAINING_FILE_H
#define WEFT_CLI_TRAINING_FILE_H

#include <stdint.h>

#include "options.h"
#include "weft/weft_io.h"

// What it must be the same of, as words: "parts" and "4".
enum { TRAIT_ROOM = 16, TRAIT_SIZE = 64 };
typedef struct Trait {
    const char* name;
    char value[TRAIT_SIZE];
} Trait;

typedef struct TrainingFile {
    const char* out;  // of the detail; the file is beside it
    int trait_count;
    Trait traits[TRAIT_ROOM];
    // done so far
    int motions, tangled, lost;  // motions; frames that were left out; motions that were cut short
    double seconds;
} TrainingFile;

void add_trait(TrainingFile* file, const char* name, const char* format, ...) PRINTF_LIKE(3, 4);
// A fingerprint of the scene's text without what it is shown by, or of its meshes and fabrics.
uint64_t print_text(const char* path);
uint64_t print_scene(const WeftScene* scene);

// Go on from the file, where there is one. Returns GO_ON, or an exit code after telling what
// differs.
int resume_training(TrainingFile* file, WeftLearner* learner);
// Written beside it and renamed. Returns GO_ON, or an exit code after telling what is wrong.
int keep_training(const TrainingFile* file, const WeftLearner* learner);
void remove_training(const TrainingFile* file);

#endif
