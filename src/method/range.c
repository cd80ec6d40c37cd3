// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/range.h"

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "weft/weft_study.h"

typedef struct Row {
    WeftRange range;
    size_t offset;
} Row;

#define ROW_OF(field, is_whole, least, most, over, under, in) \
    {                                                         \
        .range = {.name = #field,                             \
                  .low = least,                               \
                  .high = most,                               \
                  .above = over,                              \
                  .below = under,                             \
                  .unit = in,                                 \
                  .whole = is_whole},                         \
        .offset = offsetof(WeftStepDef, field)                \
    }
#define NUMBER(field, ...) ROW_OF(field, false, __VA_ARGS__)
#define COUNT(field, ...) ROW_OF(field, true, __VA_ARGS__)

static const Row rows[] = {
    NUMBER(dt, WF_RANGE_DT),
    NUMBER(air_density, WF_RANGE_AIR_DENSITY),
    NUMBER(budget_ms, WF_RANGE_BUDGET_MS),
    NUMBER(stretch_tolerance, WF_RANGE_STRETCH_TOLERANCE),
    NUMBER(rest_speed, WF_RANGE_REST_SPEED),
    NUMBER(solve_tolerance, WF_RANGE_SOLVE_TOLERANCE),
    NUMBER(newton_tolerance, WF_RANGE_NEWTON_TOLERANCE),
    NUMBER(tolerance, WF_RANGE_TOLERANCE),
    COUNT(quality, WF_RANGE_QUALITY),
    COUNT(order, WF_RANGE_ORDER),
    COUNT(substeps, WF_RANGE_SUBSTEPS),
    COUNT(newton_steps, WF_RANGE_NEWTON_STEPS),
    COUNT(max_iterations, WF_RANGE_MAX_ITERATIONS),
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const WeftRange* weft_step_range(int index) {
    return index >= 0 && index < ROW_COUNT ? &rows[index].range : NULL;
}

WeftResult wf_check_ranges(const WeftStepDef* def, WeftError* error) {
    for (int i = 0; i < ROW_COUNT; i++) {
        const WeftRange* range = &rows[i].range;
        const char *field = (const char*)def + rows[i].offset, *unit = range->unit;
        double value = range->whole ? *(const int*)field : *(const double*)field;
        bool over = range->above ? value > range->low : value >= range->low;
        bool under = range->below ? value < range->high : value <= range->high;
        if (over && under) continue;  // and a number
        char text[64];
        snprintf(text, sizeof text, wf_range_format(range->above, range->below), range->low,
                 range->high);
        return wf_fail(error, WEFT_ERROR_INPUT, "%s is %.10g%s%s; it must be %s", range->name,
                       value, unit ? " " : "", unit ? unit : "", text);
    }
    return WEFT_OK;
}
