// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Numbers as text, with a point in every locale.

#ifndef WF_IO_NUMBER_H
#define WF_IO_NUMBER_H

#include <stddef.h>

// The decimal number at the start of `text`: how many characters it has, 0 where there is none.
// Correctly rounded up to 19 digits; HUGE_VAL where it is too large for a double. No hexadecimal,
// no inf, no nan.
size_t wf_parse_number(const char* text, size_t length, double* value);

enum { WF_NUMBER_TEXT = 32 };
// The number such that it reads back to the same float, in 7 or 9 digits; returns `text`.
const char* wf_print_number(char text[WF_NUMBER_TEXT], float value);
// The same for a double, in 15 or 17 digits.
const char* wf_print_double(char text[WF_NUMBER_TEXT], double value);

#endif
