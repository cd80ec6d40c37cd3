// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "material/fabric.h"

#include "base/error.h"

WeftFabric weft_default_fabric(void) {
    return (WeftFabric){
        .density = 0.187,  // a gray interlock knit, Wang et al. 2011
        .stretch_warp = 2000,
        .stretch_weft = 2000,
        .shear = 500,
        .poisson = 0.3,
        .bend = 1e-5,
        .bend_spring = 4,       // joins vertices some centimetres apart
        .air_drag = 1.2,        // a flat plate across the flow
        .air_friction = 0.04,   // along a rough surface
        .rope_density = 0.025,  // cotton, 6 mm thick
        .rope_stretch = 2000,
        .rope_bend = 2e-5,
        .thickness = 1e-3,
        .friction = 0.3,
    };
}

void weft_set_isotropic(WeftFabric* fabric, double young, double poisson) {
    fabric->stretch_warp = fabric->stretch_weft = young;
    fabric->poisson = poisson;
    fabric->shear = young / (2 * (1 + poisson));
}

WeftResult wf_check_fabric(const WeftFabric* fabric, WeftError* error) {
    const struct {
        const char* name;
        double value, low, high;  // low is allowed where it is 0
    } fields[] = {
        {"density", fabric->density, 1e-6, 1e3},
        {"stretch_warp", fabric->stretch_warp, 1e-6, 1e9},
        {"stretch_weft", fabric->stretch_weft, 1e-6, 1e9},
        {"shear", fabric->shear, 0, 1e9},
        {"poisson", fabric->poisson, 0, 0.99},
        {"bend", fabric->bend, 0, 1e6},
        {"bend_spring", fabric->bend_spring, 0, 1e9},
        {"compression", fabric->compression, 0, 1},
        {"mass_damping", fabric->mass_damping, 0, 1e6},
        {"stretch_damping", fabric->stretch_damping, 0, 1e3},
        {"bend_damping", fabric->bend_damping, 0, 1e3},
        {"air_drag", fabric->air_drag, 0, 1e3},
        {"air_friction", fabric->air_friction, 0, 1e3},
        {"rope_density", fabric->rope_density, 1e-6, 1e3},
        {"rope_stretch", fabric->rope_stretch, 1e-6, 1e9},
        {"rope_bend", fabric->rope_bend, 0, 1e6},
        {"thickness", fabric->thickness, 1e-5, 0.1},
        {"friction", fabric->friction, 0, 100},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!(fields[i].value >= fields[i].low && fields[i].value <= fields[i].high))
            return wf_fail(error, WEFT_ERROR_INPUT, "the fabric's %s is %g; it must be %g to %g",
                           fields[i].name, fields[i].value, fields[i].low, fields[i].high);
    return WEFT_OK;
}

WeftResult wf_check_scales(const WeftClothDef* cloth, WeftError* error) {
    const struct {
        const char* name;
        const double* factors;
    } scales[] = {
        {"stretch_scale", cloth->stretch_scale},
        {"bend_scale", cloth->bend_scale},
        {"density_scale", cloth->density_scale},
    };
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
        for (int i = 0; scales[s].factors && i < cloth->vertex_count; i++)
            if (!(scales[s].factors[i] >= 1e-6 && scales[s].factors[i] <= 1e6))
                return wf_fail(error, WEFT_ERROR_INPUT, "%s[%d] is %g; it must be 1e-6 to 1e6",
                               scales[s].name, i, scales[s].factors[i]);
    return WEFT_OK;
}
