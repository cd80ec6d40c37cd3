// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Materials of GLB files by looks. What core glTF has no word for is said by extensions that
// viewers may pass over: sheen, anisotropy, specular, and the size of textures, which repeat over
// coordinates in metres. All of the look is in the extras, as "weft_look".
//
// Threads are a normal map, one for each weave, and its scale is the relief. Prints are a base
// colour. Tangents of the cloth run along u, so that where the warp does, textures are turned.
//
// Left out: KHR_materials_diffuse_transmission, which hardly any viewer knows; the reverse, for
// which there are no words at all. Cloth that hides nearly all is opaque: blended triangles are
// not sorted, and would show.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/glb.h"
#include "io/png.h"
#include "io/scene_parts.h"
#include "io/weave.h"

static const double OPAQUE = 0.9;

const WfGlbLook* wf_glb_look(const WeftWriter* writer, int index) {
    const WfGlb* glb = writer->data;
    return writer->looks && writer->looks[index].look ? &glb->looks[index] : NULL;
}

static int look_count(const WeftWriter* writer) {
    return writer->looks ? writer->part_count + writer->material_count : 0;
}

// ---------------------------------------------------------------------------------------------
// Pictures

static WfGlbImage* add_image(WfGlb* glb, const WeftAllocator* allocator, size_t size) {
    WfGlbImage* image = &glb->images[glb->image_count];
    *image = (WfGlbImage){.size = (uint32_t)size, .at = glb->image_size};
    image->bytes = wf_alloc(allocator, size, 1);
    if (!image->bytes) return NULL;
    glb->image_count++;
    glb->image_size += ((uint32_t)size + 3) / 4 * 4;
    return image;
}

// Returns its number, or -1.
static int add_tile(WfGlb* glb, const WeftAllocator* allocator, const WfTile tile) {
    WfGlbImage* image = add_image(glb, allocator, wf_png_size(WF_TILE, WF_TILE));
    if (!image) return -1;
    image->kind = "png";
    wf_make_png(WF_TILE, WF_TILE, tile, image->bytes);
    return glb->image_count - 1;
}

static double big(const unsigned char* bytes, int count) {
    double number = 0;
    for (int k = 0; k < count; k++) number = 256 * number + bytes[k];
    return number;
}

// Height over width; 0 where it is neither PNG nor JPEG.
static double find_shape(const unsigned char* bytes, size_t size, const char** kind) {
    if (size > 24 && memcmp(bytes, "\x89PNG", 4) == 0) {
        *kind = "png";
        return big(bytes + 16, 4) > 0 ? big(bytes + 20, 4) / big(bytes + 16, 4) : 0;
    }
    if (size < 4 || bytes[0] != 0xff || bytes[1] != 0xd8) return 0;
    *kind = "jpeg";
    // segments up to the one that starts the frame, which has the size
    for (size_t at = 2; at + 9 < size && bytes[at] == 0xff;) {
        int mark = bytes[at + 1];
        if (mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 && mark != 0xcc)
            return big(bytes + at + 7, 2) > 0 ? big(bytes + at + 5, 2) / big(bytes + at + 7, 2) : 0;
        at += 2 + (size_t)big(bytes + at + 2, 2);
    }
    return 0;
}

static WeftResult add_picture(WeftWriter* writer, const WeftPrint* print, WfGlbLook* made,
                              WeftError* error) {
    WfGlb* glb = writer->data;
    const char* kind = "png";
    char* bytes = NULL;
    size_t size = 0;
    char path[4096];
    bool beside = writer->folder && writer->folder[0] && !wf_is_absolute(print->file);
    int length = snprintf(path, sizeof path, "%s%s%s", beside ? writer->folder : "",
                          beside ? "/" : "", print->file);
    if (length >= (int)sizeof path)
        return wf_fail(error, WEFT_ERROR_FILE, "the path of a print is too long");
    WeftResult result = wf_read_file(path, &writer->allocator, &bytes, &size, error);
    double shape = result ? 0 : find_shape((unsigned char*)bytes, size, &kind);
    if (!result && !(shape > 0))
        result = wf_fail(error, WEFT_ERROR_INPUT,
                         "%.300s: a print must be a picture in a PNG or JPEG file", path);
    WfGlbImage* image = result ? NULL : add_image(glb, &writer->allocator, size);
    if (!result && !image) result = wf_fail_memory(error);
    if (!result) {
        image->kind = kind;
        memcpy(image->bytes, bytes, size);
        made->print = glb->image_count - 1;
        made->print_height = print->size * shape;
    }
    wf_free(&writer->allocator, bytes);
    return result;
}

static WeftResult add_print(WeftWriter* writer, const WeftLook* look, WfGlbLook* made,
                            WeftError* error) {
    WfTile tile;
    made->print_height = look->print.size;
    if (look->print.kind == WEFT_PRINT_NONE) return WEFT_OK;
    if (look->print.kind == WEFT_PRINT_PICTURE)
        return add_picture(writer, &look->print, made, error);
    wf_draw_print(look, tile);
    made->print = add_tile(writer->data, &writer->allocator, tile);
    return made->print < 0 ? wf_fail_memory(error) : WEFT_OK;
}

WeftResult wf_glb_make_looks(WeftWriter* writer, WeftError* error) {
    WfGlb* glb = writer->data;
    size_t count = (size_t)look_count(writer);
    int weaves[WEFT_WEAVE_RIPSTOP + 1] = {0}, threads[WEFT_WEAVE_RIPSTOP + 1];
    glb->looks = wf_alloc(&writer->allocator, count, sizeof *glb->looks);
    glb->images = wf_alloc(&writer->allocator, 2 * count, sizeof *glb->images);
    if (!glb->looks || !glb->images) return wf_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const WeftLook* look = writer->looks[i].look;
        WfGlbLook* made = &glb->looks[i];
        *made = (WfGlbLook){.look = look, .weave = -1, .print = -1};
        made->turned = !writer->looks[i].warp_along_v;
        if (!look || !writer->texture) continue;
        if (weaves[look->weave] == 0) {
            WfTile tile;
            threads[look->weave] = wf_draw_weave(look->weave, tile);
            weaves[look->weave] = 1 + add_tile(glb, &writer->allocator, tile);
            if (weaves[look->weave] == 0) return wf_fail_memory(error);
        }
        made->weave = weaves[look->weave] - 1;
        made->weave_size = threads[look->weave] * look->thread;
        WeftResult result = add_print(writer, look, made, error);
        if (result) return result;
    }
    return WEFT_OK;
}

void wf_glb_free_looks(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    for (int i = 0; i < glb->image_count; i++) wf_free(&writer->allocator, glb->images[i].bytes);
    wf_free(&writer->allocator, glb->images);
    wf_free(&writer->allocator, glb->looks);
}

// filled up to whole words
void wf_glb_put_images(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    for (int i = 0; i < glb->image_count; i++) {
        wf_put(writer, glb->images[i].bytes, glb->images[i].size);
        wf_put(writer, "\0\0", (4 - glb->images[i].size % 4) % 4);
    }
}

// ---------------------------------------------------------------------------------------------
// JSON

static const double QUARTER_TURN = 1.5707963267948966;  // radians

// x^2.4 = x^2 (x^2)^(1/5), 0 < x <= 1; the root by Newton's steps from above.
static double power_2_4(double x) {
    double square = x * x, root = 1;
    for (int i = 0; i < 40; i++) {
        double fourth = root * root * root * root;
        root -= (root * fourth - square) / (5 * fourth);
    }
    return square * root;
}

static double linear(uint32_t colour, int channel) {
    double s = (colour >> (16 - 8 * channel) & 255) / 255.0;
    return s <= 0.04045 ? s / 12.92 : power_2_4((s + 0.055) / 1.055);
}

static void put_double(WeftWriter* writer, double value) { wf_put_number(writer, (float)value); }

static void put_field(WeftWriter* writer, const char* key, double value) {
    wf_put_text(writer, "\"%s\":", key);
    put_double(writer, value);
}

static void put_light(WeftWriter* writer, const char* key, uint32_t colour, double part) {
    wf_put_text(writer, "\"%s\":[", key);
    for (int k = 0; k < 3; k++) {
        if (k > 0) wf_put(writer, ",", 1);
        put_double(writer, part * linear(colour, k));
    }
}

// A texture that repeats after so many metres across and along the warp. The warp is upright in
// it; where it runs along u, pictures are turned by a quarter.
static void put_texture_info(WeftWriter* writer, const WfGlbLook* made, int image, double across,
                             double along) {
    wf_put_text(writer, "\"index\":%d,\"extensions\":{\"KHR_texture_transform\":{", image);
    if (made->turned) put_field(writer, "rotation", QUARTER_TURN);
    wf_put_text(writer, "%s\"scale\":[", made->turned ? "," : "");
    put_double(writer, 1 / (made->turned ? along : across));
    wf_put(writer, ",", 1);
    put_double(writer, 1 / (made->turned ? across : along));
    wf_put_text(writer, "]}}");
}

static void put_surface(WeftWriter* writer, const WfGlbLook* made) {
    const WeftLook* look = made->look;
    wf_put_text(writer, "\"pbrMetallicRoughness\":{");
    put_light(writer, "baseColorFactor", made->print < 0 ? look->colour : 0xffffff, 1);
    wf_put(writer, ",", 1);
    put_double(writer, look->opacity < OPAQUE ? look->opacity : 1);
    wf_put_text(writer, "],\"metallicFactor\":0,");
    put_field(writer, "roughnessFactor", look->roughness);
    if (made->print >= 0) {
        wf_put_text(writer, ",\"baseColorTexture\":{");
        put_texture_info(writer, made, made->print, look->print.size, made->print_height);
        wf_put(writer, "}", 1);
    }
    wf_put(writer, "}", 1);
    if (look->opacity < OPAQUE) wf_put_text(writer, ",\"alphaMode\":\"BLEND\"");
    if (made->weave < 0) return;
    wf_put_text(writer, ",\"normalTexture\":{");
    put_field(writer, "scale", look->relief);
    wf_put(writer, ",", 1);
    put_texture_info(writer, made, made->weave, made->weave_size, made->weave_size);
    wf_put(writer, "}", 1);
}

// Highlights are long along the tangent, which is turned where they are to be long along v: across
// the warp along u, or the other way round.
static bool is_anisotropic(const WfGlbLook* made) {
    return made->weave >= 0 && made->look->anisotropy != 0;
}

static void put_extensions(WeftWriter* writer, const WfGlbLook* made) {
    const WeftLook* look = made->look;
    bool along_v = made->turned == (look->anisotropy > 0);
    wf_put_text(writer, ",\"extensions\":{\"KHR_materials_specular\":{");
    put_field(writer, "specularFactor", look->specular);
    wf_put_text(writer, "},\"KHR_materials_sheen\":{");
    put_light(writer, "sheenColorFactor", look->sheen_colour, look->sheen);
    wf_put_text(writer, "],");
    put_field(writer, "sheenRoughnessFactor", look->sheen_roughness);
    if (is_anisotropic(made)) {
        wf_put_text(writer, "},\"KHR_materials_anisotropy\":{");
        put_field(writer, "anisotropyStrength", fabs(look->anisotropy));
        wf_put(writer, ",", 1);
        put_field(writer, "anisotropyRotation", along_v ? QUARTER_TURN : 0);
    }
    wf_put_text(writer, "}}");
}

void wf_put_look_material(WeftWriter* writer, const char* name, const WfGlbLook* made) {
    char json[WF_GLB_LOOK_TEXT];
    weft_print_look(made->look, json, sizeof json);
    wf_put_text(writer, "{\"name\":\"%s\",\"doubleSided\":true,", name);
    put_surface(writer, made);
    put_extensions(writer, made);
    wf_put_text(writer, ",\"extras\":{\"weft_look\":%s}}", json);
}

void wf_put_extensions_used(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    bool any = false, anisotropic = false;
    for (int i = 0; i < look_count(writer); i++) {
        const WfGlbLook* made = wf_glb_look(writer, i);
        any = any || made;
        anisotropic = anisotropic || (made && is_anisotropic(made));
    }
    if (!any) return;
    wf_put_text(writer,
                "\"extensionsUsed\":[\"KHR_materials_sheen\",\"KHR_materials_specular\"%s%s],\n",
                anisotropic ? ",\"KHR_materials_anisotropy\"" : "",
                glb->image_count > 0 ? ",\"KHR_texture_transform\"" : "");
}

// first_view: of the buffer views that hold pictures.
void wf_put_textures(WeftWriter* writer, int first_view) {
    const WfGlb* glb = writer->data;
    if (glb->image_count == 0) return;
    wf_put_text(writer, "\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987}],\n\"textures\":[");
    for (int i = 0; i < glb->image_count; i++)
        wf_put_text(writer, "%s{\"sampler\":0,\"source\":%d}", i > 0 ? "," : "", i);
    wf_put_text(writer, "],\n\"images\":[");
    for (int i = 0; i < glb->image_count; i++)
        wf_put_text(writer, "%s{\"bufferView\":%d,\"mimeType\":\"image/%s\"}", i > 0 ? "," : "",
                    first_view + i, glb->images[i].kind);
    wf_put_text(writer, "],\n");
}
