// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bones of the mannequin, and which of them its skin follows.
//
// Weights are handed down the limbs: a bone takes a share of what its parent has, which rises from
// 0 to 1 across the joint. Where arms and trunk meet, the distances to both say what belongs to
// which; the groin runs from the crotch up to the outside of the hips, steeper in front than
// behind. Then weights spread a little over the mesh, and each vertex keeps the four largest. The
// right side is the mirror image of the left one, and neither has weights on the other.

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/mannequin_loft.h"
#include "garment/mannequin_motion.h"

enum { SPREADS = 8, BONES = WF_MANNEQUIN_BONES };

static const char* const middle_names[WF_LEFT] = {"pelvis", "spine", "chest", "neck", "head"};
static const char* const side_names[WF_SIDE_BONES] = {"clavicle", "upper_arm", "forearm", "hand",
                                                      "thigh",    "shin",      "foot",    "toes"};
static const int parents[WF_RIGHT] = {-1,       WF_PELVIS,   WF_SPINE,     WF_CHEST,   WF_NECK,
                                      WF_CHEST, WF_CLAVICLE, WF_UPPER_ARM, WF_FOREARM, WF_PELVIS,
                                      WF_THIGH, WF_SHIN,     WF_FOOT};

void wf_mannequin_bones(const WfMannequinShape* shape, WeftBone* bones) {
    const WfJoints* j = &shape->joints;
    const WfVec heads[WF_RIGHT] = {j->pelvis,   j->spine,    j->chest, j->neck,  j->head,
                                   j->clavicle, j->shoulder, j->elbow, j->wrist, j->hip,
                                   j->knee,     j->ankle,    j->toes};
    for (int b = 0; b < BONES; b++) {
        bool right = b >= WF_RIGHT;
        int left = right ? wf_mirror_bone(b) : b, parent = parents[left];
        WfVec head = heads[left];
        if (right) head.x = -head.x;
        bones[b] =
            (WeftBone){.parent = right && parent >= WF_LEFT ? wf_mirror_bone(parent) : parent,
                       .head = {head.x, head.y, head.z},
                       .rotation = {0, 0, 0, 1}};
        if (b < WF_LEFT)
            snprintf(bones[b].name, sizeof bones[b].name, "%s", middle_names[b]);
        else
            snprintf(bones[b].name, sizeof bones[b].name, "%s_%s", right ? "right" : "left",
                     side_names[left - WF_LEFT]);
    }
}

// ---------------------------------------------------------------------------------------------
// Shares

// A bone takes a share of what another one has.
static void take(double* weights, int to, int from, double share) {
    weights[to] += share * weights[from];
    weights[from] *= 1 - share;
}

static void share_trunk(const WfMannequinShape* shape, WfVec p, double* weights) {
    double unit = shape->height / 1000;
    const WfJoints* j = &shape->joints;
    weights[WF_PELVIS] = 1;
    take(weights, WF_SPINE, WF_PELVIS, wf_rise(-45 * unit, 45 * unit, p.y - j->spine.y));
    take(weights, WF_CHEST, WF_SPINE, wf_rise(-45 * unit, 45 * unit, p.y - j->chest.y));
    // across the neck, which leans forward: the chin goes with the head, the nape with the chest
    double along = p.y - j->neck.y + 0.3 * (p.z - j->neck.z);
    take(weights, WF_NECK, WF_CHEST, wf_rise(-18 * unit, 30 * unit, along));
    along = p.y - j->head.y + 0.6 * (p.z - j->head.z);
    take(weights, WF_HEAD, WF_NECK, wf_rise(-16 * unit, 22 * unit, along));
}

// How much a point is of the arm rather than of the trunk.
static double arm_share(const WfMannequinShape* shape, WfVec p) {
    double unit = shape->height / 1000;
    double apart = wf_mannequin_trunk(shape, p) - wf_mannequin_arm(shape, p);
    return wf_rise(-14 * unit, 22 * unit, apart);
}

static void share_arm(const WfMannequinShape* shape, WfVec p, double* weights) {
    double unit = shape->height / 1000;
    const WfJoints* j = &shape->joints;
    double near_shoulder = wf_rise(15 * unit, 95 * unit, p.x) *
                           wf_rise(-95 * unit, -5 * unit, p.y - j->shoulder.y) *
                           wf_rise(75 * unit, 35 * unit, p.y - j->shoulder.y);
    take(weights, WF_CLAVICLE, WF_CHEST, 0.85 * near_shoulder);
    double along = wf_dot(wf_sub(p, j->shoulder), j->arm_axis);
    double share = arm_share(shape, p) * wf_rise(-45 * unit, 66 * unit, along);
    for (int b = 0; b <= WF_CLAVICLE; b++) take(weights, WF_UPPER_ARM, b, share);
    double elbow = wf_length(wf_sub(j->elbow, j->shoulder));
    double wrist = elbow + wf_length(wf_sub(j->wrist, j->elbow));
    take(weights, WF_FOREARM, WF_UPPER_ARM, wf_rise(-30 * unit, 30 * unit, along - elbow));
    take(weights, WF_HAND, WF_FOREARM, wf_rise(-14 * unit, 14 * unit, along - wrist));
}

static void share_leg(const WfMannequinShape* shape, WfVec p, double* weights) {
    double unit = shape->height / 1000;
    const WfJoints* j = &shape->joints;
    double out = fmin(p.x / (100 * unit), 1), front = wf_rise(-40 * unit, 40 * unit, p.z);
    double crotch = j->hip.y - 60 * unit;
    double groin = crotch - 32 * unit + out * (58 + 44 * front) * unit;
    double share = wf_rise(46 * unit, -46 * unit, p.y - groin) * wf_rise(0, 15 * unit, p.x);
    share *= 1 - arm_share(shape, p);
    for (int b = 0; b <= WF_CHEST; b++) take(weights, WF_THIGH, b, share);
    take(weights, WF_SHIN, WF_THIGH, wf_rise(36 * unit, -36 * unit, p.y - j->knee.y));
    take(weights, WF_FOOT, WF_SHIN, wf_rise(34 * unit, -10 * unit, p.y - j->ankle.y));
    double along = wf_dot(wf_sub(p, j->toes), j->foot_axis);
    take(weights, WF_TOES, WF_FOOT, wf_rise(-13 * unit, 13 * unit, along));
}

static void share_vertex(const WfMannequinShape* shape, WfVec p, double* weights) {
    share_trunk(shape, p, weights);
    share_leg(shape, p, weights);
    share_arm(shape, p, weights);
}

// ---------------------------------------------------------------------------------------------

// Every vertex takes half of the mean of its neighbours.
static void spread(const WeftFigure* figure, double* weights, double* sums) {
    size_t row = BONES + 1;  // the last counts neighbours
    memset(sums, 0, (size_t)figure->vertex_count * row * sizeof *sums);
    for (long h = 0; h < 3L * figure->triangle_count; h++) {
        size_t a = (size_t)figure->triangles[h];
        size_t b = (size_t)figure->triangles[h % 3 == 2 ? h - 2 : h + 1];
        for (int k = 0; k < BONES; k++) sums[a * row + (size_t)k] += weights[b * BONES + (size_t)k];
        sums[a * row + BONES] += 1;
    }
    for (size_t v = 0; v < (size_t)figure->vertex_count; v++)
        for (size_t k = 0; k < BONES; k++)
            weights[v * BONES + k] =
                0.5 * weights[v * BONES + k] + 0.5 * sums[v * row + k] / sums[v * row + BONES];
}

static void part_sides(double x, double* weights) {
    for (int b = WF_LEFT; b < WF_RIGHT; b++) {
        double* other = &weights[wf_mirror_bone(b)];
        if (x == 0) weights[b] = *other = 0.5 * (weights[b] + *other);
        if (x > 0) *other = 0;
        if (x < 0) weights[b] = 0;
    }
}

// The four largest, less the fifth, so that nothing jumps where they change places.
static void keep_largest(const double* weights, int* bones, double* kept) {
    int order[5] = {-1, -1, -1, -1, -1};
    for (int b = 0; b < BONES; b++) {
        int place = 5;
        while (place > 0 && (order[place - 1] < 0 || weights[b] > weights[order[place - 1]]))
            place--;
        for (int k = 4; k > place; k--) order[k] = order[k - 1];
        if (place < 5) order[place] = b;
    }
    double sum = 0, least = weights[order[4]];
    for (int k = 0; k < 4; k++) sum += weights[order[k]] - least;
    for (int k = 0; k < 4; k++) {
        bones[k] = order[k];
        kept[k] = (weights[order[k]] - least) / sum;
    }
}

// Bones of a vertex on the plane come in pairs of equal weight, left and right side by side: what
// they add along x cancels.
static void write_weights(const double* weights, WeftFigure* figure) {
    for (int v = 0; v < figure->vertex_count; v++) {
        double x = figure->positions[3 * (long)v], row[BONES];
        if (x < 0) continue;
        memcpy(row, weights + (long)v * BONES, sizeof row);
        part_sides(x, row);
        int* bones = figure->skin_bones + 4 * (long)v;
        double* kept = figure->skin_weights + 4 * (long)v;
        keep_largest(row, bones, kept);
        if (x == 0) continue;
        for (int k = 0; k < 4; k++) bones[4 + k] = wf_mirror_bone(bones[k]);
        memcpy(kept + 4, kept, 4 * sizeof *kept);
    }
}

WeftResult wf_mannequin_skin(const WfMannequinShape* shape, WeftFigure* figure, WeftError* error) {
    const WeftAllocator* allocator = &figure->allocator;
    WeftResult result = WEFT_OK;
    size_t count = (size_t)figure->vertex_count;
    double* weights = wf_alloc(allocator, count * BONES, sizeof *weights);
    double* sums = wf_alloc(allocator, count * (BONES + 1), sizeof *sums);
    figure->bones = wf_alloc(allocator, BONES, sizeof *figure->bones);
    figure->skin_bones = wf_alloc(allocator, 4 * count, sizeof *figure->skin_bones);
    figure->skin_weights = wf_alloc(allocator, 4 * count, sizeof *figure->skin_weights);
    if (!weights || !sums || !figure->bones || !figure->skin_bones || !figure->skin_weights) {
        result = wf_fail_memory(error);
        goto done;
    }
    figure->bone_count = BONES;
    wf_mannequin_bones(shape, figure->bones);
    for (int v = 0; v < figure->vertex_count; v++) {
        WfVec p = wf_load(figure->positions, v);
        double left[BONES] = {0}, *row = weights + (long)v * BONES;
        bool right = p.x < 0;
        if (right) p.x = -p.x;
        share_vertex(shape, p, left);
        for (int b = 0; b < BONES; b++) row[right ? wf_mirror_bone(b) : b] = left[b];
    }
    for (int i = 0; i < SPREADS; i++) spread(figure, weights, sums);
    write_weights(weights, figure);
done:
    wf_free(allocator, weights);
    wf_free(allocator, sums);
    return result;
}
