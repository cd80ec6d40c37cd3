// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The joints of threads: inner vertices, where one segment ends and the next begins.

#ifndef WF_ENERGY_JOINT_H
#define WF_ENERGY_JOINT_H

#include "energy/parts.h"

// Which threads, as bits.
enum {
    WF_WARPS = 1 << WEFT_THREAD_WARP,
    WF_WEFTS = 1 << WEFT_THREAD_WEFT,
    WF_ROPES = 1 << WEFT_THREAD_ROPE,
    WF_BANDS = 1 << WEFT_THREAD_BAND,
};

typedef struct WfJoint {
    int thread, index;     // vertex `index` of the thread is the joint
    int vertices[3];       // before, at and after it; numbered in the cloth
    double before, after;  // rest lengths of the two segments
} WfJoint;

static inline bool wf_thread_is(const WeftThread* thread, unsigned kinds) {
    return kinds >> thread->kind & 1;
}

// Whether a thread is there for its segments; of those that reach across a mirror, the ones of three
// vertices are there for their joint.
static inline bool wf_has_segments(const WfClothParts* parts, const WeftThread* thread,
                                   unsigned kinds) {
    return wf_thread_is(thread, kinds) && !(parts->sides && thread->count == 3);
}

static inline int wf_segment_count(const WfClothParts* parts, unsigned kinds) {
    int count = 0;
    for (int t = 0; t < parts->def->thread_count; t++)
        if (wf_has_segments(parts, &parts->def->threads[t], kinds))
            count += parts->def->threads[t].count - 1;
    return count;
}

// From a joint of zeros to the first, from each to the next; false past the last. All joints; of
// those that reach across a mirror, others that are at the same vertices, too.
static inline bool wf_any_joint_next(const WfClothParts* parts, unsigned kinds, WfJoint* joint) {
    const WeftClothDef* def = parts->def;
    for (joint->index++; joint->thread < def->thread_count; joint->thread++, joint->index = 1) {
        const WeftThread* thread = &def->threads[joint->thread];
        if (!wf_thread_is(thread, kinds) || joint->index + 1 >= thread->count) continue;
        const int* v = def->thread_vertices + thread->first + joint->index;
        const double* lengths =
            parts->rest->segments + parts->rest->segment_start[joint->thread] + joint->index;
        for (int a = 0; a < 3; a++) joint->vertices[a] = v[a - 1];
        joint->before = lengths[-1];
        joint->after = lengths[0];
        return true;
    }
    return false;
}

// Without those others.
static inline bool wf_joint_next(const WfClothParts* parts, unsigned kinds, WfJoint* joint) {
    while (wf_any_joint_next(parts, kinds, joint))
        if (wf_takes(parts, joint->vertices, 3)) return true;
    return false;
}

static inline int wf_any_joint_count(const WfClothParts* parts, unsigned kinds) {
    int count = 0;
    WfJoint joint = {0};
    while (wf_any_joint_next(parts, kinds, &joint)) count++;
    return count;
}

static inline int wf_joint_count(const WfClothParts* parts, unsigned kinds) {
    int count = 0;
    WfJoint joint = {0};
    while (wf_joint_next(parts, kinds, &joint)) count++;
    return count;
}

#endif
