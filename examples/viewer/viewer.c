// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A character in a cape, by SDL2 and OpenGL: what embedding weft in an engine takes. The simulation
// takes steps of 1/60 s whatever the display does, and what is drawn lies between the last two; the
// cape's vertices are written straight into a mapped vertex buffer.
//
//     viewer [--frames N] [--shot FILE.ppm]
//
// Drag to look around; arrow keys: walk, turn; space: a gust; R: begin again; escape: leave.

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft_render.h>

#include "../cape.h"
#include "draw.h"

typedef struct Viewer {
    Cape cape;
    Walker walker;
    WeftStepDef step;
    WeftBinding* binding;
    WeftFrames* frames;
    Drawing drawing;
    double speed, turning, gust;        // as the keys have it
    double yaw, pitch;                  // of the camera
    double left_over;                   // s, that no step has taken yet
    double step_ms, worst_ms;           // of all steps: mean and worst
    int step_count, frame_count, most;  // frames to draw; 0: until it is closed
    const char* shot;
    bool leaves;
} Viewer;

static double seconds(void) {
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

static bool fail(const char* what) {
    fprintf(stderr, "viewer: %s\n", what);
    return false;
}

static bool open_scene(Viewer* viewer) {
    WeftError error;
    viewer->step = weft_default_step_def();
    viewer->speed = 1.6, viewer->turning = 0.5;
    viewer->pitch = 0.25, viewer->yaw = 2.6;
    if (create_cape(&viewer->walker, &viewer->step, &viewer->cape, &error) ||
        weft_bind_cloth(viewer->cape.model, 0, &viewer->cape.mesh, NULL, &viewer->binding,
                        &error) ||
        weft_create_frames(viewer->cape.model, NULL, &viewer->frames, &error))
        return fail(error.message);
    weft_push_frame(viewer->frames, viewer->cape.state);
    return true;
}

static void close_scene(Viewer* viewer) {
    weft_destroy_frames(viewer->frames);
    weft_destroy_binding(viewer->binding);
    destroy_cape(&viewer->cape);
}

static void handle_key(Viewer* viewer, SDL_Keycode key, bool down) {
    if (key == SDLK_UP) viewer->speed = down ? 2.2 : 1.6;
    if (key == SDLK_DOWN) viewer->speed = down ? 0 : 1.6;
    if (key == SDLK_LEFT) viewer->turning = down ? 4 : 0.5;
    if (key == SDLK_RIGHT) viewer->turning = down ? -4 : 0.5;
    if (key == SDLK_SPACE) viewer->gust = down ? 9 : 0;
    if (key == SDLK_ESCAPE) viewer->leaves = true;
}

static bool begin_again(Viewer* viewer) {
    Drawing kept = viewer->drawing;
    close_scene(viewer);
    memset(&viewer->cape, 0, sizeof viewer->cape);
    viewer->walker = (Walker){0};
    viewer->drawing = kept;
    return open_scene(viewer);
}

static bool handle_events(Viewer* viewer) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) viewer->leaves = true;
        bool key = event.type == SDL_KEYDOWN || event.type == SDL_KEYUP;
        if (key) handle_key(viewer, event.key.keysym.sym, event.type == SDL_KEYDOWN);
        if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_r && !event.key.repeat &&
            !begin_again(viewer))
            return false;
        if (event.type == SDL_MOUSEMOTION && event.motion.state) {
            viewer->yaw -= 0.008 * event.motion.xrel;
            viewer->pitch = fmax(-0.1, fmin(1.4, viewer->pitch + 0.008 * event.motion.yrel));
        }
    }
    return true;
}

static bool take_step(Viewer* viewer) {
    double start = seconds();
    walk(&viewer->walker, viewer->step.dt, viewer->speed, viewer->turning);
    viewer->step.wind[0] = viewer->gust;
    if (step_cape(&viewer->cape, &viewer->walker, &viewer->step))
        return fail(weft_state_error(viewer->cape.state)->message);
    weft_push_frame(viewer->frames, viewer->cape.state);
    double ms = 1000 * (seconds() - start);
    viewer->step_ms += ms;
    viewer->worst_ms = fmax(viewer->worst_ms, ms);
    viewer->step_count++;
    return true;
}

enum { MOST_STEPS = 3 };  // in a frame: a machine that is too slow slows time down

static bool advance(Viewer* viewer, double passed) {
    viewer->left_over += passed;
    for (int i = 0; i < MOST_STEPS && viewer->left_over >= viewer->step.dt; i++) {
        if (!take_step(viewer)) return false;
        viewer->left_over -= viewer->step.dt;
    }
    viewer->left_over = fmin(viewer->left_over, viewer->step.dt);
    return true;
}

static void draw(Viewer* viewer) {
    const Walker* w = &viewer->walker;
    double center[3] = {w->place[0], 0.9, w->place[2]};
    weft_draw_frame(viewer->frames, viewer->left_over / viewer->step.dt, NULL);
    begin_drawing(&viewer->drawing, center, w->heading + viewer->yaw, viewer->pitch);
    draw_bodies(&viewer->drawing, viewer->cape.state);
    draw_cloth(&viewer->drawing, viewer->binding, viewer->frames);
}

static bool run(Viewer* viewer) {
    double start = seconds(), last = start;
    while (!viewer->leaves && (viewer->most == 0 || viewer->frame_count < viewer->most)) {
        double now = seconds();
        bool good = handle_events(viewer) && advance(viewer, now - last);
        if (!good) return false;
        last = now;
        draw(viewer);
        viewer->frame_count++;
        if (viewer->shot && viewer->frame_count == viewer->most &&
            !save_picture(&viewer->drawing, viewer->shot))
            return fail("the picture cannot be written");
        end_drawing(&viewer->drawing);
    }
    printf("%.0f frames per second; %d steps, %.2f ms each, the longest %.2f ms\n",
           viewer->frame_count / (seconds() - start), viewer->step_count,
           viewer->step_ms / fmax(1, viewer->step_count), viewer->worst_ms);
    return true;
}

int main(int argc, char** argv) {
    static Viewer viewer;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--frames") == 0)
            viewer.most = atoi(argv[++i]);
        else if (more && strcmp(argv[i], "--shot") == 0)
            viewer.shot = argv[++i];
        else
            return fprintf(stderr, "usage: viewer [--frames N] [--shot FILE.ppm]\n"), 2;
    }
    bool good = open_drawing(&viewer.drawing, "weft") && open_scene(&viewer) && run(&viewer);
    close_scene(&viewer);
    close_drawing(&viewer.drawing);
    return good ? 0 : 1;
}
