// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Torn states as bytes. Before the bytes of every state come those of what is torn: this header,
// then
//
//     int     from[vertices]        which vertex each one was at first
//     int     triangles[3 x count]
//     double  scales[portions]      of the factor in use last
//     double  made_gamma, made_scales[portions]   of the factor that the torn model was made with
//     byte    sides[3 x count]
//     byte    pins[vertices]        that the torn model was made with
//     byte    due pins[vertices]    that the one in the making was begun with
//
// filled up to eight bytes.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/hash.h"
#include "sim/tear.h"

typedef struct TornHeader {
    char magic[8];
    uint64_t vertex_count, triangle_count, portion_count;
    int64_t due;           // stages of what is in the making
    int64_t factor_count;  // of the torn model
    double gamma;
} TornHeader;

static const char TORN_MAGIC[8] = "weft tr2";

static bool has_marks(const WfTear* tear) {
    for (long k = 0; k < 3L * tear->whole->triangle_count; k++)
        if (tear->sides[k]) return true;
    return false;
}

// Whether there is anything to save, or to hash.
static bool is_touched(const WeftState* state) {
    return state->tear && (state->tear->own || has_marks(state->tear));
}

static size_t size_of(uint64_t vertices, uint64_t triangles, uint64_t portions) {
    size_t bytes = sizeof(TornHeader) + (vertices + 3 * triangles) * sizeof(int) +
                   (2 * portions + 1) * sizeof(double) + 3 * triangles + 2 * vertices;
    return (bytes + 7) / 8 * 8;
}

size_t wf_torn_bytes(const WeftState* state) {
    if (!is_touched(state)) return 0;
    const WeftModel* m = state->model;
    return size_of((uint64_t)m->system.vertex_count, (uint64_t)m->triangle_count,
                   (uint64_t)m->portion_count);
}

static unsigned char* put(unsigned char* out, const void* data, size_t size) {
    memcpy(out, data, size);
    return out + size;
}

static int due_stage(const WfTear* tear) { return tear->making ? tear->making->stage : tear->due; }

// The pins that what is in the making was begun with, of the model in use.
static void put_due_pins(const WeftState* state, unsigned char* out) {
    const WfTear* tear = state->tear;
    int n = state->model->system.vertex_count;
    memset(out, 0, (size_t)n);
    if (tear->making)
        for (int i = 0; i < tear->making->torn.vertex_count; i++)
            out[tear->making->source[i]] = tear->making->torn.pinned[i];
    else if (tear->due > 0)
        memcpy(out, tear->due_pins, (size_t)n);
}

void wf_save_torn(const WeftState* state, void* bytes) {
    const WfTear* tear = state->tear;
    const WeftModel* m = state->model;
    size_t n = (size_t)m->system.vertex_count, corners = 3 * (size_t)m->triangle_count;
    size_t portions = (size_t)m->portion_count;
    TornHeader header = {.vertex_count = n,
                         .triangle_count = corners / 3,
                         .portion_count = portions,
                         .due = due_stage(tear),
                         .factor_count = tear->own ? tear->own->factor_count : 0,
                         .gamma = tear->gamma};
    memcpy(header.magic, TORN_MAGIC, sizeof header.magic);
    memset(bytes, 0, wf_torn_bytes(state));
    unsigned char* out = put(bytes, &header, sizeof header);
    for (int i = 0; i < (int)n; i++) {
        int from = weft_torn_from(state, i);
        out = put(out, &from, sizeof from);
    }
    out = put(out, m->triangles, corners * sizeof(int));
    out = put(out, tear->scales, portions * sizeof(double));
    const WfFactor* made = tear->own && tear->own->factor_count > 0 ? &tear->own->factors[0] : NULL;
    double none = 0;
    out = put(out, made ? &made->gamma : &none, sizeof(double));
    out = put(out, made ? made->scales : tear->scales, portions * sizeof(double));
    out = put(out, tear->sides, corners);
    out = put(out, m->pinned, n);
    put_due_pins(state, out);
}

bool wf_is_saved_torn(const void* bytes, size_t byte_count) {
    return byte_count >= sizeof(TornHeader) && memcmp(bytes, TORN_MAGIC, sizeof TORN_MAGIC) == 0;
}

// ---------------------------------------------------------------------------------------------
// Back

static WeftResult fail_damaged(WeftError* error) {
    return wf_fail(error, WEFT_ERROR_INPUT, "the saved torn state is damaged");
}

// Of vertices in their order: those of the whole cloth as they are, then those split from them.
static bool number_cloths(const WeftModel* whole, WfTorn* torn) {
    int i = 0;
    for (int c = 0; c < whole->cloth_count; c++) {
        int low = whole->first_vertex[c], high = whole->first_vertex[c + 1];
        torn->first[c] = i;
        for (int v = low; v < high; v++, i++)
            if (i >= torn->vertex_count || torn->from[i] != v) return false;
        while (i < torn->vertex_count && torn->from[i] >= low && torn->from[i] < high) i++;
    }
    torn->first[whole->cloth_count] = i;
    return i == torn->vertex_count;
}

// Triangles have the corners that they had at first, or vertices split from them; and every vertex
// has one, but for those of ropes.
static bool are_triangles_sound(const WeftModel* whole, const WfTorn* torn) {
    for (long k = 0; k < 3L * whole->triangle_count; k++) {
        int v = torn->triangles[k];
        if (v < 0 || v >= torn->vertex_count || torn->from[v] != whole->triangles[k]) return false;
    }
    return true;
}

static bool are_scales_sound(const unsigned char* bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        if (!(isfinite(value) && value >= 0)) return false;
    }
    return true;
}

static WeftResult check_header(const WeftModel* whole, const TornHeader* h, size_t byte_count,
                               WeftError* error) {
    uint64_t n = (uint64_t)whole->system.vertex_count,
             corners = 3 * (uint64_t)whole->triangle_count;
    if (h->triangle_count != corners / 3 || h->portion_count != (uint64_t)whole->portion_count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved torn state is of another model: %llu triangles, not %d",
                       (unsigned long long)h->triangle_count, whole->triangle_count);
    bool sound = h->vertex_count >= n && h->vertex_count <= n + corners && h->due >= 0 &&
                 h->due <= 1000 && h->factor_count >= 0 && h->factor_count <= WF_MAX_FACTORS &&
                 h->gamma >= 0 && h->gamma <= 2 &&
                 byte_count >= size_of(h->vertex_count, h->triangle_count, h->portion_count);
    return sound ? WEFT_OK : fail_damaged(error);
}

static bool same_torn(const WeftState* state, const WfTorn* torn, int factor_count) {
    const WeftModel* m = state->model;
    return m->system.vertex_count == torn->vertex_count &&
           memcmp(m->triangles, torn->triangles, 3 * (size_t)m->triangle_count * sizeof(int)) ==
               0 &&
           memcmp(m->pinned, torn->pinned, (size_t)torn->vertex_count) == 0 &&
           (m == state->tear->whole || m->factor_count == factor_count);
}

static WeftResult read_torn(const WeftModel* whole, const TornHeader* h, const unsigned char* at,
                            WfSavedTorn* saved, WeftError* error) {
    const WeftAllocator* allocator = &whole->system.allocator;
    WfTorn* torn = &saved->torn;
    size_t n = h->vertex_count, corners = 3 * h->triangle_count, portions = h->portion_count;
    torn->vertex_count = (int)n;
    torn->first = wf_alloc(allocator, (size_t)whole->cloth_count + 1, sizeof(int));
    torn->from = wf_alloc(allocator, n, sizeof(int));
    torn->triangles = wf_alloc(allocator, corners, sizeof(int));
    torn->pinned = wf_alloc(allocator, n, 1);
    if (!torn->first || !torn->from || !torn->triangles || !torn->pinned)
        return wf_fail_memory(error);
    memcpy(torn->from, at, n * sizeof(int));
    at += n * sizeof(int);
    memcpy(torn->triangles, at, corners * sizeof(int));
    at += corners * sizeof(int);
    saved->scales = at;
    at += portions * sizeof(double);
    memcpy(&saved->made_gamma, at, sizeof(double));
    saved->made_scales = at + sizeof(double);
    at += (portions + 1) * sizeof(double);
    saved->sides = at;
    at += corners;
    for (size_t i = 0; i < n; i++) torn->pinned[i] = at[i] != 0;
    saved->due_pins = at + n;
    saved->due = (int)h->due;
    saved->made_count = (int)h->factor_count;
    saved->gamma = h->gamma;
    bool sound = number_cloths(whole, torn) && are_triangles_sound(whole, torn) &&
                 are_scales_sound(saved->scales, 2 * portions + 1) && saved->made_gamma <= 2;
    return sound ? WEFT_OK : fail_damaged(error);
}

// A state of the model that was torn, or of the whole one where nothing was.
static WeftResult make_fresh(const WfTear* tear, WfSavedTorn* saved, WeftError* error) {
    const WeftModel* whole = tear->whole;
    saved->is_whole = saved->torn.vertex_count == whole->system.vertex_count;
    if (!saved->is_whole) {
        size_t portions = (size_t)whole->portion_count;
        double* scales = wf_alloc(&whole->system.allocator, portions, sizeof(double));
        if (!scales) return wf_fail_memory(error);
        memcpy(scales, saved->made_scales, portions * sizeof(double));
        WeftResult result = wf_make_torn_model(whole, &saved->torn, saved->made_gamma, scales,
                                               saved->made_count, &saved->model, error);
        wf_free(&whole->system.allocator, scales);
        if (result) return result;
    }
    return weft_create_state(saved->is_whole ? whole : saved->model, &saved->fresh, error);
}

WeftResult wf_read_torn(const WeftState* state, const void* bytes, size_t byte_count,
                        WfSavedTorn* saved, size_t* used, WeftError* error) {
    *saved = (WfSavedTorn){0};
    *used = 0;
    if (!wf_is_saved_torn(bytes, byte_count)) {
        // of a whole cloth
        saved->torn.vertex_count = state->tear ? state->tear->whole->system.vertex_count : 0;
        return state->tear && state->tear->own ? make_fresh(state->tear, saved, error) : WEFT_OK;
    }
    if (!state->tear)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state was torn, and this model cannot be: set `tearable` in its "
                       "def");
    TornHeader header;
    memcpy(&header, bytes, sizeof header);
    WeftResult result = check_header(state->tear->whole, &header, byte_count, error);
    if (!result)
        result = read_torn(state->tear->whole, &header, (const unsigned char*)bytes + sizeof header,
                           saved, error);
    if (!result && !same_torn(state, &saved->torn, saved->made_count))
        result = make_fresh(state->tear, saved, error);
    *used = size_of(header.vertex_count, header.triangle_count, header.portion_count);
    if (!result && header.due > 0) {
        saved->kept_pins =
            wf_alloc(&state->tear->whole->system.allocator, (size_t)header.vertex_count, 1);
        if (!saved->kept_pins) result = wf_fail_memory(error);
    }
    if (result) wf_drop_torn(state, saved);
    return result;
}

void wf_drop_torn(const WeftState* state, WfSavedTorn* saved) {
    if (!state->tear) return;
    const WeftAllocator* allocator = &state->tear->whole->system.allocator;
    weft_destroy_state(saved->fresh);
    weft_destroy_model(saved->model);
    wf_torn_destroy(allocator, &saved->torn);
    wf_free(allocator, saved->kept_pins);
    *saved = (WfSavedTorn){0};
}

static void take_marks(WfTear* tear, WfSavedTorn* saved) {
    size_t corners = 3 * (size_t)tear->whole->triangle_count;
    tear->asked = false;
    tear->due = saved->due;
    tear->gamma = saved->gamma;
    wf_free(&tear->whole->system.allocator, tear->due_pins);
    tear->due_pins = saved->kept_pins;
    saved->kept_pins = NULL;
    if (tear->due_pins) memcpy(tear->due_pins, saved->due_pins, (size_t)saved->torn.vertex_count);
    if (!saved->sides) {
        memset(tear->sides, 0, corners);
        return;
    }
    if (saved->scales)
        memcpy(tear->scales, saved->scales, (size_t)tear->whole->portion_count * sizeof(double));
    for (size_t k = 0; k < corners; k++) {
        tear->sides[k] = saved->sides[k];
        tear->asked = tear->asked || (tear->sides[k] & WF_SIDE_ASKED);
    }
}

void wf_take_torn(WeftState* state, WfSavedTorn* saved) {
    WfTear* tear = state->tear;
    if (!tear) return;
    wf_drop_tearing(tear);
    if (saved->fresh) {
        WeftModel* old = tear->own;
        saved->fresh->budget = state->budget;
        saved->fresh->report = state->report;
        wf_exchange_states(state, saved->fresh);
        weft_destroy_state(saved->fresh);
        weft_destroy_model(old);
        tear->own = saved->model;
        tear->twins_of = NULL;
        saved->fresh = NULL;
        saved->model = NULL;
        wf_torn_destroy(&tear->whole->system.allocator, &tear->torn);
    }
    take_marks(tear, saved);
    if (tear->own && !tear->torn.from) {
        tear->torn = saved->torn;
        saved->torn = (WfTorn){0};
    }
    wf_drop_torn(state, saved);
}

void wf_make_whole(WeftState* state) {
    WfSavedTorn saved;
    WeftError error;
    size_t used;
    state->refused = (WfRefused){0};
    if (wf_read_torn(state, NULL, 0, &saved, &used, &error))
        state->refused = (WfRefused){.kind = WF_INPUT_COPY};
    else
        wf_take_torn(state, &saved);
}

void wf_copy_torn(WeftState* to, const WeftState* from) {
    wf_assert(to->tear && from->tear && to->tear->whole == from->tear->whole);
    const WeftAllocator* allocator = &from->model->system.allocator;
    WeftError error;
    size_t size = weft_saved_size(from);
    void* bytes = wf_alloc(allocator, size, 1);
    if (bytes) weft_save_state(from, bytes);
    if (!bytes || weft_load_state(to, bytes, size, &error))
        to->refused = (WfRefused){.kind = WF_INPUT_COPY};
    else
        to->refused = from->refused;
    wf_free(allocator, bytes);
}

// ---------------------------------------------------------------------------------------------
// Another model of the same triangles

static bool are_alike(const WeftModel* a, const WeftModel* b) {
    return a->system.vertex_count == b->system.vertex_count && a->cloth_count == b->cloth_count &&
           a->triangle_count == b->triangle_count &&
           memcmp(a->first_vertex, b->first_vertex, ((size_t)a->cloth_count + 1) * sizeof(int)) ==
               0 &&
           memcmp(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof(int)) == 0;
}

// The model of the torn cloth has no factor yet: what the old one was made for may suit it no more.
static WeftResult make_alike(const WfTear* tear, const WfTear* old, WfSavedTorn* saved,
                             WeftError* error) {
    const WeftModel* whole = tear->whole;
    const WeftAllocator* allocator = &whole->system.allocator;
    if (wf_torn_copy(allocator, whole->cloth_count, whole->triangle_count, &old->torn,
                     &saved->torn))
        return wf_fail_memory(error);
    WeftResult result =
        wf_make_torn_model(whole, &saved->torn, 0, tear->scales, 0, &saved->model, error);
    return result ? result : weft_create_state(saved->model, &saved->fresh, error);
}

static void take_alike(WeftState* to, const WeftState* from, WfSavedTorn* saved) {
    const WfTear* old = from->tear;
    saved->sides = old->sides;
    saved->due = due_stage(old);
    saved->due_pins = saved->kept_pins;
    if (saved->kept_pins) put_due_pins(from, saved->kept_pins);
    wf_take_torn(to, saved);
}

bool wf_tear_alike(WeftState* to, const WeftState* from) {
    WfTear *tear = to->tear, *old = from->tear;
    WfSavedTorn saved = {0};
    WeftError error;
    if (!tear || !old || !are_alike(tear->whole, old->whole)) return false;
    if (!is_touched(to) && !is_touched(from)) return true;
    wf_make_whole(to);
    if (to->refused.kind) return false;
    saved.torn.vertex_count = from->model->system.vertex_count;
    saved.kept_pins = wf_alloc(&tear->whole->system.allocator, (size_t)saved.torn.vertex_count, 1);
    bool good = saved.kept_pins && (!old->own || !make_alike(tear, old, &saved, &error));
    if (good)
        take_alike(to, from, &saved);
    else
        wf_drop_torn(to, &saved);
    return good;
}

uint64_t wf_hash_torn(const WeftState* state, uint64_t hash) {
    if (!is_touched(state)) return hash;
    const WeftModel* m = state->model;
    hash = wf_hash(hash, m->triangles, 3 * (size_t)m->triangle_count * sizeof(int));
    hash = wf_hash(hash, state->tear->sides, 3 * (size_t)m->triangle_count);
    int64_t due = due_stage(state->tear);
    return wf_hash(hash, &due, sizeof due);
}
