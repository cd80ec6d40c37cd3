# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The last way into a program that the README names: the core's sources, compiled along with it.

set(work ${BUILD}/test/install_along.files)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)

# the sources themselves: no build system, no flags that matter but one
file(GLOB sources ${SOURCE}/src/*/*.c)
list(FILTER sources EXCLUDE REGEX "/src/io/")
run("compiling the core along" ${CC} -std=c17 -ffp-contract=off -I${SOURCE}/include
    -I${SOURCE}/src ${SOURCE}/test/install/use.c ${sources} -o ${work}/along -lm)
use("C, sources compiled along" ${work}/along)
