// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The table of terms: which terms a cloth gets.

#ifndef WF_ENERGY_TERMS_H
#define WF_ENERGY_TERMS_H

#include "energy/parts.h"

enum { WF_MAX_CLOTH_TERMS = 23 };

// Make the terms of a cloth; returns how many, or -1 for lack of memory (nothing is left then).
int wf_make_terms(const WeftAllocator* allocator, const WfClothParts* parts, WfTerm** terms);

#endif
