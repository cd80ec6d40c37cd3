// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Measurements by simulation: which tests reach the nodes of a fabric's tables, and what they would
// show.

#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "fit/trial.h"
#include "material/elastic.h"

enum { STRETCH_ANGLES = 5, BEND_ANGLES = 3, LOADS = 5, ROWS = 4, COLUMNS = 3, BEND_MARKS = 8 };
static const double strip_width = 0.06, strip_length = 0.12;  // m
// Of the heaviest weight, and of the largest curvature in the table.
static const double weights[LOADS] = {0.06, 0.2, 0.4, 0.65, 1};
static const double curvatures[LOADS] = {5, 15, 25, 35, 45};  // 1/m
static const double beyond = 1.1;                             // the reference strain

void weft_destroy_measurements(WeftMeasurements* m) {
    if (!m) return;
    WeftAllocator allocator = m->allocator;
    for (int i = 0; m->tests && i < m->test_count; i++) wf_free(&allocator, m->tests[i].marks);
    wf_free(&allocator, m->tests);
    wf_free(&allocator, m);
}

// ---------------------------------------------------------------------------------------------
// Loads. Both grow until enough is reached, and are then halved in: numbers of three
// digits, as
// weights and rulers have them.

static double round_off(double value) {
    double scale = 1;
    while (value * scale < 100) scale *= 10;
    return floor(value * scale + 0.5) / scale;
}

// How far a load takes a test; HUGE_VAL: too far to find.
typedef double Reach(WfTrial* trial, WeftTest* test, const WeftMeasurements* m,
                     const WeftMeasured* measured, double load);

static double find_load(Reach* reach, WfTrial* trial, WeftTest* test, const WeftMeasurements* m,
                        const WeftMeasured* measured, double start, double goal) {
    double low = 0, high = start;
    for (int i = 0; i < 60 && reach(trial, test, m, measured, high) < goal; i++, high *= 2)
        low = high;
    for (int i = 0; i < 20; i++) {
        double middle = (low + high) / 2;
        if (reach(trial, test, m, measured, middle) < goal)
            low = middle;
        else
            high = middle;
    }
    return round_off(low);
}

static double reach_strain(WfTrial* trial, WeftTest* test, const WeftMeasurements* m,
                           const WeftMeasured* measured, double load) {
    test->weight = load;
    wf_trial_init(trial, m);
    if (!wf_trial_start(trial, measured)) return HUGE_VAL;
    return trial->shape[2 * (trial->strip->vertex_count - 1)] / m->length - 1;
}

static double reach_curvature(WfTrial* trial, WeftTest* test, const WeftMeasurements* m,
                              const WeftMeasured* measured, double load) {
    test->overhang = load;
    wf_trial_init(trial, m);
    if (!wf_trial_start(trial, measured)) return HUGE_VAL;
    return wf_overhang_curvature(&trial->overhang, trial->shape);
}

// ---------------------------------------------------------------------------------------------
// Tests

static bool set_marks(WeftTest* test, const WeftMeasurements* m) {
    bool stretch = test->kind == WEFT_TEST_STRETCH;
    test->mark_count = stretch ? ROWS * COLUMNS : BEND_MARKS;
    test->marks = wf_alloc(&m->allocator, (size_t)test->mark_count, sizeof *test->marks);
    if (!test->marks) return false;
    for (int i = 0; i < test->mark_count; i++)
        test->marks[i] = stretch ? (WeftMark){.along = m->length * (i / COLUMNS + 1) / ROWS,
                                              .across = m->width * (i % COLUMNS) / (COLUMNS - 1)}
                                 : (WeftMark){.along = test->overhang * (i + 1) / BEND_MARKS};
    return true;
}

static WeftTest* add_test(WeftMeasurements* m, WeftTestKind kind, double angle, double load) {
    WeftTest* test = &m->tests[m->test_count++];
    *test = (WeftTest){.kind = kind, .angle = angle};
    if (kind == WEFT_TEST_STRETCH)
        test->weight = load;
    else
        test->overhang = load;
    return set_marks(test, m) ? test : NULL;
}

static bool plan_stretch(const WeftMeasured* measured, WfTrial* trial, WeftMeasurements* m) {
    for (int a = 0; a < STRETCH_ANGLES; a++) {
        WeftTest test = {.kind = WEFT_TEST_STRETCH, .angle = 22.5 * a};
        trial->test = &test;
        double heaviest =
            find_load(reach_strain, trial, &test, m, measured, 1e-3, beyond * m->reference_strain);
        for (int i = 0; i < LOADS; i++)
            if (!add_test(m, test.kind, test.angle, round_off(weights[i] * heaviest))) return false;
    }
    return true;
}

static bool plan_bend(const WeftMeasured* measured, WfTrial* trial, WeftMeasurements* m) {
    for (int a = 0; a < BEND_ANGLES; a++)
        for (int i = 0; i < LOADS; i++) {
            WeftTest test = {.kind = WEFT_TEST_BEND, .angle = 45 * a};
            trial->test = &test;
            double overhang =
                find_load(reach_curvature, trial, &test, m, measured, 1e-3, curvatures[i]);
            if (!add_test(m, test.kind, test.angle, overhang)) return false;
        }
    return true;
}

static bool plan_tests(const WeftMeasured* measured, WfTrial* trial, WeftMeasurements* m) {
    size_t count = LOADS * (STRETCH_ANGLES + BEND_ANGLES);
    m->tests = wf_alloc(&m->allocator, count, sizeof *m->tests);
    bool good = m->tests != NULL;
    if (good && wf_has_measured_stretch(measured)) good = plan_stretch(measured, trial, m);
    if (good && wf_has_measured_bend(measured)) good = plan_bend(measured, trial, m);
    return good;
}

WeftResult weft_plan_measurements(const WeftFabric* fabric, const WeftAllocator* allocator,
                                  WeftMeasurements** measurements, WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    WeftMeasured measured = fabric->measured;
    WeftResult result = wf_check_measured(&measured, error);
    if (result) return result;
    if (!wf_has_measured_stretch(&measured) && !wf_has_measured_bend(&measured))
        return wf_fail(error, WEFT_ERROR_INPUT, "the fabric has no measured tables");
    wf_repair_measured(&measured);
    WeftMeasurements* made = wf_alloc(&memory, 1, sizeof *made);
    WfTrial* trial = wf_alloc(&memory, 1, sizeof *trial);
    WfStrip* strip = wf_alloc(&memory, 1, sizeof *strip);
    if (made)
        *made = (WeftMeasurements){.density = fabric->density,
                                   .width = strip_width,
                                   .length = strip_length,
                                   .reference_strain = measured.reference_strain,
                                   .allocator = memory};
    if (trial) trial->strip = strip;
    bool good = made && trial && strip && plan_tests(&measured, trial, made);
    if (good) {
        *measurements = made;
        made = NULL;
    }
    wf_free(&memory, strip);
    wf_free(&memory, trial);
    weft_destroy_measurements(made);
    return good ? WEFT_OK : wf_fail_memory(error);
}

// ---------------------------------------------------------------------------------------------
// What they would show

// Numbers between 0 and 1 (splitmix64: Steele, Lea and Flood 2014).
static double next_number(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// A sum of twelve of them has variance 1, and is nearly Gaussian.
static double next_noise(uint64_t* state) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += next_number(state);
    return sum;
}

static WeftResult simulate_test(WfTrial* trial, WeftTest* test, const WeftMeasurements* m,
                                const WeftMeasured* measured, double noise, uint64_t* state,
                                WeftError* error) {
    WfArena arena = {0};
    WfArena block;
    wf_trial_layout(trial, test, &arena);
    if (!wf_arena_create(&block, &m->allocator, arena.used)) return wf_fail_memory(error);
    arena = block;
    wf_trial_layout(trial, test, &arena);
    wf_trial_init(trial, m);
    bool found = wf_trial_start(trial, measured);
    for (int k = 0; k < test->mark_count && found; k++) {
        double place[2];
        wf_trial_see(trial, trial->shape, k, place);
        test->marks[k].x = place[0] + noise * next_noise(state);
        test->marks[k].y = place[1] + noise * next_noise(state);
    }
    wf_arena_destroy(&block, &m->allocator);
    if (found) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT, "the simulation finds no equilibrium");
}

WeftResult weft_simulate_measurements(const WeftMeasured* measured, double noise,
                                      unsigned long long seed, WeftMeasurements* m,
                                      WeftError* error) {
    uint64_t state = seed;
    WeftMeasured tables = *measured;
    wf_repair_measured(&tables);
    WeftResult result = wf_check_measurements(m, error);
    if (result) return result;
    WfTrial* trial = wf_alloc(&m->allocator, 1, sizeof *trial);
    if (!trial) return wf_fail_memory(error);
    m->noise = noise;
    for (int i = 0; i < m->test_count && !result; i++) {
        result = simulate_test(trial, &m->tests[i], m, &tables, noise, &state, error);
        if (result == WEFT_ERROR_INPUT) wf_fail_prefix(error, result, "test %d: ", i);
    }
    wf_free(&m->allocator, trial);
    return result;
}
