// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sim/scratch.c: states of one model share what steps need, and nothing else. Crowds take
// little memory, and none once one of them has walked.

#include <pthread.h>

#include "counting.h"
#include "test.h"
#include "weft/weft_io.h"

enum { WALK = 246, CAPES = 4 };  // frames of scenes/cape.json, with two turns

// ---------------------------------------------------------------------------------------------
// A cape of 255 vertices

typedef struct Crowd {
    WeftScene* scene;
    WeftModel* model;
    WeftState* states[CAPES];
    WeftStepDef step;
} Crowd;

static void coarsen(char* text, const char* from, const char* to) {
    char* at = strstr(text, from);
    if (CHECK(at && strlen(from) == strlen(to))) memcpy(at, to, strlen(to));
}

static WeftScene* load_cape(void) {
    char path[512], text[8192];
    WeftScene* scene = NULL;
    WeftError error;
    snprintf(path, sizeof path, "%s/cape.json", WEFT_SCENES);
    FILE* file = fopen(path, "r");
    if (!CHECK(file != NULL)) return NULL;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    coarsen(text, "\"columns\": 24, \"rows\": 36", "\"columns\": 14, \"rows\": 16");
    CHECK(!weft_parse_scene(text, length, "cape", WEFT_SCENES, NULL, NULL, &scene, &error));
    return scene;
}

static void open_crowd(WeftMethod method, const Counting* counting, Crowd* crowd) {
    WeftError error;
    *crowd = (Crowd){.scene = load_cape()};
    WeftModelDef* def = &crowd->scene->model;
    def->step.method = method;
    def->contact = WEFT_CONTACT_ALL;
    if (counting) def->allocator = counting_allocator((Counting*)counting);
    CHECK(!weft_create_model(def, &crowd->model, &error));
    CHECK(weft_vertex_count(crowd->model) == 255);
    for (int i = 0; i < CAPES; i++)
        CHECK(!weft_create_state(crowd->model, &crowd->states[i], &error));
    crowd->step = def->step;
}

static void close_crowd(Crowd* crowd) {
    for (int i = 0; i < CAPES; i++) weft_destroy_state(crowd->states[i]);
    weft_destroy_model(crowd->model);
    weft_destroy_scene(crowd->scene);
}

static void walk(const Crowd* crowd, WeftState* state, WeftMethod method, int frames) {
    WeftStepDef step = crowd->step;
    step.method = method;
    for (int f = 0; f < frames; f++) {
        weft_direct_scene(crowd->scene, state, &step);
        CHECK(!weft_step(state, &step));
    }
}

static const WeftMethod methods[] = {WEFT_METHOD_SMALL_STEPS, WEFT_METHOD_PREFACTORED,
                                     WEFT_METHOD_IMPLICIT, WEFT_METHOD_RELAXATION,
                                     WEFT_METHOD_MATRIX_FREE};
enum { METHOD_COUNT = sizeof methods / sizeof *methods };

// ---------------------------------------------------------------------------------------------
// Memory

static void bytes_of_a_cape(void) {
    Counting counting = {0};
    Crowd crowd;
    open_crowd(WEFT_METHOD_SMALL_STEPS, &counting, &crowd);
    walk(&crowd, crowd.states[0], WEFT_METHOD_SMALL_STEPS, 120);
    size_t before = counting.bytes;
    walk(&crowd, crowd.states[1], WEFT_METHOD_SMALL_STEPS, 120);
    CHECK(counting.bytes == before);
    weft_destroy_state(crowd.states[1]);
    size_t bytes = before - counting.bytes;
    printf("a cape of 255 vertices: %zu bytes\n", bytes);
    CHECK(bytes < 100000);
    CHECK(bytes == weft_state_bytes(crowd.states[0]));
    crowd.states[1] = NULL;
    close_crowd(&crowd);
    CHECK(counting.bytes == 0);
}

// What a state says that it holds is what it gives back.
static void bytes_as_told(void) {
    Counting counting = {0};
    Crowd crowd;
    open_crowd(WEFT_METHOD_PREFACTORED, &counting, &crowd);
    walk(&crowd, crowd.states[0], WEFT_METHOD_PREFACTORED, 60);
    size_t before = counting.bytes, told = weft_state_bytes(crowd.states[0]);
    weft_destroy_state(crowd.states[0]);
    printf("with the prefactored method: %zu bytes\n", before - counting.bytes);
    CHECK(before - counting.bytes == told);
    CHECK(told < 1600000);
    crowd.states[0] = NULL;
    close_crowd(&crowd);
}

// What one has made room for serves all others of its model.
static void a_second_cape_allocates_nothing(void) {
    Counting counting = {0};
    Crowd crowd;
    open_crowd(WEFT_METHOD_SMALL_STEPS, &counting, &crowd);
    walk(&crowd, crowd.states[0], WEFT_METHOD_SMALL_STEPS, WALK);
    long calls = counting.calls;
    for (int i = 1; i < CAPES; i++)
        walk(&crowd, crowd.states[i], WEFT_METHOD_SMALL_STEPS, i == 1 ? WALK : 60);
    CHECK(counting.calls == calls);
    CHECK(weft_hash_state(crowd.states[1]) == weft_hash_state(crowd.states[0]));
    close_crowd(&crowd);
}

// ---------------------------------------------------------------------------------------------
// Nothing passes from one to another

static uint64_t hash_alone(WeftMethod method, int frames) {
    Crowd crowd;
    open_crowd(method, NULL, &crowd);
    walk(&crowd, crowd.states[0], method, frames);
    uint64_t hash = weft_hash_state(crowd.states[0]);
    close_crowd(&crowd);
    return hash;
}

// In turn with others that are elsewhere on their walk, and by another method: the same bits.
static void states_do_not_meet(void) {
    enum { FRAMES = 40, AHEAD = 60 };
    for (int m = 0; m < METHOD_COUNT; m++) {
        Crowd crowd;
        WeftMethod other = methods[(m + 1) % METHOD_COUNT];
        open_crowd(methods[m], NULL, &crowd);
        walk(&crowd, crowd.states[1], methods[m], AHEAD);
        for (int f = 0; f < FRAMES; f++) {
            walk(&crowd, crowd.states[0], methods[m], 1);
            walk(&crowd, crowd.states[1], methods[m], 1);
            walk(&crowd, crowd.states[2], other, 1);
        }
        CHECK(weft_hash_state(crowd.states[0]) == hash_alone(methods[m], FRAMES));
        close_crowd(&crowd);
    }
}

// What went wrong is counted here: CHECK is for one thread.
typedef struct Walker {
    const Crowd* crowd;
    WeftState* state;
    int failures;
} Walker;

static void* walk_beside(void* data) {
    Walker* walker = data;
    WeftStepDef step = walker->crowd->step;
    for (int f = 0; f < 30; f++) {
        weft_direct_scene(walker->crowd->scene, walker->state, &step);
        walker->failures += weft_step(walker->state, &step) != WEFT_OK;
    }
    return NULL;
}

static void states_on_threads(void) {
    for (int m = 0; m < 2; m++) {
        Crowd crowd;
        pthread_t threads[CAPES];
        Walker walkers[CAPES];
        open_crowd(methods[m], NULL, &crowd);
        for (int i = 0; i < CAPES; i++) {
            walkers[i] = (Walker){&crowd, crowd.states[i], 0};
            CHECK(!pthread_create(&threads[i], NULL, walk_beside, &walkers[i]));
        }
        for (int i = 0; i < CAPES; i++) pthread_join(threads[i], NULL);
        uint64_t hash = hash_alone(methods[m], 30);
        for (int i = 0; i < CAPES; i++) {
            CHECK(walkers[i].failures == 0);
            CHECK(weft_hash_state(crowd.states[i]) == hash);
        }
        close_crowd(&crowd);
    }
}

// ---------------------------------------------------------------------------------------------
// Methods in turn

// Small steps, conventional ones and small ones again, by one state and by one that is saved and
// loaded in between, into a state that has never taken a step.
static void methods_in_turn(void) {
    enum { TURNS = 4, FRAMES = 15 };
    for (int first = 0; first < 2; first++) {
        Crowd crowd;
        open_crowd(methods[first], NULL, &crowd);
        for (int turn = 0; turn < TURNS; turn++) {
            WeftState* saved = crowd.states[turn % 2 + 1];
            walk(&crowd, crowd.states[0], methods[(first + turn) % 2], FRAMES);
            walk(&crowd, saved, methods[(first + turn) % 2], FRAMES);
            CHECK(weft_hash_state(saved) == weft_hash_state(crowd.states[0]));
            size_t size = weft_saved_size(saved);
            void* bytes = malloc(size);
            WeftState** next = &crowd.states[2 - turn % 2];
            WeftError error;
            weft_save_state(saved, bytes);
            weft_destroy_state(*next);
            CHECK(!weft_create_state(crowd.model, next, &error));
            CHECK(!weft_load_state(*next, bytes, size, &error));
            free(bytes);
        }
        close_crowd(&crowd);
    }
}

// A first small step on a state that took conventional ones: where memory is lacking, it is as it
// was, and goes on when there is some.
static void no_memory_for_the_other_method(void) {
    enum { BEFORE = 4 };
    uint64_t good = 0;
    long count = 0;
    for (long n = 0; n <= count; n++) {
        Counting counting = {0};
        Crowd crowd;
        WeftStepDef step;
        open_crowd(WEFT_METHOD_PREFACTORED, &counting, &crowd);
        walk(&crowd, crowd.states[0], WEFT_METHOD_PREFACTORED, BEFORE);
        step = crowd.step;
        step.method = WEFT_METHOD_SMALL_STEPS;
        weft_direct_scene(crowd.scene, crowd.states[0], &step);
        uint64_t before = weft_hash_state(crowd.states[0]);
        counting.calls = 0;
        counting.fail_at = n;
        WeftResult result = weft_step(crowd.states[0], &step);
        CHECK(result == (n == 0 ? WEFT_OK : WEFT_ERROR_MEMORY));
        if (n > 0) {
            CHECK(weft_hash_state(crowd.states[0]) == before);
            counting.fail_at = 0;
            CHECK(!weft_step(crowd.states[0], &step));
            CHECK(weft_hash_state(crowd.states[0]) == good);
        } else {
            good = weft_hash_state(crowd.states[0]);
            count = counting.calls;
            CHECK(count > 10);
        }
        close_crowd(&crowd);
        CHECK(counting.live == 0);
    }
}

TEST_MAIN(CASE(bytes_of_a_cape), CASE(bytes_as_told), CASE(a_second_cape_allocates_nothing),
          CASE(states_do_not_meet), CASE(states_on_threads), CASE(methods_in_turn),
          CASE(no_memory_for_the_other_method))
