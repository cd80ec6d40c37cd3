// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Orderings of a symmetric pattern. order[k] is the row that is eliminated as number k. All depend
// on nothing but the pattern (and the coordinates), and fail only for want of memory.

#ifndef WF_SPARSE_ORDER_H
#define WF_SPARSE_ORDER_H

#include "sparse/pattern.h"

typedef enum WfOrdering {
    WF_ORDER_NATURAL,
    WF_ORDER_CUTHILL_MCKEE,
    WF_ORDER_REVERSE_CUTHILL_MCKEE,
    WF_ORDER_MINIMUM_DEGREE,
    WF_ORDER_NESTED_DISSECTION,
} WfOrdering;

// Rows as they are numbered.
WeftResult wf_order_natural(const WeftAllocator* allocator, const WfPattern* pattern, int* order);

// Breadth first from a pseudo-peripheral vertex of each component, neighbours by increasing degree;
// and the same reversed, which has narrow rows and fills less.
WeftResult wf_order_cm(const WeftAllocator* allocator, const WfPattern* pattern, int* order);
WeftResult wf_order_rcm(const WeftAllocator* allocator, const WfPattern* pattern, int* order);

// The row that would join the fewest others goes first. Little fill, and the fastest to find.
WeftResult wf_order_minimum_degree(const WeftAllocator* allocator, const WfPattern* pattern,
                                   int* order);

// The rows of a cut through the mesh go last, and so on in both sides, until minimum degree does as
// well. The least fill. `coordinates`, 3 per row, show where to cut; without them (NULL, or not
// finite) it takes half as long again.
//
// Rows with last[i] set come so late that few columns of the factor depend on them; not quite last,
// since a long line of them is cut into pieces first. NULL: no such rows.
WeftResult wf_order_nested(const WeftAllocator* allocator, const WfPattern* pattern,
                           const double* coordinates, const unsigned char* last, int* order);

// By name. Only nested dissection looks at the coordinates; the others move the rows of `last` to
// the end of their order.
WeftResult wf_order(const WeftAllocator* allocator, WfOrdering kind, const WfPattern* pattern,
                    const double* coordinates, const unsigned char* last, int* order);

// Minimum degree within stages, 0 and up: a row is eliminated after all rows of earlier stages that
// it has to do with. Rows with very many neighbours go last.
WeftResult wf_order_staged(const WeftAllocator* allocator, const WfPattern* pattern,
                           const int* stage, int* order);

#endif
