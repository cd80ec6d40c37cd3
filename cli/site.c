// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _XOPEN_SOURCE 700  // realpath

#include "site.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// The folder

// The path without links, "." and ".."; false where nothing is there.
static bool resolve(const char* path, char resolved[PATH_SIZE]) {
    char* text = realpath(path, NULL);
    bool good = text && strlen(text) < PATH_SIZE;
    if (good) strcpy(resolved, text);
    free(text);
    return good;
}

static bool has_page(const char* folder) {
    char path[PATH_SIZE];
    int length = snprintf(path, PATH_SIZE, "%s/index.html", folder);
    return length < PATH_SIZE && access(path, R_OK) == 0;
}

// As `make web` builds it beside this program's build folder, or as it is installed.
static bool find_own_site(char folder[PATH_SIZE]) {
    static const char* const places[] = {"../../web/site", "../share/weft/web"};
    char own[PATH_SIZE], path[PATH_SIZE];
    if (!own_folder(own)) return false;
    for (int i = 0; i < 2; i++) {
        int length = snprintf(path, PATH_SIZE, "%s%s", own, places[i]);
        if (length < PATH_SIZE && resolve(path, folder) && has_page(folder)) return true;
    }
    return false;
}

int find_site(Site* site, const char* named, const NamedFiles* opened) {
    *site = (Site){.opened = opened};
    if (named && !(resolve(named, site->folder) && has_page(site->folder)))
        return complain(EXIT_USAGE, "%s: the page is not there: `make web` builds it", named);
    if (!named && !find_own_site(site->folder))
        return complain(EXIT_USAGE,
                        "the page is not built: run `make web`, or name its folder with --site");
    return GO_ON;
}

// ---------------------------------------------------------------------------------------------
// Files by address

// Whether every part between slashes is a name, none of them hidden: neither "..", nor ".", nor
// nothing.
static bool is_plain(const char* address) {
    while (*address == '/') {
        address++;
        if (*address == 0 || *address == '/' || *address == '.') return false;
        address += strcspn(address, "/");
    }
    return *address == 0;
}

// Links are followed, but not out of the folder.
static bool find_in_folder(const Site* site, const char* address, char path[PATH_SIZE]) {
    char asked[PATH_SIZE];
    size_t size = strlen(site->folder);
    if (!is_plain(address)) return false;
    int length = snprintf(asked, PATH_SIZE, "%s%s", site->folder, address);
    if (length >= PATH_SIZE || !resolve(asked, path)) return false;
    return strncmp(path, site->folder, size) == 0 && path[size] == '/';
}

static bool find_opened(const Site* site, const char* address, char path[PATH_SIZE]) {
    for (int i = 0; i < site->opened->count; i++) {
        char own[PATH_SIZE];
        const char* file = site->opened->files[i].path;
        int length = snprintf(own, PATH_SIZE, "/open/%d/%s", i, base_name(file));
        if (length < PATH_SIZE && strcmp(address, own) == 0)
            return snprintf(path, PATH_SIZE, "%s", file) < PATH_SIZE;
    }
    return false;
}

bool find_address(const Site* site, const char* address, char path[PATH_SIZE]) {
    if (strncmp(address, "/open/", 6) == 0) return find_opened(site, address, path);
    return find_in_folder(site, strcmp(address, "/") == 0 ? "/index.html" : address, path);
}

// ---------------------------------------------------------------------------------------------
// What goes with them

// "open/0/a%20b.glb"
static void write_url(char url[3 * PATH_SIZE], int index, const char* name) {
    char* at = url + snprintf(url, 3 * PATH_SIZE, "open/%d/", index);
    for (; *name && at < url + 3 * PATH_SIZE - 4; name++) {
        unsigned char byte = (unsigned char)*name;
        bool plain = byte < 128 && (isalnum(byte) || strchr("-._~", byte));
        at += snprintf(at, 4, plain ? "%c" : "%%%02X", byte);
    }
}

// A name that is no UTF-8 is no text in JSON either; its address is.
static json_t* describe_file(int index, const NamedFile* file) {
    char url[3 * PATH_SIZE];
    write_url(url, index, base_name(file->path));
    json_t* text = json_string(file->name);
    return json_pack("{s:o,s:s}", "name", text ? text : json_string(url), "url", url);
}

char* make_list(const Site* site) {
    json_t* files = json_array();
    for (int i = 0; i < site->opened->count; i++)
        json_array_append_new(files, describe_file(i, &site->opened->files[i]));
    json_t* list = json_pack("{s:o}", "files", files);
    char* text = list ? json_dumps(list, JSON_COMPACT) : NULL;
    json_decref(list);
    return text;
}

const char* content_type(const char* path) {
    static const char* const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".wasm", "application/wasm"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".glb", "model/gltf-binary"},
        {".obj", "model/obj"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (has_ending(path, types[i][0])) return types[i][1];
    return "application/octet-stream";
}
