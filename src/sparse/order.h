// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Orderings of a symmetric pattern. order[k] is the row that is eliminated as number k.

#ifndef WF_SPARSE_ORDER_H
#define WF_SPARSE_ORDER_H

#include "sparse/pattern.h"

// Reverse Cuthill-McKee: breadth first from a pseudo-peripheral vertex of each component,
// neighbours by increasing degree, then reversed. Narrow rows, for the envelope factor.
WeftResult wf_order_rcm(const WeftAllocator* allocator, const WfPattern* pattern, int* order);

#endif
