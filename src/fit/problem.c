// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "fit/problem.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

const double wf_least_noise = 1e-7;
static const double difference = 1e-4;  // of steps, for derivatives
static const double most_weight = 1e6;  // 1/m, of a test whose marks have hardly moved

// ---------------------------------------------------------------------------------------------
// Create

static void lay_out(WfProblem* p, const WeftMeasurements* m, WeftTestKind kind, WfArena* arena) {
    size_t values = (size_t)p->table->count, rows = (size_t)p->row_count;
    p->trials = wf_arena_push(arena, (size_t)p->trial_count, sizeof *p->trials);
    p->weights = wf_arena_push(arena, (size_t)p->trial_count, sizeof *p->weights);
    p->rows = wf_arena_push(arena, rows, sizeof *p->rows);
    p->next = wf_arena_push(arena, rows, sizeof *p->next);
    p->jacobian = wf_arena_push(arena, rows * values, sizeof *p->jacobian);
    for (int i = 0, next = 0; i < m->test_count; i++)
        if (m->tests[i].kind == kind) {
            WfTrial* trial = p->trials ? &p->trials[next++] : NULL;
            wf_trial_layout(trial, &m->tests[i], arena);
        }
}

// A test counts by one over how far it has moved its marks, so that small weights, which tell of
// small strain, are not drowned.
static void weigh_trials(WfProblem* p) {
    double sum = 0;
    for (int i = 0; i < p->trial_count; i++) {
        const WeftTest* test = p->trials[i].test;
        double square = 0, rest[2];
        for (int k = 0; k < test->mark_count; k++) {
            wf_trial_see_rest(&p->trials[i], k, rest);
            double x = test->marks[k].x - rest[0], y = test->marks[k].y - rest[1];
            square += x * x + y * y;
        }
        p->weights[i] = fmin(1 / sqrt(square / test->mark_count), most_weight);
        sum += p->weights[i];
    }
    for (int i = 0; i < p->trial_count; i++) p->weights[i] *= p->trial_count / sum;
}

WeftResult wf_problem_create(WfProblem* p, const WfTable* table, WeftTestKind kind,
                             const WeftMeasurements* m, const WeftAllocator* allocator,
                             WeftError* error) {
    WfArena arena = {0};
    *p = (WfProblem){.table = table, .measured.reference_strain = m->reference_strain};
    for (int i = 0; i < m->test_count; i++) {
        if (m->tests[i].kind != kind) continue;
        p->trial_count++;
        p->mark_count += m->tests[i].mark_count;
    }
    p->row_count = 2 * p->mark_count + table->tie_count;
    lay_out(p, m, kind, &arena);
    if (!wf_arena_create(&p->arena, allocator, arena.used)) return wf_fail_memory(error);
    arena = p->arena;
    lay_out(p, m, kind, &arena);
    for (int i = 0; i < p->trial_count; i++) wf_trial_init(&p->trials[i], m);
    weigh_trials(p);
    return WEFT_OK;
}

void wf_problem_destroy(WfProblem* p, const WeftAllocator* allocator) {
    wf_arena_destroy(&p->arena, allocator);
}

// ---------------------------------------------------------------------------------------------
// Rows

// How far a trial of this shape has its marks from where they were seen. Returns the rows that
// follow.
static double* fill_marks(const WfProblem* p, int i, const double* shape, double* rows) {
    const WeftTest* test = p->trials[i].test;
    double by = sqrt(p->weights[i]) / p->noise;
    for (int k = 0; k < test->mark_count; k++, rows += 2) {
        double place[2];
        wf_trial_see(&p->trials[i], shape, k, place);
        rows[0] = by * (place[0] - test->marks[k].x);
        rows[1] = by * (place[1] - test->marks[k].y);
    }
    return rows;
}

static void fill_ties(const WfProblem* p, const WeftMeasured* measured, double* rows) {
    WeftMeasured copy = *measured;
    p->table->tie(p->table->values(&copy), p->variation, rows);
}

static void fill_rows(WfProblem* p) {
    double* rows = p->rows;
    for (int i = 0; i < p->trial_count; i++) rows = fill_marks(p, i, p->trials[i].shape, rows);
    fill_ties(p, &p->measured, rows);
}

bool wf_problem_try(WfProblem* p, const WeftMeasured* measured) {
    double* rows = p->next;
    for (int i = 0; i < p->trial_count; i++) {
        if (!wf_trial_run(&p->trials[i], measured)) return false;
        rows = fill_marks(p, i, p->trials[i].next, rows);
    }
    fill_ties(p, measured, rows);
    return true;
}

void wf_problem_accept(WfProblem* p, const WeftMeasured* measured) {
    p->measured = *measured;
    for (int i = 0; i < p->trial_count; i++) wf_trial_accept(&p->trials[i]);
    memcpy(p->rows, p->next, (size_t)p->row_count * sizeof *p->rows);
}

double wf_problem_cost(const WfProblem* p, const double* rows) {
    double sum = 0;
    for (int i = 0; i < p->row_count; i++) sum += rows[i] * rows[i];
    return sum;
}

void wf_problem_set_noise(WfProblem* p, double noise) {
    p->noise = fmax(noise, wf_least_noise);
    fill_rows(p);
}

double wf_problem_residual(const WfProblem* p) {
    const double* row = p->rows;
    double sum = 0;
    for (int i = 0; i < p->trial_count; i++)
        for (int k = 0; k < p->trials[i].test->mark_count; k++, row += 2)
            sum += (row[0] * row[0] + row[1] * row[1]) / p->weights[i];
    return sum * p->noise * p->noise / p->mark_count;
}

// ---------------------------------------------------------------------------------------------
// Start

static bool start_trials(WfProblem* p, const WeftMeasured* measured) {
    for (int i = 0; i < p->trial_count; i++)
        if (!wf_trial_start(&p->trials[i], measured)) return false;
    p->measured = *measured;
    fill_rows(p);
    return true;
}

// The best of tables that are the same everywhere, from stiff to soft: soft ones are slow, or find
// no equilibrium at all.
static bool search_start(WfProblem* p) {
    WeftMeasured trial = p->measured, best = trial;
    double least = HUGE_VAL;
    for (double k = p->table->most; k >= p->table->least; k /= 3) {
        p->table->fill(k, p->table->values(&trial));
        if (!start_trials(p, &trial)) break;
        double residual = wf_problem_residual(p);
        if (residual > 2 * least) break;
        if (residual < least) best = trial;
        least = fmin(least, residual);
    }
    return start_trials(p, &best);
}

bool wf_problem_start(WfProblem* p, const WeftMeasured* start) {
    if (!start) return search_start(p);
    WeftMeasured moved = p->measured, copy = *start;
    const double none[WF_MAX_VALUES] = {0};
    p->table->move(p->table->values(&copy), none, p->table->values(&moved));
    return start_trials(p, &moved);
}

// ---------------------------------------------------------------------------------------------
// Derivatives

void wf_move_freely(const WfTable* table, const double* values, const double* step, double* to) {
    for (int k = 0; k < table->count; k++) to[k] = values[k] + table->scale(values, k) * step[k];
}

void wf_move_properly(const WfTable* table, const double* values, const double* step, double* to) {
    table->move(values, step, to);
}

// Rows from `first` on have become p->next, by a step in value k.
static void fill_column(WfProblem* p, int first, int end, int k) {
    for (int i = first; i < end; i++)
        p->jacobian[i * p->table->count + k] = (p->next[i] - p->rows[i]) / difference;
}

bool wf_problem_differentiate(WfProblem* p, WfMove* move) {
    double shapes[WF_MAX_VALUES * WF_TRIAL_SHAPE];
    WeftMeasured moved[WF_MAX_VALUES];
    const WfTable* table = p->table;
    int row = 0;
    for (int k = 0; k < table->count; k++) {
        double step[WF_MAX_VALUES] = {0};
        step[k] = difference;
        moved[k] = p->measured;
        move(table, table->values(&p->measured), step, table->values(&moved[k]));
    }
    for (int i = 0; i < p->trial_count; i++) {
        const WfTrial* trial = &p->trials[i];
        int end = row + 2 * trial->test->mark_count;
        if (!wf_trial_shift(trial, &p->measured, table->count, moved, shapes)) return false;
        for (int k = 0; k < table->count; k++) {
            fill_marks(p, i, shapes + k * wf_trial_size(trial), p->next + row);
            fill_column(p, row, end, k);
        }
        row = end;
    }
    for (int k = 0; k < table->count; k++) {
        fill_ties(p, &moved[k], p->next + row);
        fill_column(p, row, p->row_count, k);
    }
    return true;
}
