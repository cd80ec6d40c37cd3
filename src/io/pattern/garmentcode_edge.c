// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One edge of a panel of GarmentCode: straight, with control points, or an arc.

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "io/pattern/garmentcode.h"

static const WfSceneKey any_number = {.low = -1e9, .high = 1e9};

WeftResult wf_file_pair(WfPatternFile* file, const WfSceneNode* node, double pair[2]) {
    WeftResult result = wf_scene_numbers(file->keys, node, 2, pair);
    for (int k = 0; k < 2 && !result; k++)
        if (!(fabs(pair[k]) <= 1e9))
            return wf_scene_fail(file->keys, node, "%g is too large", pair[k]);
    return result;
}

WeftResult wf_file_label(WfPatternFile* file, const WfSceneNode* parent,
                         char label[WEFT_NAME_SIZE]) {
    WfSceneNode node = wf_scene_member(parent, "label");
    if (!node.value || json_is_null(node.value)) return WEFT_OK;
    return wf_pattern_text(file->keys, &node, label);
}

static WeftResult read_control(WfPatternFile* file, const WfFilePanel* panel,
                               const WfSceneNode* node, WfFileEdge* edge) {
    WeftSide* side = &edge->side.curve;
    const double *start = wf_file_vertex(panel, edge->ends[0]),
                 *end = wf_file_vertex(panel, edge->ends[1]);
    double pair[2], e[2] = {end[0] - start[0], end[1] - start[1]};
    WeftResult result = wf_file_pair(file, node, pair);
    if (result) return result;
    double* control = side->control[side->control_count++];
    for (int k = 0; k < 2; k++)
        control[k] = file->absolute ? file->scale * pair[k]
                                    : start[k] + pair[0] * e[k] + pair[1] * (k == 0 ? -e[1] : e[0]);
    return WEFT_OK;
}

// The bulge is positive to the right. A radius below half the chord is drawn as a half circle.
static WeftResult read_circle(WfPatternFile* file, const WfFilePanel* panel,
                              const WfSceneNode* params, int number, WfFileEdge* edge) {
    const double *start = wf_file_vertex(panel, edge->ends[0]),
                 *end = wf_file_vertex(panel, edge->ends[1]);
    double half = wf_flat_length(end[0] - start[0], end[1] - start[1]) / 2, flags[2], radius = 0;
    WfSceneNode item = wf_scene_item(params, 0);
    if (json_array_size(params->value) != 3)
        return wf_scene_fail(file->keys, params,
                             "panel \"%.60s\": edge %d: a circle has [radius, large_arc, right]",
                             panel->name, number);
    WeftResult result = wf_scene_number(file->keys, &item, &any_number, &radius);
    for (int k = 0; k < 2 && !result; k++) {
        WfSceneNode flag = wf_scene_item(params, (size_t)k + 1);
        flags[k] = json_is_true(flag.value);
        if (!json_is_boolean(flag.value))
            result = wf_scene_number(file->keys, &flag, &any_number, &flags[k]);
    }
    if (result || half == 0) return result;
    radius = fabs(radius) * file->scale;
    if (radius < half) {
        if (radius < 0.999 * half)
            result =
                wf_find(file->r->findings, file->keys->error,
                        "panel \"%.60s\": the circle of edge %d does not reach its end; a half "
                        "circle does",
                        panel->name, number);
        radius = half;
    }
    double depth = sqrt(radius * radius - half * half);
    double height = flags[0] != 0 ? radius + depth : half * half / (radius + depth);
    edge->side.curve.bulge = (flags[1] != 0 ? 1 : -1) * height / half;
    return result;
}

static WeftResult read_curvature(WfPatternFile* file, const WfFilePanel* panel,
                                 const WfSceneNode* node, int number, WfFileEdge* edge) {
    if (json_is_array(node->value)) {
        // a bare pair; later files may have a list of pairs
        WfSceneNode first = wf_scene_item(node, 0);
        if (!json_is_array(first.value)) return read_control(file, panel, node, edge);
    }
    file->later = true;
    WfSceneNode type = wf_scene_member(node, "type"), params = wf_scene_member(node, "params");
    const char* word = json_string_value(type.value);
    if (!json_is_object(node->value) || !word || !json_is_array(params.value))
        return wf_scene_fail(file->keys, node,
                             "panel \"%.60s\": edge %d: curvature is a pair, or has \"type\" and "
                             "\"params\"",
                             panel->name, number);
    if (strcmp(word, "circle") == 0) return read_circle(file, panel, &params, number, edge);
    size_t count = strcmp(word, "quadratic") == 0 ? 1 : strcmp(word, "cubic") == 0 ? 2 : 0;
    if (count == 0)
        return wf_scene_fail(file->keys, &type,
                             "panel \"%.60s\": edge %d: a curve is \"quadratic\", \"cubic\" or "
                             "\"circle\", not \"%.40s\"",
                             panel->name, number, word);
    if (json_array_size(params.value) != count)
        return wf_scene_fail(file->keys, &params,
                             "panel \"%.60s\": edge %d: a %s curve has %zu control point%s",
                             panel->name, number, word, count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        WfSceneNode item = wf_scene_item(&params, i);
        WeftResult result = read_control(file, panel, &item, edge);
        if (result) return result;
    }
    return WEFT_OK;
}

WeftResult wf_file_edge(WfPatternFile* file, const WfFilePanel* panel, const WfSceneNode* node,
                        int number, WfFileEdge* edge) {
    WfSceneNode ends = wf_scene_member(node, "endpoints");
    WfSceneNode curvature = wf_scene_member(node, "curvature");
    if (json_array_size(ends.value) != 2)
        return wf_scene_fail(file->keys, node,
                             "panel \"%.60s\": edge %d needs \"endpoints\": two vertices",
                             panel->name, number);
    for (size_t k = 0; k < 2; k++) {
        WfSceneNode end = wf_scene_item(&ends, k);
        json_int_t index = json_integer_value(end.value);
        if (!json_is_integer(end.value) || index < 0 || index >= panel->vertex_count)
            return wf_scene_fail(file->keys, &end,
                                 "panel \"%.60s\": edge %d: an endpoint is a number from 0 to %d",
                                 panel->name, number, panel->vertex_count - 1);
        edge->ends[k] = (int)index;
    }
    for (int k = 0; k < 2; k++) edge->side.curve.end[k] = wf_file_vertex(panel, edge->ends[1])[k];
    WeftResult result = wf_file_label(file, node, edge->side.label);
    if (edge->side.label[0]) file->later = true;
    if (!result && curvature.value && !json_is_null(curvature.value))
        result = read_curvature(file, panel, &curvature, number, edge);
    edge->empty = edge->ends[0] == edge->ends[1] && edge->side.curve.control_count < 2;
    return result;
}
