// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Learned detail as files: the bytes of weft_save_detail. Messages begin with the path.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/output.h"
#include "io/scene_parts.h"

WeftResult weft_read_detail_file(const char* path, const WeftMesh* coarse,
                                 const WeftAllocator* allocator, WeftDetail** detail,
                                 WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    char* bytes = NULL;
    size_t size = 0;
    *detail = NULL;
    WeftResult result = wf_read_file(path, &memory, &bytes, &size, error);
    if (!result) {
        result = weft_load_detail(bytes, size, coarse, &memory, detail, error);
        if (result) wf_fail_prefix(error, result, "%s: ", path);
    }
    wf_free(&memory, bytes);
    return result;
}

WeftResult weft_inspect_detail_file(const char* path, WeftDetailInfo* info, WeftError* error) {
    WeftAllocator memory = wf_allocator(NULL);
    char* bytes = NULL;
    size_t size = 0;
    WeftResult result = wf_read_file(path, &memory, &bytes, &size, error);
    if (!result) {
        result = weft_inspect_detail(bytes, size, info, error);
        if (result) wf_fail_prefix(error, result, "%s: ", path);
    }
    wf_free(&memory, bytes);
    return result;
}

// By way of a file beside it, so that whoever reads finds the old one or the new one.
static WeftResult write_whole(const char* path, const char* part, const char* bytes, size_t size,
                              WeftError* error) {
    WeftResult result = wf_write_file(part, bytes, size, error);
    if (result) return result;
    if (wf_replace_file(part, path)) return WEFT_OK;
    result = wf_fail(error, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
    wf_remove_file(part);
    return result;
}

WeftResult weft_save_detail_file(const char* path, const WeftDetail* detail, WeftError* error) {
    WeftAllocator memory = wf_allocator(NULL);
    size_t size = weft_save_detail(detail, NULL, 0), length = strlen(path) + sizeof ".part";
    if (size == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: nothing was learned that could be written",
                       path);
    char *bytes = wf_alloc(&memory, size, 1), *part = wf_alloc(&memory, length, 1);
    WeftResult result = bytes && part ? WEFT_OK : wf_fail_memory(error);
    if (!result) {
        snprintf(part, length, "%s.part", path);
        weft_save_detail(detail, bytes, size);
        result = write_whole(path, part, bytes, size, error);
    }
    wf_free(&memory, bytes);
    wf_free(&memory, part);
    return result;
}
