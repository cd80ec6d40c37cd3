// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Each vertex heads a list of its copies, and a corner looks in it for its texture coordinates:
//
//     vertex 7 (0.1, 0.3) -> copy 96 (0.8, 0.3) -> copy 131 (0.2, 1.1) -> none
//
// Coordinates are compared, not their numbers, so that points at one place do not count twice.

#include "io/split.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

// A part with more vertices is not split: its numbers, which files hold as floats, would be
// rounded.
enum { LARGEST_PART = 1 << 24 };

enum { NONE = -1, UNSEEN = -2 };  // in `next`: the end of a list; no corner was there yet

static bool same_point(const float* a, const float* b) { return a[0] == b[0] && a[1] == b[1]; }

// The vertex of the list that begins at `vertex` with these texture coordinates, new if need be.
static int find_copy(WfSplit* split, int* next, int vertex, const float* point) {
    float* texture = split->texture;
    int at = vertex;
    if (next[vertex] == UNSEEN) {
        next[vertex] = NONE;
        memcpy(texture + 2 * (size_t)vertex, point, 2 * sizeof *point);
    }
    while (!same_point(texture + 2 * (size_t)at, point)) {
        if (next[at] == NONE) {
            int copy = split->vertex_count++;
            split->sources[copy] = split->sources[vertex];
            memcpy(texture + 2 * (size_t)copy, point, 2 * sizeof *point);
            next[at] = copy, next[copy] = NONE;
        }
        at = next[at];
    }
    return at;
}

static void split_part(const WeftWriter* writer, int p, WfSplit* split, int* next) {
    const WfPart* part = &writer->parts[p];
    int first = split->vertex_count, shift = first - part->first_vertex;
    bool by_corner = writer->triangle_texture && !part->body && part->vertex_count < LARGEST_PART;
    split->first_vertex[p] = first;
    split->vertex_count += part->vertex_count;
    for (int i = first; i < split->vertex_count; i++) {
        split->sources[i] = i - shift, next[i] = UNSEEN;
        if (split->texture && !writer->triangle_texture)
            memcpy(split->texture + 2 * (size_t)i, writer->texture + 2 * (size_t)(i - shift),
                   2 * sizeof(float));
    }
    size_t corner = 3 * (size_t)part->first_triangle;
    size_t end = corner + 3 * (size_t)part->triangle_count;
    for (; corner < end; corner++) {
        int vertex = writer->triangles[corner] + shift;
        if (by_corner)
            vertex = find_copy(split, next, vertex,
                               writer->texture + 2 * (size_t)writer->triangle_texture[corner]);
        split->triangles[corner] = vertex;
    }
}

bool wf_split_vertices(const WeftWriter* writer, WfSplit* split) {
    const WeftAllocator* allocator = &writer->allocator;
    size_t corners = 3 * (size_t)writer->triangle_count, most = (size_t)writer->vertex_count;
    if (writer->triangle_texture) most += corners;
    *split = (WfSplit){
        .first_vertex = wf_alloc(allocator, (size_t)writer->part_count + 1, sizeof(int)),
        .sources = wf_alloc(allocator, most, sizeof(int)),
        .texture = writer->texture ? wf_alloc(allocator, 2 * most, sizeof(float)) : NULL,
        .triangles = wf_alloc(allocator, corners, sizeof(int)),
    };
    int* next = wf_alloc(allocator, most, sizeof(int));
    bool good = split->first_vertex && split->sources && split->triangles && next &&
                (split->texture || !writer->texture);
    for (int p = 0; p < writer->part_count && good; p++) split_part(writer, p, split, next);
    if (good) split->first_vertex[writer->part_count] = split->vertex_count;
    wf_assert(split->vertex_count >= 0 && (size_t)split->vertex_count <= most);
    wf_free(allocator, next);
    return good;
}

void wf_free_split(const WeftWriter* writer, WfSplit* split) {
    wf_free(&writer->allocator, split->first_vertex);
    wf_free(&writer->allocator, split->sources);
    wf_free(&writer->allocator, split->texture);
    wf_free(&writer->allocator, split->triangles);
    *split = (WfSplit){0};
}
