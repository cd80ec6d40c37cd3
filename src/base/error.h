// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Errors with text.

#ifndef WF_BASE_ERROR_H
#define WF_BASE_ERROR_H

#include "weft/weft.h"

#if defined(__MINGW32__) && !defined(__clang__)
#define WF_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define WF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WF_PRINTF(text, first)
#endif

// Fill *error (where it is not NULL) and return result, so that a check is one line:
//     if (area <= 0) return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d has no area", t);
WeftResult wf_fail(WeftError* error, WeftResult result, const char* format, ...) WF_PRINTF(3, 4);
WeftResult wf_fail_memory(WeftError* error);
// Put "cloth 0: " before the message that is already there; returns error's result.
WeftResult wf_fail_prefix(WeftError* error, WeftResult result, const char* format, ...)
    WF_PRINTF(3, 4);

#endif
