// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "character.h"

typedef struct Outcome {
    int frames, crossings, bad_frames, within[3];
    double mean, worst, p99;                    // ms
    double stretch, most_stretch;               // of 99 % of the edges, and of all, the worst frame
    double over, leashes, contacts;             // m; means
    double body, self, respond, solve, defend;  // ms, means
} Outcome;

static const double LIMITS[3] = {4, 8, 16};  // ms

static void add_times(Outcome* o, const WeftStepReport* r, double part) {
    o->body += 1000 * part * r->times.body;
    o->self += 1000 * part * r->times.self;
    o->respond += 1000 * part * r->times.respond;
    o->solve += 1000 * part * (r->times.solve + r->times.force + r->times.build);
    o->defend += 1000 * part * r->times.defend;
    o->leashes += part * r->leashes;
    o->contacts += part * (r->body_contacts + r->self_contacts);
    o->over = fmax(o->over, r->over_distance);
}

// The frames; `times` has room for all of them.
static int play(Character* c, Outcome* o, double* times) {
    int code = EXIT_GOOD;
    for (c->frame = 1; c->frame <= c->frame_count && !code; c->frame++) {
        WeftError error;
        WeftMeasure measure;
        if (c->move(c, &error)) return complain(EXIT_FAILED, "%s", error.message);
        double start = thread_time(NULL);
        if (weft_step(c->state, &c->step))
            return complain(EXIT_FAILED, "frame %d: %s", c->frame,
                            weft_state_error(c->state)->message);
        double ms = 1000 * (thread_time(NULL) - start);
        times[o->frames++] = ms;
        o->mean += ms / c->frame_count;
        for (int k = 0; k < 3; k++) o->within[k] += ms <= LIMITS[k];
        add_times(o, weft_report(c->state), 1.0 / c->frame_count);
        if (!weft_measure(c->state, c->step.gravity, &measure)) {
            o->stretch = fmax(o->stretch, measure.p99_stretch);
            o->most_stretch = fmax(o->most_stretch, measure.max_stretch);
        }
        int crossings = judge_character(c);
        if (crossings < 0) code = EXIT_FAILED;
        o->crossings += crossings > 0 ? crossings : 0;
        o->bad_frames += crossings > 0;
    }
    sort_numbers(times, o->frames);
    o->worst = times[o->frames - 1];
    o->p99 = times[(int)(0.99 * (o->frames - 1))];
    return code;
}

// ---------------------------------------------------------------------------------------------

static const struct {
    const char* name;
    const char* garment;  // NULL: the cape
    int vertices;
} scenes[] = {{"cape", NULL, 925}, {"skirt", "skirt", 2500}, {"coat", "jacket", 8000}};

static const struct {
    const char* text;
    bool leashed;
    int quality;
    double budget;
    WeftContact contact;
} ways[] = {
    {"pins alone, default", false, 0, 0, WEFT_CONTACT_ALL},
    {"leashes, default", true, 0, 0, WEFT_CONTACT_ALL},
    {"leashes, quality 3", true, 3, 0, WEFT_CONTACT_ALL},
    {"leashes, 4 ms", true, 0, 4, WEFT_CONTACT_ALL},
    {"bodies alone, quality 3", true, 3, 0, WEFT_CONTACT_BODIES},
    {"no contact, quality 3", true, 3, 0, WEFT_CONTACT_NONE},
};
enum { QUICK_FRAMES = 30 };
enum { SCENES = 3, WAYS = sizeof ways / sizeof *ways };

static void add_outcome(Report* report, int scene, int way, int vertices, const Outcome* o) {
    double all = o->frames;
    start_row(report);
    add_text(report, "scene", scenes[scene].name);
    add_text(report, "way", ways[way].text);
    add_number(report, "vertices", vertices);
    add_number(report, "mean_ms", o->mean);
    add_number(report, "p99_ms", o->p99);
    add_number(report, "worst_ms", o->worst);
    add_number(report, "within_4", o->within[0] / all);
    add_number(report, "within_8", o->within[1] / all);
    add_number(report, "within_16", o->within[2] / all);
    add_number(report, "stretch", o->stretch);
    add_number(report, "most_stretch", o->most_stretch);
    add_number(report, "crossings", o->crossings);
    add_number(report, "bad_frames", o->bad_frames);
    add_number(report, "over_mm", 1000 * o->over);
    add_number(report, "leashes", o->leashes);
    add_number(report, "contacts", o->contacts);
    add_number(report, "body_ms", o->body);
    add_number(report, "self_ms", o->self);
    add_number(report, "respond_ms", o->respond);
    add_number(report, "solve_ms", o->solve);
    add_number(report, "defend_ms", o->defend);
}

static int run_way(const BenchOptions* options, int scene, int way, Worn* worn, Report* report) {
    CharacterDef def = {ways[way].leashed, ways[way].quality, ways[way].budget, ways[way].contact};
    Character c;
    show_progress("%s, %s", scenes[scene].name, ways[way].text);
    int code = worn ? open_garment(&def, worn, &c) : open_cape(&def, &c);
    if (!code) {
        Outcome outcome = {0};
        if (options->quick) c.frame_count = QUICK_FRAMES;
        double* times = need((size_t)c.frame_count, sizeof *times);
        code = play(&c, &outcome, times);
        free(times);
        if (!code) {
            add_outcome(report, scene, way, weft_vertex_count(c.model), &outcome);
            end_progress();
            tell_row(report, stderr);
        }
    }
    close_character(&c);
    return code;
}

static int run_scene(const BenchOptions* options, int scene, Report* report) {
    Worn* worn = NULL;
    int code = EXIT_GOOD;
    if (scenes[scene].garment) {
        show_progress("%s: dressing", scenes[scene].name);
        worn = put_on_garment(scenes[scene].garment, scenes[scene].vertices, options);
        if (!worn) return EXIT_FAILED;
    }
    for (int w = 0; w < WAYS && !code; w++) code = run_way(options, scene, w, worn, report);
    take_off_garment(worn);
    return code;
}

static int run(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD, asked = 0;
    for (int s = 0; s < SCENES && !code; s++) {
        bool named = options->part && strcmp(options->part, scenes[s].name) == 0;
        if (options->part ? !named : options->quick && scenes[s].garment) continue;
        asked++;
        code = run_scene(options, s, report);
    }
    if (asked == 0)
        return complain(EXIT_USAGE, "character has no part \"%s\"; cape, skirt or coat",
                        options->part);
    add_note(
        report,
        "One thread, processor time, steps of 1/60 s, cloth kept from bodies and from itself "
        "where nothing else is said. "
        "within: the share of the frames that took no longer, ms. crossings: pairs of triangles "
        "that cross, of all frames together; over_mm: beyond the max distance, worst frame.");
    add_note(
        report,
        "stretch: that 99 % of the edges keep, and most_stretch that of all, in the worst frame.");
    return code;
}

const Bench character_bench = {
    .name = "character",
    .text = "clothes that keep to an animated character: what a frame takes",
    .details =
        "A cape of 925 vertices on nine capsules that walk at 1.6 m/s and turn by 180 degrees in\n"
        "0.3 s; a skirt of 2,500 and a coat of 8,000 vertices on the walking mannequin. With pins\n"
        "alone, and with max distances and backstops; five seconds of the cape, two of the "
        "others.\n"
        "Parts: cape, skirt, coat. --quick: half a second of the cape.",
    .has_parts = true,
    .run = run};
