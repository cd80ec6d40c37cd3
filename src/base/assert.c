// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

#include "weft/weft.h"

static WeftAssertHook* hook;

void weft_set_assert_hook(WeftAssertHook* other) { hook = other; }

void wf_assert_failed(const char* claim, const char* file, int line) {
    if (hook) {
        hook(claim, file, line);
        return;
    }
    fprintf(stderr, "%s:%d: weft: %s does not hold\n", file, line, claim);
    abort();
}
