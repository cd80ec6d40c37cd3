// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "shown.h"

#include <stdio.h>

enum { TEXT_SIZE = 256 };

static int count_details(const Session* session) {
    int count = 0;
    for (int c = 0; c < session->scene->model.cloth_count; c++)
        count += weft_show_detail(session->show, c) != NULL;
    return count;
}

static const char* surface_name(const WeftSceneDetail* detail) {
    return detail->surface == WEFT_SURFACE_SMOOTH ? "smooth" : "flat";
}

// "detail cape.detail", "edges in 4 parts, smooth", "a mesh of its own, flat"
static void describe(const WeftSceneDetail* detail, char text[TEXT_SIZE]) {
    if (detail->file)
        snprintf(text, TEXT_SIZE, "detail %s", detail->file);
    else if (detail->parts > 0)
        snprintf(text, TEXT_SIZE, "edges in %d parts, %s", detail->parts, surface_name(detail));
    else
        snprintf(text, TEXT_SIZE, "a mesh of its own, %s", surface_name(detail));
}

// Of all files together; 0 where nothing was written.
static double ms_per_frame(const Outputs* outputs) {
    double seconds = 0, frames = 0;
    for (; outputs; outputs = outputs->also) {
        seconds += outputs->show_seconds;
        frames += outputs->frame_count;
    }
    return frames > 0 ? 1000 * seconds / frames : 0;
}

void print_shown(const Session* session, const Outputs* outputs, const char* label) {
    int count = count_details(session);
    double ms = ms_per_frame(outputs);
    char text[TEXT_SIZE];
    if (count == 0) return;
    printf("%s%d vertices, %d triangles", label, weft_show_vertex_count(session->show),
           weft_show_triangle_count(session->show));
    for (int c = 0; c < session->scene->model.cloth_count && count == 1; c++) {
        if (!weft_show_detail(session->show, c)) continue;
        describe(&session->scene->details[c], text);
        printf(" by %s", text);
    }
    if (count > 1) printf(" by %d details", count);
    if (ms > 0) printf(", %.2g ms a frame", ms);
    putchar('\n');
}

static json_t* detail_json(const Session* session, int cloth) {
    const WeftSceneDetail* detail = &session->scene->details[cloth];
    const WeftShow* show = session->show;
    int vertices = weft_show_first_vertex(show, cloth + 1) - weft_show_first_vertex(show, cloth);
    json_t* file = detail->file ? json_string(detail->file) : json_null();
    int parts = detail->file ? weft_detail_parts(weft_show_detail(show, cloth)) : detail->parts;
    return json_pack("{s:i,s:i,s:o,s:i,s:s}", "cloth", cloth, "vertices", vertices, "file", file,
                     "parts", parts, "surface", detail->file ? "learned" : surface_name(detail));
}

json_t* shown_json(const Session* session, const Outputs* outputs) {
    if (count_details(session) == 0) return json_null();
    json_t* details = json_array();
    for (int c = 0; c < session->scene->model.cloth_count; c++)
        if (weft_show_detail(session->show, c))
            json_array_append_new(details, detail_json(session, c));
    return json_pack("{s:i,s:i,s:f,s:o}", "vertices", weft_show_vertex_count(session->show),
                     "triangles", weft_show_triangle_count(session->show), "ms_per_frame",
                     ms_per_frame(outputs), "details", details);
}
