// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "character.h"

#include <stdlib.h>

int ready_character(const CharacterDef* def, WeftModelDef* model, Character* c) {
    WeftError error;
    model->contact = def->contact;
    model->jobs.thread_count = 1;
    model->clock.now = thread_time;
    if (def->quality > 0) model->step.quality = def->quality;
    model->step.budget_ms = def->budget;
    c->step = model->step;
    c->body_count = model->body_count;
    if (weft_create_model(model, &c->model, &error) ||
        weft_create_state(c->model, &c->state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    int n = weft_vertex_count(c->model);
    c->skin = need(3 * (size_t)n, sizeof(double));
    c->surfaces[0] = (WeftSurface){n, weft_positions(c->state), weft_triangle_count(c->model),
                                   weft_triangles(c->model), false};
    for (int b = 0; b < c->body_count; b++) {
        int count = weft_body_vertex_count(c->model, b);
        c->shapes[b] = need(3 * (size_t)count, sizeof(double));
        c->surfaces[1 + b] =
            (WeftSurface){count, c->shapes[b], weft_body_triangle_count(c->model, b),
                          weft_body_triangles(c->model, b), true};
    }
    return EXIT_GOOD;
}

void close_character(Character* c) {
    weft_destroy_state(c->state);
    weft_destroy_model(c->model);
    if (c->close) c->close(c);
    for (int b = 0; b < c->body_count; b++) free(c->shapes[b]);
    free(c->skin);
    *c = (Character){0};
}

int judge_character(Character* c) {
    WeftError error;
    WeftCrossing first;
    int count = 0;
    c->surfaces[0].positions = weft_positions(c->state);
    for (int b = 0; b < c->body_count; b++) weft_copy_body(c->state, b, c->shapes[b]);
    if (weft_find_crossings(c->surfaces, 1 + c->body_count, NULL, 1, &first, &count, &error)) {
        complain(EXIT_FAILED, "%s", error.message);
        return -1;
    }
    return count;
}
