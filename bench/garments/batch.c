// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sound patterns are put on, broken ones are refused by a message that names what is wrong, or
// mended, and the wearer is told.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken.h"
#include "files.h"
#include "fitting.h"
#include "garments.h"
#include "three.h"
#include "vary.h"

enum { VARIATIONS = 40, QUICK_VARIATIONS = 2 };
static const double EDGE = 0.02, CLOSED = 1e-3;  // m

typedef struct Outcome {
    const char* text;
    char message[240];
    bool dressed;  // and nothing crosses, and all seams are closed
    int vertices, crossings;
    double seconds, open_seam;
} Outcome;

static Outcome put_on(const WeftPattern* pattern, double edge, const Wearer* wearer) {
    FittingDef def = {.wearer = wearer, .pattern = pattern, .edge = edge};
    Fitting fitting;
    Judgement judgement = {0};
    Outcome outcome = {.text = "not put on"};
    def.threads = 1, def.clock = thread_time;
    if (find_preset(pattern->fabric[0] ? pattern->fabric : "wool_tropical", &def.fabric))
        def.fabric = weft_default_fabric();
    if (open_fitting(&def, &fitting) || judge_fitting(&fitting, &judgement)) {
        snprintf(outcome.message, sizeof outcome.message, "%.239s", fitting.error.message);
    } else {
        outcome.vertices = weft_vertex_count(fitting.model);
        outcome.crossings = judgement.crossings + judgement.inside;
        outcome.open_seam = fitting.open_seam;
        outcome.text = outcome.crossings > 0        ? "crossed"
                       : outcome.open_seam > CLOSED ? "open"
                                                    : "dressed";
        outcome.dressed = strcmp(outcome.text, "dressed") == 0;
        snprintf(outcome.message, sizeof outcome.message, "%s", judgement.first);
        if (strcmp(outcome.text, "open") == 0) name_open_seam(&fitting, outcome.message);
        if (!outcome.message[0] && fitting.outfit.findings.count > 0)
            snprintf(outcome.message, sizeof outcome.message, "%s",
                     fitting.outfit.findings.lines[0]);
    }
    outcome.seconds = fitting.dress_seconds;
    close_fitting(&fitting);
    return outcome;
}

static void add_outcome(Report* report, const char* pattern, const char* varied,
                        const char* expected, const Outcome* outcome, bool good) {
    bool worn = outcome->vertices > 0;
    start_row(report);
    add_text(report, "pattern", pattern);
    add_text(report, "varied", varied);
    add_text(report, "expected", expected);
    add_text(report, "outcome", outcome->text);
    add_text(report, "good", good ? "yes" : "no");
    add_number(report, "vertices", worn ? outcome->vertices : (double)NAN);
    add_number(report, "seconds", outcome->seconds);
    add_number(report, "crossings", worn ? outcome->crossings : (double)NAN);
    add_number(report, "open_seam_mm", worn ? 1000 * outcome->open_seam : (double)NAN);
    if (outcome->message[0]) add_text(report, "message", outcome->message);
    end_progress();
    tell_row(report, stderr);
}

// ---------------------------------------------------------------------------------------------
// Sound

static bool add_variation(const FileList* list, int index, const Wearer* wearer, Report* report) {
    Variation variation;
    WeftError error;
    Outcome outcome = {.text = "refused"};
    if (make_variation(list, index, wearer, &variation, &error))
        snprintf(outcome.message, sizeof outcome.message, "%.239s", error.message);
    else
        outcome = put_on(&variation.pattern, variation.edge, wearer);
    add_outcome(report, list->names[variation.garment], variation.text, "dressed", &outcome,
                outcome.dressed);
    weft_destroy_pattern(&variation.pattern);
    return outcome.dressed;
}

static bool add_file(const FileList* list, int index, const Wearer* wearer, Report* report) {
    char path[FILE_SIZE];
    WeftPattern pattern;
    WeftError error;
    Outcome outcome = {.text = "refused"};
    file_path(list, index, ".json", path);
    show_progress("%s on %s", list->names[index], wearer->name);
    if (load_pattern_for(wearer, path, &pattern, &error)) {
        snprintf(outcome.message, sizeof outcome.message, "%.239s", error.message);
    } else {
        outcome = put_on(&pattern, EDGE, wearer);
        weft_destroy_pattern(&pattern);
    }
    add_outcome(report, list->names[index], wearer->name, "dressed", &outcome, outcome.dressed);
    return outcome.dressed;
}

// The patterns of a folder, on the first body of it, or on `usual`.
static int add_folder(const char* folder, const Wearer* usual, int* count, int* good,
                      Report* report) {
    FileList* list = need(1, sizeof *list);
    char path[FILE_SIZE];
    Wearer own = {.clip = -1};
    int code = list_files(folder, ".obj", list);
    bool has_body = !code && list->count > 0;
    if (has_body) {
        file_path(list, 0, ".obj", path);
        code = load_wearer(path, &own);
    }
    if (!code) code = list_files(folder, ".json", list);
    for (int i = 0; i < list->count && !code; i++) {
        *good += add_file(list, i, has_body ? &own : usual, report);
        ++*count;
    }
    destroy_wearer(&own);
    free(list);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Broken

static bool is_named(const WeftFindings* findings, const char* culprit, Outcome* outcome) {
    for (int i = 0; i < findings->count; i++) {
        if (!strstr(findings->lines[i], culprit)) continue;
        snprintf(outcome->message, sizeof outcome->message, "%s", findings->lines[i]);
        return true;
    }
    return false;
}

// Refused by a message that names the culprit; or worn, after a finding that names it.
static bool add_broken(int index, const Wearer* wearer, Report* report) {
    const Broken* broken = &broken_patterns[index];
    WeftPattern pattern;
    WeftFindings findings = {0};
    WeftError error = {0};
    Outcome outcome = {.text = "refused"};
    bool good = false;
    show_progress("broken: %s", broken->what);
    WeftResult result = make_broken(index, &pattern, &findings, &error);
    if (!result) {
        // what sewing finds is told as well
        WeftGarment garment;
        result = weft_sew_pattern(&pattern, EDGE, NULL, &garment, &findings, &error);
        if (!result) weft_destroy_garment(&garment);
        if (!result) {
            outcome = put_on(&pattern, EDGE, wearer);
            good = is_named(&findings, broken->culprit, &outcome) && outcome.dressed;
            if (good) outcome.text = "mended";
            if (strcmp(outcome.text, "not put on") == 0)
                good = strstr(outcome.message, broken->culprit) != NULL;
        }
        weft_destroy_pattern(&pattern);
    }
    if (result) {
        snprintf(outcome.message, sizeof outcome.message, "%.239s", error.message);
        good = strstr(error.message, broken->culprit) != NULL;
    }
    weft_destroy_findings(&findings);
    add_outcome(report, "tube", broken->what, broken->mended ? "mended" : "refused", &outcome,
                good);
    return good;
}

// ---------------------------------------------------------------------------------------------

static int run_all(const BenchOptions* options, const FileList* list, const Wearer* wearer,
                   Report* report) {
    int wanted = options->has_runs ? (int)options->runs
                 : options->quick  ? QUICK_VARIATIONS
                                   : VARIATIONS;
    int sound = 0, dressed = 0, refused = 0, code = EXIT_GOOD;
    for (int i = 0; i < BROKEN_COUNT; i++) refused += add_broken(i, wearer, report);
    for (int i = 0; i < wanted; i++, sound++) {
        show_progress("variation %d of %d", i + 1, wanted);
        dressed += add_variation(list, i, wearer, report);
    }
    if (options->patterns) code = add_folder(options->patterns, wearer, &sound, &dressed, report);
    add_ratio(report, "sound_dressed", sound > 0 ? (double)dressed / sound : (double)NAN);
    add_ratio(report, "broken_refused", (double)refused / BROKEN_COUNT);
    add_note(
        report,
        "sound_dressed: the share of sound patterns that was put on, crosses nothing and has "
        "every seam closed to 1 mm. broken_refused: the share of broken ones that was refused "
        "by a message that names the culprit, or mended and put on, with a finding that does.");
    return code;
}

int run_batch(const BenchOptions* options, Report* report) {
    FileList* list = need(1, sizeof *list);
    Wearer wearer = {.clip = -1};
    WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    int code = list_garments(options, list);
    if (!code) code = make_wearer(&def, "female medium", &wearer);
    wearer.clip = -1;  // it stands
    if (!code) code = run_all(options, list, &wearer, report);
    destroy_wearer(&wearer);
    free(list);
    return code;
}
