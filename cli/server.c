// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// HTTP by libmicrohttpd. Two things keep strangers out: the socket listens on loopback only, and a
// request must name this machine as its host. The second is against pages of other sites in the
// same browser, which could have their own name resolved to 127.0.0.1 and then read along.

#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum MHD_Result Result;
typedef struct MHD_Connection Connection;
typedef struct MHD_Response Response;

// ---------------------------------------------------------------------------------------------
// Answers

static const char* const ASK_AGAIN = "no-cache";
static const char* const KEEP = "max-age=31536000, immutable";

// With every answer. A page that is isolated from other sites is given the finer clock.
static const char* const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

// Sends the response and lets go of it; NULL, for want of memory, ends the connection.
static Result send_response(Connection* connection, unsigned status, const char* type,
                            const char* caching, Response* response) {
    if (!response) return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, caching);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static Result refuse(Connection* connection, unsigned status, const char* text) {
    Response* response =
        MHD_create_response_from_buffer(strlen(text), (void*)text, MHD_RESPMEM_PERSISTENT);
    return send_response(connection, status, content_type("why.txt"), ASK_AGAIN, response);
}

static Result send_list(Connection* connection, const Site* site) {
    char* text = make_list(site);
    if (!text) return MHD_NO;
    Response* response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    return send_response(connection, MHD_HTTP_OK, content_type("list.json"), ASK_AGAIN, response);
}

// A file that is there and no folder, pipe or device; -1 where it is none.
static int open_file(const char* path, uint64_t* size) {
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
        *size = (uint64_t)facts.st_size;
        return file;
    }
    if (file >= 0) close(file);
    return -1;
}

// Whether the page's build named the file by what is in it, "/assets/weft-BNYo4AKC.wasm": what it
// holds never changes, and browsers keep what they made of it, the compiled module above all.
static bool is_named_by_content(const char* address) {
    enum { HASH = 8 };
    const char* end = strrchr(address, '.');
    if (strncmp(address, "/assets/", 8) != 0 || !end || end - address < 8 + HASH + 1) return false;
    if (end[-HASH - 1] != '-') return false;
    bool mixed = false;  // plain words have neither digits nor capitals
    for (const char* at = end - HASH; at < end; at++) {
        if (!isalnum((unsigned char)*at) && *at != '-' && *at != '_') return false;
        mixed = mixed || isdigit((unsigned char)*at) || isupper((unsigned char)*at);
    }
    return mixed;
}

// Read anew for every request: who reloads the page after a run sees the newer result.
static Result send_file(Connection* connection, const Site* site, const char* address) {
    char path[PATH_SIZE];
    uint64_t size;
    int file = find_address(site, address, path) ? open_file(path, &size) : -1;
    if (file < 0) return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such file\n");
    Response* response = MHD_create_response_from_fd64(size, file);
    if (!response) close(file);
    const char* caching = is_named_by_content(address) ? KEEP : ASK_AGAIN;
    return send_response(connection, MHD_HTTP_OK, content_type(path), caching, response);
}

// ---------------------------------------------------------------------------------------------
// Requests

static bool is_own_host(const Server* server, Connection* connection) {
    static const char* const names[] = {"127.0.0.1", "localhost"};
    const char* host =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    for (int i = 0; host && i < 2; i++) {
        char own[32];
        snprintf(own, sizeof own, "%s:%d", names[i], server->port);
        if (strcasecmp(host, own) == 0) return true;
        // browsers do not name the port that is HTTP's own
        if (server->port == 80 && strcasecmp(host, names[i]) == 0) return true;
    }
    return false;
}

static bool is_reading(const char* method) {
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

// Called when the head of a request has come, for each part of a body, and when all has come. What
// is refused is refused at once, which closes the connection; answers to the rest keep it.
static Result answer(void* user, Connection* connection, const char* address, const char* method,
                     const char* version, const char* body, size_t* body_size, void** known) {
    static char begun;
    const Server* server = user;
    (void)version, (void)body;
    if (!is_own_host(server, connection))
        return refuse(connection, MHD_HTTP_FORBIDDEN, "this server is for its own machine only\n");
    if (!is_reading(method))
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "files are for reading only\n");
    if (!*known || *body_size > 0) {
        *known = &begun;
        *body_size = 0;
        return MHD_YES;
    }
    if (strcmp(address, "/open/list.json") == 0) return send_list(connection, server->site);
    return send_file(connection, server->site, address);
}

// ---------------------------------------------------------------------------------------------
// Start and stop

static int fail_socket(int listener, int port) {
    int problem = errno;
    if (listener >= 0) close(listener);
    if (problem == EADDRINUSE)
        return complain(EXIT_FAILED, "port %d is in use; without --port any free one is taken",
                        port);
    return complain(EXIT_FAILED, "port %d: %s", port, strerror(problem));
}

// Not left to libmicrohttpd, which does not say why it fails. The browser, a child, must not
// inherit the socket: it would hold the port after us.
static int open_listener(Server* server, int* listener) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->port)};
    socklen_t size = sizeof place;
    int yes = 1;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *listener = socket(AF_INET, SOCK_STREAM, 0);
    // a port that was just given up may be taken again
    bool good = *listener >= 0 && fcntl(*listener, F_SETFD, FD_CLOEXEC) == 0 &&
                fcntl(*listener, F_SETFL, O_NONBLOCK) == 0 &&
                setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                bind(*listener, (const struct sockaddr*)&place, size) == 0 &&
                listen(*listener, SOMAXCONN) == 0 &&
                getsockname(*listener, (struct sockaddr*)&place, &size) == 0;
    if (!good) return fail_socket(*listener, server->port);
    server->port = ntohs(place.sin_port);
    return GO_ON;
}

int start_server(Server* server, const Site* site, int port) {
    enum { IDLE_SECONDS = 120 };
    int listener;
    *server = (Server){.site = site, .port = port};
    int code = open_listener(server, &listener);
    if (code != GO_ON) return code;
    server->daemon = MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET,
        listener, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    if (!server->daemon) return complain(EXIT_FAILED, "the server does not start");
    return GO_ON;
}

void stop_server(Server* server) {
    if (server->daemon) MHD_stop_daemon(server->daemon);
    server->daemon = NULL;
}
