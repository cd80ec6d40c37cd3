// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Several files as frames: "walk.%04d.obj", "walk.*.obj", a folder, or the first one of a numbered
// sequence. All of them come down to what stands before the number and what stands behind it; the
// folder is listed, and what fits is put in the order of the numbers.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/figure/figure_parts.h"
#include "io/file.h"

enum { MOST_FILES = 100000, PATH_SIZE = 4096 };

// A path in pieces: folder/before*behind.
typedef struct Pieces {
    char folder[PATH_SIZE];
    char before[PATH_SIZE], behind[PATH_SIZE];
    bool digits;  // the star stands for digits only
} Pieces;

bool wf_is_sequence(const char* path) {
    return strpbrk(wf_file_name(path), "%*") || wf_is_folder(path);
}

// The mark, of `length` characters, goes.
static void split_at(const char* name, const char* mark, size_t length, Pieces* pieces) {
    memcpy(pieces->before, name, (size_t)(mark - name));
    pieces->before[mark - name] = 0;
    strcpy(pieces->behind, mark + length);
}

// "%d", "%4d" or "%04d"; 0: none of them
static size_t pattern_length(const char* mark) {
    size_t length = 1 + strspn(mark + 1, "0123456789");
    return mark[length] == 'd' ? length + 1 : 0;
}

// The last digits of a name before its ending.
static bool split_numbered(const char* name, Pieces* pieces) {
    const char* dot = strrchr(name, '.');
    const char* end = dot ? dot : name + strlen(name);
    while (end > name && !isdigit((unsigned char)end[-1])) end--;
    const char* start = end;
    while (start > name && isdigit((unsigned char)start[-1])) start--;
    if (start == end) return false;
    split_at(name, start, (size_t)(end - start), pieces);
    pieces->digits = true;
    return true;
}

static WeftResult split_path(const WfFigureReader* r, Pieces* pieces) {
    const char* path = r->path;
    const char* name = wf_file_name(path);
    if (strlen(path) >= PATH_SIZE - 4)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "the path of the sequence is too long");
    if (wf_is_folder(path)) {
        snprintf(pieces->folder, sizeof pieces->folder, "%s%s", path, *name ? "/" : "");
        return WEFT_OK;
    }
    memcpy(pieces->folder, path, (size_t)(name - path));
    const char *percent = strchr(name, '%'), *star = strchr(name, '*');
    if (star) {
        split_at(name, star, 1, pieces);
    } else if (percent) {
        size_t length = pattern_length(percent);
        if (length == 0)
            return wf_fail(r->error, WEFT_ERROR_INPUT,
                           "%s: write the number of a sequence as %%d or %%04d", path);
        split_at(name, percent, length, pieces);
        pieces->digits = true;
    } else if (!split_numbered(name, pieces)) {
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: a sequence needs a number in its name",
                       path);
    }
    return WEFT_OK;
}

static bool fits(const Pieces* pieces, const char* name) {
    size_t length = strlen(name), before = strlen(pieces->before), behind = strlen(pieces->behind);
    if (name[0] == '.' || length < before + behind + (pieces->digits ? 1 : 0)) return false;
    if (strncmp(name, pieces->before, before) != 0) return false;
    if (strcmp(name + length - behind, pieces->behind) != 0) return false;
    if (!pieces->digits)
        return before + behind > 0 || wf_path_ends(name, ".obj") || wf_path_ends(name, ".ply") ||
               wf_path_ends(name, ".stl");
    return strspn(name + before, "0123456789") >= length - before - behind;
}

// By the numbers in them, then by letters: 2 before 10.
static int compare_paths(const void* left, const void* right) {
    const char *a = *(char*const*)left, *b = *(char*const*)right;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0"), b += strspn(b, "0");
            size_t n = strspn(a, "0123456789"), m = strspn(b, "0123456789");
            if (n != m) return n < m ? -1 : 1;
            int order = strncmp(a, b, n);
            if (order) return order;
            a += n, b += m;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++, b++;
        }
    }
    return (*a != 0) - (*b != 0);
}

typedef struct Listing {
    WfFigureReader* r;
    const Pieces* pieces;
    WfFileList* list;
    WeftResult result;
} Listing;

static WeftResult add_path(const Listing* listing, const char* name) {
    const WfFigureReader* r = listing->r;
    const char* folder = listing->pieces->folder;
    WfFileList* list = listing->list;
    if (list->count == MOST_FILES)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: more than %d files", r->path, MOST_FILES);
    size_t size = strlen(folder) + strlen(name) + 1;
    char* path = wf_alloc(&r->allocator, size, 1);
    if (!path) return wf_fail_memory(r->error);
    snprintf(path, size, "%s%s", folder, name);
    list->paths[list->count++] = path;
    return WEFT_OK;
}

static bool add_fitting(void* context, const char* name) {
    Listing* listing = context;
    if (fits(listing->pieces, name)) listing->result = add_path(listing, name);
    return listing->result == WEFT_OK;
}

static WeftResult list_folder(WfFigureReader* r, const Pieces* pieces, WfFileList* list) {
    Listing listing = {r, pieces, list, WEFT_OK};
    wf_list_folder(pieces->folder[0] ? pieces->folder : ".", add_fitting, &listing);
    return listing.result;
}

WeftResult wf_list_sequence(WfFigureReader* r, WfFileList* list) {
    Pieces* pieces = wf_alloc(&r->allocator, 1, sizeof *pieces);
    list->paths = wf_alloc(&r->allocator, MOST_FILES, sizeof *list->paths);
    WeftResult result = pieces && list->paths ? WEFT_OK : wf_fail_memory(r->error);
    if (!result) result = split_path(r, pieces);
    if (!result) result = list_folder(r, pieces, list);
    if (!result && list->count == 0)
        result =
            wf_fail(r->error, WEFT_ERROR_FILE, "%s: no file of this sequence is there", r->path);
    if (!result) qsort(list->paths, (size_t)list->count, sizeof *list->paths, compare_paths);
    wf_free(&r->allocator, pieces);
    return result;
}

void wf_free_list(const WeftAllocator* allocator, WfFileList* list) {
    for (int i = 0; i < list->count; i++) wf_free(allocator, list->paths[i]);
    wf_free(allocator, list->paths);
    *list = (WfFileList){0};
}
