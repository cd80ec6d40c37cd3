// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Job systems for tests of threads: they call every block, in an order or on threads of their own.
// `user`: an int that counts calls with more than one block, or NULL.

#ifndef WEFT_TEST_RUNNERS_H
#define WEFT_TEST_RUNNERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static inline void count_run(void* user, int block_count) {
    if (user) *(int*)user += block_count > 1;
}

static inline void run_backwards(void* user, int block_count,
                                 void (*block)(void* context, int index), void* context) {
    count_run(user, block_count);
    for (int i = block_count - 1; i >= 0; i--) block(context, i);
}

typedef struct Batch {
    atomic_int next;
    int block_count;
    void (*block)(void* context, int index);
    void* context;
} Batch;

static inline void* work_on_batch(void* data) {
    Batch* batch = (Batch*)data;
    for (int i; (i = atomic_fetch_add(&batch->next, 1)) < batch->block_count;)
        batch->block(batch->context, i);
    return NULL;
}

static inline void run_on_threads(void* user, int block_count,
                                  void (*block)(void* context, int index), void* context) {
    enum { WORKERS = 3 };
    Batch batch = {.block_count = block_count, .block = block, .context = context};
    pthread_t threads[WORKERS];
    int started = 0;
    count_run(user, block_count);
    while (started < WORKERS && !pthread_create(&threads[started], NULL, work_on_batch, &batch))
        started++;
    work_on_batch(&batch);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

#endif
