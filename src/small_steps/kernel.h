// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The loops of small steps, compiled twice (base/oct.h).

#ifndef WF_SMALL_STEPS_KERNEL_H
#define WF_SMALL_STEPS_KERNEL_H

#include "small_steps/local.h"

typedef struct WfSmallKernel {
    WfLocalSweep *springs, *axes, *triangles, *hinges, *joints;
} WfSmallKernel;

extern const WfSmallKernel wf_small_plain;
// With vectors of eight where the machine has them, else the same.
const WfSmallKernel* wf_small_wide(void);

#endif
