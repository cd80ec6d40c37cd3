// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The same program in C++.

#include "use.c"
