// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft view` as browsers, and those who should not read along, meet it: over sockets,
// against a small site made up here. What it says of wrong files is guarded too.

#define _XOPEN_SOURCE 700  // nftw, and what POSIX has

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <netinet/in.h>
#include <signal.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

enum { TEXT_SIZE = 1 << 16, ARGUMENT_LIMIT = 16 };

// ---------------------------------------------------------------------------------------------
// A folder for all of it, with a site and something beside the site that nobody must see

static const char secret[] = "nobody must see this";
static const char scene_text[] =
    "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4}}]}";
static char home[64];
static pid_t home_owner;

static int remove_entry(const char* path, const struct stat* facts, int kind, struct FTW* walk) {
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

static void leave_home(void) {
    if (getpid() == home_owner) nftw(home, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void write_text(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file)) abort();
}

static void write_site(void) {
    if (mkdir("site", 0755) || mkdir("site/assets", 0755)) abort();
    write_text("site/index.html", "<h1>cloth</h1>");
    write_text("site/assets/core.wasm", "wasm of the core");
    write_text("site/assets/core-Ab3dE_f-.wasm", "wasm of the core");
    write_text("site/assets/long-filename.css", "");
    write_text("site/assets/page.js", "run();");
    write_text("site/empty.css", "");
    write_text("site/.hidden", secret);
    write_text("secret.txt", secret);
    if (symlink("../secret.txt", "site/away.txt") || symlink("..", "site/up") ||
        symlink("assets/page.js", "site/near.js") || mkfifo("site/pipe.txt", 0644))
        abort();
}

// Once, whichever case comes first.
static void go_home(void) {
    if (home[0]) return;
    strcpy(home, "/tmp/weft_view_XXXXXX");
    if (!mkdtemp(home) || chdir(home)) abort();
    home_owner = getpid();
    atexit(leave_home);
    write_site();
    write_text("good.json", scene_text);
}

// ---------------------------------------------------------------------------------------------
// The tool

typedef struct Viewer {
    pid_t process;
    int port;
    char out[256];  // its first line
} Viewer;

static const char* program = WEFT_TOOL;
static char err[TEXT_SIZE];

static void read_text(const char* path, char text[TEXT_SIZE]) {
    FILE* file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, TEXT_SIZE - 1, file) : 0;
    text[length] = 0;
    if (file) fclose(file);
}

// `weft view`, and the arguments up to NULL; what it prints goes to the pipe and to view.err.
static pid_t start_tool(const char* const* arguments, int output) {
    char* all[ARGUMENT_LIMIT + 3] = {"weft", "view"};
    for (int i = 0; i < ARGUMENT_LIMIT && arguments[i]; i++) all[i + 2] = (char*)arguments[i];
    fflush(stdout);
    pid_t process = fork();
    if (process != 0) return process;
    int errors = open("view.err", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) _exit(9);
    execv(program, all);
    _exit(9);
}

// One line, without its end; an empty text where the writer ends before.
static void read_line(int file, char* line, int size) {
    int length = 0;
    while (length < size - 1 && read(file, line + length, 1) == 1 && line[length] != '\n') length++;
    line[length] = 0;
}

// Returns when it has printed a line, or ended.
static Viewer run_tool(const char* const* arguments) {
    Viewer viewer = {0};
    int ends[2];
    go_home();
    if (pipe(ends)) abort();
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    viewer.process = start_tool(arguments, ends[1]);
    close(ends[1]);
    read_line(ends[0], viewer.out, sizeof viewer.out);
    close(ends[0]);
    return viewer;
}

static int end_tool(const Viewer* viewer) {
    int status = 0;
    waitpid(viewer->process, &status, 0);
    read_text("view.err", err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static Viewer start_view(const char* const* arguments) {
    Viewer viewer = run_tool(arguments);
    CHECK(sscanf(viewer.out, "http://127.0.0.1:%d/", &viewer.port) == 1 && viewer.port > 0);
    return viewer;
}

static void end_view(const Viewer* viewer, int signal_number) {
    kill(viewer->process, signal_number);
    CHECK(end_tool(viewer) == 0);
}

// Its exit code, where it should give up and print nothing but why.
static int fail_view(const char* const* arguments) {
    Viewer viewer = run_tool(arguments);
    CHECK(viewer.out[0] == 0);
    if (viewer.out[0]) kill(viewer.process, SIGTERM);
    return end_tool(&viewer);
}

#define TEXTS(...) ((const char* const[]){__VA_ARGS__, NULL})
#define START(...) start_view(TEXTS("--site", "site", __VA_ARGS__))
#define FAIL(...) fail_view(TEXTS("--no-open", __VA_ARGS__))

// ---------------------------------------------------------------------------------------------
// Requests

typedef struct Reply {
    int status;
    char text[TEXT_SIZE];  // all of it; a zero ends the head
    const char* body;
} Reply;

static Reply reply;

static int connect_to(const char* address, int port) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, address, &place.sin_addr);
    if (connect(connection, (struct sockaddr*)&place, sizeof place) == 0) return connection;
    close(connection);
    return -1;
}

static void read_reply(int connection) {
    size_t length = 0;
    ssize_t count = 1;
    while (count > 0 && length < TEXT_SIZE - 1) {
        count = read(connection, reply.text + length, TEXT_SIZE - 1 - length);
        if (count > 0) length += (size_t)count;
    }
    reply.text[length] = 0;
    reply.status = 0;
    reply.body = "";
    sscanf(reply.text, "HTTP/1.%*d %d", &reply.status);
    char* end = strstr(reply.text, "\r\n\r\n");
    if (end) end[2] = 0, reply.body = end + 4;
}

// The status; `reply` has the rest.
static int request(const Viewer* viewer, const char* method, const char* target, const char* host,
                   const char* body) {
    char text[4096];
    int connection = connect_to("127.0.0.1", viewer->port);
    if (!CHECK(connection >= 0)) return 0;
    int length = snprintf(text, sizeof text,
                          "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
                          "Content-Length: %d\r\n\r\n%s",
                          method, target, host, (int)strlen(body), body);
    CHECK(send(connection, text, (size_t)length, MSG_NOSIGNAL) == length);
    read_reply(connection);
    close(connection);
    return reply.status;
}

static int get(const Viewer* viewer, const char* target) {
    char host[32];
    snprintf(host, sizeof host, "127.0.0.1:%d", viewer->port);
    return request(viewer, "GET", target, host, "");
}

// Whether the reply's head has the line.
static bool has_header(const char* line) {
    size_t size = strlen(line);
    for (const char* at = strchr(reply.text, '\n'); at; at = strchr(at + 1, '\n'))
        if (strncasecmp(at + 1, line, size) == 0 && at[1 + size] == '\r') return true;
    return false;
}

// What every answer must say, good or bad.
static void check_lines(const char* type, const char* caching) {
    const char* const lines[] = {
        caching,
        "X-Content-Type-Options: nosniff",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Embedder-Policy: require-corp",
        "Cross-Origin-Resource-Policy: same-origin",
    };
    char line[128];
    for (int i = 0; i < 5; i++)
        if (!CHECK(has_header(lines[i]))) printf("no %s in\n%s", lines[i], reply.text);
    snprintf(line, sizeof line, "Content-Type: %s", type);
    if (!CHECK(has_header(line))) printf("no %s in\n%s", line, reply.text);
}

static void check_headers(const char* type) { check_lines(type, "Cache-Control: no-cache"); }

// ---------------------------------------------------------------------------------------------
// The site

static void page_is_served(void) {
    static const char* const wanted[][3] = {
        {"/", "<h1>cloth</h1>", "text/html; charset=utf-8"},
        {"/index.html", "<h1>cloth</h1>", "text/html; charset=utf-8"},
        {"/?scene=flag", "<h1>cloth</h1>", "text/html; charset=utf-8"},
        {"/assets/core.wasm", "wasm of the core", "application/wasm"},
        {"/assets/page.js", "run();", "text/javascript; charset=utf-8"},
        {"/near.js", "run();", "text/javascript; charset=utf-8"},  // a link that stays inside
        {"/empty.css", "", "text/css; charset=utf-8"},
    };
    Viewer viewer = START("--no-open");
    CHECK_TEXT(viewer.out, "/  (Ctrl-C ends it)");
    for (int i = 0; i < 7; i++) {
        CHECK(get(&viewer, wanted[i][0]) == 200);
        CHECK(strcmp(reply.body, wanted[i][1]) == 0);
        check_headers(wanted[i][2]);
    }
    // names that change with what is in the file are kept
    CHECK(get(&viewer, "/assets/core-Ab3dE_f-.wasm") == 200);
    check_lines("application/wasm", "Cache-Control: max-age=31536000, immutable");
    CHECK(get(&viewer, "/assets/long-filename.css") == 200);
    check_headers("text/css; charset=utf-8");
    CHECK(get(&viewer, "/assets/gone-Ab3dE_f-.wasm") == 404);
    check_headers("text/plain; charset=utf-8");
    end_view(&viewer, SIGTERM);
    CHECK(err[0] == 0);
}

static void types_are_known(void) {
    static const char* const types[][2] = {
        {"a.json", "application/json"},
        {"a.map", "application/json"},
        {"a.png", "image/png"},
        {"a.svg", "image/svg+xml"},
        {"a.ico", "image/x-icon"},
        {"a.woff2", "font/woff2"},
        {"a.glb", "model/gltf-binary"},
        {"a.GLB", "model/gltf-binary"},
        {"a.txt", "text/plain; charset=utf-8"},
        {"a", "application/octet-stream"},
    };
    Viewer viewer = START("--no-open");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "site/%s", types[i][0]);
        write_text(path, "x");
        CHECK(get(&viewer, path + 4) == 200);
        check_headers(types[i][1]);
        remove(path);
    }
    end_view(&viewer, SIGTERM);
}

static void nothing_else_is_served(void) {
    static const char* const targets[] = {
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2E%2E/secret.txt",
        "/./index.html",
        "//etc/passwd",
        "//index.html",
        "/%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..",
        "/.",
        "/.hidden",
        "/away.txt",
        "/up/secret.txt",
        "/assets",
        "/assets/",
        "/pipe.txt",
        "/nowhere.html",
        "/index.html/",
        "/good.json",
        "/open",
        "/open/",
        "/open/0/secret.txt",
        "/open/0/../../secret.txt",
        "/open/1/good.json",
        "/open/00/good.json",
        "/open/0/",
        "../secret.txt",
        "http://127.0.0.1/../secret.txt",
        "*",
    };
    char longest[3000] = "/";
    memset(longest + 1, 'a', sizeof longest - 2);
    Viewer viewer = START("--no-open", "good.json");
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        int status = get(&viewer, targets[i]);
        if (!CHECK(status == 404 || status == 400)) printf("%s: %d\n", targets[i], status);
        CHECK(!strstr(reply.body, secret) && !strstr(reply.body, "root:"));
        CHECK(!strstr(reply.body, "cloth") && !strstr(reply.body, "weft"));
    }
    CHECK(get(&viewer, longest) >= 400);
    CHECK(get(&viewer, "/nowhere.html") == 404);
    check_headers("text/plain; charset=utf-8");
    end_view(&viewer, SIGTERM);
}

static void hosts_must_be_this_one(void) {
    char good[64], other[64];
    Viewer viewer = START("--no-open");
    snprintf(good, sizeof good, "localhost:%d", viewer.port);
    CHECK(request(&viewer, "GET", "/", good, "") == 200);
    static const char* const names[] = {"evil.example", "127.0.0.1.evil.example", "127.0.0.2",
                                        "0.0.0.0"};
    for (int i = 0; i < 4; i++) {
        snprintf(other, sizeof other, "%s:%d", names[i], viewer.port);
        CHECK(request(&viewer, "GET", "/", other, "") == 403);
        CHECK(!strstr(reply.body, "cloth"));
        CHECK(request(&viewer, "GET", "/open/list.json", other, "") == 403);
    }
    static const char* const wrong[] = {"127.0.0.1", "localhost", "127.0.0.1:1", ":"};
    for (int i = 0; i < 4; i++) CHECK(request(&viewer, "GET", "/", wrong[i], "") == 403);
    check_headers("text/plain; charset=utf-8");
    end_view(&viewer, SIGTERM);
}

static void files_are_only_read(void) {
    static const char* const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get"};
    char host[32];
    Viewer viewer = START("--no-open", "good.json");
    snprintf(host, sizeof host, "127.0.0.1:%d", viewer.port);
    for (int i = 0; i < 6; i++) {
        CHECK(request(&viewer, methods[i], "/open/0/good.json", host, "new") == 405);
        CHECK(has_header("Allow: GET, HEAD"));
    }
    CHECK(request(&viewer, "GET", "/", host, "a body that nobody reads") == 200);
    CHECK(strcmp(reply.body, "<h1>cloth</h1>") == 0);
    CHECK(request(&viewer, "HEAD", "/", host, "") == 200);
    CHECK(reply.body[0] == 0 && has_header("Content-Length: 14"));
    check_headers("text/html; charset=utf-8");
    CHECK(request(&viewer, "HEAD", "/nowhere", host, "") == 404);
    CHECK(reply.body[0] == 0);
    CHECK(get(&viewer, "/open/0/good.json") == 200);
    CHECK(strcmp(reply.body, scene_text) == 0);
    end_view(&viewer, SIGTERM);
}

// All of 127.x.x.x is this machine, but only one of them is what we listen on.
static void other_addresses_are_deaf(void) {
    Viewer viewer = START("--no-open");
    int connection = connect_to("127.0.0.2", viewer.port);
    CHECK(connection < 0);
    if (connection >= 0) close(connection);
    end_view(&viewer, SIGTERM);
}

// Several requests through one connection, as browsers do it.
static void connections_are_kept(void) {
    char text[512];
    Viewer viewer = START("--no-open");
    int connection = connect_to("127.0.0.1", viewer.port);
    int length = snprintf(text, sizeof text,
                          "GET /assets/page.js HTTP/1.1\r\nHost: localhost:%d\r\n\r\n"
                          "GET /empty.css HTTP/1.1\r\nHost: localhost:%d\r\n\r\n"
                          "GET / HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n",
                          viewer.port, viewer.port, viewer.port);
    CHECK(send(connection, text, (size_t)length, MSG_NOSIGNAL) == length);
    read_reply(connection);
    CHECK(strncmp(reply.body, "run();HTTP/1.1 200", 18) == 0);
    CHECK_TEXT(reply.body, "\r\n\r\nHTTP/1.1 200");
    CHECK_TEXT(reply.body, "<h1>cloth</h1>");
    close(connection);
    end_view(&viewer, SIGTERM);
}

// ---------------------------------------------------------------------------------------------
// Files that are opened

static void lists_name_the_files(void) {
    Viewer viewer = START("--no-open");
    CHECK(get(&viewer, "/open/list.json") == 200);
    CHECK(strcmp(reply.body, "{\"files\":[]}") == 0);
    check_headers("application/json");
    end_view(&viewer, SIGTERM);
    char path[128];
    snprintf(path, sizeof path, "%s/good.json", home);
    viewer = START("--no-open", path);
    CHECK(get(&viewer, "/open/list.json") == 200);
    CHECK(strcmp(reply.body,
                 "{\"files\":[{\"name\":\"good.json\",\"url\":\"open/0/good.json\"}]}") == 0);
    CHECK(get(&viewer, "/open/0/good.json") == 200);
    CHECK(strcmp(reply.body, scene_text) == 0);
    check_headers("application/json");
    end_view(&viewer, SIGTERM);
}

// The name and address of entry `index` of the list; the address begins with a slash here.
static bool read_entry(const Viewer* viewer, size_t index, char name[256], char target[1024]) {
    CHECK(get(viewer, "/open/list.json") == 200);
    json_t* list = json_loads(reply.body, 0, NULL);
    json_t* entry = json_array_get(json_object_get(list, "files"), index);
    const char* text = json_string_value(json_object_get(entry, "name"));
    const char* url = json_string_value(json_object_get(entry, "url"));
    snprintf(name, 256, "%s", text ? text : "");
    snprintf(target, 1024, "/%s", url ? url : "");
    json_decref(list);
    return CHECK(text && url);
}

static void names_may_be_anything(void) {
    static const char* const names[] = {
        "a \"b\" 'c'.glb",
        "gr\xc3\xbc\xc3\x9f \xe5\xb8\x83.glb",
        "50%20+#?&;=\\.glb",
        "<b>.glb",
        "--.glb",
        "%2e%2e.glb",
        "caf\xe9.glb",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[128], name[256], target[1024];
        snprintf(path, sizeof path, "./%s", names[i]);
        go_home();
        write_text(path, names[i]);
        Viewer viewer = START("--no-open", path);
        if (read_entry(&viewer, 0, name, target)) {
            // the last name is no text, and is told by its address
            CHECK(strcmp(name, i == 6 ? target + 1 : names[i]) == 0);
            CHECK(target[1 + strcspn(target + 1, " \"'<>#?+&;\\")] == 0);
            CHECK(get(&viewer, target) == 200 && strcmp(reply.body, names[i]) == 0);
            check_headers("model/gltf-binary");
        }
        end_view(&viewer, SIGTERM);
        remove(path);
    }
}

static void newer_files_are_seen(void) {
    go_home();
    write_text("run.glb", "old");
    Viewer viewer = START("--no-open", "run.glb");
    CHECK(get(&viewer, "/open/0/run.glb") == 200 && strcmp(reply.body, "old") == 0);
    write_text("next.glb", "newer and longer");
    CHECK(rename("next.glb", "run.glb") == 0);
    CHECK(get(&viewer, "/open/0/run.glb") == 200 && strcmp(reply.body, "newer and longer") == 0);
    remove("run.glb");
    CHECK(get(&viewer, "/open/0/run.glb") == 404);
    write_text("run.glb", "back");
    CHECK(get(&viewer, "/open/0/run.glb") == 200 && strcmp(reply.body, "back") == 0);
    end_view(&viewer, SIGTERM);
    remove("run.glb");
}

static int ask_for(const Viewer* viewer, const char* target) {
    char text[256];
    int connection = connect_to("127.0.0.1", viewer->port);
    int length = snprintf(text, sizeof text,
                          "GET %s HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n",
                          target, viewer->port);
    CHECK(send(connection, text, (size_t)length, MSG_NOSIGNAL) == length);
    return connection;
}

// A result as large as they are comes whole, and a reader that hangs up half-way does no harm.
static void large_files_come_whole(void) {
    enum { WORDS = 1 << 20 };
    char line[256];
    go_home();
    FILE* file = fopen("large.glb", "wb");
    for (uint32_t i = 0; file && i < WORDS; i++) fwrite(&i, sizeof i, 1, file);
    if (!file || fclose(file)) abort();
    Viewer viewer = START("--no-open", "large.glb");
    int hasty = ask_for(&viewer, "/open/0/large.glb");
    CHECK(read(hasty, line, 1) == 1);
    close(hasty);
    FILE* stream = fdopen(ask_for(&viewer, "/open/0/large.glb"), "rb");
    if (!CHECK(stream != NULL)) return;
    while (fgets(line, sizeof line, stream) && strcmp(line, "\r\n") != 0) continue;
    uint32_t word, count = 0;
    while (fread(&word, sizeof word, 1, stream) == 1 && word == count) count++;
    CHECK(count == WORDS);
    fclose(stream);
    end_view(&viewer, SIGTERM);
    remove("large.glb");
}

static void meshes_come_along(void) {
    static const char* const endings[] = {"json", "glb", "obj"};  // the later, the better
    char name[256], target[1024];
    go_home();
    write_text("cloth.pc2", "moves");
    CHECK(FAIL("--site", "site", "cloth.pc2") == 2);
    CHECK_TEXT(err, "weft: cloth.pc2: holds positions only");
    for (int i = 0; i < 3; i++) {
        char mesh[32], wanted[64];
        snprintf(mesh, sizeof mesh, "cloth.%s", endings[i]);
        snprintf(wanted, sizeof wanted, "cloth.pc2: takes %s along", mesh);
        write_text(mesh, scene_text);
        Viewer viewer = START("--no-open", "cloth.pc2");
        if (read_entry(&viewer, 1, name, target)) CHECK(strcmp(name, mesh) == 0);
        CHECK(get(&viewer, target) == 200 && strcmp(reply.body, scene_text) == 0);
        CHECK(get(&viewer, "/open/0/cloth.pc2") == 200 && strcmp(reply.body, "moves") == 0);
        check_headers("application/octet-stream");
        end_view(&viewer, SIGTERM);
        CHECK_TEXT(err, wanted);
    }
    // one that is named wins
    Viewer viewer = START("--no-open", "good.json", "cloth.pc2");
    if (read_entry(&viewer, 0, name, target)) CHECK(strcmp(name, "good.json") == 0);
    if (read_entry(&viewer, 1, name, target)) CHECK(strcmp(name, "cloth.pc2") == 0);
    end_view(&viewer, SIGTERM);
    CHECK(err[0] == 0);
}

// A page may read no files: those that a scene names come along, by the names that it has for them.
static void named_files_come_along(void) {
    static const char* const names[] = {"all.json", "meshes/two.obj", "made.json",
                                        "meshes/ball.obj"};
    char name[256], target[1024];
    go_home();
    CHECK(mkdir("meshes", 0755) == 0);
    write_text("meshes/two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
    write_text("meshes/ball.obj", "v 0 -2 0\nv 1 -2 0\nv 0 -3 0\nf 1 2 3\n");
    write_text(
        "made.json",
        "{\"weft_fabric\":1,\"name\":\"made\",\"density\":0.2,\"stretch\":500,\"bend\":1e-5}");
    write_text("all.json",
               "{\"weft\":1,\"bodies\":[{\"kind\":\"mesh\",\"file\":\"meshes/ball.obj\"},{\"kind\":"
               "\"mesh\",\"file\":\"meshes/ball.obj\"}],\"cloths\":[{\"mesh\":{\"kind\":\"obj\","
               "\"file\":\"meshes/two.obj\"},\"fabric\":{\"base\":\"made\"}},{\"mesh\":{\"kind\":"
               "\"grid\"},\"fabric\":\"denim\"}]}");
    Viewer viewer = START("--no-open", "meshes/../all.json");
    for (size_t i = 0; i < 4; i++) {
        if (!read_entry(&viewer, i, name, target)) break;
        CHECK(get(&viewer, target) == 200);
        CHECK(strcmp(name, names[i]) == 0);
    }
    CHECK(get(&viewer, "/open/list.json") == 200 && !strstr(reply.body, "open/4/"));
    CHECK(get(&viewer, "/open/1/../made.json") != 200);
    end_view(&viewer, SIGTERM);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void wrong_files_are_refused(void) {
    go_home();
    CHECK(FAIL("--site", "site", "nowhere.glb") == 2);
    CHECK_TEXT(err, "nowhere.glb: No such file");
    CHECK(FAIL("--site", "site", "nowhere.json") == 2);
    CHECK_TEXT(err, "nowhere.json: No such file");
    CHECK(FAIL("--site", "site", "secret.txt") == 2);
    CHECK_TEXT(err, "weft: secret.txt: view takes a scene (.json) or a result (.glb, .pc2)");
    CHECK(FAIL("--site", "site", "site") == 2);
    CHECK(mkdir("folder.glb", 0755) == 0);
    CHECK(FAIL("--site", "site", "folder.glb") == 2);
    CHECK_TEXT(err, "folder.glb: is no file");
    write_text("a.glb", "a");
    write_text("b.obj", "b");
    CHECK(FAIL("--site", "site", "a.glb", "good.json") == 2);
    CHECK_TEXT(err, "view takes one scene or one result");
    CHECK(FAIL("--site", "site", "a.glb", "b.obj", "c.pc2") == 2);
    CHECK_TEXT(err, "view takes one scene or one result");
    CHECK(FAIL("--site", "site", "b.obj") == 2);
    CHECK_TEXT(err, "b.obj: is a mesh at rest");
    CHECK(FAIL("--site", "site", "b.obj", "nowhere.pc2") == 2);
    CHECK_TEXT(err, "nowhere.pc2: No such file");
}

static void wrong_scenes_are_refused(void) {
    go_home();
    write_text("bad.json", "{\"weft\": 1,\n  \"cloths\": [{\"mesh\": {\"kind\": \"grd\"}}]}\n");
    CHECK(FAIL("--site", "site", "bad.json") == 2);
    CHECK(strncmp(err, "bad.json:2:32: ", 15) == 0);
    write_text("bad.json",
               "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\"},\"stretch\":\"triangles\","
               "\"shear\":\"product\"}]}");
    CHECK(FAIL("--site", "site", "bad.json") == 2);
    CHECK(strncmp(err, "bad.json: ", 10) == 0);
    write_text("bad.json",
               "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"obj\",\"file\":\"none.obj\"}}]}");
    CHECK(FAIL("--site", "site", "bad.json") == 2);
    CHECK_TEXT(err, "none.obj: cannot open: No such file");
}

static void places_are_refused(void) {
    char port[16];
    CHECK(FAIL("--site", "nowhere", "good.json") == 2);
    CHECK_TEXT(err, "nowhere: the page is not there: `make web` builds it");
    CHECK(FAIL("--site", "site/assets") == 2);
    CHECK(FAIL("--site", "site/index.html") == 2);
    CHECK(FAIL("--site", "site", "--port", "65536") == 2);
    CHECK(FAIL("--site", "site", "--prot", "0") == 2);
    CHECK_TEXT(err, "view has no option --prot; did you mean --port?");
    Viewer viewer = START("--no-open");
    snprintf(port, sizeof port, "%d", viewer.port);
    rename("view.err", "first.err");
    CHECK(FAIL("--site", "site", "--port", port) == 1);
    CHECK_TEXT(err, "is in use");
    CHECK_TEXT(err, port);
    CHECK(get(&viewer, "/") == 200);
    end_view(&viewer, SIGTERM);
    // given up, even with connections just closed, it can be had again
    Viewer next = START("--no-open", "--port", port);
    CHECK(next.port == viewer.port && get(&next, "/") == 200);
    end_view(&next, SIGTERM);
}

// The page is looked for from where the program stands: copied away from all, there is none; built
// or installed beside it, there is one.
static void pages_are_found(void) {
    static const char* const places[] = {"tree/web/site", "tree/release/share/weft/web"};
    char line[1024];
    go_home();
    snprintf(line, sizeof line, "mkdir -p tree/release/bin && cp '%s' tree/release/bin/weft",
             program);
    CHECK(system(line) == 0);
    program = "tree/release/bin/weft";
    CHECK(FAIL("good.json") == 2);
    CHECK_TEXT(err, "weft: the page is not built: run `make web`, or name its folder with --site");
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "mkdir -p %s && cp site/index.html %s", places[i], places[i]);
        CHECK(system(line) == 0);
        Viewer viewer = start_view(TEXTS("--no-open"));
        CHECK(get(&viewer, "/") == 200 && strcmp(reply.body, "<h1>cloth</h1>") == 0);
        end_view(&viewer, SIGTERM);
        snprintf(line, sizeof line, "rm -r %s", places[i]);
        CHECK(system(line) == 0);
    }
    program = WEFT_TOOL;
}

// ---------------------------------------------------------------------------------------------
// Signals and browsers

static void signals_end_it(void) {
    static const int signals[] = {SIGTERM, SIGINT};
    for (int i = 0; i < 2; i++) {
        Viewer viewer = START("--no-open", "good.json");
        int idle = connect_to("127.0.0.1", viewer.port);
        CHECK(idle >= 0);
        end_view(&viewer, signals[i]);
        CHECK(err[0] == 0);
        CHECK(connect_to("127.0.0.1", viewer.port) < 0);
        close(idle);
    }
}

static void wait_a_moment(void) { nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); }

// View with an opener of our own, which is a shell script, or with none.
static Viewer view_by(const char* script) {
    char before[4096], path[4200];
    go_home();
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    snprintf(path, sizeof path, "%s/openers:%s", home, before);
    mkdir("openers", 0755);
    if (script) write_text("openers/xdg-open", script);
    chmod("openers/xdg-open", 0755);
    setenv("PATH", script ? path : "/nowhere", 1);
    Viewer viewer = START("good.json");
    setenv("PATH", before, 1);
    return viewer;
}

static void browsers_are_told_the_address(void) {
    char text[TEXT_SIZE];
    Viewer viewer = view_by("#!/bin/sh\necho noise; echo \"$@\" >told.part; mv told.part told\n");
    while (access("told", F_OK) != 0) wait_a_moment();
    end_view(&viewer, SIGTERM);
    CHECK(err[0] == 0);
    read_text("told", text);
    text[strcspn(text, "\n")] = 0;
    CHECK(text[0] && strncmp(viewer.out, text, strlen(text)) == 0);
}

static void missing_browsers_are_told(void) {
    static const char* const scripts[] = {NULL, "#!/bin/sh\nexit 3\n"};
    for (int i = 0; i < 2; i++) {
        Viewer viewer = view_by(scripts[i]);
        for (err[0] = 0; !strchr(err, '\n'); read_text("view.err", err)) wait_a_moment();
        CHECK(get(&viewer, "/") == 200);
        end_view(&viewer, SIGTERM);
        CHECK(strcmp(err, "no browser could be started; open the address by hand\n") == 0);
    }
}

TEST_MAIN(CASE(page_is_served), CASE(types_are_known), CASE(nothing_else_is_served),
          CASE(hosts_must_be_this_one), CASE(files_are_only_read), CASE(other_addresses_are_deaf),
          CASE(connections_are_kept), CASE(lists_name_the_files), CASE(names_may_be_anything),
          CASE(newer_files_are_seen), CASE(large_files_come_whole), CASE(meshes_come_along),
          CASE(named_files_come_along), CASE(wrong_files_are_refused),
          CASE(wrong_scenes_are_refused), CASE(places_are_refused), CASE(pages_are_found),
          CASE(signals_end_it), CASE(browsers_are_told_the_address),
          CASE(missing_browsers_are_told))
