// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Wearers

static void measure_wearer(Wearer* wearer) {
    const WeftFigure* f = &wearer->figure;
    wearer->measured = !weft_measure_body(f->positions, f->vertex_count, f->triangles,
                                          f->triangle_count, NULL, &wearer->measures, NULL);
}

int make_wearer(const WeftMannequinDef* def, const char* name, Wearer* wearer) {
    WeftError error;
    *wearer = (Wearer){.clip = -1};
    snprintf(wearer->name, sizeof wearer->name, "%s", name);
    if (weft_make_mannequin(def, NULL, &wearer->figure, &error))
        return complain(EXIT_FAILED, "%s: %s", name, error.message);
    wearer->clip = weft_find_clip(&wearer->figure, "walk");
    measure_wearer(wearer);
    return EXIT_GOOD;
}

int load_wearer(const char* path, Wearer* wearer) {
    WeftError error;
    const char* slash = strrchr(path, '/');
    *wearer = (Wearer){.clip = -1};
    snprintf(wearer->name, sizeof wearer->name, "%.60s", slash ? slash + 1 : path);
    if (weft_load_figure(path, NULL, NULL, &wearer->figure, NULL, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    measure_wearer(wearer);
    return EXIT_GOOD;
}

void destroy_wearer(Wearer* wearer) {
    weft_destroy_figure(&wearer->figure);
    *wearer = (Wearer){.clip = -1};
}

// ---------------------------------------------------------------------------------------------
// Patterns

WeftResult load_pattern_for(const Wearer* wearer, const char* path, WeftPattern* pattern,
                            WeftError* error) {
    return weft_load_pattern(path, wearer->measured ? &wearer->measures : NULL, NULL, pattern, NULL,
                             error);
}

double edge_for(const WeftPattern* pattern, int vertices) {
    double edge = 0.02;
    WeftGarment garment;
    for (int i = 0; i < 3; i++) {
        if (weft_sew_pattern(pattern, edge, NULL, &garment, NULL, NULL)) break;
        edge *= sqrt((double)garment.mesh.vertex_count / vertices);
        weft_destroy_garment(&garment);
    }
    return edge;
}

// ---------------------------------------------------------------------------------------------
// Dressing

static void take_pose(void* user, double part, double* positions) {
    Fitting* fitting = user;
    const Wearer* wearer = fitting->def.wearer;
    weft_blend_figure(&wearer->figure, -1, 0, wearer->clip, 0, part, positions, &fitting->error);
}

static WeftResult put_on(Fitting* fitting) {
    const FittingDef* def = &fitting->def;
    const WeftFigure* figure = &def->wearer->figure;
    WeftWearDef wear = {.pattern = def->pattern, .edge = def->edge, .fabric = def->fabric};
    WeftDressDef dress = weft_default_dress_def();
    dress.wear = &wear, dress.wear_count = 1;
    dress.vertex_count = figure->vertex_count, dress.positions = figure->positions;
    dress.triangle_count = figure->triangle_count, dress.triangles = figure->triangles;
    if (def->wearer->clip >= 0) dress.pose = take_pose, dress.pose_user = fitting;
    if (def->is_mirrored) {
        dress.mirror = weft_default_model_def().mirror;
        dress.mirror.kind = WEFT_MIRROR_EXACT;
    }
    dress.jobs.thread_count = def->threads;
    double start = def->clock(NULL);
    WeftResult result = weft_dress(&dress, &fitting->outfit, &fitting->error);
    fitting->dress_seconds = def->clock(NULL) - start;
    if (result) return result;
    const WeftWorn* worn = &fitting->outfit.worn[0];
    for (int s = 0; s < worn->garment.seam_count; s++)
        if (worn->seam_gap[s] > fitting->open_seam)
            fitting->open_seam = worn->seam_gap[s], fitting->open_index = s;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Walking

static WeftResult pose_wearer(Fitting* fitting, double time) {
    const Wearer* wearer = fitting->def.wearer;
    return weft_pose_figure(&wearer->figure, wearer->clip, time, fitting->shapes[0],
                            &fitting->error);
}

// Of the body on the whole, when it starts.
static WeftResult find_speed(Fitting* fitting, double velocity[3]) {
    static const double dt = 1.0 / 60;
    int n = fitting->def.wearer->figure.vertex_count;
    double sums[2][3] = {{0}};
    WeftResult result = WEFT_OK;
    for (int k = 1; k >= 0 && !result && fitting->def.wearer->clip >= 0; k--) {
        result = pose_wearer(fitting, k * dt);
        for (long i = 0; i < 3L * n; i++) sums[k][i % 3] += fitting->shapes[0][i] / n;
    }
    for (int i = 0; i < 3; i++) velocity[i] = (sums[1][i] - sums[0][i]) / dt;
    return result;
}

static WeftResult make_model(Fitting* fitting) {
    const WeftFigure* figure = &fitting->def.wearer->figure;
    const WeftWorn* worn = &fitting->outfit.worn[0];
    int* pins = need((size_t)worn->hold_count + 1, sizeof *pins);
    for (int i = 0; i < worn->hold_count; i++) pins[i] = worn->holds[i].vertex;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &worn->garment.mesh);
    cloth.fabric = weft_garment_fabric(&fitting->def.fabric, fitting->def.edge);
    cloth.stretch = WEFT_STRETCH_TRIANGLES;
    cloth.pins = pins, cloth.pin_count = worn->hold_count;
    WeftResult moved = find_speed(fitting, cloth.velocity);
    if (fitting->def.is_mirrored) cloth.velocity[0] = 0;  // but for rounding it is
    WeftBodyDef bodies[FITTING_BODIES] = {weft_default_body_def(), weft_default_body_def()};
    bodies[0].kind = WEFT_BODY_MESH;
    bodies[0].vertex_count = figure->vertex_count, bodies[0].positions = fitting->shapes[0];
    bodies[0].triangle_count = figure->triangle_count, bodies[0].triangles = figure->triangles;
    bodies[1].kind = WEFT_BODY_PLANE;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = FITTING_BODIES;
    def.contact = WEFT_CONTACT_ALL;
    def.jobs.thread_count = fitting->def.threads;
    def.clock.now = fitting->def.clock;
    def.mirror.kind = fitting->def.mirror;
    if (fitting->def.conjugate_gradients) {
        def.step.method = WEFT_METHOD_IMPLICIT;
        def.step.scheme = WEFT_SCHEME_J;
    }
    fitting->step = def.step;
    WeftResult result = moved;
    if (!result) result = weft_create_model(&def, &fitting->model, &fitting->error);
    if (!result) result = weft_create_state(fitting->model, &fitting->state, &fitting->error);
    free(pins);
    return result;
}

static void list_surfaces(Fitting* fitting) {
    const WeftModel* model = fitting->model;
    fitting->surfaces[0] = (WeftSurface){weft_vertex_count(model), weft_positions(fitting->state),
                                         weft_triangle_count(model), weft_triangles(model), false};
    if (!fitting->shapes[1])
        fitting->shapes[1] = need(3 * (size_t)weft_body_vertex_count(model, 1), sizeof(double));
    for (int b = 0; b < FITTING_BODIES; b++)
        fitting->surfaces[1 + b] =
            (WeftSurface){weft_body_vertex_count(model, b), fitting->shapes[b],
                          weft_body_triangle_count(model, b), weft_body_triangles(model, b), true};
}

WeftResult open_fitting(const FittingDef* def, Fitting* fitting) {
    *fitting = (Fitting){.def = *def, .open_index = -1};
    fitting->shapes[0] = need(3 * (size_t)def->wearer->figure.vertex_count, sizeof(double));
    WeftResult result = put_on(fitting);
    return result ? result : restart_fitting(fitting, def->threads, def->clock);
}

WeftResult restart_fitting(Fitting* fitting, int threads, double (*clock)(void* user)) {
    weft_destroy_state(fitting->state);
    weft_destroy_model(fitting->model);
    fitting->state = NULL, fitting->model = NULL;
    fitting->def.threads = threads, fitting->def.clock = clock;
    fitting->frame = 0;
    WeftResult result = pose_wearer(fitting, 0);
    if (!result) result = make_model(fitting);
    if (!result) list_surfaces(fitting);
    return result;
}

void close_fitting(Fitting* fitting) {
    weft_destroy_state(fitting->state);
    weft_destroy_model(fitting->model);
    weft_destroy_outfit(&fitting->outfit);
    for (int b = 0; b < FITTING_BODIES; b++) free(fitting->shapes[b]);
    *fitting = (Fitting){0};
}

WeftResult take_walk_step(Fitting* fitting, double* seconds) {
    const WeftWorn* worn = &fitting->outfit.worn[0];
    WeftResult result = pose_wearer(fitting, (fitting->frame + 1) * fitting->step.dt);
    if (result) return result;
    weft_deform_body(fitting->state, 0, fitting->shapes[0]);
    for (int i = 0; i < worn->hold_count; i++) {
        double place[3];
        weft_follow_body(&worn->holds[i], fitting->shapes[0], fitting->def.wearer->figure.triangles,
                         place);
        weft_move_pin(fitting->state, worn->holds[i].vertex, place);
    }
    double start = fitting->def.clock(NULL), wall = wall_time(NULL);
    result = weft_step(fitting->state, &fitting->step);
    *seconds = fitting->def.clock(NULL) - start;
    fitting->wall = wall_time(NULL) - wall;
    if (result) fitting->error = *weft_state_error(fitting->state);
    fitting->frame++;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Judging

void name_open_seam(const Fitting* fitting, char text[160]) {
    const WeftPattern* pattern = fitting->def.pattern;
    text[0] = 0;
    if (fitting->open_index < 0) return;
    const WeftSeam* seam = &pattern->seams[fitting->open_index];
    const WeftSideName *a = seam->chain[0], *b = seam->chain[1];
    snprintf(text, 160, "seam %d: %.60s %d with %.60s %d", fitting->open_index,
             pattern->panels[a->panel].name, a->side, pattern->panels[b->panel].name, b->side);
}

// "front 812 with the body 5120"
static void name_crossing(const Fitting* fitting, const WeftCrossing* crossing, char text[160]) {
    static const char* const bodies[] = {"", "the body", "the floor"};
    const WeftGarment* garment = &fitting->outfit.worn[0].garment;
    int length = 0;
    for (int k = 0; k < 2; k++) {
        int surface = crossing->surface[k], triangle = crossing->triangle[k];
        const char* name = surface > 0
                               ? bodies[surface]
                               : fitting->def.pattern->panels[garment->panels[triangle]].name;
        length += snprintf(text + length, 160 - (size_t)length, "%s%.60s %d", k ? " with " : "",
                           name, triangle);
    }
}

WeftResult judge_fitting(Fitting* fitting, Judgement* judgement) {
    static const bool planes[] = {false, false, true};
    enum { SURFACES = 1 + FITTING_BODIES };
    WeftCrossing first;
    WeftInside inside[FITTING_BODIES];
    int count = 0;
    *judgement = (Judgement){0};
    fitting->surfaces[0].positions = weft_positions(fitting->state);
    for (int b = 0; b < FITTING_BODIES; b++) weft_copy_body(fitting->state, b, fitting->shapes[b]);
    WeftResult result = weft_find_crossings(fitting->surfaces, SURFACES, NULL, 1, &first,
                                            &judgement->crossings, &fitting->error);
    if (!result)
        result = weft_find_inside(fitting->surfaces, SURFACES, planes, NULL, FITTING_BODIES, inside,
                                  &count, &fitting->error);
    if (result) return result;
    for (int i = 0; i < count && i < FITTING_BODIES; i++)
        judgement->inside += inside[i].vertex_count;
    if (judgement->crossings > 0)
        name_crossing(fitting, &first, judgement->first);
    else if (judgement->inside > 0)
        snprintf(judgement->first, sizeof judgement->first, "vertex %d inside of %s",
                 inside[0].first, inside[0].body == 1 ? "the body" : "the floor");
    return WEFT_OK;
}
