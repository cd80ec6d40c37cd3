// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How fabrics look. Distances of threads are those of common cloth of that kind; colours are chosen
// as they are sold, and all else so that a renderer shows what the hand knows: satin has one long
// highlight across the warp, wool a soft edge of light, chiffon lets one see through.

#include <string.h>

#include "weft/weft_render.h"

// Dusty blue, terracotta, sage, ochre, plum, linen, teal, charcoal.
static const uint32_t colours[] = {0x658bb3, 0xb36950, 0x869e7c, 0xc49e50,
                                   0x86557c, 0xcbbda6, 0x3f8b8b, 0x45484d};
enum { COLOUR_COUNT = sizeof colours / sizeof *colours };

static const char* const weaves[] = {"plain", "twill", "satin", "knit", "pile", "ripstop"};
static const char* const prints[] = {"none", "stripes", "checks", "picture"};

static const WeftPrint no_print = {WEFT_PRINT_NONE, 0xffffff, 0.02, ""};

// Without prints.
typedef struct NamedLook {
    const char* name;
    WeftLook look;
} NamedLook;

static const NamedLook looks[] = {
    {"cotton_voile",
     {.colour = 0xb7d2e8,
      .reverse = 0xb7d2e8,
      .weave = WEFT_WEAVE_PLAIN,
      .thread = 0.00032,
      .relief = 0.35,
      .roughness = 0.8,
      .specular = 0.3,
      .sheen = 0.2,
      .sheen_colour = 0xe6f0f8,
      .sheen_roughness = 0.5,
      .opacity = 0.75,
      .translucency = 0.5}},
    {"cotton_poplin",
     {.colour = 0xeceff2,
      .reverse = 0xeceff2,
      .weave = WEFT_WEAVE_PLAIN,
      .thread = 0.00022,
      .relief = 0.35,
      .roughness = 0.75,
      .specular = 0.35,
      .sheen = 0.15,
      .sheen_colour = 0xffffff,
      .sheen_roughness = 0.5,
      .opacity = 1,
      .translucency = 0.25}},
    {"cotton_jersey",
     {.colour = 0xe0705a,
      .reverse = 0xd66a55,
      .weave = WEFT_WEAVE_KNIT,
      .thread = 0.0007,
      .relief = 0.55,
      .roughness = 0.9,
      .specular = 0.2,
      .sheen = 0.35,
      .sheen_colour = 0xf0b5a6,
      .sheen_roughness = 0.5,
      .opacity = 1,
      .translucency = 0.15}},
    {"linen",
     {.colour = 0xcdbb98,
      .reverse = 0xcdbb98,
      .weave = WEFT_WEAVE_PLAIN,
      .thread = 0.00065,
      .relief = 0.75,
      .roughness = 0.85,
      .specular = 0.3,
      .sheen = 0.2,
      .sheen_colour = 0xe9deca,
      .sheen_roughness = 0.45,
      .opacity = 0.97,
      .translucency = 0.25}},
    {"denim",
     {.colour = 0x2f456e,
      .reverse = 0x8495ad,
      .weave = WEFT_WEAVE_TWILL,
      .thread = 0.00045,
      .relief = 0.8,
      .roughness = 0.85,
      .specular = 0.25,
      .sheen = 0.25,
      .sheen_colour = 0x8fa3c4,
      .sheen_roughness = 0.45,
      .opacity = 1,
      .translucency = 0.02}},
    {"canvas",
     {.colour = 0xd8c9a6,
      .reverse = 0xd8c9a6,
      .weave = WEFT_WEAVE_PLAIN,
      .thread = 0.0009,
      .relief = 0.9,
      .roughness = 0.95,
      .specular = 0.2,
      .sheen = 0.1,
      .sheen_colour = 0xeee4cf,
      .sheen_roughness = 0.6,
      .opacity = 1,
      .translucency = 0.05}},
    {"silk_chiffon",
     {.colour = 0xf0c3bd,
      .reverse = 0xf0c3bd,
      .weave = WEFT_WEAVE_PLAIN,
      .thread = 0.0003,
      .relief = 0.3,
      .roughness = 0.65,
      .specular = 0.4,
      .sheen = 0.3,
      .sheen_colour = 0xfde9e4,
      .sheen_roughness = 0.35,
      .opacity = 0.45,
      .translucency = 0.6}},
    {"silk_charmeuse",
     {.colour = 0x0f4a3c,
      .reverse = 0x2a5d4f,
      .weave = WEFT_WEAVE_SATIN,
      .thread = 0.0001,
      .relief = 0.15,
      .roughness = 0.34,
      .specular = 0.9,
      .sheen = 0.3,
      .sheen_colour = 0x7fc2ab,
      .sheen_roughness = 0.3,
      .anisotropy = 0.4,
      .opacity = 1,
      .translucency = 0.12}},
    {"polyester_satin",
     {.colour = 0x7d1a35,
      .reverse = 0x742a3f,
      .weave = WEFT_WEAVE_SATIN,
      .thread = 0.00012,
      .relief = 0.12,
      .roughness = 0.32,
      .specular = 1,
      .sheen = 0.25,
      .sheen_colour = 0xe0a3b0,
      .sheen_roughness = 0.3,
      .anisotropy = 0.42,
      .opacity = 1,
      .translucency = 0.1}},
    {"fleece",
     {.colour = 0xefe6d2,
      .reverse = 0xeae0cb,
      .weave = WEFT_WEAVE_PILE,
      .thread = 0.0016,
      .relief = 1,
      .roughness = 1,
      .specular = 0.05,
      .sheen = 0.8,
      .sheen_colour = 0xfffaf0,
      .sheen_roughness = 0.7,
      .opacity = 1,
      .translucency = 0.08}},
    {"wool_tropical",
     {.colour = 0xb18a5b,
      .reverse = 0xb18a5b,
      .weave = WEFT_WEAVE_TWILL,
      .thread = 0.0004,
      .relief = 0.55,
      .roughness = 0.85,
      .specular = 0.2,
      .sheen = 0.5,
      .sheen_colour = 0xe0c49e,
      .sheen_roughness = 0.5,
      .opacity = 1,
      .translucency = 0.06}},
    {"wool_suiting",
     {.colour = 0x45484d,
      .reverse = 0x45484d,
      .weave = WEFT_WEAVE_TWILL,
      .thread = 0.00055,
      .relief = 0.65,
      .roughness = 0.9,
      .specular = 0.15,
      .sheen = 0.6,
      .sheen_colour = 0x9a9ea6,
      .sheen_roughness = 0.55,
      .opacity = 1,
      .translucency = 0.02}},
    {"nylon_ripstop",
     {.colour = 0xee6a1f,
      .reverse = 0xe0631c,
      .weave = WEFT_WEAVE_RIPSTOP,
      .thread = 0.00018,
      .relief = 0.5,
      .roughness = 0.42,
      .specular = 0.7,
      .sheen = 0.05,
      .sheen_colour = 0xffffff,
      .sheen_roughness = 0.4,
      .opacity = 0.96,
      .translucency = 0.45}},
};
enum { LOOK_COUNT = sizeof looks / sizeof *looks };

WeftLook weft_default_look(int number) {
    uint32_t colour = colours[number < 0 ? 0 : number % COLOUR_COUNT];
    return (WeftLook){
        .colour = colour,
        .reverse = colour,
        .weave = WEFT_WEAVE_PLAIN,
        .thread = 0.0005,
        .relief = 0.5,
        .roughness = 0.85,
        .specular = 0.25,
        .sheen = 0.3,
        .sheen_colour = 0xf2f2f2,
        .sheen_roughness = 0.45,
        .opacity = 1,
        .translucency = 0.15,
        .print = no_print,
    };
}

bool weft_preset_look(const char* name, WeftLook* look) {
    for (int i = 0; i < LOOK_COUNT; i++)
        if (strcmp(looks[i].name, name) == 0) {
            *look = looks[i].look;
            look->print = no_print;
            return true;
        }
    return false;
}

const char* weft_weave_name(int weave) {
    int count = (int)(sizeof weaves / sizeof *weaves);
    return weave >= 0 && weave < count ? weaves[weave] : NULL;
}

const char* weft_print_name(int kind) {
    int count = (int)(sizeof prints / sizeof *prints);
    return kind >= 0 && kind < count ? prints[kind] : NULL;
}
