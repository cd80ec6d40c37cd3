// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Projective dynamics (Bouaziz et al. 2014; for springs Liu et al. 2013) with CHOLMOD, for
// comparison with ours. A step of implicit Euler is the minimum over x and the d of all springs of
//
//     1/2 |x - y|_M^2 + h^2 (sum k/2 |x_b - x_a - d|^2 + bending(x)),   |d| = L,
//     y = x(n) + h v(n) + h^2 g
//
// found from x = y by turns:
//
//     local    d = L (x_b - x_a)/|x_b - x_a|                          for every spring
//     global   (M + h^2 (sum k c c^T + bending)) x = M y + h^2 sum k c d     for x, y, z at once
//
// The matrix is constant and factored once; bending is quadratic and inside it. It is scalar: one
// row per free vertex. Pinned vertices stay at their places, on the right side.
//
// Written to be fast. Coordinates are columns, as CHOLMOD takes and returns them: its solution is
// what the next local step reads. Nothing is allocated in a step. The local step has three loops:
// fetch the ends of all springs, scale (no index in it: it is vectorised), gather the springs of
// each vertex (adding each spring to its two vertices instead takes a quarter more). How the matrix
// is factored is decided by a measurement, see pick_factor.

#include "projective.h"

#include <cholmod.h>

#include <cmath>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace {

struct Way {
    const char* text;
    int ordering, supernodal;
};

const Way ways[] = {
    {"simplicial, AMD", CHOLMOD_AMD, CHOLMOD_SIMPLICIAL},
    {"simplicial, METIS", CHOLMOD_METIS, CHOLMOD_SIMPLICIAL},
    {"simplicial, nested dissection", CHOLMOD_NESDIS, CHOLMOD_SIMPLICIAL},
    {"supernodal, AMD", CHOLMOD_AMD, CHOLMOD_SUPERNODAL},
    {"supernodal, METIS", CHOLMOD_METIS, CHOLMOD_SUPERNODAL},
    {"supernodal, nested dissection", CHOLMOD_NESDIS, CHOLMOD_SUPERNODAL},
};
enum { SOLVE_REPEATS = 20 };

}  // namespace

struct Projective {
    Projective(const Net* net, double h, const double* gravity, double (*now)(void*));
    Projective(const Projective&) = delete;
    ~Projective();

    void reset();
    double take(int step_count, int iterations);

    const Net* net;
    double h;
    double gravity[3];
    double (*now)(void*);
    int count;                    // free vertices
    std::vector<int> row;         // of a vertex; -1: pinned
    std::vector<double> mass;     // of free vertices
    std::vector<double> held;     // what pinned vertices add to the right side: 3 columns
    std::vector<double> inertia;  // M y + held: 3 columns
    std::vector<double> previous, velocity;  // 3 columns
    std::vector<double> positions;           // as the net has them

    // springs between free vertices: their ends, h^2 k L, h^2 k d in 3 columns
    std::vector<int> first, second;
    std::vector<double> pull, drawn;
    // the springs at a vertex, and by which sign they act on it
    std::vector<int> spans, touching;
    std::vector<double> sign;
    struct Held {
        int row;
        double place[3], pull;
    };
    std::vector<Held> held_springs;  // with one pinned end

    cholmod_common common;
    cholmod_sparse* matrix = nullptr;
    cholmod_factor* factor = nullptr;
    cholmod_dense *right = nullptr, *solution = nullptr, *work1 = nullptr, *work2 = nullptr;
    const char* factor_text = "";

   private:
    void enter(cholmod_triplet* triplets, int i, int j, double value);
    void split_springs();
    void list_touching();
    void make_matrix();
    void pick_factor();
    double time_factor(cholmod_factor* candidate);
    void solve(cholmod_factor* by);
    void predict();
    void project();
    void finish();

    double* x() { return static_cast<double*>(solution->x); }
    double* b() { return static_cast<double*>(right->x); }
};

// ---------------------------------------------------------------------------------------------
// Preparation

Projective::Projective(const Net* cloth, double step, const double* g, double (*clock)(void*))
    : net(cloth), h(step), gravity{g[0], g[1], g[2]}, now(clock), count(0) {
    for (int i = 0; i < net->vertex_count; i++) {
        row.push_back(net->pinned[i] ? -1 : count++);
        if (!net->pinned[i]) mass.push_back(net->masses[i]);
    }
    size_t room = 3 * size_t(count);
    held.assign(room, 0);
    inertia.resize(room);
    previous.resize(room);
    velocity.resize(room);
    positions.assign(net->positions, net->positions + 3 * net->vertex_count);
    cholmod_start(&common);
    right = cholmod_allocate_dense(size_t(count), 3, size_t(count), CHOLMOD_REAL, &common);
    solution = cholmod_allocate_dense(size_t(count), 3, size_t(count), CHOLMOD_REAL, &common);
    if (!right || !solution) throw std::bad_alloc();
    split_springs();
    list_touching();
    make_matrix();
    reset();
    pick_factor();
    reset();
}

Projective::~Projective() {
    cholmod_free_dense(&right, &common);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&work1, &common);
    cholmod_free_dense(&work2, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_free_sparse(&matrix, &common);
    cholmod_finish(&common);
}

void Projective::reset() {
    std::memset(velocity.data(), 0, velocity.size() * sizeof(double));
    for (int i = 0; i < net->vertex_count; i++)
        for (int c = 0; c < 3 && row[size_t(i)] >= 0; c++)
            x()[count * c + row[size_t(i)]] = net->positions[3 * i + c];
}

// Springs that hold a free vertex to a pinned one are few, and kept apart.
void Projective::split_springs() {
    for (int e = 0; e < net->spring_count; e++) {
        const Spring& spring = net->springs[e];
        int a = spring.vertices[0], b = spring.vertices[1];
        double k = h * h * spring.stiffness;
        if (net->pinned[a]) std::swap(a, b);
        int i = row[size_t(a)], j = row[size_t(b)];
        if (i < 0) continue;
        if (j >= 0) {
            first.push_back(i);
            second.push_back(j);
            pull.push_back(k * spring.length);
        } else {
            const double* place = net->positions + 3 * b;
            held_springs.push_back({i, {place[0], place[1], place[2]}, k * spring.length});
        }
    }
}

void Projective::list_touching() {
    size_t spring_count = first.size();
    drawn.resize(3 * spring_count);
    spans.assign(size_t(count) + 1, 0);
    touching.resize(2 * spring_count);
    sign.resize(2 * spring_count);
    for (size_t e = 0; e < spring_count; e++) {
        spans[size_t(first[e]) + 1]++;
        spans[size_t(second[e]) + 1]++;
    }
    for (size_t i = 0; i < size_t(count); i++) spans[i + 1] += spans[i];
    std::vector<int> next(spans);
    for (size_t e = 0; e < spring_count; e++)
        for (int end = 0; end < 2; end++) {
            size_t place = size_t(next[size_t(end ? second[e] : first[e])]++);
            touching[place] = int(e);
            sign[place] = end ? 1 : -1;
        }
}

// An entry of the upper half, or of a pinned column: the latter goes to the right side.
void Projective::enter(cholmod_triplet* triplets, int i, int j, double value) {
    int r = row[size_t(i)], s = row[size_t(j)];
    if (r < 0) return;
    for (int c = 0; c < 3 && s < 0; c++)
        held[size_t(count * c + r)] -= value * positions[size_t(3 * j + c)];
    if (s < r) return;
    size_t n = triplets->nnz++;
    static_cast<int*>(triplets->i)[n] = r;
    static_cast<int*>(triplets->j)[n] = s;
    static_cast<double*>(triplets->x)[n] = value;
}

void Projective::make_matrix() {
    size_t room =
        size_t(net->vertex_count) + 4 * size_t(net->spring_count) + 16 * size_t(net->hinge_count);
    cholmod_triplet* triplets =
        cholmod_allocate_triplet(size_t(count), size_t(count), room, 1, CHOLMOD_REAL, &common);
    if (!triplets) throw std::bad_alloc();
    for (int i = 0; i < net->vertex_count; i++) enter(triplets, i, i, net->masses[i]);
    for (int e = 0; e < net->spring_count; e++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                enter(triplets, net->springs[e].vertices[a], net->springs[e].vertices[b],
                      (a == b ? 1 : -1) * h * h * net->springs[e].stiffness);
    for (int e = 0; e < net->hinge_count; e++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                const Hinge& hinge = net->hinges[e];
                enter(triplets, hinge.vertices[a], hinge.vertices[b],
                      h * h * hinge.stiffness * hinge.weights[a] * hinge.weights[b]);
            }
    matrix = cholmod_triplet_to_sparse(triplets, room, &common);
    cholmod_free_triplet(&triplets, &common);
    if (!matrix) throw std::bad_alloc();
}

// The fastest of some solves.
double Projective::time_factor(cholmod_factor* candidate) {
    double fastest = HUGE_VAL;
    for (int repeat = 0; repeat < SOLVE_REPEATS; repeat++) {
        double start = now(nullptr);
        solve(candidate);
        fastest = std::fmin(fastest, now(nullptr) - start);
    }
    return fastest;
}

void Projective::pick_factor() {
    double fastest = HUGE_VAL;
    common.nmethods = 1;
    std::memset(b(), 0, 3 * size_t(count) * sizeof(double));
    for (const Way& way : ways) {
        common.method[0].ordering = way.ordering;
        common.supernodal = way.supernodal;
        cholmod_factor* candidate = cholmod_analyze(matrix, &common);
        // a CHOLMOD without METIS has fewer ways
        if (!candidate || !cholmod_factorize(matrix, candidate, &common)) {
            cholmod_free_factor(&candidate, &common);
            continue;
        }
        double time = time_factor(candidate);
        if (time < fastest) {
            fastest = time;
            factor_text = way.text;
            std::swap(factor, candidate);
        }
        cholmod_free_factor(&candidate, &common);
    }
    if (!factor) throw std::bad_alloc();
}

// ---------------------------------------------------------------------------------------------
// Steps

void Projective::solve(cholmod_factor* by) {
    if (!cholmod_solve2(CHOLMOD_A, by, right, nullptr, &solution, nullptr, &work1, &work2, &common))
        throw std::bad_alloc();
}

// From x(n), v(n): y, with which the iterations begin, and M y.
void Projective::predict() {
    std::memcpy(previous.data(), x(), previous.size() * sizeof(double));
    for (int c = 0; c < 3; c++) {
        double *xc = x() + count * c, *vc = velocity.data() + count * c;
        double *mc = inertia.data() + count * c, fall = h * h * gravity[c];
        const double *m = mass.data(), *hc = held.data() + count * c;
        for (int i = 0; i < count; i++) {
            xc[i] += h * vc[i] + fall;
            mc[i] = m[i] * xc[i] + hc[i];
        }
    }
}

// b = M y + h^2 sum k c d
void Projective::project() {
    const double *x0 = x(), *x1 = x0 + count, *x2 = x1 + count;
    double *b0 = b(), *b1 = b0 + count, *b2 = b1 + count;
    int spring_count = int(first.size());
    double *w0 = drawn.data(), *w1 = w0 + spring_count, *w2 = w1 + spring_count;
    const int *from = first.data(), *to = second.data(), *at = touching.data();
    const double *hkl = pull.data(), *by = sign.data(), *my = inertia.data();
    for (int e = 0; e < spring_count; e++) {
        w0[e] = x0[to[e]] - x0[from[e]];
        w1[e] = x1[to[e]] - x1[from[e]];
        w2[e] = x2[to[e]] - x2[from[e]];
    }
    for (int e = 0; e < spring_count; e++) {
        double s = hkl[e] / std::sqrt(w0[e] * w0[e] + w1[e] * w1[e] + w2[e] * w2[e]);
        w0[e] *= s;
        w1[e] *= s;
        w2[e] *= s;
    }
    for (int i = 0; i < count; i++) {
        double sum0 = my[i], sum1 = my[count + i], sum2 = my[2 * count + i];
        for (int p = spans[size_t(i)]; p < spans[size_t(i) + 1]; p++) {
            sum0 += by[p] * w0[at[p]];
            sum1 += by[p] * w1[at[p]];
            sum2 += by[p] * w2[at[p]];
        }
        b0[i] = sum0;
        b1[i] = sum1;
        b2[i] = sum2;
    }
    for (const Held& spring : held_springs) {
        double w[3] = {x0[spring.row] - spring.place[0], x1[spring.row] - spring.place[1],
                       x2[spring.row] - spring.place[2]};
        double s = spring.pull / std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        b0[spring.row] += s * w[0];
        b1[spring.row] += s * w[1];
        b2[spring.row] += s * w[2];
    }
}

// v(n+1) = (x(n+1) - x(n))/h
void Projective::finish() {
    const double* xn = x();
    for (size_t i = 0; i < velocity.size(); i++) velocity[i] = (xn[i] - previous[i]) / h;
}

double Projective::take(int step_count, int iterations) {
    double start = now(nullptr);
    for (int step = 0; step < step_count; step++) {
        predict();
        for (int iteration = 0; iteration < iterations; iteration++) {
            project();
            solve(factor);
        }
        finish();
    }
    return now(nullptr) - start;
}

// ---------------------------------------------------------------------------------------------

Projective* create_projective(const Net* net, double h, const double gravity[3],
                              double (*now)(void* user)) {
    try {
        return new Projective(net, h, gravity, now);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void destroy_projective(Projective* projective) { delete projective; }

void reset_projective(Projective* projective) { projective->reset(); }

double take_projective_steps(Projective* projective, int step_count, int iterations) {
    return projective->take(step_count, iterations);
}

const double* projective_positions(Projective* projective) {
    Projective& p = *projective;
    for (size_t i = 0; i < p.row.size(); i++)
        for (int c = 0; c < 3 && p.row[i] >= 0; c++)
            p.positions[3 * i + size_t(c)] =
                static_cast<double*>(p.solution->x)[p.count * c + p.row[i]];
    return p.positions.data();
}

const char* projective_factor(const Projective* projective) { return projective->factor_text; }
