// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What learned detail leaves of a motion that was held out, as shapes that swing: the largest
// principal components of it, each with the frequency that it has most of, and as strong as it was
// at the speed that the cloth had. That gives back how much moves, not where it is when.

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "detail/learn.h"

enum { ITERATIONS = 200 };

typedef struct Search {
    const WfKept* kept;
    size_t numbers;  // of a frame
    double* gram;    // products of frames with one another
    double* now;     // per frame: how much of the mode it has
    double* next;
} Search;

// Room to show a kept frame once more.
typedef struct Room {
    double *coarse, *positions;
} Room;

// Kept offsets become what the detail leaves of them. Returns the mean speed of the cloth.
static double subtract_learned(const WeftLearner* l, const WeftDetail* d, const Room* room) {
    const WfPatches* p = &d->patches;
    size_t numbers = 3 * (size_t)d->coarse_count;
    double speed = 0;
    for (int j = 0; j < l->kept.count; j++) {
        const float* coarse = l->kept.coarse + (size_t)j * wf_kept_coarse(l);
        float* offsets = l->kept.frames + (size_t)j * wf_own_numbers(d);
        for (size_t k = 0; k < wf_kept_coarse(l); k++) room->coarse[k] = (double)coarse[k];
        WeftDetailFrame frame = {.positions = room->coarse, .velocities = room->coarse + numbers};
        memcpy(frame.gravity, room->coarse + 2 * numbers, sizeof frame.gravity);
        weft_apply_detail(d, &frame, NULL, room->positions);
        speed += wf_coarse_speed(d, frame.velocities) / l->kept.count;
        for (int t = 0; t < p->count; t++) {
            WfPatchFrame seen = wf_patch_frame(p, t, room->coarse);
            for (int k = 0; k < wf_own_count(p, t); k++) {
                WfVec x = wf_load(room->positions, p->own[p->own_start[t] + k]);
                WfVec y = wf_into_frame(&seen, wf_sub(x, wf_lies_at(p, t, k, room->coarse)));
                float* to = offsets + 3 * ((size_t)p->own_start[t] + (size_t)k);
                to[0] -= (float)y.x, to[1] -= (float)y.y, to[2] -= (float)y.z;
            }
        }
    }
    return speed;
}

static void subtract_mean(const Search* s) {
    for (size_t k = 0; k < s->numbers; k++) {
        double sum = 0;
        for (int j = 0; j < s->kept->count; j++)
            sum += (double)s->kept->frames[(size_t)j * s->numbers + k];
        float mean = (float)(sum / s->kept->count);
        for (int j = 0; j < s->kept->count; j++)
            s->kept->frames[(size_t)j * s->numbers + k] -= mean;
    }
}

static void fill_gram(const Search* s) {
    int count = s->kept->count;
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) {
            const float* a = s->kept->frames + (size_t)i * s->numbers;
            const float* b = s->kept->frames + (size_t)j * s->numbers;
            double sum = 0;
            for (size_t k = 0; k < s->numbers; k++) sum += (double)(a[k] * b[k]);
            s->gram[i * count + j] = s->gram[j * count + i] = sum;
        }
}

// The largest eigenvector of the products, of length 1, into `now`; its value is taken out of them
// and returned.
static double next_component(const Search* s) {
    int count = s->kept->count;
    double value = 0;
    for (int i = 0; i < count; i++) s->now[i] = 1 + 0.1 * (i % 7);
    for (int k = 0; k < ITERATIONS; k++) {
        double square = 0;
        for (int i = 0; i < count; i++) {
            s->next[i] = 0;
            for (int j = 0; j < count; j++) s->next[i] += s->gram[i * count + j] * s->now[j];
            square += s->next[i] * s->next[i];
        }
        value = sqrt(square);
        if (value == 0) return 0;
        for (int i = 0; i < count; i++) s->now[i] = s->next[i] / value;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) s->gram[i * count + j] -= value * s->now[i] * s->now[j];
    return value;
}

// The frequency of which `now` has most, and where it is in it at time 0.
static void find_frequency(const Search* s, float* frequency, float* phase) {
    int count = s->kept->count;
    const double* times = s->kept->times;
    double span = times[count - 1] - times[0], best = -1;
    for (int bin = 1; bin <= count / 2; bin++) {
        double rate = 2 * WF_PI * bin / span, with = 0, across = 0;
        for (int j = 0; j < count; j++) {
            double sine, cosine;
            wf_sine_cosine(rate * times[j], &sine, &cosine);
            with += s->now[j] * sine;
            across += s->now[j] * cosine;
        }
        double power = with * with + across * across;
        if (power <= best) continue;
        best = power;
        *frequency = (float)rate;
        *phase = (float)wf_angle_of(across, with);
    }
}

static void take_mode(const Search* s, double value, double speed, WfModes* modes, int m) {
    int count = s->kept->count;
    float* shape = modes->shapes + (size_t)m * s->numbers;
    for (int j = 0; j < count; j++) {
        const float* frame = s->kept->frames + (size_t)j * s->numbers;
        float by = (float)(s->now[j] / sqrt(value));
        for (size_t k = 0; k < s->numbers; k++) shape[k] += by * frame[k];
    }
    find_frequency(s, &modes->frequencies[m], &modes->phases[m]);
    // a swing of this size has the mean square that the frames have
    modes->strengths[m] = (float)(sqrt(2 * value / count) / speed);
}

static void find_all(const WeftLearner* l, const Search* s, double speed, WeftDetail* d) {
    int found = 0;
    subtract_mean(s);
    fill_gram(s);
    for (; found < l->modes && speed > 0; found++) {
        double value = next_component(s);
        if (!(value > 0)) break;
        take_mode(s, value, speed, &d->modes, found);
    }
    d->modes.count = found;
}

bool wf_find_modes(const WeftLearner* l, WeftDetail* d) {
    size_t count = (size_t)l->kept.count;
    if (count < 8) return true;  // too few to tell a frequency
    Room room = {.coarse = wf_alloc(&l->allocator, wf_kept_coarse(l), sizeof(double)),
                 .positions = wf_alloc(&l->allocator, 3 * (size_t)d->count, sizeof(double))};
    Search s = {.kept = &l->kept,
                .numbers = wf_own_numbers(d),
                .gram = wf_alloc(&l->allocator, count * count, sizeof(double)),
                .now = wf_alloc(&l->allocator, count, sizeof(double)),
                .next = wf_alloc(&l->allocator, count, sizeof(double))};
    bool good = room.coarse && room.positions && s.gram && s.now && s.next;
    double speed = good ? subtract_learned(l, d, &room) : 0;
    good = good && wf_detail_add_modes(d, l->modes);
    if (good) find_all(l, &s, speed, d);
    void* all[] = {room.coarse, room.positions, s.gram, s.now, s.next};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&l->allocator, all[k]);
    return good;
}
