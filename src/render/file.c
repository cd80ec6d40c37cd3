// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bindings as bytes, the same on every machine (base/bytes.h):
//
//     8   "weftbnd\n"
//     8   fingerprint of all bytes behind it
//     4   version of the form: 1          4   render vertices
//     8   number of all bytes
//     8   fingerprint of the cloth's triangles
//     8   fingerprint of the render mesh: surface, positions, triangles
//     8   reach
//     64 per vertex: corners, counted from the cloth's first vertex, and whether it is rigid; then
//         12 floats (WfBound)

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "render/binding.h"

enum { FORM = 1, CHECKED_FROM = 16, HEADER = 56 };
static const char MAGIC[8] = {'w', 'e', 'f', 't', 'b', 'n', 'd', '\n'};

static void put_all(WfPen* pen, const WeftBinding* b, size_t size, uint64_t checksum) {
    wf_put(pen, MAGIC, sizeof MAGIC);
    wf_put_number(pen, checksum, 8);
    wf_put_number(pen, FORM, 4);
    wf_put_number(pen, (uint64_t)b->count, 4);
    wf_put_number(pen, size, 8);
    wf_put_number(pen, b->cloth_print, 8);
    wf_put_number(pen, b->mesh_print, 8);
    wf_put_double(pen, b->reach);
    for (int i = 0; i < b->count; i++) {
        const WfBound* bound = &b->bound[i];
        for (int k = 0; k < 3; k++)
            wf_put_number(pen, (uint64_t)(bound->corners[k] - b->first_vertex), 4);
        wf_put_number(pen, (uint64_t)bound->rigid, 4);
        wf_put_floats(pen, bound->all, WF_BOUND_FLOATS);
    }
}

size_t weft_save_binding(const WeftBinding* b, void* bytes, size_t size) {
    size_t all = HEADER + sizeof(WfBound) * (size_t)b->count;
    if (!bytes || size < all) return all;
    WfPen pen = {bytes, 0, size};
    put_all(&pen, b, all, 0);
    const unsigned char* read = bytes;
    uint64_t sum = wf_hash(WF_HASH_START, read + CHECKED_FROM, all - CHECKED_FROM);
    WfPen again = {bytes, sizeof MAGIC, size};
    wf_put_number(&again, sum, 8);
    return all;
}

// ---------------------------------------------------------------------------------------------

static WeftResult check_bytes(const unsigned char* all, size_t size, WeftError* error) {
    WfEye eye = {all, sizeof MAGIC};
    if (size < sizeof MAGIC || memcmp(all, MAGIC, sizeof MAGIC) != 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "this is no binding of a render mesh");
    if (size < HEADER)
        return wf_fail(error, WEFT_ERROR_INPUT, "the binding ends after %zu bytes", size);
    uint64_t sum = wf_see_number(&eye, 8);
    unsigned form = (unsigned)wf_see_number(&eye, 4);
    if (form != FORM)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the binding is of form %u, and this version of weft reads form %d", form,
                       FORM);
    eye.at += 4;
    uint64_t count = wf_see_number(&eye, 8);
    if (count != size)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the binding has %llu bytes, and here are %zu of it",
                       (unsigned long long)count, size);
    if (sum != wf_hash(WF_HASH_START, all + CHECKED_FROM, size - CHECKED_FROM))
        return wf_fail(error, WEFT_ERROR_INPUT, "the binding is damaged: its checksum is another");
    return WEFT_OK;
}

// Bytes that were made by hand may have the right checksum.
static bool see_bound(WfEye* eye, const WeftBinding* b, int vertex_count, WfBound* bound) {
    bool good = true;
    for (int k = 0; k < 3; k++) {
        uint64_t corner = wf_see_number(eye, 4);
        good = good && corner < (uint64_t)vertex_count;
        bound->corners[k] = b->first_vertex + (good ? (int)corner : 0);
    }
    bound->rigid = wf_see_number(eye, 4) != 0;
    return wf_see_floats(eye, bound->all, WF_BOUND_FLOATS) && good;
}

static WeftResult see_all(WfEye* eye, size_t size, int vertex_count, WeftBinding* b,
                          WeftError* error) {
    eye->at = CHECKED_FROM + 4;
    uint64_t count = wf_see_number(eye, 4);
    eye->at += 8;
    uint64_t cloth = wf_see_number(eye, 8), mesh = wf_see_number(eye, 8);
    if (cloth != b->cloth_print)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the binding is to a cloth of other triangles; bind the render mesh again");
    if (mesh != b->mesh_print || count != (uint64_t)b->count ||
        size != HEADER + sizeof(WfBound) * (size_t)b->count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the binding is of another render mesh, of %llu vertices; bind this one "
                       "again",
                       (unsigned long long)count);
    b->reach = wf_see_double(eye);
    bool good = isfinite(b->reach) && b->reach >= 0;
    for (int i = 0; i < b->count; i++) good = see_bound(eye, b, vertex_count, &b->bound[i]) && good;
    return good ? WEFT_OK
                : wf_fail(error, WEFT_ERROR_INPUT,
                          "the binding names vertices that are not there, or no numbers");
}

WeftResult weft_load_binding(const WeftBindingDef* def, const void* bytes, size_t size,
                             WeftBinding** out, WeftError* error) {
    *out = NULL;
    WeftResult result = wf_check_binding(def, error);
    if (!result) result = check_bytes(bytes, size, error);
    if (result) return result;
    WeftBinding* b = wf_binding_allocate(def);
    if (!b) return wf_fail_memory(error);
    const int* first = def->model->shown.first_vertex + def->cloth;
    WfEye eye = {bytes, 0};
    result = see_all(&eye, size, first[1] - first[0], b, error);
    if (result) {
        weft_destroy_binding(b);
        return result;
    }
    wf_binding_pad(b);
    *out = b;
    return WEFT_OK;
}
