// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A 64-bit fingerprint of bytes (FNV-1a over 8-byte words): order matters, every bit counts.

#ifndef WF_BASE_HASH_H
#define WF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WF_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t wf_hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

static inline uint64_t wf_hash(uint64_t hash, const void* bytes, size_t count) {
    const unsigned char* p = bytes;
    uint64_t word;
    for (; count >= 8; count -= 8, p += 8) {
        memcpy(&word, p, 8);
        hash = wf_hash_word(hash, word);
    }
    word = 0;
    memcpy(&word, p, count);
    return count ? wf_hash_word(hash, word) : hash;
}

#endif
