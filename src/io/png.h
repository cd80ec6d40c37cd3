// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small pictures as PNG, without compression: for textures inside of other files.

#ifndef WF_IO_PNG_H
#define WF_IO_PNG_H

#include <stddef.h>
#include <stdint.h>

// Bytes of a picture of 3 bytes per pixel; a row has less than 65535 of them.
size_t wf_png_size(int width, int height);
// rgb: row by row from the top. `png` has room for that many bytes.
void wf_make_png(int width, int height, const unsigned char* rgb, unsigned char* png);

#endif
