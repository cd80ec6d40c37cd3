// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/system.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/parallel.h"
#include "energy/joins.h"
#include "sparse/order.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Patterns: gather the pairs of some terms, then compress

// which terms: linear, nonlinear, and of them also those that are explicit; and of which of the two
// matrices of a half
enum { LINEAR = 1, NONLINEAR = 2, EXPLICIT = 4, ALONG_NORMAL = 8 };

static bool selected(const WfTerm* term, int kinds) {
    if (!term->type->pairs || (term->is_explicit && !(kinds & EXPLICIT))) return false;
    return (term->type->kind == WF_TERM_LINEAR && (kinds & LINEAR)) ||
           (term->type->kind == WF_TERM_NONLINEAR && (kinds & NONLINEAR));
}

static void visit_joins(const WfSystem* s, int kinds, WfJoins* list) {
    for (int t = 0; t < s->term_count; t++)
        if (selected(s->terms[t], kinds))
            s->terms[t]->type->pairs(s->terms[t], wf_visit_join, list);
}

static WeftResult gather_joins(const WfSystem* s, int kinds, WfJoins* list) {
    *list = (WfJoins){0};
    visit_joins(s, kinds, list);
    if (!wf_keep_joins(&s->allocator, list)) return WEFT_ERROR_MEMORY;
    visit_joins(s, kinds, list);
    return WEFT_OK;
}

static WeftResult make_pattern(const WfSystem* s, int kinds, WfPattern* pattern) {
    WfJoins list;
    WeftResult result = gather_joins(s, kinds, &list);
    if (!result)
        result = wf_pattern_create(&s->allocator, s->vertex_count, list.count, list.pairs, pattern);
    wf_free(&s->allocator, list.pairs);
    return result;
}

static WeftResult make_blocks(WfSystem* s) {
    WfJoins list;
    WeftResult result = gather_joins(s, NONLINEAR, &list);
    if (!result)
        result = wf_block_pattern_create(&s->allocator, s->vertex_count, list.count, list.pairs,
                                         &s->blocks);
    wf_free(&s->allocator, list.pairs);
    for (int t = 0; t < s->term_count && !result; t++)
        if (selected(s->terms[t], NONLINEAR))
            result = s->terms[t]->type->bind(&s->allocator, s->terms[t], &s->blocks);
    if (!result) result = wf_rows_create(&s->allocator, &s->blocks, &s->linear_pattern, &s->rows);
    if (!result) result = wf_sweep_create(&s->allocator, &s->rows, &s->sweep);
    return result;
}

// Rows whose entries differ along the normal of a mirror: those across, those in its plane, which
// are taken out there, and all that these have entries with. NULL with good: there is no mirror.
static unsigned char* find_differing(const WfSystem* s, bool* good) {
    *good = true;
    if (!wf_system_is_half(s)) return NULL;
    unsigned char* differs = wf_alloc(&s->allocator, (size_t)s->vertex_count, 1);
    *good = differs != NULL;
    for (int k = 0; k < s->across_count && differs; k++) differs[s->across[k]] = 1;
    for (int k = 0; k < s->mirror.count && differs; k++) {
        int i = s->mirror.rows[k];
        for (int e = s->pattern.start[i]; e < s->pattern.start[i + 1]; e++)
            differs[s->pattern.index[e]] = 1;
    }
    return differs;
}

// The order of elimination as asked for, or `given`.
static WeftResult find_order(WfSystem* s, WeftOrdering ordering, const double* positions,
                             const unsigned char* differs, const int* given, int* order) {
    static const WfOrdering kinds[] = {
        [WEFT_ORDERING_NATURAL] = WF_ORDER_NATURAL,
        [WEFT_ORDERING_CUTHILL_MCKEE] = WF_ORDER_CUTHILL_MCKEE,
        [WEFT_ORDERING_REVERSE_CUTHILL_MCKEE] = WF_ORDER_REVERSE_CUTHILL_MCKEE,
        [WEFT_ORDERING_MINIMUM_DEGREE] = WF_ORDER_MINIMUM_DEGREE,
        [WEFT_ORDERING_NESTED_DISSECTION] = WF_ORDER_NESTED_DISSECTION,
    };
    bool automatic = ordering == WEFT_ORDERING_AUTO;
    s->ordering = automatic ? WEFT_ORDERING_NESTED_DISSECTION : ordering;
    if (!given)
        return wf_order(&s->allocator, kinds[s->ordering], &s->pattern, positions, differs, order);
    memcpy(order, given, (size_t)s->vertex_count * sizeof *order);
    return WEFT_OK;
}

static WeftResult make_cholesky(WfSystem* s, WeftOrdering ordering, const double* positions,
                                const int* given) {
    int* order = wf_alloc(&s->allocator, (size_t)s->vertex_count, sizeof *order);
    if (!order) return WEFT_ERROR_MEMORY;
    double start = wf_now(s);
    bool good;
    unsigned char* differs = find_differing(s, &good);
    WeftResult result =
        good ? find_order(s, ordering, positions, differs, given, order) : WEFT_ERROR_MEMORY;
    double ordered = wf_now(s);
    if (!result)
        result = wf_cholesky_create(&s->allocator, &s->pattern, order, differs, &s->cholesky);
    wf_free(&s->allocator, differs);
    s->order_time = ordered - start;
    s->analysis_time = wf_now(s) - ordered;
    wf_free(&s->allocator, order);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Matrices

static void add_masses(const WfSystem* s, const WfPattern* pattern, double* values) {
    for (int i = 0; i < s->vertex_count; i++)
        values[wf_pattern_find(pattern, i, i)] += s->masses[i];
}

// values += square * (majorants of the terms, softened by scales)
static void add_majorants(const WfSystem* s, int kinds, const WfPattern* pattern, double gamma,
                          double square, const double* scales, double* values) {
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        if (!selected(term, kinds)) continue;
        double soft = term->softens && scales ? scales[term->portion] : 1;
        if ((kinds & ALONG_NORMAL) && term->type->normal_majorant)
            term->type->normal_majorant(term, gamma, square * soft, pattern, values);
        else if (soft < 1 && term->type->softened_majorant)
            term->type->softened_majorant(term, gamma, 1 / soft, square * soft, pattern, values);
        else
            term->type->majorant(term, gamma, square * soft, pattern, values);
    }
}

// The majorants of linear terms are gamma^2 K + gamma D. Apart, so that another gamma costs a pass
// and no search: steps under a budget change their substeps, and pay for it at once.
WeftResult wf_system_split_stiffness(WfSystem* s) {
    const WfPattern* pattern = &s->linear_pattern;
    size_t count = (size_t)pattern->start[s->vertex_count];
    for (int t = 0; t < s->term_count; t++)
        if (selected(s->terms[t], LINEAR) && s->terms[t]->softens) return WEFT_OK;
    s->stiffness = wf_alloc(&s->allocator, count, sizeof(double));
    s->damping = wf_alloc(&s->allocator, count, sizeof(double));
    if (!s->stiffness || !s->damping) return WEFT_ERROR_MEMORY;
    add_majorants(s, LINEAR, pattern, HUGE_VAL, 1, NULL, s->stiffness);
    return WEFT_OK;
}

void wf_system_split_damping(WfSystem* s) {
    const WfPattern* pattern = &s->linear_pattern;
    int count = pattern->start[s->vertex_count];
    if (!s->stiffness) return;
    add_majorants(s, LINEAR, pattern, 1, 1, NULL, s->damping);
    for (int e = 0; e < count; e++) s->damping[e] -= s->stiffness[e];
}

void wf_system_linear(const WfSystem* s, double gamma, const double* scales, double* values) {
    const WfPattern* pattern = &s->linear_pattern;
    int count = pattern->start[s->vertex_count];
    if (s->stiffness) {
        for (int e = 0; e < count; e++)
            values[e] = gamma * (gamma * s->stiffness[e] + s->damping[e]);
        add_masses(s, pattern, values);
        return;
    }
    memset(values, 0, (size_t)count * sizeof *values);
    add_masses(s, pattern, values);
    add_majorants(s, LINEAR, pattern, gamma, gamma * gamma, scales, values);
}

static void fill_matrix(const WfSystem* s, int kinds, double gamma, const double* scales,
                        double* values) {
    memset(values, 0, (size_t)s->pattern.start[s->vertex_count] * sizeof *values);
    add_majorants(s, kinds, &s->pattern, gamma, gamma * gamma, scales, values);
    add_masses(s, &s->pattern, values);
}

void wf_system_matrix(const WfSystem* s, double gamma, const double* scales, double* values) {
    fill_matrix(s, LINEAR | NONLINEAR, gamma, scales, values);
}

void wf_system_normal_matrix(const WfSystem* s, double gamma, const double* scales,
                             double* values) {
    fill_matrix(s, LINEAR | NONLINEAR | ALONG_NORMAL, gamma, scales, values);
}

// By Gershgorin no eigenvalue of M^-1 K exceeds the largest row sum of |K| over the mass; of M^-1
// D, the damping, likewise. At gamma = 1 s the majorants are K + D.
static double largest_row(const WfSystem* s, const WfPattern* pattern, double gamma,
                          double* values) {
    double largest = 0;
    memset(values, 0, (size_t)pattern->start[s->vertex_count] * sizeof *values);
    add_majorants(s, LINEAR | NONLINEAR | EXPLICIT, pattern, gamma, 1, NULL, values);
    for (int i = 0; i < s->vertex_count; i++) {
        double sum = 0;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) sum += fabs(values[e]);
        largest = fmax(largest, sum / s->masses[i]);
    }
    return largest;
}

// Whether what is factored has a place for all that is bounded.
static bool covers_all(const WfSystem* s) {
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]->is_explicit && selected(s->terms[t], LINEAR | NONLINEAR | EXPLICIT))
            return false;
    return s->matrices == WEFT_MATRICES_ALL;
}

// The same at `gamma`, into *largest.
static WeftResult bound(const WfSystem* s, double gamma, double* largest) {
    WfPattern own = {0};
    bool shared = covers_all(s);
    WeftResult result = shared ? WEFT_OK : make_pattern(s, LINEAR | NONLINEAR | EXPLICIT, &own);
    if (result) return result;
    const WfPattern* pattern = shared ? &s->pattern : &own;
    double* values =
        wf_alloc(&s->allocator, (size_t)pattern->start[s->vertex_count], sizeof *values);
    if (values) *largest = largest_row(s, pattern, gamma, values);
    wf_free(&s->allocator, values);
    wf_pattern_destroy(&s->allocator, &own);
    return values ? WEFT_OK : WEFT_ERROR_MEMORY;
}

WeftResult wf_system_bound_stiffness(WfSystem* s) {
    return bound(s, HUGE_VAL, &s->stiffness_bound);
}

WeftResult wf_system_bound_damping(WfSystem* s) {
    WeftResult result = bound(s, 1, &s->damping_bound);
    s->damping_bound -= s->stiffness_bound;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Life

static void survey_terms(WfSystem* s) {
    s->partial_count = (size_t)wf_vector_blocks(3 * s->vertex_count);
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        size_t memory, scratch, partial;
        term->type->count(term, &memory, &scratch, &partial);
        if (partial > s->partial_count) s->partial_count = partial;
        if (term->predicts) s->predicting = term;
        if (!selected(term, NONLINEAR)) continue;
        if (!term->is_linear) s->has_nonlinear = true;
        if (term->type->unbounded) s->unmajorised = term;
    }
}

WeftResult wf_system_create(WfSystem* s, int vertex_count, int portion_count, double* masses,
                            WfTerm** terms, int term_count, WeftMatrices matrices) {
    s->vertex_count = vertex_count;
    s->portion_count = portion_count;
    s->masses = masses;
    s->terms = terms;
    s->term_count = term_count;
    s->matrices = matrices;
    survey_terms(s);
    WeftResult result = make_pattern(s, LINEAR, &s->linear_pattern);
    if (result) wf_system_destroy(s);
    return result;
}

WeftResult wf_system_block(WfSystem* s) {
    return s->matrices == WEFT_MATRICES_NONE ? WEFT_OK : make_blocks(s);
}

WeftResult wf_system_join(WfSystem* s) {
    if (s->matrices != WEFT_MATRICES_ALL) return WEFT_OK;
    return make_pattern(s, LINEAR | NONLINEAR, &s->pattern);
}

WeftResult wf_system_analyse(WfSystem* s, WeftOrdering ordering, const double* positions,
                             const int* order) {
    if (s->matrices != WEFT_MATRICES_ALL) return WEFT_OK;
    return make_cholesky(s, ordering, positions, order);
}

void wf_system_destroy(WfSystem* s) {
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]) s->terms[t]->type->destroy(&s->allocator, s->terms[t]);
    wf_free(&s->allocator, s->terms);
    wf_free(&s->allocator, s->masses);
    wf_pattern_destroy(&s->allocator, &s->linear_pattern);
    wf_free(&s->allocator, s->stiffness);
    wf_free(&s->allocator, s->damping);
    wf_pattern_destroy(&s->allocator, &s->pattern);
    wf_block_pattern_destroy(&s->allocator, &s->blocks);
    wf_rows_destroy(&s->allocator, &s->rows);
    wf_sweep_destroy(&s->allocator, &s->sweep);
    wf_cholesky_destroy(&s->allocator, &s->cholesky);
    wf_free(&s->allocator, (int*)s->mirror.rows);
    wf_free(&s->allocator, (unsigned char*)s->mirror.contains);
    wf_free(&s->allocator, s->across);
    s->mirror.rows = NULL;
    s->mirror.contains = NULL;
    s->across = NULL;
    s->terms = NULL;
    s->masses = s->stiffness = s->damping = NULL;
    s->term_count = 0;
}

double wf_now(const WfSystem* s) { return wf_clock_now(&s->clock); }
