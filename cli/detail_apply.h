// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft detail apply

#ifndef WEFT_CLI_DETAIL_APPLY_H
#define WEFT_CLI_DETAIL_APPLY_H

#include "options.h"

extern const Command detail_apply_command;

#endif
