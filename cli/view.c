// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft view: show a scene or a result in the browser. The page, which simulates by itself, comes
// from a server here; so do the files, for a page may not read any.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browser.h"
#include "commands.h"
#include "scene_files.h"
#include "server.h"
#include "session.h"

// ---------------------------------------------------------------------------------------------
// Files

enum { FILE_SCENE, FILE_GLB, FILE_OBJ, FILE_PC2, KIND_COUNT };
static const char* const endings[KIND_COUNT] = {".json", ".glb", ".obj", ".pc2"};

// KIND_COUNT where it is none of these.
static int file_kind(const char* path) {
    int kind = 0;
    while (kind < KIND_COUNT && !has_ending(path, endings[kind])) kind++;
    return kind;
}

// Positions alone are no picture: the mesh they belong to may have been written beside them.
static int find_mesh(TextList* files, char mesh[PATH_SIZE]) {
    static const int kinds[] = {FILE_OBJ, FILE_GLB, FILE_SCENE};
    const char* path = files->texts[0];
    int stem = (int)(strlen(path) - strlen(endings[FILE_PC2]));
    for (int i = 0; i < 3; i++) {
        int length = snprintf(mesh, PATH_SIZE, "%.*s%s", stem, path, endings[kinds[i]]);
        if (length >= PATH_SIZE || access(mesh, R_OK) != 0) continue;
        fprintf(stderr, "%s: takes %s along, for its mesh\n", path, mesh);
        files->texts[files->count++] = mesh;
        return GO_ON;
    }
    return complain(EXIT_USAGE,
                    "%s: holds positions only; give its mesh along: an .obj, a .glb or the scene",
                    path);
}

// One scene, one .glb, or one .pc2 and its mesh; `mesh` is room for the name of one that is found.
static int arrange_files(TextList* files, char mesh[PATH_SIZE]) {
    int counts[KIND_COUNT + 1] = {0};
    for (int i = 0; i < files->count; i++) {
        int kind = file_kind(files->texts[i]);
        if (kind == KIND_COUNT)
            return complain(EXIT_USAGE, "%s: view takes a scene (.json) or a result (.glb, .pc2)",
                            files->texts[i]);
        counts[kind]++;
    }
    if (files->count > 1 && (files->count > 2 || counts[FILE_PC2] != 1))
        return complain(EXIT_USAGE,
                        "view takes one scene or one result; only a .pc2 takes its mesh along");
    if (counts[FILE_OBJ] > 0 && counts[FILE_PC2] == 0)
        return complain(EXIT_USAGE, "%s: is a mesh at rest; give the .pc2 along that moves it",
                        files->texts[0]);
    return files->count == 1 && counts[FILE_PC2] == 1 ? find_mesh(files, mesh) : GO_ON;
}

static int fail_file(const char* path, const char* problem) {
    fprintf(stderr, "%s: %s\n", path, problem);
    return EXIT_USAGE;
}

static int check_result(const char* path) {
    struct stat facts;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) return fail_file(path, strerror(errno));
    bool good = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    close(file);
    return good ? GO_ON : fail_file(path, "is no file to read");
}

// What is wrong with a scene is better told here than by a page that does not know its folder.
static int check_scene(const char* path) {
    Session session;
    StepOptions as_it_is = default_step_options();
    int code = open_session(&session, path, &as_it_is);
    close_session(&session);
    return code;
}

static int check_files(const TextList* files) {
    int code = GO_ON;
    for (int i = 0; i < files->count && code == GO_ON; i++) {
        const char* path = files->texts[i];
        code = file_kind(path) == FILE_SCENE ? check_scene(path) : check_result(path);
    }
    return code;
}

// What is given, then what scenes among it name.
static int offer_files(const TextList* given, NamedFiles* offered) {
    bool good = true;
    for (int i = 0; i < given->count && good; i++)
        good = add_file(offered, base_name(given->texts[i]), given->texts[i]);
    for (int i = 0; i < given->count && good; i++)
        if (file_kind(given->texts[i]) == FILE_SCENE)
            good = add_scene_files(offered, given->texts[i]);
    return good ? GO_ON : complain(EXIT_FAILED, "out of memory");
}

// ---------------------------------------------------------------------------------------------
// Serving until a signal comes

// Signals go through a pipe: none is missed, whichever thread it comes to.
static int signal_pipe[2];

static void pass_on(int number) {
    int before = errno;
    char byte = (char)number;
    if (write(signal_pipe[1], &byte, 1) < 0) _exit(EXIT_FAILED);
    errno = before;
}

static bool catch_signals(void) {
    struct sigaction action = {0};
    action.sa_handler = pass_on;
    if (pipe(signal_pipe)) return false;
    for (int i = 0; i < 2; i++) fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
    return sigaction(SIGINT, &action, NULL) == 0 && sigaction(SIGTERM, &action, NULL) == 0 &&
           sigaction(SIGCHLD, &action, NULL) == 0;
}

static void ask_for_a_hand(void) {
    fputs("no browser could be started; open the address by hand\n", stderr);
}

// Whether the opener failed is known only when it has ended.
static void check_opener(pid_t opener) {
    int status;
    if (opener <= 0 || waitpid(opener, &status, WNOHANG) != opener) return;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) ask_for_a_hand();
}

static void wait_for_end(pid_t opener) {
    char number = 0;
    while (number != SIGINT && number != SIGTERM) {
        ssize_t count = read(signal_pipe[0], &number, 1);
        if (count < 0 && errno != EINTR) return;
        if (count == 1 && number == SIGCHLD) check_opener(opener);
    }
}

typedef struct ViewOptions {
    const char* site;  // NULL: where it belongs
    int port;          // 0: any that is free
    bool no_open;
} ViewOptions;

// `?open` asks the page to open what is in the list.
static int serve(const ViewOptions* options, const Site* site, bool has_files) {
    Server server;
    pid_t opener = 0;
    char address[64];
    if (!catch_signals()) return complain(EXIT_FAILED, "no signals: %s", strerror(errno));
    int code = start_server(&server, site, options->port);
    if (code != GO_ON) return code;
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", server.port,
             has_files ? "?open" : "");
    printf("%s  (Ctrl-C ends it)\n", address);
    fflush(stdout);
    if (!options->no_open && !open_browser(address, &opener)) ask_for_a_hand();
    wait_for_end(opener);
    stop_server(&server);
    return EXIT_GOOD;
}

static int view_files(const ViewOptions* options, TextList* files) {
    char mesh[PATH_SIZE];
    Site site;
    NamedFiles offered = {0};
    int code = arrange_files(files, mesh);
    if (code == GO_ON) code = check_files(files);
    if (code == GO_ON) code = offer_files(files, &offered);
    if (code == GO_ON) code = find_site(&site, options->site, &offered);
    if (code == GO_ON) code = serve(options, &site, files->count > 0);
    free_named_files(&offered);
    return code;
}

static int view(const Command* command, int argc, char** argv) {
    ViewOptions options = {0};
    const Option rows[] = {
        {"port", OPTION_COUNT, "N", "of the address; 0, as if not given: any that is free",
         &options.port, 0, 65535},
        {"no-open", OPTION_FLAG, NULL, "start no browser, print the address only", &options.no_open,
         0, 0},
        {"site", OPTION_TEXT, "DIR", "where the page is, if not where `make web` builds it",
         &options.site, 0, 0},
    };
    TextList arguments, files = {0};
    int code = parse_options(command, rows, 3, argc, argv, &arguments);
    // room for a mesh that is found
    if (code == GO_ON && !init_list(&files, arguments.count + 1)) code = EXIT_FAILED;
    if (code == GO_ON) {
        while (files.count < arguments.count) {
            files.texts[files.count] = arguments.texts[files.count];
            files.count++;
        }
        code = view_files(&options, &files);
    }
    free_list(&files);
    free_list(&arguments);
    return code;
}

const Command view_command = {
    .name = "view",
    .arguments = "[FILE...]",
    .summary = "Show a scene or a result in the browser, from this machine only.",
    .details =
        "FILE is a scene, which the page simulates, or what `weft run` wrote: a .glb, or a .pc2\n"
        "with its mesh, which is an .obj, a .glb or the scene; one of the same name beside it is\n"
        "found. The page is given the meshes, patterns, fabrics and details that a scene names,\n"
        "too. Without a file it shows a scene of its own. Reloading the page reads the files\n"
        "again. Serves until Ctrl-C. Exits 0 then, 1 when the port cannot be had, 2 when a\n"
        "file or an option is wrong or the page is not built.",
    .run = view,
};
