// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/hash.h: every bit and the order count, and the numbers are the same for ever, for
// golden hashes are made of them.

#include "base/hash.h"

#include "sparse_test.h"

// FNV-1a over words, with its high half folded in; worked out by hand from the definition.
static uint64_t by_definition(const unsigned char* bytes, size_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < count; k++) word |= (uint64_t)bytes[i + k] << (8 * k);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

// Bytes as a little-endian machine reads them; all that the build knows are.
static void follows_the_definition(void) {
    const uint16_t one = 1;
    if (!*(const unsigned char*)&one) return;
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)random_below(256);
    for (size_t n = 0; n <= 64; n++)
        CHECK(wf_hash(WF_HASH_START, bytes, n) == by_definition(bytes, n));
}

static void golden(void) {
    static const double numbers[4] = {0, 1, -2.5, 1e300};
    CHECK(wf_hash(WF_HASH_START, "", 0) == WF_HASH_START);
    CHECK(wf_hash(WF_HASH_START, "weft", 4) == by_definition((const unsigned char*)"weft", 4));
    CHECK(wf_hash(WF_HASH_START, numbers, sizeof numbers) == UINT64_C(0x5ca277e834a29fd2));
}

static void every_bit_counts(void) {
    double numbers[5] = {1, 2, 3, 4, 5};
    unsigned char bytes[sizeof numbers + 3] = {0};
    memcpy(bytes, numbers, sizeof numbers);
    uint64_t seen[8 * sizeof bytes + 1];
    int count = 0;
    seen[count++] = wf_hash(WF_HASH_START, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (unsigned char)(1 << bit);
            seen[count++] = wf_hash(WF_HASH_START, bytes, sizeof bytes);
            bytes[i] ^= (unsigned char)(1 << bit);
        }
    int equal = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) equal += seen[i] == seen[j];
    CHECK(equal == 0);
}

static void order_counts(void) {
    uint64_t a = wf_hash_word(wf_hash_word(WF_HASH_START, 1), 2);
    uint64_t b = wf_hash_word(wf_hash_word(WF_HASH_START, 2), 1);
    CHECK(a != b);
}

// Zeros are not nothing: neither one more number, nor a sign.
static void zeros_count(void) {
    static const double zeros[4] = {0, 0, 0, 0}, minus = -0.0;
    uint64_t last = WF_HASH_START;
    for (size_t n = 1; n <= 4; n++) {
        uint64_t hash = wf_hash(WF_HASH_START, zeros, n * 8);
        CHECK(hash != last);
        last = hash;
    }
    CHECK(wf_hash(WF_HASH_START, zeros, 8) != wf_hash(WF_HASH_START, &minus, 8));
}

// In pieces of whole words, the same as at once.
static void goes_on(void) {
    double numbers[6] = {1, 2, 3, 4, 5, 6};
    uint64_t whole = wf_hash(WF_HASH_START, numbers, sizeof numbers);
    uint64_t pieces = wf_hash(wf_hash(WF_HASH_START, numbers, 16), numbers + 2, 32);
    CHECK(whole == pieces);
}

// A few numbers at random, as states are made of, spread over all bits.
static void spreads(void) {
    int ones[64] = {0};
    for (int i = 0; i < 4096; i++) {
        double x[9];
        for (int k = 0; k < 9; k++) x[k] = random_unit();
        uint64_t hash = wf_hash(WF_HASH_START, x, sizeof x);
        for (int b = 0; b < 64; b++) ones[b] += (int)(hash >> b & 1);
    }
    for (int b = 0; b < 64; b++) CHECK_NEAR(ones[b], 2048, 320);  // five sigma are 160
}

TEST_MAIN(CASE(follows_the_definition), CASE(golden), CASE(every_bit_counts), CASE(order_counts),
          CASE(zeros_count), CASE(goes_on), CASE(spreads))
