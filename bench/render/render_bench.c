// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// render: what it takes to write the vertices of a render mesh, and what happens to the motion
// where another mesh goes on with it.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "garments/files.h"
#include "render/worn.h"
#include "square.h"
#include "weft/weft_render.h"

enum { CELLS = 100, CLOTH = 49, LARGEST = 52 };

// A square metre of render vertices, on both sides of the cloth.
typedef struct Shell {
    int vertex_count, triangle_count;
    float *positions, *uvs;
    int* triangles;
} Shell;

static Shell make_shell(int cells) {
    int side = cells + 1, per = side * side;
    Shell shell = {2 * per, 4 * cells * cells, NULL, NULL, NULL};
    shell.positions = need(3 * (size_t)shell.vertex_count, sizeof(float));
    shell.uvs = need(2 * (size_t)shell.vertex_count, sizeof(float));
    shell.triangles = need(3 * (size_t)shell.triangle_count, sizeof(int));
    for (int i = 0; i < shell.vertex_count; i++) {
        float u = (float)(i % side) / (float)cells, v = (float)(i % per / side) / (float)cells;
        const float place[3] = {u, i < per ? 0.002f : -0.002f, -v};
        memcpy(shell.positions + 3 * i, place, sizeof place);
        shell.uvs[2 * i] = u, shell.uvs[2 * i + 1] = v;
    }
    for (int c = 0, *to = shell.triangles; c < 2 * cells * cells; c++, to += 6) {
        int back = c / (cells * cells),
            a = back * per + c % (cells * cells) / cells * side + c % cells;
        int b = a + (back ? side : 1), d = a + (back ? 1 : side), e = a + side + 1;
        const int all[6] = {a, b, e, a, e, d};
        memcpy(to, all, sizeof all);
    }
    return shell;
}

static void destroy_shell(Shell* shell) {
    free(shell->positions);
    free(shell->uvs);
    free(shell->triangles);
}

static int bind_shell(const WeftModel* model, const Shell* shell, WeftDetailSurface surface,
                      WeftBinding** binding) {
    WeftBindingDef def = weft_default_binding_def();
    WeftError error;
    def.model = model;
    def.vertex_count = shell->vertex_count;
    def.positions = shell->positions;
    def.uvs = shell->uvs;
    def.triangle_count = shell->triangle_count;
    def.triangles = shell->triangles;
    def.surface = surface;
    return weft_create_binding(&def, binding, &error) ? complain(EXIT_FAILED, "%s", error.message)
                                                      : EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Writing

// What is written, in a buffer of its own.
typedef struct Writing {
    const char* name;
    WeftDetailSurface surface;
    int stride, position, normal, tangent, previous;
    WeftVertexFormat format;
    bool blend;  // of both surfaces
} Writing;

static const Writing writings[] = {
    {"position, flat", WEFT_SURFACE_FLAT, 12, 0, -1, -1, -1, WEFT_VERTEX_FLOATS, false},
    {"and normal, flat", WEFT_SURFACE_FLAT, 24, 0, 12, -1, -1, WEFT_VERTEX_FLOATS, false},
    {"and normal", WEFT_SURFACE_SMOOTH, 24, 0, 12, -1, -1, WEFT_VERTEX_FLOATS, false},
    {"and tangent", WEFT_SURFACE_SMOOTH, 40, 0, 12, 24, -1, WEFT_VERTEX_FLOATS, false},
    {"both as bytes", WEFT_SURFACE_SMOOTH, 20, 0, 12, 16, -1, WEFT_VERTEX_BYTES, false},
    {"and previous position", WEFT_SURFACE_SMOOTH, 52, 0, 12, 24, 40, WEFT_VERTEX_FLOATS, false},
    {"of two bindings", WEFT_SURFACE_SMOOTH, 40, 0, 12, 24, -1, WEFT_VERTEX_FLOATS, true},
};
enum { WRITING_COUNT = sizeof writings / sizeof *writings };

typedef struct Desk {
    const Shell* shell;
    WeftBinding* bindings[2];  // by surface
    WeftFrames* frames;
    unsigned char *buffer, *other;
} Desk;

static double time_writing(const Desk* desk, const Writing* w) {
    WeftVertexLayout layout = {desk->buffer, (size_t)w->stride, w->position, w->normal,
                               w->tangent,   w->previous,       w->format};
    WeftDrawn drawn[2] = {{desk->bindings[0], desk->frames}, {desk->bindings[1], desk->frames}};
    double start = thread_time(NULL);
    if (w->blend)
        weft_write_blend(drawn, 0.5, &layout);
    else
        weft_write_vertices(desk->bindings[w->surface], desk->frames, &layout);
    return thread_time(NULL) - start;
}

static double time_copy(const Desk* desk, int stride) {
    double start = thread_time(NULL);
    memcpy(desk->other, desk->buffer, (size_t)stride * (size_t)desk->shell->vertex_count);
    return thread_time(NULL) - start;
}

static void tell_writings(const Desk* desk, int repeats, Report* report) {
    double best[WRITING_COUNT], copy[WRITING_COUNT], n = desk->shell->vertex_count;
    for (int k = 0; k < WRITING_COUNT; k++) best[k] = copy[k] = HUGE_VAL;
    for (int r = 0; r < repeats; r++)
        for (int k = 0; k < WRITING_COUNT; k++) {
            best[k] = fmin(best[k], time_writing(desk, &writings[k]));
            copy[k] = fmin(copy[k], time_copy(desk, writings[k].stride));
        }
    for (int k = 0; k < WRITING_COUNT; k++) {
        start_row(report);
        add_text(report, "what", writings[k].name);
        add_number(report, "bytes", writings[k].stride);
        add_number(report, "ns", 1e9 * best[k] / n);
        add_number(report, "copy_ns", 1e9 * copy[k] / n);
    }
}

// What is due before, per vertex of the cloth.
static void tell_frames(const Desk* desk, const WeftState* state, int repeats, Report* report) {
    double draw = HUGE_VAL, plain = HUGE_VAL, n = weft_vertex_count(weft_state_model(state));
    float* floats = (float*)(void*)desk->other;
    for (int r = 0; r < repeats; r++) {
        double start = thread_time(NULL);
        weft_push_frame(desk->frames, state);
        weft_draw_frame(desk->frames, 0.5, NULL);
        draw = fmin(draw, thread_time(NULL) - start);
        start = thread_time(NULL);
        weft_copy_floats(state, floats, floats + 3 * (size_t)n);
        plain = fmin(plain, thread_time(NULL) - start);
    }
    add_ratio(report, "frame_ns_per_cloth_vertex", 1e9 * draw / n);
    add_ratio(report, "copy_floats_ns_per_cloth_vertex", 1e9 * plain / n);
}

static int run_writing(bool quick, Report* report) {
    Square square;
    WeftStepDef step = still_air_step();
    WeftModel* model = NULL;
    WeftState* state = NULL;
    Shell shell = make_shell(CELLS);
    Desk desk = {.shell = &shell};
    size_t room = (size_t)shell.vertex_count * LARGEST;
    int repeats = quick ? 3 : 200;
    int code = make_square(CLOTH, CLOTH, &square);
    if (!code) code = create_square(&square, &step, 1, thread_time, &model, &state);
    for (int k = 0; k < 2 && !code; k++)
        code = bind_shell(model, &shell, (WeftDetailSurface)k, &desk.bindings[k]);
    if (!code && weft_create_frames(model, NULL, &desk.frames, NULL))
        code = complain(EXIT_FAILED, "there is not enough memory");
    desk.buffer = need(room, 1);
    desk.other = need(room, 1);
    if (!code) {
        start_table(report, "Writing vertices, ns each");
        tell_frames(&desk, state, repeats, report);
        tell_writings(&desk, repeats, report);
    }
    free(desk.buffer);
    free(desk.other);
    weft_destroy_frames(desk.frames);
    for (int k = 0; k < 2; k++) weft_destroy_binding(desk.bindings[k]);
    weft_destroy_state(state);
    weft_destroy_model(model);
    destroy_square(&square);
    destroy_shell(&shell);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Switching

// One square, coarse and fine.
typedef struct Levels {
    Square squares[2];
    WeftModel* models[2];
    WeftState* states[2];
    WeftTransfer* transfers[2];  // to the fine one, and back
} Levels;

static int connect_levels(Levels* l) {
    WeftError error;
    for (int k = 0; k < 2; k++) {
        WeftTransferDef def = weft_default_transfer_def();
        def.from = l->models[k], def.to = l->models[1 - k];
        def.from_mesh = &l->squares[k].mesh, def.to_mesh = &l->squares[1 - k].mesh;
        if (weft_create_transfer(&def, &l->transfers[k], &error))
            return complain(EXIT_FAILED, "%s", error.message);
    }
    return EXIT_GOOD;
}

static int take_steps(WeftState* state, int count) {
    WeftStepDef step = still_air_step();
    for (int i = 0; i < count; i++)
        if (weft_step(state, &step))
            return complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
    return EXIT_GOOD;
}

static double kinetic_of(const WeftState* state) {
    WeftStepDef step = still_air_step();
    WeftMeasure measure = {0};
    return weft_measure(state, step.gravity, &measure) ? (double)NAN : measure.kinetic;
}

// What half a second of swinging has when it goes on in the other mesh, and when it does not.
static int tell_switch(Levels* l, int from, bool settles, Report* report) {
    WeftStepDef step = still_air_step();
    WeftState *old = l->states[from], *next = l->states[1 - from], *start = NULL;
    if (weft_create_state(l->models[from], &start, NULL)) return EXIT_FAILED;
    weft_copy_state(old, start);
    weft_destroy_state(start);
    int code = take_steps(old, 30);
    double began = thread_time(NULL);
    if (!code && weft_transfer_state(l->transfers[from], old, next, settles ? &step : NULL))
        code = complain(EXIT_FAILED, "%s", weft_state_error(next)->message);
    double took = thread_time(NULL) - began, taken = kinetic_of(next) / kinetic_of(old);
    if (!code) code = take_steps(old, 1);
    if (!code) code = take_steps(next, 1);
    start_row(report);
    add_text(report, "what", from ? "fine to coarse" : "coarse to fine");
    add_text(report, "settles", settles ? "yes" : "no");
    add_number(report, "ms", 1e3 * took);
    add_number(report, "kinetic", taken);
    add_number(report, "kinetic_after_a_step", kinetic_of(next) / kinetic_of(old));
    return code;
}

static int run_switching(Report* report) {
    static const int sides[2] = {15, 41};
    WeftStepDef step = still_air_step();
    Levels l = {.models = {NULL, NULL}};
    int code = EXIT_GOOD;
    for (int k = 0; k < 2 && !code; k++) {
        code = make_square(sides[k], sides[k], &l.squares[k]);
        if (!code) code = create_square(&l.squares[k], &step, 1, NULL, &l.models[k], &l.states[k]);
        if (!code) code = take_steps(l.states[k], 1);  // warms up
    }
    if (!code) code = connect_levels(&l);
    start_table(report, "Going on in another mesh: kinetic energy over what it is without");
    for (int k = 0; k < 4 && !code; k++) code = tell_switch(&l, k / 2, k % 2, report);
    for (int k = 0; k < 2; k++) {
        weft_destroy_transfer(l.transfers[k]);
        weft_destroy_state(l.states[k]);
        weft_destroy_model(l.models[k]);
        destroy_square(&l.squares[k]);
    }
    return code;
}

static bool wants(const BenchOptions* options, const char* part) {
    return !options->part || strcmp(options->part, part) == 0;
}

static int run_worn(const BenchOptions* options, Report* report) {
    BenchOptions all = *options;
    FileList* list = need(1, sizeof *list);
    all.only = NULL;
    int code = list_garments(&all, list);
    if (!code && wants(options, "worn"))
        code = run_worn_switches(list->folder, options->quick, report);
    if (!code && wants(options, "hidden")) code = run_hidden(list->folder, options->quick, report);
    free(list);
    return code;
}

static int run_render(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD;
    bool worn = wants(options, "worn") || wants(options, "hidden");
    if (!worn && !wants(options, "write") && !wants(options, "switch"))
        return complain(EXIT_USAGE,
                        "render has no part %s; there are write, switch, worn and hidden",
                        options->part);
    if (wants(options, "write")) code = run_writing(options->quick, report);
    if (!code && wants(options, "switch")) code = run_switching(report);
    if (!code && worn) code = run_worn(options, report);
    end_progress();
    add_note(report, "Processor time of one thread; of writing, the least of many.");
    add_note(report,
             "copy_ns: memcpy of as many bytes. frame_ns_per_cloth_vertex: weft_push_frame and "
             "weft_draw_frame, once for all that is written.");
    add_note(report,
             "kinetic: energy over that of the cloth that goes on as it is. seen: pixels of hidden "
             "triangles in other frames of the walk; from_below: from 70 degrees below.");
    return code;
}

const Bench render_bench = {
    .name = "render",
    .text =
        "render meshes: time to write vertices; cloth that goes on in another mesh; hidden skin",
    .details =
        "Parts: write, a shell of 20,402 render vertices around a square of 49 x 49; switch, the\n"
        "square of the bench swing with 15 x 15 and 41 x 41 vertices, of which one goes on where\n"
        "the other is; worn, the same of a dress on a walk, with edges of 50 and 28 mm; hidden,\n"
        "what of the mannequin in it need not be drawn.",
    .has_parts = true,
    .run = run_render,
};
