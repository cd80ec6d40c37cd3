// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files in memory, the same on every machine: whole numbers and IEEE floats, the lowest byte first.

#ifndef WF_BASE_BYTES_H
#define WF_BASE_BYTES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Where the next ones go; those that do not fit are counted only.
typedef struct WfPen {
    unsigned char* bytes;
    size_t at, size;
} WfPen;

static inline void wf_put(WfPen* pen, const void* from, size_t count) {
    if (pen->at + count <= pen->size) memcpy(pen->bytes + pen->at, from, count);
    pen->at += count;
}

static inline void wf_put_number(WfPen* pen, uint64_t value, int bytes) {
    unsigned char out[8];
    for (int k = 0; k < bytes; k++) out[k] = (unsigned char)(value >> 8 * k);
    wf_put(pen, out, (size_t)bytes);
}

static inline void wf_put_double(WfPen* pen, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    wf_put_number(pen, bits, 8);
}

static inline void wf_put_floats(WfPen* pen, const float* values, size_t count) {
    for (size_t k = 0; k < count; k++) {
        uint32_t bits;
        memcpy(&bits, &values[k], 4);
        wf_put_number(pen, bits, 4);
    }
}

typedef struct WfEye {
    const unsigned char* bytes;
    size_t at;
} WfEye;

static inline uint64_t wf_see_number(WfEye* eye, int bytes) {
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++) value |= (uint64_t)eye->bytes[eye->at++] << 8 * k;
    return value;
}

static inline double wf_see_double(WfEye* eye) {
    uint64_t bits = wf_see_number(eye, 8);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

// False where one is not a number.
static inline bool wf_see_floats(WfEye* eye, float* values, size_t count) {
    bool finite = true;
    for (size_t k = 0; k < count; k++) {
        uint32_t bits = (uint32_t)wf_see_number(eye, 4);
        memcpy(&values[k], &bits, 4);
        finite = finite && isfinite(values[k]);
    }
    return finite;
}

#endif
