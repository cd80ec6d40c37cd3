// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Many runs, a child process for as long as it lives: a crash costs one run. What a run gave comes
// back through a pipe.

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <string.h>

#include "scene.h"
#include "stress_run.h"

#if defined(__unix__) || defined(__APPLE__)

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// Processor time in seconds, after which the process ends by SIGPROF.
static void set_patience(int seconds) {
    struct itimerval time = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &time, NULL);
}

// Takes runs until it is done or dies. Never returns.
static void be_child(uint64_t first, int count, int patience, const StressOptions* options,
                     int pipe_end) {
    for (int i = 0; i < count; i++) {
        set_patience(patience);
        StressRun run = run_stress(first + (uint64_t)i, options);
        if (write(pipe_end, &run, sizeof run) != (ssize_t)sizeof run) break;
    }
    _exit(0);
}

// The whole run, or false where the child has ended.
static bool read_run(int pipe_end, StressRun* run) {
    size_t have = 0;
    while (have < sizeof *run) {
        ssize_t got = read(pipe_end, (char*)run + have, sizeof *run - have);
        if (got <= 0) return false;
        have += (size_t)got;
    }
    return true;
}

// What the child did not live to tell.
static StressRun last_run(uint64_t seed, int patience, const StressOptions* options, int status) {
    StressRun run = {.seed = seed, .fault = STRESS_CRASH};
    StressScene scene;
    WeftError error;
    create_stress_scene(seed, options->real_clocks, options->first_kinds, &scene, &error);
    run.method = scene.def.step.method;
    destroy_stress_scene(&scene);
    bool slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    if (slow) {
        run.fault = STRESS_OVER_BOUND;
        run.longest_ms = 1000 * patience;
        snprintf(run.message, sizeof run.message, "not done after %d s of processor time",
                 patience);
    } else if (WIFSIGNALED(status)) {
        snprintf(run.message, sizeof run.message, "signal %d", WTERMSIG(status));
    } else {
        snprintf(run.message, sizeof run.message, "exit code %d", WEXITSTATUS(status));
    }
    return run;
}

void run_stress_crowd(uint64_t first, int count, int patience, const StressOptions* options,
                      StressTeller* tell, void* user) {
    int done = 0;
    while (done < count) {
        int ends[2], status = 0;
        if (pipe(ends)) return;
        fflush(NULL);
        pid_t child = fork();
        if (child < 0) return;
        if (child == 0) be_child(first + (uint64_t)done, count - done, patience, options, ends[1]);
        close(ends[1]);
        StressRun run;
        while (done < count && read_run(ends[0], &run)) tell(&run, user), done++;
        close(ends[0]);
        waitpid(child, &status, 0);
        if (done == count) return;
        run = last_run(first + (uint64_t)done, patience, options, status);
        tell(&run, user);
        done++;
    }
}

#else

void run_stress_crowd(uint64_t first, int count, int patience, const StressOptions* options,
                      StressTeller* tell, void* user) {
    (void)patience;
    for (int i = 0; i < count; i++) {
        StressRun run = run_stress(first + (uint64_t)i, options);
        tell(&run, user);
    }
}

#endif
