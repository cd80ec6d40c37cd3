// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a path means: one file, or a sequence of them; OBJ is read here, the rest by assimp.

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "garment/pattern.h"
#include "io/figure/figure_parts.h"
#include "io/scene_parts.h"

static const double MOST_NUMBERS = 1e9;  // of the positions of a clip

WeftFigureFileDef weft_default_figure_file_def(void) { return (WeftFigureFileDef){.rate = 60}; }

WeftResult wf_figure_tell(WfFigureReader* r, const char* format, ...) {
    char line[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return wf_find(r->findings, r->error, "%s", line);
}

bool wf_path_ends(const char* path, const char* ending) {
    size_t length = strlen(path), end = strlen(ending);
    if (length < end) return false;
    for (size_t i = 0; i < end; i++)
        if (tolower((unsigned char)path[length - end + i]) != ending[i]) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------
// One file

static WeftResult read_obj(WfFigureReader* r) {
    WeftMesh mesh = {0};
    WeftFigure* figure = r->figure;
    WeftResult result = weft_read_obj(r->path, 1, &r->allocator, &mesh, r->error);
    if (result) return result;
    figure->vertex_count = mesh.vertex_count;
    figure->triangle_count = mesh.triangle_count;
    figure->positions = wf_alloc(&r->allocator, 3 * (size_t)mesh.vertex_count, sizeof(double));
    figure->triangles = wf_alloc(&r->allocator, 3 * (size_t)mesh.triangle_count, sizeof(int));
    if (figure->positions && figure->triangles) {
        memcpy(figure->positions, mesh.positions, 3 * (size_t)mesh.vertex_count * sizeof(double));
        memcpy(figure->triangles, mesh.triangles, 3 * (size_t)mesh.triangle_count * sizeof(int));
    } else {
        result = wf_fail_memory(r->error);
    }
    weft_destroy_mesh(&mesh);
    WfFileSays nothing = {0};
    if (!result) result = wf_choose_turn(r, &nothing, figure->positions, figure->vertex_count);
    if (!result) wf_turn_positions(&r->turn, figure->positions, (size_t)figure->vertex_count);
    return result;
}

static WeftResult read_one(WfFigureReader* r) {
    WeftResult result = wf_path_ends(r->path, ".obj") ? read_obj(r) : wf_read_scene_figure(r);
    if (!result) result = wf_tidy_figure(r);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Clips of shapes

// One more clip, in front.
static WeftResult add_shape_clip(WfFigureReader* r, int frame_count, WeftClip** added) {
    WeftFigure* figure = r->figure;
    size_t old = (size_t)figure->clip_count;
    if (3.0 * frame_count * figure->vertex_count > MOST_NUMBERS)
        return wf_fail(r->error, WEFT_ERROR_INPUT,
                       "%s: %d frames of %d vertices are more than fit in memory", r->path,
                       frame_count, figure->vertex_count);
    WeftClip* clips = wf_alloc(&r->allocator, old + 1, sizeof *clips);
    if (!clips) return wf_fail_memory(r->error);
    if (old > 0) memcpy(clips + 1, figure->clips, old * sizeof *clips);
    wf_free(&r->allocator, figure->clips);
    figure->clips = clips;
    figure->clip_count++;
    *clips = (WeftClip){.name = "frames", .rate = r->def->rate, .frame_count = frame_count};
    *added = clips;
    return WEFT_OK;
}

// Frames of a PC2 file are kept as they are, at the rate of the def: its first one is the start.
static WeftResult read_pc2(WfFigureReader* r) {
    WeftFigure* figure = r->figure;
    WeftShapeTrack track = {0};
    WeftClip* clip = NULL;
    WeftResult result = wf_read_pc2(r->def->clip_path, figure->vertex_count, r->def->rate,
                                    &r->allocator, &track, r->error);
    if (!result) result = add_shape_clip(r, track.key_count, &clip);
    if (!result) {
        size_t count = (size_t)track.key_count * (size_t)figure->vertex_count;
        wf_turn_positions(&r->turn, track.positions, count);
        if (track.key_count > 1) clip->rate = 1 / (track.times[1] - track.times[0]);
        clip->positions = track.positions;
        track.positions = NULL;
    }
    wf_free(&r->allocator, track.times);
    wf_free(&r->allocator, track.positions);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Sequences

// A file as a frame of the figure, by the turn of the first one.
static WeftResult read_frame(WfFigureReader* r, const char* path, double* positions) {
    WeftFigure frame = {.allocator = r->allocator};
    WeftFigureFileDef def = *r->def;
    WfFigureReader reader = *r;
    def.scale = wf_length(r->turn.column[0]);
    def.up = r->turn.column[1].y > 0 ? 'y' : 'z';
    reader.path = path, reader.def = &def, reader.figure = &frame, reader.findings = NULL;
    WeftResult result = read_one(&reader);
    if (!result && frame.vertex_count != r->figure->vertex_count)
        result = wf_fail(r->error, WEFT_ERROR_INPUT,
                         "%s: it has %d vertices, the first file of the sequence has %d", path,
                         frame.vertex_count, r->figure->vertex_count);
    if (!result)
        memcpy(positions, frame.positions, 3 * (size_t)frame.vertex_count * sizeof *positions);
    weft_destroy_figure(&frame);
    return result;
}

static WeftResult read_frames(WfFigureReader* r, const WfFileList* list) {
    WeftClip* clip = NULL;
    WeftResult result = add_shape_clip(r, list->count, &clip);
    if (result) return result;
    size_t numbers = 3 * (size_t)r->figure->vertex_count;
    clip->positions = wf_alloc(&r->allocator, (size_t)list->count * numbers, sizeof(double));
    if (!clip->positions) return wf_fail_memory(r->error);
    memcpy(clip->positions, r->figure->positions, numbers * sizeof(double));
    for (int i = 1; i < list->count && !result; i++)
        result = read_frame(r, list->paths[i], clip->positions + (size_t)i * numbers);
    return result;
}

static WeftResult read_sequence(WfFigureReader* r) {
    WfFileList list = {0};
    WeftResult result = wf_list_sequence(r, &list);
    r->keep_vertices = true;
    if (!result) {
        r->path = list.paths[0];
        result = read_one(r);
    }
    if (!result) result = read_frames(r, &list);
    wf_free_list(&r->allocator, &list);
    return result;
}

// ---------------------------------------------------------------------------------------------

static WeftResult check_def(const WeftFigureFileDef* def, WeftError* error) {
    if (!(def->rate > 0 && def->rate <= 100000))
        return wf_fail(error, WEFT_ERROR_INPUT, "rate must be above 0, at most 100000, not %g",
                       def->rate);
    if (!(def->scale >= 0 && def->scale <= 1e6))
        return wf_fail(error, WEFT_ERROR_INPUT, "scale must be from 0 to 1e6, not %g", def->scale);
    if (def->up && def->up != 'y' && def->up != 'z')
        return wf_fail(error, WEFT_ERROR_INPUT, "up must be 'y', 'z' or 0, not '%c'", def->up);
    return WEFT_OK;
}

WeftResult weft_load_figure(const char* path, const WeftFigureFileDef* def,
                            const WeftAllocator* allocator, WeftFigure* figure,
                            WeftFindings* findings, WeftError* error) {
    WeftFigureFileDef usual = weft_default_figure_file_def();
    WeftFigure made = {.allocator = wf_allocator(allocator)};
    WfFigureReader r = {.path = path,
                        .def = def ? def : &usual,
                        .allocator = made.allocator,
                        .figure = &made,
                        .findings = findings,
                        .error = error};
    const char* clip_path = r.def->clip_path;
    bool pc2 = clip_path && wf_path_ends(clip_path, ".pc2");
    r.keep_vertices = pc2;
    WeftResult result = check_def(r.def, error);
    if (result) return result;
    result = r.def->sequence || wf_is_sequence(path) ? read_sequence(&r) : read_one(&r);
    if (!result && pc2) result = read_pc2(&r);
    if (!result && clip_path && !pc2) result = wf_read_scene_clips(&r, clip_path);
    if (result)
        weft_destroy_figure(&made);
    else
        *figure = made;
    return result;
}
