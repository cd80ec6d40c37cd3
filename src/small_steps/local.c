// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/local.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "energy/element.h"
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

enum { MOST_NUMBERS = 8 };  // of an element
static void write_spring(const WfTerm* term, int e, float* out) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    out[0] = (float)t->length[e];
    out[1] = wf_compliance(t->stiffness[e]);
}

static void write_triangle(const WfTerm* term, int e, float* out) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    const double* c = t->coefficients + 3 * (long)t->fibres * e;
    const double* k = t->stiffness + (long)t->fibres * e;
    out[0] = (float)c[1], out[1] = (float)c[2];
    out[2] = (float)c[4], out[3] = (float)c[5];
    out[4] = wf_compliance(k[0]), out[5] = wf_compliance(k[1]);
    out[6] = t->fibres > 2 ? wf_compliance(k[2]) : wf_compliance(0);
}

static void write_hinge(const WfTerm* term, int e, float* out) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    for (int a = 0; a < t->arity; a++) out[a] = (float)t->coefficients[(long)t->arity * e + a];
    out[t->arity] = wf_compliance(t->stiffness[e]);
}

// ---------------------------------------------------------------------------------------------
// What a term is made of, for its sweep

typedef struct Form {
    int numbers, begun;
    void (*write)(const WfTerm*, int element, float* out);
    WfLocalSweep* sweep;
    int arity, element_count;
    const int* vertices;
    double zeta;
    const float* given;  // the numbers of all elements, instead of `write`
} Form;

static Form fibre_sweep(const WfFibreTerm* t, const WfSmallKernel* kernel) {
    switch (t->shape) {
        case WF_FIBRE_SPRING:
            return (Form){2, 0, write_spring, kernel->springs, 0, 0, NULL, 0, NULL};
        case WF_FIBRE_AXES:
            return (Form){7, 0, write_triangle, kernel->axes, 0, 0, NULL, 0, NULL};
        case WF_FIBRE_TRIANGLE:
            return (Form){7, 0, write_triangle, kernel->triangles, 0, 0, NULL, 0, NULL};
        case WF_FIBRE_HINGE:
            return (Form){5, 0, write_hinge, kernel->hinges, 0, 0, NULL, 0, NULL};
        default:
            return (Form){4, 0, write_hinge, kernel->joints, 0, 0, NULL, 0, NULL};
    }
}

static Form form_of_fibres(const WfFibreTerm* t, const WfSmallKernel* kernel) {
    Form form = fibre_sweep(t, kernel);
    form.arity = t->arity, form.element_count = t->element_count;
    form.vertices = t->vertices, form.zeta = t->zeta;
    return form;
}

static Form form_of_elements(const WfTerm* term, int numbers, int begun, WfLocalSweep* sweep) {
    const WfElementTerm* t = (const WfElementTerm*)term;
    return (Form){numbers,     begun,    term->type->local_numbers,
                  sweep,       t->arity, t->element_count,
                  t->vertices, t->zeta,  NULL};
}

// Its sweep is NULL where it has none.
static Form form_of(const WfTerm* term) {
    const WfSmallKernel* kernel = wf_small_wide();
    switch (term->type->local) {
        case WF_LOCAL_FIBRES:
            return form_of_fibres((const WfFibreTerm*)term, kernel);
        case WF_LOCAL_STRAIN:
            return form_of_elements(term, 4, 5, kernel->strains);
        case WF_LOCAL_PRODUCT:
            return form_of_elements(term, 5, 0, kernel->products);
        case WF_LOCAL_ANGLE:
            return form_of_elements(term, 3, 2, kernel->angles);
        default:
            return (Form){0};
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
static void fill_batches(const Form* form, const int* colour_of, int vertex_count, int* next,
                         WfLocal* local) {
    for (long k = 0; k < (long)local->batch_count * local->arity * WF_OCT; k++)
        local->vertices[k] = vertex_count + (int)(k % (local->arity * WF_OCT));
    for (long k = 0; k < (long)local->batch_count * WF_OCT; k++) local->elements[k] = -1;
    for (int c = 0; c < local->colour_count; c++) next[c] = WF_OCT * local->colours[c];
    for (int e = 0; e < local->element_count; e++) {
        float numbers[MOST_NUMBERS];
        int place = next[colour_of[e]]++;
        long batch = place / WF_OCT, lane = place % WF_OCT;
        if (form->given)
            memcpy(numbers, form->given + (long)local->numbers * e,
                   (size_t)local->numbers * sizeof(float));
        else
            form->write(local->term, e, numbers);
        local->elements[place] = e;
        for (int a = 0; a < local->arity; a++)
            local->vertices[(batch * local->arity + a) * WF_OCT + lane] =
                form->vertices[(long)local->arity * e + a];
        for (int k = 0; k < local->numbers; k++)
            local->constants[(batch * local->numbers + k) * WF_OCT + lane] = numbers[k];
    }
}

static WeftResult pack(const WeftAllocator* allocator, const Form* form, int vertex_count,
                       WfLocal* local) {
    WeftResult result = WEFT_ERROR_MEMORY;
    int *next = NULL, count = local->element_count;
    int* colour_of = wf_alloc(allocator, (size_t)count, sizeof *colour_of);
    if (!colour_of) goto done;
    local->colour_count =
        choose_colours(allocator, vertex_count, count, form->arity, form->vertices, colour_of);
    if (local->colour_count < 0) goto done;
    size_t colours = (size_t)local->colour_count;
    local->colours = wf_alloc(allocator, colours + 1, sizeof *local->colours);
    next = wf_alloc(allocator, colours, sizeof *next);
    if (!local->colours || !next) goto done;
    local->batch_count = place_colours(colour_of, count, local->colour_count, local->colours);
    size_t lanes = WF_OCT * (size_t)local->batch_count;
    local->vertices = wf_alloc(allocator, lanes * (size_t)local->arity, sizeof(int));
    local->elements = wf_alloc(allocator, lanes, sizeof(int));
    local->constants = wf_alloc(allocator, lanes * (size_t)local->numbers, sizeof(float));
    if (!local->vertices || !local->elements || !local->constants) goto done;
    fill_batches(form, colour_of, vertex_count, next, local);
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
    WfAcrossView across = {0};
    if (term->type->local == WF_LOCAL_ACROSS) {
        across = wf_across_view(term);
        term = across.inner;
        vertex_count = across.count;
    }
    Form form = form_of(term);
    *local = (WfLocal){.term = term, .sweep = form.sweep, .across = across};
    if (!form.sweep) return WEFT_OK;
    local->arity = form.arity;
    local->numbers = form.numbers;
    local->begun = form.begun;
    local->element_count = form.element_count;
    local->zeta = (float)form.zeta;
    if (term->type->local == WF_LOCAL_FIBRES) {
        const WfFibreTerm* t = (const WfFibreTerm*)term;
        local->give = t->gives ? (float)gives[term->portion] : 0;
        local->one_sided = t->one_sided;
    }
    return pack(allocator, &form, vertex_count, local);
}

WeftResult wf_local_create_pulls(const WeftAllocator* allocator, const WfPulls* pulls,
                                 int vertex_count, WfLocal* local) {
    Form form = {.arity = 2, .vertices = pulls->vertices, .given = pulls->numbers};
    *local = (WfLocal){.sweep = wf_small_wide()->pulls,
                       .arity = 2,
                       .numbers = WF_PULL_NUMBERS,
                       .element_count = pulls->count};
    return pack(allocator, &form, vertex_count, local);
}

void wf_local_destroy(const WeftAllocator* allocator, WfLocal* local) {
    wf_free(allocator, local->colours);
    wf_free(allocator, local->vertices);
    wf_free(allocator, local->elements);
    wf_free(allocator, local->constants);
    *local = (WfLocal){0};
}

size_t wf_local_bytes(const WfLocal* local) {
    return (size_t)local->batch_count * WF_OCT *
               ((size_t)(local->arity + 1) * sizeof(int) + (size_t)local->numbers * sizeof(float)) +
           ((size_t)local->colour_count + 1) * sizeof(int);
}

long wf_local_begun_count(const WfLocal* local) {
    return (long)local->begun * WF_OCT * local->batch_count;
}

// Idle lanes stay as they are: 0.
void wf_local_begin(const WfLocal* local, const WfTermSpace* space, const double* x, float* begun) {
    if (local->begun == 0) return;
    for (long place = 0; place < (long)WF_OCT * local->batch_count; place++) {
        float numbers[MOST_NUMBERS];
        long batch = place / WF_OCT, lane = place % WF_OCT;
        if (local->elements[place] < 0) continue;
        local->term->type->local_begin(local->term, space, x, local->elements[place], numbers);
        for (int k = 0; k < local->begun; k++)
            begun[local->begun_at + (batch * local->begun + k) * WF_OCT + lane] = numbers[k];
    }
}

void wf_local_run(const WfLocal* local, const WfLocalJob* job, bool backwards) {
    if (!local->sweep || local->batch_count == 0) return;
    for (int k = 0; k < local->colour_count; k++) {
        int c = backwards ? local->colour_count - 1 - k : k;
        local->sweep(local, job, local->colours[c], local->colours[c + 1]);
    }
}
