// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Importers of assimp trust their files: with a few bytes changed, most of them read or write out
// of bounds sooner or later (its glTF reader does so for an index that is too large), or ask for
// memory without end. So a file is first opened by a child of this process, which may die of it; a
// file that it survives is opened here. What is in memory lies at the same addresses in both, so
// that both do the same. It takes the time of reading twice.
//
// Where there are no child processes the file is opened right away.

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#define _DEFAULT_SOURCE  // RLIMIT_DATA, and what resources were used
#define HAS_CHILDREN
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <assimp/cimport.h>
#include <string.h>

#include "io/figure/scene_file.h"

#ifdef HAS_CHILDREN

enum { SURVIVED = 42, REFUSED = 43 };  // as a status; sanitizers have others

static const double BYTES_PER_SECOND = 1e6;  // slower than any importer, on any machine

static void limit(int resource, double most) {
    struct rlimit bound;
    if (getrlimit(resource, &bound) != 0) return;
    if (bound.rlim_cur == RLIM_INFINITY || (double)bound.rlim_cur > most)
        bound.rlim_cur = (rlim_t)most;
    setrlimit(resource, &bound);
}

// What a file may take: processor time and memory by its size, beside the memory that is in use.
static void limit_all(double size) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, 5 + size / BYTES_PER_SECOND);
#ifndef __SANITIZE_ADDRESS__
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0)
        limit(RLIMIT_DATA, 2 * 1024.0 * (double)used.ru_maxrss + 1e9 + 200 * size);
#endif
}

// What it says while it dies is for nobody.
static void silence(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

static void open_and_leave(const char* path, unsigned steps, double size, int answer) {
    silence();
    limit_all(size);
    if (aiImportFile(path, steps)) _exit(SURVIVED);
    const char* why = aiGetErrorString();
    if (write(answer, why, strlen(why)) < 0) _exit(1);
    _exit(REFUSED);
}

// What the child wrote, until it closes its end by leaving.
static void read_answer(int answer, char* why, size_t room) {
    size_t length = 0;
    for (;;) {
        ssize_t got = read(answer, why + length, room - 1 - length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += (size_t)got;
    }
    why[length] = 0;
}

WfRehearsal wf_rehearse(const char* path, unsigned steps, double size, char* why, size_t room) {
    int ends[2], status = 0;
    why[0] = 0;
    if (pipe(ends) != 0) return WF_REHEARSAL_GOOD;
    pid_t child = fork();
    if (child == 0) open_and_leave(path, steps, size, ends[1]);
    close(ends[1]);
    if (child > 0) read_answer(ends[0], why, room);
    close(ends[0]);
    if (child < 0) return WF_REHEARSAL_GOOD;  // no child to be had: as where there are none
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return WF_REHEARSAL_GOOD;  // someone else has collected it
    if (!WIFEXITED(status)) return WF_REHEARSAL_DEADLY;
    if (WEXITSTATUS(status) == REFUSED) return WF_REHEARSAL_REFUSED;
    return WEXITSTATUS(status) == SURVIVED ? WF_REHEARSAL_GOOD : WF_REHEARSAL_DEADLY;
}

#else

WfRehearsal wf_rehearse(const char* path, unsigned steps, double size, char* why, size_t room) {
    (void)path, (void)steps, (void)size, (void)why, (void)room;
    return WF_REHEARSAL_GOOD;
}

#endif
