// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft run: simulate a scene and write what comes out.

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "outputs.h"
#include "progress.h"
#include "record.h"
#include "run.h"
#include "stop.h"
#include "summary.h"

// A run: what goes in, and what comes out.
typedef struct Run {
    const RunOptions* options;
    const char* path;  // of the scene
    Session session;
    Replay replay;
    Recorder recorder;
    Outputs outputs, last;
    Summary summary;
    int frames;
} Run;

RunOptions default_run_options(void) {
    return (RunOptions){.every = 1, .frames = -1, .duration = -1, .step = default_step_options()};
}

// By --frames or --duration; -1 where neither is given.
static int asked_frames(const RunOptions* options, const WeftScene* scene) {
    if (options->frames >= 0 || options->duration < 0) return options->frames;
    WeftScene asked = {.duration = options->duration, .model.step.dt = scene->model.step.dt};
    return weft_scene_frames(&asked);
}

static int count_frames(Run* run) {
    const WeftScene* scene = run->session.scene;
    int asked = asked_frames(run->options, scene), recorded = run->replay.step_count;
    if (recorded > 0 && asked > recorded) {
        fprintf(stderr, "%s: holds %d steps, and %d are asked for\n", run->replay.path, recorded,
                asked);
        return EXIT_USAGE;
    }
    run->frames = asked >= 0 ? asked : recorded > 0 ? recorded : weft_scene_frames(scene);
    return GO_ON;
}

static int fail_step(const Run* run, int frame) {
    fprintf(stderr, "%s: step %d: %s\n", run->path, frame,
            weft_state_error(run->session.state)->message);
    return EXIT_FAILED;
}

// Numbers that no file could hold are not cloth any more.
static int check_stretch(const char* path, const Summary* summary) {
    static const double torn = 1e6;
    if (summary->stretch.most < torn) return GO_ON;
    fprintf(stderr,
            "%s: step %d: the cloth flew apart: an edge is %.2g times as long as at rest; take "
            "shorter steps, more substeps or another method\n",
            path, summary->steps, summary->stretch.most);
    return EXIT_FAILED;
}

static int take_step(Run* run, WeftStepDef* step, int frame) {
    Session* session = &run->session;
    if (run->replay.path) use_recorded_step(&run->replay, frame - 1, step);
    if (weft_direct_scene(session->scene, session->state, step))
        return complain(EXIT_FAILED, "out of memory");
    if (weft_step(session->state, step)) return fail_step(run, frame);
    int code = follow_tears(session);
    if (code == GO_ON) code = record_step(&run->recorder, session, step);
    if (code == GO_ON) code = add_step(&run->summary, session, step);
    if (code == GO_ON) code = check_stretch(run->path, &run->summary);
    return code;
}

static int take_steps(Run* run) {
    const RunOptions* options = run->options;
    Summary* summary = &run->summary;
    WeftStepDef step = run->session.scene->model.step;
    Progress progress;
    start_progress(&progress, run->frames, options->quiet);
    int code = begin_summary(summary, &run->session);
    if (code == GO_ON) code = write_outputs(&run->outputs, &run->session);
    for (int frame = 1; frame <= run->frames && code == GO_ON && !stop_wanted(); frame++) {
        code = take_step(run, &step, frame);
        if (code == GO_ON && frame % options->every == 0)
            code = write_outputs(&run->outputs, &run->session);
        if (summary->steps > 0)
            show_progress(&progress, frame, 1000 * summary->times.total / summary->steps);
    }
    end_progress(&progress);
    summary->stopped = stop_wanted() && summary->steps < run->frames;
    return code;
}

// The state as it is now, in files of one frame each.
static int write_last(Run* run) {
    double rate = 1 / run->session.scene->model.step.dt;
    const RunOptions* options = run->options;
    int code =
        open_outputs(&run->last, &options->lasts, &run->session, 1, rate, !options->no_bodies);
    if (code == GO_ON) code = write_outputs(&run->last, &run->session);
    int closed = close_outputs(&run->last);
    return code == GO_ON ? closed : code;
}

// As the options say, whatever the scene does.
static int choose_detail(const Run* run) {
    const RunOptions* options = run->options;
    WeftScene* scene = run->session.scene;
    WeftError error;
    for (int c = 0; c < scene->model.cloth_count && options->no_detail; c++)
        weft_set_scene_detail(scene, c, NULL, NULL);
    if (!options->detail) return GO_ON;
    if (!weft_set_scene_detail(scene, options->cloth, options->detail, &error)) return GO_ON;
    fprintf(stderr, "%s: %s\n", run->path, error.message);
    return error.result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

static int open_run(Run* run, WeftScene* scene) {
    const RunOptions* options = run->options;
    int code = scene ? open_scene(&run->session, scene, run->path, &options->step)
                     : open_session(&run->session, run->path, &options->step);
    if (code == GO_ON) code = choose_detail(run);
    if (code == GO_ON) code = open_show(&run->session, run->path);
    if (code == GO_ON) code = open_replay(&run->replay, options->replay, &run->session);
    if (code == GO_ON) code = count_frames(run);
    if (code != GO_ON) return code;
    WeftStepDef* step = &run->session.scene->model.step;
    if (run->replay.path) use_recorded_step(&run->replay, 0, step);
    code =
        open_outputs(&run->outputs, &options->outs, &run->session, 1 + run->frames / options->every,
                     1 / (step->dt * options->every), !options->no_bodies);
    if (code == GO_ON) code = open_record(&run->recorder, options->record, &run->session);
    return code;
}

// Whatever happened, the frames and steps so far are kept.
static int complete_files(Run* run) {
    int code = close_outputs(&run->outputs);
    int recorded = close_record(&run->recorder, &run->session);
    return code == GO_ON ? recorded : code;
}

static int tell(Run* run) {
    Summary* summary = &run->summary;
    int code = GO_ON;
    run->outputs.also = &run->last;
    summary->replay = compare_replay(&run->replay, &run->session, summary->steps);
    if (run->options->json)
        code = print_summary_json(summary, &run->session, &run->outputs);
    else if (!run->options->quiet)
        print_summary(summary, &run->session, &run->outputs);
    if (code == GO_ON && summary->replay == REPLAY_OTHER)
        code = fail_replay(&run->replay, &run->session);
    return code;
}

int run_scene(const RunOptions* options, const char* path, WeftScene* scene) {
    Run run = {.options = options, .path = path};
    int code = open_run(&run, scene);
    if (code != GO_ON) goto done;
    catch_stop();
    code = take_steps(&run);
    int completed = complete_files(&run);
    if (completed != GO_ON) code = completed;
    if (code == GO_ON) code = write_last(&run);
    if (code == GO_ON) code = tell(&run);
    if (code == GO_ON) code = run.summary.stopped ? EXIT_FAILED : EXIT_GOOD;
done:
    free_summary(&run.summary);
    free_outputs(&run.outputs);
    free_outputs(&run.last);
    free_replay(&run.replay);
    close_session(&run.session);
    return code;
}

static int run(const Command* command, int argc, char** argv) {
    enum { OWN_COUNT = 11 };
    RunOptions options = default_run_options();
    Option rows[OWN_COUNT + STEP_OPTION_COUNT] = {
        {"out", OPTION_LIST, "FILE", "write .glb, .pc2, .obj or .ply; may be given again",
         &options.outs, 0, 0},
        {"last", OPTION_LIST, "FILE", "write the last frame only; may be given again",
         &options.lasts, 0, 0},
        {"every", OPTION_COUNT, "N", "write every Nth frame only", &options.every, 1, 1e6},
        {"no-bodies", OPTION_FLAG, NULL, "write the cloth alone", &options.no_bodies, 0, 0},
        {"no-detail", OPTION_FLAG, NULL, "write cloth as it is simulated, whatever it is shown by",
         &options.no_detail, 0, 0},
        {"frames", OPTION_COUNT, "N", "how many steps, whatever the scene says; 0: the start alone",
         &options.frames, 0, 1e9},
        {"duration", OPTION_NUMBER, "S", "how many seconds, whatever the scene says",
         &options.duration, 0, 86400},
        {"record", OPTION_TEXT, "FILE", "write down how every step was taken", &options.record, 0,
         0},
        {"replay", OPTION_TEXT, "FILE", "take recorded steps again, and compare the result",
         &options.replay, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "print nothing but errors", &options.quiet, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the summary as data", &options.json, 0, 0},
    };
    list_step_options(&options.step, rows + OWN_COUNT);
    TextList arguments = {0};
    int code = EXIT_FAILED;
    if (init_list(&options.outs, argc) && init_list(&options.lasts, argc))
        code = parse_options(command, rows, OWN_COUNT + STEP_OPTION_COUNT, argc, argv, &arguments);
    options.step.quiet = options.quiet || options.json;
    if (code == GO_ON && arguments.count != 1)
        code = complain(EXIT_USAGE, "run takes one scene file; see `weft run --help`");
    if (code == GO_ON && options.frames >= 0 && options.duration >= 0)
        code = complain(EXIT_USAGE, "give --frames or --duration, not both");
    if (code == GO_ON) code = check_outputs(&options.outs);
    if (code == GO_ON) code = check_outputs(&options.lasts);
    if (code == GO_ON) code = run_scene(&options, arguments.texts[0], NULL);
    free_list(&arguments);
    free_list(&options.outs);
    free_list(&options.lasts);
    return code;
}

const Command run_command = {
    .name = "run",
    .arguments = "SCENE",
    .summary = "Simulate a scene, write files, print what it cost.",
    .details =
        "Files hold the start and every frame after it, of cloth and bodies; cloth as it is shown\n"
        "where the scene has detail (docs/detail.md). Ctrl-C ends the run\n"
        "early and keeps the frames so far. With --budget the clock chooses how steps are taken;\n"
        "--record keeps what it chose, and --replay, with the same scene and options, gives the\n"
        "same bits without a clock. The summary warns of cloth that got longer than twice its\n"
        "length at rest, or ends at 1.5 times; soft fabrics may stretch further. Exits 0 when all\n"
        "is done, 1 when the run failed, was stopped or gave other bits than were recorded, 2 "
        "when\n"
        "the scene, the record or an option is wrong.",
    .run = run,
};
