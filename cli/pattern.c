// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft pattern: what is in a pattern, as a table or a picture; and patterns of other programs as
// our own files.

#include "pattern.h"
#include "place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"

// ---------------------------------------------------------------------------------------------
// Seams

static bool has_side(const WeftSeam* seam, int chain, int panel, int side) {
    for (int i = 0; i < seam->count[chain]; i++)
        if (seam->chain[chain][i].panel == panel && seam->chain[chain][i].side == side) return true;
    return false;
}

bool find_seam(const WeftPattern* pattern, int panel, int side, int* seam, int* chain) {
    for (*seam = 0; *seam < pattern->seam_count; ++*seam)
        for (*chain = 0; *chain < 2; ++*chain)
            if (has_side(&pattern->seams[*seam], *chain, panel, side)) return true;
    return false;
}

double chain_length(const WeftPattern* pattern, const WeftSeam* seam, int chain) {
    double length = 0;
    for (int i = 0; i < seam->count[chain]; i++) {
        WeftSideName name = seam->chain[chain][i];
        length += weft_side_length(&pattern->panels[name.panel], name.side);
    }
    return length;
}

// By how much the chain is longer than the one it is sewn to, in per cent.
static double ease(const WeftPattern* pattern, const WeftSeam* seam, int chain) {
    double other = chain_length(pattern, seam, 1 - chain);
    return 100 * (chain_length(pattern, seam, chain) / other - 1);
}

static const char* ends_name(const WeftSeam* seam) {
    static const char* const names[] = {"auto", "opposite", "same"};
    return names[seam->ends];
}

// ---------------------------------------------------------------------------------------------
// Loading

static int load(const char* path, WeftPattern* pattern, WeftFindings* findings) {
    WeftError error;
    *findings = (WeftFindings){0};
    if (!weft_load_pattern(path, NULL, NULL, pattern, findings, &error)) return GO_ON;
    for (int i = 0; i < findings->count; i++) fprintf(stderr, "%s: %s\n", path, findings->lines[i]);
    weft_destroy_findings(findings);
    fprintf(stderr, "%s\n", error.message);
    return error.result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

static void unload(WeftPattern* pattern, WeftFindings* findings) {
    weft_destroy_pattern(pattern);
    weft_destroy_findings(findings);
}

static void print_findings(const WeftFindings* findings) {
    for (int i = 0; i < findings->count; i++) printf("  note: %s\n", findings->lines[i]);
}

static void print_summary(const char* path, const WeftPattern* pattern) {
    int sides = 0, sewn = 0;
    for (int p = 0; p < pattern->panel_count; p++) sides += pattern->panels[p].side_count;
    for (int i = 0; i < pattern->seam_count; i++)
        sewn += pattern->seams[i].count[0] + pattern->seams[i].count[1];
    printf("%s: %s, a pattern\n", path, pattern->name);
    printf("  %d panel%s, %d sides, %d seam%s of %d sides, %d hold%s\n", pattern->panel_count,
           pattern->panel_count == 1 ? "" : "s", sides, pattern->seam_count,
           pattern->seam_count == 1 ? "" : "s", sewn, pattern->hold_count,
           pattern->hold_count == 1 ? "" : "s");
    if (pattern->fabric[0]) printf("  fabric: %s\n", pattern->fabric);
}

// ---------------------------------------------------------------------------------------------
// The table

static void panel_size(const WeftPanel* panel, double size[2]) {
    for (int k = 0; k < 2; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int s = 0; s < panel->side_count; s++)
            for (int i = 0; i <= 16; i++) {
                double point[2];
                weft_side_point(panel, s, i / 16.0, point);
                low = fmin(low, point[k]);
                high = fmax(high, point[k]);
            }
        size[k] = high - low;
    }
}

static void print_partner(const WeftPattern* pattern, int panel, int side) {
    int index, chain;
    if (!find_seam(pattern, panel, side, &index, &chain)) return;
    const WeftSeam* seam = &pattern->seams[index];
    const char* join = "";
    for (int i = 0; i < seam->count[1 - chain]; i++) {
        WeftSideName name = seam->chain[1 - chain][i];
        const WeftPanel* other = &pattern->panels[name.panel];
        printf("%s%s.", join, other->name);
        if (other->sides[name.side].name[0])
            printf("%s", other->sides[name.side].name);
        else
            printf("%d", name.side);
        join = " + ";
    }
    if (seam->count[chain] > 1) printf(", %.1f", 1e3 * chain_length(pattern, seam, chain));
    printf("%s%.1f mm, ease %+.1f %%", seam->count[chain] > 1 ? " to " : ", ",
           1e3 * chain_length(pattern, seam, 1 - chain), ease(pattern, seam, chain));
    if (seam->right_wrong) printf(", right on wrong");
    if (seam->fold) printf(", a fold");
}

static void print_panel(const WeftPattern* pattern, int index) {
    const WeftPanel* panel = &pattern->panels[index];
    double size[2];
    panel_size(panel, size);
    printf("\n%s: %.0f x %.0f mm", panel->name, 1e3 * size[0], 1e3 * size[1]);
    if (panel->label[0]) printf(", \"%s\"", panel->label);
    if (panel->hole_count > 0)
        printf(", %d hole%s", panel->hole_count, panel->hole_count == 1 ? "" : "s");
    if (panel->fabric[0]) printf(", of %s", panel->fabric);
    if (panel->grain != 0) printf(", grain at %g degrees", panel->grain);
    printf("\n  %4s %-15s %9s  %-15s %s\n", "side", "name", "mm", "label", "sewn to");
    for (int s = 0; s < panel->side_count; s++) {
        const WeftPanelSide* side = &panel->sides[s];
        printf("  %4d %-15s %9.1f  %-15s ", s, side->name, 1e3 * weft_side_length(panel, s),
               side->label);
        print_partner(pattern, index, s);
        putchar('\n');
    }
}

static void print_holds(const WeftPattern* pattern) {
    static const char* const kinds[] = {"held while dressing", "held always", "an elastic band"};
    for (int i = 0; i < pattern->hold_count; i++) {
        const WeftHold* hold = &pattern->holds[i];
        printf("%s\"%s\": %s", i == 0 ? "\n" : "", hold->label, kinds[hold->kind]);
        if (hold->kind == WEFT_HOLD_BAND)
            printf(" of %g times the length, %g N", hold->ratio, hold->stretch);
        putchar('\n');
    }
}

// ---------------------------------------------------------------------------------------------
// As data

static json_t* sides_json(const WeftPattern* pattern, int index) {
    const WeftPanel* panel = &pattern->panels[index];
    json_t* list = json_array();
    for (int s = 0; s < panel->side_count; s++) {
        int seam, chain;
        bool sewn = find_seam(pattern, index, s, &seam, &chain);
        json_array_append_new(
            list, json_pack("{s:s,s:f,s:s,s:o}", "name", panel->sides[s].name, "length",
                            weft_side_length(panel, s), "label", panel->sides[s].label, "seam",
                            sewn ? json_integer(seam) : json_null()));
    }
    return list;
}

static json_t* chain_json(const WeftPattern* pattern, const WeftSeam* seam, int chain) {
    json_t* list = json_array();
    for (int i = 0; i < seam->count[chain]; i++) {
        WeftSideName name = seam->chain[chain][i];
        json_array_append_new(list,
                              json_pack("[s,i]", pattern->panels[name.panel].name, name.side));
    }
    return list;
}

static json_t* pattern_json(const char* path, const WeftPattern* pattern,
                            const WeftFindings* findings) {
    json_t *panels = json_array(), *seams = json_array(), *notes = json_array();
    for (int p = 0; p < pattern->panel_count; p++)
        json_array_append_new(
            panels, json_pack("{s:s,s:s,s:i,s:o}", "name", pattern->panels[p].name, "label",
                              pattern->panels[p].label, "holes", pattern->panels[p].hole_count,
                              "sides", sides_json(pattern, p)));
    for (int i = 0; i < pattern->seam_count; i++) {
        const WeftSeam* seam = &pattern->seams[i];
        json_array_append_new(
            seams,
            json_pack("{s:o,s:o,s:[f,f],s:f,s:s,s:b,s:b}", "a", chain_json(pattern, seam, 0), "b",
                      chain_json(pattern, seam, 1), "lengths", chain_length(pattern, seam, 0),
                      chain_length(pattern, seam, 1), "ease", ease(pattern, seam, 0), "ends",
                      ends_name(seam), "right_wrong", seam->right_wrong, "fold", seam->fold));
    }
    for (int i = 0; i < findings->count; i++)
        json_array_append_new(notes, json_string(findings->lines[i]));
    return json_pack("{s:s,s:s,s:s,s:o,s:o,s:i,s:o}", "file", path, "pattern", pattern->name,
                     "fabric", pattern->fabric, "panels", panels, "seams", seams, "holds",
                     pattern->hold_count, "findings", notes);
}

static void dump(json_t* data) {
    json_dumpf(data, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
}

// ---------------------------------------------------------------------------------------------
// For weft check

static bool is_placed(const WeftPattern* pattern) {
    for (int p = 0; p < pattern->panel_count; p++)
        if (!pattern->panels[p].place.given) return false;
    return true;
}

// Whether it can be sewn, as finely as usual; without places, which way round is open.
static int try_sewing(const char* path, const WeftPattern* pattern, WeftFindings* findings) {
    WeftGarment garment;
    WeftError error;
    if (!is_placed(pattern)) return GO_ON;
    if (weft_sew_pattern(pattern, weft_default_wear_def().edge, NULL, &garment, findings, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        return error.result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    }
    weft_destroy_garment(&garment);
    return GO_ON;
}

// Whether there is such a fabric: a preset, or a file beside the pattern. Without a name, none is
// asked for.
static int find_named_fabric(const char* path, const char* panel, const char* name) {
    char folder[PATH_SIZE];
    WeftFabricFile file;
    WeftError error;
    folder_name(path, folder);
    if (!name[0] || !weft_find_fabric(name, folder, fabric_folders(), &file, &error)) return GO_ON;
    fprintf(stderr, panel ? "%s: panel \"%s\": %s\n" : "%s: %s%s\n", path, panel ? panel : "",
            error.message);
    return EXIT_USAGE;
}

static int check_fabrics(const char* path, const WeftPattern* pattern) {
    int code = find_named_fabric(path, NULL, pattern->fabric);
    for (int p = 0; p < pattern->panel_count && code == GO_ON; p++)
        code = find_named_fabric(path, pattern->panels[p].name, pattern->panels[p].fabric);
    return code;
}

int check_pattern(const char* path, json_t* list) {
    WeftPattern pattern;
    WeftFindings findings;
    int code = load(path, &pattern, &findings);
    if (code != GO_ON) return code;
    code = check_fabrics(path, &pattern);
    if (code == GO_ON) code = try_sewing(path, &pattern, &findings);
    if (code == GO_ON && list) {
        json_array_append_new(list, pattern_json(path, &pattern, &findings));
    } else if (code == GO_ON) {
        print_summary(path, &pattern);
        print_findings(&findings);
    }
    unload(&pattern, &findings);
    return code == GO_ON ? EXIT_GOOD : code;
}

// ---------------------------------------------------------------------------------------------
// The command

static int show(const char* name, const char* picture, bool json) {
    char path[PATH_SIZE];
    WeftPattern pattern;
    WeftFindings findings;
    int code = find_pattern(name, path);
    if (code == GO_ON) code = load(path, &pattern, &findings);
    if (code != GO_ON) return code;
    code = picture ? draw_pattern(&pattern, picture) : GO_ON;
    if (code == GO_ON) {
        code = EXIT_GOOD;
        if (json) {
            json_t* data = pattern_json(path, &pattern, &findings);
            dump(data);
            json_decref(data);
        } else {
            print_summary(path, &pattern);
            print_findings(&findings);
            for (int p = 0; p < pattern.panel_count; p++) print_panel(&pattern, p);
            print_holds(&pattern);
        }
    }
    unload(&pattern, &findings);
    return code;
}

static int convert(const char* name, const char* out) {
    char path[PATH_SIZE];
    WeftPattern pattern;
    WeftFindings findings;
    WeftError error;
    int code = find_pattern(name, path);
    if (code == GO_ON) code = load(path, &pattern, &findings);
    if (code != GO_ON) return code;
    code = EXIT_GOOD;
    if (weft_save_pattern(out, &pattern, &error)) {
        fprintf(stderr, "%s\n", error.message);
        code = EXIT_FAILED;
    } else {
        print_summary(path, &pattern);
        print_findings(&findings);
        printf("  written to %s\n", out);
    }
    unload(&pattern, &findings);
    return code;
}

static int run_pattern(const Command* command, int argc, char** argv) {
    bool json = false;
    const char *picture = NULL, *out = NULL;
    const Option options[] = {
        {"picture", OPTION_TEXT, "FILE.png", "show: draw the panels side by side", &picture, 0, 0},
        {"out", OPTION_TEXT, "FILE.json", "convert: the file to write", &out, 0, 0},
        {"json", OPTION_FLAG, NULL, "show: print data", &json, 0, 0},
    };
    static const char* const words[] = {"show", "convert"};
    TextList arguments;
    int code = parse_options(command, options, 3, argc, argv, &arguments);
    if (code == GO_ON) {
        const char* word = arguments.count > 0 ? arguments.texts[0] : "";
        bool shows = strcmp(word, words[0]) == 0, converts = strcmp(word, words[1]) == 0;
        if (!shows && !converts)
            code = complain(EXIT_USAGE, "pattern takes show or convert, and a file%s",
                            guess(word, "", words, 2));
        else if (arguments.count != 2)
            code =
                complain(EXIT_USAGE, "pattern %s takes one file; see `weft pattern --help`", word);
        else if (converts && (!out || picture || json))
            code = complain(EXIT_USAGE, "pattern convert takes --out FILE.json, and nothing else");
        else if (shows && out)
            code = complain(EXIT_USAGE, "--out is for pattern convert; a picture is --picture");
        else
            code =
                shows ? show(arguments.texts[1], picture, json) : convert(arguments.texts[1], out);
    }
    free_list(&arguments);
    return code;
}

const Command pattern_command = {
    .name = "pattern",
    .arguments = "ACTION FILE",
    .summary = "Show the panels and seams of a pattern, or convert one of GarmentCode.",
    .details =
        "ACTION is show (a table, or a picture) or convert (to a pattern of ours).\n"
        "FILE is a pattern of ours (docs/pattern.md), of GarmentCode or of its predecessor, or "
        "the name\nof a garment that comes with weft. What is mended on the way is said. Exits 2 "
        "where a pattern\ncannot be cut or sewn.",
    .run = run_pattern,
};
