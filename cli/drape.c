// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft drape: how a fabric falls, by the tests of a laboratory.

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "lab.h"
#include "place.h"
#include "weft/weft_io.h"

enum { PICTURE_SIZE = 800, MARGIN = 16 };

typedef struct DrapeOptions {
    bool all, real_time, json;
    double edge;  // mm
    double tolerance;
    const char* picture;  // or NULL
} DrapeOptions;

typedef struct Finding {
    char name[64];
    double density;
    WeftLook look;
    Drape drape;
    double bending_length[2];  // m, along the warp and across
} Finding;

// ---------------------------------------------------------------------------------------------
// Telling how far it is

static void show(const char* name, const char* what) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s%s%s", name, *name ? ": " : "", what);
}

static void show_time(void* context, double time) {
    char text[64];
    snprintf(text, sizeof text, "drape, %.1f s of cloth", time);
    show(context, text);
}

// ---------------------------------------------------------------------------------------------

static int fail(const Finding* finding, const WeftError* error) {
    show("", "");
    return complain(EXIT_FAILED, "%s: %s", finding->name, error->message);
}

static int examine(const char* name, const DrapeOptions* options, Finding* finding) {
    WeftFabricFile file;
    WeftError error;
    *finding = (Finding){0};
    if (weft_find_fabric(name, NULL, fabric_folders(), &file, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    snprintf(finding->name, sizeof finding->name, "%s", file.name[0] ? file.name : name);
    finding->density = file.fabric.density;
    finding->look = file.look;
    Sample sample = {file.fabric, options->real_time, options->tolerance};
    if (simulate_drape(&sample, options->edge / 1000, show_time, finding->name, &finding->drape,
                       &error))
        return fail(finding, &error);
    for (int across = 0; across < 2; across++) {
        show(finding->name, across ? "a strip across" : "a strip along the warp");
        if (simulate_cantilever(&sample, across, &finding->bending_length[across], &error))
            return fail(finding, &error);
    }
    show("", "");
    return GO_ON;
}

// B = weight per area x c^3
static double rigidity(const Finding* finding, int across) {
    static const double gravity = 9.81;
    return finding->density * gravity * pow(finding->bending_length[across], 3);
}

static void print_head(void) {
    printf("%-22s %9s %7s %6s %6s %10s %10s %10s %10s\n", "fabric", "kg/m^2", "drape", "spread",
           "folds", "c warp", "c weft", "B warp", "B weft");
}

// Strips that do not come to rest, or stand out further than they are made, tell nothing.
static void print_number(double value, const char* unit) {
    if (isfinite(value))
        printf(" %*.1f %s", 9 - (int)strlen(unit), value, unit);
    else
        printf(" %10s", value > 0 ? "too stiff" : "-");
}

static void print_finding(const Finding* f) {
    printf("%-22s %9.3f %6.1f%% %5.1f%% %6d", f->name, f->density, 100 * f->drape.coefficient,
           100 * f->drape.spread, f->drape.folds);
    for (int k = 0; k < 2; k++) print_number(1000 * f->bending_length[k], "mm");
    for (int k = 0; k < 2; k++) print_number(1e6 * rigidity(f, k), "uN m");
    printf("%s\n", f->drape.settled ? "" : "  (still moves)");
    fflush(stdout);
}

static json_t* number_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t* finding_json(const Finding* f) {
    return json_pack("{s:s,s:f,s:f,s:f,s:i,s:b,s:f,s:f,s:[o,o],s:[o,o]}", "fabric", f->name,
                     "density", f->density, "drape_coefficient", f->drape.coefficient,
                     "drape_spread", f->drape.spread, "folds", f->drape.folds, "settled",
                     f->drape.settled, "seconds", f->drape.time, "max_stretch", f->drape.stretch,
                     "bending_length_mm", number_json(1000 * f->bending_length[0]),
                     number_json(1000 * f->bending_length[1]), "rigidity_uNm",
                     number_json(1e6 * rigidity(f, 0)), number_json(1e6 * rigidity(f, 1)));
}

static int draw(const Finding* finding, const char* path) {
    static const Colour ink = {32, 36, 42};
    char text[128];
    Picture picture;
    if (!picture_drape(&finding->drape, &finding->look, PICTURE_SIZE, &picture))
        return complain(EXIT_FAILED, "out of memory");
    draw_text(&picture, MARGIN, MARGIN, 2, ink, finding->name);
    snprintf(text, sizeof text, "drape coefficient %.1f %%, %d folds",
             100 * finding->drape.coefficient, finding->drape.folds);
    draw_text(&picture, MARGIN, MARGIN + 24, 2, ink, text);
    int code = write_png(&picture, path);
    destroy_picture(&picture);
    return code;
}

static int examine_all(const TextList* names, const DrapeOptions* options) {
    json_t* rows = json_array();
    int code = GO_ON;
    if (!options->json) print_head();
    for (int i = 0; i < names->count && code == GO_ON; i++) {
        Finding finding;
        code = examine(names->texts[i], options, &finding);
        if (code == GO_ON && options->json) json_array_append_new(rows, finding_json(&finding));
        if (code == GO_ON && !options->json) print_finding(&finding);
        if (code == GO_ON && options->picture) code = draw(&finding, options->picture);
        destroy_drape(&finding.drape);
    }
    if (code == GO_ON && options->json) {
        json_dumpf(rows, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        putchar('\n');
    }
    if (code == GO_ON && options->picture && !options->json)
        printf("\n  wrote     %s\n", options->picture);
    json_decref(rows);
    return code == GO_ON ? EXIT_GOOD : code;
}

// ---------------------------------------------------------------------------------------------
// All there are

static int examine_every(const DrapeOptions* options) {
    enum { MOST_FABRICS = 1000 };
    char(*names)[64] = calloc(MOST_FABRICS, sizeof *names);
    TextList list = {0};
    int code = EXIT_FAILED;
    if (names && init_list(&list, MOST_FABRICS)) {
        int count = weft_fabric_names(fabric_folders(), names, MOST_FABRICS);
        for (int i = 0; i < count; i++) list.texts[list.count++] = names[i];
        code = examine_all(&list, options);
    }
    free_list(&list);
    free(names);
    return code;
}

static int run_drape(const Command* command, int argc, char** argv) {
    DrapeOptions options = {.edge = 8, .tolerance = 0.001};
    const Option rows[] = {
        {"all", OPTION_FLAG, NULL, "every fabric that there is", &options.all, 0, 0},
        {"real-time", OPTION_FLAG, NULL,
         "by the constants, prefactored; else by measured tables, or as a membrane",
         &options.real_time, 0, 0},
        {"stretch-tolerance", OPTION_NUMBER, "X",
         "with --real-time: how far it may be softened, default 0.001", &options.tolerance, 0, 1},
        {"edge", OPTION_NUMBER, "MM", "length of edges of the disc, default 8", &options.edge, 2,
         30},
        {"picture", OPTION_TEXT, "FILE", "the disc from above, as a PNG", &options.picture, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the findings as data", &options.json, 0, 0},
    };
    TextList arguments = {0};
    int code = parse_options(command, rows, 6, argc, argv, &arguments);
    if (code == GO_ON && options.all != (arguments.count == 0))
        code = complain(EXIT_USAGE, "drape takes fabrics, or --all; see `weft drape --help`");
    if (code == GO_ON && options.picture && arguments.count != 1)
        code = complain(EXIT_USAGE, "--picture shows one fabric; name one");
    if (code == GO_ON)
        code = options.all ? examine_every(&options) : examine_all(&arguments, &options);
    free_list(&arguments);
    return code;
}

const Command drape_command = {
    .name = "drape",
    .arguments = "FABRIC...",
    .summary = "How a fabric falls: drape coefficient and bending length, by simulation.",
    .details =
        "FABRIC is a name that `weft fabrics` lists, or a file. drape: a disc of 300 mm hangs\n"
        "from one of 180 mm (Cusick); of the ring around, the part that its shadow covers. Three\n"
        "discs are taken, their mean told and how far they are apart (spread). c: the\n"
        "bending length of a strip of 25 mm, half of what stands out when its end is 41.5 degrees\n"
        "below (Peirce); B: the bending stiffness that follows from it, weight x c^3.\n"
        "docs/fabric.md tells more.",
    .run = run_drape,
};
