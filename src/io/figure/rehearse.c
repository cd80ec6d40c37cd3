// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Importers of assimp trust their files: with a few bytes changed, most of them read or write out
// of bounds sooner or later (its glTF reader does so for an index that is too large). So a file is
// first opened by a child of this process, which may die of it; a file that it survives is opened
// here. What is in memory lies at the same addresses in both, so that both do the same. It takes
// the time of reading twice. A file that takes a minute of the processor, or 8 GB, is refused too.
//
// Where there are no child processes the file is opened right away.

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#define _POSIX_C_SOURCE 200809L
#define HAS_CHILDREN
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <assimp/cimport.h>

#include "io/figure/scene_file.h"

#ifdef HAS_CHILDREN

enum { SURVIVED = 42 };  // as a status; sanitizers have others

static void limit(int resource, rlim_t most) {
    struct rlimit bound;
    if (getrlimit(resource, &bound) != 0) return;
    if (bound.rlim_cur == RLIM_INFINITY || bound.rlim_cur > most) bound.rlim_cur = most;
    setrlimit(resource, &bound);
}

// What it says while it dies is for nobody.
static void silence(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

static void open_and_leave(const char* path, unsigned steps) {
    silence();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, 60);
#ifndef __SANITIZE_ADDRESS__
    limit(RLIMIT_DATA, (rlim_t)8 << 30);
#endif
    aiImportFile(path, steps);
    _exit(SURVIVED);
}

bool wf_survives(const char* path, unsigned steps) {
    int status = 0;
    pid_t child = fork();
    if (child < 0) return true;  // no child to be had: as where there are none
    if (child == 0) open_and_leave(path, steps);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return true;  // someone else has collected it
    return WIFEXITED(status) && WEXITSTATUS(status) == SURVIVED;
}

#else

bool wf_survives(const char* path, unsigned steps) {
    (void)path, (void)steps;
    return true;
}

#endif
