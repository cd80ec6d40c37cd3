// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the loops over conventional fibres work on, and those of them that matter most, as kernels
// for every machine and for some (fibre_kernel.h).

#ifndef WF_ENERGY_FIBRE_JOB_H
#define WF_ENERGY_FIBRE_JOB_H

#include "energy/fibre.h"

typedef struct WfFibreKept {
    double damped;  // 1 + r
    const double* length;
    double* fibres;
} WfFibreKept;

typedef struct WfFibreJob {
    const WfFibreTerm* t;
    const WfTermSpace* space;
    const WfMotion* motion;
    const double *x, *v;
    double *f, scale;
    unsigned want;
    WfFibreKept keep;
    const WfBlockMatrix* matrix;
} WfFibreJob;

// context is a WfFibreJob.
typedef struct WfFibreKernel {
    WfScatterBody* evaluate;  // energy of the chunk into space->partial[chunk], and what is wanted
    WfScatterBody* product;   // of the vector x, added to f
} WfFibreKernel;

extern const WfFibreKernel wf_fibre_plain;
const WfFibreKernel* wf_fibre_wide(void);  // the same bits, faster where the machine can

#endif
