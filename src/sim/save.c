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

// A saved state: the cover, what is torn (tear_saved.c), the header, these numbers, the lasting
// strains, the masks, all that moves, a record of every pin that is carried and of every
// attachment, a byte of flags per vertex.
typedef struct SavedCover {
    char magic[8];
    uint64_t byte_count;  // of all
    uint64_t checksum;    // of what is behind it
} SavedCover;

typedef struct SavedHeader {
    uint64_t fingerprint;  // of the model
    uint64_t moving_count, vertex_count;
    int64_t pieces;
} SavedHeader;

typedef struct SavedNumbers {
    double next_length, first_dt, soft_dt;
    WfSpace space;
    double carried_count, attachment_count;
} SavedNumbers;

// What few vertices or numbers have: items of doubles, the first of which is zero where there is
// none. Saved are those that are there, each behind its number, which go up.
typedef struct Items {
    void* all;
    size_t count, size;
    bool (*is_sound)(const WeftState* state, const void* item);
} Items;

_Static_assert(sizeof(SavedNumbers) == 23 * sizeof(double), "they are a run of doubles");

static const char SAVED_MAGIC[8] = "weft st8";

enum { MOST_ITEM = sizeof(WfAttachment) / sizeof(double) };  // doubles

// of each vertex, in a byte
enum { SAVED_PINNED = 1, SAVED_BASE = 2, SAVED_NEXT = 4 };

static bool is_whole(double value, double low, double high) {
    return value >= low && value <= high && value == floor(value);
}

static bool is_carry_sound(const WeftState* state, const void* item) {
    WfCarry carry = *(const WfCarry*)item;
    return is_whole(carry.by, WF_CARRIED_BY_SKIN, state->model->body_count) &&
           (carry.by != WF_CARRIED_BY_SKIN || state->skins);
}

static bool is_attachment_sound(const WeftState* state, const void* item) {
    return wf_attachment_is_sound(state, item);
}

static Items carried_of(const WeftState* state) {
    return (Items){.all = state->carried,
                   .count = (size_t)state->model->system.vertex_count,
                   .size = sizeof *state->carried,
                   .is_sound = is_carry_sound};
}

static Items attachments_of(const WeftState* state) {
    return (Items){.all = state->attachments,
                   .count = WEFT_MAX_ATTACHMENTS,
                   .size = sizeof *state->attachments,
                   .is_sound = is_attachment_sound};
}

_Static_assert(sizeof(WfCarry) % sizeof(double) == 0, "items are runs of doubles");
_Static_assert(sizeof(WfAttachment) % sizeof(double) == 0, "items are runs of doubles");

// Bytes of an item with its number.
static size_t record_size(const Items* items) { return sizeof(double) + items->size; }

static size_t saved_bytes(const WeftState* state, size_t carried_count, size_t attachment_count) {
    Items carried = carried_of(state), attachments = attachments_of(state);
    return sizeof(SavedHeader) + sizeof(SavedNumbers) + wf_lasting_bytes(state) +
           wf_mask_bytes(state) + state->moving_count * sizeof(double) +
           carried_count * record_size(&carried) + attachment_count * record_size(&attachments) +
           (size_t)state->model->system.vertex_count;
}

size_t weft_saved_size(const WeftState* state) {
    return sizeof(SavedCover) + wf_torn_bytes(state) +
           saved_bytes(state, (size_t)wf_count_carried(state), (size_t)wf_count_attachments(state));
}

static unsigned char* put(unsigned char* out, const void* data, size_t size) {
    memcpy(out, data, size);
    return out + size;
}

static unsigned char* put_items(unsigned char* out, Items items) {
    const unsigned char* item = items.all;
    for (size_t i = 0; i < items.count && item; i++, item += items.size) {
        double number = (double)i, first;
        memcpy(&first, item, sizeof first);
        if (first != 0) out = put(put(out, &number, sizeof number), item, items.size);
    }
    return out;
}

void wf_seal_saved(void* bytes, size_t byte_count) {
    SavedCover cover = {.byte_count = byte_count};
    const unsigned char* behind = (unsigned char*)bytes + sizeof cover;
    memcpy(cover.magic, SAVED_MAGIC, sizeof cover.magic);
    cover.checksum = wf_hash(WF_HASH_START, behind, byte_count - sizeof cover);
    memcpy(bytes, &cover, sizeof cover);
}

void weft_save_state(const WeftState* state, void* bytes) {
    size_t n = (size_t)state->model->system.vertex_count;
    SavedHeader header = {.fingerprint = weft_model_fingerprint(state->model),
                          .moving_count = state->moving_count,
                          .vertex_count = n,
                          .pieces = state->pieces};
    unsigned char* out = (unsigned char*)bytes + sizeof(SavedCover);
    size_t torn = wf_torn_bytes(state);
    if (torn > 0) wf_save_torn(state, out);
    SavedNumbers numbers = {state->next_length,      state->first_dt,
                            state->soft_dt,          state->space,
                            wf_count_carried(state), wf_count_attachments(state)};
    out = put(out + torn, &header, sizeof header);
    out = put(out, &numbers, sizeof numbers);
    out = put(out, state->lasting, wf_lasting_bytes(state));
    out = put(out, state->masks, wf_mask_bytes(state));
    out = put(out, state->moving, state->moving_count * sizeof(double));
    out = put_items(out, carried_of(state));
    out = put_items(out, attachments_of(state));
    for (size_t i = 0; i < n; i++)
        out[i] =
            (unsigned char)((state->pinned[i] ? SAVED_PINNED : 0) |
                            (state->base[i] ? SAVED_BASE : 0) | (state->next[i] ? SAVED_NEXT : 0));
    wf_seal_saved(bytes, weft_saved_size(state));
}

static bool are_finite(const unsigned char* data, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, data + i * sizeof value, sizeof value);
        if (!isfinite(value)) return false;
    }
    return true;
}

static bool is_turn(const double rotation[4]) {
    double square = 0;
    for (int k = 0; k < 4; k++) square += rotation[k] * rotation[k];
    return fabs(square - 1) < 1e-6;
}

static bool are_items_sound(const WeftState* state, Items items, const unsigned char* records,
                            size_t count) {
    double before = -1, last = (double)items.count - 1;
    if (!are_finite(records, count * record_size(&items) / sizeof(double))) return false;
    for (size_t i = 0; i < count; i++, records += record_size(&items)) {
        double number, item[MOST_ITEM];
        memcpy(&number, records, sizeof number);
        memcpy(item, records + sizeof number, items.size);
        if (!is_whole(number, before + 1, last) || item[0] == 0 || !items.is_sound(state, item))
            return false;
        before = number;
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
    Items carried = carried_of(state);
    sound = sound && are_items_sound(state, carried, records, count) &&
            are_items_sound(state, attachments_of(state), records + count * record_size(&carried),
                            attached);
    return sound ? WEFT_OK : wf_fail(error, WEFT_ERROR_INPUT, "the saved state is damaged");
}

// Letters of saved states, whatever their version; torn ones once had others.
static bool is_of_other_version(const char magic[8]) {
    return memcmp(magic, "weft st", 7) == 0 || memcmp(magic, "weft tr", 7) == 0;
}

static WeftResult check_cover(const void* bytes, size_t byte_count, WeftError* error) {
    SavedCover cover;
    if (byte_count < sizeof cover)
        return wf_fail(error, WEFT_ERROR_INPUT, "%zu bytes are too few for a state", byte_count);
    memcpy(&cover, bytes, sizeof cover);
    if (memcmp(cover.magic, SAVED_MAGIC, sizeof cover.magic) != 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       is_of_other_version(cover.magic)
                           ? "the saved state is of another version of weft, which this one does "
                             "not read; save it anew"
                           : "these bytes are not a saved state");
    if (cover.byte_count != byte_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "the saved state is %s: %zu bytes of %llu",
                       byte_count < cover.byte_count ? "cut short" : "damaged", byte_count,
                       (unsigned long long)cover.byte_count);
    const unsigned char* behind = (const unsigned char*)bytes + sizeof cover;
    if (cover.checksum != wf_hash(WF_HASH_START, behind, byte_count - sizeof cover))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the saved state is damaged: its checksum is another one");
    return WEFT_OK;
}

static WeftResult check_saved(const WeftState* state, const void* bytes, size_t byte_count,
                              SavedHeader* header, WeftError* error) {
    size_t n = (size_t)state->model->system.vertex_count;
    if (byte_count < sizeof *header)
        return wf_fail(error, WEFT_ERROR_INPUT, "%zu bytes are too few for a state", byte_count);
    memcpy(header, bytes, sizeof *header);
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

// Returns what is behind them.
static const unsigned char* load_items(Items items, const unsigned char* records, double count) {
    if (!items.all) return records;
    memset(items.all, 0, items.count * items.size);
    for (double i = 0; i < count; i++, records += record_size(&items)) {
        double number;
        memcpy(&number, records, sizeof number);
        memcpy((unsigned char*)items.all + (size_t)number * items.size, records + sizeof number,
               items.size);
    }
    return records;
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
    if (numbers.attachment_count > 0 && wf_own_attachments(state)) return wf_fail_memory(error);
    data += sizeof numbers;
    memcpy(state->lasting, data, wf_lasting_bytes(state));
    data += wf_lasting_bytes(state);
    memcpy(state->masks, data, wf_mask_bytes(state));
    data += wf_mask_bytes(state);
    memcpy(state->moving, data, state->moving_count * sizeof(double));
    data += state->moving_count * sizeof(double);
    data = load_items(carried_of(state), data, numbers.carried_count);
    data = load_items(attachments_of(state), data, numbers.attachment_count);
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
    WeftResult result = check_cover(bytes, byte_count, error);
    if (result) return result;
    const unsigned char* behind = (const unsigned char*)bytes + sizeof(SavedCover);
    byte_count -= sizeof(SavedCover);
    result = wf_read_torn(state, behind, byte_count, &torn, &used, error);
    if (result) return result;
    result = load_moving(torn.fresh ? torn.fresh : state, behind + used, byte_count - used, error);
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
