// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft check-contact: read a result back, and look in every frame for triangles that cross, and for
// cloth inside of bodies.

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "findings.h"
#include "outputs.h"
#include "progress.h"
#include "session.h"

enum { NAMED_FRAMES = 10, NAMED_PAIRS = 4 };  // of what is found, as text
enum { KEPT_PAIRS = 16 };                     // of each frame, as data
static const double COARSE = 2e-5;            // m, of floats: some cloth is ten times as thick

typedef struct CheckOptions {
    const char *mesh, *frames;
    bool quiet, json;
} CheckOptions;

// What crosses, and what is inside, in a frame.
typedef struct Found {
    int frame, count;
    WeftCrossing first[KEPT_PAIRS];
    int inside;       // vertices
    int place_count;  // pairs of cloth and body
    WeftInside places[KEPT_PAIRS];
} Found;

typedef struct Audit {
    const char* path;
    WeftReader* reader;
    WeftSurface* surfaces;       // one per part
    bool* planes;                // those that are
    int* triangles;              // of all parts, as they are in this frame
    int *twins, *joined, *next;  // per vertex: see join_twins
    Findings findings;           // of the last frame
    double* positions;
    int first, last;  // frames
    int cloth_triangles, body_triangles;
    long crossings;       // in all frames
    int crossing_frames;  // with some
    int worst_frame, worst_count;
    long inside;        // vertices, in all frames
    int inside_frames;  // with some
    int inside_worst_frame, inside_worst_count;
    int found_frames;           // with either,
    double size;                // m: the largest coordinate of cloth in them
    Found named[NAMED_FRAMES];  // the first of them
    json_t* list;               // all of them, or NULL
} Audit;

// "7" or "7-12", within what the file has.
static int choose_frames(Audit* audit, const char* text) {
    audit->first = 0, audit->last = audit->reader->frame_count - 1;
    if (!text) return GO_ON;
    char *end, *rest;
    long first = strtol(text, &end, 10), last = first;
    bool good = end != text;
    if (good && *end == '-') {
        last = strtol(end + 1, &rest, 10);
        good = rest != end + 1;
        end = rest;
    }
    if (!good || *end || first < 0 || last < first)
        return complain(EXIT_USAGE, "--frames must be A-B, two numbers from 0, not \"%s\"", text);
    if (last > audit->last) {
        fprintf(stderr, "%s: has frames 0 to %d, and %ld is asked for\n", audit->path, audit->last,
                last);
        return EXIT_USAGE;
    }
    audit->first = (int)first, audit->last = (int)last;
    return GO_ON;
}

static bool make_surfaces(Audit* audit) {
    const WeftReader* reader = audit->reader;
    audit->positions = calloc(3 * (size_t)reader->vertex_count, sizeof(double));
    audit->surfaces = calloc((size_t)reader->part_count, sizeof *audit->surfaces);
    audit->planes = calloc((size_t)reader->part_count, sizeof *audit->planes);
    audit->triangles = calloc(3 * (size_t)reader->triangle_count + 1, sizeof(int));
    audit->twins = calloc((size_t)reader->vertex_count + 1, sizeof(int));
    audit->joined = calloc((size_t)reader->vertex_count + 1, sizeof(int));
    audit->next = calloc((size_t)reader->vertex_count + 1, sizeof(int));
    if (!audit->positions || !audit->surfaces || !audit->planes || !audit->triangles ||
        !audit->twins || !audit->joined || !audit->next)
        return false;
    const int* triangles = audit->triangles;
    for (int p = 0; p < reader->part_count; p++) {
        const WeftPart* part = &reader->parts[p];
        audit->surfaces[p] = (WeftSurface){reader->vertex_count, audit->positions,
                                           part->triangle_count, triangles, part->body};
        audit->planes[p] = part->body && strncmp(part->name, WEFT_PLANE_PART, strlen(WEFT_PLANE_PART)) == 0;
        triangles += 3 * (size_t)part->triangle_count;
        *(part->body ? &audit->body_triangles : &audit->cloth_triangles) += part->triangle_count;
    }
    return true;
}

// Cloth that is cut later is whole before, but its file has the vertices of the end in all frames:
// both lips of a cut are there, at the same places. What is joined along edges in the first frame
// (twins, the first of them themselves) is one vertex for as long as it is at one place.

static WeftResult find_twins(Audit* audit, const WeftPart* part, int first, const int* triangles,
                             WeftError* error) {
    size_t corners = 3 * (size_t)part->triangle_count, count = (size_t)part->vertex_count;
    WeftMesh mesh = {.vertex_count = part->vertex_count, .triangle_count = part->triangle_count};
    int *map = calloc(count + 1, sizeof(int)), *firsts = calloc(count + 1, sizeof(int));
    mesh.positions = malloc(3 * count * sizeof(double) + 1);
    mesh.triangles = malloc(corners * sizeof(int) + 1);
    bool good = map && firsts && mesh.positions && mesh.triangles;
    if (good) {
        memcpy(mesh.positions, audit->positions + 3 * (size_t)first, 3 * count * sizeof(double));
        for (size_t i = 0; i < corners; i++) mesh.triangles[i] = triangles[i] - first;
    }
    WeftResult result = good ? weft_weld_mesh(&mesh, 0, map, NULL, error) : WEFT_ERROR_MEMORY;
    for (size_t i = count; i-- > 0 && !result;) firsts[map[i]] = first + (int)i;
    for (size_t i = 0; i < count && !result; i++) audit->twins[(size_t)first + i] = firsts[map[i]];
    weft_destroy_mesh(&mesh);
    free(map);
    free(firsts);
    if (!good) snprintf(error->message, sizeof error->message, "out of memory");
    return result;
}

static int find_all_twins(Audit* audit) {
    const WeftReader* reader = audit->reader;
    const int* triangles = reader->triangles;
    WeftError error;
    WeftResult result = weft_read_frame(audit->reader, 0, audit->positions, &error);
    for (int i = 0; i < reader->vertex_count; i++) audit->twins[i] = i;
    for (int p = 0, vertex = 0; p < reader->part_count && !result; p++) {
        const WeftPart* part = &reader->parts[p];
        if (!part->body && part->triangle_count > 0)
            result = find_twins(audit, part, vertex, triangles, &error);
        vertex += part->vertex_count;
        triangles += 3 * (size_t)part->triangle_count;
    }
    return result ? fail_findings(&error) : GO_ON;
}

static bool is_same_place(const Audit* audit, int a, int b) {
    const double *x = audit->positions + 3 * (size_t)a, *y = audit->positions + 3 * (size_t)b;
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

// By the first of those at its place; these are few.
static void join_twins(Audit* audit) {
    const WeftReader* reader = audit->reader;
    for (int i = 0; i < reader->vertex_count; i++) {
        audit->joined[i] = i, audit->next[i] = -1;
        int at = audit->twins[i];
        if (at == i) continue;
        while (!is_same_place(audit, at, i) && audit->next[at] >= 0) at = audit->next[at];
        if (is_same_place(audit, at, i))
            audit->joined[i] = at;
        else
            audit->next[at] = i;
    }
    for (size_t k = 0; k < 3 * (size_t)reader->triangle_count; k++)
        audit->triangles[k] = audit->joined[reader->triangles[k]];
}

static int open_audit(Audit* audit, const CheckOptions* options) {
    WeftError error;
    if (weft_open_reader(audit->path, options->mesh, NULL, &audit->reader, &error))
        return fail_findings(&error);
    int code = choose_frames(audit, options->frames);
    if (code == GO_ON && !make_surfaces(audit)) code = complain(EXIT_FAILED, "out of memory");
    return code == GO_ON ? find_all_twins(audit) : code;
}

// ---------------------------------------------------------------------------------------------
// What was found

static void print_crossings(const Audit* audit, const Found* found) {
    int count = found->count;
    if (count == 0) return;
    printf("  frame %d: %d crossing%s", found->frame, count, count == 1 ? "" : "s");
    for (int i = 0; i < count && i < NAMED_PAIRS; i++) {
        const WeftCrossing* c = &found->first[i];
        const WeftPart* parts = audit->reader->parts;
        printf("%s%s %d and %s %d", i == 0 ? ": " : ", ", parts[c->surface[0]].name, c->triangle[0],
               parts[c->surface[1]].name, c->triangle[1]);
    }
    puts(count > NAMED_PAIRS ? " ..." : "");
}

static void print_inside(const Audit* audit, const Found* found) {
    const WeftPart* parts = audit->reader->parts;
    for (int i = 0; i < found->place_count && i < NAMED_PAIRS; i++) {
        const WeftInside* p = &found->places[i];
        printf("  frame %d: %d %s of %s inside %s\n", found->frame, p->vertex_count,
               p->vertex_count == 1 ? "vertex" : "vertices", parts[p->surface].name,
               parts[p->body].name);
    }
    if (found->place_count > NAMED_PAIRS) printf("  frame %d: ...\n", found->frame);
}

static json_t* list_inside(const Audit* audit, const Found* found) {
    const WeftPart* parts = audit->reader->parts;
    json_t* list = json_array();
    for (int i = 0; i < found->place_count && i < KEPT_PAIRS; i++) {
        const WeftInside* p = &found->places[i];
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:i,s:i}", "part", parts[p->surface].name, "body",
                            parts[p->body].name, "vertices", p->vertex_count, "first", p->first));
    }
    return list;
}

static void list_frame(const Audit* audit, const Found* found) {
    json_t* pairs = json_array();
    for (int i = 0; i < found->count && i < KEPT_PAIRS; i++) {
        const WeftCrossing* c = &found->first[i];
        const WeftPart* parts = audit->reader->parts;
        json_array_append_new(pairs, json_pack("{s:[ss],s:[ii]}", "parts",
                                               parts[c->surface[0]].name, parts[c->surface[1]].name,
                                               "triangles", c->triangle[0], c->triangle[1]));
    }
    json_array_append_new(
        audit->list,
        json_pack("{s:i,s:i,s:o,s:i,s:o}", "frame", found->frame, "crossings", found->count,
                  "pairs", pairs, "inside", found->inside, "places", list_inside(audit, found)));
}

static void print_result(const Audit* audit) {
    int frames = audit->reader->frame_count, checked = audit->last - audit->first + 1;
    int more = audit->found_frames - NAMED_FRAMES;
    printf("%s: %d frame%s, %d triangles of cloth, %d of bodies\n", audit->path, frames,
           frames == 1 ? "" : "s", audit->cloth_triangles, audit->body_triangles);
    for (int i = 0; i < audit->found_frames && i < NAMED_FRAMES; i++) {
        print_crossings(audit, &audit->named[i]);
        print_inside(audit, &audit->named[i]);
    }
    if (more > 0) printf("  ... and %d more frame%s\n", more, more == 1 ? "" : "s");
    if (audit->crossings == 0)
        printf("  nothing crosses in %d frame%s\n", checked, checked == 1 ? "" : "s");
    else
        printf("  %ld crossing%s in %d of %d frames, most in frame %d: %d\n", audit->crossings,
               audit->crossings == 1 ? "" : "s", audit->crossing_frames, checked,
               audit->worst_frame, audit->worst_count);
    if (audit->found_frames > 0 && (double)FLT_EPSILON * audit->size > COARSE)
        printf(
            "  files hold floats, which are good to %.2g mm %.0f m from the origin: thin cloth "
            "may\n"
            "  seem to cross there that does not; put the scene near the origin to be sure\n",
            1000 * (double)FLT_EPSILON * audit->size, audit->size);
    if (audit->inside > 0)
        printf("  cloth is inside of bodies in %d of %d frames, most in frame %d: %d %s\n",
               audit->inside_frames, checked, audit->inside_worst_frame, audit->inside_worst_count,
               audit->inside_worst_count == 1 ? "vertex" : "vertices");
}

static void print_json(const Audit* audit) {
    json_t* root = json_pack(
        "{s:s,s:i,s:i,s:i,s:i,s:i,s:I,s:i,s:I,s:i,s:O}", "file", audit->path, "frames",
        audit->reader->frame_count, "first", audit->first, "last", audit->last, "cloth_triangles",
        audit->cloth_triangles, "body_triangles", audit->body_triangles, "crossings",
        (json_int_t)audit->crossings, "crossing_frames", audit->crossing_frames, "inside",
        (json_int_t)audit->inside, "inside_frames", audit->inside_frames, "found", audit->list);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

// ---------------------------------------------------------------------------------------------
// Frames

// The largest coordinate of cloth. (The floor may be wide.)
static double cloth_size(const Audit* audit) {
    double size = 0;
    const double* x = audit->positions;
    for (int p = 0; p < audit->reader->part_count; p++) {
        const WeftPart* part = &audit->reader->parts[p];
        for (int i = 0; i < 3 * part->vertex_count; i++, x++)
            if (!part->body) size = fmax(size, fabs(*x));
    }
    return size;
}

static void add_found(Audit* audit, const Found* found) {
    if (audit->found_frames < NAMED_FRAMES) audit->named[audit->found_frames] = *found;
    if (audit->list) list_frame(audit, found);
    if (found->count > audit->worst_count)
        audit->worst_count = found->count, audit->worst_frame = found->frame;
    if (found->inside > audit->inside_worst_count)
        audit->inside_worst_count = found->inside, audit->inside_worst_frame = found->frame;
    audit->crossings += found->count;
    audit->crossing_frames += found->count > 0;
    audit->inside += found->inside;
    audit->inside_frames += found->inside > 0;
    audit->found_frames++;
    audit->size = fmax(audit->size, cloth_size(audit));
}

static int lesser(int a, int b) { return a < b ? a : b; }

static int check_frame(Audit* audit, int frame) {
    const Findings* all = &audit->findings;
    int parts = audit->reader->part_count;
    WeftError error;
    if (weft_read_frame(audit->reader, frame, audit->positions, &error))
        return fail_findings(&error);
    join_twins(audit);
    if (find_crossings(&audit->findings, audit->surfaces, parts, &error) ||
        find_inside(&audit->findings, audit->surfaces, parts, audit->planes, &error))
        return fail_findings(&error);
    Found found = {.frame = frame, .count = all->crossing_count, .place_count = all->place_count};
    for (int i = 0; i < lesser(found.count, KEPT_PAIRS); i++) found.first[i] = all->crossings[i];
    for (int i = 0; i < lesser(found.place_count, KEPT_PAIRS); i++)
        found.places[i] = all->places[i];
    for (int i = 0; i < found.place_count; i++) found.inside += all->places[i].vertex_count;
    if (found.count > 0 || found.inside > 0) add_found(audit, &found);
    return GO_ON;
}

static int check_frames(Audit* audit, bool quiet) {
    Progress progress;
    int code = GO_ON, total = audit->last - audit->first + 1;
    double start = now(NULL);
    start_progress(&progress, total, quiet);
    progress.unit = "frame";
    for (int done = 1; done <= total && code == GO_ON; done++) {
        code = check_frame(audit, audit->first + done - 1);
        show_progress(&progress, done, 1000 * (now(NULL) - start) / done);
    }
    end_progress(&progress);
    return code;
}

static int check_result(const char* path, const CheckOptions* options) {
    Audit audit = {.path = path, .list = options->json ? json_array() : NULL};
    int code = open_audit(&audit, options);
    if (code == GO_ON) code = check_frames(&audit, options->quiet);
    if (code == GO_ON) {
        if (options->json)
            print_json(&audit);
        else if (!options->quiet)
            print_result(&audit);
        code = audit.crossings > 0 || audit.inside > 0 ? EXIT_FAILED : EXIT_GOOD;
    }
    weft_close_reader(audit.reader);
    free(audit.surfaces);
    free(audit.planes);
    free(audit.triangles);
    free(audit.twins);
    free(audit.joined);
    free(audit.next);
    free_findings(&audit.findings);
    free(audit.positions);
    json_decref(audit.list);
    return code;
}

static int check_contact(const Command* command, int argc, char** argv) {
    CheckOptions options = {0};
    const Option rows[] = {
        {"mesh", OPTION_TEXT, "FILE", "an .obj with the vertices of a .pc2, for its triangles",
         &options.mesh, 0, 0},
        {"frames", OPTION_TEXT, "A-B", "only these frames, counted from 0", &options.frames, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "print nothing but errors", &options.quiet, 0, 0},
        {"json", OPTION_FLAG, NULL, "print what is found as data", &options.json, 0, 0},
    };
    TextList arguments;
    int code = parse_options(command, rows, 4, argc, argv, &arguments);
    if (code == GO_ON && arguments.count != 1)
        code =
            complain(EXIT_USAGE, "check-contact takes one file; see `weft check-contact --help`");
    if (code == GO_ON) code = check_result(arguments.texts[0], &options);
    free_list(&arguments);
    return code;
}

const Command check_contact_command = {
    .name = "check-contact",
    .arguments = "RESULT",
    .summary = "Find what crosses, or is inside of bodies, in every frame that a run wrote.",
    .details =
        "RESULT is what `weft run --out` wrote, by the same name: a .glb, a .pc2 with --mesh, or\n"
        "the frames of an .obj or a .ply. Looks for triangles of cloth that have a point in "
        "common\n"
        "with others of cloth or of a body, touching included, and shares no code with contact.\n"
        "Edges of a cloth that lie on each other in the first frame count as joined for as long\n"
        "as they do: those of a cut that is yet to come.\n"
        "The answer is exact for the numbers in the file. Round bodies are cut into facets whose\n"
        "corners lie on the true surface. Vertices of cloth inside of closed bodies, and below\n"
        "planes, are found as well; bodies with holes have no inside, and ropes no triangles to\n"
        "look at. Exits 0 when nothing crosses or is inside, 1 when something does, 2 when a file\n"
        "or an option is wrong.",
    .run = check_contact,
};
