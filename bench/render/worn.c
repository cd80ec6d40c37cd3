// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "render/worn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/view.h"
#include "weft/weft_io.h"
#include "weft/weft_render.h"

enum { AROUND = 12, ABOVE = 5, WALK = 60, EVERY = 12, SEEN_EVERY = 10 };
static const double PI = 3.14159265358979323846;

// Somebody who walks in a dress.
typedef struct Worn {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    int body_count;  // triangles of the body
    double* body;    // its vertices, where they are
} Worn;

static void close_worn(Worn* worn) {
    weft_destroy_state(worn->state);
    weft_destroy_model(worn->model);
    weft_destroy_scene(worn->scene);
    free(worn->body);
}

static int open_worn(const char* garments, double edge, Worn* worn) {
    char text[1024];
    WeftError error = {0};
    *worn = (Worn){.scene = NULL};
    snprintf(text, sizeof text,
             "{\"weft\": 1, \"duration\": 9, \"contact\": \"all\","
             "\"bodies\": [{\"kind\": \"mannequin\", \"clip\": \"walk\"}, {\"kind\": \"plane\"}],"
             "\"cloths\": [{\"mesh\": {\"kind\": \"pattern\", \"file\": \"dress.json\","
             "\"edge\": %g}}]}",
             edge);
    show_progress("a dress is put on, edges of %g mm", 1e3 * edge);
    if (weft_parse_scene(text, strlen(text), "worn", garments, NULL, NULL, &worn->scene, &error) ||
        weft_dress_scene(worn->scene, NULL, NULL, NULL, &error) ||
        weft_create_model(&worn->scene->model, &worn->model, &error) ||
        weft_create_state(worn->model, &worn->state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    worn->step = worn->scene->model.step;
    worn->body_count = weft_body_triangle_count(worn->model, 0);
    worn->body = need(3 * (size_t)weft_body_vertex_count(worn->model, 0), sizeof *worn->body);
    return EXIT_GOOD;
}

static int walk(Worn* worn, int steps) {
    for (int i = 0; i < steps; i++) {
        weft_direct_scene(worn->scene, worn->state, &worn->step);
        if (weft_step(worn->state, &worn->step))
            return complain(EXIT_FAILED, "%s", weft_state_error(worn->state)->message);
    }
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Hidden triangles

static int hide(Worn* worn, double angle, unsigned char* hidden) {
    WeftHiddenDef def = weft_default_hidden_def();
    WeftError error;
    weft_copy_body(worn->state, 0, worn->body);
    def.vertex_count = weft_body_vertex_count(worn->model, 0);
    def.positions = worn->body;
    def.triangle_count = worn->body_count;
    def.triangles = weft_body_triangles(worn->model, 0);
    def.cover_vertex_count = weft_vertex_count(worn->model);
    def.cover_positions = weft_positions(worn->state);
    def.cover_triangle_count = weft_triangle_count(worn->model);
    def.cover_triangles = weft_triangles(worn->model);
    def.angle = angle;
    def.jobs.thread_count = 1;
    return weft_find_hidden(&def, hidden, &error) ? complain(EXIT_FAILED, "%s", error.message)
                                                  : EXIT_GOOD;
}

// Pixels of the body, of triangles that are hidden: from steeply below, and from elsewhere.
typedef struct Pixels {
    double body, below, elsewhere;
} Pixels;

static void look_around(Worn* worn, const unsigned char* hidden, View* view, Pixels* pixels) {
    int vertices = weft_body_vertex_count(worn->model, 0);
    double middle[3] = {0, 0, 0};
    weft_copy_body(worn->state, 0, worn->body);
    for (int i = 0; i < 3 * vertices; i++) middle[i % 3] += worn->body[i] / vertices;
    for (int d = 0; d < AROUND * ABOVE; d++) {
        open_view(view, middle, 2 * PI * (d % AROUND) / AROUND, (d / AROUND - 2) * 35 * PI / 180);
        draw_triangles(view, worn->body, worn->body_count, weft_body_triangles(worn->model, 0), 0);
        draw_triangles(view, weft_positions(worn->state), weft_triangle_count(worn->model),
                       weft_triangles(worn->model), worn->body_count);
        for (int i = 0; i < VIEW_WIDTH * VIEW_HEIGHT; i++) {
            if (view->seen[i] < 0 || view->seen[i] >= worn->body_count) continue;
            pixels->body++;
            if (hidden[view->seen[i]]) *(d < AROUND ? &pixels->below : &pixels->elsewhere) += 1;
        }
    }
}

// Hidden in the first frame, or in some frames of a walk; then seen in others.
static int tell_hidden(Worn* worn, const WeftState* start, double angle, bool all, Report* report) {
    size_t n = (size_t)worn->body_count;
    unsigned char *hidden = need(n, 1), *now = need(n, 1);
    View* view = need(1, sizeof *view);
    Pixels pixels = {0, 0, 0};
    int code, count = 0;
    weft_copy_state(worn->state, start);
    double began = thread_time(NULL);
    code = hide(worn, angle, hidden);
    double took = thread_time(NULL) - began;
    for (int frame = 0; frame < WALK && all && !code; frame += EVERY) {
        code = walk(worn, EVERY);
        if (!code) code = hide(worn, angle, now);
        for (size_t t = 0; t < n; t++) hidden[t] &= now[t];
    }
    for (size_t t = 0; t < n; t++) count += hidden[t];
    weft_copy_state(worn->state, start);
    if (!code) code = walk(worn, SEEN_EVERY / 2);
    for (int frame = 0; frame < WALK && !code; frame += SEEN_EVERY) {
        look_around(worn, hidden, view, &pixels);
        code = walk(worn, SEEN_EVERY);
    }
    start_row(report);
    add_number(report, "angle", angle);
    add_text(report, "hidden_in", all ? "frames of a walk" : "the first frame");
    add_number(report, "triangles", worn->body_count);
    add_number(report, "hidden", count);
    add_number(report, "ms", 1e3 * took);
    add_number(report, "pixels_of_body", pixels.body);
    add_number(report, "seen", pixels.elsewhere);
    add_number(report, "seen_from_below", pixels.below);
    free(view), free(hidden), free(now);
    return code;
}

int run_hidden(const char* garments, bool quick, Report* report) {
    static const double angles[] = {60, 75};
    Worn worn;
    WeftState* start = NULL;
    int code = open_worn(garments, quick ? 0.05 : 0.028, &worn);
    if (!code && weft_create_state(worn.model, &start, NULL)) code = EXIT_FAILED;
    start_table(report, "Hidden triangles of a mannequin in a dress, seen from 60 directions");
    for (int k = 0; k < 4 && !code; k++) {
        show_progress("hidden triangles, %g degrees", angles[k / 2]);
        code = tell_hidden(&worn, start, angles[k / 2], k % 2, report);
    }
    weft_destroy_state(start);
    close_worn(&worn);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Switches

static int count_crossings(Worn* worn) {
    int count = 0;
    weft_copy_body(worn->state, 0, worn->body);
    const WeftSurface surfaces[2] = {
        {weft_vertex_count(worn->model), weft_positions(worn->state),
         weft_triangle_count(worn->model), weft_triangles(worn->model), false},
        {weft_body_vertex_count(worn->model, 0), worn->body, worn->body_count,
         weft_body_triangles(worn->model, 0), true}};
    return weft_find_crossings(surfaces, 2, NULL, 0, NULL, &count, NULL) ? -1 : count;
}

static double kinetic_of(const Worn* worn) {
    WeftMeasure measure = {0};
    bool bad = weft_measure(worn->state, worn->step.gravity, &measure);
    return bad ? (double)NAN : measure.kinetic;
}

static int connect_worn(const Worn* from, const Worn* to, WeftTransfer** transfer) {
    WeftTransferDef def = weft_default_transfer_def();
    WeftError error;
    def.from = from->model, def.to = to->model;
    def.from_mesh = &from->scene->meshes[0], def.to_mesh = &to->scene->meshes[0];
    def.from_panels = from->scene->wears[0].garment.panels;
    def.to_panels = to->scene->wears[0].garment.panels;
    return weft_create_transfer(&def, transfer, &error) ? complain(EXIT_FAILED, "%s", error.message)
                                                        : EXIT_GOOD;
}

static int tell_switch(Worn* from, Worn* to, WeftTransfer* transfer, Report* report) {
    double began = thread_time(NULL);
    if (weft_transfer_state(transfer, from->state, to->state, &to->step))
        return complain(EXIT_FAILED, "%s", weft_state_error(to->state)->message);
    double took = thread_time(NULL) - began, kinetic = kinetic_of(to) / kinetic_of(from);
    int crossed = count_crossings(to);
    int code = walk(from, 1);
    if (!code) code = walk(to, 1);
    start_row(report);
    add_number(report, "from", weft_vertex_count(from->model));
    add_number(report, "to", weft_vertex_count(to->model));
    add_number(report, "ms", 1e3 * took);
    add_number(report, "kinetic", kinetic);
    add_number(report, "kinetic_after_a_step", kinetic_of(to) / kinetic_of(from));
    add_number(report, "crossings", crossed);
    if (!code) code = walk(to, 9);
    add_number(report, "crossings_10_steps_later", count_crossings(to));
    return code;
}

int run_worn_switches(const char* garments, bool quick, Report* report) {
    Worn worn[2] = {{.scene = NULL}, {.scene = NULL}};
    WeftTransfer* transfers[2] = {NULL, NULL};
    int code = open_worn(garments, 0.05, &worn[0]);
    if (!code) code = open_worn(garments, quick ? 0.04 : 0.028, &worn[1]);
    for (int k = 0; k < 2 && !code; k++) code = connect_worn(&worn[k], &worn[1 - k], &transfers[k]);
    start_table(report, "A dress on a walk goes on in another mesh");
    for (int k = 0; k < 6 && !code; k++) {
        int of = k % 2;
        show_progress("switch %d of 6", k + 1);
        code = walk(&worn[of], 20);
        if (!code) code = tell_switch(&worn[of], &worn[1 - of], transfers[of], report);
    }
    for (int k = 0; k < 2; k++) weft_destroy_transfer(transfers[k]), close_worn(&worn[k]);
    return code;
}
