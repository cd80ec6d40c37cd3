// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// grab: what it costs that vertices are grabbed, dragged, pinned and released between steps, and
// that steps are not of one length. A game feels the longest step, not the mean.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "square.h"
#include "weft/weft_study.h"

enum { MAX_HELD = 256, DOZENS = 48, WARM_UP = 30, ASK_EVERY = 7 };

// Who plays with the cloth, and what is held at the moment.
typedef struct Player {
    WeftState* state;
    const Square* square;
    uint32_t random;
    int held[MAX_HELD], held_count;
    int grabbed;  // -1: none
    double grip[3];
    int changes, most_held;
} Player;

static unsigned draw(Player* player, unsigned count) {
    player->random = player->random * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)player->random * count >> 32);
}

static int draw_free_vertex(Player* player) {
    int vertex;
    do vertex = (int)draw(player, (unsigned)player->square->mesh.vertex_count);
    while (weft_is_pinned(player->state, vertex));
    return vertex;
}

static int count_held(const Player* player) { return player->held_count + (player->grabbed >= 0); }

static void hold_one(Player* player) {
    int vertex = draw_free_vertex(player);
    weft_pin(player->state, vertex);
    player->held[player->held_count++] = vertex;
    player->changes++;
    if (count_held(player) > player->most_held) player->most_held = count_held(player);
}

static void release_one(Player* player) {
    unsigned which = draw(player, (unsigned)player->held_count);
    weft_unpin(player->state, player->held[which]);
    player->held[which] = player->held[--player->held_count];
    player->changes++;
}

// ---------------------------------------------------------------------------------------------
// What is played; each is called before every step

static void play_nothing(Player* player, int step) { (void)player, (void)step; }

// A vertex is grabbed, led around a circle for a second and let go; a quarter of a second later
// the next one.
static void play_drag(Player* player, int step) {
    enum { PERIOD = 75, HELD = 60 };
    static const double radius = 0.15, turn = 6.283185307179586 / HELD;
    int phase = step % PERIOD;
    if (phase == 0) {
        player->grabbed = draw_free_vertex(player);
        memcpy(player->grip, weft_positions(player->state) + 3 * player->grabbed,
               sizeof player->grip);
        weft_pin(player->state, player->grabbed);
        player->changes++;
        if (count_held(player) > player->most_held) player->most_held = count_held(player);
    }
    if (player->grabbed < 0) return;
    double angle = turn * (phase + 1), goal[3];
    goal[0] = player->grip[0] + radius * sin(angle);
    goal[1] = player->grip[1] + radius * (1 - cos(angle));
    goal[2] = player->grip[2];
    if (phase < HELD) {
        weft_move_pin(player->state, player->grabbed, goal);
        return;
    }
    weft_unpin(player->state, player->grabbed);
    player->grabbed = -1;
    player->changes++;
}

// One change per step, a little more often a new pin, up to some dozens.
static void play_random(Player* player, int step) {
    (void)step;
    bool more = player->held_count == 0 || draw(player, 10) < 6;
    if (more && player->held_count < DOZENS)
        hold_one(player);
    else
        release_one(player);
}

static void play_both(Player* player, int step) {
    play_drag(player, step);
    play_random(player, step);
}

// One corner after the other of those that hold the cloth from the start.
static void play_corners(Player* player, int step) {
    enum { PERIOD = 60, FREE = 20 };
    int corner = player->square->pins[step / PERIOD % 2], phase = step % PERIOD;
    if (phase == 0) weft_unpin(player->state, corner);
    if (phase == FREE) weft_pin(player->state, corner);
    player->changes += phase == 0 || phase == FREE;
}

static void play_burst(Player* player, int step, int count) {
    enum { PERIOD = 120, HELD = 60 };
    for (int i = 0; i < count; i++) {
        if (step % PERIOD == 0) hold_one(player);
        if (step % PERIOD == HELD) release_one(player);
    }
}
static void play_burst_40(Player* player, int step) { play_burst(player, step, 40); }
static void play_burst_200(Player* player, int step) { play_burst(player, step, 200); }

static const struct {
    const char* name;
    void (*play)(Player* player, int step);
    bool ordinary;          // counts for the ratio
    bool varies, prepared;  // dt at random; with its factors made before
} patterns[] = {
    {"nothing", play_nothing, false, false, false},
    {"one is dragged", play_drag, true, false, false},
    {"one change per step", play_random, true, false, false},
    {"both", play_both, true, false, false},
    {"corners let go", play_corners, true, false, false},
    {"40 at once", play_burst_40, true, false, false},
    {"200 at once", play_burst_200, false, false, false},
    {"varying", play_nothing, false, true, false},
    {"varying, prepared", play_nothing, false, true, true},
};
static const double SHORTEST = 1.0 / 120, LONGEST = 1.0 / 30;  // s, of steps that vary
enum { PATTERN_COUNT = sizeof patterns / sizeof *patterns };

// ---------------------------------------------------------------------------------------------
// Whether steps are still right with what is held: a copy, which knows nothing of what was held
// before, takes the same step, and its solves are checked

typedef struct Probe {
    const WeftModel* model;
    WeftState* state;  // a copy, which may be asked without changing what is measured
    const int *start, *index;
    double *values, *b, *x;
    double largest;  // residual so far
} Probe;

static int open_probe(Probe* probe, const WeftModel* model) {
    WeftError error;
    size_t n = 3 * (size_t)weft_vertex_count(model);
    *probe = (Probe){.model = model};
    probe->values = need((size_t)weft_factor_info(model).matrix_count, sizeof(double));
    probe->b = need(n, sizeof(double));
    probe->x = need(n, sizeof(double));
    if (weft_create_state(model, &probe->state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

static void close_probe(Probe* probe) {
    weft_destroy_state(probe->state);
    free(probe->values);
    free(probe->b);
    free(probe->x);
}

// |b - A x| / |b| on the vertices that are free.
static double find_residual(const Probe* probe) {
    double left = 0, whole = 0;
    for (int i = 0; i < weft_vertex_count(probe->model); i++)
        for (int c = 0; c < 3 && !weft_is_pinned(probe->state, i); c++) {
            double r = probe->b[3 * i + c];
            whole += r * r;
            for (int e = probe->start[i]; e < probe->start[i + 1]; e++)
                r -= probe->values[e] * probe->x[3 * probe->index[e] + c];
            left += r * r;
        }
    return sqrt(left / whole);
}

// `state` took a step from where the probe is.
static int ask_probe(Probe* probe, const WeftState* state, const WeftStepDef* step) {
    unsigned noise = 1;
    for (int i = 0; i < 3 * weft_vertex_count(probe->model); i++) {
        noise = noise * 1664525u + 1013904223u;
        probe->b[i] = weft_masses(probe->model)[i / 3] * ((double)(noise >> 8) / (1 << 23) - 1);
    }
    if (weft_step(probe->state, step))
        return complain(EXIT_FAILED, "%s", weft_state_error(probe->state)->message);
    if (weft_hash_state(probe->state) != weft_hash_state(state))
        return complain(EXIT_FAILED, "a copy of the state does not move as the state does");
    WeftError error;
    if (weft_get_matrix(probe->model, step, &probe->start, &probe->index, probe->values, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    if (weft_solve(probe->state, step, probe->b, probe->x))
        return complain(EXIT_FAILED, "%s", weft_state_error(probe->state)->message);
    double residual = find_residual(probe);
    if (!(residual <= probe->largest)) probe->largest = residual;  // not a number counts, too
    return residual <= 1e-2 ? EXIT_GOOD
                            : complain(EXIT_FAILED, "a solve leaves a residual of %g", residual);
}

// ---------------------------------------------------------------------------------------------
// Measuring

// Several times over, each step with its least time.
typedef struct Course {
    int step_count, pass_count;
    double* seconds;  // per step
    int factors, changes, most_held;
    uint64_t hash;  // at the end, of the first pass
    Probe probe;
} Course;

static int take_pass(const WeftModel* model, const Square* square, const WeftStepDef* usual,
                     int pattern, int pass, Course* course) {
    WeftStepDef step = *usual;
    Player player = {.square = square, .random = 1, .grabbed = -1};
    WeftError error;
    if (weft_create_state(model, &player.state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    int code = EXIT_GOOD;
    course->factors = 0;
    for (int i = -WARM_UP; i < course->step_count && !code; i++) {
        bool ask = pass == 0 && i >= 0 && i % ASK_EVERY == 0;
        double start = thread_time(NULL);
        if (i >= 0) patterns[pattern].play(&player, i);
        double played = thread_time(NULL) - start;
        if (i >= 0 && patterns[pattern].varies)
            step.dt = SHORTEST + (LONGEST - SHORTEST) * draw(&player, 1u << 30) / (1u << 30);
        if (ask) weft_copy_state(course->probe.state, player.state);
        start = thread_time(NULL);
        if (weft_step(player.state, &step))
            code = complain(EXIT_FAILED, "%s", weft_state_error(player.state)->message);
        double seconds = played + thread_time(NULL) - start;
        if (ask && !code) code = ask_probe(&course->probe, player.state, &step);
        if (code) complain(code, "this was step %d of \"%s\"", i, patterns[pattern].name);
        if (i < 0) continue;
        course->seconds[i] = pass == 0 ? seconds : fmin(course->seconds[i], seconds);
        course->factors += weft_report(player.state)->factor_count;
    }
    uint64_t hash = weft_hash_state(player.state);
    if (pass > 0 && hash != course->hash && !code)
        code = complain(EXIT_FAILED, "%s: not the same motion again", patterns[pattern].name);
    course->hash = hash;
    course->changes = player.changes;
    course->most_held = player.most_held;
    weft_destroy_state(player.state);
    return code;
}

// Returns longest over median.
static double tell_course(int pattern, int vertices, Course* course, Report* report) {
    int count = course->step_count;
    sort_numbers(course->seconds, count);
    double median = course->seconds[count / 2], longest = course->seconds[count - 1];
    start_row(report);
    add_number(report, "vertices", vertices);
    add_text(report, "pattern", patterns[pattern].name);
    add_number(report, "steps", count);
    add_number(report, "changes", course->changes);
    add_number(report, "most_held", course->most_held);
    add_number(report, "median_ms", 1000 * median);
    add_number(report, "p99_ms", 1000 * course->seconds[(int)(0.99 * (count - 1))]);
    add_number(report, "longest_ms", 1000 * longest);
    add_number(report, "longest_over_median", longest / median);
    add_number(report, "longest_extra_ms", 1000 * (longest - median));
    add_number(report, "factorisations", course->factors);
    add_number(report, "residual", course->probe.largest);
    return longest / median;
}

static int run_patterns(WeftModel* model, const Square* square, const WeftStepDef* step,
                        Course* course, Report* report) {
    double worst = 0, burst = 0, varying = 0;
    WeftError error;
    int code = EXIT_GOOD;
    for (int p = 0; p < PATTERN_COUNT && !code; p++) {
        show_progress("%d vertices: %s", square->mesh.vertex_count, patterns[p].name);
        course->probe.largest = 0;
        if (patterns[p].prepared && weft_prepare_lengths(model, step, SHORTEST, LONGEST, &error))
            return complain(EXIT_FAILED, "%s", error.message);
        for (int pass = 0; pass < course->pass_count && !code; pass++)
            code = take_pass(model, square, step, p, pass, course);
        if (code) break;
        double ratio = tell_course(p, square->mesh.vertex_count, course, report);
        if (patterns[p].ordinary) worst = fmax(worst, ratio);
        if (patterns[p].play == play_burst_200) burst = ratio;
        if (patterns[p].prepared) varying = ratio;
    }
    add_ratio(report, "longest_over_median", worst);
    add_ratio(report, "burst_200_longest_over_median", burst);
    add_ratio(report, "varying_longest_over_median", varying);
    return code;
}

static int run_grab(const BenchOptions* options, Report* report) {
    Square square;
    WeftStepDef step = still_air_step();
    WeftModel* model = NULL;
    WeftState* state = NULL;
    Course course = {.step_count = options->quick ? 150 : 600,
                     .pass_count = options->quick  ? 1
                                   : options->full ? 6
                                                   : 3};
    int code = make_square(72, 76, &square);
    if (!code) code = create_square(&square, &step, 1, thread_time, &model, &state);
    course.seconds = need((size_t)course.step_count, sizeof *course.seconds);
    if (!code) code = open_probe(&course.probe, model);
    if (!code) code = run_patterns(model, &square, &step, &course, report);
    close_probe(&course.probe);
    free(course.seconds);
    weft_destroy_state(state);
    weft_destroy_model(model);
    destroy_square(&square);
    add_note(report,
             "Times are processor time on one thread, the changes included; the same motion is "
             "taken several times, and each step counts with its least time.");
    add_note(report,
             "longest_over_median: the largest of all patterns of pins but 200 at once, in which "
             "more change than can be taken in without a new factor.");
    return code;
}

const Bench grab_bench = {
    .name = "grab",
    .text = "vertices grabbed and released between steps, steps that vary: the longest step",
    .details =
        "The square of the bench swing with 72 x 76 vertices, quality 4, one thread. Patterns:\n"
        "nothing; one vertex after the other is dragged around; a pin comes or goes in every\n"
        "step, up to 48 at once; both; the corners that hold the cloth are let go and held\n"
        "again; 40, and 200, are pinned at once and later released at once; nothing, but steps of\n"
        "1/120 to 1/30 s at random, with factors made as they are needed, and made before.",
    .run = run_grab,
};
