// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Stands in for the names of measures until measuring bodies is there; goes when it comes.

#include <stddef.h>
#include <string.h>

#include "weft/weft_garment.h"

static const struct {
    const char* name;
    size_t offset;
} measures[] = {
    {"height", offsetof(WeftMeasures, height)},
    {"neck", offsetof(WeftMeasures, neck)},
    {"chest", offsetof(WeftMeasures, chest)},
    {"waist", offsetof(WeftMeasures, waist)},
    {"hips", offsetof(WeftMeasures, hips)},
    {"waist_height", offsetof(WeftMeasures, waist_height)},
};

const char* weft_measure_name(int index) {
    return index >= 0 && index < (int)(sizeof measures / sizeof *measures) ? measures[index].name
                                                                           : NULL;
}

double weft_measure_value(const WeftMeasures* from, int index) {
    double value;
    memcpy(&value, (const char*)from + measures[index].offset, sizeof value);
    return value;
}
