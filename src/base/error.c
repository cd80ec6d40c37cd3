// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

WeftResult wf_fail(WeftError* error, WeftResult result, const char* format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->result = result;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        wf_make_plain(error->message);
        va_end(arguments);
    }
    return result;
}

WeftResult wf_fail_memory(WeftError* error) {
    return wf_fail(error, WEFT_ERROR_MEMORY, "out of memory");
}

WeftResult wf_fail_prefix(WeftError* error, WeftResult result, const char* format, ...) {
    if (error) {
        char old[sizeof error->message];
        memcpy(old, error->message, sizeof old);
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        if (length >= 0 && (size_t)length < sizeof error->message)
            snprintf(error->message + length, sizeof error->message - (size_t)length, "%s", old);
        wf_make_plain(error->message);
        error->result = result;
    }
    return result;
}
