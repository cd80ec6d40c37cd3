// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/cookie.h"

#include "base/error.h"

unsigned wf_cookie(WeftDefKind kind) { return 0x77000000u + 1000000u * kind + WEFT_VERSION; }

WeftResult wf_check_cookie(WeftDefKind kind, unsigned cookie, WeftError* error) {
    static const char* const names[] = {"", "cloth", "body", "step", "model", "attachment"};
    if (cookie == wf_cookie(kind)) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "the %s def was not filled by weft_default_%s_def, or by that of another "
                   "version than %s, which this library is",
                   names[kind], names[kind], weft_version());
}
