// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a run shows of its cloth, and by what, for its summary.

#ifndef WEFT_CLI_SHOWN_H
#define WEFT_CLI_SHOWN_H

#include <jansson.h>

#include "outputs.h"

// A line, begun with `label`, where some cloth is not shown as it is simulated. `outputs` may be
// NULL.
void print_shown(const Session* session, const Outputs* outputs, const char* label);
// null where all is.
json_t* shown_json(const Session* session, const Outputs* outputs);

#endif
