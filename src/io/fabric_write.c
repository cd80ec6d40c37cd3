// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabric files, written so that they read back to the last bit.

#include "io/output.h"
#include "material/elastic.h"
#include "weft/weft_io.h"

static void add_key(WfOutput* out, const char* key) {
    wf_out(out, ",\n  \"");
    wf_out(out, key);
    wf_out(out, "\": ");
}

static void add_words(WfOutput* out, const char* key, const char* words) {
    if (!words[0]) return;
    add_key(out, key);
    wf_out_quoted(out, words);
}

static void add_table(WfOutput* out, const char* key, const double* rows, int row_count,
                      int count) {
    wf_out(out, ",\n    \"");
    wf_out(out, key);
    wf_out(out, "\": [\n");
    for (int i = 0; i < row_count; i++) {
        wf_out(out, "      ");
        wf_out_list(out, rows + i * count, count);
        wf_out(out, i + 1 < row_count ? ",\n" : "\n    ]");
    }
}

static void add_measured(WfOutput* out, const WeftMeasured* measured) {
    bool stretch = wf_has_measured_stretch(measured), bend = wf_has_measured_bend(measured);
    if (!stretch && !bend) return;
    add_key(out, "measured");
    wf_out(out, "{\n    \"reference_strain\": ");
    wf_out_number(out, measured->reference_strain);
    if (stretch) add_table(out, "stretch", measured->stretch[0], 6, 4);
    if (bend) add_table(out, "bend", measured->bend[0], 3, 5);
    wf_out(out, "\n  }");
}

static void add_compression(WfOutput* out, const WeftFabric* fabric) {
    if (fabric->compression_load > 0) {
        add_key(out, "compression");
        wf_out(out, "{\"load\": ");
        wf_out_number(out, fabric->compression_load);
        wf_out(out, "}");
    } else if (fabric->compression > 0) {
        add_key(out, "compression");
        wf_out_number(out, fabric->compression);
    } else {
        add_words(out, "compression", fabric->compression < 0 ? "none" : "auto");
    }
}

static void add_constants(WfOutput* out, const WeftFabric* fabric) {
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
    wf_out_number(out, fabric->density);
    add_key(out, "stretch");
    wf_out_list(out, stretch, 2);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        add_key(out, numbers[i].key);
        wf_out_number(out, numbers[i].value);
    }
    add_compression(out, fabric);
}

static void add_look(WfOutput* out, const WeftLook* look) {
    char text[2048];
    weft_print_look(look, text, sizeof text);
    add_key(out, "look");
    wf_out(out, text);
}

size_t weft_print_fabric(const WeftFabricFile* fabric, char* text, size_t size) {
    WfOutput out = {text, size, 0};
    wf_out(&out, "{\n  \"weft_fabric\": 1");
    add_words(&out, "name", fabric->name);
    add_words(&out, "description", fabric->description);
    add_words(&out, "source", fabric->source);
    if (fabric->fit_error > 0) {
        add_key(&out, "fit_error");
        wf_out_number(&out, fabric->fit_error);
    }
    add_constants(&out, &fabric->fabric);
    add_measured(&out, &fabric->fabric.measured);
    if (fabric->look.thread > 0) add_look(&out, &fabric->look);
    wf_out(&out, "\n}\n");
    return wf_out_end(&out);
}

WeftResult weft_save_fabric(const char* path, const WeftFabricFile* fabric, WeftError* error) {
    char text[16384];  // the longest: texts of escapes alone, tables of 17 digits
    size_t length = weft_print_fabric(fabric, text, sizeof text);
    return wf_write_file(path, text, length, error);
}
