// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns of GarmentCode (Korosteleva and Sorkine-Hornung 2023) and of the Garment-Pattern-
// Generator before it, as they are found: too irregular for tables of keys. Its conventions:
//
//     curvature      [t, s], the control point at start + t e + s n, with e from start to end and n
//                    e turned to the left; or {"type": "quadratic" | "cubic", "params": such
//                    pairs}; or {"type": "circle", "params": [radius, large arc, right]}
//     rotation       Euler angles in degrees, Rz Ry Rx. The writer of the later form says Rx Ry Rz,
//                    and its mesher reads Rz Ry Rx; where a panel of that form turns about several
//                    axes, the order that brings seams nearer together is taken.
//     stitches       opposite ends come together, or the same where a third item says "right_wrong"
//     units_in_meter  divides all lengths

#include "io/pattern/garmentcode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "garment/frame.h"
#include "io/pattern/read.h"
#include "io/scene_parts.h"

// ---------------------------------------------------------------------------------------------
// Panels

// A place that is not there is where it is.
static WeftResult read_three(WfPatternFile* file, const WfSceneNode* node, double numbers[3],
                             bool* given) {
    if (!node->value) return WEFT_OK;
    *given = true;
    WeftResult result = wf_scene_numbers(file->keys, node, 3, numbers);
    for (int k = 0; k < 3 && !result; k++)
        if (!(fabs(numbers[k]) <= 1e6))
            return wf_scene_fail(file->keys, node, "%g is too large", numbers[k]);
    return result;
}

static WeftResult expect_list(WfPatternFile* file, const WfSceneNode* node, const char* panel,
                              const char* key, size_t least) {
    if (json_is_array(node->value) && json_array_size(node->value) >= least) return WEFT_OK;
    return wf_scene_fail(file->keys, node->value ? node : node->parent,
                         "panel \"%.60s\": \"%s\" must be a list of %zu or more", panel, key,
                         least);
}

static WeftResult read_vertices(WfPatternFile* file, const WfSceneNode* node, WfFilePanel* panel) {
    WeftResult result = expect_list(file, node, panel->name, "vertices", 1);
    if (result) return result;
    size_t count = json_array_size(node->value);
    panel->vertices = wf_alloc(file->memory, 2 * count, sizeof *panel->vertices);
    if (!panel->vertices) return wf_fail_memory(file->keys->error);
    panel->vertex_count = (int)count;
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_file_pair(file, &item, panel->vertices + 2 * i);
        for (int k = 0; k < 2; k++) panel->vertices[2 * i + (size_t)k] *= file->scale;
    }
    return result;
}

static WeftResult read_edges(WfPatternFile* file, const WfSceneNode* node, WfFilePanel* panel) {
    WeftResult result = expect_list(file, node, panel->name, "edges", 1);
    if (result) return result;
    size_t count = json_array_size(node->value);
    panel->edges = wf_alloc(file->memory, count, sizeof *panel->edges);
    if (!panel->edges) return wf_fail_memory(file->keys->error);
    panel->edge_count = (int)count;
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_file_edge(file, panel, &item, (int)i, &panel->edges[i]);
    }
    return result;
}

static WeftPanelSide placed_side(const WfFilePanel* panel, int edge) {
    const WfFileEdge* from = &panel->edges[edge];
    WeftPanelSide side = from->side;
    if (!panel->places[edge].reversed) return side;
    for (int k = 0; k < 2; k++) {
        side.curve.end[k] = wf_file_vertex(panel, from->ends[0])[k];
        if (side.curve.control_count < 2) continue;
        side.curve.control[0][k] = from->side.curve.control[1][k];
        side.curve.control[1][k] = from->side.curve.control[0][k];
    }
    side.curve.bulge = side.curve.bulge != 0 ? -side.curve.bulge : 0;
    return side;
}

// The sides of a loop, in order.
static WeftResult gather_loop(WfPatternFile* file, const WfFilePanel* panel, int loop,
                              WeftPanelSide** sides, int* count) {
    *count = 0;
    for (int e = 0; e < panel->edge_count; e++) *count += panel->places[e].loop == loop;
    *sides = wf_alloc(file->memory, (size_t)*count, sizeof **sides);
    if (!*sides) return wf_fail_memory(file->keys->error);
    for (int e = 0; e < panel->edge_count; e++)
        if (panel->places[e].loop == loop) {
            WeftPanelSide* side = &(*sides)[panel->places[e].position];
            *side = placed_side(panel, e);
            side->number = e + 1;
        }
    return WEFT_OK;
}

static WeftResult add_hole(WfPatternFile* file, WeftPanel* to, const WeftPanelSide* sides,
                           int count) {
    WeftSide* hole = wf_alloc(file->memory, (size_t)count, sizeof *hole);
    if (!hole) return wf_fail_memory(file->keys->error);
    for (int s = 0; s < count; s++) hole[s] = sides[s].curve;
    to->holes[to->hole_count++] = (WeftLoop){count, hole};
    return WEFT_OK;
}

static WeftResult find_outer(WfPatternFile* file, WfFilePanel* panel) {
    double largest = -1;
    for (int loop = 0; loop < panel->loop_count; loop++) {
        WeftPanelSide* sides = NULL;
        int count = 0;
        WeftResult result = gather_loop(file, panel, loop, &sides, &count);
        if (result) return result;
        double area = fabs(wf_loop_area(&sides->curve, sizeof *sides, count));
        if (area > largest) {
            largest = area;
            panel->outer = loop;
        }
        wf_free(file->memory, sides);
    }
    return WEFT_OK;
}

// The loop with the largest area is the outline, the others are holes.
static WeftResult make_outline(WfPatternFile* file, WfFilePanel* panel, WeftPanel* to) {
    to->holes = wf_alloc(file->memory, (size_t)panel->loop_count, sizeof *to->holes);
    WeftResult result = to->holes ? find_outer(file, panel) : wf_fail_memory(file->keys->error);
    for (int loop = 0; loop < panel->loop_count && !result; loop++) {
        WeftPanelSide* sides = NULL;
        int count = 0;
        result = gather_loop(file, panel, loop, &sides, &count);
        if (!result && loop == panel->outer) {
            to->sides = sides;
            to->side_count = count;
            continue;
        }
        if (!result) result = add_hole(file, to, sides, count);
        wf_free(file->memory, sides);
    }
    return result;
}

// "0 3 1 2": the edges of the outline, in their new order.
static void list_order(const WfFilePanel* panel, char text[100]) {
    size_t used = 0;
    int count = 0;
    text[0] = 0;
    for (int e = 0; e < panel->edge_count; e++) count += panel->places[e].loop == panel->outer;
    for (int i = 0; i < count && used < 90; i++)
        for (int e = 0; e < panel->edge_count; e++)
            if (panel->places[e].loop == panel->outer && panel->places[e].position == i)
                used += (size_t)snprintf(text + used, 100 - used, used > 86 ? " ..." : " %d", e);
}

static WeftResult report_edges(WfPatternFile* file, const WfFilePanel* panel) {
    WeftResult result = WEFT_OK;
    char order[100];
    list_order(panel, order);
    if (panel->turned || panel->shuffled)
        result =
            wf_find(file->r->findings, file->keys->error,
                    "panel \"%.60s\": its edges were put in order, and sides are numbered so:%s",
                    panel->name, order);
    for (int e = 0; e < panel->edge_count && !result; e++)
        if (panel->edges[e].empty)
            result = wf_find(file->r->findings, file->keys->error,
                             "panel \"%.60s\": edge %d was dropped: it begins where it ends",
                             panel->name, e);
    return result;
}

// Move the middle of the vertices to the origin, and the place there, as the files' own reader
// does.
static void centre_panel(WfFilePanel* panel, double translation[3]) {
    double middle[2] = {0, 0};
    for (int v = 0; v < panel->vertex_count; v++)
        for (int k = 0; k < 2; k++) middle[k] += wf_file_vertex(panel, v)[k] / panel->vertex_count;
    for (int k = 0; k < 2; k++) translation[k] += middle[k];
    for (int v = 0; v < panel->vertex_count; v++)
        for (int k = 0; k < 2; k++) panel->vertices[2 * (size_t)v + (size_t)k] -= middle[k];
}

static WeftResult read_panel(WfPatternFile* file, const WfSceneNode* node, WfFilePanel* panel,
                             WeftPanel* to) {
    WeftResult result = wf_scene_expect(file->keys, node, JSON_OBJECT);
    if (result) return result;
    *to = (WeftPanel){.place = {.rotation = {0, 0, 0, 1}}};
    if (strlen(node->key) >= WEFT_NAME_SIZE)
        return wf_scene_fail_key(file->keys, node, "a name must have less than %d bytes",
                                 WEFT_NAME_SIZE);
    strcpy(to->name, node->key);
    WfSceneNode vertices = wf_scene_member(node, "vertices"),
                edges = wf_scene_member(node, "edges");
    WfSceneNode move = wf_scene_member(node, "translation");
    WfSceneNode turn = wf_scene_member(node, "rotation");
    result = wf_file_label(file, node, to->label);
    if (!result) result = read_three(file, &move, to->place.position, &to->place.given);
    for (int k = 0; k < 3; k++) to->place.position[k] *= file->scale;
    if (!result) result = read_three(file, &turn, panel->euler, &to->place.given);
    if (!result) result = read_vertices(file, &vertices, panel);
    if (!result && file->centred) centre_panel(panel, to->place.position);
    if (!result) result = read_edges(file, &edges, panel);
    if (result) return result;
    result = wf_chain_edges(file->memory, panel, file->keys->error);
    if (result == WEFT_ERROR_INPUT) return wf_scene_fail_prefix(file->keys, &edges, result);
    if (!result) result = make_outline(file, panel, to);
    return result ? result : report_edges(file, panel);
}

// ---------------------------------------------------------------------------------------------
// Places

// Rz Ry Rx, or Rx Ry Rz.
static void turn_panels(WfPatternFile* file, bool x_last) {
    static const double nowhere[3] = {0, 0, 0};
    for (int p = 0; p < file->panel_count; p++) {
        double q[3][4] = {{0}};
        for (int k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2};
            wf_scene_quaternion(axis, file->panels[p].euler[k], q[k]);
        }
        WfFrame inner = wf_frame_of(nowhere, q[x_last ? 2 : 0]);
        WfFrame turn = wf_frame_join(wf_frame_of(nowhere, q[x_last ? 0 : 2]),
                                     wf_frame_join(wf_frame_of(nowhere, q[1]), inner));
        double* rotation = file->r->pattern->panels[p].place.rotation;
        wf_store(rotation, 0, turn.turn);
        rotation[3] = turn.w;
    }
}

static double sum_gaps(const WeftPattern* pattern) {
    double sum = 0;
    for (int i = 0; i < pattern->seam_count; i++) {
        double opposite, same;
        if (wf_seam_gaps(pattern, &pattern->seams[i], &opposite, &same))
            sum += fmin(opposite, same);
    }
    return sum;
}

static bool is_turned_twice(const double euler[3]) {
    int count = 0;
    for (int k = 0; k < 3; k++) count += fabs(euler[k]) > 1e-6;
    return count > 1;
}

static void choose_turns(WfPatternFile* file) {
    bool twice = false;
    for (int p = 0; p < file->panel_count; p++) twice |= is_turned_twice(file->panels[p].euler);
    turn_panels(file, false);
    if (!twice || !file->later) return;
    double gaps = sum_gaps(file->r->pattern);
    turn_panels(file, true);
    if (sum_gaps(file->r->pattern) < 0.99 * gaps) return;
    turn_panels(file, false);
}

// ---------------------------------------------------------------------------------------------
// Stitches

static WeftResult fail_panel(WfPatternFile* file, const WfSceneNode* node, int stitch,
                             const char* name) {
    enum { MOST = 64 };
    const char* words[MOST];
    int count = file->panel_count < MOST ? file->panel_count : MOST;
    for (int i = 0; i < count; i++) words[i] = file->panels[i].name;
    const char* nearest = weft_nearest_word(name, words, count);
    return wf_scene_fail(file->keys, node, "stitch %d: there is no panel \"%.60s\"%s%.60s%s",
                         stitch, name, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                         nearest ? "\"?" : "");
}

// One end of a stitch: name->side is -1 where its edge was dropped.
static WeftResult read_stitch_end(WfPatternFile* file, const WfSceneNode* node, int stitch,
                                  WeftSideName* name) {
    WfSceneNode panel_node = wf_scene_member(node, "panel"), edge = wf_scene_member(node, "edge");
    const char* text = json_string_value(panel_node.value);
    if (!text || !json_is_integer(edge.value))
        return wf_scene_fail(file->keys, node, "stitch %d: an end has \"panel\" and \"edge\"",
                             stitch);
    int p = wf_find_name(file->r->names, file->panel_count, text, strlen(text));
    if (p < 0) return fail_panel(file, &panel_node, stitch, text);
    const WfFilePanel* panel = &file->panels[p];
    json_int_t index = json_integer_value(edge.value);
    if (index < 0 || index >= panel->edge_count)
        return wf_scene_fail(file->keys, &edge,
                             "stitch %d: panel \"%.60s\" has no edge %lld, only 0 to %d", stitch,
                             text, (long long)index, panel->edge_count - 1);
    const WfEdgePlace* place = &panel->places[index];
    if (place->loop >= 0 && place->loop != panel->outer)
        return wf_scene_fail(file->keys, &edge,
                             "stitch %d: edge %lld of panel \"%.60s\" is in a hole, and holes are "
                             "not sewn",
                             stitch, (long long)index, text);
    *name = (WeftSideName){p, place->loop < 0 ? -1 : place->position};
    return WEFT_OK;
}

static WeftResult read_stitch_kind(WfPatternFile* file, const WfSceneNode* node, int stitch,
                                   WeftSeam* seam) {
    for (size_t i = 2; i < json_array_size(node->value); i++) {
        const char* word = json_string_value(json_array_get(node->value, i));
        if (word && strcmp(word, "right_wrong") == 0)
            seam->right_wrong = true;
        else {
            WeftResult result = wf_find(file->r->findings, file->keys->error,
                                        "stitch %d: \"%.40s\" is not known, and left out", stitch,
                                        word ? word : "?");
            if (result) return result;
        }
    }
    return WEFT_OK;
}

static WeftResult read_stitch(WfPatternFile* file, const WfSceneNode* node, int stitch) {
    WeftPattern* pattern = file->r->pattern;
    WeftSideName names[2];
    WeftSeam* seam = &pattern->seams[pattern->seam_count];
    if (!json_is_array(node->value) || json_array_size(node->value) < 2)
        return wf_scene_fail(file->keys, node, "stitch %d needs two ends", stitch);
    WeftResult result = read_stitch_kind(file, node, stitch, seam);
    for (size_t k = 0; k < 2 && !result; k++) {
        WfSceneNode end = wf_scene_item(node, k);
        result = read_stitch_end(file, &end, stitch, &names[k]);
    }
    if (result) return result;
    if (names[0].side < 0 || names[1].side < 0)
        return wf_find(file->r->findings, file->keys->error,
                       "stitch %d was dropped: it names an edge without length", stitch);
    pattern->seam_count++;
    for (int k = 0; k < 2; k++) {
        seam->chain[k] = wf_alloc(file->memory, 1, sizeof *seam->chain[k]);
        if (!seam->chain[k]) return wf_fail_memory(file->keys->error);
        seam->chain[k][0] = names[k];
        seam->count[k] = 1;
    }
    return WEFT_OK;
}

static WeftResult read_stitches(WfPatternFile* file, const WfSceneNode* node) {
    WeftPattern* pattern = file->r->pattern;
    if (!node->value) return WEFT_OK;
    WeftResult result = wf_scene_expect(file->keys, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    pattern->seams = wf_alloc(file->memory, count, sizeof *pattern->seams);
    if (!pattern->seams) return wf_fail_memory(file->keys->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_stitch(file, &item, (int)i);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// The file

static WeftResult read_properties(WfPatternFile* file, const WfSceneNode* node) {
    static const WfSceneKey units_range = {.low = 0, .high = 1e6, .above = true};
    WfSceneNode units = wf_scene_member(node, "units_in_meter");
    WfSceneNode coordinates = wf_scene_member(node, "curvature_coords");
    WfSceneNode centred = wf_scene_member(node, "normalize_panel_translation");
    const char* word = json_string_value(coordinates.value);
    double number = 100;
    file->absolute = word && strcmp(word, "absolute") == 0;
    file->centred = json_is_true(centred.value);
    WeftResult result = WEFT_OK;
    if (units.value)
        result = wf_scene_number(file->keys, &units, &units_range, &number);
    else
        result = wf_find(file->r->findings, file->keys->error,
                         "the file names no unit: centimetres are taken");
    file->scale = 1 / number;
    return result;
}

// Name the panels: those of panel_order first, then the others.
static void list_panels(WfPatternFile* file, const json_t* order, json_t* panels, WfName* keys,
                        bool* taken) {
    int count = 0, listed = 0, at = 0;
    for (void* i = json_object_iter(panels); i; i = json_object_iter_next(panels, i), count++)
        keys[count] = (WfName){json_object_iter_key(i), count};
    wf_sort_names(keys, count);
    for (size_t i = 0; i < json_array_size(order); i++) {
        const char* name = json_string_value(json_array_get(order, i));
        int key = name ? wf_find_name(keys, count, name, strlen(name)) : -1;
        if (key < 0 || taken[key]) continue;
        taken[key] = true;
        file->panels[listed++].name = name;
    }
    for (void* i = json_object_iter(panels); i; i = json_object_iter_next(panels, i))
        if (!taken[at++]) file->panels[listed++].name = json_object_iter_key(i);
    for (int i = 0; i < count; i++) keys[i] = (WfName){file->panels[i].name, i};
    wf_sort_names(keys, count);
}

static WeftResult read_panels(WfPatternFile* file, const WfSceneNode* node, const json_t* order) {
    WeftPattern* pattern = file->r->pattern;
    WeftResult result = wf_scene_expect(file->keys, node, JSON_OBJECT);
    if (result) return result;
    size_t count = json_object_size(node->value);
    if (count < 1) return wf_scene_fail(file->keys, node, "a pattern needs panels");
    pattern->panels = wf_alloc(file->memory, count, sizeof *pattern->panels);
    file->panels = wf_alloc(file->memory, count, sizeof *file->panels);
    file->r->guessed = wf_alloc(file->memory, count, sizeof *file->r->guessed);
    file->r->names = wf_alloc(file->memory, count, sizeof *file->r->names);
    bool* taken = wf_alloc(file->memory, count, sizeof *taken);
    bool good = pattern->panels && file->panels && file->r->guessed && file->r->names && taken;
    if (good) list_panels(file, order, (json_t*)node->value, file->r->names, taken);
    wf_free(file->memory, taken);
    if (!good) return wf_fail_memory(file->keys->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfFilePanel* panel = &file->panels[file->panel_count++];
        WfSceneNode item = wf_scene_member(node, panel->name);
        if (!wf_is_plain(panel->name, false))
            return wf_scene_fail_key(file->keys, &item, "a name with control characters in it");
        result = read_panel(file, &item, panel, &pattern->panels[pattern->panel_count++]);
        file->r->guessed[file->panel_count - 1] = panel->turned;
    }
    return result;
}

static void free_file(WfPatternFile* file) {
    for (int i = 0; file->panels && i < file->panel_count; i++) {
        wf_free(file->memory, file->panels[i].vertices);
        wf_free(file->memory, file->panels[i].edges);
        wf_free(file->memory, file->panels[i].places);
    }
    wf_free(file->memory, file->panels);
}

WeftResult wf_read_garmentcode(WfPatternReader* reader, const WfSceneNode* top) {
    WfPatternFile file = {
        .r = reader, .keys = &reader->keys, .memory = &reader->pattern->allocator};
    WfSceneNode pattern = wf_scene_member(top, "pattern");
    WfSceneNode properties = wf_scene_member(top, "properties");
    WfSceneNode panels = wf_scene_member(&pattern, "panels");
    WfSceneNode stitches = wf_scene_member(&pattern, "stitches");
    const json_t* order = json_object_get(pattern.value, "panel_order");
    if (!panels.value) return wf_scene_fail(&reader->keys, &pattern, "\"panels\" is missing here");
    file.later = order != NULL;
    WeftResult result = read_properties(&file, &properties);
    if (!result) result = read_panels(&file, &panels, order);
    if (!result) result = read_stitches(&file, &stitches);
    if (!result) choose_turns(&file);
    free_file(&file);
    return result;
}

// Fronts go together now, so that opposite ends meet; but for panels that plainly lie otherwise,
// and those whose direction is a guess.
void wf_direct_garmentcode(const WfPatternReader* reader) {
    const WeftPattern* pattern = reader->pattern;
    for (int i = 0; i < pattern->seam_count; i++) {
        WeftSeam* seam = &pattern->seams[i];
        WfSeamSign sign = wf_seam_sign(pattern, seam);
        WfSeamSign usual = seam->right_wrong ? WF_SEAM_CLEARLY_SAME : WF_SEAM_CLEARLY_OPPOSITE;
        bool guessed = false;
        for (int k = 0; k < 2; k++) guessed |= reader->guessed[seam->chain[k][0].panel];
        if (sign != usual && (sign != WF_SEAM_OPEN || guessed)) continue;
        seam->ends = seam->right_wrong ? WEFT_SEAM_SAME : WEFT_SEAM_OPPOSITE;
    }
}
