// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft dress: from pattern files to a dressed body that moves. It writes a scene of the patterns
// and the body, and runs it.

#define _XOPEN_SOURCE 700  // realpath

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "outputs.h"
#include "place.h"
#include "run.h"

typedef struct DressOptions {
    const char *body, *clip, *fabric, *scene, *start;  // or NULL
    double height, chest, waist, hips, body_edge;      // of mannequins, m; 0: as usual
    double edge, seconds;
    bool mirror;
    const char* closure;  // of a mirror; or NULL
    RunOptions run;
} DressOptions;

static const char* const mannequins[] = {[WEFT_MANNEQUIN_FEMALE] = "female",
                                         [WEFT_MANNEQUIN_MALE] = "male",
                                         [WEFT_MANNEQUIN_CHILD] = "child"};
#define WIDEST 1e6  // of measures that are read; the mannequin knows better

// Its kind, or -1.
static int find_mannequin(const char* body) {
    for (int i = WEFT_MANNEQUIN_FEMALE; i <= WEFT_MANNEQUIN_CHILD; i++)
        if (strcmp(mannequins[i], body) == 0) return i;
    return -1;
}
static bool is_mannequin(const char* body) { return find_mannequin(body) >= 0; }

// ---------------------------------------------------------------------------------------------
// The scene

// Files are looked up beside the scene: where that goes to another folder, they have their whole
// paths.
static json_t* file_json(const DressOptions* options, const char* path) {
    bool elsewhere = options->scene && strchr(options->scene, '/') && path[0] != '/';
    char* whole = elsewhere ? realpath(path, NULL) : NULL;
    json_t* json = json_string(whole ? whole : path);
    free(whole);
    return json;
}

static void set_measure(json_t* body, const char* name, double value) {
    if (value != 0) json_object_set_new(body, name, json_real(value));
}

// A clip is a name, or a file with animations.
static void set_clip(const DressOptions* options, json_t* body) {
    const char* clip = options->clip;
    if (strchr(clip, '/') || strchr(clip, '.'))
        json_object_set_new(body, "clip_file", file_json(options, clip));
    else
        json_object_set_new(body, "clip", json_string(clip));
}

static json_t* body_json(const DressOptions* options) {
    bool mannequin = is_mannequin(options->body);
    json_t* body = json_pack("{s:s,s:s}", "kind", mannequin ? "mannequin" : "mesh", "name",
                             mannequin ? options->body : base_name(options->body));
    if (!mannequin) json_object_set_new(body, "file", file_json(options, options->body));
    if (mannequin) {
        json_object_set_new(body, "type", json_string(options->body));
        set_measure(body, "height", options->height);
        set_measure(body, "chest", options->chest);
        set_measure(body, "waist", options->waist);
        set_measure(body, "hips", options->hips);
        set_measure(body, "edge", options->body_edge);
    }
    if (options->clip) set_clip(options, body);
    return body;
}

static json_t* cloth_json(const DressOptions* options, const char* pattern) {
    json_t* cloth = json_pack("{s:{s:s,s:o,s:f}}", "mesh", "kind", "pattern", "file",
                              file_json(options, pattern), "edge", options->edge);
    if (options->fabric) json_object_set_new(cloth, "fabric", json_string(options->fabric));
    return cloth;
}

static json_t* scene_json(const DressOptions* options, char* const* patterns, int count) {
    json_t *bodies = json_array(), *cloths = json_array();
    json_array_append_new(bodies, body_json(options));
    if (is_mannequin(options->body))
        json_array_append_new(bodies, json_pack("{s:s,s:s}", "kind", "plane", "name", "floor"));
    for (int i = 0; i < count; i++) json_array_append_new(cloths, cloth_json(options, patterns[i]));
    json_t* scene = json_pack("{s:i,s:f,s:s,s:o,s:o}", "weft", 1, "duration", options->seconds,
                              "contact", "all", "bodies", bodies, "cloths", cloths);
    if (options->closure)
        json_object_set_new(scene, "mirror", json_pack("{s:s}", "closure", options->closure));
    else if (options->mirror)
        json_object_set_new(scene, "mirror", json_string("exact"));
    return scene;
}

static int write_scene(const DressOptions* options, json_t* scene) {
    const char* path = options->scene;
    FILE* file = fopen(path, "w");
    bool good = file && json_dumpf(scene, file, JSON_INDENT(4) | JSON_REAL_PRECISION(9)) == 0 &&
                fputs("\n", file) >= 0;
    if (file && fclose(file) != 0) good = false;
    return good ? GO_ON : complain(EXIT_FAILED, "%s: cannot be written", path);
}

// ---------------------------------------------------------------------------------------------
// What came of it

static void tell_wear(const WeftScene* scene, const WeftSceneWear* wear, double seconds) {
    const WeftMesh* mesh = &scene->meshes[wear->cloth];
    printf("%s: %d panels, %d seams, %d vertices; put on in %.1f s, stretched by %.0f %%\n",
           wear->pattern.name, wear->pattern.panel_count, wear->pattern.seam_count,
           mesh->vertex_count, seconds, 100 * (wear->stretch - 1));
    if (wear->open_seam < 0 || wear->open < 1e-3) return;
    const WeftSeam* seam = &wear->pattern.seams[wear->open_seam];
    char a[WEFT_SIDE_TEXT], b[WEFT_SIDE_TEXT];
    weft_side_text(&wear->pattern, seam->chain[0][0], a);
    weft_side_text(&wear->pattern, seam->chain[1][0], b);
    printf("  the seam of %s and %s is open by %.1f mm\n", a, b, 1000 * wear->open);
}

static int fail(const WeftError* error) {
    return complain(error->result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE, "%s",
                    error->message);
}

static int put_on(DressOptions* options, WeftScene* scene) {
    const StepOptions* step = &options->run.step;
    scene->model.jobs.thread_count = step->threads;
    double start = now(NULL);
    int code = dress_scene(scene, "weft dress", step);
    double seconds = now(NULL) - start;
    for (int i = 0; i < scene->wear_count && code == GO_ON && !step->quiet; i++)
        tell_wear(scene, &scene->wears[i], seconds);
    return code;
}

// ---------------------------------------------------------------------------------------------

// How the garments lie, in a file of its own that the scene names.
static int write_start(const DressOptions* options, const WeftScene* dressed, json_t* scene) {
    WeftError error;
    if (weft_save_start(options->start, dressed, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILED;
    }
    json_object_set_new(scene, "start", file_json(options, options->start));
    return options->scene ? write_scene(options, scene) : GO_ON;
}

// A file has its own name; nobody sees the lines of this text.
static int parse_and_put_on(DressOptions* options, json_t* data, WeftScene** scene) {
    WeftError error;
    json_object_set_new(data, "name", json_string("weft dress"));
    char* text = json_dumps(data, JSON_REAL_PRECISION(9));
    json_object_del(data, "name");
    if (!text) return complain(EXIT_FAILED, "out of memory");
    tell_reading(&options->run.step, false);
    WeftResult result =
        weft_parse_scene(text, strlen(text), NULL, NULL, fabric_folders(), NULL, scene, &error);
    tell_reading(&options->run.step, true);
    free(text);
    return result ? fail(&error) : put_on(options, *scene);
}

static int dress(DressOptions* options, char* const* patterns, int count) {
    WeftScene* scene = NULL;
    json_t* data = scene_json(options, patterns, count);
    int code = data ? GO_ON : complain(EXIT_FAILED, "out of memory");
    if (code == GO_ON && options->scene) code = write_scene(options, data);
    if (code == GO_ON) code = parse_and_put_on(options, data, &scene);
    if (code == GO_ON && options->start) code = write_start(options, scene, data);
    json_decref(data);
    if (code != GO_ON) {
        weft_destroy_scene(scene);
        return code;
    }
    return run_scene(&options->run, "weft dress", scene);
}

static int find_patterns(const TextList* arguments, char** patterns) {
    int code = GO_ON;
    for (int i = 0; i < arguments->count && code == GO_ON; i++) {
        patterns[i] = malloc(PATH_SIZE);
        code = patterns[i] ? find_pattern(arguments->texts[i], patterns[i])
                           : complain(EXIT_FAILED, "out of memory");
    }
    return code;
}

static int check_measures(const DressOptions* options) {
    int kind = find_mannequin(options->body);
    bool measured = options->height || options->chest || options->waist || options->hips ||
                    options->body_edge;
    if (kind < 0 && measured)
        return complain(EXIT_USAGE,
                        "--height, --chest, --waist, --hips and --body-edge are for female, male "
                        "and child: %s is as it is",
                        options->body);
    if (kind < 0) return GO_ON;
    WeftError error;
    WeftMannequinDef def = weft_default_mannequin_def((WeftMannequinKind)kind);
    def.height = options->height, def.chest = options->chest;
    def.waist = options->waist, def.hips = options->hips;
    if (options->body_edge) def.edge = options->body_edge;
    return weft_check_mannequin(&def, &error) ? fail(&error) : GO_ON;
}

// What cannot be meant, alone or together.
static int check_options(const DressOptions* options) {
    int code = check_measures(options);
    if (code != GO_ON) return code;
    if (options->start && options->scene && strcmp(options->start, options->scene) == 0)
        return complain(EXIT_USAGE, "--scene and --dressed are both %s", options->scene);
    code = check_outputs(&options->run.outs);
    return code == GO_ON ? check_outputs(&options->run.lasts) : code;
}

// With the names of the garments that are there.
static const char* write_details(const char* details) {
    static char text[2048];
    char names[GARMENT_ROOM][64];
    int count = garment_names(names, GARMENT_ROOM);
    size_t length = (size_t)snprintf(text, sizeof text, "%s\nGarments:", details);
    for (int i = 0; i < count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %s%s", names[i],
                                   i < count - 1 ? "," : ".");
    return text;
}

static int run_dress(const Command* command, int argc, char** argv) {
    enum { OWN_COUNT = 20 };
    Command told = *command;
    told.details = write_details(command->details);
    DressOptions options = {.body = "female", .edge = 0.02, .seconds = 4};
    options.run = default_run_options();
    RunOptions* run = &options.run;
    Option rows[OWN_COUNT + STEP_OPTION_COUNT] = {
        {"body", OPTION_TEXT, "BODY", "female, male, child, or a file: OBJ, PLY, GLB, FBX ...",
         &options.body, 0, 0},
        {"clip", OPTION_TEXT, "CLIP",
         "what it does: a clip of the body (walk, turn, hop, squat), or a file", &options.clip, 0,
         0},
        {"fabric", OPTION_TEXT, "NAME", "for all garments; see `weft fabrics`", &options.fabric, 0,
         0},
        {"edge", OPTION_NUMBER, "M", "length of the edges of the mesh, 0.02", &options.edge, 0.002,
         0.2},
        {"duration", OPTION_NUMBER, "S",
         "seconds of motion, 4; 0: one frame, as it was put on; without a clip, it stands",
         &options.seconds, 0, 86400},
        {"height", OPTION_NUMBER, "M",
         "1.40 to 2.00 of female, 1.45 to 2.15 of male, 0.85 to 1.65 of child", &options.height,
         -WIDEST, WIDEST},
        {"chest", OPTION_NUMBER, "M", "girth, 0.44 to 0.72 of the height", &options.chest, -WIDEST,
         WIDEST},
        {"waist", OPTION_NUMBER, "M", "girth, 0.34 to 0.68 of the height", &options.waist, -WIDEST,
         WIDEST},
        {"hips", OPTION_NUMBER, "M", "girth, 0.46 to 0.72 of the height", &options.hips, -WIDEST,
         WIDEST},
        {"body-edge", OPTION_NUMBER, "M", "of the triangles of a mannequin, 0.019",
         &options.body_edge, 0.006, 0.04},
        {"mirror", OPTION_FLAG, NULL,
         "simulate one half, where garments, body and motion are symmetric (docs/mirror.md)",
         &options.mirror, 0, 0},
        {"closure", OPTION_TEXT, "NAME",
         "of fronts that meet in the mirror: open, zip or button; --mirror goes with it",
         &options.closure, 0, 0},
        {"out", OPTION_LIST, "FILE", "write .glb, .pc2, .obj or .ply; may be given again",
         &run->outs, 0, 0},
        {"last", OPTION_LIST, "FILE", "write the last frame only; may be given again", &run->lasts,
         0, 0},
        {"scene", OPTION_TEXT, "FILE", "write it as a scene, for `weft run` and `weft view`",
         &options.scene, 0, 0},
        {"dressed", OPTION_TEXT, "FILE", "write how the garments lie; the scene then begins so",
         &options.start, 0, 0},
        {"every", OPTION_COUNT, "N", "write every Nth frame only", &run->every, 1, 1e6},
        {"no-bodies", OPTION_FLAG, NULL, "write the cloth alone", &run->no_bodies, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "print nothing but errors", &run->quiet, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the summary as data", &run->json, 0, 0},
    };
    list_step_options(&run->step, rows + OWN_COUNT);
    TextList arguments = {0};
    char** patterns = NULL;
    int code = EXIT_FAILED;
    if (init_list(&run->outs, argc) && init_list(&run->lasts, argc))
        code = parse_options(&told, rows, OWN_COUNT + STEP_OPTION_COUNT, argc, argv, &arguments);
    run->step.quiet = run->quiet || run->json;
    if (code == GO_ON && arguments.count < 1)
        code = complain(EXIT_USAGE, "dress takes pattern files; see `weft dress --help`");
    if (code == GO_ON) code = check_options(&options);
    if (code == GO_ON) {
        patterns = calloc((size_t)arguments.count, sizeof *patterns);
        code = patterns ? find_patterns(&arguments, patterns) : EXIT_FAILED;
    }
    if (code == GO_ON) code = dress(&options, patterns, arguments.count);
    for (int i = 0; i < arguments.count && patterns; i++) free(patterns[i]);
    free(patterns);
    free_list(&arguments);
    free_list(&run->outs);
    free_list(&run->lasts);
    return code;
}

const Command dress_command = {
    .name = "dress",
    .arguments = "PATTERN...",
    .summary = "Put garments on a body, and let it move.",
    .details =
        "Patterns are files (docs/pattern.md), or names of garments that come with weft. Several\n"
        "are layers, from the skin outwards. A body is one of the mannequins, whose measures may\n"
        "be given, or a file.\n"
        "Exits 0 when all is done, 1 when the run failed, 2 when a pattern, a body or an option "
        "is\n"
        "wrong, or the garment cannot be put on.",
    .run = run_dress,
};
