// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// JSON as text, written by hand so that numbers read back to the last bit.

#ifndef WF_IO_OUTPUT_H
#define WF_IO_OUTPUT_H

#include "weft/weft.h"

// As much of a text as there is room for, and the length of all of it.
typedef struct WfOutput {
    char* text;
    size_t size, length;
} WfOutput;

void wf_out(WfOutput* out, const char* words);
void wf_out_number(WfOutput* out, double value);
void wf_out_list(WfOutput* out, const double* numbers, int count);  // [1, 2, 3]
void wf_out_quoted(WfOutput* out, const char* words);
// Put the final 0; returns the length of the whole text without it.
size_t wf_out_end(WfOutput* out);

// Write a file whole, or leave none.
WeftResult wf_write_file(const char* path, const char* text, size_t length, WeftError* error);

#endif
