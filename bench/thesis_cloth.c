// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The cloths of the bench thesis, and table 6.1, which says how stiff the thesis' is.

#include "thesis.h"
#include "thesis_mesh.h"
#include "thesis_spectrum.h"

const char* const family_names[] = {"edge", "triangle"};
const char* const softness_names[] = {"soft", "stiff"};

const double thesis_least[] = {0.9817, 1.0}, thesis_most[] = {2.2693, 2.8761};

static const double STIFF = 2000, BEND = 1e-5;  // N/m, N m: as in the bench swing

WeftStepDef linear_step(void) {
    WeftStepDef step = still_air_step();
    step.method = WEFT_METHOD_PREFACTORED;
    step.order = 1;
    step.quality = 1;
    step.stretch_tolerance = 0;
    return step;
}

int make_thesis_square(int vertex_count, bool boundary_first, Square* square) {
    int code = make_shape(SHAPE_SQUARE, vertex_count, &square->mesh);
    if (code) return code;
    if (boundary_first) number_boundary_first(&square->mesh);
    square->pins[0] = nearest_vertex(&square->mesh, 0, 1);
    square->pins[1] = nearest_vertex(&square->mesh, 1, 1);
    square->cloth = weft_default_cloth_def();
    weft_use_mesh(&square->cloth, &square->mesh);
    square->cloth.pins = square->pins;
    square->cloth.pin_count = 2;
    return EXIT_GOOD;
}

// The eigenvalues of bending grow with the square of the number of vertices, and would soon be all
// there is: soft cloth keeps those it has at 166 vertices.
int set_cloth(Family family, Softness softness, WeftClothDef* cloth) {
    WeftStepDef step = linear_step();
    double stiffness = STIFF, size = (double)SPECTRUM_VERTICES / cloth->vertex_count;
    cloth->stretch = family == FAMILY_EDGE ? WEFT_STRETCH_SPRINGS : WEFT_STRETCH_TRIANGLES;
    cloth->fabric.density = 0.187;
    cloth->fabric.bend = softness == CLOTH_SOFT ? BEND * size * size : BEND;
    int code = EXIT_GOOD;
    if (softness == CLOTH_SOFT)
        code = find_stiffness(cloth, &step, thesis_most[family], &stiffness);
    set_stiffness(cloth, stiffness);
    return code;
}

// ---------------------------------------------------------------------------------------------

static int add_spectrum_row(const Square* square, Family family, Softness softness,
                            Report* report) {
    WeftClothDef cloth = square->cloth;
    WeftStepDef step = linear_step();
    Spectrum spectrum;
    int code = set_cloth(family, softness, &cloth);
    if (!code) code = find_spectrum(&cloth, &step, &spectrum);
    if (code) return code;
    start_row(report);
    add_text(report, "table", "6.1");
    add_number(report, "vertices", cloth.vertex_count);
    add_number(report, "thesis_vertices", SPECTRUM_VERTICES);
    add_text(report, "model", family_names[family]);
    add_text(report, "cloth", softness_names[softness]);
    add_number(report, "stretch", cloth.fabric.stretch_warp);
    add_number(report, "bend", cloth.fabric.bend);
    add_number(report, "least", spectrum.least);
    add_number(report, "most", spectrum.most);
    if (softness == CLOTH_SOFT) {
        add_number(report, "thesis_least", thesis_least[family]);
        add_number(report, "thesis_most", thesis_most[family]);
    }
    return EXIT_GOOD;
}

int add_spectrum_rows(Report* report) {
    Square square;
    show_progress("eigenvalues");
    int code = make_thesis_square(SPECTRUM_VERTICES, false, &square);
    if (code) return code;
    start_table(report, "Eigenvalues of the constant matrix over the masses");
    for (int f = 0; f < FAMILY_COUNT; f++)
        for (int s = 0; s < SOFTNESS_COUNT && !code; s++)
            code = add_spectrum_row(&square, (Family)f, (Softness)s, report);
    destroy_square(&square);
    return code;
}
