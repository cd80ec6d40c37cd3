// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the law of wrinkled cloth: what it finds is the least energy, by the conditions that only
// the least one meets, for cloth of all kinds and strains in all directions.

#include "energy/wrinkle.h"
#include "test.h"

static unsigned long long seed = 1;

// -1 to 1
static double any(void) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

static double power_of_ten(double p) { return pow(10, p); }

// Warp and weft up to a hundred times apart, shear down to a thousandth of them.
static WfElastic any_fabric(void) {
    WfElastic C = {.c11 = power_of_ten(2 + any()), .c22 = power_of_ten(2 + any())};
    C.c12 = 0.45 * (1 + any()) * sqrt(C.c11 * C.c22);
    C.c33 = power_of_ten(1.5 * any() - 0.5) * sqrt(C.c11 * C.c22);
    return C;
}

static double least_principal(const double s[3]) {
    return (s[0] + s[1]) / 2 - hypot((s[0] - s[1]) / 2, s[2]);
}

// e + w, from the stress
static void strain_by(const WfElastic* C, const double s[3], double e[3]) {
    double det = C->c11 * C->c22 - C->c12 * C->c12;
    e[0] = (C->c22 * s[0] - C->c12 * s[1]) / det;
    e[1] = (C->c11 * s[1] - C->c12 * s[0]) / det;
    e[2] = s[2] / C->c33;
}

// w >= 0, s + P >= 0 and w:(s + P) = 0: convex, E has no other least.
static void check_least(const WfElastic* C, double load, const double e[3], int counts[3]) {
    WfWrinkle k = wf_wrinkle(C, load, e);
    double whole[3], most = C->c11 + C->c22 + C->c33;
    strain_by(C, k.stress, whole);
    const double w[3] = {whole[0] - e[0], whole[1] - e[1], whole[2] - e[2]};
    const double room[3] = {k.stress[0] + load, k.stress[1] + load, k.stress[2]};
    double size = fabs(e[0]) + fabs(e[1]) + fabs(e[2]), force = most * size + load;
    counts[k.count]++;
    CHECK(least_principal(w) > -1e-9 * (size + load / most));
    CHECK(least_principal(room) > -1e-9 * force);
    CHECK_BELOW(fabs(w[0] * room[0] + w[1] * room[1] + 2 * w[2] * room[2]), 1e-9 * force * size);
    double energy = (whole[0] * k.stress[0] + whole[1] * k.stress[1]) / 2 + whole[2] * k.stress[2] +
                    load * (w[0] + w[1]);
    CHECK_NEAR(k.energy, energy, 1e-9 * force * size);
    for (int i = 0; i < 3; i++) CHECK_NEAR(k.strain[i], w[i], 1e-8 * (size + load / most));
}

static void is_the_least(void) {
    int counts[3] = {0};
    for (int i = 0; i < 20000 && test_failures < 10; i++) {
        WfElastic C = any_fabric();
        double size = power_of_ten(2 * any() - 2), load = C.c11 * power_of_ten(2 * any() - 2);
        const double e[3] = {size * any(), size * any(), size * any()};
        check_least(&C, load, e, counts);
    }
    for (int i = 0; i < 3; i++) CHECK(counts[i] > 500);
}

// A strip that is pulled gets narrower by Poisson's ratio: that is no wrinkle.
static void pulled_strip(void) {
    WfElastic C = {.c11 = 100, .c12 = 40, .c22 = 100, .c33 = 60};
    WfWrinkle k = wf_wrinkle(&C, 1e-3, (const double[3]){0.1, -0.04, 0});
    CHECK(k.count == 0);
    k = wf_wrinkle(&C, 1e-3, (const double[3]){0.1, -0.05, 0});
    CHECK(k.count == 1);
    CHECK_NEAR(k.amount[0], 0.01 - 1e-5, 1e-12);
}

// Stiffness is the change of stress; the clamped one is positive, above it and below C.
static void stiffness(void) {
    static const double sizes[3] = {1e-3, 3e-2, 0.5};
    for (int i = 0; i < 300 && test_failures < 10; i++) {
        WfElastic C = any_fabric();
        double size = sizes[i % 3], load = 0.2 * size * C.c11, D[6], step = 1e-6 * size;
        double e[3] = {size * any(), size * any(), size * any()}, most = C.c11 + C.c22 + C.c33;
        WfWrinkle k = wf_wrinkle(&C, load, e);
        wf_wrinkle_stiffness(&C, &k, true, D);
        for (int j = 0; j < 3; j++) {
            static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
            double up[3] = {e[0], e[1], e[2]}, down[3] = {e[0], e[1], e[2]};
            up[j] += j == 2 ? step / 2 : step;
            down[j] -= j == 2 ? step / 2 : step;
            WfWrinkle a = wf_wrinkle(&C, load, up), b = wf_wrinkle(&C, load, down);
            if (a.count != k.count || b.count != k.count) continue;
            for (int l = 0; l < 3; l++)
                CHECK_NEAR((a.stress[l] - b.stress[l]) / (2 * step), D[at[j][l]], 1e-5 * most);
        }
    }
}

TEST_MAIN(CASE(is_the_least), CASE(pulled_strip), CASE(stiffness))
