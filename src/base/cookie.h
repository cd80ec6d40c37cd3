// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// By its cookie one knows that a def was filled by the default function of this version.

#ifndef WF_BASE_COOKIE_H
#define WF_BASE_COOKIE_H

#include "weft/weft.h"

unsigned wf_cookie(WeftDefKind kind);
WeftResult wf_check_cookie(WeftDefKind kind, unsigned cookie, WeftError* error);

#endif
