// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft run: simulate a scene and write what comes out.

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "outputs.h"
#include "progress.h"
#include "session.h"
#include "summary.h"

typedef struct RunOptions {
    TextList outs, lasts;
    int frames;       // 0: as the scene says
    double duration;  // 0: as the scene says
    int every;
    bool quiet, json;
    StepOptions step;
} RunOptions;

static volatile sig_atomic_t stop_wanted;

static void want_stop(int signal_number) {
    (void)signal_number;
    stop_wanted = 1;
}

// The first Ctrl-C ends the run in good order, a second one at once.
static void catch_signals(void) {
    struct sigaction action = {.sa_flags = SA_RESETHAND};
    action.sa_handler = want_stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int count_frames(const RunOptions* options, const WeftScene* scene) {
    if (options->frames > 0) return options->frames;
    if (options->duration <= 0) return weft_scene_frames(scene);
    double frames = round(options->duration / scene->model.step.dt);
    return frames < 1 ? 1 : frames > 1e9 ? 1000000000 : (int)frames;
}

static int fail_step(const char* path, const Session* session, int frame) {
    fprintf(stderr, "%s: step %d: %s\n", path, frame, weft_state_error(session->state)->message);
    return EXIT_FAILED;
}

// Numbers that no file could hold are not cloth any more.
static int check_stretch(const char* path, const Summary* summary) {
    static const double torn = 1e6;
    if (summary->largest_stretch < torn) return GO_ON;
    fprintf(stderr,
            "%s: step %d: the cloth flew apart: an edge is %.2g times as long as at rest; take "
            "shorter steps, more substeps or another method\n",
            path, summary->steps, summary->largest_stretch);
    return EXIT_FAILED;
}

static int take_steps(const RunOptions* options, const char* path, Session* session, int frames,
                      Outputs* outputs, Summary* summary) {
    WeftStepDef step = session->scene->model.step;
    Progress progress;
    start_progress(&progress, frames, options->quiet);
    int code = write_outputs(outputs, session);
    for (int frame = 1; frame <= frames && code == GO_ON && !stop_wanted; frame++) {
        weft_direct_scene(session->scene, session->state, &step);
        if (weft_step(session->model, session->state, &step)) {
            code = fail_step(path, session, frame);
            break;
        }
        code = add_step(summary, session, &step);
        if (code == GO_ON) code = check_stretch(path, summary);
        if (code == GO_ON && frame % options->every == 0) code = write_outputs(outputs, session);
        show_progress(&progress, frame, 1000 * summary->times.total / summary->steps);
    }
    end_progress(&progress);
    summary->stopped = stop_wanted && summary->steps < frames;
    return code;
}

// The state as it is now, in files of one frame each.
static int write_last(const RunOptions* options, const Session* session, Outputs* outputs) {
    int code =
        open_outputs(outputs, &options->lasts, session, 1, 1 / session->scene->model.step.dt);
    if (code == GO_ON) code = write_outputs(outputs, session);
    int closed = close_outputs(outputs);
    return code == GO_ON ? closed : code;
}

static int run_scene(const RunOptions* options, const char* path) {
    Session session;
    Outputs outputs = {0}, last = {0};
    Summary summary = {0};
    int code = open_session(&session, path, &options->step);
    if (code != GO_ON) goto done;
    int frames = count_frames(options, session.scene);
    double rate = 1 / (session.scene->model.step.dt * options->every);
    code = open_outputs(&outputs, &options->outs, &session, 1 + frames / options->every, rate);
    if (code != GO_ON) goto done;

    catch_signals();
    code = take_steps(options, path, &session, frames, &outputs, &summary);
    // whatever happened, the frames so far are kept
    int closed = close_outputs(&outputs);
    if (closed != GO_ON) code = closed;
    if (code == GO_ON) code = write_last(options, &session, &last);
    outputs.also = &last;
    if (code == GO_ON && options->json)
        code = print_summary_json(&summary, &session, &outputs);
    else if (code == GO_ON && !options->quiet)
        print_summary(&summary, &session, &outputs);
    if (code == GO_ON) code = summary.stopped ? EXIT_FAILED : EXIT_GOOD;
done:
    free_outputs(&outputs);
    free_outputs(&last);
    close_session(&session);
    return code;
}

static int run(const Command* command, int argc, char** argv) {
    enum { OWN_COUNT = 7 };
    RunOptions options = {.every = 1, .step = default_step_options()};
    Option rows[OWN_COUNT + STEP_OPTION_COUNT] = {
        {"out", OPTION_LIST, "FILE", "write .glb, .pc2, .obj or .ply; may be given again",
         &options.outs, 0, 0},
        {"last", OPTION_LIST, "FILE", "write the last frame only; may be given again",
         &options.lasts, 0, 0},
        {"every", OPTION_COUNT, "N", "write every Nth frame only", &options.every, 1, 1e6},
        {"frames", OPTION_COUNT, "N", "how many steps, whatever the scene says", &options.frames, 1,
         1e9},
        {"duration", OPTION_NUMBER, "S", "how many seconds, whatever the scene says",
         &options.duration, 1e-6, 86400},
        {"quiet", OPTION_FLAG, NULL, "print nothing but errors", &options.quiet, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the summary as data", &options.json, 0, 0},
    };
    list_step_options(&options.step, rows + OWN_COUNT);
    TextList arguments = {0};
    int code = EXIT_FAILED;
    if (init_list(&options.outs, argc) && init_list(&options.lasts, argc))
        code = parse_options(command, rows, OWN_COUNT + STEP_OPTION_COUNT, argc, argv, &arguments);
    if (code == GO_ON && arguments.count != 1)
        code = complain(EXIT_USAGE, "run takes one scene file; see `weft run --help`");
    if (code == GO_ON && options.frames > 0 && options.duration > 0)
        code = complain(EXIT_USAGE, "give --frames or --duration, not both");
    if (code == GO_ON) code = run_scene(&options, arguments.texts[0]);
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
        "Files hold the start and every frame after it. Ctrl-C ends the run early and keeps\n"
        "the frames so far. Exits 0 when all is done, 1 when the run failed or was stopped,\n"
        "2 when the scene or an option is wrong.",
    .run = run,
};
