// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// detail: how near a coarse simulation with learned wrinkles comes to the dense one, on motions
// that nobody learned from, and what else the same time would pay for.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply.h"
#include "equal.h"
#include "garments/files.h"
#include "lesson.h"
#include "study.h"
#include "tune.h"
#include "way.h"

enum { MAX_WAYS = 16, LOOK = 10 };
enum { FLAT, SMOOTH, LEARNED, SHOWN_WAYS };  // the first of the ways

typedef struct Session {
    const BenchOptions* options;
    Report* report;
    Stage stage;
    Dense dense;
    WeftDetail* subdivided[2];
    Lesson lesson;
    int way_count;
    Way ways[MAX_WAYS];
    float* normals;  // of the dense cloth
    bool* held;
    Times dense_times;
    Equal equal;
} Session;

// What the report is for, by pace.
typedef struct Summary {
    double vertex[PACE_COUNT], normal[PACE_COUNT], speedup[PACE_COUNT];
} Summary;

// ---------------------------------------------------------------------------------------------
// A stage

static int fail_session(const WeftError* error) {
    return complain(EXIT_FAILED, "%s", error->message);
}

static int open_dense(Session* s) {
    const WeftMesh* coarse = &s->stage.scene->meshes[0];
    WeftError error = {0};
    s->dense.stage = &s->stage;
    if (weft_refine_mesh(coarse, s->stage.parts, NULL, &s->dense.mesh, &s->dense.map, &error))
        return fail_session(&error);
    for (int k = 0; k < 2; k++) {
        WeftDetailSurface surface = k ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT;
        if (weft_create_detail(coarse, &s->dense.mesh, &s->dense.map, surface, NULL,
                               &s->subdivided[k], &error))
            return fail_session(&error);
    }
    s->normals = need(3 * (size_t)s->dense.mesh.vertex_count, sizeof *s->normals);
    s->held = need((size_t)s->dense.mesh.vertex_count, sizeof *s->held);
    return EXIT_GOOD;
}

static void close_session(Session* s) {
    for (int k = 0; k < s->way_count; k++) close_way(&s->ways[k]);
    for (int k = 0; k < 2; k++) weft_destroy_detail(s->subdivided[k]);
    destroy_lesson(&s->lesson);
    close_equal(&s->equal);
    weft_destroy_refinement(&s->dense.map);
    weft_destroy_mesh(&s->dense.mesh);
    close_stage(&s->stage);
    free(s->normals);
    free(s->held);
    free(s->dense_times.seconds);
    free(s);
}

static void add_swept(Session* s, const char* name, const WeftDetail* base, const int* sweeps,
                      int count, bool resumes) {
    for (int k = 0; k < count; k++) {
        char text[WAY_NAME];
        snprintf(text, sizeof text, "%s, %d sweeps", name, sweeps[k]);
        show_progress("%s: settings of \"%s\"", stage_name(s->stage.kind), text);
        SweepDef def = tune_sweeps(base, &s->dense.mesh, &s->lesson.record, sweeps[k], resumes);
        open_way(&s->ways[s->way_count++], text, base, create_sweeper(&s->dense.mesh, &def));
    }
}

static void open_ways(Session* s) {
    static const int tied[] = {2, 4, 8, 16}, after[] = {2, 8};
    const Record* record = &s->lesson.record;
    int better = base_error(s->subdivided[1], record) < base_error(s->subdivided[0], record);
    open_way(&s->ways[FLAT], "flat", s->subdivided[0], NULL);
    open_way(&s->ways[SMOOTH], "smooth", s->subdivided[1], NULL);
    open_way(&s->ways[LEARNED], "learned", s->lesson.detail, NULL);
    s->way_count = SHOWN_WAYS;
    add_swept(s, "tied", s->subdivided[better], tied, 4, true);
    add_swept(s, "learned", s->lesson.detail, after, 2, false);
}

// ---------------------------------------------------------------------------------------------
// Motions

static int take_frame(Session* s, WeftPair* pair, int frame, bool tracked, int way_count) {
    WeftError error = {0};
    bool looks = frame >= SETTLED && frame % LOOK == 0;
    double start = thread_time(NULL);
    WeftResult result = weft_step_coarse(pair, &error);
    Simulated coarse = {pair->coarse_model, pair->coarse_state, pair->frame,
                        thread_time(NULL) - start};
    start = thread_time(NULL);
    if (!result) result = weft_step_dense(pair, tracked, &error);
    if (!tracked) add_time(&s->dense_times, thread_time(NULL) - start);
    coarse.frame = pair->frame;
    if (frame == 0) {
        list_held(pair, s->held);
        for (int k = 0; k < way_count && !result; k++)
            result = begin_way(&s->ways[k], pair->coarse_model, s->held, &error);
    }
    weft_copy_detail(s->subdivided[0], pair->dense, NULL, NULL, s->normals);
    for (int k = 0; k < way_count && !result; k++) {
        result = show_way(&s->ways[k], &coarse, looks, &error);
        if (frame >= SETTLED) judge_way(&s->ways[k], pair->dense, s->normals);
    }
    int code = result ? fail_session(&error) : EXIT_GOOD;
    if (code || tracked) return code;
    code = step_equal(&s->equal, looks);
    for (int k = 0; k < 2 && !code && frame >= SETTLED; k++)
        judge_way(&s->equal.ways[k], pair->dense, s->normals);
    return code;
}

static int run_motion(Session* s, Pace pace, int index, bool tracked) {
    Motion motion = unseen_motion(s->stage.kind, pace, index);
    WeftPair* pair = NULL;
    WeftError error = {0};
    show_progress("%s, %s, motion %d: %s", stage_name(s->stage.kind), pace ? "fast" : "slow",
                  index + 1, tracked ? "tracked" : "on their own");
    int code = set_motion(&s->stage, &motion, 1);
    if (!code && !tracked) code = restart_equal(&s->equal, &motion);
    if (!code && weft_create_pair(s->stage.scene, 0, s->stage.parts, NULL, &pair, &error))
        code = fail_session(&error);
    for (int i = 0; i < s->stage.frames && !code; i++)
        code = take_frame(s, pair, i, tracked, tracked ? s->way_count : SHOWN_WAYS);
    for (int k = 0; k < s->way_count; k++) end_way(&s->ways[k]);
    weft_destroy_pair(pair);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Rows

static void start_way_row(Session* s, Pace pace, const char* against, const char* way, int vertices,
                          const Times* times) {
    Report* report = s->report;
    start_row(report);
    add_text(report, "scene", stage_name(s->stage.kind));
    add_text(report, "motion", pace ? "fast" : "slow");
    add_text(report, "against", against);
    add_text(report, "way", way);
    add_number(report, "simulated", vertices);
    add_number(report, "ms", 1000 * median_time(times));
    add_number(report, "least_ms", 1000 * least_time(times));
}

static void add_way_row(Session* s, Pace pace, const char* against, const Way* way, int vertices) {
    Report* report = s->report;
    start_way_row(s, pace, against, way->name, vertices, &way->times);
    add_number(report, "vertex_mm", vertex_error(&way->score));
    add_number(report, "normal_deg", normal_error(&way->score));
    add_number(report, "jitter_mm", jitter(&way->score));
    if (s->stage.kind != STAGE_SKIRT) return;
    add_number(report, "bare_inside", way->score.bare);
    add_number(report, "inside", way->score.inside);
}

static const char* table_title(StageKind kind, Pace pace, bool tracked) {
    static const char* const titles[STAGE_COUNT][PACE_COUNT][2] = {
        {{"sheet, slow, on their own", "sheet, slow"},
         {"sheet, fast, on their own", "sheet, fast"}},
        {{"skirt, slow, on their own", "skirt, slow"},
         {"skirt, fast, on their own", "skirt, fast"}}};
    return titles[kind][pace][tracked];
}

static int run_tracked(Session* s, Pace pace, Summary* summary) {
    int code = EXIT_GOOD, count = unseen_count(s->stage.kind, s->options->quick);
    for (int k = 0; k < s->way_count; k++) clear_way(&s->ways[k]);
    for (int i = 0; i < count && !code; i++) code = run_motion(s, pace, i, true);
    if (code) return code;
    start_table(s->report, table_title(s->stage.kind, pace, true));
    for (int k = 0; k < s->way_count; k++)
        add_way_row(s, pace, "tracked", &s->ways[k], s->stage.scene->meshes[0].vertex_count);
    const Score* flat = &s->ways[FLAT].score;
    const Score* smooth = &s->ways[SMOOTH].score;
    const Score* learned = &s->ways[LEARNED].score;
    summary->vertex[pace] = vertex_error(learned) / fmin(vertex_error(flat), vertex_error(smooth));
    summary->normal[pace] = normal_error(learned) / fmin(normal_error(flat), normal_error(smooth));
    return code;
}

static int run_alone(Session* s, Pace pace, Summary* summary) {
    int code = EXIT_GOOD, count = unseen_count(s->stage.kind, s->options->quick);
    int coarse = s->stage.scene->meshes[0].vertex_count, dense = s->dense.mesh.vertex_count;
    for (int k = 0; k < SHOWN_WAYS; k++) clear_way(&s->ways[k]);
    for (int k = 0; k < 2; k++) clear_way(&s->equal.ways[k]);
    s->dense_times.count = 0;
    for (int i = 0; i < count && !code; i++) code = run_motion(s, pace, i, false);
    if (code) return code;
    start_table(s->report, table_title(s->stage.kind, pace, false));
    start_way_row(s, pace, "on its own", "dense simulation", dense, &s->dense_times);
    for (int k = 0; k < SHOWN_WAYS; k++) add_way_row(s, pace, "on its own", &s->ways[k], coarse);
    for (int k = 0; k < 2; k++)
        add_way_row(s, pace, "on its own", &s->equal.ways[k], s->equal.vertices);
    summary->speedup[pace] = median_time(&s->dense_times) / median_time(&s->ways[LEARNED].times);
    return code;
}

static void add_lesson(Session* s) {
    const WeftLearnReport* learned = &s->lesson.report;
    Report* report = s->report;
    start_table(report, s->stage.kind == STAGE_SHEET ? "sheet, learning" : "skirt, learning");
    start_row(report);
    add_text(report, "scene", stage_name(s->stage.kind));
    add_number(report, "coarse", s->stage.scene->meshes[0].vertex_count);
    add_number(report, "dense", s->dense.mesh.vertex_count);
    add_number(report, "motions", s->lesson.motions);
    add_number(report, "frames", (double)learned->frames);
    add_number(report, "held_out", (double)learned->held_out);
    add_number(report, "ridge", learned->ridge);
    add_number(report, "left", learned->error);
    add_number(report, "seconds", s->lesson.seconds);
}

static int run_stage(const BenchOptions* options, const char* garments, StageKind kind,
                     Summary* summary, Report* report) {
    static const struct {
        double edge, quick_edge;
        int parts, quick_parts, frames, quick_frames, motions;
    } sizes[STAGE_COUNT] = {{1.0 / 16, 1.0 / 8, 4, 4, 240, 45, 16}, {0.06, 0.1, 6, 4, 120, 40, 14}};
    bool quick = options->quick;
    int motions = options->has_runs ? (int)options->runs : quick ? 3 : sizes[kind].motions;
    Session* s = need(1, sizeof *s);
    s->options = options, s->report = report;
    s->stage = (Stage){.kind = kind,
                       .period = 3,
                       .edge = quick ? sizes[kind].quick_edge : sizes[kind].edge,
                       .parts = quick ? sizes[kind].quick_parts : sizes[kind].parts,
                       .frames = quick ? sizes[kind].quick_frames : sizes[kind].frames,
                       .garments = garments};
    int code = learn_stage(&s->stage, motions, &s->lesson);
    if (!code) code = open_dense(s);
    if (!code) {
        add_lesson(s);
        open_ways(s);
    }
    for (Pace pace = 0; pace < PACE_COUNT && !code; pace++) code = run_tracked(s, pace, summary);
    if (!code) {
        Motion motion = unseen_motion(kind, PACE_SLOW, 0);
        code = find_equal(&s->dense, &motion, s->lesson.detail, &s->equal);
    }
    for (Pace pace = 0; pace < PACE_COUNT && !code; pace++) code = run_alone(s, pace, summary);
    close_session(s);
    return code;
}

// ---------------------------------------------------------------------------------------------

static void add_ratios(StageKind kind, const Summary* summary, Report* report) {
    static const char* const names[STAGE_COUNT][5] = {
        {"sheet_vertex_error_ratio_slow", "sheet_vertex_error_ratio_fast",
         "sheet_normal_error_ratio_slow", "sheet_normal_error_ratio_fast", "sheet_speedup"},
        {"skirt_vertex_error_ratio_slow", "skirt_vertex_error_ratio_fast",
         "skirt_normal_error_ratio_slow", "skirt_normal_error_ratio_fast", "skirt_speedup"}};
    for (int pace = 0; pace < PACE_COUNT; pace++) {
        add_ratio(report, names[kind][pace], summary->vertex[pace]);
        add_ratio(report, names[kind][2 + pace], summary->normal[pace]);
    }
    add_ratio(report, names[kind][4], fmin(summary->speedup[0], summary->speedup[1]));
}

static void add_notes(Report* report) {
    add_note(report,
             "motions that nobody learned from. ms: processor time of one thread per frame of "
             "1/60 s, the coarse step and what is shown of it, normals not counted; the median. "
             "simulated: vertices.");
    add_note(report,
             "vertex_mm: root mean square over vertices and frames; normal_deg: the mean angle "
             "between unit normals, every vertex alike; jitter_mm: root mean square of the second "
             "difference in time of what is shown less the dense cloth.");
    add_note(report,
             "inside: shown vertices in the body in every tenth frame, all together; bare_inside: "
             "before weft_keep_outside.");
    add_note(report,
             "tracked: the dense run follows the coarse one. on its own: both go their own ways "
             "from the same start, so that most of the distance is not detail; same time: the "
             "finest simulation whose frames take no longer than the coarse one with learned "
             "detail.");
    add_note(report,
             "ratios: learned over the better of flat and smooth, against the tracked run; "
             "speedup: the dense step over the coarse step with learned detail, the lesser of "
             "slow and fast; apply_20k_ms: the paper (Kavan and others 2011) has 0.8 ms.");
}

static bool wants(const BenchOptions* options, const char* part) {
    return !options->part || strcmp(options->part, part) == 0;
}

static int run_detail(const BenchOptions* options, Report* report) {
    FileList* list = need(1, sizeof *list);
    BenchOptions all = *options;
    int code = EXIT_GOOD;
    if (!wants(options, "sheet") && !wants(options, "skirt") && !wants(options, "apply") &&
        !wants(options, "study"))
        code =
            complain(EXIT_USAGE, "detail has no part \"%s\"; sheet, skirt, apply and study it has",
                     options->part);
    if (!code && options->has_runs && (options->runs < 2 || options->runs > MAX_MOTIONS))
        code = complain(EXIT_USAGE, "detail learns from 2 to %d motions", MAX_MOTIONS);
    all.only = NULL;
    if (!code && wants(options, "skirt")) code = list_garments(&all, list);
    for (StageKind kind = 0; kind < STAGE_COUNT && !code; kind++) {
        Summary summary = {.speedup = {0}};
        if (!wants(options, stage_name(kind))) continue;
        code = run_stage(options, list->folder, kind, &summary, report);
        if (!code) add_ratios(kind, &summary, report);
    }
    if (!code && wants(options, "apply")) code = run_apply(options, report);
    if (!code && options->part && wants(options, "study")) code = run_study(options, report);
    if (!code) add_notes(report);
    free(list);
    return code;
}

const Bench detail_bench = {
    .name = "detail",
    .text = "a coarse cloth that shows learned wrinkles, against the dense simulation",
    .details =
        "A sheet that is swung by two corners, and a skirt on a mannequin that walks. Wrinkles are "
        "learned\nin this run, from motions of their own; others, slow and fast, are judged: error "
        "of vertices\nand normals, and ms per frame, of flat and smooth subdivision, of what was "
        "learned, of a dense\nmesh that is tied to the coarse one and relaxed by sweeps, of both, "
        "and of a simulation that is\nas fine as the same time pays for.\n"
        "\n"
        "Parts: sheet, skirt, and apply: the time of a result with 20,000 vertices; and, where it "
        "is "
        "named,\nstudy: what more motions and other coarse sheets give. --runs N: motions to learn "
        "from.",
    .has_parts = true,
    .run = run_detail,
};
