// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/local.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "energy/fibre.h"
#include "small_steps/kernel.h"

// ---------------------------------------------------------------------------------------------
// Colours

enum { COLOURS_AT_ONCE = 64 };

// The lowest colour, of COLOURS_AT_ONCE from `from` on, that no element at these vertices has; -1:
// none of them is left.
static int free_colour(const uint64_t* used, const int* vertices, int arity, int from) {
    uint64_t taken = 0;
    for (int a = 0; a < arity; a++) taken |= used[vertices[a]];
    for (int c = 0; c < COLOURS_AT_ONCE; c++)
        if (!(taken >> c & 1)) return from + c;
    return -1;
}

// One after the other, each the first colour that is free. Returns how many there are; -1 without
// memory.
static int choose_colours(const WeftAllocator* allocator, int vertex_count, int count, int arity,
                          const int* vertices, int* colours) {
    uint64_t* used = wf_alloc(allocator, (size_t)vertex_count, sizeof *used);
    int most = 0, left = count;
    if (!used) return -1;
    for (int e = 0; e < count; e++) colours[e] = -1;
    for (int from = 0; left > 0; from += COLOURS_AT_ONCE) {
        memset(used, 0, (size_t)vertex_count * sizeof *used);
        for (int e = 0; e < count; e++) {
            const int* v = vertices + (long)arity * e;
            int c = colours[e] < 0 ? free_colour(used, v, arity, from) : -1;
            if (c < 0) continue;
            colours[e] = c;
            left--;
            most = c + 1 > most ? c + 1 : most;
            for (int a = 0; a < arity; a++) used[v[a]] |= (uint64_t)1 << (c - from);
        }
    }
    wf_free(allocator, used);
    return most;
}

// ---------------------------------------------------------------------------------------------
// Fibres as elements

static const float NO_STIFFNESS = 1e20f;  // 1/k of what has none

static float inverse(double stiffness) {
    return stiffness > 1 / (double)NO_STIFFNESS ? (float)(1 / stiffness) : NO_STIFFNESS;
}

static void write_spring(const WfFibreTerm* t, int e, float* out) {
    out[0] = (float)t->length[e];
    out[1] = inverse(t->stiffness[e]);
}

static void write_triangle(const WfFibreTerm* t, int e, float* out) {
    const double* c = t->coefficients + 3 * (long)t->fibres * e;
    const double* k = t->stiffness + (long)t->fibres * e;
    out[0] = (float)c[1], out[1] = (float)c[2];
    out[2] = (float)c[4], out[3] = (float)c[5];
    out[4] = inverse(k[0]), out[5] = inverse(k[1]);
    out[6] = t->fibres > 2 ? inverse(k[2]) : NO_STIFFNESS;
}

static void write_hinge(const WfFibreTerm* t, int e, float* out) {
    for (int a = 0; a < t->arity; a++) out[a] = (float)t->coefficients[(long)t->arity * e + a];
    out[t->arity] = inverse(t->stiffness[e]);
}

typedef struct Form {
    int numbers;
    void (*write)(const WfFibreTerm*, int element, float* out);
    WfLocalSweep* sweep;
} Form;

static Form form_of(const WfFibreTerm* t) {
    const WfSmallKernel* kernel = wf_small_wide();
    switch (t->shape) {
        case WF_FIBRE_SPRING:
            return (Form){2, write_spring, kernel->springs};
        case WF_FIBRE_AXES:
            return (Form){7, write_triangle, kernel->axes};
        case WF_FIBRE_TRIANGLE:
            return (Form){7, write_triangle, kernel->triangles};
        case WF_FIBRE_HINGE:
            return (Form){5, write_hinge, kernel->hinges};
        default:
            return (Form){4, write_hinge, kernel->joints};
    }
}

// ---------------------------------------------------------------------------------------------
// Batches

// Where the elements of each colour go: colours[c] becomes the first batch of colour c. Returns how
// many batches there are.
static int place_colours(const int* colour_of, int count, int colour_count, int* colours) {
    memset(colours, 0, ((size_t)colour_count + 1) * sizeof *colours);
    for (int e = 0; e < count; e++) colours[colour_of[e] + 1]++;
    for (int c = 0; c < colour_count; c++)
        colours[c + 1] = colours[c] + (colours[c + 1] + WF_OCT - 1) / WF_OCT;
    return colours[colour_count];
}

// Idle lanes first, then the elements in their order. next: scratch, per colour.
static void fill_batches(const WfFibreTerm* t, const Form* form, const int* colour_of,
                         int vertex_count, int* next, WfLocal* local) {
    for (long k = 0; k < (long)local->batch_count * local->arity * WF_OCT; k++)
        local->vertices[k] = vertex_count + (int)(k % (local->arity * WF_OCT));
    for (int c = 0; c < local->colour_count; c++) next[c] = WF_OCT * local->colours[c];
    for (int e = 0; e < t->element_count; e++) {
        float numbers[WF_MOST_LOCAL_VERTICES + 4];
        int place = next[colour_of[e]]++;
        long batch = place / WF_OCT, lane = place % WF_OCT;
        form->write(t, e, numbers);
        for (int a = 0; a < local->arity; a++)
            local->vertices[(batch * local->arity + a) * WF_OCT + lane] =
                t->vertices[(long)local->arity * e + a];
        for (int k = 0; k < local->numbers; k++)
            local->constants[(batch * local->numbers + k) * WF_OCT + lane] = numbers[k];
    }
}

static WeftResult pack(const WeftAllocator* allocator, const WfFibreTerm* t, int vertex_count,
                       WfLocal* local) {
    Form form = form_of(t);
    WeftResult result = WEFT_ERROR_MEMORY;
    int* next = NULL;
    int* colour_of = wf_alloc(allocator, (size_t)t->element_count, sizeof *colour_of);
    if (!colour_of) goto done;
    local->sweep = form.sweep;
    local->arity = t->arity;
    local->numbers = form.numbers;
    local->element_count = t->element_count;
    local->colour_count =
        choose_colours(allocator, vertex_count, t->element_count, t->arity, t->vertices, colour_of);
    if (local->colour_count < 0) goto done;
    size_t colours = (size_t)local->colour_count;
    local->colours = wf_alloc(allocator, colours + 1, sizeof *local->colours);
    next = wf_alloc(allocator, colours, sizeof *next);
    if (!local->colours || !next) goto done;
    local->batch_count =
        place_colours(colour_of, t->element_count, local->colour_count, local->colours);
    size_t lanes = WF_OCT * (size_t)local->batch_count;
    local->vertices = wf_alloc(allocator, lanes * (size_t)local->arity, sizeof(int));
    local->constants = wf_alloc(allocator, lanes * (size_t)local->numbers, sizeof(float));
    if (!local->vertices || !local->constants) goto done;
    fill_batches(t, &form, colour_of, vertex_count, next, local);
    result = WEFT_OK;
done:
    wf_free(allocator, colour_of);
    wf_free(allocator, next);
    if (result) wf_local_destroy(allocator, local);
    return result;
}

// ---------------------------------------------------------------------------------------------

const char* wf_local_refusal(const WfTerm* term) {
    return term->type->local == WF_LOCAL_NONE ? term->type->name : NULL;
}

WeftResult wf_local_create(const WeftAllocator* allocator, const WfTerm* term, int vertex_count,
                           const double* gives, WfLocal* local) {
    *local = (WfLocal){.term = term};
    if (term->type->local != WF_LOCAL_FIBRES) return WEFT_OK;
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    local->zeta = (float)t->zeta;
    local->give = t->gives ? (float)gives[term->portion] : 0;
    local->one_sided = t->one_sided;
    return pack(allocator, t, vertex_count, local);
}

void wf_local_destroy(const WeftAllocator* allocator, WfLocal* local) {
    wf_free(allocator, local->colours);
    wf_free(allocator, local->vertices);
    wf_free(allocator, local->constants);
    *local = (WfLocal){0};
}

size_t wf_local_bytes(const WfLocal* local) {
    return (size_t)local->batch_count * WF_OCT *
               ((size_t)local->arity * sizeof(int) + (size_t)local->numbers * sizeof(float)) +
           ((size_t)local->colour_count + 1) * sizeof(int);
}

void wf_local_run(const WfLocal* local, const WfLocalJob* job, bool backwards) {
    if (!local->sweep || local->batch_count == 0) return;
    int last = local->batch_count - 1;
    local->sweep(local, job, backwards ? last : 0, backwards ? 0 : last);
}
