// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#if defined(__APPLE__)
static const char opener_name[] = "open";
#else
static const char opener_name[] = "xdg-open";
#endif

extern char** environ;

// What browsers have to say does not belong on our terminal.
static bool silence(posix_spawn_file_actions_t* actions) {
    return posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ==
               0 &&
           posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO) == 0;
}

// In a group of its own: the Ctrl-C that ends us must not end a browser that started with us.
static bool set_apart(posix_spawnattr_t* attributes) {
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0;
}

bool open_browser(const char* address, pid_t* opener) {
    char* arguments[] = {(char*)opener_name, (char*)address, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions)) return false;
    bool good = posix_spawnattr_init(&attributes) == 0;
    if (good) {
        good = silence(&actions) && set_apart(&attributes) &&
               posix_spawnp(opener, opener_name, &actions, &attributes, arguments, environ) == 0;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return good;
}
