// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "summary.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "shown.h"

enum { NAME_SIZE = 2100, PHASE_COUNT = 10 };

static const struct {
    const char* name;
    size_t offset;
    bool contact;  // only of scenes in which something can touch
} phases[PHASE_COUNT] = {
    {"predict", offsetof(WeftTimes, predict), false},
    {"force", offsetof(WeftTimes, force), false},
    {"build", offsetof(WeftTimes, build), false},
    {"factor", offsetof(WeftTimes, factor), false},
    {"solve", offsetof(WeftTimes, solve), false},
    {"update", offsetof(WeftTimes, update), false},
    {"body", offsetof(WeftTimes, body), true},
    {"self", offsetof(WeftTimes, self), true},
    {"respond", offsetof(WeftTimes, respond), true},
    {"defend", offsetof(WeftTimes, defend), true},
};

static double* phase(const WeftTimes* times, int i) {
    return (double*)((char*)times + phases[i].offset);
}

// ---------------------------------------------------------------------------------------------
// What was chosen

static bool same_choice(const WeftStepReport* a, const WeftStepReport* b) {
    return a->substeps == b->substeps && a->scheme == b->scheme &&
           memcmp(a->iterations, b->iterations, sizeof a->iterations) == 0;
}

static void add_choice(Summary* summary, const WeftStepReport* report) {
    int i = 0;
    while (i < summary->choice_count && !same_choice(&summary->choices[i].report, report)) i++;
    if (i == CHOICE_KINDS) return;
    if (i == summary->choice_count) summary->choice_count++;
    Choice* choice = &summary->choices[i];
    choice->report = *report;
    choice->steps++;
    for (int k = 0; k < WEFT_MAX_LIMITS && k < report->substeps; k++) {
        choice->substeps++;
        choice->iterations += report->limits[k];
    }
}

// NULL before the first step.
static const Choice* most_frequent(const Summary* summary) {
    const Choice* best = NULL;
    for (int i = 0; i < summary->choice_count; i++)
        if (!best || summary->choices[i].steps > best->steps) best = &summary->choices[i];
    return best;
}

// On average over its substeps.
static double mean_iterations(const Choice* choice) {
    return choice->substeps > 0 ? (double)choice->iterations / (double)choice->substeps : 0;
}

// What method_text shall tell of.
static const WeftStepReport* typical_report(const Summary* summary, const Session* session) {
    const Choice* choice = most_frequent(summary);
    return choice ? &choice->report : weft_report(session->state);
}

// ---------------------------------------------------------------------------------------------

// Whether something can touch something.
static bool has_contact(const Session* session) {
    const WeftModelDef* def = &session->scene->model;
    return def->contact == WEFT_CONTACT_ALL ||
           (def->contact == WEFT_CONTACT_BODIES && def->body_count > 0);
}

static void add_contact(Summary* summary, const WeftStepReport* report) {
    summary->body_contacts += report->body_contacts;
    summary->self_contacts += report->self_contacts;
    summary->impacts += report->impacts;
    summary->zones += report->zones;
    summary->unstopped += report->unstopped;
    summary->jumps += report->jumps > 0;
    summary->slowed += report->slowed;
    summary->thrown += report->thrown;
    summary->tangled += report->tangles > 0;
    if (report->tangles > summary->tangles) summary->tangles = report->tangles;
    summary->penetration = fmax(summary->penetration, report->penetration);
    summary->asleep = report->asleep ? summary->asleep + 1 : 0;
}

static void add_over_limit(Summary* summary, const WeftStepReport* report) {
    summary->over_limit_steps += report->over_limit > 0;
    if (report->over_limit <= summary->over_limit) return;
    summary->over_limit = report->over_limit;
    summary->over_limit_vertex = report->over_limit_vertex;
}

static const double SLACK = 1.1;  // a budget is kept by what takes a tenth more, too

static int add_stretch(Stretch* stretch, const Session* session, const WeftStepDef* step,
                       int step_number) {
    WeftMeasure measure;
    if (weft_measure(session->state, step->gravity, &measure))
        return complain(EXIT_FAILED, "out of memory");
    stretch->end = measure.max_stretch;
    if (step_number == 0) {
        stretch->start = measure.max_stretch;
    } else if (!(measure.max_stretch <= stretch->most)) {  // not a number counts, too
        stretch->most = measure.max_stretch;
        stretch->step = step_number;
    }
    return GO_ON;
}

int begin_summary(Summary* summary, const Session* session) {
    int code = open_closing(&summary->closing, session);
    if (code != GO_ON) return code;
    return add_stretch(&summary->stretch, session, &session->scene->model.step, 0);
}

void free_summary(Summary* summary) { free_closing(&summary->closing); }

int add_step(Summary* summary, const Session* session, const WeftStepDef* step) {
    const WeftStepReport* report = weft_report(session->state);
    double seconds = report->times.total;
    if (summary->steps == 0 || seconds < summary->fastest) summary->fastest = seconds;
    if (seconds > summary->slowest) summary->slowest = seconds;
    for (int i = 0; i < PHASE_COUNT; i++) *phase(&summary->times, i) += *phase(&report->times, i);
    summary->times.total += seconds;
    summary->steps++;
    summary->hurried += report->hurry > 1;
    summary->guarded += report->guard_count;
    summary->unconverged += !report->converged;
    add_over_limit(summary, report);
    summary->kept += 1000 * seconds <= SLACK * step->budget_ms;
    summary->late += report->late;
    add_choice(summary, report);
    add_contact(summary, report);
    look_at_closing(&summary->closing, session);
    return add_stretch(&summary->stretch, session, step, summary->steps);
}

// ---------------------------------------------------------------------------------------------
// As text

// "1/60" where it is a fraction, "0.0123" elsewhere.
static const char* fraction(double dt) {
    static char text[32];
    double rate = round(1 / dt);
    if (fabs(rate * dt - 1) < 1e-9)
        snprintf(text, sizeof text, "1/%.0f", rate);
    else
        snprintf(text, sizeof text, "%g", dt);
    return text;
}

static void print_times(const Summary* summary, double dt, bool contact) {
    double ms = 1000.0 / summary->steps, total = summary->times.total;
    puts("\n  phase       ms/step   share");
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (phases[i].contact && !contact) continue;
        double seconds = *phase(&summary->times, i);
        printf("  %-9s %9.3f %6.0f %%\n", phases[i].name, ms * seconds,
               total > 0 ? 100 * seconds / total : 0);
    }
    printf("  %-9s %9.3f   (%.3f to %.3f)\n", "step", ms * total, 1000 * summary->fastest,
           1000 * summary->slowest);
    double speed = total > 0 ? summary->steps * dt / total : 0;
    if (speed > 0)
        printf("  simulated %.*f times as fast as real time\n", speed < 1 ? 3 : 1, speed);
}

// What is counted: iterations of a scheme, or sweeps.
static const char* iteration_name(const WeftStepReport* report) {
    return report->method == WEFT_METHOD_RELAXATION ? "sweeps"
                                                    : choice_name("scheme", (int)report->scheme);
}

static void print_stiffness(const WeftStepReport* report, const WeftStepDef* step) {
    if (report->stiffness_scale < 1)
        printf("  stiffness %.3g of the fabric's (stretch tolerance %g), beta %.3g\n",
               report->stiffness_scale, step->stretch_tolerance, report->stiffness_number);
    else
        printf("  stiffness the fabric's, beta %.3g\n", report->stiffness_number);
}

static void print_budget(const Summary* summary, double ms) {
    const Choice* choice = most_frequent(summary);
    if (ms > 0)
        printf(
            "  budget    %g ms: %.1f %% of the steps kept it (within 10 %%), the longest took "
            "%.3f ms\n",
            ms, 100.0 * summary->kept / summary->steps, 1000 * summary->slowest);
    if (summary->late > 0)
        printf("  late      %d of %d steps need more than the budget at any quality\n",
               summary->late, summary->steps);
    if (ms > 0 || summary->choice_count > 1)
        printf("  chosen    in %d of %d steps: %d x %s %.3g\n", choice->steps, summary->steps,
               choice->report.substeps, iteration_name(&choice->report), mean_iterations(choice));
}

static const char* plural(long long count) { return count == 1 ? "" : "s"; }

static void print_contact(const Summary* summary, const WeftStepReport* report, double dt) {
    double steps = summary->steps;
    long long stopped = summary->impacts - summary->unstopped;
    if (stopped < 0) stopped = 0;  // zones that are torn may find more than the solve left
    printf("  contact   %.4g pairs with bodies and %.4g of cloth per step; %lld impact%s stopped\n",
           (double)summary->body_contacts / steps, (double)summary->self_contacts / steps, stopped,
           plural(stopped));
    if (summary->penetration > 0)
        printf("  depth     thickness was not kept by up to %.3g mm\n",
               1000 * summary->penetration);
    if (summary->unstopped > 0)
        printf("  warning   %lld impact%s could not be stopped\n", summary->unstopped,
               plural(summary->unstopped));
    if (summary->jumps > 0)
        printf("  jumps     in %d step%s bodies or pins went faster than 50 m/s, and were placed\n",
               summary->jumps, plural(summary->jumps));
    if (summary->slowed > 0)
        printf("  slowed    in %d step%s too many pairs were near, and the cloth was slowed\n",
               summary->slowed, plural(summary->slowed));
    if (summary->thrown > 0)
        printf(
            "  thrown    in %d step%s the cloth had been thrown, faster than 10 m/s, and was "
            "slowed\n",
            summary->thrown, plural(summary->thrown));
    if (summary->tangled > 0)
        printf("  %-9s in %d step%s: up to %d crossing%s or vertices inside a body, %d left\n",
               report->tangles > 0 ? "warning" : "tangled", summary->tangled,
               plural(summary->tangled), summary->tangles, plural(summary->tangles),
               report->tangles > 0 ? report->tangles : 0);
    if (summary->asleep > 0)
        printf("  asleep    since %.3g s\n", dt * (summary->steps - summary->asleep));
}

static void print_files(const Outputs* outputs) {
    static const char* const units[] = {"bytes", "kB", "MB", "GB"};
    if (outputs->also) print_files(outputs->also);
    for (int i = 0; i < outputs->count; i++) {
        char name[NAME_SIZE];
        int unit = 0;
        double size = output_size(outputs, i, name, NAME_SIZE);
        for (; size >= 1000 && unit < 3; unit++) size /= 1000;
        printf("  wrote     %s, %.3g %s\n", name, size, units[unit]);
    }
}

static void print_over_limit(const Summary* summary) {
    if (summary->over_limit == 0) return;
    printf(
        "  limit     in %d step%s the stretch limit could not be kept: up to %d edge%s, the worst "
        "at vertex %d\n",
        summary->over_limit_steps, plural(summary->over_limit_steps), summary->over_limit,
        plural(summary->over_limit), summary->over_limit_vertex);
}

static void print_replay(const Summary* summary) {
    static const char* const texts[] = {
        [REPLAY_NONE] = "",
        [REPLAY_PART] = "a part of the record, with nothing to compare",
        [REPLAY_SAME] = "the same bits",
        [REPLAY_OTHER] = "not the same bits",
    };
    if (summary->replay == REPLAY_NONE) return;
    printf("  replayed  %d steps: %s\n", summary->steps, texts[summary->replay]);
}

// What the scene cuts, and where there was nothing to cut.
static void print_tears(const Session* session) {
    const WeftScene* scene = session->scene;
    if (split_vertices(session) > 0)
        printf("  torn      %d vertices more at the end\n", split_vertices(session));
    for (int i = 0; i < scene->cut_count; i++)
        if (scene->cuts[i].edge_count == 0)
            printf("  warning   cut %d, at %g s, met no cloth that was whole\n", i,
                   scene->cuts[i].time);
}

void print_summary(const Summary* summary, const Session* session, const Outputs* outputs) {
    const WeftStepDef* step = &session->scene->model.step;
    char hash[HASH_SIZE];
    printf("%s: %d steps of %s s%s\n", session->scene->name, summary->steps, fraction(step->dt),
           summary->stopped ? ", then stopped" : "");
    printf("  cloth     %d vertices, %d triangles\n", weft_vertex_count(session->model),
           weft_triangle_count(session->model));
    print_tears(session);
    print_shown(session, outputs, "  shown     ");
    print_mirror(session, &summary->closing);
    print_welds(session, "  ");
    print_thinning(session, "  ");
    printf("  method    %s\n", method_text(session, typical_report(summary, session)));
    if (summary->steps > 0) {
        print_budget(summary, step->budget_ms);
        print_stiffness(weft_report(session->state), step);
        printf("  stretch   %.4f at most\n", summary->stretch.most);
        print_over_limit(summary);
        print_overstretch(session, &summary->stretch);
        if (summary->hurried > 0)
            printf("  hurry     in %d step%s cloth moved so fast that substeps were cut\n",
                   summary->hurried, plural(summary->hurried));
        if (summary->guarded) printf("  guard     refused %d iterates\n", summary->guarded);
        if (summary->unconverged)
            printf("  warning   %d steps did not converge\n", summary->unconverged);
        if (has_contact(session)) print_contact(summary, weft_report(session->state), step->dt);
        print_times(summary, step->dt, has_contact(session));
    }
    putchar('\n');
    print_files(outputs);
    print_replay(summary);
    print_hash(session, hash);
    printf("  hash      %s\n", hash);
}

// ---------------------------------------------------------------------------------------------
// As data

static json_t* times_json(const Summary* summary) {
    double ms = summary->steps > 0 ? 1000.0 / summary->steps : 0;
    json_t* times = json_object();
    for (int i = 0; i < PHASE_COUNT; i++)
        json_object_set_new(times, phases[i].name, json_real(ms * *phase(&summary->times, i)));
    json_object_set_new(times, "total", json_real(ms * summary->times.total));
    json_object_set_new(times, "min", json_real(1000 * summary->fastest));
    json_object_set_new(times, "max", json_real(1000 * summary->slowest));
    return times;
}

// null without a budget
static json_t* budget_json(const Summary* summary, double ms) {
    const Choice* choice = most_frequent(summary);
    if (!choice || ms <= 0) return json_null();
    return json_pack("{s:f,s:f,s:i,s:f,s:i,s:i,s:s,s:f}", "ms", ms, "kept",
                     (double)summary->kept / summary->steps, "late", summary->late, "longest_ms",
                     1000 * summary->slowest, "chosen_steps", choice->steps, "substeps",
                     choice->report.substeps, "scheme", iteration_name(&choice->report),
                     "iterations", mean_iterations(choice));
}

// null where nothing can touch
static json_t* contact_json(const Summary* summary, const Session* session) {
    const WeftStepReport* report = weft_report(session->state);
    double steps = fmax(summary->steps, 1), dt = session->scene->model.step.dt;
    if (!has_contact(session)) return json_null();
    json_t* asleep =
        summary->asleep > 0 ? json_real(dt * (summary->steps - summary->asleep)) : json_null();
    return json_pack("{s:f,s:f,s:I,s:I,s:I,s:i,s:i,s:i,s:f,s:i,s:o}", "body_contacts",
                     (double)summary->body_contacts / steps, "self_contacts",
                     (double)summary->self_contacts / steps, "impacts",
                     (json_int_t)summary->impacts, "zones", (json_int_t)summary->zones, "unstopped",
                     (json_int_t)summary->unstopped, "jumps", summary->jumps, "slowed",
                     summary->slowed, "thrown", summary->thrown, "penetration",
                     summary->penetration, "tangles", report->tangles, "asleep_since", asleep);
}

static json_t* files_json(const Outputs* outputs) {
    json_t* files = outputs->also ? files_json(outputs->also) : json_array();
    for (int i = 0; i < outputs->count; i++) {
        char name[NAME_SIZE];
        double size = output_size(outputs, i, name, NAME_SIZE);
        json_array_append_new(
            files, json_pack("{s:s,s:I}", "path", outputs->paths[i], "bytes", (json_int_t)size));
    }
    return files;
}

// Whether a whole record was replayed, and gave the same bits; else null.
static json_t* replay_json(const Summary* summary) {
    bool whole = summary->replay == REPLAY_SAME || summary->replay == REPLAY_OTHER;
    return whole ? json_boolean(summary->replay == REPLAY_SAME) : json_null();
}

int print_summary_json(const Summary* summary, const Session* session, const Outputs* outputs) {
    const WeftStepDef* step = &session->scene->model.step;
    const WeftStepReport* report = weft_report(session->state);
    char hash[HASH_SIZE];
    print_hash(session, hash);
    json_t* root = json_pack(
        "{s:s,s:i,s:i,s:i,s:i,s:f,s:b,s:s,s:i,s:f,s:f,s:f,s:i,s:f,s:b,s:i,s:i,s:i,s:i,s:i,s:o,s:o,"
        "s:o,"
        "s:o,s:o,s:o,s:o,s:s}",
        "scene", session->scene->name, "vertices", weft_vertex_count(session->model), "triangles",
        weft_triangle_count(session->model), "split_vertices", split_vertices(session), "steps",
        summary->steps, "dt", step->dt, "stopped", summary->stopped, "method",
        method_text(session, typical_report(summary, session)), "quality", step->quality,
        "stiffness_scale", report->stiffness_scale, "beta", report->stiffness_number, "max_stretch",
        summary->stretch.most, "max_stretch_step", summary->stretch.step, "end_stretch",
        summary->stretch.end, "overstretched", is_overstretched(session, &summary->stretch),
        "over_limit_steps", summary->over_limit_steps, "over_limit", summary->over_limit, "hurried",
        summary->hurried, "guarded", summary->guarded, "unconverged", summary->unconverged,
        "budget", budget_json(summary, step->budget_ms), "contact", contact_json(summary, session),
        "ms_per_step", times_json(summary), "files", files_json(outputs), "shown",
        shown_json(session, outputs), "mirror", mirror_json(session, &summary->closing),
        "replay_same", replay_json(summary), "hash", hash);
    if (!root) return complain(EXIT_FAILED, "the summary cannot be written as data");
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
    return GO_ON;
}
