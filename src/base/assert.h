// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contracts of functions. A broken one is a bug of the caller, and goes to the user's hook.

#ifndef WF_BASE_ASSERT_H
#define WF_BASE_ASSERT_H

#if defined(NDEBUG) && !defined(WEFT_ASSERTS)
#define wf_assert(claim) ((void)0)
#else
#define wf_assert(claim) ((claim) ? (void)0 : wf_assert_failed(#claim, __FILE__, __LINE__))
#endif

void wf_assert_failed(const char* claim, const char* file, int line);

#endif
