// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Panels of our own form, and their mirror images (garment/mirror.h).

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "garment/frame.h"
#include "garment/mirror.h"
#include "io/pattern/read.h"
#include "io/scene_parts.h"

// ---------------------------------------------------------------------------------------------
// Sides

static WeftResult read_side_label(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftPanelSide*)target)->label);
}

static WeftResult read_side_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftPanelSide*)target)->name);
}

static void side_defaults(void* target) { *(WeftPanelSide*)target = (WeftPanelSide){0}; }

static const WfSceneKey side_keys[] = {
    WF_ROW_REQUIRED("to", wf_scene_read_to),
    WF_ROW_OWN("control", wf_scene_read_control),
    WF_ROW_NUMBER(WeftSide, bulge, -100, 100, NULL),
    WF_ROW_OWN("label", read_side_label),
    WF_ROW_OWN("name", read_side_name),
    WF_ROW_FLAG(WeftPanelSide, on_fold),
};

const WfSceneTable wf_pattern_side_table = {
    .name = "side",
    .key_count = WF_KEY_COUNT_OF(side_keys),
    .keys = side_keys,
    .target_size = sizeof(WeftPanelSide),
    .set_defaults = side_defaults,
};

// A curve is the first of what a side has: rows of WeftSide fit.
static WeftResult read_side(WfSceneReader* reader, const WfSceneNode* node, WeftPanelSide* side) {
    *side = (WeftPanelSide){0};
    if (json_is_array(node->value)) return wf_scene_read_to(reader, node, side);
    WeftResult result = wf_scene_read(reader, node, &wf_pattern_side_table, side);
    if (!result && side->curve.control_count > 0 && side->curve.bulge != 0)
        return wf_scene_fail(reader, node, "give \"control\" or \"bulge\", not both");
    return result;
}

static bool has_name(const WeftPanelSide* sides, int count, const char* name) {
    for (int i = 0; i < count && name[0]; i++)
        if (strcmp(sides[i].name, name) == 0) return true;
    return false;
}

static WeftResult read_sides(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPanel* panel = target;
    const WeftAllocator* memory = &wf_pattern_reader(reader)->pattern->allocator;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count < 1) return wf_scene_fail(reader, node, "a panel needs sides");
    panel->sides = wf_alloc(memory, count, sizeof *panel->sides);
    if (!panel->sides) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftPanelSide* side = &panel->sides[i];
        result = read_side(reader, &item, side);
        if (!result && has_name(panel->sides, (int)i, side->name))
            result = wf_scene_fail(reader, &item, "two sides are called \"%s\"", side->name);
        panel->side_count++;
    }
    return result;
}

static WeftResult read_holes(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPanel* panel = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    panel->holes = wf_alloc(&reader->scene->allocator, count, sizeof *panel->holes);
    if (!panel->holes) return wf_fail_memory(reader->error);
    panel->hole_count = (int)count;
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_scene_read_loop(reader, &item, &panel->holes[i]);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Places

static WeftResult read_one_turn(WfSceneReader* reader, const WfSceneNode* node,
                                double rotation[4]) {
    WfStand turn;
    WeftResult result = wf_scene_read(reader, node, &wf_scene_turn_table, &turn);
    if (result) return result;
    double length = wf_length(wf_load(turn.axis, 0)), axis[3], next[4];
    if (!(length > 0) || isinf(length))
        return wf_scene_fail(reader, node, "\"axis\" must have a length");
    for (int k = 0; k < 3; k++) axis[k] = turn.axis[k] / length;
    wf_scene_quaternion(axis, turn.degrees, next);
    wf_join_rotations(next, rotation, rotation);
    return WEFT_OK;
}

static WeftResult read_turn(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPanelPlace* place = target;
    if (!json_is_array(node->value)) return read_one_turn(reader, node, place->rotation);
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftResult result = read_one_turn(reader, &item, place->rotation);
        if (result) return result;
    }
    return WEFT_OK;
}

// What programs write: the bits stay as they are where the length is right.
static WeftResult read_rotation(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    double* rotation = ((WeftPanelPlace*)target)->rotation;
    double q[4], length = 0;
    if (wf_scene_member(node->parent, "turn").value)
        return wf_scene_fail(reader, node, "give \"turn\" or \"rotation\", not both");
    WeftResult result = wf_scene_numbers(reader, node, 4, q);
    if (result) return result;
    for (int k = 0; k < 4; k++) length += q[k] * q[k];
    if (!(length > 0) || isinf(length))
        return wf_scene_fail(reader, node, "\"rotation\" must have a length");
    length = fabs(length - 1) < 1e-9 ? 1 : sqrt(length);
    for (int k = 0; k < 4; k++) rotation[k] = q[k] / length;
    return WEFT_OK;
}

static void place_defaults(void* target) {
    *(WeftPanelPlace*)target = (WeftPanelPlace){.given = true, .rotation = {0, 0, 0, 1}};
}

static const WfSceneKey place_keys[] = {
    {.name = "move",
     .type = WF_KEY_POINT,
     .offset = offsetof(WeftPanelPlace, position),
     .low = -100,
     .high = 100,
     .unit = "m"},
    WF_ROW_OWN("turn", read_turn),
    WF_ROW_OWN("rotation", read_rotation),
    WF_ROW_NUMBER(WeftPanelPlace, curl, -100, 100, "m"),
};

const WfSceneTable wf_pattern_place_table = {
    .name = "place",
    .key_count = WF_KEY_COUNT_OF(place_keys),
    .keys = place_keys,
    .target_size = sizeof(WeftPanelPlace),
    .set_defaults = place_defaults,
};

static WeftResult read_place(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read(reader, node, &wf_pattern_place_table, &((WeftPanel*)target)->place);
}

// ---------------------------------------------------------------------------------------------
// Panels

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPanel* panel = target;
    WeftResult result = wf_pattern_text(reader, node, panel->name);
    if (!result && !panel->name[0]) return wf_scene_fail(reader, node, "a panel needs a name");
    const WeftPanel* first = wf_pattern_reader(reader)->pattern->panels;
    for (const WeftPanel* other = first; other < panel && !result; other++)
        if (strcmp(other->name, panel->name) == 0)
            return wf_scene_fail(reader, node, "two panels are called \"%s\"", panel->name);
    return result;
}
static WeftResult read_label(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftPanel*)target)->label);
}
static WeftResult read_fabric(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftPanel*)target)->fabric);
}
static WeftResult check_mirror(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    return wf_scene_expect(reader, node, JSON_STRING);
}

static void panel_defaults(void* target) {
    *(WeftPanel*)target = (WeftPanel){.place = {.rotation = {0, 0, 0, 1}}};
}

static const WfSceneKey panel_keys[] = {
    WF_ROW_REQUIRED("name", read_name),
    WF_ROW_OWN("label", read_label),
    WF_ROW_REQUIRED("sides", read_sides),
    WF_ROW_OWN("holes", read_holes),
    WF_ROW_OWN("place", read_place),
    WF_ROW_OWN("fabric", read_fabric),
    WF_ROW_NUMBER(WeftPanel, grain, -360, 360, "degrees"),
    WF_ROW_OWN("mirror", check_mirror),
};

const WfSceneTable wf_pattern_panel_table = {
    .name = "panel",
    .key_count = WF_KEY_COUNT_OF(panel_keys),
    .keys = panel_keys,
    .target_size = sizeof(WeftPanel),
    .set_defaults = panel_defaults,
};

// ---------------------------------------------------------------------------------------------
// Mirror images

// `node`: its name; NULL: that of the panel, with a tail.
static WeftResult add_mirror(WfPatternReader* r, const WfSceneNode* node) {
    WeftPattern* pattern = r->pattern;
    int source = pattern->panel_count - 1, image = pattern->panel_count;
    WeftPanel *from = &pattern->panels[source], *to = &pattern->panels[image];
    *to = (WeftPanel){0};
    pattern->panel_count++;
    if (node) {
        WeftResult result = read_name(&r->keys, node, to);
        if (result) return result;
    } else {
        wf_name_image(pattern, from->name, to->name);
    }
    r->mirrors[source] = image;
    r->mirrors[image] = source;
    WeftResult result = wf_mirror_panel(&pattern->allocator, from, to);
    if (r->mirrored) from->image = image + 1, to->image = source + 1;
    return result ? wf_fail_memory(r->keys.error) : WEFT_OK;
}

#define OFF_FOLD 0.005  // m: sides on the fold are that near to the plane

// The mean x of the corners of a panel in space, and the largest of a side on the fold.
static double measure_fold(const WeftPanel* panel, int* side, double* off) {
    double mean = 0;
    *off = 0;
    for (int s = 0; s < panel->side_count; s++)
        for (int k = 0; k < 2; k++) {
            double flat[2];
            weft_side_point(panel, s, (k + 1) / 2.0, flat);
            double x = wf_panel_place(&panel->place, flat[0], flat[1]).x;
            if (k > 0) mean += x / panel->side_count;
            if (panel->sides[s].on_fold && fabs(x) > *off) *off = fabs(x), *side = s;
        }
    return mean;
}

// What half a pattern needs, to be doubled.
static WeftResult check_half(WfPatternReader* r, const WfSceneNode* node) {
    const WeftPattern* pattern = r->pattern;
    const WeftPanel* panel = &pattern->panels[pattern->panel_count - 1];
    int side = -1;
    double off = 0;
    if (!r->mirrored) {
        for (int s = 0; s < panel->side_count; s++)
            if (panel->sides[s].on_fold)
                return wf_scene_fail(&r->keys, node,
                                     "a side is \"on_fold\", but the pattern is not \"mirror\": "
                                     "true");
        return WEFT_OK;
    }
    if (!panel->place.given)
        return wf_scene_fail(&r->keys, node,
                             "panel \"%s\" of a pattern with \"mirror\" needs a "
                             "\"place\"",
                             panel->name);
    double mean = measure_fold(panel, &side, &off);
    if (off > OFF_FOLD)
        return wf_scene_fail(&r->keys, node,
                             "side %d of panel \"%s\" is \"on_fold\", but %.1f mm from x = 0", side,
                             panel->name, 1e3 * off);
    if (mean <= 0)
        return wf_scene_fail(
            &r->keys, node,
            "panel \"%s\" is at x < 0: a pattern with \"mirror\" has the panels at "
            "x > 0",
            panel->name);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_read_panels(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPattern* pattern = target;
    WfPatternReader* r = wf_pattern_reader(reader);
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count < 1) return wf_scene_fail(reader, node, "a pattern needs panels");
    pattern->panels = wf_alloc(&pattern->allocator, 2 * count, sizeof *pattern->panels);
    r->mirrors = wf_alloc(&pattern->allocator, 2 * count, sizeof *r->mirrors);
    if (!pattern->panels || !r->mirrors) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i), mirror = wf_scene_member(&item, "mirror");
        WeftPanel* panel = &pattern->panels[pattern->panel_count++];
        r->mirrors[panel - pattern->panels] = -1;
        result = wf_scene_read(reader, &item, &wf_pattern_panel_table, panel);
        if (!result) result = check_half(r, &item);
        if (!result && (mirror.value || r->mirrored))
            result = add_mirror(r, mirror.value ? &mirror : NULL);
    }
    return result;
}
