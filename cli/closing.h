// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Whether the closure of a mirror has anything to close.

#ifndef WEFT_CLI_CLOSING_H
#define WEFT_CLI_CLOSING_H

#include <jansson.h>

#include "session.h"

typedef struct Closing {
    int count;      // vertices that could be closed: on free edges that run beside the mirror
    int* vertices;  // in the model's numbering, of the half that is simulated
    double gap;     // m, the smallest distance of one of them from the plane so far
} Closing;

// Find them, and look. Without a closure nothing is looked for. Returns GO_ON, or an exit code
// after telling what is wrong.
int open_closing(Closing* closing, const Session* session);
// How near they are now.
void look_at_closing(Closing* closing, const Session* session);
void free_closing(Closing* closing);

// How much is simulated; and after a run, that its closure has closed nothing.
void print_mirror(const Session* session, const Closing* closing);
// The same of a start.
void print_closing_at_start(const Session* session, const Closing* closing);
// null without a mirror
json_t* mirror_json(const Session* session, const Closing* closing);
// m; null where nothing could be closed
json_t* gap_json(const Closing* closing);

#endif
