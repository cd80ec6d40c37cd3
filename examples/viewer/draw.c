// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define GL_GLEXT_PROTOTYPES  // Mesa and others export them
#include "draw.h"

#include <SDL_opengl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char vertex_shader[] =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "uniform mat4 camera;\n"
    "out vec3 place, side;\n"
    "void main() {\n"
    "    place = position; side = normal;\n"
    "    gl_Position = camera * vec4(position, 1);\n"
    "}\n";

// Bodies have no normals of their own: those of their triangles. Cloth is lit on both sides.
static const char fragment_shader[] =
    "#version 330 core\n"
    "in vec3 place, side;\n"
    "uniform vec3 colour;\n"
    "uniform int smooth_normals;\n"
    "out vec4 pixel;\n"
    "void main() {\n"
    "    vec3 n = normalize(cross(dFdx(place), dFdy(place)));\n"
    "    vec3 s = colour;\n"
    "    if (smooth_normals != 0) n = dot(side, n) < 0 ? -normalize(side) : normalize(side);\n"
    "    if (smooth_normals != 0 && !gl_FrontFacing) s = s.zyx * 0.8;\n"
    "    else if (place.y < 0.002) s *= mod(floor(place.x) + floor(place.z), 2) < 1 ? 1.0 : 0.85;\n"
    "    float light = 0.35 + 0.5 * max(dot(n, normalize(vec3(0.4, 0.8, 0.5))), 0)\n"
    "                       + 0.15 * max(dot(n, normalize(vec3(-0.7, 0.1, -0.5))), 0);\n"
    "    pixel = vec4(s * light, 1);\n"
    "}\n";

// ---------------------------------------------------------------------------------------------
// The window

static bool complain(const char* what, const char* why) {
    fprintf(stderr, "viewer: %s: %s\n", what, why);
    return false;
}

static bool compile(unsigned program, unsigned kind, const char* text) {
    unsigned shader = glCreateShader(kind);
    int good;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    char log[1024] = "";
    if (!good) glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return good || complain("a shader", log);
}

static bool make_program(Drawing* d) {
    d->program = glCreateProgram();
    if (!compile(d->program, GL_VERTEX_SHADER, vertex_shader) ||
        !compile(d->program, GL_FRAGMENT_SHADER, fragment_shader))
        return false;
    int good;
    glLinkProgram(d->program);
    glGetProgramiv(d->program, GL_LINK_STATUS, &good);
    d->camera = glGetUniformLocation(d->program, "camera");
    d->colour = glGetUniformLocation(d->program, "colour");
    d->smooth = glGetUniformLocation(d->program, "smooth_normals");
    return good || complain("the shaders", "they do not fit together");
}

bool open_drawing(Drawing* d, const char* title) {
    if (SDL_Init(SDL_INIT_VIDEO)) return complain("SDL", SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    d->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 800, 600,
                                 SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    if (!d->window) return complain("a window", SDL_GetError());
    d->context = SDL_GL_CreateContext(d->window);
    if (!d->context) return complain("OpenGL 3.3", SDL_GetError());
    SDL_GL_SetSwapInterval(1);
    glGenVertexArrays(1, &d->array);
    glBindVertexArray(d->array);
    glGenBuffers(1, &d->vertices);
    glGenBuffers(1, &d->triangles);
    glBindBuffer(GL_ARRAY_BUFFER, d->vertices);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 24, (void*)0);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 24, (void*)12);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glEnable(GL_DEPTH_TEST);
    return make_program(d);
}

void close_drawing(Drawing* d) {
    free(d->positions);
    free(d->floats);
    if (d->context) SDL_GL_DeleteContext(d->context);
    if (d->window) SDL_DestroyWindow(d->window);
    SDL_Quit();
}

// ---------------------------------------------------------------------------------------------
// The camera

static const double FOCUS = 1.6, NEAR = 0.1, FAR = 60, AWAY = 3.2;

// Columns of the matrix: rotate about y, then about x, move away, project.
static void make_camera(const double place[3], double yaw, double pitch, double aspect,
                        float matrix[16]) {
    double cy = cos(yaw), sy = sin(yaw), cp = cos(pitch), sp = sin(pitch);
    const double rows[3][3] = {{cy, 0, -sy}, {-sp * sy, cp, -sp * cy}, {cp * sy, sp, cp * cy}};
    double depth = (FAR + NEAR) / (NEAR - FAR), shift = 2 * FAR * NEAR / (NEAR - FAR);
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = -(rows[i][0] * place[0] + rows[i][1] * place[1] + rows[i][2] * place[2]);
    at[2] -= AWAY;
    for (int k = 0; k < 4; k++) {
        const double column[3] = {k < 3 ? rows[0][k] : at[0], k < 3 ? rows[1][k] : at[1],
                                  k < 3 ? rows[2][k] : at[2]};
        matrix[4 * k] = (float)(FOCUS / aspect * column[0]);
        matrix[4 * k + 1] = (float)(FOCUS * column[1]);
        matrix[4 * k + 2] = (float)(depth * column[2] + (k == 3 ? shift : 0));
        matrix[4 * k + 3] = (float)-column[2];
    }
}

void begin_drawing(Drawing* d, const double place[3], double yaw, double pitch) {
    int width, height;
    float camera[16];
    SDL_GL_GetDrawableSize(d->window, &width, &height);
    make_camera(place, yaw, pitch, (double)width / height, camera);
    glViewport(0, 0, width, height);
    glClearColor(0.93f, 0.94f, 0.96f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(d->program);
    glUniformMatrix4fv(d->camera, 1, GL_FALSE, camera);
}

void end_drawing(Drawing* d) { SDL_GL_SwapWindow(d->window); }

// ---------------------------------------------------------------------------------------------
// Triangles

static bool make_room(Drawing* d, int count) {
    if (count <= d->room) return true;
    free(d->positions);
    free(d->floats);
    d->positions = malloc(3 * (size_t)count * sizeof *d->positions);
    d->floats = calloc(6 * (size_t)count, sizeof *d->floats);
    d->room = d->positions && d->floats ? count : 0;
    return d->room > 0;
}

void draw_bodies(Drawing* d, const WeftState* state) {
    const WeftModel* model = weft_state_model(state);
    glUniform1i(d->smooth, 0);
    for (int b = 0; b < weft_body_count(model); b++) {
        int count = weft_body_vertex_count(model, b),
            corners = 3 * weft_body_triangle_count(model, b);
        if (!make_room(d, count)) return;
        weft_copy_body(state, b, d->positions);
        for (int i = 0; i < 3 * count; i++) d->floats[6 * (i / 3) + i % 3] = (float)d->positions[i];
        float shade = corners > 6 ? 0.75f : 0.85f;  // figure, ground
        glUniform3f(d->colour, shade, shade, 0.95f * shade);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(6 * (size_t)count * sizeof(float)), d->floats,
                     GL_STREAM_DRAW);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, d->triangles);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)corners * sizeof(int)),
                     weft_body_triangles(model, b), GL_STREAM_DRAW);
        glDrawElements(GL_TRIANGLES, corners, GL_UNSIGNED_INT, NULL);
    }
}

void draw_cloth(Drawing* d, const WeftBinding* binding, const WeftFrames* frames) {
    int corners = 3 * weft_binding_triangle_count(binding);
    WeftVertexLayout layout = weft_default_vertex_layout();  // position and normal, 24 bytes
    size_t size = layout.stride * (size_t)weft_binding_vertex_count(binding);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_DRAW);
    layout.vertices = glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
    if (!layout.vertices) return;
    weft_write_vertices(binding, frames, &layout);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, d->triangles);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)corners * sizeof(int)),
                 weft_binding_triangles(binding), GL_STREAM_DRAW);
    glUniform1i(d->smooth, 1);
    glUniform3f(d->colour, 0.72f, 0.14f, 0.20f);
    glDrawElements(GL_TRIANGLES, corners, GL_UNSIGNED_INT, NULL);
}

bool save_picture(const Drawing* d, const char* path) {
    int width, height;
    SDL_GL_GetDrawableSize(d->window, &width, &height);
    unsigned char* pixels = malloc(3 * (size_t)width * (size_t)height);
    FILE* file = pixels ? fopen(path, "wb") : NULL;
    if (file) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
        fprintf(file, "P6\n%d %d\n255\n", width, height);
        for (int row = height - 1; row >= 0; row--)
            fwrite(pixels + 3 * (size_t)row * (size_t)width, 3, (size_t)width, file);
    }
    bool good = file && !ferror(file);
    if (file) good = fclose(file) == 0 && good;
    free(pixels);
    return good;
}
