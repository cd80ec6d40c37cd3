// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A place for one thing, from which any number of threads take and into which they put: what is
// there goes to exactly one of them.

#ifndef WF_BASE_ATOMIC_H
#define WF_BASE_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>

#if defined(_MSC_VER) && !defined(__clang__)
void* _InterlockedExchangePointer(void* volatile*, void*);
void* _InterlockedCompareExchangePointer(void* volatile*, void*, void*);
#pragma intrinsic(_InterlockedExchangePointer, _InterlockedCompareExchangePointer)

typedef void* volatile WfAtomicPointer;

static inline void* wf_atomic_take(WfAtomicPointer* place) {
    return _InterlockedExchangePointer(place, NULL);
}
static inline bool wf_atomic_put(WfAtomicPointer* place, void* thing) {
    return _InterlockedCompareExchangePointer(place, thing, NULL) == NULL;
}
#else
#include <stdatomic.h>

typedef _Atomic(void*) WfAtomicPointer;

// What was there, or NULL; nothing is left.
static inline void* wf_atomic_take(WfAtomicPointer* place) { return atomic_exchange(place, NULL); }
// False where the place is taken.
static inline bool wf_atomic_put(WfAtomicPointer* place, void* thing) {
    void* nothing = NULL;
    return atomic_compare_exchange_strong(place, &nothing, thing);
}
#endif

#endif
