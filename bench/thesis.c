// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// thesis: the tables 6.1 and 7.1 to 7.7 of "Linear Models for Real-time Clothing Simulation".

#include "thesis.h"

static void add_notes(const BenchOptions* options, Report* report) {
    add_note(report,
             "thesis_...: as printed in Choi, \"Linear Models for Real-time Clothing Simulation\","
             " 2013, on a Core i7-3770K of 3.5 GHz. Ratios compare, times do not.");
    add_note(report,
             "ms: steps of 1/60 s, the first second, one thread, the mean over the steps of the"
             " fastest repeat; of a substitution the fastest.");
    add_note(report,
             "speedup: ms of the conventional step (block-Jacobi conjugate gradients to 1e-4, one"
             " Newton step at x(n)) over the row's; of a substitution: of boundary first over the"
             " row's.");
    add_note(report,
             "soft: stretch as the largest eigenvalue of table 6.1 has it. Its own weight draws it"
             " out many times over (max_stretch: length over rest length after the last step): no"
             " cloth to use, only to compare times. stiff: 2000 N/m.");
    add_note(report,
             "percent: L over L of boundary first, which stands for the thesis' numbering before"
             " reordering: it does not tell which that was. Its orders are Cuthill-McKee's.");
    if (options->quick) add_note(report, "quick: few sizes, 12 steps, no repeats.");
}

static int run_thesis(const BenchOptions* options, Report* report) {
    int code = add_spectrum_rows(report);
    if (!code) code = add_fill_rows(options, report);
    if (!code) code = add_step_rows(options, report);
    if (!code) code = add_phase_rows(options, report);
    if (!code) code = add_substitution_rows(options, report);
    if (code) return code;
    add_notes(options, report);
    return EXIT_GOOD;
}

const Bench thesis_bench = {
    .name = "thesis",
    .text = "tables 6.1 and 7.1 to 7.7 of the thesis on the linear models, beside ours",
    .details =
        "Eigenvalues of the constant matrix; non-zeros of its factor by order of elimination, on\n"
        "squares and parts of a dress; ms per step of the conventional and the linear models, of\n"
        "edges and triangles, at the thesis' stiffness and at 2000 N/m; ms of a substitution.\n"
        "Ratios: a conventional step over a linear one at 5472 vertices.",
    .run = run_thesis,
};
