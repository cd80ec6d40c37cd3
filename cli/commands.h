// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The commands, each in a file of its name.

#ifndef WEFT_CLI_COMMANDS_H
#define WEFT_CLI_COMMANDS_H

#include "options.h"

extern const Command run_command, check_command, check_contact_command, view_command,
    methods_command, fabrics_command, order_command, drape_command, fit_command, bench_command,
    pattern_command, dress_command, detail_command;

#endif
