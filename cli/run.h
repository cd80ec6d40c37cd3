// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A run: a scene is simulated, files are written, and what it cost is told.

#ifndef WEFT_CLI_RUN_H
#define WEFT_CLI_RUN_H

#include "session.h"

typedef struct RunOptions {
    TextList outs, lasts;
    int frames;       // -1: as the scene says
    double duration;  // -1: as the scene says
    int every;
    bool no_bodies;      // in files
    bool no_detail;      // files have what is simulated
    const char* detail;  // learned, for cloth `cloth`, which is there; or NULL: as the scene says
    int cloth;
    bool quiet, json;
    const char *record, *replay;  // files, or NULL
    StepOptions step;
} RunOptions;

RunOptions default_run_options(void);
// `scene` (or NULL: it is read from `path`) becomes the run's. Returns an exit code.
int run_scene(const RunOptions* options, const char* path, WeftScene* scene);

#endif
