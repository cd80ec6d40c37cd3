// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every garment in three fabrics on three sizes: put on, worn on a walk, and judged in every frame.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "fitting.h"
#include "garments.h"
#include "slip.h"
#include "three.h"

// light, medium and stiff
static const char* const fabrics[] = {"silk_charmeuse", "wool_tropical", "denim"};

// S, M and L of size charts, rounded to a centimetre; 0: in proportion.
static const struct {
    const char* name;
    WeftMannequinDef def;
} sizes[] = {
    {"female medium", {WEFT_MANNEQUIN_FEMALE, 0, 0, 0, 0, 0.019}},
    {"female small", {WEFT_MANNEQUIN_FEMALE, 1.60, 0.82, 0.64, 0.89, 0.019}},
    {"female large", {WEFT_MANNEQUIN_FEMALE, 1.77, 1.02, 0.85, 1.07, 0.019}},
    {"male medium", {WEFT_MANNEQUIN_MALE, 0, 0, 0, 0, 0.019}},
    {"male small", {WEFT_MANNEQUIN_MALE, 1.70, 0.90, 0.76, 0.92, 0.019}},
    {"male large", {WEFT_MANNEQUIN_MALE, 1.88, 1.10, 0.98, 1.08, 0.019}},
    {"child medium", {WEFT_MANNEQUIN_CHILD, 0, 0, 0, 0, 0.019}},
    {"child small", {WEFT_MANNEQUIN_CHILD, 1.10, 0, 0, 0, 0.016}},
    {"child large", {WEFT_MANNEQUIN_CHILD, 1.45, 0, 0, 0, 0.019}},
};
enum { FABRIC_COUNT = 3, SIZE_COUNT = sizeof sizes / sizeof *sizes };

static const double EDGE = 0.02, CLOSED = 1e-3;  // m
static const double SECONDS = 5, QUICK_SECONDS = 2;
static const int ENOUGH_VERTICES = 15000;

typedef struct Walk {
    const char* outcome;  // "good", or what is wrong
    char what[240];
    int vertices, frames, crossings, inside, bad_frames;
    double dress_seconds, mean_ms, worst_ms, open_seam, stretch, walk_stretch;
    Slip slip;
} Walk;

// ---------------------------------------------------------------------------------------------
// A walk

static void fail_walk(Walk* walk, const char* outcome, const char* what) {
    walk->outcome = outcome;
    snprintf(walk->what, sizeof walk->what, "%.239s", what);
}

// What is found first is told.
static void count_judgement(Walk* walk, const Fitting* fitting, const Judgement* judgement) {
    if (judgement->crossings + judgement->inside == 0) return;
    if (walk->bad_frames++ == 0)
        snprintf(walk->what, sizeof walk->what, "frame %d: %s", fitting->frame, judgement->first);
    walk->crossings += judgement->crossings;
    walk->inside += judgement->inside;
}

static WeftResult judge_frame(Fitting* fitting, Walk* walk) {
    Judgement judgement;
    WeftResult result = judge_fitting(fitting, &judgement);
    if (!result) count_judgement(walk, fitting, &judgement);
    return result;
}

static WeftResult take_walk(Fitting* fitting, double length, Walk* walk) {
    int count = (int)lround(length / fitting->step.dt);
    WeftResult result = judge_frame(fitting, walk);
    for (int i = 0; i < count && !result; i++) {
        double seconds = 0;
        result = take_walk_step(fitting, &seconds);
        if (!result) result = judge_frame(fitting, walk);
        if (result) break;
        walk->frames++;
        walk->mean_ms += 1000 * seconds / count;
        walk->worst_ms = fmax(walk->worst_ms, 1000 * seconds);
    }
    if (result) fail_walk(walk, "stopped", fitting->error.message);
    return result;
}

static void walk_dressed(Fitting* fitting, double length, Walk* walk) {
    Marks marks;
    WeftMeasure measure;
    walk->vertices = weft_vertex_count(fitting->model);
    walk->open_seam = fitting->open_seam;
    walk->stretch = fitting->outfit.worn[0].stretch;
    set_marks(fitting, &marks);
    if (take_walk(fitting, length, walk) == WEFT_OK) {
        walk->slip = measure_slip(fitting, &marks);
        if (!weft_measure(fitting->state, fitting->step.gravity, &measure))
            walk->walk_stretch = measure.p99_stretch;
        if (walk->bad_frames > 0)
            walk->outcome = "crossed";
        else if (walk->open_seam > CLOSED)
            walk->outcome = "open", name_open_seam(fitting, walk->what);
        else if (walk->slip.off)
            walk->outcome = "slid off";
    }
    destroy_marks(&marks);
}

static Walk wear(const FittingDef* def, double length) {
    Walk walk = {.outcome = "good"};
    Fitting fitting;
    if (open_fitting(def, &fitting))
        fail_walk(&walk, "not put on", fitting.error.message);
    else
        walk_dressed(&fitting, length, &walk);
    walk.dress_seconds = fitting.dress_seconds;
    close_fitting(&fitting);
    return walk;
}

// ---------------------------------------------------------------------------------------------
// The table

static void add_walk(Report* report, const Walk* walk) {
    bool worn = walk->vertices > 0, walked = worn && strcmp(walk->outcome, "stopped") != 0;
    add_number(report, "vertices", worn ? walk->vertices : (double)NAN);
    add_number(report, "dress_s", walk->dress_seconds);
    add_number(report, "step_ms", walked ? walk->mean_ms : (double)NAN);
    add_number(report, "worst_ms", walked ? walk->worst_ms : (double)NAN);
    add_number(report, "intersections", worn ? walk->crossings + walk->inside : (double)NAN);
    add_number(report, "bad_frames", worn ? walk->bad_frames : (double)NAN);
    add_number(report, "open_seam_mm", worn ? 1000 * walk->open_seam : (double)NAN);
    add_number(report, "stretch", worn ? walk->stretch : (double)NAN);
    add_number(report, "walk_stretch", walked ? walk->walk_stretch : (double)NAN);
    add_number(report, "slip_mm", walked ? 1000 * walk->slip.distance : (double)NAN);
    add_number(report, "drop_mm", walked ? 1000 * walk->slip.drop : (double)NAN);
    add_text(report, "outcome", walk->outcome);
    if (walk->what[0]) add_text(report, "what", walk->what);
}

typedef struct Tally {
    int rows, good;
} Tally;

static int wear_one(const FileList* list, int index, const char* fabric, const Wearer* wearer,
                    double seconds, Tally* tally, Report* report) {
    char path[FILE_SIZE];
    WeftPattern pattern;
    WeftError error;
    FittingDef def = {.wearer = wearer, .edge = EDGE, .threads = 1, .clock = thread_time};
    Walk walk = {.outcome = "refused"};
    int code = find_preset(fabric, &def.fabric);
    if (code) return code;
    file_path(list, index, ".json", path);
    show_progress("%s, %s, %s", list->names[index], fabric, wearer->name);
    if (load_pattern_for(wearer, path, &pattern, &error)) {
        snprintf(walk.what, sizeof walk.what, "%.230s", error.message);
    } else {
        def.pattern = &pattern;
        walk = wear(&def, seconds);
        weft_destroy_pattern(&pattern);
    }
    start_row(report);
    add_text(report, "garment", list->names[index]);
    add_text(report, "fabric", fabric);
    add_text(report, "body", wearer->name);
    add_walk(report, &walk);
    end_progress();
    tell_row(report, stderr);
    tally->rows++;
    tally->good += strcmp(walk.outcome, "good") == 0;
    return EXIT_GOOD;
}

// "female" has "female medium"; "all" has all.
static bool is_asked(const BenchOptions* options, int size) {
    const char* wanted = options->bodies ? options->bodies : "female";
    if (options->quick && sizes[size].def.height != 0) return false;
    return strcmp(wanted, "all") == 0 || (strncmp(sizes[size].name, wanted, strlen(wanted)) == 0 &&
                                          sizes[size].name[strlen(wanted)] == ' ');
}

static int wear_all(const BenchOptions* options, const FileList* list, Report* report) {
    Tally tally = {0};
    int code = EXIT_GOOD, asked = 0;
    for (int s = 0; s < SIZE_COUNT && !code; s++) {
        Wearer wearer;
        if (!is_asked(options, s)) continue;
        asked++;
        code = make_wearer(&sizes[s].def, sizes[s].name, &wearer);
        for (int i = 0; i < list->count && !code; i++)
            for (int f = 0; f < FABRIC_COUNT && !code; f++)
                if (!options->quick || f == 1)
                    code = wear_one(list, i, fabrics[f], &wearer,
                                    options->quick ? QUICK_SECONDS : SECONDS, &tally, report);
        destroy_wearer(&wearer);
    }
    if (asked == 0)
        return complain(EXIT_USAGE, "--bodies: there is no \"%s\"; female, male, child or all",
                        options->bodies);
    if (!code) add_ratio(report, "dressed", (double)tally.good / tally.rows);
    return code;
}

// ---------------------------------------------------------------------------------------------
// The T-shirt of 15,000 vertices

static int dress_finely(const FileList* list, int index, Report* report) {
    char path[FILE_SIZE];
    Wearer wearer;
    WeftPattern pattern;
    WeftError error;
    Fitting fitting;
    FittingDef def = {.wearer = &wearer, .pattern = &pattern, .threads = 1, .clock = thread_time};
    int code = find_preset("cotton_jersey", &def.fabric);
    if (!code) code = make_wearer(&sizes[0].def, sizes[0].name, &wearer);
    if (code) return code;
    file_path(list, index, ".json", path);
    show_progress("%s of %d vertices", list->names[index], ENOUGH_VERTICES);
    if (load_pattern_for(&wearer, path, &pattern, &error)) {
        destroy_wearer(&wearer);
        return complain(EXIT_FAILED, "%s", error.message);
    }
    def.edge = edge_for(&pattern, ENOUGH_VERTICES);
    bool good = open_fitting(&def, &fitting) == WEFT_OK;
    if (!good) complain(EXIT_GOOD, "%s, finely: %s", list->names[index], fitting.error.message);
    add_ratio(report, "seconds_15k", good ? fitting.dress_seconds : (double)NAN);
    add_ratio(report, "vertices_15k", good ? weft_vertex_count(fitting.model) : (double)NAN);
    close_fitting(&fitting);
    weft_destroy_pattern(&pattern);
    destroy_wearer(&wearer);
    return EXIT_GOOD;
}

int run_wardrobe(const BenchOptions* options, Report* report) {
    FileList* list = need(1, sizeof *list);
    int code = list_garments(options, list);
    if (!code) code = wear_all(options, list, report);
    for (int i = 0; i < list->count && !code && !options->quick; i++)
        if (strcmp(list->names[i], "tshirt") == 0) code = dress_finely(list, i, report);
    free(list);
    add_note(report,
             "Edges of 20 mm, one thread, processor time. intersections: pairs of triangles that "
             "cross and vertices inside of the body or below the floor, of all frames together.");
    add_note(report,
             "dressed: the share that was put on, crosses nothing in any frame, has every seam "
             "closed to 1 mm, and neither drops by 10 cm nor has its waist below the hips.");
    return code;
}
