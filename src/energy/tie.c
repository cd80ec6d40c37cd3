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

WfVec wf_tie_force(const WfTie* tie, const double* x) {
    WfVec e = wf_sub(wf_tie_point(tie, x), tie->target);
    return wf_mul(-slope_at(tie, wf_length(e)), e);
}

double wf_ties_evaluate(const WfTies* ties, const double* x, double scale, double* f) {
    double sum = 0;
    for (int t = 0; t < ties->count; t++) {
        WfTie* tie = &ties->all[t];
        WfVec e = wf_sub(wf_tie_point(tie, x), tie->target);
        double distance = wf_length(e);
        sum += energy_at(tie, distance);
        if (!f) continue;
        tie->slope = slope_at(tie, distance);
        for (int k = 0; k < tie->count; k++)
            wf_accumulate(f, tie->vertices[k], -scale * tie->slope * tie->weights[k], e);
    }
    return sum;
}

void wf_ties_product(const WfTies* ties, double scale, const double* p, double* q) {
    for (int t = 0; t < ties->count; t++) {
        const WfTie* tie = &ties->all[t];
        WfVec along = wf_tie_point(tie, p);
        for (int k = 0; k < tie->count; k++)
            wf_accumulate(q, tie->vertices[k], scale * tie->slope * tie->weights[k], along);
    }
}

static void add_isotropic(double* block, double value) {
    block[0] += value;
    block[3] += value;
    block[5] += value;
}

static double row_sum(const WfTie* tie, int row) {
    double all = 0;
    for (int k = 0; k < tie->count; k++) all += fabs(tie->weights[k]);
    return tie->slope * fabs(tie->weights[row]) * all;
}

void wf_ties_row_sums(const WfTies* ties, double scale, double* sums) {
    for (int t = 0; t < ties->count; t++) {
        const WfTie* tie = &ties->all[t];
        for (int k = 0; k < tie->count; k++) sums[tie->vertices[k]] += scale * row_sum(tie, k);
    }
}

void wf_ties_diagonal(const WfTies* ties, double scale, double* D) {
    for (int t = 0; t < ties->count; t++) {
        const WfTie* tie = &ties->all[t];
        for (int k = 0; k < tie->count; k++)
            add_isotropic(D + 6 * (long)tie->vertices[k], scale * row_sum(tie, k));
    }
}

static int find_block(const WfBlockPattern* pattern, int a, int b) {
    return a < b ? wf_block_find(pattern, a, b) : wf_block_find(pattern, b, a);
}

static void add_pair(WfTie* tie, int i, int j, int bit, double scale, const WfBlockMatrix* blocks) {
    int a = tie->vertices[i], b = tie->vertices[j], place = find_block(blocks->pattern, a, b);
    double value = scale * tie->slope * tie->weights[i] * tie->weights[j];
    if (place < 0) {
        tie->outside |= 1u << bit;
        add_isotropic(blocks->diagonal + 6 * (long)a, fabs(value));
        add_isotropic(blocks->diagonal + 6 * (long)b, fabs(value));
        return;
    }
    double* upper = blocks->upper + 9 * (long)place;
    upper[0] += value;
    upper[4] += value;
    upper[8] += value;
}

void wf_ties_blocks(const WfTies* ties, double scale, const WfBlockMatrix* blocks) {
    for (int t = 0; t < ties->count; t++) {
        WfTie* tie = &ties->all[t];
        tie->outside = 0;
        for (int k = 0; k < tie->count; k++)
            add_isotropic(blocks->diagonal + 6 * (long)tie->vertices[k],
                          scale * tie->slope * tie->weights[k] * tie->weights[k]);
        for (int i = 0, bit = 0; i < tie->count; i++)
            for (int j = i + 1; j < tie->count; j++) add_pair(tie, i, j, bit++, scale, blocks);
    }
}

static void add_outside(const WfTie* tie, double scale, const double* p, double* q) {
    for (int i = 0, bit = 0; i < tie->count; i++) {
        for (int j = i + 1; j < tie->count; j++, bit++) {
            if (!(tie->outside >> bit & 1)) continue;
            int a = tie->vertices[i], b = tie->vertices[j];
            double value = scale * tie->slope * tie->weights[i] * tie->weights[j];
            WfVec pa = wf_load(p, a), pb = wf_load(p, b);
            wf_accumulate(q, a, 1, wf_madd(wf_mul(value, pb), -fabs(value), pa));
            wf_accumulate(q, b, 1, wf_madd(wf_mul(value, pa), -fabs(value), pb));
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
