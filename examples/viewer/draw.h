// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A window, a camera and two ways to draw triangles.

#ifndef WEFT_VIEWER_DRAW_H
#define WEFT_VIEWER_DRAW_H

#include <SDL.h>
#include <stdbool.h>
#include <weft/weft_render.h>

typedef struct Drawing {
    SDL_Window* window;
    SDL_GLContext context;
    unsigned program, array, vertices, triangles;  // of OpenGL
    int camera, colour, smooth;                    // places of uniforms
    double* positions;                             // scratch, of a body
    float* floats;
    int room;  // vertices that these hold
} Drawing;

// These say on stderr what they lack.
bool open_drawing(Drawing* drawing, const char* title);
void close_drawing(Drawing* drawing);
// Looks at a place from 3.2 m away; radians.
void begin_drawing(Drawing* drawing, const double place[3], double yaw, double pitch);
void draw_bodies(Drawing* drawing, const WeftState* state);
void draw_cloth(Drawing* drawing, const WeftBinding* binding, const WeftFrames* frames);
bool save_picture(const Drawing* drawing, const char* path);  // PPM
void end_drawing(Drawing* drawing);

#endif
