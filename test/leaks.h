// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The leak check of the address sanitizer at the end of a test, where it can find anything. On
// 64-bit ARM it takes four seconds of every process, more than most tests take. A program that ends
// with as many bytes allocated as it began with has leaked none, and leaves it out.

#ifndef WEFT_TEST_LEAKS_H
#define WEFT_TEST_LEAKS_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_LEAKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TEST_LEAKS
#endif

#ifdef TEST_LEAKS
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
size_t __sanitizer_get_current_allocated_bytes(void);
// asked by the sanitizer when the program ends
int __lsan_is_turned_off(void);
// of GCC's OpenMP, where it is linked: starts threads; gives back most of what they hold (2: hard)
void GOMP_parallel(void (*run)(void*), void* data, unsigned count, unsigned flags)
    __attribute__((weak));
int omp_pause_resource_all(int kind) __attribute__((weak));
#ifdef __cplusplus
}
#endif

static size_t test_bytes_at_start;
static int test_leaks_nothing;

__attribute__((weak, visibility("default"))) int __lsan_is_turned_off(void) {
    return test_leaks_nothing;
}

static inline void test_run_nothing(void* data) { (void)data; }

static inline void test_pause_threads(void) {
    if (omp_pause_resource_all) omp_pause_resource_all(2);
}

static inline void test_begin_memory(void) {
    static char buffer[BUFSIZ];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);                  // which would allocate one
    if (GOMP_parallel) GOMP_parallel(test_run_nothing, NULL, 0, 0);  // keeps some bytes for ever
    test_pause_threads();
    test_bytes_at_start = __sanitizer_get_current_allocated_bytes();
}

static inline void test_end_memory(void) {
    test_pause_threads();
    test_leaks_nothing = __sanitizer_get_current_allocated_bytes() == test_bytes_at_start;
}
#else
static inline void test_begin_memory(void) {}
static inline void test_end_memory(void) {}
#endif

#endif
