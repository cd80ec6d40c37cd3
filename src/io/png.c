// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PNG is a signature and chunks (length, kind, data, checksum). The data of the picture are a zlib
// stream: 2 bytes of header, blocks, a checksum. Blocks may be stored as they are, and each row
// here is one: a byte that says how the row is filtered (0: not at all), and its pixels.

#include "io/png.h"

#include <string.h>

enum {
    SIGNATURE = 8,
    CHUNK = 12,      // length, kind and checksum
    HEADER = 13,     // data of IHDR
    STREAM = 2 + 4,  // header and checksum of zlib
    BLOCK = 5 + 1    // header of a block, and the filter of its row
};

static size_t stream_size(int width, int height) {
    return STREAM + (size_t)height * (BLOCK + 3 * (size_t)width);
}

size_t wf_png_size(int width, int height) {
    return SIGNATURE + CHUNK + HEADER + CHUNK + stream_size(width, height) + CHUNK;
}

static unsigned char* put_word(unsigned char* to, uint32_t word) {
    for (int k = 0; k < 4; k++) to[k] = (unsigned char)(word >> (24 - 8 * k));
    return to + 4;
}

// the polynomial of zip, bit by bit
static uint32_t checksum(const unsigned char* bytes, size_t count) {
    uint32_t sum = 0xffffffff;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int k = 0; k < 8; k++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
    return ~sum;
}

// Length and kind; the data follow.
static unsigned char* begin_chunk(unsigned char* to, const char* kind, size_t size) {
    to = put_word(to, (uint32_t)size);
    memcpy(to, kind, 4);
    return to + 4;
}

static unsigned char* end_chunk(unsigned char* data, size_t size) {
    return put_word(data + size, checksum(data - 4, size + 4));
}

static unsigned char* put_row(unsigned char* to, const unsigned char* row, size_t size, int last) {
    unsigned length = (unsigned)size + 1;
    const unsigned char head[BLOCK] = {(unsigned char)last, (unsigned char)length,
                                       (unsigned char)(length >> 8), (unsigned char)~length,
                                       (unsigned char)(~length >> 8)};
    memcpy(to, head, BLOCK);
    memcpy(to + BLOCK, row, size);
    return to + BLOCK + size;
}

static void put_stream(int width, int height, const unsigned char* rgb, unsigned char* to) {
    size_t size = 3 * (size_t)width;
    uint32_t a = 1, b = 0;
    *to++ = 0x78, *to++ = 0x01;
    for (int y = 0; y < height; y++) {
        const unsigned char* row = rgb + (size_t)y * size;
        to = put_row(to, row, size, y + 1 == height);
        b = (b + a) % 65521;  // the filter's 0
        for (size_t i = 0; i < size; i++) a = (a + row[i]) % 65521, b = (b + a) % 65521;
    }
    put_word(to, b << 16 | a);
}

void wf_make_png(int width, int height, const unsigned char* rgb, unsigned char* png) {
    static const unsigned char signature[SIGNATURE] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    size_t size = stream_size(width, height);
    memcpy(png, signature, SIGNATURE);
    unsigned char* data = begin_chunk(png + SIGNATURE, "IHDR", HEADER);
    unsigned char* rest = put_word(put_word(data, (uint32_t)width), (uint32_t)height);
    const unsigned char format[5] = {8, 2, 0, 0, 0};  // bits, colours, and the only ways there are
    memcpy(rest, format, sizeof format);
    data = begin_chunk(end_chunk(data, HEADER), "IDAT", size);
    put_stream(width, height, rgb, data);
    data = begin_chunk(end_chunk(data, size), "IEND", 0);
    end_chunk(data, 0);
}
