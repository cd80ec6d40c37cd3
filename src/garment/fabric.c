// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth of a garment, by the mesh that shows it. A sheet of the bending stiffness B under the load
// P per width folds into waves of 2 pi sqrt(B/P). Light fabrics at edges of 20 mm fold into waves
// that the mesh cannot show, and what it shows instead are lumps of the size of triangles: cloth
// that looks like crumpled paper, with folds that catch on each other, and garments that cannot be
// put on. So B is at least what makes waves of four edges under the weight of half a metre of the
// cloth, P (2 L/pi)^2 or 2 rho L^2: at 20 mm that is fifteen times the stiffness of a light wool,
// at 5 mm it is its own.
//
// What is worn carries the weight of two metres when it is pushed together. The default, by bending
// stiffness, is for cloth that falls in heaps: legs push up a skirt that carries no more, and it
// stays there as a crumpled roll. What carries much more is stretched where it should fold.
//
// T-shirt, jacket, trousers and two skirts, 20 mm, walks of 4 s: mean angle between neighbouring
// triangles, degrees; most by which a garment's mean height rose, mm; stretch that 99 % of the
// edges keep, mean of the garments:
//
//                                             silk              wool
//     fabric as it is, strain of 0.05         22 / 31 / 1.11    17 / 12 / 1.08
//     bending as above, the default load      15 / 34 / 1.09    13 / 16 / 1.06
//         half a metre                        15 / 24 / 1.09    12 / 14 / 1.07
//         two metres                          15 / 22 / 1.10    13 / 13 / 1.07
//         six metres                          15 / 22 / 1.11    13 / 12 / 1.08
//         strain of 0.05                      15 / 21 / 1.11    13 / 10 / 1.08
//
// (As it is, skirt and trousers of silk could not be put on.) While a garment is put on it has to
// give way: sleeves of cloth that does not are pulled open at their seams.

#include <math.h>

#include "garment/pattern.h"

static const double SHOWN_LOAD = 5;  // N/m per kg/m^2: half a metre
static const double WORN_LOAD = 20;  // two metres
static const double SHOWN_WAVE = 4;  // edges

WeftFabric wf_shown_fabric(const WeftFabric* fabric, double edge) {
    WeftFabric shown = *fabric;
    double number = SHOWN_WAVE * edge / (2 * 3.14159265358979);
    shown.bend = fmax(fabric->bend, SHOWN_LOAD * fabric->density * number * number);
    return shown;
}

WeftFabric weft_garment_fabric(const WeftFabric* fabric, double edge) {
    WeftFabric worn = wf_shown_fabric(fabric, edge);
    if (worn.compression == 0 && worn.compression_load == 0)
        worn.compression_load = WORN_LOAD * fabric->density;
    return worn;
}
