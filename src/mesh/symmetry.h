#ifndef WF_MESH_SYMMETRY_H
#define WF_MESH_SYMMETRY_H
#include "weft/weft.h"
WeftResult wf_find_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          const WeftPlane* plane, double tolerance, int* images,
                          WeftSymmetry* symmetry);
#endif
