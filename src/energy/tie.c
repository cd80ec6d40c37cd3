// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "energy/tie.h"

#include <math.h>

WfVec wf_tie_point(const WfTie* tie, const double* x) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < tie->count; k++)
        sum = wf_madd(sum, tie->weights[k], wf_load(x, tie->vertices[k]));
    return sum;
}

// What is left of the stiffness at a distance.
static double slope_at(const WfTie* tie, double distance) {
    bool gives = tie->most > 0 && tie->stiffness * distance > tie->most;
    return gives ? tie->most / distance : tie->stiffness;
}

static double energy_at(const WfTie* tie, double distance) {
    double k = tie->stiffness, most = tie->most;
    if (!(most > 0) || k * distance <= most) return k * distance * distance / 2;
    return most * (distance - most / (2 * k));
}

static WfVec offset_of(const WfTie* tie, const double* x) {
    return wf_sub(wf_tie_point(tie, x), tie->target);
}

static double distance_of(const WfTie* tie, WfVec e) {
    return tie->is_line ? wf_dot(tie->normal, e) : wf_length(e);
}

double wf_tie_distance(const WfTie* tie, const double* x) {
    return distance_of(tie, offset_of(tie, x));
}

// H e is scale * vector, for the slope that there is.
typedef struct Pull {
    double scale;
    WfVec vector;
} Pull;

static Pull pull_of(const WfTie* tie, double slope, WfVec e) {
    if (!tie->is_line) return (Pull){slope, e};
    double along = wf_dot(tie->normal, e);
    return (Pull){1, wf_madd(wf_mul(tie->across, e), (slope - tie->across) * along, tie->normal)};
}

WfVec wf_tie_force(const WfTie* tie, const double* x) {
    WfVec e = offset_of(tie, x);
    Pull pull = pull_of(tie, slope_at(tie, fabs(distance_of(tie, e))), e);
    return wf_mul(-pull.scale, pull.vector);
}

static double energy_across(const WfTie* tie, WfVec e) {
    if (!tie->is_line) return 0;
    double along = wf_dot(tie->normal, e);
    return tie->across / 2 * (wf_dot(e, e) - along * along);
}

double wf_ties_evaluate(const WfTies* ties, const double* x, double scale, double* f) {
    double sum = 0;
    for (int t = 0; t < ties->count; t++) {
        WfTie* tie = &ties->all[t];
        WfVec e = offset_of(tie, x);
        double distance = fabs(distance_of(tie, e));
        sum += energy_at(tie, distance) + energy_across(tie, e);
        if (!f) continue;
        tie->slope = slope_at(tie, distance);
        Pull pull = pull_of(tie, tie->slope, e);
        for (int k = 0; k < tie->count; k++)
            wf_accumulate(f, tie->vertices[k], -scale * pull.scale * tie->weights[k], pull.vector);
    }
    return sum;
}

void wf_ties_product(const WfTies* ties, double scale, const double* p, double* q) {
    for (int t = 0; t < ties->count; t++) {
        const WfTie* tie = &ties->all[t];
        Pull pull = pull_of(tie, tie->slope, wf_tie_point(tie, p));
        for (int k = 0; k < tie->count; k++)
            wf_accumulate(q, tie->vertices[k], scale * pull.scale * tie->weights[k], pull.vector);
    }
}

static void add_isotropic(double* block, double value) {
    block[0] += value;
    block[3] += value;
    block[5] += value;
}

// What stands before H of a tie: its slope, and 1 of a line, whose H has both stiffnesses.
static double scale_of(const WfTie* tie) { return tie->is_line ? 1 : tie->slope; }

// block += value/scale_of H
static void add_stiffness(double* block, const WfTie* tie, double value) {
    if (tie->is_line)
        wf_sym_add(block, value * tie->across, value * (tie->slope - tie->across), tie->normal);
    else
        add_isotropic(block, value);
}

// The sum of a row of |w w^T|, times the scale.
static double row_sum(const WfTie* tie, double scale, int row) {
    double all = 0;
    for (int k = 0; k < tie->count; k++) all += fabs(tie->weights[k]);
    return scale * fabs(tie->weights[row]) * all;
}

void wf_ties_row_sums(const WfTies* ties, double scale, double* sums) {
    for (int t = 0; t < ties->count; t++) {
        const WfTie* tie = &ties->all[t];
        double most = tie->is_line ? fmax(tie->slope, tie->across) : tie->slope;
        for (int k = 0; k < tie->count; k++)
            sums[tie->vertices[k]] += scale * row_sum(tie, most, k);
    }
}

void wf_ties_diagonal(const WfTies* ties, double scale, double* D) {
    for (int t = 0; t < ties->count; t++) {
        const WfTie* tie = &ties->all[t];
        for (int k = 0; k < tie->count; k++)
            add_stiffness(D + 6 * (long)tie->vertices[k], tie,
                          scale * row_sum(tie, scale_of(tie), k));
    }
}

static int find_block(const WfBlockPattern* pattern, int a, int b) {
    return a < b ? wf_block_find(pattern, a, b) : wf_block_find(pattern, b, a);
}

static void add_pair(WfTie* tie, int i, int j, int bit, double scale, const WfBlockMatrix* blocks) {
    int a = tie->vertices[i], b = tie->vertices[j], place = find_block(blocks->pattern, a, b);
    double value = scale * scale_of(tie) * tie->weights[i] * tie->weights[j];
    if (place < 0) {
        tie->outside |= 1u << bit;
        add_stiffness(blocks->diagonal + 6 * (long)a, tie, fabs(value));
        add_stiffness(blocks->diagonal + 6 * (long)b, tie, fabs(value));
        return;
    }
    static const int places[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double block[6] = {0}, *upper = blocks->upper + 9 * (long)place;
    add_stiffness(block, tie, value);
    for (int k = 0; k < 9; k++) upper[k] += block[places[k]];
}

void wf_ties_blocks(const WfTies* ties, double scale, const WfBlockMatrix* blocks) {
    for (int t = 0; t < ties->count; t++) {
        WfTie* tie = &ties->all[t];
        tie->outside = 0;
        for (int k = 0; k < tie->count; k++)
            add_stiffness(blocks->diagonal + 6 * (long)tie->vertices[k], tie,
                          scale * scale_of(tie) * tie->weights[k] * tie->weights[k]);
        for (int i = 0, bit = 0; i < tie->count; i++)
            for (int j = i + 1; j < tie->count; j++) add_pair(tie, i, j, bit++, scale, blocks);
    }
}

static void add_outside(const WfTie* tie, double scale, const double* p, double* q) {
    for (int i = 0, bit = 0; i < tie->count; i++) {
        for (int j = i + 1; j < tie->count; j++, bit++) {
            if (!(tie->outside >> bit & 1)) continue;
            int a = tie->vertices[i], b = tie->vertices[j];
            double value = scale * scale_of(tie) * tie->weights[i] * tie->weights[j];
            Pull pa = pull_of(tie, tie->slope, wf_load(p, a));
            Pull pb = pull_of(tie, tie->slope, wf_load(p, b));
            wf_accumulate(q, a, 1, wf_madd(wf_mul(value, pb.vector), -fabs(value), pa.vector));
            wf_accumulate(q, b, 1, wf_madd(wf_mul(value, pa.vector), -fabs(value), pb.vector));
        }
    }
}

void wf_ties_add_outside(const WfTies* ties, double scale, const double* p, double* q) {
    for (int t = 0; t < ties->count; t++)
        if (ties->all[t].outside) add_outside(&ties->all[t], scale, p, q);
}

bool wf_ties_are_outside(const WfTies* ties) {
    for (int t = 0; t < ties->count; t++)
        if (ties->all[t].outside) return true;
    return false;
}

bool wf_ties_have_lines(const WfTies* ties) {
    for (int t = 0; t < ties->count; t++)
        if (ties->all[t].is_line && ties->all[t].stiffness > 0) return true;
    return false;
}
