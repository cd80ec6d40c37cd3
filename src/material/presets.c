// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Common fabrics. Each says where its numbers come from: what is measured, what is taken from a
// range, and what is chosen because no source that we trust has it. docs/fabric.md has them as a
// table.
//
// Instruments have units of their own. Of the Kawabata system, with 1 gf = 9.80665e-3 N:
//
//     bending  B, gf cm^2/cm        9.80665e-3 N 1e-4 m^2/1e-2 m         = 9.80665e-5 N m
//     shear    G, gf/(cm degree)    9.80665e-3 N/1e-2 m  180/pi          = 56.188 N/m per radian
//     stretch  EM, % at 500 gf/cm, of a curve with linearity LT
//
// Stretch curves are bent: threads straighten before they stretch. The constants here are the force
// over the strain at 100 gf/cm (98.07 N/m), more than cloth meets in wear. A curve F ~ e^p has the
// linearity 2/(p + 1), so the strain there is EM 0.2^(LT/(2 - LT)). Of the FAST instrument that
// strain is what it tells, E100.

#include "material/presets.h"

#include <string.h>

#define KES_BEND(gf_cm2_per_cm) ((gf_cm2_per_cm)*9.80665e-5)
#define KES_SHEAR(gf_per_cm_degree) ((gf_per_cm_degree)*56.188)
#define AT_100(percent) (9806.65 / (percent))  // N/m, of the strain at 100 gf/cm

// "As quoted" is said where the figures come from what others write of a document.
#define KAWABATA                                                                              \
    "The Standardization and Analysis of Hand Evaluation, S. Kawabata, second edition, 1980 " \
    "(as quoted)"
#define FENG                                                                                       \
    "Learning-Based Bending Stiffness Parameter Estimation by a Drape Tester, X. Feng, W. Huang, " \
    "W. Xu and H. Wang, 2022, whose data have 251 different fabrics"
#define SIROFAST                                                                                  \
    "SiroFAST - A System for Fabric Objective Measurement and its Application in Fabric and "     \
    "Garment Manufacture, A. De Boos and D. Tester, 1994, whose chart for suitings allows 30 to " \
    "80 N/m of shear, and strains at 100 gf/cm of 2 to 4 % in the warp and 2 to 6 % in the weft " \
    "(as quoted)"

// What no source tells: damping enough to come to rest, bend springs in the proportion of the
// default fabric, and the rest as in the default fabric.
#define FABRIC(density_, warp, weft, shear_, bend_, thickness_)                             \
    {                                                                                       \
        .density = density_, .stretch_warp = warp, .stretch_weft = weft, .shear = shear_,   \
        .poisson = 0.3, .bend = bend_, .bend_spring = (bend_)*4e5, .stretch_damping = 1e-3, \
        .bend_damping = 1e-2, .air_drag = 1.2, .air_friction = 0.04, .rope_density = 0.025, \
        .rope_stretch = 2000, .rope_bend = 2e-5, .thickness = thickness_, .friction = 0.3,  \
    }

static const WeftFabricPreset presets[] = {
    {
        "cotton_voile",
        "thin, crisp plain weave, for blouses and curtains",
        "bend: the median of 25 fabrics within 25 % of this density, of which four in five have "
        "1.6e-6 to "
        "8.9e-6 N m: " FENG ". Density, stretch, shear and thickness are chosen",
        FABRIC(0.065, 3300, 2500, 30, 3.1e-6, 2e-4),
    },
    {
        "cotton_poplin",
        "firm plain weave, for shirts",
        "bend: the upper quartile of 48 fabrics within 25 % of this density, of which four in five "
        "have "
        "2.1e-6 to 1.2e-5 N m: " FENG ". Stretch and shear: the firm ends of " SIROFAST
        ". Density and thickness are chosen",
        FABRIC(0.115, AT_100(2), AT_100(4), 80, 9.9e-6, 3e-4),
    },
    {
        "cotton_jersey",
        "single knit, for T-shirts; u runs along the wales",
        "bend: the lower quartile of 56 fabrics within 25 % of this density, of which four in five "
        "have "
        "3.0e-6 to 2.9e-5 N m: " FENG ". Density, shear and thickness are chosen, and so is "
        "stretch: 15 and 30 % at 50 gf/cm, the load at which the Kawabata system tests knits",
        FABRIC(0.15, 327, 163, 30, 4.8e-6, 6e-4),
    },
    {
        "linen",
        "crisp plain weave, for suits and dresses",
        "bend: the upper quartile of 64 fabrics within 25 % of this density, of which four in five "
        "have "
        "3.4e-6 to 3.9e-5 N m: " FENG ". Stretch and shear: the firm ends of " SIROFAST
        ". Density and thickness are chosen",
        FABRIC(0.19, AT_100(2), AT_100(2), 80, 2.7e-5, 4e-4),
    },
    {
        "denim",
        "light twill of 10 oz/yd^2, for jeans",
        "stretch, shear, bend and thickness: the mean of six denims (EM 5.21 %, LT 0.70, G 1.96, "
        "B 0.174) in Regenerated Cellulose-Based Denim Fabric for Tropical Regions: An Analytical "
        "Study on Making Denim Comfortable, Journal of Textiles, 2016, table 5; warp and weft are "
        "one mean there. Density is that of its trade name",
        FABRIC(0.339, AT_100(2.19), AT_100(2.19), KES_SHEAR(1.961), KES_BEND(0.1742), 9.9e-4),
    },
    {
        "canvas",
        "stiff cotton duck, number 10, for tents and bags",
        "bend: the upper quartile of 30 fabrics within 25 % of this density, of which four in five "
        "have "
        "2.0e-5 to 8.0e-5 N m: " FENG ". Density is that of its trade name, 14.7 oz/yd^2; stretch, "
        "shear and thickness are chosen",
        FABRIC(0.5, 10000, 7000, 150, 6.5e-5, 9e-4),
    },
    {
        "silk_chiffon",
        "sheer plain weave of twisted yarns, for scarves and layers of dresses",
        "bend: the median of 9 fabrics within 25 % of this density, of which four in five have "
        "8.2e-7 to "
        "3.1e-6 N m: " FENG ". Density, stretch, shear and thickness are chosen",
        FABRIC(0.03, 1600, 1200, 12, 1.1e-6, 2e-4),
    },
    {
        "silk_charmeuse",
        "supple satin of 19 momme, for blouses and gowns",
        "bend: the lower quartile of 32 fabrics within 25 % of this density, of which four in five "
        "have "
        "1.4e-6 to 1.1e-5 N m: " FENG ". Density is that of its trade name; stretch, shear and "
        "thickness are chosen",
        FABRIC(0.0824, 3300, 2000, 15, 2.3e-6, 2e-4),
    },
    {
        "polyester_satin",
        "satin of filament yarns, for linings and gowns",
        "bend: the median of 54 fabrics within 25 % of this density, of which four in five have "
        "2.4e-6 to "
        "1.5e-5 N m: " FENG ". Shear: the soft end of " SIROFAST
        ". Density, stretch and thickness are chosen",
        FABRIC(0.12, 4900, 3300, 30, 6.8e-6, 2.5e-4),
    },
    {
        "fleece",
        "knit with a thick nap, for jackets and blankets; u runs along the wales",
        "bend: the median of 77 fabrics within 25 % of this density, of which four in five have "
        "5.6e-6 to "
        "4.8e-5 N m: " FENG ". Density, shear and thickness are chosen, and so is stretch: 10 and "
        "20 % at 50 gf/cm, the load at which the Kawabata system tests knits",
        FABRIC(0.25, 490, 245, 60, 2.0e-5, 2.5e-3),
    },
    {
        "wool_tropical",
        "light worsted suiting, for summer suits",
        "all but damping: the mean of men's summer suitings (W 18.9 mg/cm^2, T 0.496 mm, B 0.0981, "
        "G 0.939, WT 7.44, LT 0.632, hence EM 4.71 %) in " KAWABATA
        "; warp and weft are one mean there",
        FABRIC(0.189, AT_100(2.24), AT_100(2.24), KES_SHEAR(0.939), KES_BEND(0.0981), 5e-4),
    },
    {
        "wool_suiting",
        "worsted suiting, for winter suits",
        "all but damping: the mean of men's winter suitings (W 26.4 mg/cm^2, T 0.746 mm, B 0.136, "
        "G 0.968, WT 9.16, LT 0.608, hence EM 6.03 %) in " KAWABATA
        "; warp and weft are one mean there",
        FABRIC(0.264, AT_100(2.98), AT_100(2.98), KES_SHEAR(0.968), KES_BEND(0.136), 7.5e-4),
    },
    {
        "nylon_ripstop",
        "light, tight filament weave of 1.1 oz/yd^2, for kites, parachutes and shells",
        "density: the standard MIL-C-7020H, Cloth, Parachute, Nylon - Rip Stop and Twill Weave, "
        "1992, "
        "type I. Stretch: its least strength, 42 lb/in, over its least elongation, 20 % (as "
        "quoted). bend: in the range of 6 fabrics within 25 % of this density, 6e-7 "
        "to 5e-6 N m: " FENG ". Shear and thickness are chosen",
        FABRIC(0.037, 36800, 36800, 100, 3e-6, 1e-4),
    },
};
enum { PRESET_COUNT = sizeof presets / sizeof presets[0] };

const WeftFabricPreset* weft_fabric_preset(int index) {
    return index >= 0 && index < PRESET_COUNT ? &presets[index] : NULL;
}

const WeftFabricPreset* wf_find_preset(const char* name) {
    for (int i = 0; i < PRESET_COUNT; i++)
        if (strcmp(presets[i].name, name) == 0) return &presets[i];
    return NULL;
}
