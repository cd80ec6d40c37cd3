// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Looks of fabrics: the key "look" of fabric files and scenes, and the same as text again.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/fabric.h"
#include "io/output.h"

// ---------------------------------------------------------------------------------------------
// Reading

// "#b8573f"
static WeftResult read_colour(WfSceneReader* reader, const WfSceneNode* node, uint32_t* colour) {
    const char* text = json_string_value(node->value);
    bool good = text && text[0] == '#' && strlen(text) == 7 &&
                strspn(text + 1, "0123456789abcdefABCDEF") == 6;
    if (!good)
        return wf_scene_fail(reader, node,
                             "\"%s\" must be a colour as \"#b8573f\": red, green and blue, two "
                             "hexadecimal digits each",
                             node->key);
    *colour = (uint32_t)strtoul(text + 1, NULL, 16);
    return WEFT_OK;
}

static WeftResult read_own_colour(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_colour(reader, node, &((WeftLook*)target)->colour);
}

// What is dyed on one side is dyed on the other, unless it is said to be different.
static WeftResult read_both_colours(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftLook* look = target;
    WeftResult result = read_own_colour(reader, node, target);
    if (!result) look->reverse = look->colour;
    return result;
}

static WeftResult read_reverse(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_colour(reader, node, &((WeftLook*)target)->reverse);
}

static WeftResult read_sheen_colour(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_colour(reader, node, &((WeftLook*)target)->sheen_colour);
}

static WeftResult read_print_colour(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_colour(reader, node, &((WeftPrint*)target)->colour);
}

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node,
                            const char* (*name)(int), int* index) {
    const char* words[8];
    int count = 0;
    while (name(count)) words[count] = name(count), count++;
    return wf_scene_word(reader, node, words, count, index);
}

static WeftResult read_weave(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    int index = 0;
    WeftResult result = read_name(reader, node, weft_weave_name, &index);
    if (!result) ((WeftLook*)target)->weave = (WeftWeave)index;
    return result;
}

static WeftResult read_kind(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    int index = 0;
    WeftResult result = read_name(reader, node, weft_print_name, &index);
    if (!result) ((WeftPrint*)target)->kind = (WeftPrintKind)index;
    return result;
}

static WeftResult read_file(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPrint* print = target;
    return wf_scene_short_text(reader, node, false, print->file, sizeof print->file);
}

static void print_defaults(void* target) { *(WeftPrint*)target = weft_default_look(0).print; }
static void look_defaults(void* target) { *(WeftLook*)target = weft_default_look(0); }

static const WfSceneKey print_keys[] = {
    WF_ROW_OWN("kind", read_kind),
    WF_ROW_OWN("colour", read_print_colour),
    WF_ROW_NUMBER(WeftPrint, size, 0.0005, 10, "m"),
    WF_ROW_OWN("file", read_file),
};

const WfSceneTable wf_scene_print_table = {
    .name = "print",
    .key_count = WF_KEY_COUNT_OF(print_keys),
    .keys = print_keys,
    .target_size = sizeof(WeftPrint),
    .set_defaults = print_defaults,
    .changes = true,
};

static WeftResult read_print(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftPrint* print = &((WeftLook*)target)->print;
    WeftResult result = wf_scene_read(reader, node, &wf_scene_print_table, print);
    if (!result && print->kind == WEFT_PRINT_PICTURE && !print->file[0])
        return wf_scene_fail(reader, node,
                             "\"file\" is missing here: the path of a PNG or JPEG file, which a "
                             "print of the kind \"picture\" repeats");
    return result;
}

// The reverse comes behind the colour that it else has.
static const WfSceneKey look_keys[] = {
    WF_ROW_OWN("colour", read_both_colours),
    WF_ROW_OWN("reverse", read_reverse),
    WF_ROW_OWN("weave", read_weave),
    WF_ROW_NUMBER(WeftLook, thread, 1e-5, 0.05, "m"),
    WF_ROW_NUMBER(WeftLook, relief, 0, 1, NULL),
    WF_ROW_NUMBER(WeftLook, roughness, 0, 1, NULL),
    WF_ROW_NUMBER(WeftLook, specular, 0, 1, NULL),
    WF_ROW_NUMBER(WeftLook, sheen, 0, 1, NULL),
    WF_ROW_OWN("sheen_colour", read_sheen_colour),
    WF_ROW_NUMBER(WeftLook, sheen_roughness, 0, 1, NULL),
    WF_ROW_NUMBER(WeftLook, anisotropy, -1, 1, NULL),
    WF_ROW_NUMBER(WeftLook, opacity, 0, 1, NULL),
    WF_ROW_NUMBER(WeftLook, translucency, 0, 1, NULL),
    WF_ROW_OWN("print", read_print),
};

const WfSceneTable wf_scene_look_table = {
    .name = "look",
    .key_count = WF_KEY_COUNT_OF(look_keys),
    .keys = look_keys,
    .target_size = sizeof(WeftLook),
    .set_defaults = look_defaults,
    .changes = true,
};

WeftResult wf_read_look(WfSceneReader* reader, const WfSceneNode* node, WeftLook* look) {
    return wf_scene_read(reader, node, &wf_scene_look_table, look);
}

// ---------------------------------------------------------------------------------------------
// Writing

static void put_key(WfOutput* out, const char* key) {
    wf_out(out, "\"");
    wf_out(out, key);
    wf_out(out, "\":");
}

static void put_text(WfOutput* out, const char* key, const char* text) {
    put_key(out, key);
    wf_out_quoted(out, text);
    wf_out(out, ",");
}

static void put_colour(WfOutput* out, const char* key, uint32_t colour) {
    char text[8];
    snprintf(text, sizeof text, "#%06x", (unsigned)(colour & 0xffffff));
    put_text(out, key, text);
}

static void put_number(WfOutput* out, const char* key, double value) {
    put_key(out, key);
    wf_out_number(out, value);
    wf_out(out, ",");
}

static void put_print(WfOutput* out, const WeftPrint* print) {
    put_key(out, "print");
    wf_out(out, "{");
    put_text(out, "kind", weft_print_name((int)print->kind));
    put_colour(out, "colour", print->colour);
    put_number(out, "size", print->size);
    put_key(out, "file");
    wf_out_quoted(out, print->file);
    wf_out(out, "}");
}

size_t weft_print_look(const WeftLook* look, char* text, size_t size) {
    WfOutput out = {text, size, 0};
    wf_out(&out, "{");
    put_colour(&out, "colour", look->colour);
    put_colour(&out, "reverse", look->reverse);
    put_text(&out, "weave", weft_weave_name((int)look->weave));
    put_number(&out, "thread", look->thread);
    put_number(&out, "relief", look->relief);
    put_number(&out, "roughness", look->roughness);
    put_number(&out, "specular", look->specular);
    put_number(&out, "sheen", look->sheen);
    put_colour(&out, "sheen_colour", look->sheen_colour);
    put_number(&out, "sheen_roughness", look->sheen_roughness);
    put_number(&out, "anisotropy", look->anisotropy);
    put_number(&out, "opacity", look->opacity);
    put_number(&out, "translucency", look->translucency);
    put_print(&out, &look->print);
    wf_out(&out, "}");
    return wf_out_end(&out);
}
