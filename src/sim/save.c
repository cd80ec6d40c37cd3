// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A state as bytes, and back; and its fingerprint.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "sim/attach.h"
#include "sim/carry.h"
#include "sim/masks.h"
#include "sim/space.h"
#include "sim/tear.h"

// A saved state: the header, these numbers, the lasting strains, the masks, all that moves, a
// record of every pin that is carried and of every attachment, a byte of flags per vertex.
typedef struct SavedHeader {
    char magic[8];
    uint64_t fingerprint;  // of the model
    uint64_t moving_count, vertex_count;
    int64_t pieces;
} SavedHeader;

typedef struct SavedNumbers {
    double next_length, first_dt, soft_dt;
    WfSpace space;
    double carried_count, attachment_count;
} SavedNumbers;

typedef struct SavedCarry {
    double vertex;
    WfCarry carry;
} SavedCarry;

typedef struct SavedAttachment {
    double number;
    WfAttachment attachment;
} SavedAttachment;

_Static_assert(sizeof(SavedCarry) == 9 * sizeof(double), "records are runs of doubles");
_Static_assert(sizeof(SavedNumbers) == 23 * sizeof(double), "and so are these");

static const char SAVED_MAGIC[8] = "weft st7";

// of each vertex, in a byte
enum { SAVED_PINNED = 1, SAVED_BASE = 2, SAVED_NEXT = 4 };

static size_t saved_bytes(const WeftState* state, size_t carried_count, size_t attachment_count) {
    return sizeof(SavedHeader) + sizeof(SavedNumbers) + wf_lasting_bytes(state) +
           wf_mask_bytes(state) + state->moving_count * sizeof(double) +
           carried_count * sizeof(SavedCarry) + attachment_count * sizeof(SavedAttachment) +
           (size_t)state->model->system.vertex_count;
}

size_t weft_saved_size(const WeftState* state) {
    return wf_torn_bytes(state) +
           saved_bytes(state, (size_t)wf_count_carried(state), (size_t)wf_count_attachments(state));
}

static unsigned char* put(unsigned char* out, const void* data, size_t size) {
    memcpy(out, data, size);
    return out + size;
}

void weft_save_state(const WeftState* state, void* bytes) {
    size_t n = (size_t)state->model->system.vertex_count;
    SavedHeader header = {.fingerprint = weft_model_fingerprint(state->model),
                          .moving_count = state->moving_count,
                          .vertex_count = n,
                          .pieces = state->pieces};
    memcpy(header.magic, SAVED_MAGIC, sizeof header.magic);
    size_t torn = wf_torn_bytes(state);
    if (torn > 0) wf_save_torn(state, bytes);
    SavedNumbers numbers = {state->next_length,      state->first_dt,
                            state->soft_dt,          state->space,
                            wf_count_carried(state), wf_count_attachments(state)};
    unsigned char* out = put((unsigned char*)bytes + torn, &header, sizeof header);
    out = put(out, &numbers, sizeof numbers);
    out = put(out, state->lasting, wf_lasting_bytes(state));
    out = put(out, state->masks, wf_mask_bytes(state));
    out = put(out, state->moving, state->moving_count * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        SavedCarry record = {(double)i, state->carried[i]};
        if (record.carry.by != WF_CARRIED_BY_NONE) out = put(out, &record, sizeof record);
    }
    for (int i = 0; i < WEFT_MAX_ATTACHMENTS; i++) {
        SavedAttachment record = {i, state->attachments[i]};
        if (record.attachment.state != WF_ATTACHMENT_NONE) out = put(out, &record, sizeof record);
    }
    for (size_t i = 0; i < n; i++)
        out[i] =
            (unsigned char)((state->pinned[i] ? SAVED_PINNED : 0) |
                            (state->base[i] ? SAVED_BASE : 0) | (state->next[i] ? SAVED_NEXT : 0));
}

static bool are_finite(const unsigned char* data, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, data + i * sizeof value, sizeof value);
        if (!isfinite(value)) return false;
    }
    return true;
}

static bool is_whole(double value, double low, double high) {
    return value >= low && value <= high && value == floor(value);
}

static bool is_turn(const double rotation[4]) {
    double square = 0;
    for (int k = 0; k < 4; k++) square += rotation[k] * rotation[k];
    return fabs(square - 1) < 1e-6;
}

// Records go up by vertex; of a body, it is one of the model's.
static bool are_sound(const WeftState* state, const unsigned char* records, size_t count) {
    double before = -1, last = state->model->system.vertex_count - 1;
    for (size_t i = 0; i < count; i++) {
        SavedCarry record;
        memcpy(&record, records + i * sizeof record, sizeof record);
        if (!is_whole(record.vertex, before + 1, last) || record.carry.by == WF_CARRIED_BY_NONE ||
            !is_whole(record.carry.by, WF_CARRIED_BY_SKIN, state->model->body_count) ||
            (record.carry.by == WF_CARRIED_BY_SKIN && !state->skins))
            return false;
        before = record.vertex;
    }
    return true;
}

static bool are_masks(const unsigned char* data, size_t count) {
    bool sound = true;
    for (size_t i = 0; i < count && sound; i++) {
        double value;
        memcpy(&value, data + i * sizeof value, sizeof value);
        sound = is_whole(value, 0, UINT32_MAX);
    }
    return sound;
}

// The same of attachments: they go up by number.
static bool are_attachments_sound(const WeftState* state, const unsigned char* records,
                                  size_t count) {
    double before = -1;
    for (size_t i = 0; i < count; i++) {
        SavedAttachment record;
        memcpy(&record, records + i * sizeof record, sizeof record);
        if (!is_whole(record.number, before + 1, WEFT_MAX_ATTACHMENTS - 1) ||
            !wf_attachment_is_sound(state, &record.attachment))
            return false;
        before = record.number;
    }
    return true;
}

static WeftResult check_numbers(const WeftState* state, const unsigned char* data,
                                size_t byte_count, int64_t pieces, WeftError* error) {
    SavedNumbers numbers;
    size_t before = sizeof numbers + wf_lasting_bytes(state), masks = wf_mask_count(state->model);
    size_t known = before / sizeof(double) + masks + state->moving_count;
    if (!are_finite(data, known))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state holds a value that is not a number");
    memcpy(&numbers, data, sizeof numbers);
    bool sound = pieces >= -1 && pieces <= 1000 && numbers.first_dt >= 0 && numbers.first_dt <= 1 &&
                 numbers.next_length >= 0 && numbers.next_length <= 2 && numbers.soft_dt >= 0 &&
                 numbers.soft_dt <= 2 && is_turn(numbers.space.now.rotation) &&
                 is_turn(numbers.space.end.rotation) &&
                 is_whole(numbers.carried_count, 0, state->model->system.vertex_count) &&
                 is_whole(numbers.attachment_count, 0, WEFT_MAX_ATTACHMENTS) &&
                 are_masks(data + before, masks);
    size_t count = sound ? (size_t)numbers.carried_count : 0;
    size_t attached = sound ? (size_t)numbers.attachment_count : 0;
    sound = sound && byte_count == saved_bytes(state, count, attached);
    const unsigned char* records = data + known * sizeof(double);
    sound = sound && are_finite(records, count * sizeof(SavedCarry) / sizeof(double)) &&
            are_sound(state, records, count) &&
            are_attachments_sound(state, records + count * sizeof(SavedCarry), attached);
    return sound ? WEFT_OK : wf_fail(error, WEFT_ERROR_INPUT, "the saved state is damaged");
}

static WeftResult check_saved(const WeftState* state, const void* bytes, size_t byte_count,
                              SavedHeader* header, WeftError* error) {
    size_t n = (size_t)state->model->system.vertex_count;
    if (byte_count < sizeof *header)
        return wf_fail(error, WEFT_ERROR_INPUT, "%zu bytes are too few for a state", byte_count);
    memcpy(header, bytes, sizeof *header);
    if (memcmp(header->magic, SAVED_MAGIC, sizeof header->magic) != 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "these bytes are not a saved state");
    if (header->vertex_count != n)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state is of another model: %llu vertices, not %zu",
                       (unsigned long long)header->vertex_count, n);
    if (header->moving_count != state->moving_count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state is of another model, with other bodies or forces: %llu "
                       "numbers, not %zu",
                       (unsigned long long)header->moving_count, state->moving_count);
    if (header->fingerprint != weft_model_fingerprint(state->model))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state is of another model, of another mesh, shape at rest, "
                       "contact or bodies");
    if (byte_count < saved_bytes(state, 0, 0))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state is cut short: %zu bytes of at least %zu", byte_count,
                       saved_bytes(state, 0, 0));
    return check_numbers(state, (const unsigned char*)bytes + sizeof *header, byte_count,
                         header->pieces, error);
}

static void load_carried(WeftState* state, const unsigned char* records, size_t count) {
    memset(state->carried, 0, (size_t)state->model->system.vertex_count * sizeof *state->carried);
    for (size_t i = 0; i < count; i++) {
        SavedCarry record;
        memcpy(&record, records + i * sizeof record, sizeof record);
        state->carried[(size_t)record.vertex] = record.carry;
    }
}

static void load_attachments(WeftState* state, const unsigned char* records, size_t count) {
    memset(state->attachments, 0, WEFT_MAX_ATTACHMENTS * sizeof *state->attachments);
    for (size_t i = 0; i < count; i++) {
        SavedAttachment record;
        memcpy(&record, records + i * sizeof record, sizeof record);
        state->attachments[(size_t)record.number] = record.attachment;
    }
}

// Into a state of the very model.
static WeftResult load_moving(WeftState* state, const void* bytes, size_t byte_count,
                              WeftError* error) {
    SavedHeader header;
    SavedNumbers numbers;
    WeftResult result = check_saved(state, bytes, byte_count, &header, error);
    if (result) return result;
    size_t n = (size_t)state->model->system.vertex_count;
    const unsigned char* data = (const unsigned char*)bytes + sizeof header;
    memcpy(&numbers, data, sizeof numbers);
    data += sizeof numbers;
    memcpy(state->lasting, data, wf_lasting_bytes(state));
    data += wf_lasting_bytes(state);
    memcpy(state->masks, data, wf_mask_bytes(state));
    data += wf_mask_bytes(state);
    memcpy(state->moving, data, state->moving_count * sizeof(double));
    data += state->moving_count * sizeof(double);
    load_carried(state, data, (size_t)numbers.carried_count);
    data += (size_t)numbers.carried_count * sizeof(SavedCarry);
    load_attachments(state, data, (size_t)numbers.attachment_count);
    data += (size_t)numbers.attachment_count * sizeof(SavedAttachment);
    for (size_t i = 0; i < n; i++) {
        state->pinned[i] = (data[i] & SAVED_PINNED) != 0;
        state->base[i] = (data[i] & SAVED_BASE) != 0;
        state->next[i] = (data[i] & SAVED_NEXT) != 0;
        if (!state->pinned[i]) state->carried[i] = (WfCarry){0};
    }
    state->pieces = (int)header.pieces;
    state->refused = (WfRefused){0};
    state->next_length = numbers.next_length;
    state->first_dt = numbers.first_dt;
    state->soft_dt = numbers.soft_dt;
    state->space = numbers.space;
    wf_forget_found(state);
    wf_show(state);
    return WEFT_OK;
}

WeftResult weft_load_state(WeftState* state, const void* bytes, size_t byte_count,
                           WeftError* error) {
    WfSavedTorn torn;
    size_t used;
    WeftResult result = wf_read_torn(state, bytes, byte_count, &torn, &used, error);
    if (result) return result;
    result = load_moving(torn.fresh ? torn.fresh : state, (const unsigned char*)bytes + used,
                         byte_count - used, error);
    if (result)
        wf_drop_torn(state, &torn);
    else
        wf_take_torn(state, &torn);
    return result;
}

uint64_t weft_hash_state(const WeftState* state) {
    uint64_t hash = wf_hash(WF_HASH_START, state->moving, state->moving_count * sizeof(double));
    size_t n = (size_t)state->model->system.vertex_count;
    hash = wf_hash(hash, state->pinned, n);
    if (wf_has_space(state)) hash = wf_hash(hash, &state->space, sizeof state->space);
    if (wf_has_own_masks(state)) hash = wf_hash(hash, state->masks, wf_mask_bytes(state));
    if (wf_count_carried(state) > 0) hash = wf_hash(hash, state->carried, n * sizeof(WfCarry));
    if (wf_count_attachments(state) > 0)
        hash = wf_hash(hash, state->attachments, WEFT_MAX_ATTACHMENTS * sizeof(WfAttachment));
    return wf_hash_torn(state, hash);
}
