// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "panels" of a cloth: what single panels of a garment are made of, whatever their pattern says.

#include <string.h>

#include "garment/mirror.h"
#include "io/fabric.h"
#include "io/scene_parts.h"

enum { LISTED = 32 };

static int find_panel(const WeftPattern* pattern, const char* name) {
    for (int p = 0; p < pattern->panel_count; p++)
        if (strcmp(pattern->panels[p].name, name) == 0) return p;
    return -1;
}

static WeftResult fail_unknown(WfSceneReader* reader, const WfSceneNode* node,
                               const WeftPattern* pattern) {
    const char* names[LISTED];
    char known[WF_SCENE_TEXT];
    int count = pattern->panel_count < LISTED ? pattern->panel_count : LISTED;
    for (int p = 0; p < count; p++) names[p] = pattern->panels[p].name;
    return wf_scene_fail_key(reader, node, "the pattern has no panel \"%.40s\"; it has %s",
                             node->key, wf_scene_words_text(names, count, known));
}

static WeftResult read_panel(WfSceneReader* reader, const WfSceneNode* node, WeftSceneWear* wear) {
    int panel = find_panel(&wear->pattern, node->key);
    if (panel < 0) return fail_unknown(reader, node, &wear->pattern);
    WeftFabricFile file = {.look = weft_default_look(wear->cloth)};
    WeftResult result = wf_read_fabric(reader, node, &file);
    if (result) return result;
    bool set = wf_scene_set_panel_fabric(reader, wear, panel, &file, true);
    // halves are made of the same, or the scene would have no mirror
    if (set && wf_is_mirrored(&wear->pattern)) {
        int image = wf_panel_image(&wear->pattern, panel);
        wear->looks[image] = wear->looks[panel];
        wear->fabrics[image] = wear->fabrics[panel];
    }
    return set ? WEFT_OK : wf_fail_memory(reader->error);
}

WeftResult wf_scene_read_panels(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    (void)cloth;
    WeftSceneWear* wear = wf_scene_present_wear(reader);
    WeftResult result = wf_scene_expect(reader, node, JSON_OBJECT);
    if (result) return result;
    if (!wear)
        return wf_scene_fail_key(reader, node,
                                 "only garments have panels: meshes of the kind \"pattern\"");
    json_t* object = (json_t*)node->value;
    for (void* i = json_object_iter(object); i && !result; i = json_object_iter_next(object, i)) {
        WfSceneNode member = wf_scene_member(node, json_object_iter_key(i));
        result = read_panel(reader, &member, wear);
    }
    return result;
}
