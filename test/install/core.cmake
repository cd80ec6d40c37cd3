# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The core library alone takes a C compiler, CMake and a program that builds: no C++, no pkg-config
# and nothing from elsewhere. Configured, built and installed with nothing but those in the path;
# then use.c is built against it by find_package and pkg-config, shared and static.

set(work ${BUILD}/test/install_core.files)
set(prefix ${work}/installed)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work}/path)

include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)

# what a compiler calls itself
foreach(name as ld ar ranlib)
    find_program(${name}_program ${name} REQUIRED)
    file(CREATE_LINK ${${name}_program} ${work}/path/${name} SYMBOLIC)
endforeach()
set(bare ${CMAKE_COMMAND} -E env PATH=${work}/path --unset=CXX
    --unset=CMAKE_C_COMPILER_LAUNCHER)
run("configuring" ${bare} ${CMAKE_COMMAND} -S ${SOURCE} -B ${work}/build -G ${GENERATOR}
    -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM} -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Debug
    -DWEFT_BUILD_IO=OFF -DWEFT_BUILD_BENCH=OFF -DWEFT_BUILD_TESTS=OFF)
file(STRINGS ${work}/build/CMakeCache.txt taken REGEX "^(CMAKE_CXX_COMPILER|PKG_CONFIG_EXECUTABLE):")
if(taken)
    message(FATAL_ERROR "the core alone asks for more than C: ${taken}")
endif()
run("building" ${bare} ${CMAKE_COMMAND} --build ${work}/build)
run("installing" ${bare} ${CMAKE_COMMAND} --install ${work}/build --prefix ${prefix})

run("configuring by find_package" ${CMAKE_COMMAND} -S ${SOURCE}/test/install -B ${work}/found
    -DLANGUAGE=C -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC})
run("building by find_package" ${CMAKE_COMMAND} --build ${work}/found)
use("find_package shared" ${work}/found/shared)
use("find_package static" ${work}/found/static)

if(NOT PKG_CONFIG)
    return()
endif()
file(GLOB_RECURSE pc ${prefix}/weft.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
get_filename_component(lib_folder ${pc_folder} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
run("pkg-config" ${PKG_CONFIG} --cflags --libs weft)
separate_arguments(flags UNIX_COMMAND "${output}")
run("building by pkg-config" ${CC} ${SOURCE}/test/install/use.c -o shared ${flags}
    -Wl,-rpath,${lib_folder})
use("pkg-config" ${work}/shared)

# where there is only the static library, the flags are those that it takes
file(GLOB shared ${lib_folder}/libweft.so* ${lib_folder}/libweft*.dylib)
file(REMOVE ${shared})
run("pkg-config --static" ${PKG_CONFIG} --static --cflags --libs weft)
separate_arguments(flags UNIX_COMMAND "${output}")
run("building by pkg-config --static" ${CC} ${SOURCE}/test/install/use.c -o static ${flags})
use("pkg-config --static" ${work}/static)
