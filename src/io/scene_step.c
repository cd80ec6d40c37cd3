// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "step": how a scene wants its steps taken.

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "io/scene_parts.h"
#include "method/range.h"
#include "weft/weft_study.h"

// "1/60": digits, a slash, digits. By hand, because strtod follows the locale.
static bool parse_fraction(const char* text, double* value) {
    double parts[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        if (!isdigit((unsigned char)*text)) return false;
        for (; isdigit((unsigned char)*text); text++) parts[i] = 10 * parts[i] + (*text - '0');
        if (i == 0 && *text++ != '/') return false;
    }
    *value = parts[0] / parts[1];
    return *text == 0 && parts[0] > 0 && parts[1] > 0 && isfinite(*value);
}

#define STEP_NUMBER(field, ...) \
    WF_ROW_RANGE(offsetof(WeftStepDef, field), field, WF_KEY_NUMBER, __VA_ARGS__)
#define STEP_COUNT(field, ...) \
    WF_ROW_RANGE(offsetof(WeftStepDef, field), field, WF_KEY_COUNT, __VA_ARGS__)

static const WfSceneKey dt_range = STEP_NUMBER(dt, WF_RANGE_DT);

static WeftResult read_dt(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    double* dt = &((WeftStepDef*)target)->dt;
    if (!json_is_string(node->value)) return wf_scene_number(reader, node, &dt_range, dt);
    const char* text = json_string_value(node->value);
    if (!parse_fraction(text, dt) || *dt > dt_range.high)
        return wf_scene_fail(
            reader, node, "\"dt\" must be a fraction of a second such as \"1/60\", not \"%.40s\"",
            text);
    return WEFT_OK;
}

// Presets are no field of their own: they set others, which the keys after this one may change.
static WeftResult read_preset(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    int preset;
    WeftResult result = wf_scene_choice(reader, node, "preset", &preset);
    if (!result) weft_use_preset(target, (WeftPreset)preset);
    return result;
}

static WeftResult read_iterations(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const WfSceneKey range = {.low = 1, .high = WF_MOST_ITERATIONS};
    WeftStepDef* step = target;
    memset(step->iterations, 0, sizeof step->iterations);
    if (!json_is_array(node->value) || json_array_size(node->value) > WEFT_MAX_NEWTON)
        return wf_scene_fail(reader, node, "\"iterations\" must be a list of at most %d numbers",
                             WEFT_MAX_NEWTON);
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftResult result = wf_scene_count(reader, &item, &range, &step->iterations[i]);
        if (result) return result;
    }
    return WEFT_OK;
}

static void step_defaults(void* target) { *(WeftStepDef*)target = weft_default_step_def(); }

// `preset` comes first, so that all others win over it.
static const WfSceneKey step_keys[] = {
    WF_ROW_OWN("preset", read_preset),
    WF_ROW_OWN("dt", read_dt),
    WF_ROW_CHOICE(WeftStepDef, method, "method"),
    STEP_COUNT(quality, WF_RANGE_QUALITY),
    STEP_COUNT(order, WF_RANGE_ORDER),
    STEP_COUNT(substeps, WF_RANGE_SUBSTEPS),
    WF_ROW_CHOICE(WeftStepDef, scheme, "scheme"),
    WF_ROW_OWN("iterations", read_iterations),
    STEP_NUMBER(budget_ms, WF_RANGE_BUDGET_MS),
    STEP_NUMBER(stretch_tolerance, WF_RANGE_STRETCH_TOLERANCE),
    STEP_NUMBER(rest_speed, WF_RANGE_REST_SPEED),
    WF_ROW_FLAG(WeftStepDef, guard),
    STEP_NUMBER(solve_tolerance, WF_RANGE_SOLVE_TOLERANCE),
    WF_ROW_CHOICE(WeftStepDef, sweep, "sweep"),
    WF_ROW_CHOICE(WeftStepDef, jacobian, "jacobian"),
    WF_ROW_CHOICE(WeftStepDef, start, "start"),
    STEP_COUNT(newton_steps, WF_RANGE_NEWTON_STEPS),
    STEP_NUMBER(newton_tolerance, WF_RANGE_NEWTON_TOLERANCE),
    STEP_NUMBER(tolerance, WF_RANGE_TOLERANCE),
    STEP_COUNT(max_iterations, WF_RANGE_MAX_ITERATIONS),
};

const WfSceneTable wf_scene_step_table = {
    .name = "step",
    .key_count = WF_KEY_COUNT_OF(step_keys),
    .keys = step_keys,
    .target_size = sizeof(WeftStepDef),
    .set_defaults = step_defaults,
};

WeftResult wf_scene_read_step(WfSceneReader* reader, const WfSceneNode* node, void* scene) {
    return wf_scene_read(reader, node, &wf_scene_step_table, &((WeftScene*)scene)->model.step);
}
