// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "material/fabric.h"

#include <math.h>

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
        {"compression", fabric->compression == WEFT_UNYIELDING ? 0 : fabric->compression, 0, 1},
        {"compression_load", fabric->compression_load, 0, 1e9},
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

// ---------------------------------------------------------------------------------------------

// The load that pressed cloth carries. A sheet under the load P, with the bending stiffness B and
// the density rho, has waves that grow as exp(sigma t), the fastest with sigma = P/(2 sqrt(B rho)).
// What grows within a step an implicit step holds instead: cloth stands like sheet metal, and
// longer the finer its mesh. So it gives way where sigma is GROWTH, in a frame of 1/60 s not quite
// one half, whatever the mesh. Euler's load of a strip as long as an edge, 4 pi^2 B/L^2, is 50
// times as much at 10 mm, and leaves the error as it was. Nor does it go by the step: shorter ones
// would allow more, but are as close with this, and all steps come to the same rest. Ropes, which
// bend less easily than what they are made of, give way only where they are told to.
//
// Light cloth is slower, since its folds have to push the air aside; with less than some hundredths
// of N/m it would slide down within itself. With twice as much a skirt stands for a second before
// it folds. Distance in mm from the motion of upright sheets (1 m, triangles, 32 / 64 / 100 cells
// at quality 4):
//
//     P, N/m      0.03         0.05         0.08         0.12         0.2      2 GROWTH sqrt(B rho)
//     chiffon  161/166/161  118/110/102  109/105/102  123/118/115  140/130/127     0.008
//     poplin   110/112/112   97/ 99/ 98   97/100/ 99   96/ 90/ 91   87/ 84/ 80     0.049
//     default   96/ 97/ 95   95/ 96/ 95  100/105/103  105/107/102  111/108/107     0.063
//     canvas   101/ 91/ 97  100/ 97/ 97   98/ 95/ 94   93/ 98/101   90/101/ 99     0.26
static const double GROWTH = 23;         // 1/s
static const double LEAST_LOAD = 0.065;  // N/m
// Whatever is asked for: from less, cloth that opens (sim/opening.c) would take for ever.
static const double LEAST_GIVEN_LOAD = 1e-4;  // N/m

bool wf_ropes_give(const WeftFabric* fabric) {
    return fabric->compression > 0 || fabric->compression_load > 0;
}

double wf_give_strain(const WeftFabric* fabric, bool rope) {
    double stretch = fmax(fabric->stretch_warp, fabric->stretch_weft);
    double pull = rope ? fabric->rope_stretch : stretch;
    if (fabric->compression_load > 0 || fabric->compression > 0) {
        double load =
            fabric->compression_load > 0 ? fabric->compression_load : fabric->compression * pull;
        return fmax(load, LEAST_GIVEN_LOAD) / pull;
    }
    if (fabric->compression < 0) return 0;
    return fmax(2 * GROWTH * sqrt(fabric->bend * fabric->density), LEAST_LOAD) / stretch;
}
