// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/way.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

// Two vertices know of a common pin only where each keeps more than its nearest of a group.
enum { PINS_PER_GROUP = 3 };

// A vertex that may be reached from `pin` in `length`.
typedef struct Label {
    double length;
    int vertex, pin;
} Label;

typedef struct Finder {
    const WeftAllocator* allocator;
    const WfWayMesh* mesh;
    int *start, *near;       // per vertex: its neighbours
    double* near_lengths;    // and how far they are
    int *star_start, *star;  // per vertex: its triangles
    int* group;              // per vertex: its group of pins, or -1
    int slot_count;          // labels that a vertex can keep
    int* label_count;        // and does
    Label* labels;           // in the order of their lengths
    Label* heap;             // labels to come, the shortest on top
    size_t heap_count, heap_size;
} Finder;

// ---------------------------------------------------------------------------------------------
// A heap of labels. Equal lengths in the order of vertices and pins.

static bool is_before(Label a, Label b) {
    if (a.length != b.length) return a.length < b.length;
    return a.vertex != b.vertex ? a.vertex < b.vertex : a.pin < b.pin;
}

static bool grow_heap(Finder* f) {
    size_t size = f->heap_size ? 2 * f->heap_size : 1024;
    Label* heap = wf_alloc(f->allocator, size, sizeof *heap);
    if (!heap) return false;
    if (f->heap_count > 0) memcpy(heap, f->heap, f->heap_count * sizeof *heap);
    wf_free(f->allocator, f->heap);
    f->heap = heap;
    f->heap_size = size;
    return true;
}

static bool push(Finder* f, Label label) {
    if (f->heap_count == f->heap_size && !grow_heap(f)) return false;
    size_t i = f->heap_count++;
    for (; i > 0 && is_before(label, f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = label;
    return true;
}

static Label pop(Finder* f) {
    Label top = f->heap[0], last = f->heap[--f->heap_count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= f->heap_count) break;
        if (child + 1 < f->heap_count && is_before(f->heap[child + 1], f->heap[child])) child++;
        if (!is_before(f->heap[child], last)) break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return top;
}

// ---------------------------------------------------------------------------------------------
// What is next to a vertex

static void list_neighbours(Finder* f) {
    const WfWayMesh* m = f->mesh;
    for (long i = 0; i < 2L * m->edge_count; i++) f->start[m->edges[i] + 1]++;
    for (int v = 0; v < m->vertex_count; v++) f->start[v + 1] += f->start[v];
    for (long i = 0; i < 2L * m->edge_count; i++) {
        int slot = f->start[m->edges[i]]++;
        f->near[slot] = m->edges[i ^ 1];
        f->near_lengths[slot] = m->lengths[i / 2];
    }
    memmove(f->start + 1, f->start, (size_t)m->vertex_count * sizeof(int));
    f->start[0] = 0;
}

static void list_stars(Finder* f) {
    const WfWayMesh* m = f->mesh;
    for (long i = 0; i < 3L * m->triangle_count; i++) f->star_start[m->triangles[i] + 1]++;
    for (int v = 0; v < m->vertex_count; v++) f->star_start[v + 1] += f->star_start[v];
    for (long i = 0; i < 3L * m->triangle_count; i++)
        f->star[f->star_start[m->triangles[i]]++] = (int)(i / 3);
    memmove(f->star_start + 1, f->star_start, (size_t)m->vertex_count * sizeof(int));
    f->star_start[0] = 0;
}

static double edge_length(const Finder* f, int a, int b) {
    for (int i = f->start[a]; i < f->start[a + 1]; i++)
        if (f->near[i] == b) return f->near_lengths[i];
    return HUGE_VAL;
}

// Pins that are joined get the number of the first of them. The heap's labels serve as a list of
// those to go on from.
static bool group_pins(Finder* f) {
    const WfWayMesh* m = f->mesh;
    for (int v = 0; v < m->vertex_count; v++) f->group[v] = -1;
    for (int first = 0; first < m->vertex_count; first++) {
        if (!m->pinned[first] || f->group[first] >= 0) continue;
        f->group[first] = first;
        if (!push(f, (Label){0, first, first})) return false;
        while (f->heap_count > 0) {
            int v = pop(f).vertex;
            for (int i = f->start[v]; i < f->start[v + 1]; i++) {
                int w = f->near[i];
                if (!m->pinned[w] || f->group[w] >= 0) continue;
                f->group[w] = first;
                if (!push(f, (Label){0, w, w})) return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Spreading

// How far `pin` is from the vertex by what it keeps; HUGE_VAL where it keeps nothing of it.
static double known(const Finder* f, int vertex, int pin) {
    const Label* labels = f->labels + (long)vertex * f->slot_count;
    for (int i = 0; i < f->label_count[vertex]; i++)
        if (labels[i].pin == pin) return labels[i].length;
    return HUGE_VAL;
}

// Whether a vertex would keep one more label of this pin.
static bool has_room(const Finder* f, int vertex, int pin) {
    const Label* labels = f->labels + (long)vertex * f->slot_count;
    int same = 0, groups = 0;
    for (int i = 0; i < f->label_count[vertex]; i++) {
        if (labels[i].pin == pin) return false;
        int group = f->group[labels[i].pin];
        same += group == f->group[pin];
        bool first = true;
        for (int j = 0; j < i && first; j++) first = f->group[labels[j].pin] != group;
        groups += first;
    }
    return same > 0 ? same < PINS_PER_GROUP : groups < f->slot_count / PINS_PER_GROUP;
}

double wf_straight_way(double ab, double ac, double bc, double pa, double pb) {
    double cx = (ac * ac - bc * bc + ab * ab) / (2 * ab), cy = sqrt(fmax(ac * ac - cx * cx, 0));
    double px = (pa * pa - pb * pb + ab * ab) / (2 * ab), py2 = pa * pa - px * px;
    if (!(py2 >= 0) || !(cy > 0)) return HUGE_VAL;
    double py = sqrt(py2), cross = px + (cx - px) * py / (cy + py), slack = 1e-9 * ab;
    if (!(cross >= -slack && cross <= ab + slack)) return HUGE_VAL;
    return sqrt((cx - px) * (cx - px) + (cy + py) * (cy + py));
}

// v has a new label: reach c through the side vb, or along it.
static bool reach_across(Finder* f, Label label, int b, int c) {
    double pb = known(f, b, label.pin);
    if (pb == HUGE_VAL || !has_room(f, c, label.pin)) return true;
    double vb = edge_length(f, label.vertex, b), vc = edge_length(f, label.vertex, c);
    double way = wf_straight_way(vb, vc, edge_length(f, b, c), label.length, pb);
    return way == HUGE_VAL || push(f, (Label){way, c, label.pin});
}

static bool spread(Finder* f, Label label) {
    int v = label.vertex;
    for (int i = f->start[v]; i < f->start[v + 1]; i++)
        if (has_room(f, f->near[i], label.pin) &&
            !push(f, (Label){label.length + f->near_lengths[i], f->near[i], label.pin}))
            return false;
    for (int i = f->star_start[v]; i < f->star_start[v + 1]; i++) {
        const int* t = f->mesh->triangles + 3L * f->star[i];
        int k = t[0] == v ? 0 : t[1] == v ? 1 : 2, b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        if (!reach_across(f, label, b, c) || !reach_across(f, label, c, b)) return false;
    }
    return true;
}

static bool spread_all(Finder* f) {
    for (int v = 0; v < f->mesh->vertex_count; v++)
        if (f->mesh->pinned[v] && !push(f, (Label){0, v, v})) return false;
    while (f->heap_count > 0) {
        Label label = pop(f);
        int v = label.vertex;
        if (!has_room(f, v, label.pin)) continue;
        f->labels[(long)v * f->slot_count + f->label_count[v]++] = label;
        if (!spread(f, label)) return false;
    }
    return true;
}

// Of each group, the nearest.
static void copy_ways(const Finder* f, int count, WfWay* ways) {
    for (int v = 0; v < f->mesh->vertex_count; v++) {
        WfWay* out = ways + (long)v * count;
        int found = 0;
        for (int i = 0; i < f->label_count[v]; i++) {
            Label label = f->labels[(long)v * f->slot_count + i];
            bool first = true;
            for (int j = 0; j < found && first; j++)
                first = f->group[out[j].pin] != f->group[label.pin];
            if (first) out[found++] = (WfWay){label.pin, label.length};
        }
        for (; found < count; found++) out[found] = (WfWay){-1, HUGE_VAL};
    }
}

WeftResult wf_find_ways(const WeftAllocator* allocator, const WfWayMesh* mesh, int count,
                        WfWay* ways) {
    size_t n = (size_t)mesh->vertex_count, edges = (size_t)mesh->edge_count;
    Finder f = {.allocator = allocator, .mesh = mesh, .slot_count = count * PINS_PER_GROUP};
    f.start = wf_alloc(allocator, n + 1, sizeof(int));
    f.near = wf_alloc(allocator, 2 * edges, sizeof(int));
    f.near_lengths = wf_alloc(allocator, 2 * edges, sizeof(double));
    f.star_start = wf_alloc(allocator, n + 1, sizeof(int));
    f.star = wf_alloc(allocator, 3 * (size_t)mesh->triangle_count, sizeof(int));
    f.group = wf_alloc(allocator, n, sizeof(int));
    f.label_count = wf_alloc(allocator, n, sizeof(int));
    f.labels = wf_alloc(allocator, n * (size_t)f.slot_count, sizeof *f.labels);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (!f.start || !f.near || !f.near_lengths || !f.star_start || !f.star || !f.group ||
        !f.label_count || !f.labels)
        goto done;
    list_neighbours(&f);
    list_stars(&f);
    if (!group_pins(&f) || !spread_all(&f)) goto done;
    copy_ways(&f, count, ways);
    result = WEFT_OK;
done:
    wf_free(allocator, f.start);
    wf_free(allocator, f.near);
    wf_free(allocator, f.near_lengths);
    wf_free(allocator, f.star_start);
    wf_free(allocator, f.star);
    wf_free(allocator, f.group);
    wf_free(allocator, f.label_count);
    wf_free(allocator, f.labels);
    wf_free(allocator, f.heap);
    return result;
}
