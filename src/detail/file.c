// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Learned detail as bytes, the same on every machine (whole numbers and IEEE floats, the lowest
// byte first):
//
//     8   "weftdtl\n"
//     8   fingerprint of all bytes behind it
//     4   version of the form: 1          4   version of weft that learned it
//     8   number of all bytes
//     8   fingerprint of the coarse triangles
//     4 each: coarse vertices, coarse triangles, shown vertices, parts, modes, 0
//     8 each: ridge, what it left of the offsets that were held out
//     128 name, ended by zeros
//     4 per coarse triangle: its area at rest; as many: limits
//     4 each: scales, biases, of all numbers; modes: frequencies, phases, strengths, shapes
//     1 each: rows
//
// What is shown, its patches and their features are made from the coarse mesh again. And learners,
// for the machine that they are on.

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "detail/learn.h"

enum { FORM = 1, CHECKED_FROM = 16, HEADER = 80 + WF_DETAIL_NAME };
static const char MAGIC[8] = {'w', 'e', 'f', 't', 'd', 't', 'l', '\n'};
static const double SAME_AREA = 1e-3;

// The library that writes.
static const uint32_t VERSION =
    WEFT_VERSION_MAJOR << 16 | WEFT_VERSION_MINOR << 8 | WEFT_VERSION_PATCH;

// ---------------------------------------------------------------------------------------------
// The mesh that it is of

static uint64_t fingerprint(const WfPatches* p) {
    uint64_t hash = WF_HASH_START;
    for (long k = 0; k < 3L * p->count; k++) hash = wf_hash_word(hash, (uint64_t)p->triangles[k]);
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Writing

static void put_header(WfPen* pen, const WeftDetail* d, size_t size, uint64_t checksum) {
    wf_put(pen, MAGIC, sizeof MAGIC);
    wf_put_number(pen, checksum, 8);
    wf_put_number(pen, FORM, 4);
    wf_put_number(pen, VERSION, 4);
    wf_put_number(pen, size, 8);
    wf_put_number(pen, fingerprint(&d->patches), 8);
    int counts[6] = {d->coarse_count,  d->patches.count, d->count,
                     d->learned.parts, d->modes.count,   0};
    for (int k = 0; k < 6; k++) wf_put_number(pen, (uint64_t)counts[k], 4);
    wf_put_double(pen, d->learned.ridge);
    wf_put_double(pen, d->learned.left);
    wf_put(pen, d->learned.name, WF_DETAIL_NAME);
}

static void put_numbers(WfPen* pen, const WeftDetail* d) {
    size_t patches = (size_t)d->patches.count, numbers = wf_own_numbers(d);
    size_t modes = (size_t)d->modes.count;
    for (int t = 0; t < d->patches.count; t++) {
        float area = (float)wf_patch_area(&d->patches, t);
        wf_put_floats(pen, &area, 1);
    }
    wf_put_floats(pen, d->limits, patches);
    wf_put_floats(pen, d->scales, numbers);
    wf_put_floats(pen, d->biases, numbers);
    wf_put_floats(pen, d->modes.frequencies, modes);
    wf_put_floats(pen, d->modes.phases, modes);
    wf_put_floats(pen, d->modes.strengths, modes);
    wf_put_floats(pen, d->modes.shapes, modes * numbers);
    wf_put(pen, d->rows, d->row_start[patches]);
}

size_t weft_save_detail(const WeftDetail* d, void* bytes, size_t size) {
    WfPen measure = {0};
    if (d->learned.parts == 0) return 0;
    put_header(&measure, d, 0, 0);
    put_numbers(&measure, d);
    if (!bytes || size < measure.at) return measure.at;
    WfPen pen = {bytes, 0, size};
    put_header(&pen, d, measure.at, 0);
    put_numbers(&pen, d);
    const unsigned char* all = bytes;
    uint64_t sum = wf_hash(WF_HASH_START, all + CHECKED_FROM, pen.at - CHECKED_FROM);
    WfPen again = {bytes, 0, size};
    put_header(&again, d, measure.at, sum);
    return pen.at;
}

// ---------------------------------------------------------------------------------------------
// Reading

WeftResult weft_inspect_detail(const void* bytes, size_t size, WeftDetailInfo* info,
                               WeftError* error) {
    const unsigned char* all = bytes;
    WfEye eye = {bytes, sizeof MAGIC};
    *info = (WeftDetailInfo){0};
    if (size < sizeof MAGIC || memcmp(all, MAGIC, sizeof MAGIC) != 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "this is no learned detail");
    if (size < HEADER)
        return wf_fail(error, WEFT_ERROR_INPUT, "the detail ends after %zu bytes", size);
    uint64_t sum = wf_see_number(&eye, 8);
    unsigned form = (unsigned)wf_see_number(&eye, 4);
    if (form != FORM)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the detail is of form %u, and this version of weft reads form %d", form,
                       FORM);
    uint32_t version = (uint32_t)wf_see_number(&eye, 4);
    uint64_t count = wf_see_number(&eye, 8);
    if (count != size)
        return wf_fail(error, WEFT_ERROR_INPUT, "the detail has %llu bytes, and here are %zu of it",
                       (unsigned long long)count, size);
    if (sum != wf_hash(WF_HASH_START, all + CHECKED_FROM, size - CHECKED_FROM))
        return wf_fail(error, WEFT_ERROR_INPUT, "the detail is damaged: its checksum is another");
    info->mesh = wf_see_number(&eye, 8);
    int* counts[] = {&info->coarse_vertices, &info->coarse_triangles, &info->vertices, &info->parts,
                     &info->modes};
    for (int k = 0; k < 5; k++) *counts[k] = (int)wf_see_number(&eye, 4);
    eye.at += 4;
    info->ridge = wf_see_double(&eye);
    info->error = wf_see_double(&eye);
    memcpy(info->name, all + eye.at, WF_DETAIL_NAME - 1);
    for (int k = 0; k < 3; k++) info->version[k] = version >> 8 * (2 - k) & 255;
    return WEFT_OK;
}

static WeftResult check_mesh(const WeftDetailInfo* info, const WeftMesh* coarse, WeftError* error) {
    if (info->coarse_vertices != coarse->vertex_count ||
        info->coarse_triangles != coarse->triangle_count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the detail is of a mesh of %d vertices and %d triangles, and this one has "
                       "%d and %d; learn it anew",
                       info->coarse_vertices, info->coarse_triangles, coarse->vertex_count,
                       coarse->triangle_count);
    if (info->modes < 0 || info->modes > WEFT_MAX_MODES)
        return wf_fail(error, WEFT_ERROR_INPUT, "the detail has %d modes", info->modes);
    return WEFT_OK;
}

static WeftResult see_numbers(WfEye* eye, WeftDetail* d, size_t size, WeftError* error) {
    size_t patches = (size_t)d->patches.count, numbers = wf_own_numbers(d);
    size_t modes = (size_t)d->modes.count;
    size_t floats = 2 * patches + 2 * numbers + modes * (3 + numbers);
    if (size != HEADER + 4 * floats + d->row_start[patches])
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the detail is of another mesh: its numbers are not as many as this one's");
    for (int t = 0; t < d->patches.count; t++) {
        float area = 0;
        wf_see_floats(eye, &area, 1);
        double here = wf_patch_area(&d->patches, t);
        if (!(fabs((double)area - here) <= SAME_AREA * here))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the detail is of another mesh: triangle %d has %g mm2 at rest, and "
                           "there it had %g; learn it anew",
                           t, 1e6 * here, 1e6 * (double)area);
    }
    bool finite = wf_see_floats(eye, d->limits, patches);
    finite = wf_see_floats(eye, d->scales, numbers) && finite;
    finite = wf_see_floats(eye, d->biases, numbers) && finite;
    finite = wf_see_floats(eye, d->modes.frequencies, modes) && finite;
    finite = wf_see_floats(eye, d->modes.phases, modes) && finite;
    finite = wf_see_floats(eye, d->modes.strengths, modes) && finite;
    finite = wf_see_floats(eye, d->modes.shapes, modes * numbers) && finite;
    if (!finite) return wf_fail(error, WEFT_ERROR_INPUT, "the detail has what is no number");
    memcpy(d->rows, eye->bytes + eye->at, d->row_start[patches]);
    return WEFT_OK;
}

static WeftResult load(const WeftDetailInfo* info, const void* bytes, size_t size, WeftDetail* d,
                       WeftError* error) {
    WfEye eye = {bytes, HEADER};
    if (info->vertices != d->count || info->mesh != fingerprint(&d->patches))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the detail is of another mesh: its triangles are others; learn it anew");
    if (!wf_detail_add_rows(d) || !wf_detail_add_modes(d, info->modes))
        return wf_fail_memory(error);
    d->learned = (WfLearned){.parts = info->parts, .ridge = info->ridge, .left = info->error};
    memcpy(d->learned.name, info->name, WF_DETAIL_NAME);
    return see_numbers(&eye, d, size, error);
}

WeftResult weft_load_detail(const void* bytes, size_t size, const WeftMesh* coarse,
                            const WeftAllocator* allocator, WeftDetail** detail, WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    WeftDetailInfo info;
    WeftDetail* d = NULL;
    *detail = NULL;
    WeftResult result = weft_inspect_detail(bytes, size, &info, error);
    if (!result) result = check_mesh(&info, coarse, error);
    if (!result) result = wf_detail_refined(coarse, info.parts, &own, &d, error);
    if (!result) result = load(&info, bytes, size, d, error);
    if (result) {
        weft_destroy_detail(d);
        return result;
    }
    *detail = d;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Learners

typedef struct LearnerHeader {
    char magic[8];
    uint64_t checksum;  // of all that follows
    uint64_t mesh;
    int32_t parts, modes, kept, version;
    int64_t frames[WF_SETS];
} LearnerHeader;

static const char LEARNER_MAGIC[8] = {'w', 'e', 'f', 't', 'l', 'r', 'n', '\n'};
enum { LEARNER_CHECKED_FROM = 16 };

static LearnerHeader learner_header(const WeftLearner* l) {
    LearnerHeader header = {.mesh = fingerprint(&l->detail->patches),
                            .parts = l->detail->learned.parts,
                            .modes = l->modes,
                            .kept = l->kept.count,
                            .version = (int32_t)VERSION};
    memcpy(header.magic, LEARNER_MAGIC, sizeof LEARNER_MAGIC);
    memcpy(header.frames, l->frames, sizeof l->frames);
    return header;
}

static size_t learner_size(const WeftLearner* l, size_t kept) {
    size_t frame = sizeof(double) + (wf_own_numbers(l->detail) + wf_kept_coarse(l)) * sizeof(float);
    return sizeof(LearnerHeader) + WF_SETS * l->size * sizeof(double) + kept * frame;
}

size_t weft_save_learner(const WeftLearner* l, void* bytes, size_t size) {
    size_t kept = (size_t)l->kept.count, whole = l->detail ? learner_size(l, kept) : 0;
    if (!bytes || size < whole || whole == 0) return whole;
    LearnerHeader header = learner_header(l);
    WfPen pen = {bytes, 0, size};
    wf_put(&pen, &header, sizeof header);
    for (int s = 0; s < WF_SETS; s++) wf_put(&pen, l->sums[s].all, l->size * sizeof(double));
    if (kept > 0) {
        wf_put(&pen, l->kept.times, kept * sizeof(double));
        wf_put(&pen, l->kept.frames, kept * wf_own_numbers(l->detail) * sizeof(float));
        wf_put(&pen, l->kept.coarse, kept * wf_kept_coarse(l) * sizeof(float));
    }
    header.checksum =
        wf_hash(WF_HASH_START, pen.bytes + LEARNER_CHECKED_FROM, whole - LEARNER_CHECKED_FROM);
    memcpy(bytes, &header, sizeof header);
    return whole;
}

static void see(WfEye* eye, void* to, size_t count) {
    if (count > 0) memcpy(to, eye->bytes + eye->at, count);
    eye->at += count;
}

WeftResult weft_load_learner(WeftLearner* l, const void* bytes, size_t size, WeftError* error) {
    if (!l->detail) return wf_fail(error, WEFT_ERROR_INPUT, "the learner has finished already");
    LearnerHeader header, own = learner_header(l);
    WfEye eye = {bytes, 0};
    if (size < sizeof header || memcmp(bytes, LEARNER_MAGIC, sizeof LEARNER_MAGIC) != 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "this is no learner");
    see(&eye, &header, sizeof header);
    if (header.mesh != own.mesh || header.parts != own.parts || header.modes != own.modes ||
        header.version != own.version)
        return wf_fail(error, WEFT_ERROR_INPUT, "this is a learner of something else");
    if (header.kept < 0 || header.kept > WF_KEPT_FRAMES ||
        size != learner_size(l, (size_t)header.kept) ||
        header.checksum !=
            wf_hash(WF_HASH_START, eye.bytes + LEARNER_CHECKED_FROM, size - LEARNER_CHECKED_FROM))
        return wf_fail(error, WEFT_ERROR_INPUT, "the learner is damaged");
    size_t kept = (size_t)header.kept;
    for (int s = 0; s < WF_SETS; s++) see(&eye, l->sums[s].all, l->size * sizeof(double));
    see(&eye, l->kept.times, kept * sizeof(double));
    see(&eye, l->kept.frames, kept * wf_own_numbers(l->detail) * sizeof(float));
    see(&eye, l->kept.coarse, kept * wf_kept_coarse(l) * sizeof(float));
    l->kept.count = header.kept;
    memcpy(l->frames, header.frames, sizeof l->frames);
    return WEFT_OK;
}
