// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The user's browser.

#ifndef WEFT_CLI_BROWSER_H
#define WEFT_CLI_BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

// Starts the system's opener and does not wait for it. False where there is none.
bool open_browser(const char* address, pid_t* opener);

#endif
