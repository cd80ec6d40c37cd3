// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// web: the same steps as WebAssembly, in Node.js, and native on one thread. Both play the same
// scene text, in turn, and must end with the same bits.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "weft/weft_io.h"

enum { PATH_SIZE = 4096, TEXT_SIZE = 1024, HASH_SIZE = 17 };

// The square of the other benches, 72 x 76 vertices; the settings of its steps are filled in.
static const char SCENE[] =
    "{\"weft\":1,\"air_density\":0,\"same_bits\":%s,\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
    "\"columns\":71,\"rows\":75},\"fabric\":{\"density\":0.187,\"stretch\":2000,\"bend\":1e-5},"
    "\"pins\":[{\"corner\":\"top left\"},{\"corner\":\"top right\"}]}],\"step\":{%s}}";

static const struct {
    const char *name, *step;
    bool prefactored;
} trials[] = {
    {"prefactored, quality 1", "\"quality\":1", true},
    {"prefactored, quality 3", "\"quality\":3", true},
    {"prefactored, quality 4", "\"quality\":4", true},
    {"prefactored, quality 6", "\"quality\":6", true},
    {"implicit", "\"method\":\"implicit\"", false},
    {"relaxation, 4 sweeps", "\"method\":\"relaxation\"", false},
};
enum { TRIAL_COUNT = sizeof trials / sizeof *trials };

// What of a trial is measured: least times per step, and where the steps lead.
typedef struct Course {
    double ms;
    char hash[HASH_SIZE];
} Course;

typedef struct Rounds {
    int steps, passes, rounds;
} Rounds;

// ---------------------------------------------------------------------------------------------
// Native

static int step_native(const WeftScene* scene, const Rounds* rounds, double* least, char* hash) {
    WeftError error;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    int code = EXIT_GOOD;
    if (weft_create_model(&scene->model, &model, &error) ||
        weft_create_state(model, &state, &error)) {
        code = complain(EXIT_FAILED, "%s", error.message);
        goto done;
    }
    WeftStepDef step = scene->model.step;
    for (int i = 0; i < rounds->steps; i++) {
        double start = wall_time(NULL);
        weft_direct_scene(scene, state, &step);
        if (weft_step(state, &step)) {
            code = complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
            goto done;
        }
        least[i] = fmin(least[i], wall_time(NULL) - start);
    }
    snprintf(hash, HASH_SIZE, "%016" PRIx64, weft_hash_state(state));
done:
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

static int run_native(const char* text, const Rounds* rounds, Course* course) {
    WeftError error;
    WeftScene* scene = NULL;
    if (weft_parse_scene(text, strlen(text), "scene", NULL, NULL, NULL, &scene, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    scene->model.jobs.thread_count = 1;
    double* least = need((size_t)rounds->steps, sizeof *least);
    double sum = 0;
    int code = EXIT_GOOD;
    for (int i = 0; i < rounds->steps; i++) least[i] = HUGE_VAL;
    for (int pass = 0; pass < rounds->passes && code == EXIT_GOOD; pass++)
        code = step_native(scene, rounds, least, course->hash);
    for (int i = 0; i < rounds->steps; i++) sum += least[i];
    if (code == EXIT_GOOD) course->ms = fmin(course->ms, 1000 * sum / rounds->steps);
    free(least);
    weft_destroy_scene(scene);
    return code;
}

// ---------------------------------------------------------------------------------------------
// WebAssembly

// Where `make web` puts the page, from where this program is.
static bool find_page(char folder[PATH_SIZE]) {
    char own[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) return false;
    own[length] = 0;
    char* slash = strrchr(own, '/');
    if (!slash) return false;
    *slash = 0;
    int needed = snprintf(folder, PATH_SIZE, "%s/../../web", own);
    char script[PATH_SIZE + 32];
    snprintf(script, sizeof script, "%s/bench/bench.js", folder);
    return needed < PATH_SIZE && access(script, R_OK) == 0;
}

static int write_scene(const char* text, char path[PATH_SIZE]) {
    const char* folder = getenv("TMPDIR");
    snprintf(path, PATH_SIZE, "%s/weft-bench-XXXXXX", folder ? folder : "/tmp");
    int descriptor = mkstemp(path);
    if (descriptor < 0) return complain(EXIT_FAILED, "%s: %s", path, strerror(errno));
    size_t length = strlen(text);
    bool good = write(descriptor, text, length) == (ssize_t)length;
    close(descriptor);
    return good ? EXIT_GOOD : complain(EXIT_FAILED, "%s: %s", path, strerror(errno));
}

static int run_web(const char* page, const char* text, const Rounds* rounds, Course* course) {
    char scene[PATH_SIZE], command[3 * PATH_SIZE];
    int code = write_scene(text, scene);
    if (code != EXIT_GOOD) return code;
    snprintf(command, sizeof command, "node '%s/bench/bench.js' '%s/bin/weft.wasm' '%s' %d %d",
             page, page, scene, rounds->steps, rounds->passes);
    FILE* output = popen(command, "r");
    double ms = 0;
    bool read = output && fscanf(output, "%lf %16s", &ms, course->hash) == 2;
    int status = output ? pclose(output) : -1;
    remove(scene);
    if (!read || status != 0)
        return complain(EXIT_FAILED, "Node.js could not run %s/bench/bench.js", page);
    course->ms = fmin(course->ms, ms);
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------

static int run_trial(const char* page, int trial, bool same_bits, const Rounds* rounds,
                     Course* native, Course* web) {
    char text[TEXT_SIZE];
    int code = EXIT_GOOD;
    snprintf(text, sizeof text, SCENE, same_bits ? "true" : "false", trials[trial].step);
    native->ms = web->ms = HUGE_VAL;
    for (int round = 0; round < rounds->rounds && code == EXIT_GOOD; round++) {
        show_progress("%s, round %d of %d", trials[trial].name, round + 1, rounds->rounds);
        code = run_native(text, rounds, native);
        if (code == EXIT_GOOD) code = run_web(page, text, rounds, web);
    }
    if (code == EXIT_GOOD && same_bits && strcmp(native->hash, web->hash) != 0)
        code = complain(EXIT_FAILED, "%s: not the same bits: native %s, WebAssembly %s",
                        trials[trial].name, native->hash, web->hash);
    return code;
}

static int run(const BenchOptions* options, Report* report) {
    char page[PATH_SIZE];
    if (!find_page(page))
        return complain(EXIT_FAILED, "the page is not built: run `make web` first");
    Rounds rounds = {.steps = 60, .passes = 3, .rounds = 3};
    if (options->quick) rounds = (Rounds){.steps = 10, .passes = 2, .rounds = 1};
    double worst = 0;
    for (int t = 0; t < TRIAL_COUNT; t++) {
        Course native, web, same_native, same_web;
        int code = run_trial(page, t, false, &rounds, &native, &web);
        if (code == EXIT_GOOD) code = run_trial(page, t, true, &rounds, &same_native, &same_web);
        if (code != EXIT_GOOD) return code;
        start_row(report);
        add_number(report, "vertices", 5472);
        add_text(report, "method", trials[t].name);
        add_number(report, "native_ms", native.ms);
        add_number(report, "wasm_ms", web.ms);
        add_number(report, "ratio", web.ms / native.ms);
        add_number(report, "ratio_same_bits", same_web.ms / same_native.ms);
        if (trials[t].prefactored) worst = fmax(worst, web.ms / native.ms);
    }
    add_ratio(report, "wasm_over_native", worst);
    add_note(report,
             "One thread each. Native solves use fused multiply-add where the machine has it; with "
             "same_bits neither does, and both end with the same bits (checked).");
    return EXIT_GOOD;
}

const Bench web_bench = {
    .name = "web",
    .text = "the same steps in WebAssembly and native",
    .details =
        "A square of 5472 vertices by several methods, in turn native on one thread and as\n"
        "WebAssembly in Node.js. wasm_over_native is the largest ratio of the prefactored\n"
        "rows. Needs Node.js, and the page built by `make web`.",
    .run = run,
};
