// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A panel goes to gmsh as a text in its own language, and comes back as a file of version 2.2.

#define _DEFAULT_SOURCE

#include "gmsh.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { PATH_ROOM = 256, CURVE_PARTS = 16 };

void destroy_flat_mesh(FlatMesh* mesh) {
    free(mesh->points);
    free(mesh->triangles);
    *mesh = (FlatMesh){0};
}

// ---------------------------------------------------------------------------------------------
// The program

static double children_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Quietly; false where it does not start or fails.
static bool run_gmsh(const char* const arguments[], double* seconds) {
    const char* named = getenv("WEFT_GMSH");
    const char* program = named ? named : "gmsh";
    double before = children_seconds();
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        char* list[12] = {(char*)program};
        for (int i = 0; i < 10 && arguments[i]; i++) list[i + 1] = (char*)arguments[i];
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(program, list);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    *seconds = children_seconds() - before;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool has_gmsh(void) {
    double seconds;
    return run_gmsh((const char* const[]){"-version", NULL}, &seconds);
}

// ---------------------------------------------------------------------------------------------
// Out

// Points and curves are numbered through.
typedef struct Script {
    FILE* file;
    double edge;
    int points, curves;
} Script;

static int write_point(Script* script, const double point[2]) {
    fprintf(script->file, "Point(%d) = {%.17g, %.17g, 0, %.17g};\n", ++script->points, point[0],
            point[1], script->edge);
    return script->points;
}

// Curves go through points: along Bezier curves, gmsh 4.8 spaces its vertices unevenly.
static void write_side(Script* script, const WeftPanel* panel, int index, int first, int last) {
    const WeftSide* side = &panel->sides[index].curve;
    bool straight = side->control_count == 0 && side->bulge == 0;
    int inner[CURVE_PARTS], count = 0;
    for (int i = 1; i < CURVE_PARTS && !straight; i++) {
        double point[2];
        weft_side_point(panel, index, (double)i / CURVE_PARTS, point);
        inner[count++] = write_point(script, point);
    }
    fprintf(script->file, "%s(%d) = {%d, ", straight ? "Line" : "Spline", ++script->curves, first);
    for (int i = 0; i < count; i++) fprintf(script->file, "%d, ", inner[i]);
    fprintf(script->file, "%d};\n", last);
}

// A closed line with that number.
static void write_loop(Script* script, const WeftPanel* panel, int number) {
    int count = panel->side_count;
    int first_point = script->points + 1, first_curve = script->curves + 1;
    for (int s = 0; s < count; s++) write_point(script, panel->sides[s].curve.end);
    for (int s = 0; s < count; s++)
        write_side(script, panel, s, first_point + (s + count - 1) % count, first_point + s);
    fprintf(script->file, "Curve Loop(%d) = {%d:%d};\n", number, first_curve, script->curves);
}

static void write_hole(Script* script, const WeftLoop* hole, int number) {
    WeftPanel panel = {.side_count = hole->side_count};
    panel.sides = need((size_t)hole->side_count, sizeof *panel.sides);
    for (int s = 0; s < hole->side_count; s++) panel.sides[s].curve = hole->sides[s];
    write_loop(script, &panel, number);
    free(panel.sides);
}

static bool write_script(const char* path, const WeftPanel* panel, double edge) {
    Script script = {.file = fopen(path, "w"), .edge = edge};
    if (!script.file) return false;
    if (panel) {
        // without these, sides that are curved get longer edges, and so does what is inside
        fprintf(script.file, "Mesh.CharacteristicLengthMin = %.17g;\n", edge);
        fprintf(script.file, "Mesh.CharacteristicLengthMax = %.17g;\n", edge);
        write_loop(&script, panel, 1);
        for (int h = 0; h < panel->hole_count; h++) write_hole(&script, &panel->holes[h], 2 + h);
        fprintf(script.file, "Plane Surface(1) = {1:%d};\n", 1 + panel->hole_count);
    }
    return fclose(script.file) == 0;
}

// ---------------------------------------------------------------------------------------------
// Back

// Past the line of this text.
static bool find_line(FILE* file, const char* text) {
    char line[256];
    while (fgets(line, sizeof line, file))
        if (strncmp(line, text, strlen(text)) == 0) return true;
    return false;
}

static bool read_points(FILE* file, FlatMesh* mesh) {
    if (!find_line(file, "$Nodes") || fscanf(file, "%d", &mesh->point_count) != 1) return false;
    if (mesh->point_count < 3) return false;
    mesh->points = need(2 * (size_t)mesh->point_count, sizeof(double));
    for (int i = 0; i < mesh->point_count; i++) {
        int number;
        double x, y, z;
        if (fscanf(file, "%d %lf %lf %lf", &number, &x, &y, &z) != 4) return false;
        if (number < 1 || number > mesh->point_count) return false;
        mesh->points[2 * number - 2] = x, mesh->points[2 * number - 1] = y;
    }
    return true;
}

// Of elements, triangles are those of type 2.
static bool read_triangles(FILE* file, FlatMesh* mesh) {
    char line[256];
    int count = 0;
    if (!find_line(file, "$Elements") || fscanf(file, "%d\n", &count) != 1) return false;
    mesh->triangles = need(3 * (size_t)count + 1, sizeof(int));
    for (int i = 0; i < count; i++) {
        int number, type, tags, tag[2], *t = mesh->triangles + 3 * (size_t)mesh->triangle_count;
        if (!fgets(line, sizeof line, file)) return false;
        if (sscanf(line, "%d %d %d", &number, &type, &tags) != 3) return false;
        if (type != 2) continue;
        if (tags != 2 ||
            sscanf(line, "%*d %*d %*d %d %d %d %d %d", &tag[0], &tag[1], &t[0], &t[1], &t[2]) != 5)
            return false;
        for (int k = 0; k < 3; k++) {
            if (t[k] < 1 || t[k] > mesh->point_count) return false;
            t[k]--;
        }
        mesh->triangle_count++;
    }
    return mesh->triangle_count > 0;
}

static bool read_mesh(const char* path, FlatMesh* mesh) {
    FILE* file = fopen(path, "r");
    *mesh = (FlatMesh){0};
    if (!file) return false;
    bool good = read_points(file, mesh) && read_triangles(file, mesh);
    fclose(file);
    if (!good) destroy_flat_mesh(mesh);
    return good;
}

// ---------------------------------------------------------------------------------------------

typedef struct Folder {
    char path[PATH_ROOM], script[PATH_ROOM + 16], mesh[PATH_ROOM + 16];
} Folder;

static bool open_folder(Folder* folder) {
    const char* place = getenv("TMPDIR");
    snprintf(folder->path, PATH_ROOM, "%.200s/weft-gmsh-XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(folder->path)) return false;
    snprintf(folder->script, sizeof folder->script, "%s/panel.geo", folder->path);
    snprintf(folder->mesh, sizeof folder->mesh, "%s/panel.msh", folder->path);
    return true;
}

static void close_folder(const Folder* folder) {
    remove(folder->script);
    remove(folder->mesh);
    rmdir(folder->path);
}

static bool mesh_script(const Folder* folder, double* seconds) {
    const char* const arguments[] = {folder->script, "-2",  "-format", "msh22", "-o",
                                     folder->mesh,   "-nt", "1",       NULL};
    return run_gmsh(arguments, seconds);
}

bool mesh_by_gmsh(const WeftPanel* panel, double edge, FlatMesh* mesh, double* seconds) {
    static double start = -1;  // s, that it takes to do nothing
    Folder folder;
    if (!open_folder(&folder)) return false;
    if (start < 0 && (!write_script(folder.script, NULL, edge) || !mesh_script(&folder, &start)))
        start = 0;
    bool good = write_script(folder.script, panel, edge) && mesh_script(&folder, seconds) &&
                read_mesh(folder.mesh, mesh);
    *seconds = fmax(*seconds - start, 0);
    close_folder(&folder);
    return good;
}
