// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Threads of a half and their images. A thread is cut where it leaves the half, into runs; and a
// run is one thread with its image where it ends on the plane:
//
//     ends nowhere on it     a b c            ->  a b c  and  a' b' c'
//     ends on it once        a b p            ->  a b p b' a'
//     ends on it twice       p a b q          ->  p a b q b' a' p, closed
//     runs along it          p q r            ->  p q r, once

#include <string.h>

#include "base/memory.h"
#include "mesh/mirror.h"

// Filled twice: first without memory, which only counts.
typedef struct Threads {
    const WfCutHalf* half;
    const int* images;
    const WeftThread* from;
    WeftThread* threads;
    int* vertices;
    int thread_count, vertex_count;
} Threads;

static void begin(Threads* s) {
    if (s->threads) {
        s->threads[s->thread_count] = *s->from;
        s->threads[s->thread_count].first = s->vertex_count;
        s->threads[s->thread_count].count = 0;
    }
    s->thread_count++;
}

static void add(Threads* s, int vertex) {
    if (s->threads) {
        s->threads[s->thread_count - 1].count++;
        s->vertices[s->vertex_count] = vertex;
    }
    s->vertex_count++;
}

static void add_run(Threads* s, const int* run, int from, int to, bool image) {
    int step = from <= to ? 1 : -1;
    for (int i = from; i != to + step; i += step) add(s, image ? s->images[run[i]] : run[i]);
}

// A run with nothing along the plane.
static void add_beside(Threads* s, const int* run, int count) {
    int last = count - 1;
    bool open = run[0] != run[last];  // a ring that touches the plane does not end there
    bool starts = open && s->half->on_plane[run[0]], ends = open && s->half->on_plane[run[last]];
    begin(s);
    if (starts && !ends) add_run(s, run, last, 1, true);
    add_run(s, run, 0, last, false);
    if (ends) add_run(s, run, last - 1, 0, true);
    if (starts || ends) return;
    begin(s);
    add_run(s, run, 0, last, true);
}

static bool is_along(const Threads* s, const int* run, int i) {
    return s->half->on_plane[run[i]] && s->half->on_plane[run[i + 1]];
}

static void mirror_run(Threads* s, const int* run, int count) {
    for (int i = 0, end; i + 1 < count; i = end) {
        bool along = is_along(s, run, i);
        end = i + 1;
        while (end + 1 < count && is_along(s, run, end) == along) end++;
        if (along) {
            begin(s);
            add_run(s, run, i, end, false);
        } else {
            add_beside(s, run + i, end - i + 1);
        }
    }
}

// The vertices of a thread in the half: -1 where it leaves it.
static int list_vertices(const WfCutHalf* half, const int* v, int count, int* list) {
    int used = 0;
    for (int i = 0; i < count; i++) {
        int cut = i > 0 ? wf_cut_vertex(half, v[i - 1], v[i]) : -1;
        if (cut >= 0) list[used++] = cut;
        list[used++] = half->numbers[v[i]];
    }
    return used;
}

static int find_gap(const int* list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i] < 0) return i;
    return -1;
}

// A closed thread that is cut begins at a gap.
static int open_ring(int* list, int count, int* spare) {
    int gap = find_gap(list, count);
    if (list[0] != list[count - 1] || list[0] < 0 || gap < 0) return count;
    int ring = count - 1;  // the last is the first
    for (int i = 0; i < ring; i++) spare[i] = list[(gap + i) % ring];
    memcpy(list, spare, (size_t)ring * sizeof *list);
    return ring;
}

static void mirror_thread(Threads* s, const int* vertices, int* list, int* spare) {
    int count = list_vertices(s->half, vertices, s->from->count, list);
    count = open_ring(list, count, spare);
    for (int i = 0; i < count;) {
        int size = find_gap(list + i, count - i);
        if (size < 0) size = count - i;
        mirror_run(s, list + i, size);
        i += size + 1;
    }
}

static void mirror_all(Threads* s, const WeftMesh* old, int* list, int* spare) {
    s->thread_count = s->vertex_count = 0;
    for (int t = 0; t < old->thread_count; t++) {
        s->from = &old->threads[t];
        mirror_thread(s, old->thread_vertices + s->from->first, list, spare);
    }
}

WeftResult wf_mirror_threads(const WeftAllocator* allocator, const WeftMesh* old,
                             const WfCutHalf* half, WeftMesh* made) {
    if (old->thread_count == 0) return WEFT_OK;
    int most = 0;
    for (int t = 0; t < old->thread_count; t++)
        if (old->threads[t].count > most) most = old->threads[t].count;
    Threads s = {.half = half, .images = made->images};
    int* list = wf_alloc(allocator, 2 * (size_t)most, sizeof(int));
    int* spare = wf_alloc(allocator, 2 * (size_t)most, sizeof(int));
    bool good = list && spare;
    if (good) mirror_all(&s, old, list, spare);
    if (good && s.thread_count > 0) {
        made->thread_count = s.thread_count;
        made->thread_vertex_count = s.vertex_count;
        made->threads = s.threads =
            wf_alloc(allocator, (size_t)s.thread_count, sizeof *made->threads);
        made->thread_vertices = s.vertices =
            wf_alloc(allocator, (size_t)s.vertex_count, sizeof *made->thread_vertices);
        good = s.threads && s.vertices;
        if (good) mirror_all(&s, old, list, spare);
    }
    wf_free(allocator, list);
    wf_free(allocator, spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}
