// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of contact share: numbers drawn by lot, the same every time.

#ifndef WEFT_CONTACT_TEST_H
#define WEFT_CONTACT_TEST_H

#include "base/vec.h"
#include "mesh/hilbert.h"
#include "test.h"

static uint64_t random_state;

// 0 to 1
static inline double random_unit(void) { return (double)(wf_mix(random_state++) >> 11) * 0x1p-53; }

// Each coordinate from -size to size.
static inline WfVec random_vec(double size) {
    double x = random_unit(), y = random_unit(), z = random_unit();
    return (WfVec){size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1)};
}

#endif
