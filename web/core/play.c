// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "inside.h"

// ---------------------------------------------------------------------------------------------
// Errors and small things

static WeftError failure;

const char* play_error(void) { return failure.message; }
WeftError* play_failure(void) { return &failure; }

static bool out_of_memory(void) {
    snprintf(failure.message, sizeof failure.message, "out of memory");
    return false;
}

static char* copy_text(const char* text, size_t length) {
    char* copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

static double clock_now(void* unused) {
    (void)unused;
    return play_now();
}

// ---------------------------------------------------------------------------------------------
// Open, change, close

static void free_play(Play* play) {
    free_shown(&play->shown);
    destroy_rival(play->rival);
    weft_destroy_state(play->state);
    weft_destroy_model(play->model);
    weft_destroy_scene(play->scene);
    weft_destroy_scene(play->shown_scene);
    void* blocks[] = {play->text, play->name, play->description.characters};
    free_bodies(&play->bodies);
    free_hands(&play->hands);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static bool parse(Play* play, const char* text, int length, const char* name) {
    play->text = copy_text(text, (size_t)length);
    play->name = copy_text(name, strlen(name));
    play->length = length;
    if (!play->text || !play->name) return out_of_memory();
    if (weft_parse_scene(text, (size_t)length, name, NULL, NULL, NULL, &play->scene, &failure))
        return false;
    play->scene->model.clock.now = clock_now;
    play->scene->model.jobs = crew_jobs();
    return true;
}

static bool tell_progress(void* unused, double part, const char* stage) {
    (void)unused;
    play_progress(part, stage);
    return true;
}

static bool put_on(WeftScene* scene) {
    return !weft_dress_scene(scene, tell_progress, NULL, NULL, &failure);
}

const char* play_dress(const char* text, int length, const char* name) {
    static char* start;
    WeftScene* scene = NULL;
    free(start);
    start = NULL;
    bool read = !weft_parse_scene(text, (size_t)length, name, NULL, NULL, NULL, &scene, &failure);
    if (read) scene->model.jobs = crew_jobs();
    if (read && put_on(scene)) {
        size_t size = weft_print_start(scene, NULL, 0) + 1;
        start = calloc(scene->wear_count > 0 ? size : 1, 1);
        if (!start) out_of_memory();
        if (start && scene->wear_count > 0) weft_print_start(scene, start, size);
    }
    weft_destroy_scene(scene);
    return start;
}

// ---------------------------------------------------------------------------------------------
// Making

// The largest side of the box around the cloth, at least a centimetre.
static double measure_size(const WeftState* state, int vertex_count) {
    const double* x = weft_positions(state);
    double size = 0.01;
    for (int k = 0; k < 3; k++) {
        double low = x[k], high = x[k];
        for (int i = 1; i < vertex_count; i++) {
            low = fmin(low, x[3 * i + k]);
            high = fmax(high, x[3 * i + k]);
        }
        size = fmax(size, high - low);
    }
    return size;
}

static bool allocate(Play* play, const WeftModel* model) {
    bool good = make_hands(play->vertex_count, weft_body_count(model), &play->hands) &&
                list_bodies(play->scene, model, &play->bodies);
    return good || out_of_memory();
}

static bool rival_wanted;

void play_take_rival(bool on) { rival_wanted = on; }

static bool make_for_rival(Play* play) {
    const char* why = refuse_rival(play->scene);
    if (why) return snprintf(failure.message, sizeof failure.message, "%s", why), false;
    if (create_rival_model(play->scene, &play->model, &failure) ||
        weft_create_state(play->model, &play->state, &failure))
        return false;
    play->rival = create_rival(play->scene, play->state);
    return play->rival || out_of_memory();
}

static bool make_state(Play* play) {
    WeftModelDef def = play->scene->model;
    def.tearable = def.tearable || can_be_cut(play);  // by hand
    return !weft_create_model(&def, &play->model, &failure) &&
           !weft_create_state(play->model, &play->state, &failure);
}

static bool make(Play* play, const char* text, int length, const char* name) {
    if (!parse(play, text, length, name) || !put_on(play->scene)) return false;
    if (!(play->by_rival ? make_for_rival(play) : make_state(play))) return false;
    play->vertex_count = weft_vertex_count(play->model);
    if (!allocate(play, play->model) ||
        !make_shown(play->scene, play->model, &play->shown, &failure))
        return false;
    play->size = measure_size(play->state, play->vertex_count);
    return true;
}

Play* play_open(const char* text, int length, const char* name) {
    Play* play = calloc(1, sizeof *play);
    if (!play) return out_of_memory(), NULL;
    play->by_rival = rival_wanted;
    if (make(play, text, length, name)) return play;
    play_close(play);
    return NULL;
}

void play_close(Play* play) {
    if (!play) return;
    free_play(play);
    free(play);
}

static bool is_torn(const Play* play) {
    return weft_vertex_count(weft_state_model(play->state)) != play->vertex_count;
}

// Go on with what is shown already, where it is the same: learned detail takes long to be made. It
// reads the scene that it was made for, and of its steps where gravity goes.
static void keep_shown(Play* play, Play* made) {
    WeftScene** scene = play->shown_scene ? &play->shown_scene : &play->scene;
    const double* gravity = made->scene->model.step.gravity;
    made->shown = play->shown, play->shown = (Shown){0};
    made->shown_scene = *scene, *scene = NULL;
    memcpy(made->shown_scene->model.step.gravity, gravity, 3 * sizeof *gravity);
    if (made->shown.instead)
        memcpy(made->shown.instead->model.step.gravity, gravity, 3 * sizeof *gravity);
}

// The rival goes along with its state. It has what the air weighs from its making.
static bool keep_rival(Play* play, Play* made) {
    if (made->by_rival != play->by_rival) return false;
    double density = made->scene->model.step.air_density;
    if (play->rival && density != play->scene->model.step.air_density) return false;
    return play->rival || !weft_prepare_model(play->model, &made->scene->model.step, &failure);
}

// Make `made`, whose scene is read, go on with the model and the state of `play`. The model may
// have no room for one more factor: then a new one has to be made. And so it is where garments are
// yet to be put on, as what their bodies hold is not known then, and where the air ends a mirror,
// or no longer does.
static bool keep_model(Play* play, Play* made) {
    if (made->scene->wear_count > 0 && !made->scene->dressed) return false;
    if (made->scene->model.mirror.kind != play->scene->model.mirror.kind) return false;
    made->vertex_count = play->vertex_count;
    bool same = same_shown(play->shown_scene ? play->shown_scene : play->scene, made->scene);
    if (!keep_rival(play, made) || !allocate(made, play->model)) return false;
    if (!same && !make_shown(made->scene, play->model, &made->shown, &failure)) return false;
    if (!same && is_torn(play) &&
        !update_shown(made->scene, play->model, play->state, &made->shown, &failure))
        return false;
    keep_hands(made, play);
    if (same) keep_shown(play, made);
    made->model = play->model, play->model = NULL;
    made->state = play->state, play->state = NULL;
    made->rival = play->rival, play->rival = NULL;
    return true;
}

static bool change_steps(Play* play, Play* made, const char* text, int length, const char* name) {
    if (parse(made, text, length, name) && keep_model(play, made)) return true;
    free_play(made);
    *made = (Play){.by_rival = rival_wanted};
    return false;
}

// Cloth that is torn goes on where the other model can be torn alike.
static bool goes_on(const Play* play, const Play* made) {
    size_t triangles = 3 * (size_t)weft_triangle_count(play->model);
    return !is_torn(play) ||
           (can_be_cut(made) && weft_triangle_count(made->model) == (int)triangles / 3 &&
            memcmp(weft_triangles(play->model), weft_triangles(made->model),
                   triangles * sizeof(int)) == 0);
}

static bool change_all(Play* play, Play* made, const char* text, int length, const char* name) {
    if (!make(made, text, length, name)) {
        free_play(made);
        return false;
    }
    if (made->vertex_count == play->vertex_count && goes_on(play, made)) {
        weft_continue_state(made->state, play->state);
        keep_hands(made, play);
        if (is_torn(made))
            return update_shown(made->scene, made->model, made->state, &made->shown, &failure);
    }
    return true;
}

bool play_change(Play* play, const char* text, int length, const char* name, bool steps_only) {
    Play made = {.by_rival = rival_wanted};
    if (!(steps_only && change_steps(play, &made, text, length, name)) &&
        !change_all(play, &made, text, length, name))
        return false;
    made.shape = play->shape + 1;
    free_play(play);
    *play = made;
    return true;
}

bool play_reset(Play* play) {
    Play made = {.by_rival = play->by_rival};
    if (!make(&made, play->text, play->length, play->name)) {
        free_play(&made);
        return false;
    }
    made.shape = play->shape + 1;
    free_play(play);
    *play = made;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Tears

static bool follow_tears(Play* play) {
    if (!weft_report(play->state)->torn) return true;
    play->shape++;
    return update_shown(play->scene, play->model, play->state, &play->shown, &failure);
}

// ---------------------------------------------------------------------------------------------
// Steps

bool play_step(Play* play) {
    WeftStepDef* step = &play->scene->model.step;
    carry_on(play, step->dt);
    if (weft_direct_scene(play->scene, play->state, step)) return out_of_memory();
    move_hands(play, step->dt);
    WeftStepDef blown = *step;
    if (!add_blow(&play->hands.blow, &blown)) return out_of_memory();
    if (play->rival) hold_for_rival(&play->hands.hold, play->state, play->rival);
    if (play->rival && !take_rival_step(play->rival, play->state, &blown)) return true;
    if (!play->rival && !weft_step(play->state, &blown)) return follow_tears(play);
    failure = *weft_state_error(play->state);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Looking

int play_shape(const Play* play) { return play->shape; }
int play_vertex_count(const Play* play) { return play->shown.vertex_count; }
int play_triangle_count(const Play* play) { return play->shown.triangle_count; }
const int* play_triangles(const Play* play) { return weft_show_triangles(play->shown.show); }
int play_line_count(const Play* play) { return play->shown.line_count; }
const int* play_lines(const Play* play) { return play->shown.lines; }
const float* play_texture(const Play* play) { return play->shown.texture; }
const unsigned char* play_triangle_looks(const Play* play) { return play->shown.looks; }
const unsigned char* play_triangle_panels(const Play* play) { return play->shown.panels; }
const float* play_corner_texture(const Play* play) { return play->shown.corner_texture; }
const float* play_positions(const Play* play) { return play->shown.positions; }
const float* play_normals(const Play* play) { return play->shown.normals; }
const float* play_field(const Play* play) { return play->shown.field; }
const unsigned char* play_pinned(const Play* play) { return play->shown.pinned; }
int play_body_count(const Play* play) { return play->bodies.count; }
const int* play_body_starts(const Play* play) { return play->bodies.starts; }
const unsigned char* play_planes(const Play* play) { return play->bodies.planes; }
int play_body_triangle_count(const Play* play) { return play->bodies.triangle_count; }
const int* play_body_triangles(const Play* play) { return play->bodies.triangles; }
const float* play_body_positions(const Play* play) { return play->bodies.positions; }

bool play_draw(Play* play, int field) {
    draw_bodies(play->model, play->state, &play->bodies);
    return draw_shown(&play->shown, play->state, field) || out_of_memory();
}

// Of the rival, what it took and not what carries it.
static WeftStepReport report_of(const Play* play) {
    WeftStepReport report = *weft_report(play->state);
    if (!play->rival) return report;
    const RivalReport* rival = rival_report(play->rival);
    report.times = (WeftTimes){.solve = rival->solve, .total = rival->total};
    report.times.update = rival->total - rival->solve;
    report.substeps = rival->substeps;
    return report;
}

const double* play_numbers(Play* play) {
    const WeftStepDef* step = &play->scene->model.step;
    const WeftStepReport report = report_of(play);
    WeftMeasure measure;
    if (weft_measure(play->state, step->gravity, &measure)) return out_of_memory(), NULL;
    if (play->rival) correct_rival_measure(&measure);
    list_numbers(weft_time(play->state), &report, &measure, play->shown.seconds, play->numbers);
    return play->numbers;
}

const char* play_describe(Play* play) {
    if (describe_scene(play->scene, &play->shown, &play->description))
        return play->description.characters;
    return out_of_memory(), NULL;
}

const char* play_choices(void) {
    static Text choices;
    if (describe_choices(&choices)) return choices.characters;
    return out_of_memory(), NULL;
}

const char* play_hash(const Play* play) {
    static char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, weft_hash_state(play->state));
    return hash;
}
