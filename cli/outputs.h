// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The files that a run writes.

#ifndef WEFT_CLI_OUTPUTS_H
#define WEFT_CLI_OUTPUTS_H

#include "session.h"
#include "spool.h"

typedef struct Outputs {
    int count;
    const char** paths;          // the caller's
    WeftWriter** writers;        // NULL: closed, or failed
    int frame_limit;             // as announced to the writers
    int frame_count;             // written so far
    float *positions, *normals;  // of the cloth, then of the bodies
    bool bodies;                 // are written too
    double* shape;               // room for any of them
    double show_seconds;         // what it took to find what is shown, of all frames together
    const Session* session;      // that is written
    double frame_rate;
    Spool spool;  // of cloth that may be torn: frames wait there until files are closed
    int* starts;  // then: the first vertex of each cloth, and where all end
    const struct Outputs* also;  // more files to tell of in the summary, or NULL
} Outputs;

// Returns GO_ON, or an exit code after telling what is wrong. Close them in any case. Bodies are
// parts of their own, as triangles.
// Whether files of these names can be written, before work is done for them: their endings, their
// folders, and that none is named twice.
int check_outputs(const TextList* paths);
// What is shown of the session (open_show), which must outlive them, is written. Where cloth may be
// torn, files are written when they are closed: all frames have the mesh of the last one then.
int open_outputs(Outputs* outputs, const TextList* paths, const Session* session, int frame_limit,
                 double frame_rate, bool bodies);
int write_outputs(Outputs* outputs, const Session* session);
// Complete all files: what was written so far stays.
int close_outputs(Outputs* outputs);
void free_outputs(Outputs* outputs);

// The files of output i as one name, "cloth.0000.obj ... cloth.0240.obj", and their size in bytes.
double output_size(const Outputs* outputs, int i, char* name, int name_size);

#endif
