// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How good the triangles of panels are: their smallest angles, and how even their edges; ours, as
// garments are sewn of them, and those of gmsh. Ours have the same vertices on both sides of every
// seam, and so shorter edges here and there; gmsh meshes each panel for itself.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "fitting.h"
#include "garments.h"
#include "gmsh.h"

static const double edges[] = {0.02, 0.01};
static const double DEGREES = 57.29577951308232;

// Sums over triangles.
typedef struct Quality {
    int triangles;
    double least, sum;                                   // degrees, of smallest angles
    double edge_sum, edge_squares, edge_low, edge_high;  // m, of the three sides of each
    double seconds;
} Quality;

static Quality no_quality(void) { return (Quality){.least = 180, .edge_low = HUGE_VAL}; }

static void add_triangle(Quality* quality, const double* a, const double* b, const double* c) {
    const double* corners[3] = {a, b, c};
    double length[3], least = 180;
    for (int k = 0; k < 3; k++) {
        const double *p = corners[k], *q = corners[(k + 1) % 3];
        length[k] = hypot(q[0] - p[0], q[1] - p[1]);
        quality->edge_sum += length[k];
        quality->edge_squares += length[k] * length[k];
        quality->edge_low = fmin(quality->edge_low, length[k]);
        quality->edge_high = fmax(quality->edge_high, length[k]);
    }
    for (int k = 0; k < 3; k++) {
        double x = length[k], y = length[(k + 1) % 3], z = length[(k + 2) % 3];
        double cosine = (y * y + z * z - x * x) / (2 * y * z);
        least = fmin(least, DEGREES * acos(fmax(-1, fmin(1, cosine))));
    }
    quality->triangles++;
    quality->least = fmin(quality->least, least);
    quality->sum += least;
}

static void add_quality(Quality* sum, const Quality* part) {
    sum->triangles += part->triangles;
    sum->least = fmin(sum->least, part->least);
    sum->sum += part->sum;
    sum->edge_sum += part->edge_sum;
    sum->edge_squares += part->edge_squares;
    sum->edge_low = fmin(sum->edge_low, part->edge_low);
    sum->edge_high = fmax(sum->edge_high, part->edge_high);
    sum->seconds += part->seconds;
}

// ---------------------------------------------------------------------------------------------
// The two

static Quality our_quality(const WeftGarment* garment, int panel) {
    Quality quality = no_quality();
    const WeftMesh* mesh = &garment->mesh;
    for (size_t t = 0; t < (size_t)mesh->triangle_count; t++) {
        const int* m = mesh->triangle_material + 3 * t;
        if (garment->panels[t] == panel)
            add_triangle(&quality, garment->material_flat + 2 * (size_t)m[0],
                         garment->material_flat + 2 * (size_t)m[1],
                         garment->material_flat + 2 * (size_t)m[2]);
    }
    return quality;
}

static bool gmsh_quality(const WeftPanel* panel, double edge, Quality* quality) {
    FlatMesh mesh;
    double seconds;
    *quality = no_quality();
    if (!mesh_by_gmsh(panel, edge, &mesh, &seconds)) return false;
    quality->seconds = seconds;
    for (size_t t = 0; t < (size_t)mesh.triangle_count; t++) {
        const int* corner = mesh.triangles + 3 * t;
        add_triangle(quality, mesh.points + 2 * (size_t)corner[0],
                     mesh.points + 2 * (size_t)corner[1], mesh.points + 2 * (size_t)corner[2]);
    }
    destroy_flat_mesh(&mesh);
    return true;
}

// ---------------------------------------------------------------------------------------------
// The table

static void add_row(Report* report, const char* garment, const char* panel, double edge,
                    const char* by, const Quality* quality) {
    double count = 3.0 * quality->triangles, mean = quality->edge_sum / count;
    start_row(report);
    add_text(report, "garment", garment);
    add_text(report, "panel", panel);
    add_number(report, "edge_mm", 1000 * edge);
    add_text(report, "by", by);
    add_number(report, "triangles", quality->triangles);
    add_number(report, "least_angle", quality->least);
    add_number(report, "mean_angle", quality->sum / quality->triangles);
    add_number(report, "edge_mean_mm", 1000 * mean);
    add_number(report, "edge_spread",
               sqrt(fmax(quality->edge_squares / count - mean * mean, 0)) / mean);
    add_number(report, "edge_least_mm", 1000 * quality->edge_low);
    add_number(report, "edge_most_mm", 1000 * quality->edge_high);
    if (quality->seconds > 0) add_number(report, "seconds", quality->seconds);
}

typedef struct Totals {
    Quality ours, theirs;
} Totals;

static int mesh_garment(const char* name, const WeftPattern* pattern, double edge, bool gmsh,
                        Totals* all, Report* report) {
    WeftGarment garment;
    WeftError error;
    Totals own = {no_quality(), no_quality()};
    double start = thread_time(NULL);
    if (weft_sew_pattern(pattern, edge, NULL, &garment, NULL, &error))
        return complain(EXIT_FAILED, "%s: %s", name, error.message);
    own.ours.seconds = thread_time(NULL) - start;
    for (int p = 0; p < pattern->panel_count; p++) {
        Quality ours = our_quality(&garment, p), theirs;
        show_progress("%s, %s, %.0f mm", name, pattern->panels[p].name, 1000 * edge);
        add_row(report, name, pattern->panels[p].name, edge, "weft", &ours);
        add_quality(&own.ours, &ours);
        if (!gmsh) continue;
        if (gmsh_quality(&pattern->panels[p], edge, &theirs)) {
            add_row(report, name, pattern->panels[p].name, edge, "gmsh", &theirs);
            add_quality(&own.theirs, &theirs);
        } else {
            complain(EXIT_GOOD, "gmsh does not mesh %s of %s", pattern->panels[p].name, name);
        }
    }
    add_row(report, name, "all", edge, "weft", &own.ours);
    if (own.theirs.triangles > 0) add_row(report, name, "all", edge, "gmsh", &own.theirs);
    add_quality(&all->ours, &own.ours);
    add_quality(&all->theirs, &own.theirs);
    weft_destroy_garment(&garment);
    return EXIT_GOOD;
}

static int mesh_file(const FileList* list, int index, const Wearer* wearer, bool quick, bool gmsh,
                     Totals* all, Report* report) {
    char path[FILE_SIZE];
    WeftPattern pattern;
    WeftError error;
    int code = EXIT_GOOD;
    file_path(list, index, ".json", path);
    if (load_pattern_for(wearer, path, &pattern, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    for (int e = 0; e < (quick ? 1 : 2) && !code; e++)
        code = mesh_garment(list->names[index], &pattern, edges[e], gmsh, all, report);
    weft_destroy_pattern(&pattern);
    return code;
}

int run_panel_meshes(const BenchOptions* options, Report* report) {
    FileList* list = need(1, sizeof *list);
    Wearer wearer = {.clip = -1};
    WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    Totals all = {no_quality(), no_quality()};
    bool gmsh = has_gmsh();
    int code = list_garments(options, list);
    if (!code) code = make_wearer(&def, "female medium", &wearer);
    for (int i = 0; i < list->count && !code; i++)
        code = mesh_file(list, i, &wearer, options->quick, gmsh, &all, report);
    destroy_wearer(&wearer);
    free(list);
    if (code) return code;
    add_ratio(report, "least_angle", all.ours.least);
    add_ratio(report, "mean_angle", all.ours.sum / all.ours.triangles);
    if (all.theirs.triangles > 0) {
        add_ratio(report, "gmsh_least_angle", all.theirs.least);
        add_ratio(report, "gmsh_mean_angle", all.theirs.sum / all.theirs.triangles);
        add_ratio(report, "triangles_over_gmsh", (double)all.ours.triangles / all.theirs.triangles);
        add_ratio(report, "seconds_over_gmsh", all.ours.seconds / all.theirs.seconds);
    } else {
        add_note(report, "gmsh is not installed here; WEFT_GMSH may name the program.");
    }
    add_note(report,
             "least_angle: degrees, the smallest of all; mean_angle: the mean of the smallest of "
             "each triangle. edge_spread: standard deviation over mean. Seconds of weft are those "
             "of sewing the whole garment.");
    return EXIT_GOOD;
}
