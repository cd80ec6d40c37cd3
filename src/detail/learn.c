// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Least squares, patch by patch: with features f and places y of its own vertices in its frame,
// less where they lie in the coarse triangle, and their means over all frames,
//
//     (C + ridge tr(C)/n I) W = D,  C = mean f f^T - mean f mean f^T,  D = mean f y^T - ...
//     y = mean y + W^T (f - mean f)
//
// Only sums are kept, of frames to learn from and of others that are held out. By these, what W
// leaves of the others is known without a frame of them.

#include "detail/learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/band.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

static const double RIDGES[] = {1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 1, 10};
enum { RIDGE_COUNT = sizeof RIDGES / sizeof *RIDGES };
static const double BEYOND = 1.5;  // of the largest offset that was seen: what may be shown

// ---------------------------------------------------------------------------------------------
// Life

static double* take(double** at, size_t count) {
    double* numbers = *at;
    *at += count;
    return numbers;
}

static bool make_starts(WeftLearner* l) {
    const WfPatches* p = &l->detail->patches;
    size_t count = (size_t)p->count;
    size_t** starts[] = {&l->square_start, &l->product_start, &l->feature_start};
    for (int k = 0; k < 3; k++) {
        *starts[k] = wf_alloc(&l->allocator, count + 1, sizeof(size_t));
        if (!*starts[k]) return false;
    }
    for (int t = 0; t < p->count; t++) {
        size_t own = (size_t)wf_own_count(p, t), n = own ? (size_t)wf_feature_count(p, t) : 0;
        l->square_start[t + 1] = l->square_start[t] + n * (n + 1) / 2;
        l->product_start[t + 1] = l->product_start[t] + 3 * n * own;
        l->feature_start[t + 1] = l->feature_start[t] + n;
    }
    return true;
}

static bool make_sums(WeftLearner* l) {
    size_t count = (size_t)l->detail->patches.count, numbers = wf_own_numbers(l->detail);
    l->size = l->square_start[count] + l->product_start[count] + l->feature_start[count] + numbers +
              2 * count;
    for (int s = 0; s < WF_SETS; s++) {
        WfSums* sums = &l->sums[s];
        double* at = sums->all = wf_alloc(&l->allocator, l->size, sizeof(double));
        if (!at) return false;
        sums->squares = take(&at, l->square_start[count]);
        sums->products = take(&at, l->product_start[count]);
        sums->features = take(&at, l->feature_start[count]);
        sums->offsets = take(&at, numbers);
        sums->rest = take(&at, count);
        sums->most = take(&at, count);
    }
    return true;
}

static bool make_kept(WeftLearner* l) {
    if (l->modes == 0) return true;
    l->kept.times = wf_alloc(&l->allocator, WF_KEPT_FRAMES, sizeof(double));
    l->kept.frames =
        wf_alloc(&l->allocator, WF_KEPT_FRAMES * wf_own_numbers(l->detail), sizeof(float));
    l->kept.coarse = wf_alloc(&l->allocator, WF_KEPT_FRAMES * wf_kept_coarse(l), sizeof(float));
    return l->kept.times && l->kept.frames && l->kept.coarse;
}

WeftLearnerDef weft_default_learner_def(void) { return (WeftLearnerDef){.parts = 3, .name = ""}; }

static WeftResult check_def(const WeftLearnerDef* def, WeftError* error) {
    if (def->modes < 0 || def->modes > WEFT_MAX_MODES)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d modes; 0 to %d can be learned", def->modes,
                       WEFT_MAX_MODES);
    if (!def->coarse || def->coarse->triangle_count == 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "detail is learned of triangles, and there are none");
    return WEFT_OK;
}

WeftResult weft_create_learner(const WeftLearnerDef* def, WeftLearner** learner, WeftError* error) {
    WeftAllocator own = wf_allocator(&def->allocator);
    *learner = NULL;
    WeftResult result = check_def(def, error);
    if (result) return result;
    WeftLearner* l = wf_alloc(&own, 1, sizeof *l);
    if (!l) return wf_fail_memory(error);
    *l = (WeftLearner){.allocator = own, .modes = def->modes};
    result = wf_detail_refined(def->coarse, def->parts, &own, &l->detail, error);
    bool good =
        !result && make_starts(l) && make_sums(l) && make_kept(l) && wf_detail_add_rows(l->detail);
    if (!good) {
        weft_destroy_learner(l);
        return result ? result : wf_fail_memory(error);
    }
    l->detail->learned.parts = def->parts;
    snprintf(l->detail->learned.name, WF_DETAIL_NAME, "%s", def->name ? def->name : "");
    *learner = l;
    return WEFT_OK;
}

void weft_destroy_learner(WeftLearner* l) {
    if (!l) return;
    WeftAllocator allocator = l->allocator;
    weft_destroy_detail(l->detail);
    for (int s = 0; s < WF_SETS; s++) wf_free(&allocator, l->sums[s].all);
    void* all[] = {l->square_start, l->product_start, l->feature_start,
                   l->kept.times,   l->kept.frames,   l->kept.coarse};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&allocator, all[k]);
    wf_free(&allocator, l);
}

// ---------------------------------------------------------------------------------------------
// Frames

typedef struct Lesson {
    WeftLearner* learner;
    WfCoarse coarse;
    const double* dense;
    int set;
    float* kept;  // offsets of this frame, or NULL
} Lesson;

static void learn_patch(const Lesson* lesson, int patch) {
    const WeftLearner* l = lesson->learner;
    const WfPatches* p = &l->detail->patches;
    const WfSums* sums = &l->sums[lesson->set];
    int own = wf_own_count(p, patch), n = wf_feature_count(p, patch);
    size_t first = (size_t)p->own_start[patch];
    float seen[WF_MOST_FEATURES];
    double features[WF_MOST_FEATURES];
    if (own == 0) return;
    WfPatchFrame frame = wf_patch_frame(p, patch, lesson->coarse.positions);
    wf_patch_features(p, patch, &lesson->coarse, &frame, seen);
    for (int i = 0; i < n; i++) features[i] = (double)seen[i];
    double* square = sums->squares + l->square_start[patch];
    double* product = sums->products + l->product_start[patch];
    for (int i = 0; i < n; i++) {
        sums->features[l->feature_start[patch] + (size_t)i] += features[i];
        for (int j = 0; j <= i; j++) *square++ += features[i] * features[j];
    }
    for (int k = 0; k < own; k++) {
        WfVec x = wf_load(lesson->dense, p->own[first + (size_t)k]);
        WfVec lies = wf_lies_at(p, patch, k, lesson->coarse.positions);
        WfVec y = wf_into_frame(&frame, wf_sub(x, lies));
        double size = wf_dot(y, y);
        sums->rest[patch] += size;
        sums->most[patch] = fmax(sums->most[patch], sqrt(size));
        wf_accumulate(sums->offsets + 3 * first, k, 1, y);
        for (int i = 0; i < n; i++) wf_accumulate(product + 3 * (long)i * own, k, features[i], y);
        float* kept = lesson->kept ? lesson->kept + 3 * (first + (size_t)k) : NULL;
        if (kept) kept[0] = (float)y.x, kept[1] = (float)y.y, kept[2] = (float)y.z;
    }
}

enum { PATCH_BLOCK = 32 };

static void learn_patches(void* context, int block) {
    const Lesson* lesson = context;
    int count = lesson->learner->detail->patches.count, first = block * PATCH_BLOCK;
    int end = count - first < PATCH_BLOCK ? count : first + PATCH_BLOCK;
    for (int t = first; t < end; t++) learn_patch(lesson, t);
}

// Room for the offsets of a frame that is kept: of the first motion that is held out, and as long
// as its time goes on.
static float* keep_frame(WeftLearner* l, const WeftDetailFrame* frame, bool held_out) {
    WfKept* kept = &l->kept;
    bool next = kept->count == 0 || frame->time > kept->times[kept->count - 1];
    if (!held_out || l->modes == 0 || kept->count == WF_KEPT_FRAMES || !next) return NULL;
    size_t at = (size_t)kept->count++, numbers = 3 * (size_t)l->detail->coarse_count;
    float* coarse = kept->coarse + at * wf_kept_coarse(l);
    kept->times[at] = frame->time;
    for (size_t k = 0; k < numbers; k++) {
        coarse[k] = (float)frame->positions[k];
        coarse[numbers + k] = frame->velocities ? (float)frame->velocities[k] : 0;
    }
    for (size_t k = 0; k < 3; k++) coarse[2 * numbers + k] = (float)frame->gravity[k];
    return kept->frames + at * wf_own_numbers(l->detail);
}

static bool are_finite(const double* numbers, int vertices) {
    double sum = 0;
    for (long k = 0; k < 3L * vertices && numbers; k++) sum += 0 * numbers[k];
    return sum == 0;
}

void weft_learn(WeftLearner* learner, const WeftDetailFrame* frame, const double* dense,
                bool held_out, const WeftJobs* jobs) {
    const WeftDetail* d = learner->detail;
    if (!are_finite(frame->positions, d->coarse_count) || !are_finite(dense, d->count) ||
        !are_finite(frame->velocities, d->coarse_count))
        return;
    Lesson lesson = {
        .learner = learner,
        .coarse = {frame->positions, frame->velocities, wf_unit(wf_load(frame->gravity, 0))},
        .dense = dense,
        .set = held_out ? WF_HELD_OUT : WF_LEARNED,
        .kept = keep_frame(learner, frame, held_out)};
    int blocks = (learner->detail->patches.count + PATCH_BLOCK - 1) / PATCH_BLOCK;
    wf_parallel_from(jobs, 2, blocks, learn_patches, &lesson);
    learner->frames[lesson.set]++;
}

// ---------------------------------------------------------------------------------------------
// What is learned

typedef struct Solution {
    const WeftLearner* learner;
    double ridge;
    double *factor, *column;
    double* matrix;  // W of one patch, a row per feature, and a last one: what is without them
} Solution;

static double mean_of(double sum, double frames) { return frames > 0 ? sum / frames : 0; }

// The last row, with W as it is.
static void take_mean(const Solution* s, int patch) {
    const WeftLearner* l = s->learner;
    const WfPatches* p = &l->detail->patches;
    const WfSums* sums = &l->sums[WF_LEARNED];
    int n = wf_feature_count(p, patch), width = 3 * wf_own_count(p, patch);
    double frames = (double)l->frames[WF_LEARNED];
    for (int k = 0; k < width; k++) {
        double rest = mean_of(sums->offsets[3 * (long)p->own_start[patch] + k], frames);
        for (int i = 0; i < n; i++)
            rest -= s->matrix[(long)i * width + k] *
                    mean_of(sums->features[l->feature_start[patch] + (size_t)i], frames);
        s->matrix[(long)n * width + k] = rest;
    }
}

static void solve_patch(const Solution* s, int patch) {
    const WeftLearner* l = s->learner;
    const WfPatches* p = &l->detail->patches;
    const WfSums* sums = &l->sums[WF_LEARNED];
    int n = wf_feature_count(p, patch), width = 3 * wf_own_count(p, patch);
    double frames = (double)l->frames[WF_LEARNED], trace = 0;
    const double* square = sums->squares + l->square_start[patch];
    const double* product = sums->products + l->product_start[patch];
    const double* f = sums->features + l->feature_start[patch];
    const double* y = sums->offsets + 3 * (long)p->own_start[patch];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            s->factor[wf_band_at(n - 1, i, j)] = mean_of(*square++ - f[i] * f[j] / frames, frames);
        trace += s->factor[wf_band_at(n - 1, i, i)];
    }
    for (int i = 0; i < n; i++) s->factor[wf_band_at(n - 1, i, i)] += s->ridge * trace / n;
    bool good = trace > 0 && wf_band_factor(n, n - 1, s->factor);
    for (int k = 0; k < width; k++) {
        for (int i = 0; i < n; i++)
            s->column[i] = mean_of(product[(long)i * width + k] - f[i] * y[k] / frames, frames);
        if (good) wf_band_solve(n, n - 1, s->factor, s->column);
        for (int i = 0; i < n; i++) s->matrix[(long)i * width + k] = good ? s->column[i] : 0;
    }
    take_mean(s, patch);
}

// Sum of f f^T w for column k of W, row i; and of the last row, for which f is 1.
static double times_column(const Solution* s, int patch, int i, int k) {
    const WeftLearner* l = s->learner;
    const WfSums* sums = &l->sums[WF_HELD_OUT];
    const double* square = sums->squares + l->square_start[patch];
    const double* f = sums->features + l->feature_start[patch];
    int n = wf_feature_count(&l->detail->patches, patch);
    int width = 3 * wf_own_count(&l->detail->patches, patch);
    double last = s->matrix[(long)n * width + k];
    double sum = last * (i < n ? f[i] : (double)l->frames[WF_HELD_OUT]);
    for (int j = 0; j < n; j++) {
        long high = i > j ? i : j, low = i > j ? j : i;
        double with = i < n ? square[high * (high + 1) / 2 + low] : f[j];
        sum += with * s->matrix[(long)j * width + k];
    }
    return sum;
}

// What the matrix leaves of the frames that were held out.
static double left_of(const Solution* s, int patch) {
    const WeftLearner* l = s->learner;
    const WfPatches* p = &l->detail->patches;
    const WfSums* sums = &l->sums[WF_HELD_OUT];
    int n = wf_feature_count(p, patch), width = 3 * wf_own_count(p, patch);
    const double* product = sums->products + l->product_start[patch];
    const double* y = sums->offsets + 3 * (long)p->own_start[patch];
    double left = sums->rest[patch];
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < width; k++) {
            double with = i < n ? product[(long)i * width + k] : y[k];
            left += s->matrix[(long)i * width + k] * (times_column(s, patch, i, k) - 2 * with);
        }
    return left;
}

// What a ridge leaves of the frames that were held out: 1, as much as nothing learned does.
static double try_ridge(Solution* s, double ridge) {
    const WfPatches* p = &s->learner->detail->patches;
    double left = 0, none = 0;
    s->ridge = ridge;
    for (int t = 0; t < p->count; t++) {
        none += s->learner->sums[WF_HELD_OUT].rest[t];
        if (wf_own_count(p, t) == 0) continue;
        solve_patch(s, t);
        left += left_of(s, t);
    }
    return none > 0 ? sqrt(fmax(left, 0) / none) : 1;
}

static void choose_ridge(Solution* s, WeftLearnReport* report) {
    report->error = HUGE_VAL;
    report->ridge_count = RIDGE_COUNT;
    for (int k = 0; k < RIDGE_COUNT; k++) {
        report->ridges[k] = RIDGES[k];
        report->errors[k] = try_ridge(s, RIDGES[k]);
        if (report->errors[k] >= report->error) continue;
        report->ridge = RIDGES[k];
        report->error = report->errors[k];
    }
}

// In bytes; what that loses on average goes into the mean.
static void keep_rows(const Solution* s, int patch) {
    WeftDetail* d = s->learner->detail;
    const WfPatches* p = &d->patches;
    int n = wf_feature_count(p, patch), width = 3 * wf_own_count(p, patch);
    int length = wf_row_length(p, patch);
    float* scales = d->scales + 3 * (long)p->own_start[patch];
    for (int k = 0; k < width; k++) {
        int8_t* row = d->rows + d->row_start[patch] + (size_t)k * (size_t)length;
        double most = 0;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(s->matrix[(long)i * width + k]));
        scales[k] = (float)(most / INT8_MAX);
        for (int i = 0; i < n; i++) {
            double* w = &s->matrix[(long)i * width + k];
            row[i] = (int8_t)(most > 0 ? lrint(*w / most * INT8_MAX) : 0);
            *w = (double)scales[k] * row[i];
        }
    }
    take_mean(s, patch);
    for (int k = 0; k < width; k++)
        d->biases[3 * (long)p->own_start[patch] + k] = (float)s->matrix[(long)n * width + k];
}

static void keep_solution(Solution* s) {
    WeftDetail* d = s->learner->detail;
    for (int t = 0; t < d->patches.count; t++) {
        if (wf_own_count(&d->patches, t) == 0) continue;
        solve_patch(s, t);
        keep_rows(s, t);
        d->limits[t] = (float)(BEYOND * s->learner->sums[WF_LEARNED].most[t]);
    }
}

static bool make_room(const WeftLearner* l, Solution* s) {
    const WfPatches* p = &l->detail->patches;
    size_t most = 0, n = WF_MOST_FEATURES;
    for (int t = 0; t < p->count; t++) {
        size_t count = ((size_t)wf_feature_count(p, t) + 1) * 3 * (size_t)wf_own_count(p, t);
        most = count > most ? count : most;
    }
    s->factor = wf_alloc(&l->allocator, n * n, sizeof(double));
    s->column = wf_alloc(&l->allocator, n, sizeof(double));
    s->matrix = wf_alloc(&l->allocator, most, sizeof(double));
    return s->factor && s->column && s->matrix;
}

WeftResult weft_finish_learning(WeftLearner* l, double ridge, WeftLearnReport* report,
                                WeftDetail** detail, WeftError* error) {
    WeftLearnReport own;
    *detail = NULL;
    if (!report) report = &own;
    *report = (WeftLearnReport){.ridge = ridge,
                                .error = -1,
                                .frames = l->frames[WF_LEARNED],
                                .held_out = l->frames[WF_HELD_OUT]};
    if (!l->detail) return wf_fail(error, WEFT_ERROR_INPUT, "the learner has finished already");
    if (!(ridge >= 0 && ridge <= 1e6))
        return wf_fail(error, WEFT_ERROR_INPUT, "a ridge of %g; it is from 0 to 1e6", ridge);
    if (l->frames[WF_LEARNED] == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no frames to learn from");
    if (ridge == 0 && l->frames[WF_HELD_OUT] == 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "no frames were held out to choose the ridge by; hold some out, or set it");
    Solution s = {.learner = l};
    bool good = make_room(l, &s);
    if (good && ridge == 0)
        choose_ridge(&s, report);
    else if (good && report->held_out > 0)
        report->error = try_ridge(&s, ridge);
    s.ridge = report->ridge;
    if (good) keep_solution(&s);
    wf_free(&l->allocator, s.factor);
    wf_free(&l->allocator, s.column);
    wf_free(&l->allocator, s.matrix);
    if (good) good = l->modes == 0 || wf_find_modes(l, l->detail);
    if (!good) return wf_fail_memory(error);
    l->detail->learned.ridge = report->ridge;
    l->detail->learned.left = report->error;
    *detail = l->detail;
    l->detail = NULL;
    return WEFT_OK;
}
