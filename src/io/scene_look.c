// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which look every triangle of a scene has: that of its cloth, or of the fabric that its panel
// names.

#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"
#include "io/show.h"

static void set_look(WeftSceneLook* look, int cloth, const WeftFabricFile* file) {
    *look = (WeftSceneLook){.cloth = cloth, .look = file->look};
    memcpy(look->fabric, file->name, sizeof look->fabric);
}

void wf_scene_set_look(WeftScene* scene, int cloth, const WeftFabricFile* file) {
    set_look(&scene->looks[cloth], cloth, file);
}

// Which of the looks of a cloth's panels has the name of this fabric; -1: none.
static int find_look(const WeftScene* scene, int cloth, const WeftFabricFile* file) {
    for (int i = cloth + 1; i < scene->look_count; i++)
        if (scene->looks[i].cloth == cloth && strcmp(scene->looks[i].fabric, file->name) == 0)
            return i;
    return -1;
}

// A new one, or -1: no memory.
static int add_look(WeftScene* scene, int cloth, const WeftFabricFile* file) {
    size_t count = (size_t)scene->look_count;
    WeftSceneLook* looks = wf_alloc(&scene->allocator, count + 1, sizeof *looks);
    if (!looks) return -1;
    memcpy(looks, scene->looks, count * sizeof *looks);
    set_look(&looks[count], cloth, file);
    wf_free(&scene->allocator, scene->looks);
    scene->looks = looks;
    return scene->look_count++;
}

bool wf_scene_set_panel_look(WeftScene* scene, WeftSceneWear* wear, int panel,
                             const WeftFabricFile* file, bool own) {
    int look = own ? -1 : find_look(scene, wear->cloth, file);
    if (look < 0) look = add_look(scene, wear->cloth, file);
    if (look >= 0) wear->looks[panel] = look;
    return look >= 0;
}

// ---------------------------------------------------------------------------------------------

void weft_scene_triangle_looks(const WeftScene* scene, int* looks) {
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftSceneWear* wear = wf_scene_find_wear(scene, c);
        int count = scene->model.cloths[c].triangle_count;
        for (int t = 0; t < count; t++) looks[t] = wear ? wear->looks[wear->garment.panels[t]] : c;
        looks += count;
    }
}

void weft_show_triangle_panels(const WeftShow* show, int* panels) {
    for (int c = 0; c < show->cloth_count; c++) {
        const WeftSceneWear* wear = wf_scene_find_wear(show->scene, c);
        const WfShownCloth *own = &show->cloths[c], *next = own + 1;
        for (int t = own->triangle; t < next->triangle; t++)
            panels[t] = wear ? wear->garment.panels[show->parts[t] - own->coarse_triangle] : -1;
    }
}

void weft_show_triangle_looks(const WeftShow* show, int* looks) {
    weft_show_triangle_panels(show, looks);
    for (int c = 0; c < show->cloth_count; c++) {
        const WeftSceneWear* wear = wf_scene_find_wear(show->scene, c);
        for (int t = show->cloths[c].triangle; t < show->cloths[c + 1].triangle; t++)
            looks[t] = wear ? wear->looks[looks[t]] : c;
    }
}
