// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#endif

#include "io/file.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Paths

static bool is_slash(char c) {
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

const char* wf_file_name(const char* path) {
    const char* name = path;
    for (const char* c = path; *c; c++)
        if (is_slash(*c)) name = c + 1;
    return name;
}

bool wf_is_absolute(const char* path) {
#ifdef _WIN32
    if (path[0] && path[1] == ':') return true;  // "C:/"
#endif
    return is_slash(path[0]);
}

#ifdef _WIN32

// ---------------------------------------------------------------------------------------------
// Windows: the functions for wide characters, as the others depend on a code page

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>

enum { PATH_SIZE = 4096 };

static bool widen(const char* text, wchar_t* wide) {
    bool fits = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, PATH_SIZE) > 0;
    if (!fits) errno = ENOENT;
    return fits;
}

FILE* wf_open_file(const char* path, const char* mode) {
    wchar_t wide_path[PATH_SIZE], wide_mode[PATH_SIZE];
    if (!widen(path, wide_path) || !widen(mode, wide_mode)) return NULL;
    return _wfopen(wide_path, wide_mode);
}

void wf_remove_file(const char* path) {
    wchar_t wide[PATH_SIZE];
    if (widen(path, wide)) _wremove(wide);
}

bool wf_replace_file(const char* from, const char* to) {
    wchar_t wide_from[PATH_SIZE], wide_to[PATH_SIZE];
    if (!widen(from, wide_from) || !widen(to, wide_to)) return false;
    if (MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING)) return true;
    errno = EACCES;
    return false;
}

bool wf_is_folder(const char* path) {
    wchar_t wide[PATH_SIZE];
    DWORD found = widen(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    return found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY);
}

bool wf_list_folder(const char* path, WfListed* listed, void* context) {
    char pattern[PATH_SIZE], name[PATH_SIZE];
    wchar_t wide[PATH_SIZE];
    int length = snprintf(pattern, sizeof pattern, "%s/*", path);
    if (length < 0 || length >= PATH_SIZE || !widen(pattern, wide)) return false;
    WIN32_FIND_DATAW entry;
    HANDLE list = FindFirstFileW(wide, &entry);
    if (list == INVALID_HANDLE_VALUE) return false;
    bool more = true;
    do {
        if (WideCharToMultiByte(CP_UTF8, 0, entry.cFileName, -1, name, PATH_SIZE, NULL, NULL) > 0)
            more = listed(context, name);
    } while (more && FindNextFileW(list, &entry));
    FindClose(list);
    return true;
}

#else

// ---------------------------------------------------------------------------------------------
// POSIX, and the page, which has no folders

FILE* wf_open_file(const char* path, const char* mode) { return fopen(path, mode); }
void wf_remove_file(const char* path) { remove(path); }
bool wf_replace_file(const char* from, const char* to) { return rename(from, to) == 0; }

#ifdef __EMSCRIPTEN__

bool wf_is_folder(const char* path) {
    (void)path;
    return false;
}

bool wf_list_folder(const char* path, WfListed* listed, void* context) {
    (void)path, (void)listed, (void)context;
    return false;
}

#else

bool wf_is_folder(const char* path) {
    DIR* list = opendir(path);
    if (list) closedir(list);
    return list != NULL;
}

bool wf_list_folder(const char* path, WfListed* listed, void* context) {
    DIR* list = opendir(path);
    if (!list) return false;
    bool more = true;
    for (struct dirent* entry; more && (entry = readdir(list));)
        more = listed(context, entry->d_name);
    closedir(list);
    return true;
}

#endif

#endif
