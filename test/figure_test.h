// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files of bodies for tests: a tube of two bones that bends, as glTF with its buffer inside; the
// same as GLB; and small meshes as OBJ, PLY and FBX.
//
// The tube is 2 m high, with square rings at y = 0, 0.5, 1, 1.5 and 2 and lids, every side with
// vertices of its own, as renderers want them. Its bones "low" and "high" begin at y = 0 and y = 1;
// "high" hangs on a node "between", which is no bone, and all of it under a node "top" that turns.

#ifndef WEFT_TEST_FIGURE_H
#define WEFT_TEST_FIGURE_H

#include "file_test.h"

enum { TUBE_RINGS = 5, TUBE_SIDES = 4 };
enum { TUBE_VERTICES = 2 * TUBE_RINGS * TUBE_SIDES, TUBE_KEYS = 3 };
enum { TUBE_TRIANGLES = 2 * (TUBE_RINGS - 1) * TUBE_SIDES + 4 };

// Where things are in the buffer, in bytes.
typedef struct TubeBuffer {
    float positions[3 * TUBE_VERTICES];
    float weights[4 * TUBE_VERTICES];
    unsigned char joints[4 * TUBE_VERTICES];
    unsigned short indices[3 * TUBE_TRIANGLES];
    float binds[2 * 16];
    float times[TUBE_KEYS];
    float turns[4 * TUBE_KEYS];
    float moves[3 * TUBE_KEYS];
} TubeBuffer;

// Half of the ring of the side before, half of the side behind: 2 vertices per side and ring.
static inline int tube_vertex(int ring, int side, int end) {
    return 2 * TUBE_SIDES * ring + 2 * side + end;
}

static inline TubeBuffer make_tube(void) {
    static const float corner[5][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 1}};
    static const float half = 0.1f, high_weight[TUBE_RINGS] = {0, 0.25f, 0.5f, 0.75f, 1};
    TubeBuffer b = {0};
    for (int ring = 0; ring < TUBE_RINGS; ring++)
        for (int side = 0; side < TUBE_SIDES; side++)
            for (int end = 0; end < 2; end++) {
                int v = tube_vertex(ring, side, end);
                b.positions[3 * v] = half * corner[side + end][0];
                b.positions[3 * v + 1] = 0.5f * (float)ring;
                b.positions[3 * v + 2] = half * corner[side + end][1];
                b.weights[4 * v] = 1 - high_weight[ring];
                b.weights[4 * v + 1] = high_weight[ring];
                b.joints[4 * v + 1] = 1;
            }
    unsigned short* t = b.indices;
    for (int ring = 0; ring + 1 < TUBE_RINGS; ring++)
        for (int side = 0; side < TUBE_SIDES; side++) {
            int low = tube_vertex(ring, side, 0), high = tube_vertex(ring + 1, side, 0);
            int corners[6] = {low, low + 1, high, high, low + 1, high + 1};
            for (int k = 0; k < 6; k++) *t++ = (unsigned short)corners[k];
        }
    int top = tube_vertex(TUBE_RINGS - 1, 0, 0);
    int lids[12] = {0, 4, 2, 0, 6, 4, top, top + 2, top + 4, top, top + 4, top + 6};
    for (int k = 0; k < 12; k++) *t++ = (unsigned short)lids[k];
    for (int bone = 0; bone < 2; bone++) {
        for (int k = 0; k < 4; k++) b.binds[16 * bone + 5 * k] = 1;
        b.binds[16 * bone + 13] = (float)-bone;  // moves down by 1
    }
    // turned about z by 0, 90 and 0 degrees, at 0, 1 and 2 s; the root goes 0.5 to the left
    float s = sqrtf(0.5f), turns[12] = {0, 0, 0, 1, 0, 0, s, s, 0, 0, 0, 1};
    float times[3] = {0, 1, 2}, moves[9] = {0, 0, 0, 0.5f, 0, 0, 0, 0, 0};
    memcpy(b.turns, turns, sizeof turns);
    memcpy(b.times, times, sizeof times);
    memcpy(b.moves, moves, sizeof moves);
    return b;
}

static inline char* to_base64(const void* bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* in = bytes;
    char *text = calloc((count + 2) / 3 * 4 + 1, 1), *out = text;
    for (size_t i = 0; i < count; i += 3) {
        unsigned n = (unsigned)in[i] << 16;
        if (i + 1 < count) n |= (unsigned)in[i + 1] << 8;
        if (i + 2 < count) n |= in[i + 2];
        *out++ = digits[n >> 18];
        *out++ = digits[n >> 12 & 63];
        *out++ = i + 1 < count ? digits[n >> 6 & 63] : '=';
        *out++ = i + 2 < count ? digits[n & 63] : '=';
    }
    return text;
}

#define VIEW(field) offsetof(TubeBuffer, field), sizeof(((TubeBuffer*)0)->field)

// The JSON; `uri` is empty for a GLB. `top` is what the node above all others has.
static inline char* tube_json(const char* uri, const char* top) {
    size_t size = strlen(uri) + strlen(top) + 8000;
    char *text = calloc(size, 1), *at = text, *end = text + size;
    at += snprintf(
        at, (size_t)(end - at),
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
        "{\"name\":\"top\",\"children\":[1,2]%s},{\"name\":\"tube\",\"mesh\":0,\"skin\":0},"
        "{\"name\":\"low\",\"children\":[3]},"
        "{\"name\":\"between\",\"translation\":[0,0.25,0],\"children\":[4]},"
        "{\"name\":\"high\",\"translation\":[0,0.75,0]}],"
        "\"skins\":[{\"joints\":[2,4],\"inverseBindMatrices\":4}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":1,"
        "\"JOINTS_0\":2},\"indices\":3}]}],"
        "\"animations\":[{\"name\":\"bend\",\"samplers\":[{\"input\":5,\"output\":6},"
        "{\"input\":5,\"output\":7}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":4,"
        "\"path\":\"rotation\"}},{\"sampler\":1,\"target\":{\"node\":2,"
        "\"path\":\"translation\"}}]}],",
        top);
    at += snprintf(
        at, (size_t)(end - at),
        "\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\","
        "\"min\":[-0.1,0,-0.1],\"max\":[0.1,2,0.1]},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":%d,\"type\":\"VEC4\"},"
        "{\"bufferView\":2,\"componentType\":5121,\"count\":%d,\"type\":\"VEC4\"},"
        "{\"bufferView\":3,\"componentType\":5123,\"count\":%d,\"type\":\"SCALAR\"},"
        "{\"bufferView\":4,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
        "{\"bufferView\":5,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\",\"min\":[0],"
        "\"max\":[2]},"
        "{\"bufferView\":6,\"componentType\":5126,\"count\":%d,\"type\":\"VEC4\"},"
        "{\"bufferView\":7,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}],\"bufferViews\":"
        "[",
        TUBE_VERTICES, TUBE_VERTICES, TUBE_VERTICES, 3 * TUBE_TRIANGLES, TUBE_KEYS, TUBE_KEYS,
        TUBE_KEYS);
    const size_t views[8][2] = {{VIEW(positions)}, {VIEW(weights)}, {VIEW(joints)}, {VIEW(indices)},
                                {VIEW(binds)},     {VIEW(times)},   {VIEW(turns)},  {VIEW(moves)}};
    for (int i = 0; i < 8; i++)
        at += snprintf(at, (size_t)(end - at),
                       "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", i ? "," : "",
                       views[i][0], views[i][1]);
    snprintf(at, (size_t)(end - at), "],\"buffers\":[{%s\"byteLength\":%zu}]}", uri,
             sizeof(TubeBuffer));
    return text;
}

static inline void save_tube(const char* path, const char* top) {
    TubeBuffer buffer = make_tube();
    char* bytes = to_base64(&buffer, sizeof buffer);
    char* uri = calloc(strlen(bytes) + 100, 1);
    sprintf(uri, "\"uri\":\"data:application/octet-stream;base64,%s\",", bytes);
    char* json = tube_json(uri, top);
    save_file(path, json, strlen(json));
    free(json);
    free(uri);
    free(bytes);
}

static inline void put_word(unsigned char* at, size_t word) {
    for (int k = 0; k < 4; k++) at[k] = (unsigned char)(word >> 8 * k);
}

static inline void save_tube_glb(const char* path) {
    TubeBuffer buffer = make_tube();
    char* json = tube_json("", "");
    size_t text = (strlen(json) + 3) / 4 * 4, bytes = (sizeof buffer + 3) / 4 * 4;
    unsigned char* file = calloc(28 + text + bytes, 1);
    memcpy(file, "glTF", 4);
    put_word(file + 4, 2);
    put_word(file + 8, 28 + text + bytes);
    put_word(file + 12, text);
    memcpy(file + 16, "JSON", 4);
    memset(file + 20, ' ', text);
    memcpy(file + 20, json, strlen(json));
    put_word(file + 20 + text, bytes);
    memcpy(file + 24 + text, "BIN\0", 4);
    memcpy(file + 28 + text, &buffer, sizeof buffer);
    save_file(path, file, 28 + text + bytes);
    free(file);
    free(json);
}

// A box of 0.4 x height x 0.4 (or upright along z) with square faces.
static inline void save_box_obj(const char* path, double height, bool z_up, double lift) {
    char text[2048], *at = text;
    for (int i = 0; i < 8; i++) {
        double x = i & 1 ? 0.2 : -0.2, z = i & 2 ? 0.2 : -0.2,
               y = (i & 4 ? 1.0 : 0.0) * height + lift;
        at += z_up ? sprintf(at, "v %g %g %g\n", x, -z, y) : sprintf(at, "v %g %g %g\n", x, y, z);
    }
    sprintf(at, "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n");
    save_file(path, text, strlen(text));
}

static inline void save_box_ply(const char* path, double height) {
    char text[2048], *at = text;
    at += sprintf(at,
                  "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
                  "property float z\nelement face 6\nproperty list uchar int vertex_indices\n"
                  "end_header\n");
    for (int i = 0; i < 8; i++)
        at += sprintf(at, "%g %g %g\n", i & 1 ? 0.2 : -0.2, (i & 4 ? 1.0 : 0.0) * height,
                      i & 2 ? 0.2 : -0.2);
    sprintf(at, "4 0 1 3 2\n4 4 6 7 5\n4 0 4 5 1\n4 2 3 7 6\n4 0 2 6 4\n4 1 5 7 3\n");
    save_file(path, text, strlen(text));
}

// The same box in centimetres, z up, as ASCII FBX.
static inline void save_box_fbx(const char* path, double unit, int up) {
    char text[8192], *at = text;
    at += sprintf(at,
                  "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n"
                  "\tFBXVersion: 7400\n}\nGlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
                  "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",%d\n"
                  "\t\tP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
                  "\t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",%d\n"
                  "\t\tP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",%d\n"
                  "\t\tP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
                  "\t\tP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
                  "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",%g\n\t}\n}\n"
                  "Objects:  {\n\tGeometry: 1000, \"Geometry::\", \"Mesh\" {\n\t\tVertices: *24 {\n"
                  "\t\t\ta: ",
                  up, up == 2 ? 1 : 2, up == 2 ? -1 : 1, unit);
    for (int i = 0; i < 8; i++) {
        double x = i & 1 ? 20 : -20, z = i & 2 ? 20 : -20, y = i & 4 ? 170 : 0;
        at += sprintf(at, "%s%g,%g,%g", i ? "," : "", x / unit, (up == 2 ? -z : y) / unit,
                      (up == 2 ? y : z) / unit);
    }
    at += sprintf(at,
                  "\n\t\t}\n\t\tPolygonVertexIndex: *24 {\n\t\t\ta: "
                  "0,1,3,-3,4,6,7,-6,0,4,5,-2,2,3,7,-7,0,2,6,-5,1,5,7,-4\n\t\t}\n"
                  "\t\tGeometryVersion: 124\n\t}\n");
    sprintf(at,
            "\tModel: 2000, \"Model::box\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n}\n"
            "Connections:  {\n\tC: \"OO\",2000,0\n\tC: \"OO\",1000,2000\n}\n");
    save_file(path, text, strlen(text));
}

#endif
