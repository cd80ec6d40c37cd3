// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Panels of our own form, and their mirror images. A mirror image lies at u -> -u in its plane and
// at x -> -x in space. What ran counter-clockwise would then run clockwise, and the front would be
// inside; so its sides run the other way: side i of n is the image of side n - 1 - i.
//
//     +---2---+            +---1---+
//     3       1   becomes  2       0
//     +---0---+            +---3---+

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "garment/frame.h"
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

void wf_swap_hands(char text[WEFT_NAME_SIZE]) {
    char swapped[WEFT_NAME_SIZE] = "";
    size_t used = 0;
    for (const char* p = text; *p;) {
        const char* word = strncmp(p, "left", 4) == 0    ? "right"
                           : strncmp(p, "right", 5) == 0 ? "left"
                                                         : NULL;
        char one[2] = {*p, 0};
        const char* add = word ? word : one;
        if (used + strlen(add) >= WEFT_NAME_SIZE) break;
        strcpy(swapped + used, add);
        used += strlen(add);
        p += word ? (*p == 'l' ? 4 : 5) : 1;
    }
    memcpy(text, swapped, WEFT_NAME_SIZE);
}

static double negative(double x) { return x == 0 ? 0 : -x; }

// The image of a side that begins at `start`, from its end to its start.
static WeftSide mirror_side(const WeftSide* side, const double* start) {
    int count = side->control_count;
    WeftSide image = {.end = {negative(start[0]), start[1]}, .control_count = count};
    for (int i = 0; i < count; i++) {
        image.control[i][0] = negative(side->control[count - 1 - i][0]);
        image.control[i][1] = side->control[count - 1 - i][1];
    }
    image.bulge = side->bulge;  // mirrored, and the other way round
    return image;
}

static WeftResult mirror_sides(WfPatternReader* r, const WeftPanel* from, WeftPanel* to) {
    const WeftAllocator* memory = &r->pattern->allocator;
    int count = from->side_count;
    to->sides = wf_alloc(memory, (size_t)count, sizeof *to->sides);
    if (!to->sides) return wf_fail_memory(r->keys.error);
    to->side_count = count;
    for (int s = 0; s < count; s++) {
        WeftPanelSide* side = &to->sides[count - 1 - s];
        *side = from->sides[s];
        side->curve = mirror_side(&from->sides[s].curve, wf_side_start(from, s));
        wf_swap_hands(side->label);
    }
    return WEFT_OK;
}

static WeftResult mirror_holes(WfPatternReader* r, const WeftPanel* from, WeftPanel* to) {
    const WeftAllocator* memory = &r->pattern->allocator;
    to->holes = wf_alloc(memory, (size_t)from->hole_count, sizeof *to->holes);
    if (!to->holes) return wf_fail_memory(r->keys.error);
    for (int h = 0; h < from->hole_count; h++) {
        const WeftLoop* loop = &from->holes[h];
        int count = loop->side_count;
        WeftSide* sides = wf_alloc(memory, (size_t)count, sizeof *sides);
        if (!sides) return wf_fail_memory(r->keys.error);
        to->holes[to->hole_count++] = (WeftLoop){count, sides};
        for (int s = 0; s < count; s++)
            sides[count - 1 - s] =
                mirror_side(&loop->sides[s], loop->sides[s > 0 ? s - 1 : count - 1].end);
    }
    return WEFT_OK;
}

// With S the mirror and R the rotation, S R S is a rotation about the mirrored axis by the opposite
// angle.
static void mirror_place(WeftPanelPlace* place) {
    place->position[0] = negative(place->position[0]);
    place->rotation[1] = negative(place->rotation[1]);
    place->rotation[2] = negative(place->rotation[2]);
}

static WeftResult add_mirror(WfPatternReader* r, const WfSceneNode* node) {
    WeftPattern* pattern = r->pattern;
    int source = pattern->panel_count - 1, image = pattern->panel_count;
    const WeftPanel* from = &pattern->panels[source];
    WeftPanel* to = &pattern->panels[image];
    *to = *from;
    to->sides = NULL, to->holes = NULL, to->side_count = to->hole_count = 0;
    pattern->panel_count++;
    WeftResult result = read_name(&r->keys, node, to);
    if (result) return result;
    wf_swap_hands(to->label);
    mirror_place(&to->place);
    to->grain = negative(to->grain);
    r->mirrors[source] = image;
    r->mirrors[image] = source;
    result = mirror_sides(r, from, to);
    return result ? result : mirror_holes(r, from, to);
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
        if (!result && mirror.value) result = add_mirror(r, &mirror);
    }
    return result;
}
