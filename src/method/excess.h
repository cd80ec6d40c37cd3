// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What edges have too much of, all together: conjugate gradients (Polak and Ribiere) on
//
//     phi(x) = 1/2 sum (|x_b - x_a| - l)^2    over the edges that are longer than l
//
// which is piecewise nearly quadratic, and whose gradient the constant matrix A of the step turns
// into a direction: the pull of an edge goes to all of the cloth, as far as its stiffness does.
// From positions outside of the allowed ones they lead to nearly the closest of them in the norm of
// A, that of motion and stiffness together. Sweeps over single edges (limit.c) are better at what
// few edges have, and worse at all the rest.

#ifndef WF_METHOD_EXCESS_H
#define WF_METHOD_EXCESS_H

#include "method/limit.h"

// So many iterations from step->work->x on.
void wf_reduce_excess(const WfLimit* limit, const WfStep* step, const WfLimitWork* work, int count);

#endif
