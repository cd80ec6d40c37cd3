// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Garments of a scene: read as a mesh of the kind "pattern", put on by weft_dress_scene.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/plane.h"
#include "base/vec.h"
#include "garment/frame.h"
#include "garment/openings.h"
#include "garment/pattern.h"
#include "io/file.h"
#include "io/scene_parts.h"

// ---------------------------------------------------------------------------------------------
// Reading

// The vertices of a body in its own frame and in the pose in which it is dressed; from the scene's
// allocator, NULL for lack of memory.
static double* dressing_pose(const WeftScene* scene, int body) {
    const WeftSceneBody* b = &scene->bodies[body];
    bool posed = b->figure.vertex_count > 0;
    size_t count = 3 * (size_t)b->mesh.vertex_count;
    double* positions = wf_alloc(&scene->allocator, count, sizeof *positions);
    for (size_t i = 0; i < count && positions; i++)
        positions[i] = posed ? b->scale * b->figure.positions[i] : b->mesh.positions[i];
    return positions;
}

// A body that can wear something.
static bool is_wearer(const WeftScene* scene, int body) {
    return scene->model.bodies[body].kind == WEFT_BODY_MESH &&
           scene->bodies[body].mesh.triangle_count > 0;
}

// The body of that name, or without one the only wearer there is; -1: there is none.
static int find_wearer(const WeftScene* scene, const char* name) {
    int found = -1;
    for (int i = 0; i < scene->model.body_count; i++) {
        const char* own = scene->bodies[i].name;
        if (!is_wearer(scene, i)) continue;
        if (name && (!own || strcmp(own, name) != 0)) continue;
        if (found < 0) found = i;
    }
    return found;
}

// Measures of the wearer, for patterns that go by them; false where it has none.
static bool measure_wearer(WfSceneReader* reader, int body, WeftMeasures* measures) {
    const WeftSceneBody* b = &reader->scene->bodies[body];
    double* positions = dressing_pose(reader->scene, body);
    bool good = positions && !weft_measure_body(positions, b->mesh.vertex_count, b->mesh.triangles,
                                                b->mesh.triangle_count, &reader->scene->allocator,
                                                measures, NULL);
    wf_free(&reader->scene->allocator, positions);
    return good;
}

static WeftSceneWear* add_wear(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    size_t count = (size_t)scene->wear_count;
    WeftSceneWear* wears = wf_alloc(&scene->allocator, count + 1, sizeof *wears);
    if (!wears) return NULL;
    if (count > 0) memcpy(wears, scene->wears, count * sizeof *wears);
    wf_free(&scene->allocator, scene->wears);
    scene->wears = wears;
    return &scene->wears[scene->wear_count++];
}

// What the pattern says it is made of, until the cloth says otherwise.
static WeftResult use_fabric(WfSceneReader* reader, const WeftSceneWear* wear) {
    WeftFabricFile file;
    if (!wear->pattern.fabric[0]) return WEFT_OK;
    WeftResult result = weft_find_fabric(wear->pattern.fabric, reader->folder, reader->fabrics,
                                         &file, reader->error);
    if (result) return result;
    reader->cloths[wear->cloth].fabric = file.fabric;
    wf_scene_set_look(reader->scene, wear->cloth, &file);
    return WEFT_OK;
}

bool wf_scene_set_panel_fabric(const WfSceneReader* reader, WeftSceneWear* wear, int panel,
                               const WeftFabricFile* file, bool own) {
    size_t count = (size_t)wear->pattern.panel_count;
    if (!wear->fabrics)
        wear->fabrics = wf_alloc(&reader->scene->allocator, count, sizeof *wear->fabrics);
    if (!wear->fabrics) return false;
    wear->fabrics[panel] = file->fabric;
    return wf_scene_set_panel_look(reader->scene, wear, panel, file, own);
}

// What panels say they are made of, whatever the cloth says.
static WeftResult use_panel_fabrics(WfSceneReader* reader, WeftSceneWear* wear) {
    WeftFabricFile file;
    WeftResult result = WEFT_OK;
    size_t count = (size_t)wear->pattern.panel_count;
    wear->looks = wf_alloc(&reader->scene->allocator, count, sizeof *wear->looks);
    if (!wear->looks) return wf_fail_memory(reader->error);
    for (size_t p = 0; p < count; p++) wear->looks[p] = wear->cloth;
    for (int p = 0; p < wear->pattern.panel_count && !result; p++) {
        const WeftPanel* panel = &wear->pattern.panels[p];
        if (!panel->fabric[0]) continue;
        result =
            weft_find_fabric(panel->fabric, reader->folder, reader->fabrics, &file, reader->error);
        if (result)
            wf_fail_prefix(reader->error, result, "panel \"%s\": ", panel->name);
        else if (!wf_scene_set_panel_fabric(reader, wear, p, &file, false))
            return wf_fail_memory(reader->error);
    }
    return result;
}

const WeftSceneWear* wf_scene_find_wear(const WeftScene* scene, int cloth) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].cloth == cloth) return &scene->wears[i];
    return NULL;
}

WeftSceneWear* wf_scene_present_wear(const WfSceneReader* reader) {
    const WeftScene* scene = reader->scene;
    WeftSceneWear* wear = scene->wear_count > 0 ? &scene->wears[scene->wear_count - 1] : NULL;
    return wear && reader->mesh == &scene->meshes[wear->cloth] ? wear : NULL;
}

void wf_scene_finish_garment(WfSceneReader* reader) {
    const WeftSceneWear* wear = wf_scene_present_wear(reader);
    if (!wear || !wear->fabrics) return;
    WeftClothDef* cloth = &reader->cloths[wear->cloth];
    for (int p = 0; p < wear->pattern.panel_count; p++)
        if (wear->looks[p] == wear->cloth) wear->fabrics[p] = cloth->fabric;
    cloth->fabrics = wear->fabrics;
    cloth->fabric_count = wear->pattern.panel_count;
    cloth->triangle_fabric = wear->garment.panels;
}

static bool has_line(const WeftFindings* findings, const char* line) {
    for (int i = 0; i < findings->count; i++)
        if (strcmp(findings->lines[i], line) == 0) return true;
    return false;
}

// To the findings of the scene, once each, with the name of the pattern's file. Frees `found`.
static WeftResult tell(WfSceneReader* reader, const char* path, WeftFindings* found) {
    WeftFindings* to = &reader->scene->findings;
    WeftResult result = WEFT_OK;
    for (int i = 0; i < found->count && !result; i++) {
        char line[sizeof *to->lines];
        snprintf(line, sizeof line, "%.60s: %s", wf_file_name(path), found->lines[i]);
        if (!has_line(to, line)) result = wf_find(to, reader->error, "%s", line);
    }
    weft_destroy_findings(found);
    return result;
}

bool wf_scene_mirrors_body(const WeftScene* scene, int body) {
    const WeftBodyDef* def = &scene->model.bodies[body];
    WfFrame frame = wf_frame_of(def->position, def->rotation);
    WfPlane mirror;
    if (!wf_make_plane(&scene->model.mirror.plane, &mirror)) return false;
    double along = wf_dot(wf_frame_turn(frame, (WfVec){1, 0, 0}), mirror.normal);
    return fabs(fabs(along) - 1) < 1e-9 && fabs(wf_plane_height(&mirror, frame.origin)) < 1e-9;
}

// Where there is a mirror, a pattern that is its own mirror image to the last bit; or the scene is
// simulated as a whole.
static WeftResult mirror_pattern(WfSceneReader* reader, WeftSceneWear* wear, WeftFindings* found) {
    WeftScene* scene = reader->scene;
    WeftPatternSymmetry symmetry;
    WeftError error;
    if (scene->model.mirror.kind == WEFT_MIRROR_NONE) return WEFT_OK;
    if (!wf_scene_mirrors_body(scene, wear->body))
        return wf_scene_give_up_mirror(
            reader, "garments are symmetric about x = 0 of their body, and this plane is another");
    double bound = scene->bound > 0 ? scene->bound : 1e-9;
    WeftResult result = weft_mirror_pattern(&wear->pattern, bound, &symmetry, found, &error);
    if (result != WEFT_ERROR_INPUT) return result;
    return wf_scene_give_up_mirror(reader, error.message);
}

// Read, place and sew.
static WeftResult make_pattern(WfSceneReader* reader, const WfSceneNode* node, const char* path,
                               WeftSceneWear* wear, WeftFindings* found) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    WeftMeasures measures;
    bool measured = measure_wearer(reader, wear->body, &measures);
    WeftResult result = weft_load_pattern(path, measured ? &measures : NULL, allocator,
                                          &wear->pattern, found, reader->error);
    if (!result && measured)
        result = weft_place_pattern(&wear->pattern, &measures, found, reader->error);
    if (!result) result = mirror_pattern(reader, wear, found);
    if (result) return result;
    result = measured ? wf_sew_worn(&wear->pattern, wear->edge, measures.height, allocator,
                                    &wear->garment, found, reader->error)
                      : weft_sew_pattern(&wear->pattern, wear->edge, allocator, &wear->garment,
                                         found, reader->error);
    return result == WEFT_ERROR_INPUT ? wf_scene_fail_prefix(reader, node, result) : result;
}

WeftResult wf_scene_make_garment(WfSceneReader* reader, const WfSceneNode* node, const char* path,
                                 const char* wearer, double edge) {
    WeftScene* scene = reader->scene;
    int body = find_wearer(scene, wearer);
    if (body < 0 && wearer)
        return wf_scene_fail(reader, node, "there is no body \"%s\" of triangles to wear this",
                             wearer);
    if (body < 0)
        return wf_scene_fail(reader, node, "there is no body to wear this: a mannequin or a mesh");
    WeftSceneWear* wear = add_wear(reader);
    if (!wear) return wf_fail_memory(reader->error);
    wear->cloth = (int)(reader->mesh - scene->meshes);
    wear->body = body;
    wear->edge = edge;
    WeftFindings found = {.allocator = scene->allocator};
    WeftResult result = make_pattern(reader, node, path, wear, &found);
    WeftResult told = tell(reader, path, &found);
    if (!result) result = told;
    if (result) return result;
    result = use_fabric(reader, wear);
    if (!result) result = use_panel_fabrics(reader, wear);
    if (result) wf_fail_prefix(reader->error, result, "%s: ", path);
    if (result == WEFT_ERROR_INPUT) return wf_scene_fail_prefix(reader, node, result);
    if (result) return result;
    *reader->mesh = wear->garment.mesh;
    wear->garment.mesh = (WeftMesh){0};
    return WEFT_OK;
}

bool wf_scene_place_garment(WfSceneReader* reader, const WfStand* stand) {
    WeftSceneWear* wear = wf_scene_present_wear(reader);
    if (!wear) return false;
    double turn[4];
    wf_scene_quaternion(stand->axis, stand->degrees, turn);
    WfFrame frame = wf_frame_of(stand->move, turn);
    for (int p = 0; p < wear->pattern.panel_count; p++) {
        WeftPanelPlace* place = &wear->pattern.panels[p].place;
        WfFrame moved = wf_frame_join(frame, wf_frame_of(place->position, place->rotation));
        wf_store(place->position, 0, moved.origin);
        wf_store(place->rotation, 0, moved.turn);
        place->rotation[3] = moved.w;
    }
    return true;
}

void wf_scene_free_wears(WeftScene* scene) {
    for (int i = 0; i < scene->wear_count; i++) {
        weft_destroy_pattern(&scene->wears[i].pattern);
        weft_destroy_garment(&scene->wears[i].garment);
        wf_free(&scene->allocator, scene->wears[i].holds);
        wf_free(&scene->allocator, scene->wears[i].fabrics);
        wf_free(&scene->allocator, scene->wears[i].plain);
        wf_free(&scene->allocator, scene->wears[i].looks);
    }
    wf_free(&scene->allocator, scene->wears);
}

// ---------------------------------------------------------------------------------------------
// Putting on: all that one body wears, in its own frame

typedef struct Dresser {
    WeftScene* scene;
    int body;
    WeftDressDef def;
    WeftWearDef* wears;
    int* numbers;  // of the scene's wears
    WeftError* error;
    WeftResult posed;
} Dresser;

// Between the pose in which it is dressed and that at which the scene starts.
static void take_pose(void* user, double part, double* positions) {
    Dresser* dresser = user;
    const WeftSceneBody* b = &dresser->scene->bodies[dresser->body];
    WeftResult result = weft_blend_figure(&b->figure, -1, 0, b->clip, b->clip_start, part,
                                          positions, dresser->error);
    if (result) dresser->posed = result;
    for (long i = 0; i < 3L * b->mesh.vertex_count; i++) positions[i] *= b->scale;
}

#define LEVEL 0.9999  // the cosine of the slope that a floor may have

// The height of the highest plane that is level for a body, in its frame; or minus infinity.
static double find_floor(const WeftScene* scene, const WeftBodyDef* wearer) {
    WfFrame to = wf_frame_invert(wf_frame_of(wearer->position, wearer->rotation));
    double floor = -HUGE_VAL;
    for (int i = 0; i < scene->model.body_count; i++) {
        const WeftBodyDef* body = &scene->model.bodies[i];
        if (body->kind != WEFT_BODY_PLANE) continue;
        WfFrame frame = wf_frame_join(to, wf_frame_of(body->position, body->rotation));
        if (wf_frame_turn(frame, (WfVec){0, 1, 0}).y > LEVEL) floor = fmax(floor, frame.origin.y);
    }
    return floor;
}

static void list_wears(Dresser* dresser, const double* pose) {
    WeftScene* scene = dresser->scene;
    const WeftSceneBody* b = &scene->bodies[dresser->body];
    WeftDressDef* def = &dresser->def;
    *def = weft_default_dress_def();
    for (int i = 0; i < scene->wear_count; i++) {
        const WeftSceneWear* wear = &scene->wears[i];
        if (wear->body != dresser->body) continue;
        dresser->numbers[def->wear_count] = i;
        dresser->wears[def->wear_count++] =
            (WeftWearDef){.pattern = &wear->pattern,
                          .edge = wear->edge,
                          .fabric = scene->model.cloths[wear->cloth].fabric,
                          .panel_fabrics = wear->fabrics};
    }
    def->wear = dresser->wears;
    def->vertex_count = b->mesh.vertex_count;
    def->positions = pose;
    def->triangle_count = b->mesh.triangle_count;
    def->triangles = b->mesh.triangles;
    def->friction = scene->model.bodies[dresser->body].friction;
    def->floor = find_floor(scene, &scene->model.bodies[dresser->body]);
    def->step = scene->model.step;
    def->allocator = scene->allocator;
    def->jobs = scene->model.jobs;
    if (scene->model.mirror.kind != WEFT_MIRROR_NONE) {
        def->mirror = weft_default_model_def().mirror;
        def->mirror.kind = WEFT_MIRROR_EXACT;
    }
    if (b->figure.vertex_count > 0 && b->clip >= 0) def->pose = take_pose, def->pose_user = dresser;
}

// Pins of the def, and those that are held: the factor is made with them.
static WeftResult pin_holds(WeftScene* scene, const WeftSceneWear* wear) {
    WeftClothDef* cloth = (WeftClothDef*)&scene->model.cloths[wear->cloth];
    size_t count = (size_t)(cloth->pin_count + wear->hold_count);
    int* pins = wf_alloc(&scene->allocator, count, sizeof *pins);
    if (!pins) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < cloth->pin_count; i++) pins[i] = cloth->pins[i];
    for (int i = 0; i < wear->hold_count; i++) pins[cloth->pin_count + i] = wear->holds[i].vertex;
    wf_free(&scene->allocator, (void*)cloth->pins);
    cloth->pins = pins;
    cloth->pin_count = (int)count;
    return WEFT_OK;
}

static const double DRIFT = 1e-6;  // m/s across a mirror: what files of floats round to

// What is worn comes along with its body, and is not left behind in its first frame.
bool wf_scene_wear_speed(const WeftScene* scene, const WeftSceneWear* wear, double velocity[3]) {
    const WeftSceneBody* body = &scene->bodies[wear->body];
    const WeftBodyDef* def = &scene->model.bodies[wear->body];
    long n = body->mesh.vertex_count;
    if (body->shape.key_count < 2) return false;
    const double *from = body->shape.positions, *to = from + 3 * n;
    WfVec way = {0, 0, 0};
    for (int i = 0; i < n; i++) way = wf_add(way, wf_sub(wf_load(to, i), wf_load(from, i)));
    way = wf_mul(1 / ((double)n * (body->shape.times[1] - body->shape.times[0])), way);
    way = wf_frame_turn(wf_frame_of(def->position, def->rotation), way);
    WfPlane mirror;
    bool halved = scene->model.mirror.kind != WEFT_MIRROR_NONE &&
                  wf_make_plane(&scene->model.mirror.plane, &mirror);
    if (halved && fabs(wf_dot(mirror.normal, way)) < DRIFT) way = wf_plane_flatten(&mirror, way);
    wf_store(velocity, 0, way);
    return true;
}

static void take_speed(WeftScene* scene, const WeftSceneWear* wear) {
    WeftClothDef* cloth = (WeftClothDef*)&scene->model.cloths[wear->cloth];
    wf_scene_wear_speed(scene, wear, cloth->velocity);
}

// What it is made of, before the mesh that shows it counts.
static WeftResult keep_plain(WeftScene* scene, WeftSceneWear* wear) {
    int count = wear->fabrics ? wear->pattern.panel_count : 0;
    if (wear->plain) return WEFT_OK;
    wear->plain = wf_alloc(&scene->allocator, 1 + (size_t)count, sizeof *wear->plain);
    if (!wear->plain) return WEFT_ERROR_MEMORY;
    wear->plain[0] = scene->model.cloths[wear->cloth].fabric;
    for (int p = 0; p < count; p++) wear->plain[1 + p] = wear->fabrics[p];
    return WEFT_OK;
}

WeftResult wf_scene_copy_holds(const WeftScene* scene, WeftSceneWear* wear,
                               const WeftBodyPoint* holds, int count) {
    WeftBodyPoint* copy = wf_alloc(&scene->allocator, (size_t)count, sizeof *copy);
    if (!copy) return WEFT_ERROR_MEMORY;
    if (count > 0) memcpy(copy, holds, (size_t)count * sizeof *copy);
    wf_free(&scene->allocator, wear->holds);
    wear->holds = copy;
    wear->hold_count = count;
    return WEFT_OK;
}

WeftResult wf_scene_hold_wear(WeftScene* scene, WeftSceneWear* wear, const WeftBodyPoint* holds,
                              int count, WeftError* error) {
    if (wf_scene_copy_holds(scene, wear, holds, count)) return wf_fail_memory(error);
    if (count > 0 && pin_holds(scene, wear)) return wf_fail_memory(error);
    if (keep_plain(scene, wear)) return wf_fail_memory(error);
    take_speed(scene, wear);
    WeftFabric* fabric = (WeftFabric*)&scene->model.cloths[wear->cloth].fabric;
    *fabric = weft_garment_fabric(fabric, wear->edge);
    for (int p = 0; p < wear->pattern.panel_count && wear->fabrics; p++)
        wear->fabrics[p] = weft_garment_fabric(&wear->fabrics[p], wear->edge);
    return WEFT_OK;
}

// From the frame of the body to that of the scene.
static WeftResult take_over(Dresser* dresser, const WeftWorn* worn, int number) {
    WeftScene* scene = dresser->scene;
    WeftSceneWear* wear = &scene->wears[number];
    const WeftBodyDef* def = &scene->model.bodies[dresser->body];
    WfFrame frame = wf_frame_of(def->position, def->rotation);
    WeftMesh* mesh = &scene->meshes[wear->cloth];
    for (int v = 0; v < mesh->vertex_count; v++)
        wf_store(mesh->positions, v,
                 wf_frame_apply(frame, wf_load(worn->garment.mesh.positions, v)));
    wear->open = 0, wear->open_seam = -1;
    for (int s = 0; s < worn->garment.seam_count; s++)
        if (worn->seam_gap[s] > wear->open) wear->open = worn->seam_gap[s], wear->open_seam = s;
    wear->stretch = worn->stretch;
    return wf_scene_hold_wear(scene, wear, worn->holds, worn->hold_count, dresser->error);
}

// Whether it was told when the scene was read: garments are sewn there for the first time.
static bool is_told(const WeftScene* scene, const char* line) {
    for (int i = 0; i < scene->findings.count; i++) {
        // what did not fit behind the name of its file is not there
        const char* told = strstr(scene->findings.lines[i], ": ");
        if (told && strncmp(told + 2, line, strlen(told + 2)) == 0) return true;
    }
    return false;
}

static WeftResult copy_findings(const WeftScene* scene, const WeftFindings* from, WeftFindings* to,
                                WeftError* error) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < from->count && !result && to; i++)
        if (!is_told(scene, from->lines[i])) result = wf_find(to, error, "%s", from->lines[i]);
    return result;
}

static WeftResult dress_body(Dresser* dresser, WeftFindings* findings) {
    WeftScene* scene = dresser->scene;
    size_t count = (size_t)scene->wear_count;
    bool (*progress)(void*, double, const char*) = dresser->def.progress;
    void* user = dresser->def.progress_user;
    WeftOutfit outfit = {0};
    double* pose = dressing_pose(scene, dresser->body);
    dresser->wears = wf_alloc(&scene->allocator, count, sizeof *dresser->wears);
    dresser->numbers = wf_alloc(&scene->allocator, count, sizeof *dresser->numbers);
    WeftResult result =
        pose && dresser->wears && dresser->numbers ? WEFT_OK : wf_fail_memory(dresser->error);
    if (!result) list_wears(dresser, pose);
    dresser->def.progress = progress, dresser->def.progress_user = user;
    if (!result) result = weft_dress(&dresser->def, &outfit, dresser->error);
    if (!result) result = dresser->posed;
    for (int i = 0; i < outfit.worn_count && !result; i++)
        result = take_over(dresser, &outfit.worn[i], dresser->numbers[i]);
    if (!result) result = copy_findings(scene, &outfit.findings, findings, dresser->error);
    weft_destroy_outfit(&outfit);
    wf_free(&scene->allocator, pose);
    wf_free(&scene->allocator, dresser->wears);
    wf_free(&scene->allocator, dresser->numbers);
    return result;
}

// Whether it has something to put on, which is not done yet.
static bool is_to_dress(const WeftScene* scene, int body) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].body == body && scene->wears[i].stretch == 0) return true;
    return false;
}

WeftResult weft_dress_scene(WeftScene* scene,
                            bool (*progress)(void* user, double part, const char* stage),
                            void* user, WeftFindings* findings, WeftError* error) {
    WeftError unheard;
    WeftResult result = WEFT_OK;
    for (int b = 0; b < scene->model.body_count && !result && !scene->dressed; b++) {
        if (!is_to_dress(scene, b)) continue;
        Dresser dresser = {.scene = scene, .body = b, .error = error ? error : &unheard};
        dresser.def.progress = progress, dresser.def.progress_user = user;
        result = dress_body(&dresser, findings);
    }
    if (!result) scene->dressed = true;
    return result;
}
