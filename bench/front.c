// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// front: every setting of every method as a point, milliseconds per frame against distance from the
// motion itself, and how many times dearer another method is at the same distance.
//
//     error
//       | o      x
//       |  o         x                theirs x, ours o: at the error of the line theirs costs b,
//       |---a-----------b-----        ours a, and the ratio is b/a
//       |     o   o        x
//       +--------------------- ms
//
// All move the same square of the same fabric (square.h), at 60 frames per second, on one thread. A
// setting's error is its rms distance over vertices and frames of the first second, its time the
// mean over frames of the fastest of several runs, all settings taken in turn.

#include "front.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front_stage.h"
#include "motion.h"

// Vertices along the sides: of the first square errors and times are told, of the second times.
enum { SIDE = 50, LARGE_COLUMNS = 72, LARGE_ROWS = 76, QUICK_SIDE = 14 };
enum { QUICK_FRAMES = 12, LARGE_FRAMES = 10 };
enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 5 };
// Iterations that Bullet is tried with, doubling.
enum { LEAST_BULLET = 500, MOST_BULLET = 4000 };
enum { MAX_SETTINGS = MAX_FRONT_METHODS + 8 };
static const double TOO_DEAR = 0.060;  // s per frame: no such setting of ours is on a front
static const double ENOUGH = 1, LARGE_ENOUGH = 0.3;  // s of runs for one setting
static const double BULLET_STRETCH = 1.05;  // at rest, of the longest edge: what Bullet is to reach

// Who is compared; each has a front of its own.
typedef enum Contender { BULLET, IMPLICIT, PROJECTIVE, REAL, SOFTENED, CONTENDER_COUNT } Contender;

static const char* const titles[CONTENDER_COUNT] = {
    [BULLET] = "Bullet's soft body",
    [IMPLICIT] = "implicit steps",
    [PROJECTIVE] = "front of projective dynamics on CHOLMOD",
    [REAL] = "front of the prefactored method at the fabric's stiffness",
    [SOFTENED] = "front of the prefactored method with stiffness to order",
};

typedef struct Setting {
    Method method;
    Contender contender;
    bool dropped;
    Distance distance;
    double error;              // m
    double times[MAX_FRAMES];  // s, of each frame, the fastest of the rounds
    double spent;              // s, over all rounds
    int rounds;
    double ms, large_ms;
    double iterations, scale;  // conjugate gradient iterations per frame; of the stiffness
    double rest_stretch;       // of Bullet
    bool best, best_of_all;    // no other (of its kind) is cheaper and as close
} Setting;

typedef struct Front {
    const BenchOptions* options;
    Report* report;
    int vertex_count, frame_count;  // of the square whose errors are told
    bool large;                     // the other one is on the stage
    Stage stage;
    Trajectory motion;
    Setting settings[MAX_SETTINGS];
    int setting_count;
} Front;

// ---------------------------------------------------------------------------------------------
// Settings

static void list_settings(Front* front) {
    Method* methods = need(MAX_FRONT_METHODS, sizeof *methods);
    front->setting_count = list_front_methods(methods);
    for (int i = 0; i < front->setting_count; i++) {
        Setting* setting = &front->settings[i];
        const WeftStepDef* step = &methods[i].step;
        setting->method = methods[i];
        setting->contender = methods[i].role == ROLE_PROJECTIVE     ? PROJECTIVE
                             : step->method == WEFT_METHOD_IMPLICIT ? IMPLICIT
                             : step->stretch_tolerance > 0          ? SOFTENED
                                                                    : REAL;
        setting->scale = 1;
    }
    free(methods);
}

// Bullet's links have no stiffness but the number of iterations. It is doubled until the cloth at
// rest, begun at our shape at rest, is stretched no more than it should be.
static int add_bullet_settings(Front* front) {
    Stage* stage = &front->stage;
    double* rest = need(3 * (size_t)stage->net.vertex_count, sizeof *rest);
    int most = front->options->quick ? LEAST_BULLET : MOST_BULLET;
    int code = find_rest(&stage->square, rest);
    double stretch = HUGE_VAL;
    for (int count = LEAST_BULLET; count <= most && stretch > BULLET_STRETCH && !code; count *= 2) {
        Setting* setting = &front->settings[front->setting_count++];
        WeftStepDef step = still_air_step();
        show_progress("Bullet at rest, %d iterations", count);
        stretch = bullet_rest_stretch(stage, rest, count);
        step.substeps = 1;
        step.iterations[0] = count;
        *setting = (Setting){.contender = BULLET, .scale = 1, .rest_stretch = stretch};
        setting->method = (Method){.role = ROLE_BULLET, .step = step};
        snprintf(setting->method.name, sizeof setting->method.name, "1 x Bullet %d", count);
    }
    free(rest);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Rounds

static bool is_ours(const Setting* setting) { return setting->contender >= REAL; }

static void add_work(Setting* setting, const Stage* stage) {
    const WeftStepReport* report = weft_report(stage->state);
    if (setting->contender == PROJECTIVE || setting->contender == BULLET) return;
    setting->iterations += report->cg_iterations;
    setting->scale = report->stiffness_scale;
}

// A run from the start. The first tells the error, and after three frames whether to go on.
static int run_setting(Stage* stage, Setting* setting, int frame_count) {
    bool first = setting->rounds == 0;
    double* times = setting->times;
    int code = reset_stage(stage, &setting->method);
    setting->iterations = 0;
    for (int frame = 0; frame < frame_count && !code; frame++) {
        const double* x;
        double time;
        code = take_frame(stage, &setting->method, &time, &x);
        if (code) return code;
        if (first) add_frame(&setting->distance, frame, x);
        if (first || time < times[frame]) times[frame] = time;
        setting->spent += time;
        add_work(setting, stage);
        setting->dropped = is_ours(setting) && setting->distance.from && frame >= 2 &&
                           fmin(times[1], times[2]) > TOO_DEAR;
        if (setting->dropped) return EXIT_GOOD;
    }
    setting->iterations /= frame_count;
    setting->rounds++;
    return code;
}

// What conjugate gradients to a tolerance take depends on the frame; all others are as dear in one
// frame as in another.
static int count_frames(const Front* front, const Setting* setting) {
    bool all = !front->large || setting->contender == IMPLICIT;
    return all ? front->frame_count : LARGE_FRAMES;
}

// Bullet takes seconds per run: there is one.
static bool wants_round(const Front* front, const Setting* setting) {
    if (setting->dropped || (front->large && setting->contender == BULLET)) return false;
    if (setting->contender == BULLET) return setting->rounds == 0;
    return setting->rounds < LEAST_ROUNDS ||
           setting->spent < (front->large ? LARGE_ENOUGH : ENOUGH);
}

static int run_rounds(Front* front) {
    int rounds = front->options->quick ? 1 : MOST_ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < front->setting_count; i++) {
            Setting* setting = &front->settings[i];
            if (!wants_round(front, setting)) continue;
            show_progress("%d vertices: round %d, %s", front->stage.vertex_count, round + 1,
                          setting->method.name);
            int code = run_setting(&front->stage, setting, count_frames(front, setting));
            if (code) return code;
        }
    return EXIT_GOOD;
}

static double mean_ms(const Front* front, const Setting* setting) {
    double sum = 0;
    int frame_count = count_frames(front, setting);
    for (int frame = 0; frame < frame_count; frame++) sum += setting->times[frame];
    return setting->rounds > 0 ? 1000 * sum / frame_count : (double)NAN;
}

// Errors, and times.
static int measure(Front* front) {
    for (int i = 0; i < front->setting_count; i++)
        front->settings[i].distance = (Distance){.from = &front->motion};
    int code = run_rounds(front);
    for (int i = 0; i < front->setting_count && !code; i++) {
        Setting* setting = &front->settings[i];
        setting->ms = mean_ms(front, setting);
        setting->error = rms_distance(&setting->distance);
        if (!isfinite(setting->error)) setting->error = HUGE_VAL;
    }
    return code;
}

// Times alone.
static int measure_large(Front* front) {
    front->large = true;
    int code = create_stage(LARGE_COLUMNS, LARGE_ROWS, &front->stage);
    for (int i = 0; i < front->setting_count; i++) {
        front->settings[i].distance.from = NULL;
        front->settings[i].spent = front->settings[i].rounds = 0;
    }
    if (!code) code = run_rounds(front);
    for (int i = 0; i < front->setting_count && !code; i++)
        front->settings[i].large_ms = mean_ms(front, &front->settings[i]);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Fronts and ratios

static bool beats(const Setting* a, const Setting* b) {
    if (a->dropped || a->ms > b->ms || a->error > b->error) return false;
    return a->ms < b->ms || a->error < b->error;
}

static void find_fronts(Front* front) {
    for (int i = 0; i < front->setting_count; i++) {
        Setting* setting = &front->settings[i];
        setting->best = setting->best_of_all = !setting->dropped;
        for (int j = 0; j < front->setting_count; j++) {
            const Setting* other = &front->settings[j];
            if (!beats(other, setting)) continue;
            setting->best_of_all = false;
            if (other->contender == setting->contender) setting->best = false;
        }
    }
}

// The cheapest of the contenders from `low` to `high` that is as close; NULL: none is.
static const Setting* find_cheapest(const Front* front, Contender low, Contender high,
                                    double error) {
    const Setting* cheapest = NULL;
    for (int i = 0; i < front->setting_count; i++) {
        const Setting* setting = &front->settings[i];
        if (setting->dropped || setting->contender < low || setting->contender > high) continue;
        if (setting->error > error || (cheapest && cheapest->ms <= setting->ms)) continue;
        cheapest = setting;
    }
    return cheapest;
}

// A row for two settings at one error; returns their ratio, 0 where ours is never as close.
static double compare(Front* front, const char* name, double error, const Setting* theirs,
                      Contender most) {
    const Setting* ours = find_cheapest(front, REAL, most, error);
    Report* report = front->report;
    start_row(report);
    add_text(report, "part", "equal error");
    add_number(report, "vertices", front->vertex_count);
    add_text(report, "ratio_of", name);
    add_number(report, "at_most_mm", 1000 * error);
    add_text(report, "theirs", theirs->method.name);
    add_number(report, "their_ms", theirs->ms);
    if (ours) add_text(report, "ours", ours->method.name);
    if (ours) add_number(report, "our_ms", ours->ms);
    double ratio = ours ? theirs->ms / ours->ms : 0;
    add_number(report, "ratio", ratio);
    return ratio;
}

// At its best error (a little more of it, so that its very last setting is not alone there) and two
// coarser ones: the smallest ratio counts.
static void compare_projective(Front* front, const char* name, Contender most) {
    static const double levels[] = {1.05, 1.5, 2.5};
    double smallest = HUGE_VAL, closest = HUGE_VAL;
    for (int i = 0; i < front->setting_count; i++)
        if (front->settings[i].contender == PROJECTIVE)
            closest = fmin(closest, front->settings[i].error);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        double error = levels[i] * closest;
        const Setting* theirs = find_cheapest(front, PROJECTIVE, PROJECTIVE, error);
        smallest = fmin(smallest, compare(front, name, error, theirs, most));
    }
    add_ratio(front->report, name, smallest);
}

static void add_ratios(Front* front) {
    const Setting* conventional = &front->settings[0];
    start_table(front->report, "at equal error");
    compare_projective(front, "pd_cholmod", SOFTENED);
    compare_projective(front, "pd_cholmod_same_stiffness", REAL);
    double error = conventional->error;
    add_ratio(front->report, "implicit_speedup",
              compare(front, "implicit_speedup", error, conventional, SOFTENED));
    add_ratio(front->report, "implicit_speedup_same_stiffness",
              compare(front, "implicit_speedup_same_stiffness", error, conventional, REAL));
}

// ---------------------------------------------------------------------------------------------
// Rows

static int compare_ms(const void* left, const void* right) {
    const Setting *a = *(const Setting*const*)left, *b = *(const Setting*const*)right;
    return (a->ms > b->ms) - (a->ms < b->ms);
}

static void add_setting_row(const Front* front, const Setting* setting) {
    Report* report = front->report;
    const WeftStepDef* step = &setting->method.step;
    bool theirs = setting->contender == PROJECTIVE || setting->contender == BULLET;
    start_row(report);
    add_text(report, "part", "front");
    add_number(report, "vertices", front->vertex_count);
    add_text(report, "method", setting->method.name);
    add_number(report, "ms", setting->ms);
    if (setting->large_ms > 0) add_number(report, "ms_5472", setting->large_ms);
    add_number(report, "error_fine_mm", 1000 * setting->error);
    add_number(report, "order", theirs ? 1 : step->order);
    add_number(report, "substeps", step->substeps);
    add_number(report, "iterations", theirs ? step->iterations[0] : setting->iterations);
    if (is_ours(setting)) add_number(report, "stiffness_scale", setting->scale);
    if (setting->contender == BULLET) add_number(report, "rest_max_stretch", setting->rest_stretch);
    add_text(report, "front",
             setting->best_of_all ? "of all"
             : setting->best      ? "of its kind"
                                  : "no");
}

// Those of one contender that are on its front, or of all those that are not, by cost. Where few
// were measured, all are shown.
static void add_table(Front* front, const char* title, Contender low, Contender high, bool best) {
    const Setting* sorted[MAX_SETTINGS];
    int count = 0;
    for (int i = 0; i < front->setting_count; i++) {
        const Setting* setting = &front->settings[i];
        bool few = setting->contender == BULLET || setting->contender == IMPLICIT;
        bool within = setting->contender >= low && setting->contender <= high;
        if (within && !setting->dropped && (setting->best || few) == best)
            sorted[count++] = setting;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_ms);
    start_table(front->report, title);
    for (int i = 0; i < count; i++) add_setting_row(front, sorted[i]);
}

static void add_tables(Front* front) {
    add_table(front, "beaten by another of their kind", 0, SOFTENED, false);
    for (Contender contender = 0; contender < CONTENDER_COUNT; contender++)
        add_table(front, titles[contender], contender, contender, true);
}

// ---------------------------------------------------------------------------------------------
// Checks

static void add_check_row(Report* report, int vertices, const char* method, const char* cell,
                          double mm) {
    start_row(report);
    add_text(report, "part", "check");
    add_number(report, "vertices", vertices);
    add_text(report, "method", method);
    add_number(report, cell, mm);
}

// Projective dynamics must end where the step of order 1 does that is solved to the end: the
// largest distance of a vertex within a few steps of very many iterations, on a small square.
static int check_projective(Report* report) {
    enum { SMALL_SIDE = 25, STEPS = 3, VERY_MANY = 20000 };
    Method converged = converged_method(1), projective = converged;
    Distance distance = {0};
    Trajectory record;
    Stage stage;
    show_progress("%d vertices: projective %d", SMALL_SIDE * SMALL_SIDE, VERY_MANY);
    create_trajectory(&record, STEPS, SMALL_SIDE * SMALL_SIDE);
    int code = create_stage(SMALL_SIDE, SMALL_SIDE, &stage);
    if (!code) code = record_motion(&stage.square, &converged, STEPS, &record);
    projective.role = ROLE_PROJECTIVE;
    projective.step.substeps = 1;
    projective.step.iterations[0] = VERY_MANY;
    distance.from = &record;
    for (int frame = 0; frame < STEPS && !code; frame++) {
        const double* x;
        double time;
        code = take_frame(&stage, &projective, &time, &x);
        add_frame(&distance, frame, x);
    }
    if (!code)
        add_check_row(report, SMALL_SIDE * SMALL_SIDE, "projective 20000 from converged order 1",
                      "difference_mm", 1000 * distance.largest);
    destroy_stage(&stage);
    destroy_trajectory(&record);
    return code;
}

static void add_notes(const Front* front) {
    static char factor[120], bullet[160];
    const Setting* last = &front->settings[front->setting_count - 1];
    add_note(front->report,
             "front: ms per frame of 1/60 s; error_fine_mm: rms over vertices and frames of the"
             " first second.");
    snprintf(factor, sizeof factor, "projective dynamics: CHOLMOD solves fastest by %s.",
             projective_factor(front->stage.projective[0]));
    add_note(front->report, factor);
    if (last->rest_stretch <= BULLET_STRETCH) return;
    snprintf(bullet, sizeof bullet,
             "Bullet: with %d iterations the longest edge at rest is still %.1f %% too long.",
             last->method.step.iterations[0], 100 * (last->rest_stretch - 1));
    add_note(front->report, bullet);
}

// ---------------------------------------------------------------------------------------------

static int run_small(Front* front, double* floor) {
    int side = front->options->quick ? QUICK_SIDE : SIDE;
    front->vertex_count = side * side;
    front->frame_count = front->options->quick ? QUICK_FRAMES : MAX_FRAMES;
    list_settings(front);
    int code = create_stage(side, side, &front->stage);
    if (!code)
        code = find_motion(front->options, &front->stage.square, front->frame_count, &front->motion,
                           floor);
    if (!code) code = add_bullet_settings(front);
    if (!code) code = measure(front);
    if (!code) add_notes(front);
    return code;
}

int run_front(const BenchOptions* options, Report* report) {
    Front* front = need(1, sizeof *front);
    front->options = options;
    front->report = report;
    double floor = (double)NAN;
    int code = run_small(front, &floor);
    destroy_stage(&front->stage);
    if (!code && !options->quick) code = measure_large(front);
    if (front->large) destroy_stage(&front->stage);
    if (!code) {
        start_table(report, "checks");
        add_check_row(report, front->vertex_count, "the motion itself, steps halved",
                      "error_fine_mm", 1000 * floor);
        code = check_projective(report);
    }
    if (!code) {
        find_fronts(front);
        add_tables(front);
        add_ratios(front);
    }
    destroy_trajectory(&front->motion);
    free(front);
    return code;
}
