// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "io/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"
#include "io/number.h"

static void add_character(WfOutput* out, char c) {
    if (out->length + 1 < out->size) out->text[out->length] = c;
    out->length++;
}

void wf_out(WfOutput* out, const char* words) {
    for (; *words; words++) add_character(out, *words);
}

void wf_out_number(WfOutput* out, double value) {
    char text[WF_NUMBER_TEXT];
    wf_out(out, wf_print_double(text, value));
    if (value == 0 && signbit(value)) wf_out(out, ".0");  // "-0" would be a whole number, 0
}

void wf_out_list(WfOutput* out, const double* numbers, int count) {
    wf_out(out, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) wf_out(out, ", ");
        wf_out_number(out, numbers[i]);
    }
    wf_out(out, "]");
}

void wf_out_quoted(WfOutput* out, const char* words) {
    add_character(out, '"');
    for (; *words; words++) {
        char escape[8];
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*words);
        if (*words == '"' || *words == '\\') add_character(out, '\\');
        if ((unsigned char)*words < 0x20)
            wf_out(out, escape);
        else
            add_character(out, *words);
    }
    add_character(out, '"');
}

size_t wf_out_end(WfOutput* out) {
    if (out->size > 0) out->text[out->length < out->size ? out->length : out->size - 1] = 0;
    return out->length;
}

WeftResult wf_write_file(const char* path, const char* text, size_t length, WeftError* error) {
    FILE* file = wf_open_file(path, "wb");
    if (!file) return wf_fail(error, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
    bool written = fwrite(text, 1, length, file) == length;
    if (fclose(file) != 0) written = false;
    if (written) return WEFT_OK;
    wf_remove_file(path);
    return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be written", path);
}
