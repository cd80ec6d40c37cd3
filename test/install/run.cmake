# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Every way into a program that the README names: install the build into a fresh folder, move that
# folder, then build and run use.c against it in C and C++, by pkg-config and by find_package,
# shared and static. Sources that are compiled along with it: along.cmake.

set(work ${BUILD}/test/install_package.files)
set(first ${work}/first)
set(prefix "${work}/installed")
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)

run(install ${CMAKE_COMMAND} --install ${BUILD} --prefix ${first})
file(RENAME ${first} ${prefix})  # a package that can be moved
file(GLOB_RECURSE pc ${prefix}/weft.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
get_filename_component(lib_folder ${pc_folder} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}:$ENV{PKG_CONFIG_PATH}")

foreach(language C CXX)
    set(compiler ${CC} -std=c17)
    set(source ${SOURCE}/test/install/use.c)
    if(language STREQUAL CXX)
        set(compiler ${CXX} -std=c++17)
        set(source ${SOURCE}/test/install/use.cpp)
    endif()
    list(APPEND compiler -Wall -Wextra -Wpedantic -Werror)

    set(packages weft)
    if(IO)
        list(APPEND packages weft_io)
    endif()
    foreach(package ${packages})
        set(define)
        if(package STREQUAL weft_io)
            set(define -DWITH_IO)
        endif()
        run(pkg-config ${PKG_CONFIG} --cflags --libs ${package})
        separate_arguments(flags UNIX_COMMAND "${output}")
        set(program ${work}/${language}_${package}_shared)
        run("${language} by pkg-config" ${compiler} ${define} ${source} -o ${program} ${flags}
            -Wl,-rpath,${lib_folder})
        use("${language}, pkg-config ${package}" ${program})
    endforeach()

    run(pkg-config ${PKG_CONFIG} --static --cflags --libs weft)
    separate_arguments(flags UNIX_COMMAND "${output}")
    list(TRANSFORM flags REPLACE "^-lweft$" "${lib_folder}/libweft.a")
    set(program ${work}/${language}_static)
    run("${language} by pkg-config, static" ${compiler} ${source} -o ${program} ${flags})
    use("${language}, pkg-config --static weft" ${program})

    set(tree ${work}/${language})
    run("configuring ${language} by find_package" ${CMAKE_COMMAND} -S ${SOURCE}/test/install
        -B ${tree} -DLANGUAGE=${language} -DCMAKE_PREFIX_PATH=${prefix}
        -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX})
    run("building ${language} by find_package" ${CMAKE_COMMAND} --build ${tree})
    foreach(program shared static shared_io static_io)
        if(EXISTS ${tree}/${program})
            use("${language}, find_package ${program}" ${tree}/${program})
        endif()
    endforeach()
endforeach()

# the tool, where it was built
if(EXISTS ${prefix}/bin/weft)
    run("the installed tool" ${prefix}/bin/weft --help)
endif()

# no package file names a folder of this machine
file(GLOB_RECURSE installed RELATIVE ${prefix} ${prefix}/*.pc ${prefix}/*.cmake)
foreach(path ${installed})
    file(READ ${prefix}/${path} text)
    foreach(folder ${SOURCE} ${BUILD} ${first})
        string(FIND "${text}" ${folder} place)
        if(NOT place EQUAL -1)
            message(FATAL_ERROR "${path} names ${folder}")
        endif()
    endforeach()
endforeach()
