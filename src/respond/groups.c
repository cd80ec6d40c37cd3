// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/groups.h"

#include <math.h>
#include <string.h>

#include "base/links.h"
#include "base/simd.h"

// ---------------------------------------------------------------------------------------------
// Groups

// Pieces, and all that layers and ties join.
static void link_pieces(const WfTouch* touch) {
    const WfContacts* contacts = touch->contacts;
    const WfSurface* cloth = touch->cloth;
    int* links = touch->work->links;
    for (int i = 0; i < touch->vertex_count; i++) links[i] = cloth->piece_first[cloth->piece[i]];
    for (int k = contacts->single_count; k < contacts->count; k++)
        for (int v = 1; v < contacts->all[k].count; v++)
            wf_link(links, contacts->all[k].vertices[0], contacts->all[k].vertices[v]);
    for (int t = 0; touch->ties && t < touch->ties->count; t++) {
        const WfTie* tie = &touch->ties->all[t];
        for (int v = 1; v < tie->count; v++) wf_link(links, tie->vertices[0], tie->vertices[v]);
    }
}

// Everyone links to earlier ones, so that the first of a group has its number before the others.
static void number_groups(const WfTouch* touch) {
    WfTouchWork* work = touch->work;
    int count = 0;
    for (int i = 0; i < touch->vertex_count; i++) {
        int first = wf_first_linked(work->links, i);
        if (first == i) work->groups[count] = (WfGroup){.part = 1};
        work->group[i] = first == i ? count++ : work->group[first];
        work->groups[work->group[i]].mass += touch->masses[i];
    }
    work->group_count = count;
}

static void cut_sections(const WfTouch* touch) {
    WfTouchWork* work = touch->work;
    int count = 0, n = touch->vertex_count, blocks = 0;
    for (int first = 0, end; first < n; first = end) {
        if (first % WF_SECTION_BLOCK == 0) work->block_sections[blocks++] = count;
        int most = blocks * WF_SECTION_BLOCK < n ? blocks * WF_SECTION_BLOCK : n;
        for (end = first + 1; end < most && work->group[end] == work->group[first];) end++;
        work->sections[count++] = (WfSection){first, end, work->group[first]};
    }
    work->block_sections[blocks] = count;
}

void wf_groups_find(const WfTouch* touch) {
    const WfContacts* contacts = touch->contacts;
    link_pieces(touch);
    number_groups(touch);
    cut_sections(touch);
    for (int k = 0; k < contacts->count; k++) {
        WfGroup* group = wf_group_of(touch, contacts->all[k].vertices[0]);
        group->touches = true;
        group->held = group->held || contacts->all[k].soft || contacts->all[k].ball > 0;
    }
    for (int i = 0; i < touch->pin_count; i++) wf_group_of(touch, touch->pins[i])->held = true;
    for (int t = 0; touch->ties && t < touch->ties->count; t++) {
        const WfTie* tie = &touch->ties->all[t];
        if (tie->holds) wf_group_of(touch, tie->vertices[0])->held = true;
    }
    for (int i = 0; i < touch->mirror.count; i++)
        wf_group_of(touch, touch->mirror.rows[i])->on_plane = true;
}

// ---------------------------------------------------------------------------------------------
// Loops

enum { WORTH_THREADS = 4 };  // blocks: they are large

typedef struct SectionJob {
    const WfTouch* touch;
    WfSectionLoop* loop;
    void* context;
} SectionJob;

static void loop_block(void* context, int block) {
    const SectionJob* job = context;
    const WfTouchWork* work = job->touch->work;
    for (int s = work->block_sections[block]; s < work->block_sections[block + 1]; s++)
        job->loop(job->touch, job->context, &work->sections[s],
                  work->partial + WF_SECTION_SUMS * (long)s);
}

void wf_for_sections(const WfTouch* touch, WfSectionLoop* loop, void* context) {
    SectionJob job = {touch, loop, context};
    int blocks = (touch->vertex_count + WF_SECTION_BLOCK - 1) / WF_SECTION_BLOCK;
    wf_parallel_from(touch->vectors.jobs, WORTH_THREADS, blocks, loop_block, &job);
}

void wf_groups_sum(const WfTouch* touch) {
    const WfTouchWork* work = touch->work;
    int blocks = (touch->vertex_count + WF_SECTION_BLOCK - 1) / WF_SECTION_BLOCK;
    for (int g = 0; g < work->group_count; g++)
        memset(work->groups[g].sums, 0, sizeof work->groups[g].sums);
    for (int s = 0; s < work->block_sections[blocks]; s++) {
        double* sums = work->groups[work->sections[s].group].sums;
        const double* partial = work->partial + WF_SECTION_SUMS * (long)s;
        for (int k = 0; k < WF_SECTION_SUMS - 1; k++) sums[k] += partial[k];
        sums[WF_SECTION_SUMS - 1] = fmax(sums[WF_SECTION_SUMS - 1], partial[WF_SECTION_SUMS - 1]);
    }
}

typedef struct VectorLoop {
    const double *a, *b;
    double* y;
} VectorLoop;

static void dot_section(const WfTouch* touch, void* context, const WfSection* section,
                        double* partial) {
    const VectorLoop* loop = context;
    long at = 3L * section->first;
    (void)touch;
    memset(partial, 0, WF_SECTION_SUMS * sizeof *partial);
    partial[0] = wf_simd_dot(loop->a + at, loop->b + at, 3 * (section->end - section->first));
}

void wf_groups_dot(const WfTouch* touch, const double* a, const double* b) {
    VectorLoop loop = {.a = a, .b = b};
    wf_for_sections(touch, dot_section, &loop);
    wf_groups_sum(touch);
}

static void axpy_section(const WfTouch* touch, void* context, const WfSection* section,
                         double* partial) {
    const VectorLoop* loop = context;
    double s = touch->work->groups[section->group].factor;
    (void)partial;
    for (long k = 3L * section->first; k < 3L * section->end && s != 0; k++)
        loop->y[k] += s * loop->a[k];
}

void wf_groups_axpy(const WfTouch* touch, const double* x, double* y) {
    VectorLoop loop = {.a = x, .y = y};
    wf_for_sections(touch, axpy_section, &loop);
}
