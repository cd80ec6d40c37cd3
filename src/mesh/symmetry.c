#include "mesh/symmetry.h"
#include <string.h>
WeftResult wf_find_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          const WeftPlane* plane, double tolerance, int* images,
                          WeftSymmetry* symmetry) {
    (void)allocator, (void)plane, (void)tolerance;
    *symmetry = (WeftSymmetry){0};
    memcpy(images, cloth->images, (size_t)cloth->vertex_count * sizeof *images);
    return WEFT_OK;
}
