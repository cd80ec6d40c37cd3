# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The core as one file (tools/single.pl). WAY:
#
#     run     compiled by CC, without a warning; then the tests of golden hashes are linked with it,
#             and find the same bits
#     quick   the same without optimising, and without test_determinism, which is slow then
#     build   compiled only: CC makes programs that do not run here
#     msvc    read by clang as MSVC would read it, with headers of this system

set(single ${BUILD}/single)
set(work ${BUILD}/test/${NAME}.files)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(strict -std=c17 -Wall -Wextra -pedantic -Werror)

include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)

if(WAY STREQUAL "msvc")
    # where clang keeps its own headers; the others are below /usr/include
    run("asking ${CC}" ${CC} -print-resource-dir)
    string(STRIP "${output}" resources)
    file(GLOB system /usr/include/${MACHINE}-linux-gnu)
    set(as_msvc ${CC} --target=x86_64-pc-windows-msvc -fms-compatibility-version=19.30 -nostdinc
        -ffreestanding -isystem ${resources}/include -isystem /usr/include)
    foreach(folder ${system})
        list(APPEND as_msvc -isystem ${folder})
    endforeach()
    # ISO C alone: further types of headers for x86-64 are not as wide as Windows has them
    list(APPEND as_msvc -D__STRICT_ANSI__)
    # INFINITY of those headers is a number that is too large
    list(APPEND as_msvc ${strict} -Wvla -Wgnu -Wno-literal-range -fsyntax-only ${single}/weft.c)
    run("reading weft.c" ${as_msvc})
    run("reading weft.c with wide kernels" ${as_msvc} -mavx2 -mfma)
    run("reading weft.c for a DLL" ${as_msvc} -DWEFT_SHARED -DWEFT_BUILD)
    return()
endif()

if(WAY STREQUAL "build")
    run("compiling weft.c" ${CC} ${strict} -O0 -c ${single}/weft.c -o weft.o)
    return()
endif()

run("reading weft.c without any flags" ${CC} -Werror -fsyntax-only ${single}/weft.c)
set(optimise -O2)
set(tests test_hash test_outline test_determinism)
if(WAY STREQUAL "quick")
    set(optimise -O0)
    list(REMOVE_ITEM tests test_determinism)
endif()
run("compiling weft.c" ${CC} ${strict} ${optimise} -c ${single}/weft.c -o weft.o)

# a program, against the headers that lie beside
run("compiling a program" ${CC} -I${single} ${SOURCE}/test/single/use.c weft.o -o use -lm)
run("running it" ${work}/use)

foreach(test ${tests})
    run("linking ${test}" ${CC} -std=c17 -O1 -DWEFT_SOURCE="${SOURCE}" -I${SOURCE}/include
        -I${SOURCE}/src -I${SOURCE}/test ${SOURCE}/test/${test}.c weft.o -o ${test} -lm -lpthread)
    run("${test}" ${work}/${test})
    message("${test}: ${output}")
endforeach()
