// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft detail train

#ifndef WEFT_CLI_DETAIL_TRAIN_H
#define WEFT_CLI_DETAIL_TRAIN_H

#include "options.h"

extern const Command detail_train_command;

#endif
