// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft detail train: simulates a scene in many ways, coarse and dense side by side, and learns what
// the dense cloth has that the coarse one has not.
//
//     for every motion: the scene varied, a pair of it, steps; every second frame is learned from
//     some motions are held out: by them the ridge is chosen, and the error is told
//
// Motions are held out as a whole: frames beside each other are alike, and a held-out frame between
// two learned ones tells nothing of motions that were not learned.

#define _POSIX_C_SOURCE 200809L

#include "detail_train.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "findings.h"
#include "place.h"
#include "progress.h"
#include "session.h"
#include "stop.h"
#include "training_file.h"
#include "variation.h"

static const double SETTLING = 0.5;  // s at the start of each motion, in which nothing is learned
static const double TANGLED = 0.02;  // of the triangles: what crosses more is not learned from
enum { WHOLE_MOTIONS = 4 };          // so many at least, and whole ones are held out

typedef struct TrainOptions {
    const char *out, *cloth, *name;
    int parts, motions, every, modes;
    double ridge, held_out;
    bool restart, json, quiet;
    int threads;
} TrainOptions;

typedef struct Training {
    const TrainOptions* options;
    const char* path;
    WeftScene* scene;
    int cloth;
    double edge;  // m, of the coarse mesh: offsets that are larger are no detail
    Unvaried unvaried;
    WeftLearner* learner;
    TrainingFile file;
    Findings findings;
    Progress progress;
    int taken;  // steps of this run
    double started;
    WeftLearnReport report;
    int modes;       // that were found
    char why[1024];  // the last motion that ended early did; "" where none did in this run
} Training;

static int fail(const char* path, const WeftError* error) {
    bool placed = strncmp(error->message, path, strlen(path)) == 0;
    fprintf(stderr, "%s%s%s\n", placed ? "" : path, placed ? "" : ": ", error->message);
    bool input = error->result == WEFT_ERROR_INPUT || error->result == WEFT_ERROR_FILE;
    return input ? EXIT_USAGE : EXIT_FAILED;
}

// ---------------------------------------------------------------------------------------------
// Which frames

static int held_out_of(double part, int all) {
    int count = (int)lround(part * all);
    if (part <= 0 || all < 2) return 0;
    return count < 1 ? 1 : count >= all ? all - 1 : count;
}

// Which of its steps a motion is looked at after: from `first` on, `count` of them.
typedef struct Looks {
    int steps, first, count;
} Looks;

static Looks looks_of(const Training* training, const Variation* variation) {
    Looks looks = {.steps = variation_frames(training->scene, variation)};
    double settling = round(SETTLING / training->scene->model.step.dt);
    int quarter = looks.steps / 4, every = training->options->every;
    looks.first = settling < quarter ? (int)settling : quarter;
    looks.count = (looks.steps - looks.first + every - 1) / every;
    return looks;
}

// Whole motions, spread over all of them, the last one for sure; of few motions, the end of each.
static bool is_held_out(const TrainOptions* options, int motion, const Looks* looks, int look) {
    int all = options->motions, count = held_out_of(options->held_out, all);
    if (all < WHOLE_MOTIONS)
        return look >= looks->count - held_out_of(options->held_out, looks->count);
    return (motion + 1) * count / all > motion * count / all;
}

// Before anything is simulated: whether there will be frames of both kinds.
static int check_looks(const Training* training) {
    const TrainOptions* options = training->options;
    const WeftScene* scene = training->scene;
    Variation plain = make_variation(scene, &training->unvaried, training->cloth, 0);
    Looks looks = looks_of(training, &plain);
    if (weft_scene_frames(scene) < 1)
        return complain(EXIT_USAGE,
                        "%s: a duration of %g s has no step to learn from; make it longer",
                        training->path, scene->duration);
    if (options->ridge > 0 || options->motions >= WHOLE_MOTIONS || looks.count > 1) return GO_ON;
    return complain(EXIT_USAGE,
                    "%s: %d steps with --every %d are too few to learn from and to hold out; "
                    "make the duration longer, or take %d motions or more",
                    training->path, looks.steps, options->every, (int)WHOLE_MOTIONS);
}

typedef enum FrameKind { FRAME_GOOD, FRAME_TANGLED, FRAME_LOST } FrameKind;

// How far the dense cloth is from the coarse one, where both have vertices: the root of the mean.
static double apart(const Training* training, const WeftPair* pair) {
    int count = training->scene->meshes[training->cloth].vertex_count;
    double sum = 0;
    for (long i = 0; i < 3L * count; i++) {
        double d = pair->dense[i] - pair->frame.positions[i];
        sum += d * d;
    }
    return sqrt(sum / count);
}

static FrameKind judge_frame(Training* training, const WeftPair* pair) {
    WeftError error;
    int vertices = weft_first_vertex(pair->dense_model, pair->cloth + 1), before = 0;
    int parts = pair->parts, own = training->scene->meshes[training->cloth].triangle_count;
    int count = own * parts * parts;
    if (!(apart(training, pair) < training->edge)) return FRAME_LOST;
    if (training->scene->model.contact != WEFT_CONTACT_ALL) return FRAME_GOOD;
    for (int c = 0; c < pair->cloth; c++) before += training->scene->meshes[c].triangle_count;
    WeftSurface surface = {vertices, weft_positions(pair->dense_state), count,
                           weft_triangles(pair->dense_model) + 3 * (size_t)before, false};
    if (find_crossings(&training->findings, &surface, 1, &error)) return FRAME_LOST;
    return training->findings.crossing_count > TANGLED * count ? FRAME_TANGLED : FRAME_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Motions

static void show(Training* training) {
    double spent = now(NULL) - training->started;
    training->taken++;
    show_progress(&training->progress, training->taken, 1000 * spent / training->taken);
}

// What goes wrong in a motion ends that motion; the others are learned from all the same.
static void lose_motion(Training* training, int motion, double time, const char* why) {
    end_progress(&training->progress);
    training->file.lost++;
    snprintf(training->why, sizeof training->why, "motion %d ended at %.2f s: %s", motion + 1, time,
             why);
    fprintf(stderr, "%s: %s\n", training->path, training->why);
}

static int take_steps(Training* training, WeftPair* pair, const Variation* variation, int motion) {
    const TrainOptions* options = training->options;
    Looks looks = looks_of(training, variation);
    for (int i = 0; i < looks.steps && !stop_wanted(); i++) {
        WeftError error;
        double time = weft_time(pair->coarse_state);
        direct_variation(training->scene, &training->unvaried, variation, time);
        if (weft_step_pair(pair, &error)) {
            lose_motion(training, motion, time, error.message);
            return GO_ON;
        }
        show(training);
        int since = i - looks.first, look = since / options->every;
        if (since < 0 || since % options->every != 0) continue;
        FrameKind kind = judge_frame(training, pair);
        if (kind == FRAME_LOST) {
            lose_motion(training, motion, time, "the dense cloth is not where the coarse one is");
            return GO_ON;
        }
        training->file.tangled += kind == FRAME_TANGLED;
        if (kind == FRAME_GOOD)
            weft_learn(training->learner, &pair->frame, pair->dense,
                       is_held_out(options, motion, &looks, look), &training->scene->model.jobs);
    }
    return GO_ON;
}

static int take_motion(Training* training, int motion) {
    Variation variation =
        make_variation(training->scene, &training->unvaried, training->cloth, motion);
    WeftPair* pair = NULL;
    WeftError error;
    begin_variation(training->scene, &training->unvaried, &variation);
    if (weft_create_pair(training->scene, training->cloth, training->options->parts, NULL, &pair,
                         &error)) {
        if (motion == 0) remove_training(&training->file);  // there is nothing in it
        return fail(training->path, &error);
    }
    int code = take_steps(training, pair, &variation, motion);
    weft_destroy_pair(pair);
    return code;
}

static int count_steps(const Training* training) {
    int count = 0;
    for (int m = training->file.motions; m < training->options->motions; m++) {
        Variation variation =
            make_variation(training->scene, &training->unvaried, training->cloth, m);
        count += variation_frames(training->scene, &variation);
    }
    return count;
}

static int stop(const Training* training) {
    fprintf(
        stderr, "%s: stopped after %d of %d motions; the same command goes on from %s.training\n",
        training->path, training->file.motions, training->options->motions, training->options->out);
    return EXIT_FAILED;
}

static int take_motions(Training* training) {
    TrainingFile* file = &training->file;
    double before = file->seconds;
    int code = GO_ON, steps = count_steps(training);
    if (file->motions > 0 && !training->options->quiet)
        fprintf(stderr, "%s: goes on after %d of %d motions\n", training->path, file->motions,
                training->options->motions);
    training->started = now(NULL);
    start_progress(&training->progress, steps > 0 ? steps : 1, training->options->quiet);
    training->progress.unit = "pair of steps";
    while (file->motions < training->options->motions && code == GO_ON) {
        code = take_motion(training, file->motions);
        if (code == GO_ON && stop_wanted()) code = stop(training);
        if (code != GO_ON) break;
        file->motions++;
        file->seconds = before + now(NULL) - training->started;
        code = keep_training(file, training->learner);
    }
    end_progress(&training->progress);
    return code;
}

// ---------------------------------------------------------------------------------------------
// What came of it

static void print_report(const Training* training, const WeftDetail* detail) {
    const WeftLearnReport* report = &training->report;
    const WeftMesh* mesh = &training->scene->meshes[training->cloth];
    printf("%s: %d vertices are shown as %d, every edge in %d\n", training->path,
           mesh->vertex_count, weft_detail_vertex_count(detail), training->options->parts);
    printf("  frames    %" PRId64 " of %d %s, and %" PRId64 " held out\n", report->frames,
           training->file.motions, training->file.motions == 1 ? "motion" : "motions",
           report->held_out);
    if (training->file.tangled > 0)
        printf("  left out  %d %s, in which the dense cloth crosses itself\n",
               training->file.tangled, training->file.tangled == 1 ? "frame" : "frames");
    if (training->file.lost > 0)
        printf("  cut short %d %s\n", training->file.lost,
               training->file.lost == 1 ? "motion" : "motions");
    if (report->ridge_count > 0) printf("  ridge    ");
    for (int i = 0; i < report->ridge_count; i++)
        printf("%s %g: %.3f", i > 0 ? "," : "", report->ridges[i], report->errors[i]);
    if (report->ridge_count > 0) putchar('\n');
    if (report->error >= 0)
        printf("  error     %.3f of what flat triangles leave, with the ridge %g\n", report->error,
               report->ridge);
    if (training->options->modes > 0)
        printf("  modes     %d found of %d\n", training->modes, training->options->modes);
    printf("  time      %.0f s\n", training->file.seconds);
    printf("  wrote     %s, %.2f MB\n", training->options->out,
           1e-6 * file_size(training->options->out));
}

static bool is_worse(const WeftLearnReport* report) { return report->error > 1; }

static void warn(const Training* training) {
    if (!is_worse(&training->report)) return;
    fprintf(stderr,
            "%s: warning: in motions that were held out this detail is worse than flat triangles, "
            "%.3f times as far off; learn from more motions, from a longer scene, or in fewer "
            "parts\n",
            training->options->out, training->report.error);
}

static json_t* ridges_json(const WeftLearnReport* report) {
    json_t* rows = json_array();
    for (int i = 0; i < report->ridge_count; i++)
        json_array_append_new(
            rows, json_pack("{s:f,s:f}", "ridge", report->ridges[i], "error", report->errors[i]));
    return rows;
}

static int print_json(const Training* training, const WeftDetail* detail) {
    const WeftLearnReport* report = &training->report;
    const TrainingFile* file = &training->file;
    bool measured = report->error >= 0;
    json_t* root = json_pack(
        "{s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:I,s:I,s:i,s:i,s:f,s:o,s:b,s:i,s:o,s:I,s:f}", "scene",
        training->path, "out", training->options->out, "cloth", training->cloth, "parts",
        training->options->parts, "coarse_vertices",
        training->scene->meshes[training->cloth].vertex_count, "vertices",
        weft_detail_vertex_count(detail), "motions", file->motions, "frames",
        (json_int_t)report->frames, "held_out", (json_int_t)report->held_out, "frames_left_out",
        file->tangled, "motions_cut_short", file->lost, "ridge", report->ridge, "error",
        measured ? json_real(report->error) : json_null(), "worse_than_flat", is_worse(report),
        "modes", training->modes, "ridges", ridges_json(report), "bytes",
        (json_int_t)file_size(training->options->out), "seconds", file->seconds);
    if (!root) return complain(EXIT_FAILED, "the report cannot be written as data");
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
    return GO_ON;
}

// The same command would find as little: nothing is kept to go on from.
static int fail_to_learn(const Training* training) {
    const TrainingFile* file = &training->file;
    remove_training(file);
    return complain(EXIT_FAILED,
                    "%s: nothing was learned: %" PRId64 " frames to learn from and %" PRId64
                    " held out; %d of %d motions ended early, %d frames crossed themselves%s%s",
                    training->path, training->report.frames, training->report.held_out, file->lost,
                    file->motions, file->tangled, training->why[0] ? "; " : "", training->why);
}

static int save(Training* training, const WeftDetail* detail) {
    const char* path = training->options->out;
    WeftDetailInfo info = {0};
    WeftError error;
    WeftResult result = weft_save_detail_file(path, detail, &error);
    if (!result) result = weft_inspect_detail_file(path, &info, &error);
    if (result) return fail(path, &error);
    training->modes = info.modes;
    remove_training(&training->file);
    return GO_ON;
}

static int finish(Training* training) {
    WeftDetail* detail = NULL;
    WeftError error;
    const TrainOptions* options = training->options;
    WeftResult result =
        weft_finish_learning(training->learner, options->ridge, &training->report, &detail, &error);
    if (result)
        return result == WEFT_ERROR_INPUT ? fail_to_learn(training) : fail(options->out, &error);
    int code = save(training, detail);
    if (code == GO_ON) warn(training);
    if (code == GO_ON && options->json) code = print_json(training, detail);
    if (code == GO_ON && !options->json && !options->quiet) print_report(training, detail);
    weft_destroy_detail(detail);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Beginning

static double mean_edge(const WeftMesh* mesh) {
    double sum = 0;
    for (long c = 0; c < 3L * mesh->triangle_count; c++) {
        const double* a = mesh->positions + 3L * mesh->triangles[c];
        const double* b = mesh->positions + 3L * mesh->triangles[c % 3 == 2 ? c - 2 : c + 1];
        sum += hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    }
    return mesh->triangle_count > 0 ? sum / (3.0 * mesh->triangle_count) : 0;
}

static int open_scene_to_train(Training* training) {
    WeftError error;
    StepOptions step = default_step_options();
    step.quiet = training->options->quiet;
    if (weft_load_scene(training->path, fabric_folders(), NULL, &training->scene, &error))
        return fail(training->path, &error);
    training->scene->model.jobs.thread_count = training->options->threads;
    int code = dress_scene(training->scene, training->path, &step);
    if (code == GO_ON)
        code = choose_cloth(training->scene, training->path, training->options->cloth,
                            &training->cloth);
    if (code != GO_ON) return code;
    training->edge = mean_edge(&training->scene->meshes[training->cloth]);
    if (!keep_unvaried(training->scene, &training->unvaried))
        return complain(EXIT_FAILED, "out of memory");
    return GO_ON;
}

static int open_learner(Training* training) {
    WeftLearnerDef def = weft_default_learner_def();
    WeftError error;
    def.coarse = &training->scene->meshes[training->cloth];
    def.parts = training->options->parts;
    def.modes = training->options->modes;
    def.name = training->options->name ? training->options->name : training->scene->name;
    if (weft_create_learner(&def, &training->learner, &error)) return fail(training->path, &error);
    return GO_ON;
}

// All that a training which goes on must have in common with the one that was stopped.
static void list_traits(Training* training) {
    const TrainOptions* options = training->options;
    TrainingFile* file = &training->file;
    file->out = options->out;
    add_trait(file, "version", "%s", weft_version());
    add_trait(file, "scene", "%016" PRIx64, print_text(training->path));
    add_trait(file, "mesh", "%016" PRIx64, print_scene(training->scene));
    add_trait(file, "cloth", "%d", training->cloth);
    add_trait(file, "parts", "%d", options->parts);
    add_trait(file, "motions", "%d", options->motions);
    add_trait(file, "every", "%d", options->every);
    add_trait(file, "modes", "%d", options->modes);
    add_trait(file, "held-out", "%g", options->held_out);
}

// A first file before the first step: where it cannot be written, that is told before the work.
static int open_training(Training* training) {
    int code = open_scene_to_train(training);
    if (code == GO_ON) code = open_learner(training);
    if (code != GO_ON) return code;
    code = check_looks(training);
    if (code != GO_ON) return code;
    list_traits(training);
    if (!training->options->restart) code = resume_training(&training->file, training->learner);
    return code == GO_ON ? keep_training(&training->file, training->learner) : code;
}

static void close_training(Training* training) {
    weft_destroy_learner(training->learner);
    free_findings(&training->findings);
    if (training->scene) free_unvaried(training->scene, &training->unvaried);
    weft_destroy_scene(training->scene);
}

static int train_scene(const TrainOptions* options, const char* path) {
    Training training = {.options = options, .path = path};
    int code = open_training(&training);
    if (code == GO_ON) {
        catch_stop();
        code = take_motions(&training);
    }
    if (code == GO_ON) code = finish(&training);
    close_training(&training);
    return code == GO_ON ? EXIT_GOOD : code;
}

// What is there is replaced only where it was learned.
static int check_out(const char* path) {
    struct stat status;
    WeftDetailInfo info;
    WeftError error;
    if (!path[0]) return complain(EXIT_USAGE, "--out has no name in it; name a file");
    if (strlen(path) + sizeof ".training.part" > PATH_SIZE)
        return complain(EXIT_USAGE, "the name of --out is too long");
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return complain(EXIT_USAGE, "%s is a folder; name a file in it", path);
    if (lstat(path, &status) != 0) return GO_ON;
    if (S_ISLNK(status.st_mode))
        return complain(EXIT_USAGE, "%s is a link, which would be replaced; name the file itself",
                        path);
    WeftResult result =
        S_ISREG(status.st_mode) ? weft_inspect_detail_file(path, &info, &error) : WEFT_ERROR_INPUT;
    if (result == WEFT_ERROR_INPUT)
        return complain(EXIT_USAGE, "%s is there and is no learned detail; name another file",
                        path);
    return result ? fail(path, &error) : GO_ON;
}

// The bytes of the character that text begins with; 0 where it is no UTF-8, or a control character.
static int character(const char* text) {
    const unsigned char* c = (const unsigned char*)text;
    int more = c[0] < 0x80 ? 0 : c[0] < 0xc2 ? -1 : c[0] < 0xe0 ? 1 : c[0] < 0xf0 ? 2 : 3;
    if (more < 0 || c[0] > 0xf4 || c[0] < 0x20 || c[0] == 0x7f) return 0;
    for (int i = 1; i <= more; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    if (c[0] == 0xc2 && c[1] < 0xa0) return 0;                                     // control
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90)) return 0;  // too long
    if ((c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f)) return 0;  // no character
    return 1 + more;
}

static int check_name(const char* name) {
    size_t room = sizeof((WeftDetailInfo*)0)->name;
    int length = 0;
    if (name && strlen(name) >= room)
        return complain(EXIT_USAGE, "--name is longer than %zu bytes", room - 1);
    for (const char* at = name; at && *at; at += length) {
        length = character(at);
        if (length == 0)
            return complain(EXIT_USAGE,
                            "--name has a control character in it, or is no UTF-8, at byte %d",
                            (int)(at - name) + 1);
    }
    return GO_ON;
}

static int check_options(const TrainOptions* options, const TextList* arguments) {
    if (arguments->count != 1)
        return complain(EXIT_USAGE, "detail train takes one scene; see `weft detail train --help`");
    if (!options->out)
        return complain(EXIT_USAGE, "detail train needs a name for what it writes: --out FILE");
    if (options->held_out == 0 && options->ridge == 0)
        return complain(EXIT_USAGE,
                        "without frames that are held out there is nothing to choose the ridge by: "
                        "give --ridge");
    int code = check_name(options->name);
    return code == GO_ON ? check_out(options->out) : code;
}

static int run(const Command* command, int argc, char** argv) {
    TrainOptions options = {.parts = 4, .motions = 10, .every = 2, .held_out = 0.2};
    options.threads = WEFT_ALL_THREADS;
    const Option rows[] = {
        {"out", OPTION_TEXT, "FILE", "the detail to write", &options.out, 0, 0},
        {"cloth", OPTION_TEXT, "N", "which cloth, or garment by its name, where there are several",
         &options.cloth, 0, 0},
        {"parts", OPTION_COUNT, "N", "of every edge, 1 to 64, default 4", &options.parts, 1,
         WEFT_MAX_PARTS},
        {"motions", OPTION_COUNT, "N", "ways in which the scene goes, default 10", &options.motions,
         1, 1000},
        {"every", OPTION_COUNT, "N", "learn from every Nth frame, default 2", &options.every, 1,
         1000},
        {"held-out", OPTION_NUMBER, "X",
         "part of the motions, 0 to 0.9, default 0.2; 0 needs --ridge", &options.held_out, 0, 0.9},
        {"ridge", OPTION_NUMBER, "X", "how much large numbers are held down; 0: chosen",
         &options.ridge, 0, 1e6},
        {"modes", OPTION_COUNT, "N", "modes that oscillate, default 0", &options.modes, 0,
         WEFT_MAX_MODES},
        {"name", OPTION_TEXT, "NAME", "what it is called, default the name of the scene",
         &options.name, 0, 0},
        {"restart", OPTION_FLAG, NULL, "begin anew where a training was stopped", &options.restart,
         0, 0},
        {"json", OPTION_FLAG, NULL, "print the report as data", &options.json, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "no progress and no report", &options.quiet, 0, 0},
        {"threads", OPTION_COUNT, "N",
         "how many at most, default all cores; the result is the same", &options.threads, 1, 1024},
    };
    TextList arguments = {0};
    int code = parse_options(command, rows, sizeof rows / sizeof *rows, argc, argv, &arguments);
    if (code == GO_ON) code = check_options(&options, &arguments);
    if (code == GO_ON) code = train_scene(&options, arguments.texts[0]);
    free_list(&arguments);
    return code;
}

const Command detail_train_command = {
    .name = "detail train",
    .arguments = "SCENE",
    .summary = "Learn from a dense simulation what a coarse one does not show.",
    .details =
        "Simulates the scene in many ways, coarse and dense side by side: as it is, slower and\n"
        "faster; cloth that nobody wears is also carried to and fro, and wind has gusts. What the\n"
        "dense cloth has beside the coarse one is learned, and written to FILE, which the scene\n"
        "names by its key \"detail\". Ctrl-C stops it; the same command goes on from\n"
        "FILE.training. The error is that of motions that were held out: 1, nothing was learned.\n"
        "docs/detail.md tells more. Exits 0 when all is done, 1 when it failed or was stopped, 2\n"
        "when the scene, FILE, FILE.training or an option is wrong.",
    .run = run,
};
