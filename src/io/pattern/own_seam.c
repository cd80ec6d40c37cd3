// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Seams and holds of our own form. Sides are named by panel and number or name, in two ways:
//
//     ["front", 3]    ["front", "side_seam"]
//     "front.3"       "front.side_seam"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "garment/mirror.h"
#include "io/pattern/read.h"
#include "io/scene_parts.h"

enum { MOST_WORDS = 64 };

// ---------------------------------------------------------------------------------------------
// Names of sides

static WeftResult fail_panel(WfSceneReader* reader, const WfSceneNode* node, const char* name) {
    const WeftPattern* pattern = wf_pattern_reader(reader)->pattern;
    const char* words[MOST_WORDS];
    int count = pattern->panel_count < MOST_WORDS ? pattern->panel_count : MOST_WORDS;
    for (int i = 0; i < count; i++) words[i] = pattern->panels[i].name;
    const char* nearest = weft_nearest_word(name, words, count);
    if (!nearest) return wf_scene_fail(reader, node, "there is no panel \"%.60s\"", name);
    return wf_scene_fail(reader, node, "there is no panel \"%.60s\"; did you mean \"%s\"?", name,
                         nearest);
}

static WeftResult fail_side(WfSceneReader* reader, const WfSceneNode* node, int panel,
                            const char* name) {
    WfPatternReader* r = wf_pattern_reader(reader);
    const char* words[MOST_WORDS];
    int count = 0;
    const WeftPanel* of = &r->pattern->panels[panel];
    for (int i = 0; i < of->side_count && count < MOST_WORDS; i++)
        if (of->sides[i].name[0]) words[count++] = of->sides[i].name;
    const char* nearest = weft_nearest_word(name, words, count);
    const char* owner = of->name;
    if (!nearest)
        return wf_scene_fail(reader, node, "panel \"%s\" has no side \"%.60s\"", owner, name);
    return wf_scene_fail(reader, node, "panel \"%s\" has no side \"%.60s\"; did you mean \"%s\"?",
                         owner, name, nearest);
}

// The panel whose name these bytes are, or -1.
static int find_panel(const WfPatternReader* r, const char* name, size_t length) {
    return wf_find_name(r->names, r->pattern->panel_count, name, length);
}

static WeftResult number_side(WfSceneReader* reader, const WfSceneNode* node, int panel,
                              long long number, WeftSideName* name) {
    const WeftPanel* owner = &wf_pattern_reader(reader)->pattern->panels[panel];
    if (number < 0 || number >= owner->side_count)
        return wf_scene_fail(reader, node, "panel \"%s\" has no side %lld, only 0 to %d",
                             owner->name, number, owner->side_count - 1);
    *name = (WeftSideName){panel, (int)number};
    return WEFT_OK;
}

static WeftResult find_side(WfSceneReader* reader, const WfSceneNode* node, int panel,
                            const char* text, WeftSideName* name) {
    const WeftPanel* of = &wf_pattern_reader(reader)->pattern->panels[panel];
    for (int i = 0; i < of->side_count; i++) {
        if (!text[0] || strcmp(of->sides[i].name, text) != 0) continue;
        *name = (WeftSideName){panel, i};
        return WEFT_OK;
    }
    size_t digits = strspn(text, "0123456789");
    if (digits > 0 && digits < 9 && !text[digits])
        return number_side(reader, node, panel, strtol(text, NULL, 10), name);
    return fail_side(reader, node, panel, text);
}

static bool has_side(const WeftPanel* panel, const char* name) {
    for (int i = 0; i < panel->side_count; i++)
        if (name[0] && strcmp(panel->sides[i].name, name) == 0) return true;
    return false;
}

// "panel.side"; names may have points in them. The first panel that has such a side, else the one
// with the longest name.
static WeftResult read_dotted(WfSceneReader* reader, const WfSceneNode* node, WeftSideName* name) {
    const char *text = json_string_value(node->value), *side = NULL;
    const WeftPattern* pattern = wf_pattern_reader(reader)->pattern;
    int found = -1;
    for (const char* dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
        int panel = find_panel(wf_pattern_reader(reader), text, (size_t)(dot - text));
        if (panel < 0) continue;
        found = panel;
        side = dot + 1;
        if (has_side(&pattern->panels[panel], side)) break;
    }
    if (found >= 0) return find_side(reader, node, found, side, name);
    if (!strchr(text, '.'))
        return wf_scene_fail(reader, node, "write a side as \"panel.side\" or [\"panel\", side]");
    char owner[WEFT_NAME_SIZE] = "";
    size_t length = strcspn(text, ".");
    memcpy(owner, text, length < WEFT_NAME_SIZE ? length : WEFT_NAME_SIZE - 1);
    return fail_panel(reader, node, owner);
}

// Whether a list is [panel, side], and not a chain.
static bool is_pair(const WfPatternReader* r, const json_t* value) {
    const char* first = json_string_value(json_array_get(value, 0));
    const json_t* second = json_array_get(value, 1);
    if (!first || json_array_size(value) != 2) return false;
    if (find_panel(r, first, strlen(first)) >= 0) return true;
    return json_is_number(second) || !strchr(first, '.');
}

static WeftResult read_pair(WfSceneReader* reader, const WfSceneNode* node, WeftSideName* name) {
    WfSceneNode owner = wf_scene_item(node, 0), side = wf_scene_item(node, 1);
    const char* text = json_string_value(owner.value);
    int panel = find_panel(wf_pattern_reader(reader), text, strlen(text));
    if (panel < 0) return fail_panel(reader, &owner, text);
    if (json_is_integer(side.value))
        return number_side(reader, &side, panel, json_integer_value(side.value), name);
    if (json_is_string(side.value))
        return find_side(reader, &side, panel, json_string_value(side.value), name);
    return wf_scene_fail(reader, &side, "a side is a whole number, or its name");
}

static WeftResult read_side_name(WfSceneReader* reader, const WfSceneNode* node,
                                 WeftSideName* name) {
    if (json_is_string(node->value)) return read_dotted(reader, node, name);
    if (is_pair(wf_pattern_reader(reader), node->value)) return read_pair(reader, node, name);
    return wf_scene_fail(reader, node, "write a side as \"panel.side\" or [\"panel\", side]");
}

// ---------------------------------------------------------------------------------------------
// Seams

typedef struct SeamSpec {
    WeftSeam seam;
    bool mirror;
} SeamSpec;

static WeftResult read_chain(WfSceneReader* reader, const WfSceneNode* node, WeftSeam* seam,
                             int k) {
    bool single = json_is_string(node->value) || is_pair(wf_pattern_reader(reader), node->value);
    size_t count = single ? 1 : json_array_size(node->value);
    if (count < 1) return wf_scene_fail(reader, node, "a side, or a list of sides, is due here");
    seam->chain[k] = wf_alloc(&reader->scene->allocator, count, sizeof *seam->chain[k]);
    if (!seam->chain[k]) return wf_fail_memory(reader->error);
    seam->count[k] = (int)count;
    if (single) return read_side_name(reader, node, seam->chain[k]);
    for (size_t i = 0; i < count; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftResult result = read_side_name(reader, &item, &seam->chain[k][i]);
        if (result) return result;
    }
    return WEFT_OK;
}

static WeftResult read_a(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_chain(reader, node, &((SeamSpec*)target)->seam, 0);
}
static WeftResult read_b(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_chain(reader, node, &((SeamSpec*)target)->seam, 1);
}

static WeftResult read_ends(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const char* const words[] = {"auto", "opposite", "same"};
    int index = 0;
    WeftResult result = wf_scene_word(reader, node, words, 3, &index);
    ((SeamSpec*)target)->seam.ends = (WeftSeamEnds)index;
    return result;
}

static void seam_defaults(void* target) { *(SeamSpec*)target = (SeamSpec){0}; }

static const WfSceneKey seam_keys[] = {
    WF_ROW_REQUIRED("a", read_a),
    WF_ROW_REQUIRED("b", read_b),
    WF_ROW_OWN("ends", read_ends),
    {.name = "right_wrong", .type = WF_KEY_FLAG, .offset = offsetof(SeamSpec, seam.right_wrong)},
    {.name = "fold", .type = WF_KEY_FLAG, .offset = offsetof(SeamSpec, seam.fold)},
    WF_ROW_FLAG(SeamSpec, mirror),
};

const WfSceneTable wf_pattern_seam_table = {
    .name = "seam",
    .key_count = WF_KEY_COUNT_OF(seam_keys),
    .keys = seam_keys,
    .target_size = sizeof(SeamSpec),
    .set_defaults = seam_defaults,
};

// The mirror image of a side: on the panel that mirrors its own; or, where a panel is its own
// image, the side that is called "right" where this one is called "left".
static WeftResult mirror_side_name(WfPatternReader* r, const WfSceneNode* node, WeftSideName name,
                                   WeftSideName* image) {
    const WeftPanel* panel = &r->pattern->panels[name.panel];
    const char* known = panel->sides[name.side].name;
    char swapped[WEFT_NAME_SIZE];
    if (r->mirrors[name.panel] >= 0) {
        *image = (WeftSideName){r->mirrors[name.panel], panel->side_count - 1 - name.side};
        return WEFT_OK;
    }
    strcpy(swapped, known);
    wf_swap_hands(swapped);
    if (strcmp(known, swapped) == 0)
        return wf_scene_fail(
            &r->keys, node,
            "panel \"%s\" has no \"mirror\", and its side %d is neither called left "
            "nor right",
            panel->name, name.side);
    return find_side(&r->keys, node, name.panel, swapped, image);
}

// The same seam between the mirror images. Their sides run the other way, so that chains are listed
// backwards: then they run along the sides again, and ends stay what they are.
static WeftResult mirror_seam(WfPatternReader* r, const WfSceneNode* node, const WeftSeam* from,
                              WeftSeam* to) {
    *to = *from;
    to->chain[0] = to->chain[1] = NULL;
    for (int k = 0; k < 2; k++) {
        int count = from->count[k];
        to->chain[k] = wf_alloc(&r->pattern->allocator, (size_t)count, sizeof *to->chain[k]);
        if (!to->chain[k]) return wf_fail_memory(r->keys.error);
        for (int i = 0; i < count; i++) {
            WeftResult result =
                mirror_side_name(r, node, from->chain[k][count - 1 - i], &to->chain[k][i]);
            if (result) return result;
        }
    }
    return WEFT_OK;
}

// Whether the image of a seam is that seam: one of its sides is sewn to the image of the other.
static bool joins_images(const WeftSeam* seam, const WeftSeam* image) {
    WeftSideName a = seam->chain[0][0], b = image->chain[1][image->count[1] - 1];
    WeftSideName c = image->chain[1][0];
    return (a.panel == b.panel && a.side == b.side) || (a.panel == c.panel && a.side == c.side);
}

static WeftResult read_seam(WfPatternReader* r, const WfSceneNode* node) {
    WeftPattern* pattern = r->pattern;
    SeamSpec spec;
    seam_defaults(&spec);
    WeftResult result = wf_scene_read(&r->keys, node, &wf_pattern_seam_table, &spec);
    const WeftSeam* seam = &pattern->seams[pattern->seam_count];
    pattern->seams[pattern->seam_count++] = spec.seam;
    if (result || !(spec.mirror || r->mirrored)) return result;
    result = mirror_seam(r, node, seam, &pattern->seams[pattern->seam_count++]);
    if (!result && r->mirrored && joins_images(seam, seam + 1))
        wf_free_seam(&pattern->allocator, &pattern->seams[--pattern->seam_count]);
    return result;
}

WeftResult wf_read_seams(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPattern* pattern = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    WfName* names = wf_alloc(&pattern->allocator, (size_t)pattern->panel_count, sizeof *names);
    pattern->seams = wf_alloc(&pattern->allocator, 2 * count, sizeof *pattern->seams);
    wf_pattern_reader(reader)->names = names;
    if (!pattern->seams || !names) return wf_fail_memory(reader->error);
    for (int p = 0; p < pattern->panel_count; p++) names[p] = (WfName){pattern->panels[p].name, p};
    wf_sort_names(names, pattern->panel_count);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_seam(wf_pattern_reader(reader), &item);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Holds

static WeftResult read_label(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftHold*)target)->label);
}

static WeftResult read_kind(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const char* const words[] = {"dressing", "always", "band"};
    int index = 0;
    WeftResult result = wf_scene_word(reader, node, words, 3, &index);
    ((WeftHold*)target)->kind = (WeftHoldKind)index;
    return result;
}

static void hold_defaults(void* target) {
    *(WeftHold*)target = (WeftHold){.ratio = 1, .stretch = 60};
}

static const WfSceneKey hold_keys[] = {
    WF_ROW_REQUIRED("label", read_label),
    WF_ROW_OWN("kind", read_kind),
    WF_ROW_ABOVE(WeftHold, ratio, 0, 1, NULL),
    WF_ROW_ABOVE(WeftHold, stretch, 0, 1e6, "N"),
};

const WfSceneTable wf_pattern_hold_table = {
    .name = "hold",
    .key_count = WF_KEY_COUNT_OF(hold_keys),
    .keys = hold_keys,
    .target_size = sizeof(WeftHold),
    .set_defaults = hold_defaults,
};

// A label that no side has holds nothing.
static WeftResult seek_label(WfPatternReader* r, const char* label) {
    const WeftPattern* pattern = r->pattern;
    const char* words[MOST_WORDS];
    int count = 0;
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = 0; s < pattern->panels[p].side_count; s++) {
            const char* known = pattern->panels[p].sides[s].label;
            if (strcmp(known, label) == 0) return WEFT_OK;
            if (known[0] && count < MOST_WORDS) words[count++] = known;
        }
    const char* nearest = weft_nearest_word(label, words, count);
    return wf_find(
        r->findings, r->keys.error, "hold \"%s\" holds nothing: no side has this label%s%s%s",
        label, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

WeftResult wf_read_holds(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPattern* pattern = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    pattern->holds = wf_alloc(&pattern->allocator, count, sizeof *pattern->holds);
    if (!pattern->holds) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftHold* hold = &pattern->holds[pattern->hold_count++];
        result = wf_scene_read(reader, &item, &wf_pattern_hold_table, hold);
        if (!result) result = seek_label(wf_pattern_reader(reader), hold->label);
    }
    return result;
}
