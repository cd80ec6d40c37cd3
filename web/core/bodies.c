// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "bodies.h"

#include <stdlib.h>

void free_bodies(Bodies* bodies) {
    void* blocks[] = {bodies->starts, bodies->triangles, bodies->planes, bodies->now,
                      bodies->positions};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static void number_bodies(const WeftScene* scene, const WeftModel* model, Bodies* bodies) {
    int corner = 0;
    for (int b = 0; b < bodies->count; b++) {
        const int* triangles = weft_body_triangles(model, b);
        bodies->starts[b + 1] = bodies->starts[b] + weft_body_vertex_count(model, b);
        bodies->planes[b] = scene->model.bodies[b].kind == WEFT_BODY_PLANE;
        for (int i = 0; i < 3 * weft_body_triangle_count(model, b); i++)
            bodies->triangles[corner++] = bodies->starts[b] + triangles[i];
    }
}

bool list_bodies(const WeftScene* scene, const WeftModel* model, Bodies* bodies) {
    size_t vertices = 0, largest = 0;
    bodies->count = weft_body_count(model);
    for (int b = 0; b < bodies->count; b++) {
        size_t n = (size_t)weft_body_vertex_count(model, b);
        vertices += n;
        largest = n > largest ? n : largest;
        bodies->triangle_count += weft_body_triangle_count(model, b);
    }
    bodies->starts = calloc((size_t)bodies->count + 1, sizeof(int));
    bodies->planes = calloc((size_t)bodies->count + 1, 1);
    bodies->triangles = calloc(3 * (size_t)bodies->triangle_count + 1, sizeof(int));
    bodies->now = calloc(3 * largest + 1, sizeof(double));
    bodies->positions = calloc(3 * vertices + 1, sizeof(float));
    if (!bodies->starts || !bodies->planes || !bodies->triangles || !bodies->now ||
        !bodies->positions)
        return false;
    number_bodies(scene, model, bodies);
    return true;
}

void draw_bodies(const WeftModel* model, const WeftState* state, Bodies* bodies) {
    float* to = bodies->positions;
    for (int b = 0; b < bodies->count; b++) {
        weft_show_body(state, b, bodies->now);
        for (int i = 0; i < 3 * weft_body_vertex_count(model, b); i++)
            *to++ = (float)bodies->now[i];
    }
}
