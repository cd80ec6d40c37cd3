// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The class of small steps, which are taken in small_steps/.

#include "base/error.h"
#include "method/method.h"
#include "weft/weft_study.h"

// In a substep; one where coarse levels do the rest (small_steps/levels.h).
enum { SWEEPS = 2, SWEEPS_WITH_LEVELS = 1, LEAST_WITH_LEVELS = 192 };

// By quality.
static const int substeps[WEFT_MAX_QUALITY] = {6, 8, 12, 20, 28, 40, 60, 90};

static unsigned needs(const WeftStepDef* def, bool touches) {
    (void)def, (void)touches;
    return 0;
}

static WeftResult check(const WfSystem* s, const WeftStepDef* asked, const WeftStepDef* resolved,
                        WeftError* error) {
    (void)asked, (void)resolved;
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]->type->local == WF_LOCAL_NONE)
            return wf_fail(error, WEFT_ERROR_COMBINATION,
                           "cloth %d: small steps cannot take the %s; use another method",
                           s->terms[t]->cloth, s->terms[t]->type->name);
    return WEFT_OK;
}

static void resolve(const WfSystem* s, WeftStepDef* def) {
    int sweeps = s->vertex_count < LEAST_WITH_LEVELS ? SWEEPS : SWEEPS_WITH_LEVELS;
    if (!def->substeps) def->substeps = substeps[def->quality - 1];
    if (!def->iterations[0]) def->iterations[0] = sweeps;
}

static WfCostKind cost(const WeftStepDef* def) {
    (void)def;
    return WF_COST_SWEEP;
}

const WfMethod wf_small_steps = {.name = "small_steps",
                                 .is_explicit = true,
                                 .is_local = true,
                                 .damps_to_rest = true,
                                 .start = WEFT_START_PREDICTED,
                                 .needs = needs,
                                 .check = check,
                                 .resolve = resolve,
                                 .cost = cost};
