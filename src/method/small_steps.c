// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The class of small steps, which are taken in small_steps/.

#include "base/error.h"
#include "method/method.h"
#include "weft/weft_study.h"

// By quality: the front of error, stretch and time in six motions (`weft bench quality --part pairs`).
static const int substeps[WEFT_MAX_QUALITY] = {8, 12, 16, 20, 20, 28, 40, 60};
static const int sweeps[WEFT_MAX_QUALITY] = {1, 1, 1, 1, 2, 2, 2, 2};
// Smaller cloth has no coarse levels that do the rest (small_steps/levels.h), and takes two.
enum { LEAST_WITH_LEVELS = 192 };

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
    int level = def->quality - 1;
    if (!def->substeps) def->substeps = substeps[level];
    if (!def->iterations[0])
        def->iterations[0] = s->vertex_count < LEAST_WITH_LEVELS ? 2 : sweeps[level];
}

static WfCostKind cost(const WeftStepDef* def) {
    (void)def;
    return WF_COST_SUBSTEP;
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
