// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _DEFAULT_SOURCE

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__clang__)
static const char COMPILER[] = "clang " __clang_version__;
#elif defined(__GNUC__)
static const char COMPILER[] = "gcc " __VERSION__;
#else
static const char COMPILER[] = "unknown";
#endif

Machine this_machine(void) {
    Machine machine = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN), .compiler = COMPILER};
    struct utsname names;
    snprintf(machine.arch, sizeof machine.arch, "%s", uname(&names) < 0 ? "?" : names.machine);
    if (getloadavg(&machine.load, 1) < 1) machine.load = 0;
    return machine;
}

double peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return (double)usage.ru_maxrss / 1e6;  // bytes
#else
    return (double)usage.ru_maxrss * 1024 / 1e6;  // kibibytes
#endif
}
