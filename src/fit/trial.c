// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "fit/trial.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { RAMP = 4, SLOW_RAMP = 32 };  // steps of weight from rest

// ---------------------------------------------------------------------------------------------
// Refusals

// Also refuses what is no number.
static bool is_within(double value, double low, double high) {
    return value >= low && value <= high;
}

static WeftResult check_mark(const WeftMeasurements* m, const WeftTest* test, int mark,
                             WeftError* error) {
    const WeftMark* p = &test->marks[mark];
    bool stretch = test->kind == WEFT_TEST_STRETCH;
    double end = stretch ? m->length : test->overhang;
    if (!is_within(p->along, 0, end * (1 + 1e-9)))
        return wf_fail(error, WEFT_ERROR_INPUT, "mark %d is at %g m along a strip of %g m", mark,
                       p->along, end);
    if (stretch && !is_within(p->across, 0, m->width * (1 + 1e-9)))
        return wf_fail(error, WEFT_ERROR_INPUT, "mark %d is at %g m across a strip of %g m", mark,
                       p->across, m->width);
    if (!is_within(p->x, -1e3, 1e3) || !is_within(p->y, -1e3, 1e3))
        return wf_fail(error, WEFT_ERROR_INPUT, "mark %d was seen at %g, %g", mark, p->x, p->y);
    return WEFT_OK;
}

static WeftResult check_test(const WeftMeasurements* m, const WeftTest* test, WeftError* error) {
    bool stretch = test->kind == WEFT_TEST_STRETCH;
    if (test->kind != WEFT_TEST_STRETCH && test->kind != WEFT_TEST_BEND)
        return wf_fail(error, WEFT_ERROR_INPUT, "kind is %d", (int)test->kind);
    if (!is_within(test->angle, 0, 90))
        return wf_fail(error, WEFT_ERROR_INPUT, "angle must be 0 to 90 degrees, not %g",
                       test->angle);
    if (stretch && !is_within(test->weight, 1e-6, 1e6))
        return wf_fail(error, WEFT_ERROR_INPUT, "weight must be 1e-6 to 1e6 N, not %g",
                       test->weight);
    if (!stretch && !is_within(test->overhang, 1e-4, 10))
        return wf_fail(error, WEFT_ERROR_INPUT, "overhang must be 1e-4 to 10 m, not %g",
                       test->overhang);
    if (test->mark_count < 1) return wf_fail(error, WEFT_ERROR_INPUT, "there are no marks");
    WeftResult result = WEFT_OK;
    for (int i = 0; i < test->mark_count && !result; i++) result = check_mark(m, test, i, error);
    return result;
}

WeftResult wf_check_measurements(const WeftMeasurements* m, WeftError* error) {
    const struct {
        const char* name;
        double value, low, high;
    } ranges[] = {
        {"density", m->density, 1e-6, 1e3}, {"width", m->width, 1e-4, 10},
        {"length", m->length, 1e-4, 10},    {"reference_strain", m->reference_strain, 1e-4, 10},
        {"noise", m->noise, -1, 1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!is_within(ranges[i].value, ranges[i].low, ranges[i].high))
            return wf_fail(error, WEFT_ERROR_INPUT, "%s must be %g to %g, not %g", ranges[i].name,
                           ranges[i].low, ranges[i].high, ranges[i].value);
    if (m->test_count < 1) return wf_fail(error, WEFT_ERROR_INPUT, "there are no tests");
    for (int i = 0; i < m->test_count; i++) {
        WeftResult result = check_test(m, &m->tests[i], error);
        if (result) return wf_fail_prefix(error, result, "test %d: ", i);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Simulation

void wf_trial_layout(WfTrial* trial, const WeftTest* test, WfArena* arena) {
    bool stretch = test->kind == WEFT_TEST_STRETCH;
    WfStrip* strip = wf_arena_push(arena, stretch ? 1 : 0, sizeof *strip);
    WfStripPlace* places =
        wf_arena_push(arena, stretch ? (size_t)test->mark_count : 0, sizeof *places);
    if (arena->base) *trial = (WfTrial){.test = test, .strip = strip, .places = places};
}

void wf_trial_init(WfTrial* trial, const WeftMeasurements* m) {
    const WeftTest* test = trial->test;
    if (test->kind == WEFT_TEST_BEND) {
        wf_overhang_init(&trial->overhang, test->overhang, m->density, test->angle);
        return;
    }
    wf_strip_init(trial->strip, m->width, m->length, test->angle);
    for (int i = 0; i < test->mark_count; i++)
        trial->places[i] = wf_strip_find(trial->strip, test->marks[i].along, test->marks[i].across);
}

static bool ramp_up(WfTrial* trial, const WeftMeasured* measured, int steps) {
    wf_strip_rest(trial->strip, trial->shape);
    for (int i = 1; i <= steps; i++)
        if (!wf_strip_pull(trial->strip, measured, trial->test->weight * i / steps, trial->shape))
            return false;
    return true;
}

bool wf_trial_start(WfTrial* trial, const WeftMeasured* measured) {
    memset(trial->shape, 0, sizeof trial->shape);
    if (trial->test->kind == WEFT_TEST_BEND)
        return wf_overhang_drop(&trial->overhang, measured, trial->shape);
    return ramp_up(trial, measured, RAMP) || ramp_up(trial, measured, SLOW_RAMP);
}

bool wf_trial_run(WfTrial* trial, const WeftMeasured* measured) {
    memcpy(trial->next, trial->shape, sizeof trial->next);
    if (trial->test->kind == WEFT_TEST_BEND)
        return wf_overhang_drop(&trial->overhang, measured, trial->next);
    return wf_strip_pull(trial->strip, measured, trial->test->weight, trial->next);
}

int wf_trial_size(const WfTrial* trial) {
    return trial->test->kind == WEFT_TEST_BEND ? WF_OVERHANG_SEGMENTS
                                               : 2 * trial->strip->vertex_count;
}

bool wf_trial_shift(const WfTrial* trial, const WeftMeasured* measured, int count,
                    const WeftMeasured* others, double* shapes) {
    if (trial->test->kind == WEFT_TEST_STRETCH)
        return wf_strip_shift(trial->strip, measured, trial->test->weight, trial->shape, count,
                              others, shapes);
    for (int i = 0; i < count; i++, shapes += WF_OVERHANG_SEGMENTS) {
        memcpy(shapes, trial->shape, WF_OVERHANG_SEGMENTS * sizeof *shapes);
        if (!wf_overhang_shift(&trial->overhang, &others[i], shapes)) return false;
    }
    return true;
}

void wf_trial_accept(WfTrial* trial) { memcpy(trial->shape, trial->next, sizeof trial->shape); }

void wf_trial_see(const WfTrial* trial, const double* shape, int mark, double place[2]) {
    if (trial->test->kind == WEFT_TEST_BEND) {
        wf_overhang_point(&trial->overhang, shape, trial->test->marks[mark].along, place);
        return;
    }
    const WfStripPlace* p = &trial->places[mark];
    for (int c = 0; c < 2; c++)
        place[c] = p->weights[0] * shape[2 * p->vertices[0] + c] +
                   p->weights[1] * shape[2 * p->vertices[1] + c] +
                   p->weights[2] * shape[2 * p->vertices[2] + c];
}

void wf_trial_see_rest(const WfTrial* trial, int mark, double place[2]) {
    const WeftMark* m = &trial->test->marks[mark];
    place[0] = m->along;
    place[1] = trial->test->kind == WEFT_TEST_BEND ? 0 : m->across;
}
