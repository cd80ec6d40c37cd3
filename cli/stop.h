// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ctrl-C during long work.

#ifndef WEFT_CLI_STOP_H
#define WEFT_CLI_STOP_H

#include <stdbool.h>

// From now on the first Ctrl-C is for the work to end in good order, a second one ends it at once.
void catch_stop(void);
bool stop_wanted(void);

#endif
