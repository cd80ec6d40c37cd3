// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft detail apply: show a scene by learned detail, whatever it says itself: as it is simulated
// here, or by coarse frames that are there already.

#define _POSIX_C_SOURCE 200809L

#include "detail_apply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "outputs.h"
#include "place.h"
#include "progress.h"
#include "run.h"

typedef struct ApplyOptions {
    const char *from, *mesh;  // frames, and the triangles of a .pc2; or NULL
    double rate;              // of the frames, per second; 0: the scene's
    const char* cloth;        // by number or name, or NULL
    RunOptions run;
} ApplyOptions;

// Coarse frames of a scene's only cloth, and what is shown of them.
typedef struct Apply {
    const ApplyOptions* options;
    WeftScene* scene;
    WeftShow* show;
    WeftReader* reader;
    WeftWriter** writers;
    float *texture, *floats, *normals;
    int* corners;
    double *coarse, *before, *velocities, *shown;
    double rate, seconds;
} Apply;

static int fail(const WeftError* error) {
    fprintf(stderr, "%s\n", error->message);
    return error->result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

// ---------------------------------------------------------------------------------------------
// Whether the frames are of the cloth

static int compare_triangles(const void* left, const void* right) {
    const int *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void swap_down(int* a, int* b) {
    int least = *a < *b ? *a : *b, most = *a < *b ? *b : *a;
    *a = least, *b = most;
}

// The triangles at the first `vertices`, sorted, and so are their corners: files have them in an
// order of their own, by materials. Returns how many there are.
static int sort_triangles(const int* triangles, int count, int vertices, int* sorted) {
    int found = 0;
    for (long t = 0; t < count; t++) {
        int* to = sorted + 3L * found;
        memcpy(to, triangles + 3 * t, 3 * sizeof(int));
        swap_down(&to[0], &to[1]);
        swap_down(&to[1], &to[2]);
        swap_down(&to[0], &to[1]);
        found += to[0] < vertices;
    }
    qsort(sorted, (size_t)found, 3 * sizeof(int), compare_triangles);
    return found;
}

static int compare_meshes(const Apply* apply, const char* path, int* own, int* read) {
    const WeftMesh* mesh = &apply->scene->meshes[0];
    const WeftReader* reader = apply->reader;
    const char* from = apply->options->mesh ? apply->options->mesh : apply->options->from;
    int vertices = mesh->vertex_count, count = mesh->triangle_count;
    sort_triangles(mesh->triangles, count, vertices, own);
    int found = sort_triangles(reader->triangles, reader->triangle_count, vertices, read);
    if (found != count) {
        fprintf(stderr,
                "%s: is of another mesh than the cloth of %s: it has %d triangles at its first %d "
                "vertices, and the cloth has %d\n",
                from, path, found, vertices, count);
        return EXIT_USAGE;
    }
    for (long t = 0; t < count; t++) {
        const int* at = own + 3 * t;
        if (compare_triangles(at, read + 3 * t) == 0) continue;
        fprintf(stderr,
                "%s: is of another mesh than the cloth of %s: not every triangle of one is in the "
                "other, such as that of vertices %d, %d and %d of the cloth\n",
                from, path, at[0], at[1], at[2]);
        return EXIT_USAGE;
    }
    return GO_ON;
}

static int check_frames(const Apply* apply, const char* path) {
    const WeftMesh* mesh = &apply->scene->meshes[0];
    const WeftReader* reader = apply->reader;
    if (reader->vertex_count < mesh->vertex_count) {
        fprintf(stderr, "%s: has %d vertices, and the cloth of %s has %d\n", apply->options->from,
                reader->vertex_count, path, mesh->vertex_count);
        return EXIT_USAGE;
    }
    int* own = calloc(3 * (size_t)mesh->triangle_count + 3, sizeof(int));
    int* read = calloc(3 * (size_t)reader->triangle_count + 3, sizeof(int));
    int code = own && read ? compare_meshes(apply, path, own, read)
                           : complain(EXIT_FAILED, "out of memory");
    free(own);
    free(read);
    return code;
}

// ---------------------------------------------------------------------------------------------

static int open_apply(Apply* apply, const char* file, const char* path) {
    const ApplyOptions* options = apply->options;
    WeftError error;
    int cloth;
    if (weft_load_scene(path, fabric_folders(), NULL, &apply->scene, &error)) return fail(&error);
    if (apply->scene->model.cloth_count > 1) {
        fprintf(stderr, "%s: has %d cloths; --from is for scenes with one\n", path,
                apply->scene->model.cloth_count);
        return EXIT_USAGE;
    }
    int code = choose_cloth(apply->scene, path, options->cloth, &cloth);
    if (code != GO_ON) return code;
    apply->scene->model.jobs.thread_count = options->run.step.threads;
    if (weft_set_scene_detail(apply->scene, 0, file, &error)) return fail(&error);
    if (weft_create_show(apply->scene, NULL, NULL, &apply->show, &error)) return fail(&error);
    if (weft_open_reader(options->from, options->mesh, NULL, &apply->reader, &error))
        return fail(&error);
    apply->rate = options->rate > 0 ? options->rate : 1 / apply->scene->model.step.dt;
    return check_frames(apply, path);
}

static bool allocate(Apply* apply) {
    size_t coarse = 3 * (size_t)apply->reader->vertex_count;
    size_t shown = 3 * (size_t)weft_show_vertex_count(apply->show);
    size_t points = (size_t)weft_show_material(apply->show, NULL, NULL);
    apply->writers = calloc((size_t)apply->options->run.outs.count + 1, sizeof *apply->writers);
    apply->coarse = calloc(coarse, sizeof(double));
    apply->before = calloc(coarse, sizeof(double));
    apply->velocities = calloc(coarse, sizeof(double));
    apply->shown = calloc(shown, sizeof(double));
    apply->floats = calloc(shown, sizeof(float));
    apply->normals = calloc(shown, sizeof(float));
    apply->texture = calloc(2 * points, sizeof(float));
    apply->corners = calloc(3 * (size_t)weft_show_triangle_count(apply->show), sizeof(int));
    return apply->writers && apply->coarse && apply->before && apply->velocities && apply->shown &&
           apply->floats && apply->normals && apply->texture && apply->corners;
}

static int open_files(Apply* apply) {
    const TextList* outs = &apply->options->run.outs;
    WeftWriterDef def = weft_default_writer_def();
    WeftError error;
    if (!allocate(apply)) return complain(EXIT_FAILED, "out of memory");
    def.vertex_count = weft_show_vertex_count(apply->show);
    def.triangle_count = weft_show_triangle_count(apply->show);
    def.triangles = weft_show_triangles(apply->show);
    def.texture_count = weft_show_material(apply->show, apply->texture, apply->corners);
    def.texture = apply->texture;
    def.triangle_texture = apply->corners;
    def.frame_count = apply->reader->frame_count;
    def.frame_rate = apply->rate;
    def.name = apply->scene->name;
    for (int i = 0; i < outs->count; i++)
        if (weft_open_writer(outs->texts[i], &def, &apply->writers[i], &error)) return fail(&error);
    return GO_ON;
}

// The first frame rests; others come from where the one before them was.
static void show_frame(Apply* apply, int frame) {
    const WeftDetail* detail = weft_show_detail(apply->show, 0);
    size_t count = 3 * (size_t)apply->scene->meshes[0].vertex_count;
    WeftDetailFrame now_at = {
        .positions = apply->coarse, .velocities = apply->velocities, .time = frame / apply->rate};
    memcpy(now_at.gravity, apply->scene->model.step.gravity, sizeof now_at.gravity);
    for (size_t i = 0; i < count; i++) {
        double way = frame > 0 ? apply->coarse[i] - apply->before[i] : 0;
        apply->velocities[i] = apply->rate * way;
        apply->before[i] = apply->coarse[i];
    }
    double start = now(NULL);
    const WeftJobs* jobs = &apply->scene->model.jobs;
    weft_apply_detail(detail, &now_at, jobs, apply->shown);
    weft_copy_detail(detail, apply->shown, jobs, apply->floats, apply->normals);
    apply->seconds += now(NULL) - start;
}

static int write_frames(Apply* apply) {
    const TextList* outs = &apply->options->run.outs;
    WeftError error;
    Progress progress;
    int count = apply->reader->frame_count;
    start_progress(&progress, count, apply->options->run.step.quiet);
    for (int frame = 0; frame < count; frame++) {
        if (weft_read_frame(apply->reader, frame, apply->coarse, &error)) return fail(&error);
        show_frame(apply, frame);
        for (int i = 0; i < outs->count; i++)
            if (weft_write_frame(apply->writers[i], apply->floats, apply->normals, &error))
                return fail(&error);
        show_progress(&progress, frame + 1, 1000 * apply->seconds / (frame + 1));
    }
    end_progress(&progress);
    for (int i = 0; i < outs->count; i++) {
        WeftWriter* writer = apply->writers[i];
        apply->writers[i] = NULL;
        if (weft_close_writer(writer, &error)) {
            fail(&error);
            return EXIT_FAILED;
        }
    }
    return GO_ON;
}

static void tell(const Apply* apply, const char* file) {
    int frames = apply->reader->frame_count, vertices = weft_show_vertex_count(apply->show);
    const TextList* outs = &apply->options->run.outs;
    double ms = 1000 * apply->seconds / frames;
    if (apply->options->run.json) {
        printf(
            "{\"frames\": %d, \"coarse_vertices\": %d, \"vertices\": %d, \"ms_per_frame\": "
            "%.6g}\n",
            frames, apply->scene->meshes[0].vertex_count, vertices, ms);
        return;
    }
    if (apply->options->run.quiet) return;
    printf("%s: %d frames\n", apply->options->from, frames);
    printf("  shown     %d vertices, %d triangles by detail %s, %.2g ms a frame\n", vertices,
           weft_show_triangle_count(apply->show), file, ms);
    for (int i = 0; i < outs->count; i++) printf("  wrote     %s\n", outs->texts[i]);
}

static void close_apply(Apply* apply) {
    for (int i = 0; apply->writers && i < apply->options->run.outs.count; i++)
        weft_abandon_writer(apply->writers[i]);
    free(apply->writers);
    free(apply->coarse);
    free(apply->before);
    free(apply->velocities);
    free(apply->shown);
    free(apply->floats);
    free(apply->normals);
    free(apply->texture);
    free(apply->corners);
    weft_close_reader(apply->reader);
    weft_destroy_show(apply->show);
    weft_destroy_scene(apply->scene);
}

static int apply_frames(const ApplyOptions* options, const char* file, const char* path) {
    Apply apply = {.options = options};
    int code = open_apply(&apply, file, path);
    if (code == GO_ON) code = open_files(&apply);
    if (code == GO_ON) code = write_frames(&apply);
    if (code == GO_ON) tell(&apply, file);
    close_apply(&apply);
    return code == GO_ON ? EXIT_GOOD : code;
}

// ---------------------------------------------------------------------------------------------

static bool same_file(const char* a, const char* b) {
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

// The name, without its folder, that frames go by: "cloth.0012.obj" is one of "cloth.obj".
static void name_of_frames(const char* path, char name[PATH_SIZE]) {
    snprintf(name, PATH_SIZE, "%s", base_name(path));
    if (!has_ending(name, ".obj") && !has_ending(name, ".ply")) return;
    char *ending = strrchr(name, '.'), *digit = ending;
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9') digit--;
    if (digit < ending && digit > name && digit[-1] == '.')
        memmove(digit - 1, ending, strlen(ending) + 1);
}

// Whether one would be written over the other, as a file or as frames in files of their own.
static bool overwrites(const char* out, const char* in) {
    char names[2][PATH_SIZE], folders[2][PATH_SIZE];
    if (!in) return false;
    if (same_file(out, in)) return true;
    name_of_frames(out, names[0]);
    name_of_frames(in, names[1]);
    folder_name(out, folders[0]);
    folder_name(in, folders[1]);
    return strcmp(names[0], names[1]) == 0 && same_file(folders[0], folders[1]);
}

static int check_overwriting(const ApplyOptions* options) {
    const TextList* outs = &options->run.outs;
    for (int i = 0; i < outs->count; i++) {
        const char* out = outs->texts[i];
        bool frames = options->from && overwrites(out, options->from);
        if (frames || overwrites(out, options->mesh))
            return complain(EXIT_USAGE, "--out %s would overwrite what %s reads", out,
                            frames ? "--from" : "--mesh");
    }
    return GO_ON;
}

static bool same_value(const Option* a, const Option* b) {
    size_t size = a->kind == OPTION_FLAG     ? sizeof(bool)
                  : a->kind == OPTION_TEXT   ? sizeof(const char*)
                  : a->kind == OPTION_NUMBER ? sizeof(double)
                                             : sizeof(int);
    return memcmp(a->target, b->target, size) == 0;
}

// The first option that is of a simulation, of which frames have none; or NULL.
static const char* idle_option(ApplyOptions* options) {
    const RunOptions* run = &options->run;
    StepOptions none = default_step_options();
    Option given[STEP_OPTION_COUNT], unset[STEP_OPTION_COUNT];
    if (run->lasts.count > 0) return "last";
    if (run->every > 1) return "every";
    if (run->frames >= 0) return "frames";
    if (run->duration >= 0) return "duration";
    none.quiet = run->step.quiet;
    list_step_options(&options->run.step, given);
    list_step_options(&none, unset);
    for (int i = 0; i < STEP_OPTION_COUNT; i++)
        if (strcmp(given[i].name, "threads") != 0 && !same_value(&given[i], &unset[i]))
            return given[i].name;
    return NULL;
}

static int check_frame_options(ApplyOptions* options) {
    const char* idle = idle_option(options);
    if (options->run.outs.count == 0) return complain(EXIT_USAGE, "--from needs --out FILE");
    if (idle)
        return complain(EXIT_USAGE, "--%s is of a simulation, and with --from there is none", idle);
    if (options->mesh && !has_ending(options->from, ".pc2"))
        return complain(EXIT_USAGE, "--mesh is for a .pc2: %s has triangles of its own",
                        options->from);
    return check_overwriting(options);
}

static int check_options(ApplyOptions* options) {
    if (!options->from && (options->mesh || options->rate > 0))
        return complain(EXIT_USAGE, "--mesh and --rate are of frames: --from FRAMES");
    int code = options->from ? check_frame_options(options) : GO_ON;
    if (code != GO_ON) return code;
    if (options->run.frames >= 0 && options->run.duration >= 0)
        return complain(EXIT_USAGE, "give --frames or --duration, not both");
    code = check_outputs(&options->run.outs);
    return code == GO_ON ? check_outputs(&options->run.lasts) : code;
}

static int apply_to_scene(ApplyOptions* options, const char* path) {
    WeftScene* scene = NULL;
    WeftError error;
    if (weft_load_scene(path, fabric_folders(), NULL, &scene, &error)) return fail(&error);
    int code = choose_cloth(scene, path, options->cloth, &options->run.cloth);
    if (code == GO_ON) return run_scene(&options->run, path, scene);
    weft_destroy_scene(scene);
    return code;
}

static int apply(ApplyOptions* options, const TextList* arguments) {
    if (arguments->count != 2)
        return complain(EXIT_USAGE,
                        "detail apply takes a file of learned detail and a scene; see `weft detail "
                        "apply --help`");
    int code = check_options(options);
    if (code != GO_ON) return code;
    options->run.detail = arguments->texts[0];
    if (options->from) return apply_frames(options, arguments->texts[0], arguments->texts[1]);
    return apply_to_scene(options, arguments->texts[1]);
}

static int run_apply(const Command* command, int argc, char** argv) {
    enum { OWN_COUNT = 12 };
    ApplyOptions options = {.run = default_run_options()};
    RunOptions* run = &options.run;
    Option rows[OWN_COUNT + STEP_OPTION_COUNT] = {
        {"out", OPTION_LIST, "FILE", "write .glb, .pc2, .obj or .ply; may be given again",
         &run->outs, 0, 0},
        {"last", OPTION_LIST, "FILE", "write the last frame only; may be given again", &run->lasts,
         0, 0},
        {"from", OPTION_TEXT, "FRAMES", "coarse frames that are shown, instead of a simulation",
         &options.from, 0, 0},
        {"mesh", OPTION_TEXT, "FILE", "an .obj with the vertices of a .pc2, for its triangles",
         &options.mesh, 0, 0},
        {"rate", OPTION_NUMBER, "N", "of these frames, per second; else by the steps of the scene",
         &options.rate, 1e-3, 1e6},
        {"cloth", OPTION_TEXT, "N", "which cloth, or garment by name, where there are several",
         &options.cloth, 0, 0},
        {"every", OPTION_COUNT, "N", "write every Nth frame only", &run->every, 1, 1e6},
        {"no-bodies", OPTION_FLAG, NULL, "write the cloth alone", &run->no_bodies, 0, 0},
        {"frames", OPTION_COUNT, "N", "how many steps, whatever the scene says", &run->frames, 0,
         1e9},
        {"duration", OPTION_NUMBER, "S", "how many seconds, whatever the scene says",
         &run->duration, 0, 86400},
        {"quiet", OPTION_FLAG, NULL, "print nothing but errors", &run->quiet, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the summary as data", &run->json, 0, 0},
    };
    list_step_options(&run->step, rows + OWN_COUNT);
    TextList arguments = {0};
    int code = EXIT_FAILED;
    if (init_list(&run->outs, argc) && init_list(&run->lasts, argc))
        code = parse_options(command, rows, OWN_COUNT + STEP_OPTION_COUNT, argc, argv, &arguments);
    run->step.quiet = run->quiet || run->json;
    if (code == GO_ON) code = apply(&options, &arguments);
    free_list(&arguments);
    free_list(&run->outs);
    free_list(&run->lasts);
    return code;
}

const Command detail_apply_command = {
    .name = "detail apply",
    .arguments = "FILE SCENE",
    .summary = "Simulate a scene, and write it as learned detail shows it.",
    .details =
        "FILE is learned detail of a cloth of the scene, and counts instead of what the scene\n"
        "says. With --from nothing is simulated: FRAMES are those of the scene's cloth, which has\n"
        "to be the only one, with the same triangles: what `weft run --no-detail --out` wrote, or\n"
        "a .pc2 of another simulator with --mesh. Velocities are differences of frames, and what\n"
        "is shown is not kept out of bodies there. Exits 0 when all is done, 1 when the run\n"
        "failed or was stopped, 2 when a file or an option is wrong.",
    .run = run_apply,
};
