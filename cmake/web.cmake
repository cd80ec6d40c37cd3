# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The core as a WebAssembly module for the page: bin/weft.wasm, which needs no JavaScript of
# Emscripten's. It exports what web/core/exports.txt lists. Scenes are read by the same code as
# everywhere; JSON is parsed by the page (web/core/json).

file(GLOB web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/core/*.c)
# patterns are only read here: their writer is left out, and so are figures, which take assimp
file(GLOB reader_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/io/scene*.c
     ${PROJECT_SOURCE_DIR}/src/io/show*.c ${PROJECT_SOURCE_DIR}/src/io/detail*.c
     ${PROJECT_SOURCE_DIR}/src/io/pattern/*.c)
list(FILTER reader_sources EXCLUDE REGEX "/pattern/write\\.c$")
foreach(name words number file output polygon obj_read pc2_read fabric fabric_find look writer
        write_glb write_glb_json write_glb_look split png weave)
    list(APPEND reader_sources ${PROJECT_SOURCE_DIR}/src/io/${name}.c)
endforeach()
# no assimp here: bodies are OBJ files and mannequins
list(APPEND reader_sources ${PROJECT_SOURCE_DIR}/src/io/plain/figure_plain.c)
# XPBD, which the page compares weft with
file(GLOB rival_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/rival/xpbd*.c
     ${PROJECT_SOURCE_DIR}/bench/rival/rival.c ${PROJECT_SOURCE_DIR}/bench/rival/scene_net.c)
list(FILTER rival_sources EXCLUDE REGEX "/xpbd_motion\\.c$")
list(APPEND rival_sources ${PROJECT_SOURCE_DIR}/bench/net.c)
# one module with and without threads: atomics work in a memory that is not shared, too
set(web_features -msimd128 -matomics -mbulk-memory)
target_compile_options(weft_core_objects PRIVATE ${web_features})

add_executable(weft_web ${web_sources} ${reader_sources} ${rival_sources}
    $<TARGET_OBJECTS:weft_core_objects>)
set_target_properties(weft_web PROPERTIES OUTPUT_NAME weft SUFFIX .wasm)
target_include_directories(weft_web PRIVATE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR}/bench/rival
    ${PROJECT_SOURCE_DIR}/web/core
    ${PROJECT_SOURCE_DIR}/web/core/json)
target_compile_options(weft_web PRIVATE ${weft_c_options} ${web_features})

set(exports ${PROJECT_SOURCE_DIR}/web/core/exports.txt)
# what the page provides is known to its loader (web/src/sim/core.ts), not to the linker
target_link_options(weft_web PRIVATE -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0)
target_link_options(weft_web PRIVATE --no-entry -sSTANDALONE_WASM -sFILESYSTEM=0
    -Wl,--wrap=fopen,--wrap=rename,--wrap=remove -sEXPORTED_FUNCTIONS=@${exports})
# The loader brings the memory, shared where that is allowed (web/src/sim/module.ts has the same
# sizes). Emscripten's own library is compiled without atomics, hence the unchecked features: it is
# used by one thread alone, as blocks of work allocate nothing.
target_link_options(weft_web PRIVATE -sIMPORTED_MEMORY -sINITIAL_MEMORY=16MB
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -Wl,--shared-memory,--no-check-features)
set_target_properties(weft_web PROPERTIES LINK_DEPENDS ${exports})
