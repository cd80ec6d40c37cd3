// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards size: a cloth of 100,000 vertices is made and stepped within 2 GiB.

#include "counting.h"
#include "swing.h"
#include "test.h"

static const size_t LIMIT = (size_t)2 << 30;

// Steps with a cloth-like stiffness stay finite and hold the cloth together.
static void check_steps(Swing* s, int count) {
    for (int k = 0; k < count; k++) CHECK(swing_step(s));
    WeftMeasure measure;
    CHECK(weft_measure(s->state, s->step.gravity, &measure) == WEFT_OK);
    CHECK(measure.max_stretch < 1.5 && measure.p99_stretch < 1.1);
    CHECK_BELOW(measure.max_speed, 5);
    CHECK_BELOW(measure.gravity, 0);
}

static void a_hundred_thousand_vertices(void) {
    Counting counting = {0};
    Swing s = swing_def(317, 1000);
    s.step.stretch_tolerance = 0.01;
    s.allocator = counting_allocator(&counting);
    s.jobs.thread_count = WEFT_ALL_THREADS;
    swing_open(&s);
    CHECK(weft_vertex_count(s.model) == 317 * 317);
    check_steps(&s, 2);
    s.step.method = WEFT_METHOD_IMPLICIT;
    check_steps(&s, 1);
    printf("100489 vertices: %.0f MiB at most, %.0f MiB in the model\n",
           (double)counting.peak / 1048576, (double)weft_model_bytes(s.model) / 1048576);
    CHECK(counting.peak < LIMIT);
    swing_close(&s);
    CHECK(counting.live == 0);
}

TEST_MAIN(SLOW_CASE(a_hundred_thousand_vertices))
