// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What every bench needs: progress and complaints on stderr, memory, numbers.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

void show_progress(const char* format, ...) {
    static double start;
    if (start == 0) start = wall_time(NULL);
    bool terminal = isatty(STDERR_FILENO);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s%4.0f s  ", terminal ? "\r\x1b[K" : "", wall_time(NULL) - start);
    vfprintf(stderr, format, arguments);
    if (!terminal) fputc('\n', stderr);
    va_end(arguments);
}

void end_progress(void) {
    if (isatty(STDERR_FILENO)) fputs("\r\x1b[K", stderr);
}

int complain(int code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_progress();
    fputs("weft-bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

void* need(size_t count, size_t size) {
    void* memory = calloc(count, size);
    if (!memory) exit(complain(EXIT_FAILED, "out of memory"));
    return memory;
}

bool read_whole(const char* text, uint64_t* number) {
    char* end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0;
}

static int compare_numbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

void sort_numbers(double* numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
}
