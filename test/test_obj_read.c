// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the OBJ reader: what it takes, what it says about what it does not, and that no file,
// however damaged, makes it crash or leak.

#include "file_test.h"

#include "weft/weft_io.h"

static WeftResult read_bytes(const char* text, size_t length, double scale, WeftMesh* mesh,
                             WeftError* error) {
    const char* path = test_path("mesh.obj");
    save_file(path, text, length);
    WeftResult result = weft_read_obj(path, scale, NULL, mesh, error);
    remove(path);
    return result;
}

static WeftMesh read_good(const char* text) {
    WeftMesh mesh;
    WeftError error = {0};
    CHECK(read_bytes(text, strlen(text), 1, &mesh, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    return mesh;
}

static void check_refused(const char* text, const char* message) {
    WeftMesh mesh;
    WeftError error = {0};
    CHECK(read_bytes(text, strlen(text), 1, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK(error.result == WEFT_ERROR_INPUT && !mesh.positions && mesh.vertex_count == 0);
    char expected[600];
    snprintf(expected, sizeof expected, "%s/mesh.obj:%s", test_folder, message);
    CHECK_TEXT(error.message, expected);
    CHECK(read_bytes(text, strlen(text), 1, &mesh, NULL) == WEFT_ERROR_INPUT);
}

static bool same_ints(const int* a, const int* b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static void one_triangle(void) {
    WeftMesh mesh = read_good("v 0 0 0\nv 1.5 0 0\nv 0 -2e-1 .25\nf 1 2 3\n");
    CHECK(mesh.vertex_count == 3 && mesh.triangle_count == 1);
    CHECK(same_ints(mesh.triangles, (int[]){0, 1, 2}, 3));
    CHECK(mesh.positions[3] == 1.5 && mesh.positions[7] == -0.2 && mesh.positions[8] == 0.25);
    CHECK(!mesh.material && mesh.material_count == 0 && !mesh.triangle_material && !mesh.springs);
    weft_destroy_mesh(&mesh);
}

static void all_that_is_skipped(void) {
    WeftMesh mesh = read_good(
        "\xEF\xBB\xBF# a comment with a backslash \\\n"
        "mtllib colours.mtl\no name\ng group\n\n   \n"
        "v 0 0 0 # here too\nv\t1 0 0 1\n  v 1 1 0 0.5 0.5 0.5\nvn 0 0 1\nvp 1\n"
        "usemtl blue \\\n f 1 2 99\ns off\ncurv2 1 2 3\nl 1 2\nfo 1 2 3\n"
        "f 1//1 2//1 3//1");
    CHECK(mesh.vertex_count == 3 && mesh.triangle_count == 1);
    weft_destroy_mesh(&mesh);
}

static void line_ends_and_joined_lines(void) {
    static const char* const texts[] = {
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
        "v 0 \\\n0 0\nv 1 0\\\r\n 0\nv 0 1 0\nf 1\\\n 2 3\\\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n\\\n\\\n3 \\",
    };
    for (int i = 0; i < 3; i++) {
        WeftMesh mesh = read_good(texts[i]);
        CHECK(mesh.vertex_count == 3 && mesh.triangle_count == 1);
        weft_destroy_mesh(&mesh);
    }
    check_refused(texts[3], "7:3: face needs the number of a vertex");
}

static void negative_numbers_count_back(void) {
    WeftMesh mesh = read_good(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf -3/-3 -2/-2 -1/-1\n"
        "v 1 1 0\nvt 1 1\nf -3/-3 -1/-1 -2/-2\n");
    CHECK(mesh.vertex_count == 4 && mesh.triangle_count == 2 && !mesh.triangle_material);
    CHECK(same_ints(mesh.triangles, (int[]){0, 1, 2, 1, 3, 2}, 6));
    weft_destroy_mesh(&mesh);
}

static void unused_vertices_are_dropped(void) {
    WeftMesh mesh = read_good(
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 9 9 9\nv 0 1 0\nv 9 9 9\n"
        "vt 9 9\nvt 0 0\nvt 1 0\nvt 0 1\nvt 9 9\nf 5/4 2/2 3/3\n");
    CHECK(mesh.vertex_count == 3 && mesh.material_count == 3);
    CHECK(same_ints(mesh.triangles, (int[]){2, 0, 1}, 3) && !mesh.triangle_material);
    CHECK(mesh.positions[3] == 1 && mesh.positions[7] == 1);
    CHECK(mesh.material[2] == 1 && mesh.material[5] == 1);
    weft_destroy_mesh(&mesh);
}

static void polygons_become_triangles(void) {
    // a quad with its shorter diagonal 1-3, and an L
    WeftMesh mesh = read_good(
        "v 0 0 0\nv 3 1 0\nv 4 4 0\nv 1 3 0\nf 1 2 3 4\n"
        "v 10 0 0\nv 12 0 0\nv 12 1 0\nv 11 1 0\nv 11 2 0\nv 10 2 0\nf 5 6 7 8 9 10\n");
    CHECK(mesh.triangle_count == 2 + 4);
    double area = 0;
    for (int t = 0; t < mesh.triangle_count; t++) {
        const double* a = mesh.positions + 3 * mesh.triangles[3 * t];
        const double* b = mesh.positions + 3 * mesh.triangles[3 * t + 1];
        const double* c = mesh.positions + 3 * mesh.triangles[3 * t + 2];
        double part = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
        CHECK(part > 0);
        area += part;
    }
    CHECK_NEAR(area, 8 + 3, 1e-12);
    weft_destroy_mesh(&mesh);
}

// two triangles sewn along 2-3: one edge in space, two in the flat shape
static const char seam[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
    "vt 0 0\nvt 0.5 0\nvt 0 0.5\nvt 2 0\nvt 2.5 0.5\nvt 2 0.5\n"
    "f 1/1/7 2/2/8 3/3/9\nf 2/4/8 4/5/9 3/6/9\n";

static void seams_have_two_flat_edges(void) {
    WeftMesh mesh;
    CHECK(read_bytes(seam, strlen(seam), 2, &mesh, NULL) == WEFT_OK);
    CHECK(mesh.vertex_count == 4 && mesh.material_count == 6 && mesh.triangle_material);
    static const double expected[12] = {0, 0, 1, 0, 0, 1, 4, 0, 5, 1, 4, 1};
    for (int i = 0; i < 6 && mesh.triangle_material; i++) {
        int point = mesh.triangle_material[i];
        CHECK(point >= 0 && point < 6);
        CHECK_NEAR(mesh.material[2 * point], expected[2 * i], 1e-15);
        CHECK_NEAR(mesh.material[2 * point + 1], expected[2 * i + 1], 1e-15);
    }
    weft_destroy_mesh(&mesh);
}

// some programs write one vt per corner
static void equal_texture_points_are_no_seam(void) {
    WeftMesh mesh = read_good(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 0\nvt 1 1\nvt 0 1\n"
        "f 1/1 2/2 3/3\nf 2/4 4/5 3/6\n");
    CHECK(mesh.material_count == 4 && !mesh.triangle_material);
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 2; k++) CHECK(mesh.material[2 * v + k] == mesh.positions[3 * v + k]);
    weft_destroy_mesh(&mesh);
}

// mirrored halves may share a texture point; they are two points of cloth all the same
static void shared_texture_points_are_split(void) {
    WeftMesh mesh = read_good(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
        "f 1/1 2/2 3/3\nf 2/2 4/1 3/3\n");
    CHECK(mesh.material_count == 4 && !mesh.triangle_material);
    CHECK(mesh.material[6] == 0 && mesh.material[7] == 0);
    weft_destroy_mesh(&mesh);
}

static void long_lines(void) {
    enum { COUNT = 200000 };
    char* text = malloc(COUNT + 200);
    if (!text) return;
    int at = sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\n# ");
    memset(text + at, 'x', COUNT);
    strcpy(text + at + COUNT, "\nf 1 2 3\n");
    WeftMesh mesh = read_good(text);
    CHECK(mesh.triangle_count == 1);
    weft_destroy_mesh(&mesh);
    // 100000 zeros before the point of one number
    at = sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 ");
    memset(text + at, '0', COUNT);
    strcpy(text + at + COUNT, "1 0\nf 1 2 3\n");
    mesh = read_good(text);
    CHECK(mesh.positions && mesh.positions[7] == 1);
    weft_destroy_mesh(&mesh);
    free(text);
}

static void names_the_culprit(void) {
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\n",
                  "4:7: face names vertex 99, but only 3 are known so far");
    check_refused("v 0 0 0\nf 1 -2 1\n", "2:5: face names vertex -2, but only 1 are known so far");
    check_refused("v 0 0 0\nf 99999999999999999999 1 1\n", "2:3: face names vertex");
    check_refused("v 0 0 0\nf 0 1 2\n", "2:3: face names vertex 0, but 1 is the first");
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/2\n",
                  "5:13: face names texture point 2, but only 1 are known so far");
    check_refused("v 0 0 0\nv 1 0 0\n  f 1 2\n", "3:3: face has 2 corners, but needs 3 or more");
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1\n", "4:7: face names vertex 1 twice");
    check_refused("v 0 0\n", "1:6: z must be a number");
    check_refused("v 0 0 1x\n", "1:7: z must be a number");
    check_refused("v 0 nan 0\n", "1:5: y must be a number");
    check_refused("v 0 0x10 0\n", "1:5: y must be a number");
    check_refused("v 1e400 0 0\n", "1:3: x is out of range");
    check_refused("v -1e31 0 0\n", "1:3: x is out of range");
    check_refused("vt\n", "1:3: u must be a number");
    check_refused("vt 1 b\n", "1:6: v must be a number");
    check_refused("", " the file has no faces");
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\n", " the file has no faces");
}

static void malformed_corners(void) {
    static const char* const corners[] = {"1/", "1/x", "1//", "1/1/", "1/1/1/1", "1//1/", "1//x",
                                          "1x", "x",   "-",   "1.5",  "1/1x",    "/1",    "//"};
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf %s 2 3\n", corners[i]);
        check_refused(text, "5:");
    }
}

static void texture_for_all_faces_or_none(void) {
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\nf 1 2 3\n",
                  "6:3: face has no texture coordinates, but the first one, in line 5, has some");
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1 2 3\nf 1/1 2/1 3/1\n",
                  "6:3: face has texture coordinates, but the first one, in line 5, has none");
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2 3\n",
                  "5:7: face has no texture coordinates");
}

static void too_many_corners(void) {
    char* text = malloc(100000);
    if (!text) return;
    int at = 0;
    for (int i = 0; i < 1025; i++) at += sprintf(text + at, "v %d %d 0\n", i, i * i);
    int faces = at;
    at += sprintf(text + at, "f");
    for (int i = 0; i < 1024; i++) at += sprintf(text + at, " %d", i + 1);
    WeftMesh mesh = read_good(text);
    CHECK(mesh.triangle_count == 1022);
    weft_destroy_mesh(&mesh);
    sprintf(text + at, " 1025\n");
    check_refused(text, "1026:");
    CHECK(faces < at);
    free(text);
}

static void missing_file_and_folder(void) {
    WeftMesh mesh;
    WeftError error;
    CHECK(weft_read_obj(test_path("none.obj"), 1, NULL, &mesh, &error) == WEFT_ERROR_FILE);
    CHECK_TEXT(error.message, "none.obj: cannot open: ");
    CHECK(weft_read_obj(test_path(""), 1, NULL, &mesh, &error) == WEFT_ERROR_FILE);
    CHECK(!mesh.positions);
}

static const char sample[] =
    "# sample\r\nv 0 0 0\nv 1.25 0 0 # one\nv 1 1e0 0\nv -0.5 1 \\\n 0.125\nv 2 2 2\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nvn 0 0 1\n"
    "f 1/1/1 2/2/1 3/3/1 4/4/1\nf -1/5/1 -3/3/1 -4/2/1\nf 5/1 3/2 4/3\n";

// accepted meshes hold together
static void check_mesh(WeftMesh* mesh) {
    CHECK(mesh->vertex_count >= 3 && mesh->triangle_count >= 1);
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        CHECK(mesh->triangles[i] >= 0 && mesh->triangles[i] < mesh->vertex_count);
        if (mesh->triangle_material)
            CHECK(mesh->triangle_material[i] >= 0 &&
                  mesh->triangle_material[i] < mesh->material_count);
    }
    for (int i = 0; i < 3 * mesh->vertex_count; i++) CHECK(isfinite(mesh->positions[i]));
    for (int i = 0; mesh->material && i < 2 * mesh->material_count; i++)
        CHECK(isfinite(mesh->material[i]));
}

static void read_damaged(const char* text, size_t length) {
    WeftMesh mesh;
    WeftError error = {0};
    WeftResult result = read_bytes(text, length, 1, &mesh, &error);
    CHECK(result == WEFT_OK || result == WEFT_ERROR_INPUT);
    if (result)
        CHECK_TEXT(error.message, "mesh.obj:");
    else
        check_mesh(&mesh);
    weft_destroy_mesh(&mesh);
}

static void every_truncation(void) {
    for (size_t length = 0; length < sizeof sample; length++) {
        char* text = malloc(length ? length : 1);  // its own block: reading on is noticed
        if (!text) return;
        memcpy(text, sample, length);
        read_damaged(text, length);
        free(text);
    }
}

static void every_byte_damaged(void) {
    static const char values[] = {0, '\n', '\r', '\\', '/', '-', '9', ' ', '#', 'f', 'v', '.', 'e'};
    char text[sizeof sample];
    for (size_t i = 0; i + 1 < sizeof sample; i++) {
        memcpy(text, sample, sizeof sample);
        for (size_t k = 0; k < sizeof values; k++) {
            text[i] = values[k];
            read_damaged(text, sizeof sample - 1);
        }
        for (int bit = 0; bit < 8; bit++) {
            text[i] = (char)(sample[i] ^ 1 << bit);
            read_damaged(text, sizeof sample - 1);
        }
    }
}

static void many_bytes_damaged(void) {
    uint32_t seed = 12345;
    char text[sizeof sample];
    for (int run = 0; run < 3000; run++) {
        memcpy(text, sample, sizeof sample);
        for (int k = 0; k < 1 + run % 8; k++) {
            seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
            // half of them copies of other bytes, so that numbers and words change
            size_t to = seed % (sizeof sample - 1), from = (seed >> 10) % (sizeof sample - 1);
            text[to] = seed >> 31 ? sample[from] : (char)(seed >> 20);
        }
        read_damaged(text, sizeof sample - 1);
    }
}

static void every_allocation_fails(void) {
    const char* path = test_path("mesh.obj");
    save_file(path, seam, sizeof seam - 1);
    int failures = 0;
    for (int left = 0;; left++) {
        TestMemory memory = {.left = left};
        WeftAllocator allocator = test_allocator(&memory);
        WeftMesh mesh;
        WeftError error = {0};
        WeftResult result = weft_read_obj(path, 1, &allocator, &mesh, &error);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        if (result) CHECK_TEXT(error.message, "mesh.obj: out of memory");
        weft_destroy_mesh(&mesh);
        CHECK(memory.held == 0);
        if (!result) break;
        failures++;
    }
    CHECK(failures >= 8);
    remove(path);
}

static void nothing_is_left(void) { CHECK(count_files() == 0); }

TEST_MAIN(CASE(one_triangle), CASE(all_that_is_skipped), CASE(line_ends_and_joined_lines),
          CASE(negative_numbers_count_back), CASE(unused_vertices_are_dropped),
          CASE(polygons_become_triangles), CASE(seams_have_two_flat_edges),
          CASE(equal_texture_points_are_no_seam), CASE(shared_texture_points_are_split),
          CASE(long_lines), CASE(names_the_culprit), CASE(malformed_corners),
          CASE(texture_for_all_faces_or_none), CASE(too_many_corners),
          CASE(missing_file_and_folder), CASE(every_truncation), CASE(every_byte_damaged),
          CASE(many_bytes_damaged), CASE(every_allocation_fails), CASE(nothing_is_left))
