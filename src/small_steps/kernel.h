// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The loops of small steps, compiled twice (base/oct.h).

#ifndef WF_SMALL_STEPS_KERNEL_H
#define WF_SMALL_STEPS_KERNEL_H

#include "small_steps/contact.h"
#include "small_steps/local.h"

typedef struct WfSmallKernel {
    WfLocalSweep *springs, *axes, *triangles, *hinges, *joints, *strains, *products, *angles,
        *pulls;

    // contact (search_kernel.h, pairs_kernel.h)
    void (*fit)(const WfLeafTree* tree, WfLeafBoxes* boxes, const WfLeafFit* fit);
    void (*measure)(WfSmallContact* contact);
    void (*search_self)(WfSmallContact* contact);
    void (*search_body)(WfSmallContact* contact, WfSmallBody* body);
    void (*narrow)(WfSmallContact* contact, const int first[WF_SMALL_KINDS]);
    void (*refresh)(WfSmallContact* contact, float horizon);
    void (*find_planes)(WfSmallContact* contact, int body, float horizon, float h);
    int (*divide)(WfSmallContact* contact, float share);
    int (*join)(WfSmallContact* contact, float share);
    void (*solve_planes)(WfSmallContact* contact, int index, float share);
} WfSmallKernel;

extern const WfSmallKernel wf_small_plain;
// With vectors of eight where the machine has them, else the same.
const WfSmallKernel* wf_small_wide(void);

#endif
