// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Springs of a half and their images. A spring along an edge that was cut is two, which meet at the
// plane. One that crosses it elsewhere, from a to b beyond, needs a vertex at which to end: it goes
// on to the image of the vertex that was b's mirror image in the old mesh, and is dropped where
// that had none:
//
//            |                        |
//     a o----+----o b   ->   a o------+-----o image of b'     with its image from a' to b'
//     b' o   |    o a'      b' o      |     o a'

#include "base/memory.h"
#include "mesh/mirror.h"
#include "mesh/symmetry.h"

typedef struct Springs {
    const WfCutHalf* half;
    const int* images;  // in the new mesh
    int* mates;         // per old vertex: its image in the old mesh, or -1
    WeftSpring* springs;
    int count;
} Springs;

static int end_of(const Springs* s, int v) {
    if (s->half->numbers[v] >= 0) return s->half->numbers[v];
    int mate = s->mates[v] >= 0 ? s->half->numbers[s->mates[v]] : -1;
    return mate >= 0 ? s->images[mate] : -1;
}

// With its image.
static void add(Springs* s, int a, int b, WeftSpringKind kind) {
    if (a < 0 || b < 0 || a == b) return;
    s->springs[s->count++] = (WeftSpring){a, b, kind};
    s->springs[s->count++] = (WeftSpring){s->images[a], s->images[b], kind};
}

static void mirror_spring(Springs* s, WeftSpring spring) {
    int a = s->half->numbers[spring.a], b = s->half->numbers[spring.b];
    int cut = wf_cut_vertex(s->half, spring.a, spring.b);
    if (a < 0 && b < 0) return;
    if (cut >= 0)
        add(s, a >= 0 ? a : b, cut, spring.kind);
    else
        add(s, end_of(s, spring.a), end_of(s, spring.b), spring.kind);
}

// The first of those that join the same vertices stays.
static void drop_twins(Springs* s, WfKey* keys, WfKey* spare) {
    for (int i = 0; i < s->count; i++)
        keys[i] = (WfKey){wf_pair_key(s->springs[i].a, s->springs[i].b), i};
    wf_sort_keys(keys, spare, s->count);
    for (int i = 1; i < s->count; i++)
        if (keys[i].key == keys[i - 1].key) s->springs[keys[i].index].a = -1;
    int used = 0;
    for (int i = 0; i < s->count; i++)
        if (s->springs[i].a >= 0) s->springs[used++] = s->springs[i];
    s->count = used;
}

WeftResult wf_mirror_springs(const WeftAllocator* allocator, const WeftMesh* old,
                             const WeftPlane* plane, const WfCutHalf* half, WeftMesh* made) {
    if (!old->springs) return WEFT_OK;
    size_t most = 2 * ((size_t)old->spring_count + (size_t)half->made_count);
    WeftClothDef cloth = {0};
    weft_use_mesh(&cloth, old);
    cloth.images = NULL;
    WfKey* keys = wf_alloc(allocator, most, sizeof *keys);
    WfKey* spare = wf_alloc(allocator, most, sizeof *spare);
    Springs s = {.half = half,
                 .images = made->images,
                 .mates = wf_alloc(allocator, (size_t)old->vertex_count, sizeof(int)),
                 .springs = wf_alloc(allocator, most, sizeof(WeftSpring))};
    WeftSymmetry ignored;
    WeftResult result = keys && spare && s.mates && s.springs ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) result = wf_find_images(allocator, &cloth, plane, 0, s.mates, &ignored);
    if (!result) {
        for (int i = 0; i < old->spring_count; i++) mirror_spring(&s, old->springs[i]);
        for (int i = 0; i < half->made_count; i++)
            add(&s, half->made[i].a, half->made[i].b, half->made[i].kind);
        drop_twins(&s, keys, spare);
    }
    made->springs = s.springs;
    made->spring_count = s.count;
    wf_free(allocator, keys);
    wf_free(allocator, spare);
    wf_free(allocator, s.mates);
    return result;
}
