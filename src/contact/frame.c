// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/frame.h"

#include <math.h>
#include <string.h>

// What a pin counts: one that is beside a mirror has an image.
static double pin_weight(const WfPlane* mirror, const WfFrame* frame, int i) {
    return frame->is_symmetric && wf_plane_holds(mirror, i) ? 0.5 : 1;
}

static void count_pins(const WfSurface* cloth, const WfPlane* mirror, const unsigned char* pinned,
                       WfFrame* frames) {
    for (int k = 0; k < mirror->count; k++)
        frames[cloth->piece[mirror->rows[k]]].is_symmetric = true;
    for (int i = 0; i < cloth->vertex_count; i++) {
        WfFrame* frame = &frames[cloth->piece[i]];
        bool has_image = frame->is_symmetric && !wf_plane_holds(mirror, i);
        frame->pin_count += pinned[i] ? 1 + has_image : 0;
    }
}

// The frame of a piece and its image, from that of the piece.
static void move_into_plane(const WfPlane* mirror, WfFrame* frame) {
    double* places[] = {frame->from.position, frame->to.position};
    for (int k = 0; k < 2; k++)
        wf_store(places[k], 0, wf_plane_nearest(mirror, wf_load(places[k], 0)));
}

// Pins alone count where a piece has several. (One that is jerked would take all of the piece
// along, through whatever lies beside it.)
static void find_means(const WfSurface* cloth, const WfPlane* mirror, const double* x0,
                       const double* x1, const double* masses, const unsigned char* pinned,
                       WfFrame* frames) {
    count_pins(cloth, mirror, pinned, frames);
    for (int i = 0; i < cloth->vertex_count; i++) {
        WfFrame* frame = &frames[cloth->piece[i]];
        double pin = pinned[i] ? pin_weight(mirror, frame, i) : 0;
        double own = frame->pin_count < 2 ? masses[i] : pin;
        wf_accumulate(frame->from.position, 0, own, wf_load(x0, i));
        wf_accumulate(frame->to.position, 0, own, wf_load(x1, i));
        frame->weight += own;
    }
    for (int p = 0; p < cloth->piece_count; p++) {
        WfFrame* frame = &frames[p];
        for (int k = 0; k < 3; k++) {
            frame->from.position[k] /= frame->weight;
            frame->to.position[k] /= frame->weight;
        }
        if (frame->is_symmetric) move_into_plane(mirror, frame);
    }
}

static void add_spread(WfFrame* frame, double weight, const double x0[3], const double x1[3]) {
    double from[3], to[3];
    for (int k = 0; k < 3; k++) {
        from[k] = x0[k] - frame->from.position[k];
        to[k] = x1[k] - frame->to.position[k];
    }
    for (int k = 0; k < 9; k++) frame->spread[k] += weight * from[k / 3] * to[k % 3];
}

// S + R S R, R the reflection
static void add_image(const WfPlane* mirror, double spread[9]) {
    double image[9];
    for (int i = 0; i < 3; i++) wf_store(image, i, wf_plane_reflect(mirror, wf_load(spread, i)));
    for (int j = 0; j < 3; j++) {
        WfVec column = wf_plane_reflect(mirror, (WfVec){image[j], image[3 + j], image[6 + j]});
        spread[j] += column.x;
        spread[3 + j] += column.y;
        spread[6 + j] += column.z;
    }
}

static double norm_of(double m[4][4]) {
    double sum = 0;
    for (int k = 0; k < 16; k++) sum += m[k / 4][k % 4] * m[k / 4][k % 4];
    return sqrt(sum);
}

static void square(double m[4][4], double scale) {
    double old[4][4];
    for (int k = 0; k < 16; k++) old[k / 4][k % 4] = scale * m[k / 4][k % 4];
    for (int k = 0; k < 16; k++) {
        double sum = 0;
        for (int j = 0; j < 4; j++) sum += old[k / 4][j] * old[j][k % 4];
        m[k / 4][k % 4] = sum;
    }
}

enum { SQUARINGS = 30 };
// Of the squares of all distances: pins that are nearer to a line say too little of turns about it.
static const double LINE = 1e-4;
static const double POINT = 1e-12;  // m^2: the same, of pins at one place and turns at all

// The best turn is the eigenvector of the largest eigenvalue of Horn's matrix. Powers of the matrix
// (with its norm added, so that no eigenvalue is negative) take the quaternion of no turn there; of
// several that are as good, as about a line of pins, to the smallest.
static void find_turn(const double spread[9], double turn[4]) {
    double s[9], all = 0;
    for (int k = 0; k < 9; k++) all += spread[k] * spread[k];
    for (int k = 0; k < 9; k++) s[k] = spread[k] + (k % 4 == 0 ? LINE * sqrt(all) + POINT : 0);
    double m[4][4] = {{s[0] - s[4] - s[8], s[1] + s[3], s[2] + s[6], s[5] - s[7]},
                      {s[1] + s[3], s[4] - s[0] - s[8], s[5] + s[7], s[6] - s[2]},
                      {s[2] + s[6], s[5] + s[7], s[8] - s[0] - s[4], s[1] - s[3]},
                      {s[5] - s[7], s[6] - s[2], s[1] - s[3], s[0] + s[4] + s[8]}};
    double norm = norm_of(m), size = 0;
    for (int k = 0; k < 4; k++) m[k][k] += norm;
    for (int k = 0; k < SQUARINGS && norm > 0; k++) {
        norm = norm_of(m);
        if (norm > 0) square(m, 1 / norm);
    }
    for (int k = 0; k < 4; k++) size += m[k][3] * m[k][3];
    bool found = size > 0 && norm > 0;
    for (int k = 0; k < 4; k++) turn[k] = found ? m[k][3] / sqrt(size) : k == 3;
}

WfFrame wf_fit_frame(int count, const int* which, const double* from, const double* to,
                     const WfPlane* mirror) {
    WfFrame frame = {.weight = count, .from.rotation[3] = 1, .pin_count = count};
    for (int k = 0; k < count; k++) {
        wf_accumulate(frame.from.position, 0, 1.0 / count, wf_load(from, which[k]));
        wf_accumulate(frame.to.position, 0, 1.0 / count, wf_load(to, which[k]));
    }
    if (mirror) move_into_plane(mirror, &frame);
    for (int k = 0; k < count; k++)
        add_spread(&frame, 1, from + 3 * (long)which[k], to + 3 * (long)which[k]);
    if (mirror) add_image(mirror, frame.spread);
    find_turn(frame.spread, frame.to.rotation);
    return frame;
}

void wf_find_frames(const WfSurface* cloth, const WfPlane* mirror, const double* x0,
                    const double* x1, const double* masses, const unsigned char* pinned,
                    WfFrame* frames) {
    memset(frames, 0, (size_t)cloth->piece_count * sizeof *frames);
    find_means(cloth, mirror, x0, x1, masses, pinned, frames);
    for (int i = 0; i < cloth->vertex_count; i++) {
        WfFrame* frame = &frames[cloth->piece[i]];
        double weight = pin_weight(mirror, frame, i);
        if (pinned[i]) add_spread(frame, weight, x0 + 3 * (long)i, x1 + 3 * (long)i);
    }
    for (int p = 0; p < cloth->piece_count; p++) {
        frames[p].from.rotation[3] = frames[p].to.rotation[3] = 1;
        if (frames[p].is_symmetric) add_image(mirror, frames[p].spread);
        if (frames[p].pin_count > 1) find_turn(frames[p].spread, frames[p].to.rotation);
    }
}

WfVec wf_frame_way(const WfFrame* frame, WfVec x) {
    return wf_sub(wf_pose_point(&frame->to, wf_pose_local(&frame->from, x)), x);
}
