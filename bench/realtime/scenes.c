// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The scenes, as texts: those of scenes/, changed where they have to be, a sheet on a sphere, and
// garments on a mannequin that walks. Each is kept as a file as well, so that it can be looked at.

#define _XOPEN_SOURCE 700  // realpath

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../garments/files.h"
#include "kept.h"
#include "realtime.h"

// The walk of the cape ends after 4.1 s.
#define CAPE .seconds = 4.1, .stands = true, .file = "cape"
#define WALK .seconds = 3, .stands = true, .contact = "all", .body = "female"

const RealtimeScene realtime_scenes[] = {
    {"cape", "cape", "all", CAPE, .quick = true, .ratio = "cape_over_conventional"},
    {"cape, bodies only", "cape", "bodies", CAPE, .quick = true,
     .ratio = "cape_bodies_over_conventional"},
    {"cape, fast", "cape", "fast", CAPE, .quick = true, .ratio = "cape_fast_over_conventional"},
    {"skirt", "skirt", WALK, .garments = {"skirt"}, .edge = 0.0169,
     .ratio = "skirt_over_conventional"},
    {"dress", "dress", WALK, .garments = {"dress"}, .edge = 0.02,
     .ratio = "dress_over_conventional"},
    {"coat", "coat", WALK, .garments = {"jacket"}, .edge = 0.0120,
     .ratio = "coat_over_conventional"},
    {"dress, 10 mm", "dress", WALK, .garments = {"dress"}, .edge = 0.01,
     .ratio = "dress_10mm_over_conventional"},
    {"sheet, 4225", "sheet", "all", 3, .quick = true, .columns = 64,
     .ratio = "sheet_4225_over_conventional"},
    {"sheet, 10201", "sheet", "all", 3, .columns = 100, .ratio = "sheet_10201_over_conventional"},
    {"sheet, 40401", "sheet", "all", 3, .columns = 200, .ratio = "sheet_40401_over_conventional"},
    {"three layers", "layers", .seconds = 3, .stands = true, .contact = "all", .body = "male",
     .garments = {"tshirt", "trousers", "jacket"}, .edge = 0.0172,
     .ratio = "layers_over_conventional"},
    {"heap", "heap", "all", 6, .quick = true, .file = "heap", .cloths = 3,
     .ratio = "heap_over_conventional"},
    {"funnel", "funnel", "all", 6, .quick = true, .file = "funnel",
     .ratio = "funnel_over_conventional"},
    {NULL},
};

const RealtimeScene realtime_crowds[] = {
    {"crowd", "crowd", "all", CAPE, .columns = 14, .ratio = "crowd_over_conventional"},
    {"crowd, fast", "crowd", "fast", CAPE, .columns = 14, .ratio = "crowd_fast_over_conventional"},
    {NULL},
};

enum { QUICK_COLUMNS = 24 };

const RealtimeScene* find_realtime_scene(const char* name) {
    const RealtimeScene* scene = realtime_scenes;
    while (strcmp(scene->name, name) != 0) scene++;
    return scene;
}

// ---------------------------------------------------------------------------------------------
// Texts

// Hips and a neck, beside the nine capsules of scenes/cape.json.
static void add_capsules(json_t* root) {
    json_t* bodies = json_object_get(root, "bodies");
    json_array_append_new(
        bodies, json_pack("{s:s,s:f,s:f,s:s,s:{s:{s:[i,i,i],s:i},s:[f,f,f]}}", "kind", "capsule",
                          "radius", 0.1, "length", 0.14, "motion", "walk", "place", "turn", "axis",
                          0, 0, 1, "degrees", 90, "move", 0.0, 0.92, 0.0));
    json_array_append_new(
        bodies, json_pack("{s:s,s:f,s:f,s:s,s:{s:[f,f,f]}}", "kind", "capsule", "radius", 0.05,
                          "length", 0.06, "motion", "walk", "place", "move", 0.0, 1.54, 0.0));
}

// A coarser cape of the same size, held by the vertices at its shoulders.
static void make_small_cape(json_t* root, int columns) {
    json_t* cloth = json_array_get(json_object_get(root, "cloths"), 0);
    json_t* mesh = json_object_get(cloth, "mesh");
    json_object_set_new(mesh, "columns", json_integer(columns));
    json_object_set_new(mesh, "rows", json_integer(columns + 2));
    json_object_set_new(cloth, "pins",
                        json_pack("[{s:[[f,f,f],[f,f,f]],s:s},{s:[[f,f,f],[f,f,f]],s:s}]", "box",
                                  -0.24, 1.4, -0.2, -0.1, 1.5, -0.1, "motion", "walk", "box", 0.1,
                                  1.4, -0.2, 0.24, 1.5, -0.1, "motion", "walk"));
}

static json_t* file_json(const RealtimeScene* scene) {
    char* text = read_contact_scene(scene->file, 1, false);
    json_t* root = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!root) return NULL;
    json_t* cloths = json_object_get(root, "cloths");
    while (scene->cloths && (int)json_array_size(cloths) > scene->cloths)
        json_array_remove(cloths, json_array_size(cloths) - 1);
    if (strcmp(scene->file, "cape") == 0) add_capsules(root);
    if (scene->columns) make_small_cape(root, scene->columns);
    return root;
}

// A square metre 1 cm above a sphere of 0.2 m.
static json_t* sheet_json(int columns) {
    return json_pack("{s:i,s:[{s:s,s:f}],s:[{s:{s:s,s:f,s:f,s:i,s:i},s:{s:[f,f,f]},s:s}]}", "weft",
                     1, "bodies", "kind", "sphere", "radius", 0.2, "cloths", "mesh", "kind", "grid",
                     "width", 1.0, "height", 1.0, "columns", columns, "rows", columns, "place",
                     "move", -0.5, 0.21, 0.5, "fabric", "cotton_poplin");
}

// The whole path, which is also good for a scene in another folder; NULL after telling why not.
static char* find_garment(const BenchOptions* options, const char* name) {
    char path[FILE_SIZE], *whole = NULL;
    BenchOptions own = *options;
    FileList* list = need(1, sizeof *list);
    own.only = name;
    int code = list_garments(&own, list);
    if (!code) {
        file_path(list, 0, ".json", path);
        whole = realpath(path, NULL);
        if (!whole) complain(EXIT_FAILED, "%s: there is no such file", path);
    }
    free(list);
    return whole;
}

// As `weft dress` makes it: a mannequin that walks on a floor.
static json_t* garments_json(const BenchOptions* options, const RealtimeScene* scene) {
    json_t* cloths = json_array();
    for (int i = 0; scene->garments[i]; i++) {
        char* path = find_garment(options, scene->garments[i]);
        if (!path) return NULL;
        json_array_append_new(cloths, json_pack("{s:{s:s,s:s,s:f}}", "mesh", "kind", "pattern",
                                                "file", path, "edge", scene->edge));
        free(path);
    }
    return json_pack("{s:i,s:[{s:s,s:s,s:s,s:s},{s:s,s:s}],s:o}", "weft", 1, "bodies", "kind",
                     "mannequin", "name", scene->body, "type", scene->body, "clip", "walk", "kind",
                     "plane", "name", "floor", "cloths", cloths);
}

static json_t* scene_json(const BenchOptions* options, const RealtimeScene* scene) {
    json_t* root = scene->file      ? file_json(scene)
                   : scene->columns ? sheet_json(options->quick ? QUICK_COLUMNS : scene->columns)
                                    : garments_json(options, scene);
    if (!root) return NULL;
    json_object_set_new(root, "name", json_string(scene->name));
    json_object_set_new(root, "duration", json_real(scene->seconds));
    json_object_set_new(root, "contact", json_string(scene->contact));
    return root;
}

// ---------------------------------------------------------------------------------------------
// Dressing

static WeftResult parse_json(json_t* root, const RealtimeScene* scene, WeftScene** loaded,
                             WeftError* error) {
    char* text = json_dumps(root, JSON_REAL_PRECISION(9));
    if (!text) exit(complain(EXIT_FAILED, "out of memory"));
    WeftResult result =
        weft_parse_scene(text, strlen(text), scene->name, "/", NULL, NULL, loaded, error);
    free(text);
    return result;
}

// The garments as they lie: by a name with a hash of the scene.
static bool start_path(json_t* root, char path[KEPT_PATH_SIZE]) {
    char name[64], *text = json_dumps(root, JSON_REAL_PRECISION(9) | JSON_SORT_KEYS);
    if (!text) exit(complain(EXIT_FAILED, "out of memory"));
    snprintf(name, sizeof name, "realtime-%016" PRIx64 ".start", kept_hash(text));
    free(text);
    return kept_path(name, path);
}

static bool tell_dressing(void* user, double part, const char* stage) {
    const RealtimeScene* scene = user;
    static int last = -1;
    int percent = (int)(10 * part) * 10;
    if (percent != last) show_progress("%s: dressing, %d %%, %s", scene->name, percent, stage);
    last = percent;
    return true;
}

// Put on, which takes up to minutes, and kept.
static int dress_scene(const RealtimeScene* scene, WeftScene* loaded, const char* path) {
    WeftError error;
    RealtimeScene told = *scene;
    loaded->model.jobs.thread_count = 1;
    if (weft_dress_scene(loaded, tell_dressing, &told, NULL, &error))
        return complain(EXIT_FAILED, "%s: %s", scene->name, error.message);
    if (path && weft_save_start(path, loaded, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

// One that is kept and fits no longer is made anew.
static int load_garments(const BenchOptions* options, const RealtimeScene* scene, json_t* root,
                         WeftScene** loaded) {
    char path[KEPT_PATH_SIZE];
    WeftError error;
    bool keeps = start_path(root, path);
    if (keeps) json_object_set_new(root, "start", json_string(path));
    if (keeps && !options->fresh && !parse_json(root, scene, loaded, &error)) return EXIT_GOOD;
    json_object_del(root, "start");
    if (parse_json(root, scene, loaded, &error)) return complain(EXIT_FAILED, "%s", error.message);
    int code = dress_scene(scene, *loaded, keeps ? path : NULL);
    if (keeps) json_object_set_new(root, "start", json_string(path));
    return code;
}

// "three layers": realtime-three-layers.json
static void keep_scene(json_t* root, const RealtimeScene* scene) {
    char name[64], path[KEPT_PATH_SIZE];
    snprintf(name, sizeof name, "realtime-%.40s.json", scene->name);
    for (char *from = name, *to = name; (*to = *from) != 0; from++) {
        if (*to == ' ') *to = '-';
        to += *from != ',';
    }
    if (kept_path(name, path)) json_dump_file(root, path, JSON_INDENT(4) | JSON_REAL_PRECISION(9));
}

int load_realtime_scene(const BenchOptions* options, const RealtimeScene* scene,
                        WeftScene** loaded) {
    WeftError error;
    json_t* root = scene_json(options, scene);
    if (!root) return EXIT_FAILED;
    int code = EXIT_GOOD;
    *loaded = NULL;
    if (scene->garments[0])
        code = load_garments(options, scene, root, loaded);
    else if (parse_json(root, scene, loaded, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    if (!code && !options->quick) keep_scene(root, scene);
    json_decref(root);
    return code;
}
