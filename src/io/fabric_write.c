// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabric files, written so that they read back to the last bit.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/number.h"
#include "material/elastic.h"
#include "weft/weft_io.h"

// As much of a text as there is room for, and the length of all of it.
typedef struct Output {
    char* text;
    size_t size, length;
} Output;

static void add_character(Output* out, char c) {
    if (out->length + 1 < out->size) out->text[out->length] = c;
    out->length++;
}

static void add(Output* out, const char* words) {
    for (; *words; words++) add_character(out, *words);
}

static void add_number(Output* out, double value) {
    char text[WF_NUMBER_TEXT];
    add(out, wf_print_double(text, value));
}

static void add_quoted(Output* out, const char* words) {
    add_character(out, '"');
    for (; *words; words++) {
        char escape[8];
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*words);
        if (*words == '"' || *words == '\\') add_character(out, '\\');
        if ((unsigned char)*words < 0x20)
            add(out, escape);
        else
            add_character(out, *words);
    }
    add_character(out, '"');
}

static void add_key(Output* out, const char* key) {
    add(out, ",\n  \"");
    add(out, key);
    add(out, "\": ");
}

static void add_words(Output* out, const char* key, const char* words) {
    if (!words[0]) return;
    add_key(out, key);
    add_quoted(out, words);
}

static void add_list(Output* out, const double* numbers, int count) {
    add(out, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) add(out, ", ");
        add_number(out, numbers[i]);
    }
    add(out, "]");
}

static void add_table(Output* out, const char* key, const double* rows, int row_count, int count) {
    add(out, ",\n    \"");
    add(out, key);
    add(out, "\": [\n");
    for (int i = 0; i < row_count; i++) {
        add(out, "      ");
        add_list(out, rows + i * count, count);
        add(out, i + 1 < row_count ? ",\n" : "\n    ]");
    }
}

static void add_measured(Output* out, const WeftMeasured* measured) {
    bool stretch = wf_has_measured_stretch(measured), bend = wf_has_measured_bend(measured);
    if (!stretch && !bend) return;
    add_key(out, "measured");
    add(out, "{\n    \"reference_strain\": ");
    add_number(out, measured->reference_strain);
    if (stretch) add_table(out, "stretch", measured->stretch[0], 6, 4);
    if (bend) add_table(out, "bend", measured->bend[0], 3, 5);
    add(out, "\n  }");
}

static void add_compression(Output* out, const WeftFabric* fabric) {
    if (fabric->compression_load > 0) {
        add_key(out, "compression");
        add(out, "{\"load\": ");
        add_number(out, fabric->compression_load);
        add(out, "}");
    } else if (fabric->compression > 0) {
        add_key(out, "compression");
        add_number(out, fabric->compression);
    } else {
        add_words(out, "compression", fabric->compression < 0 ? "none" : "auto");
    }
}

static void add_constants(Output* out, const WeftFabric* fabric) {
    const double stretch[2] = {fabric->stretch_warp, fabric->stretch_weft};
    const struct {
        const char* key;
        double value;
    } numbers[] = {
        {"shear", fabric->shear},
        {"poisson", fabric->poisson},
        {"bend", fabric->bend},
        {"bend_spring", fabric->bend_spring},
        {"mass_damping", fabric->mass_damping},
        {"stretch_damping", fabric->stretch_damping},
        {"bend_damping", fabric->bend_damping},
        {"air_drag", fabric->air_drag},
        {"air_friction", fabric->air_friction},
        {"rope_density", fabric->rope_density},
        {"rope_stretch", fabric->rope_stretch},
        {"rope_bend", fabric->rope_bend},
        {"thickness", fabric->thickness},
        {"friction", fabric->friction},
    };
    add_key(out, "density");
    add_number(out, fabric->density);
    add_key(out, "stretch");
    add_list(out, stretch, 2);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        add_key(out, numbers[i].key);
        add_number(out, numbers[i].value);
    }
    add_compression(out, fabric);
}

size_t weft_print_fabric(const WeftFabricFile* fabric, char* text, size_t size) {
    Output out = {text, size, 0};
    add(&out, "{\n  \"weft_fabric\": 1");
    add_words(&out, "name", fabric->name);
    add_words(&out, "description", fabric->description);
    add_words(&out, "source", fabric->source);
    if (fabric->fit_error > 0) {
        add_key(&out, "fit_error");
        add_number(&out, fabric->fit_error);
    }
    add_constants(&out, &fabric->fabric);
    add_measured(&out, &fabric->fabric.measured);
    add(&out, "\n}\n");
    if (size > 0) text[out.length < size ? out.length : size - 1] = 0;
    return out.length;
}

WeftResult weft_save_fabric(const char* path, const WeftFabricFile* fabric, WeftError* error) {
    char text[16384];  // the longest: texts of escapes alone, tables of 17 digits
    size_t length = weft_print_fabric(fabric, text, sizeof text);
    FILE* file = fopen(path, "wb");
    if (!file) return wf_fail(error, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
    bool written = fwrite(text, 1, length, file) == length;
    if (fclose(file) != 0) written = false;
    if (written) return WEFT_OK;
    remove(path);
    return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be written", path);
}
