// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/memory.c: the user's allocator is used, sizes do not overflow, arenas hand out what
// they measured.

#include "base/memory.h"

#include "sparse_test.h"

static void defaults(void) {
    WeftAllocator none = {0};
    WeftAllocator a = wf_allocator(NULL), b = wf_allocator(&none);
    CHECK(a.allocate && a.release && a.allocate == b.allocate && a.release == b.release);
    TestMemory memory = {.left = 1};
    WeftAllocator user = test_allocator(&memory), c = wf_allocator(&user);
    CHECK(c.allocate == user.allocate && c.release == user.release && c.user == &memory);
}

static void zeroed(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    for (int round = 0; round < 20; round++) {
        unsigned char* p = wf_alloc(&allocator, 100, 7);
        int sum = 0;
        for (int i = 0; i < 700; i++) sum += p[i];
        CHECK(sum == 0);
        memset(p, 255, 700);
        wf_free(&allocator, p);
    }
}

// NULL means failure and nothing else.
static void nothing_is_something(void) {
    TestMemory memory = {.left = 3};
    WeftAllocator allocator = test_allocator(&memory);
    void* a = wf_alloc(&allocator, 0, 8);
    void* b = wf_alloc(&allocator, 8, 0);
    CHECK(a && b && memory.out == 2);
    wf_free(&allocator, a);
    wf_free(&allocator, b);
    wf_free(&allocator, NULL);
    CHECK(memory.out == 0);
}

static void huge_counts_fail(void) {
    TestMemory memory = {.left = 100};
    WeftAllocator allocator = test_allocator(&memory);
    CHECK(wf_alloc(&allocator, SIZE_MAX, 8) == NULL);
    CHECK(wf_alloc(&allocator, 8, SIZE_MAX) == NULL);
    CHECK(wf_alloc(&allocator, SIZE_MAX / 8 + 2, 8) == NULL);  // would wrap around to 8 bytes
    CHECK(wf_alloc(&allocator, (size_t)-1, 1) == NULL);        // a negative count
    CHECK(memory.left == 100);                                 // the user was not even asked
}

static void failure(void) {
    TestMemory memory = {.left = 0};
    WeftAllocator allocator = test_allocator(&memory);
    CHECK(wf_alloc(&allocator, 4, 4) == NULL);
    WfArena arena;
    CHECK(!wf_arena_create(&arena, &allocator, 100));
    CHECK(arena.base == NULL);
    wf_arena_destroy(&arena, &allocator);
    CHECK(memory.out == 0);
}

// ---------------------------------------------------------------------------------------------

typedef struct Layout {
    double* doubles;
    char* letter;
    int* none;
    short* shorts;
    char* last;
} Layout;

static void lay_out(WfArena* arena, Layout* out) {
    out->doubles = wf_arena_push(arena, 13, sizeof(double));
    out->letter = wf_arena_push(arena, 1, 1);
    out->none = wf_arena_push(arena, 0, sizeof(int));
    out->shorts = wf_arena_push(arena, 33, sizeof(short));
    out->last = wf_arena_push(arena, 64, 1);
}

// From memory at any alignment.
static void* skewed_allocate(void* user, size_t bytes) {
    char* block = malloc(bytes + 128);
    *(char**)user = block;
    uintptr_t at = ((uintptr_t)block + 63) / 64 * 64;
    return (char*)at + 16;
}
static void skewed_release(void* user, void* memory) {
    (void)memory;
    free(*(char**)user);
}

static void check_arena(const WeftAllocator* allocator) {
    WfArena arena = {0};
    Layout layout;
    lay_out(&arena, &layout);
    CHECK(layout.doubles == NULL && layout.last == NULL);  // measured, nothing handed out
    size_t measured = arena.used;
    CHECK(measured >= 13 * 8 + 1 + 66 + 64);
    CHECK(wf_arena_create(&arena, allocator, measured));
    CHECK(arena.used == 0);
    lay_out(&arena, &layout);
    CHECK(arena.used == measured);
    void* parts[] = {layout.doubles, layout.letter, layout.shorts, layout.last};
    const size_t sizes[] = {13 * 8, 1, 66, 64};
    for (int i = 0; i < 4; i++) {
        CHECK((uintptr_t)parts[i] % 64 == 0);
        memset(parts[i], i + 1, sizes[i]);  // overlap or overrun: sanitizers see it
    }
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < sizes[i]; k++) CHECK(((char*)parts[i])[k] == i + 1);
    wf_arena_destroy(&arena, allocator);
    CHECK(arena.base == NULL && arena.used == 0);
}

static void arenas(void) {
    TestMemory memory = {.left = 1};
    WeftAllocator plain = test_allocator(&memory);
    check_arena(&plain);
    CHECK(memory.out == 0);
    char* block = NULL;
    WeftAllocator skewed = {skewed_allocate, skewed_release, &block};
    check_arena(&skewed);
}

static void empty_arena(void) {
    TestMemory memory = {.left = 1};
    WeftAllocator allocator = test_allocator(&memory);
    WfArena arena;
    CHECK(wf_arena_create(&arena, &allocator, 0));
    CHECK(wf_arena_push(&arena, 0, 8) != NULL);
    wf_arena_destroy(&arena, &allocator);
    wf_arena_destroy(&arena, &allocator);  // twice is fine
    CHECK(memory.out == 0);
}

TEST_MAIN(CASE(defaults), CASE(zeroed), CASE(nothing_is_something), CASE(huge_counts_fail),
          CASE(failure), CASE(arenas), CASE(empty_arena))
