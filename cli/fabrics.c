// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft fabrics: the fabrics that are known by name, and what one of them is like.

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "commands.h"
#include "place.h"
#include "weft/weft_io.h"

enum { NAME_SIZE = 64, FOLDER_FILES = 256, STEP = 5, DIRECTIONS = 180 / STEP + 1, BAR = 30 };
static const double SMALL_STRAIN = 0, LARGE_CURVATURE = 40;  // the end of measured tables, 1/m

typedef struct Known {
    WeftFabricFile file;
    const char* kind;  // "preset", "measured" or "constants"
} Known;

static bool is_measured(const WeftFabric* fabric) { return fabric->measured.stretch[0][0] != 0; }
static bool bends_measured(const WeftFabric* fabric) { return fabric->measured.bend[0][0] != 0; }

static const char* kind_of(const char* name, const WeftFabric* fabric) {
    for (int i = 0; weft_fabric_preset(i); i++)
        if (strcmp(weft_fabric_preset(i)->name, name) == 0) return "preset";
    return is_measured(fabric) ? "measured" : "constants";
}

// ---------------------------------------------------------------------------------------------
// All of them

// Calls for each: presets, then files folder by folder. Returns an exit code: files that cannot be
// read are told of and left out.
static int visit_all(void (*visit)(const Known* known, void* context), void* context) {
    int code = EXIT_GOOD;
    char folder[PATH_SIZE];
    WeftError error;
    Known known;
    for (int i = 0; weft_fabric_preset(i); i++) {
        if (weft_find_fabric(weft_fabric_preset(i)->name, NULL, fabric_folders(), &known.file,
                             &error))
            continue;
        known.kind = "preset";
        visit(&known, context);
    }
    for (int f = 0; weft_fabric_folder(fabric_folders(), f, folder, sizeof folder); f++) {
        static char names[FOLDER_FILES][NAME_SIZE];
        int count = weft_list_fabrics(folder, names, FOLDER_FILES);
        for (int i = 0; i < count && i < FOLDER_FILES; i++) {
            char path[PATH_SIZE + NAME_SIZE + 8];
            snprintf(path, sizeof path, "%s/%.*s.json", folder, NAME_SIZE - 1, names[i]);
            if (weft_load_fabric(path, &known.file, &error)) {
                fprintf(stderr, "%s\n", error.message);
                code = EXIT_USAGE;
                continue;
            }
            memcpy(known.file.name, names[i], NAME_SIZE);
            known.kind = kind_of(names[i], &known.file.fabric);
            visit(&known, context);
        }
    }
    return code;
}

static void print_row(const Known* known, void* context) {
    const WeftFabric* f = &known->file.fabric;
    (void)context;
    printf("%-20s %8.3g %8.4g %8.4g %7.3g %8.3g  %-9s %s\n", known->file.name, f->density,
           f->stretch_warp, f->stretch_weft, f->shear, 1e6 * f->bend, known->kind,
           known->file.description);
}

static int print_list(void) {
    printf("%-20s %8s %8s %8s %7s %8s  %-9s %s\n", "fabric", "density", "warp", "weft", "shear",
           "bend", "kind", "what it is");
    printf("%-20s %8s %8s %8s %7s %8s\n", "", "kg/m^2", "N/m", "N/m", "N/m", "uN m");
    return visit_all(print_row, NULL);
}

// ---------------------------------------------------------------------------------------------
// As data

static json_t* describe(const Known* known) {
    const WeftFabric* f = &known->file.fabric;
    return json_pack("{s:s,s:s,s:s,s:s,s:f,s:[ff],s:f,s:f,s:f,s:f,s:f}", "name", known->file.name,
                     "kind", known->kind, "description", known->file.description, "source",
                     known->file.source, "density", f->density, "stretch", f->stretch_warp,
                     f->stretch_weft, "shear", f->shear, "poisson", f->poisson, "bend", f->bend,
                     "thickness", f->thickness, "friction", f->friction);
}

static json_t* describe_directions(const WeftFabric* fabric) {
    json_t* list = json_array();
    for (int i = 0; i < DIRECTIONS; i++) {
        double degrees = i * STEP;
        json_t* row = json_pack("{s:f,s:f,s:f}", "degrees", degrees, "stretch",
                                weft_fabric_stiffness(fabric, degrees, SMALL_STRAIN), "bend",
                                weft_fabric_bending(fabric, degrees, 0));
        if (is_measured(fabric))
            json_object_set_new(row, "stretch_at_reference",
                                json_real(weft_fabric_stiffness(
                                    fabric, degrees, fabric->measured.reference_strain)));
        if (bends_measured(fabric))
            json_object_set_new(row, "bend_at_40",
                                json_real(weft_fabric_bending(fabric, degrees, LARGE_CURVATURE)));
        json_array_append_new(list, row);
    }
    return list;
}

static int print_data(json_t* root) {
    int code = root && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 ? EXIT_GOOD : EXIT_FAILED;
    putchar('\n');
    json_decref(root);
    return code;
}

static void add_row(const Known* known, void* list) {
    json_array_append_new(list, describe(known));
}

static int print_list_data(void) {
    json_t* list = json_array();
    int code = visit_all(add_row, list), printed = print_data(json_pack("{s:o}", "fabrics", list));
    return code ? code : printed;
}

static int print_one_data(const Known* known) {
    json_t* root = describe(known);
    char look[2048];
    weft_print_look(&known->file.look, look, sizeof look);
    if (root) json_object_set_new(root, "directions", describe_directions(&known->file.fabric));
    if (root) json_object_set_new(root, "look", json_loads(look, 0, NULL));
    return print_data(root);
}

// ---------------------------------------------------------------------------------------------
// One of them

// In lines of at most 90 letters.
static void print_wrapped(const char* text) {
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > 88) putchar('\n'), column = 0;
        column += printf("%s%.*s", column > 0 ? " " : "  ", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void print_constants(const WeftFabric* f) {
    const struct {
        const char* name;
        double value;
        const char* unit;
    } rows[] = {
        {"density", f->density, "kg/m^2"},
        {"stretch, warp", f->stretch_warp, "N/m"},
        {"stretch, weft", f->stretch_weft, "N/m"},
        {"shear", f->shear, "N/m"},
        {"poisson", f->poisson, ""},
        {"bend", f->bend, "N m"},
        {"stretch_damping", f->stretch_damping, "s"},
        {"bend_damping", f->bend_damping, "s"},
        {"thickness", f->thickness, "m"},
        {"friction", f->friction, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("  %-16s %10.4g %s\n", rows[i].name, rows[i].value, rows[i].unit);
}

static void print_bar(double value, double most) {
    int length = (int)(BAR * value / most + 0.5);
    printf(" %10.3g ", value);
    for (int i = 0; i < BAR; i++) putchar(i < length ? '#' : ' ');
}

// Bars over direction, of a quantity in two states.
static void print_bars(const double* first, const double* second, const char* title) {
    double most = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        if (first[i] > most) most = first[i];
        if (second && second[i] > most) most = second[i];
    }
    printf("\n%s\n", title);
    for (int i = 0; i < DIRECTIONS; i += 15 / STEP) {
        printf("  %3d", i * STEP);
        print_bar(first[i], most);
        if (second) print_bar(second[i], most);
        putchar('\n');
    }
}

typedef struct Directions {
    double degrees[DIRECTIONS], stretch[DIRECTIONS], strained[DIRECTIONS];
    double bend[DIRECTIONS], curved[DIRECTIONS];
} Directions;

static void find_directions(const WeftFabric* fabric, Directions* d) {
    for (int i = 0; i < DIRECTIONS; i++) {
        double degrees = i * STEP, reference = fabric->measured.reference_strain;
        d->degrees[i] = degrees;
        d->stretch[i] = weft_fabric_stiffness(fabric, degrees, SMALL_STRAIN);
        d->strained[i] = weft_fabric_stiffness(fabric, degrees, reference);
        d->bend[i] = 1e6 * weft_fabric_bending(fabric, degrees, 0);
        d->curved[i] = 1e6 * weft_fabric_bending(fabric, degrees, LARGE_CURVATURE);
    }
}

static void print_look(const WeftLook* look) {
    const WeftPrint* print = &look->print;
    printf("\nlook\n  #%06x, reverse #%06x, %s of %.3g mm, roughness %.2g, sheen %.2g\n",
           (unsigned)look->colour, (unsigned)look->reverse, weft_weave_name((int)look->weave),
           1000 * look->thread, look->roughness, look->sheen);
    printf("  anisotropy %.2g, opacity %.2g, translucency %.2g", look->anisotropy, look->opacity,
           look->translucency);
    if (print->kind != WEFT_PRINT_NONE)
        printf(", %s of %.3g mm", weft_print_name((int)print->kind), 1000 * print->size);
    putchar('\n');
}

static void print_one(const Known* known) {
    const WeftFabric* fabric = &known->file.fabric;
    Directions d;
    char title[128];
    find_directions(fabric, &d);
    printf("%s (%s): %s\n", known->file.name, known->kind, known->file.description);
    print_constants(fabric);
    if (known->file.fit_error > 0) printf("  %-16s %10.4g m\n", "fit_error", known->file.fit_error);
    print_look(&known->file.look);
    if (known->file.source[0]) puts("\nsource"), print_wrapped(known->file.source);
    snprintf(title, sizeof title,
             is_measured(fabric)
                 ? "stiffness of a strip over degrees from the warp, N/m: unstrained, "
                   "and at %.3g %%"
                 : "stiffness of a strip over degrees from the warp, N/m",
             100 * fabric->measured.reference_strain);
    print_bars(d.stretch, is_measured(fabric) ? d.strained : NULL, title);
    if (bends_measured(fabric))
        print_bars(d.bend, d.curved,
                   "bending over degrees from the warp, uN m: nearly flat, and at 40 /m");
}

static void add_line(Chart* chart, const char* name, const Directions* d, const double* values) {
    Colour colour = chart_colour(chart->series_count);
    add_series(chart, (Series){name, colour, false, DIRECTIONS, d->degrees, values});
}

// Stretch and bending, a picture each.
static int plot_one(const Known* known, const char* path) {
    const WeftFabric* fabric = &known->file.fabric;
    Directions d;
    char name[PATH_SIZE], title[192];
    find_directions(fabric, &d);
    snprintf(title, sizeof title, "%s: stiffness of a strip", known->file.name);
    Chart stretch = {
        .title = title, .x_name = "degrees from the warp", .y_name = "N/m", .from_zero = true};
    add_line(&stretch, is_measured(fabric) ? "unstrained" : NULL, &d, d.stretch);
    if (is_measured(fabric)) add_line(&stretch, "strained", &d, d.strained);
    name_chart(path, "stretch", name, sizeof name);
    int code = write_chart(&stretch, name);
    if (code != GO_ON) return code;
    snprintf(title, sizeof title, "%s: moment over curvature", known->file.name);
    Chart bend = {
        .title = title, .x_name = "degrees from the warp", .y_name = "uN m", .from_zero = true};
    add_line(&bend, bends_measured(fabric) ? "nearly flat" : NULL, &d, d.bend);
    if (bends_measured(fabric)) add_line(&bend, "at 40 /m", &d, d.curved);
    name_chart(path, "bend", name, sizeof name);
    code = write_chart(&bend, name);
    return code == GO_ON ? EXIT_GOOD : code;
}

// ---------------------------------------------------------------------------------------------

static int show(const char* name, const char* plot, bool json) {
    Known known;
    WeftError error;
    if (weft_find_fabric(name, NULL, fabric_folders(), &known.file, &error)) {
        fprintf(stderr, "%s%s\n", strncmp(error.message, "there", 5) == 0 ? "weft: " : "",
                error.message);
        return error.result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    }
    known.kind = kind_of(name, &known.file.fabric);
    int code = plot ? plot_one(&known, plot) : EXIT_GOOD;
    if (code) return code;
    if (json) return print_one_data(&known);
    print_one(&known);
    return EXIT_GOOD;
}

static int run_fabrics(const Command* command, int argc, char** argv) {
    bool json = false;
    const char* plot = NULL;
    const Option options[] = {
        {"plot", OPTION_TEXT, "FILE",
         "stiffness over direction as charts: FILE_stretch and FILE_bend, .png or .svg", &plot, 0,
         0},
        {"json", OPTION_FLAG, NULL, "the same as data", &json, 0, 0},
    };
    TextList arguments;
    int code = parse_options(command, options, 2, argc, argv, &arguments);
    if (code == GO_ON && arguments.count > 1)
        code = complain(EXIT_USAGE, "fabrics takes one name at most, not \"%s\" as well",
                        arguments.texts[1]);
    if (code == GO_ON && plot && arguments.count == 0)
        code = complain(EXIT_USAGE, "--plot needs the name of a fabric");
    if (code == GO_ON) {
        if (arguments.count == 1)
            code = show(arguments.texts[0], plot, json);
        else
            code = json ? print_list_data() : print_list();
    }
    free_list(&arguments);
    return code;
}

const Command fabrics_command = {
    .name = "fabrics",
    .arguments = "[NAME]",
    .summary = "List the fabrics known by name, or show one.",
    .details =
        "NAME is a preset, a file NAME.json in this folder or in one that the environment\n"
        "variable WEFT_FABRICS lists, or the path of a file.",
    .run = run_fabrics,
};
