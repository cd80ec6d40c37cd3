# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The library for files as a compiler for Windows reads it (CC), without a warning. Debian has no
# jansson and no assimp for Windows, so this is as far as it goes; their headers, which are the same
# everywhere, come from this system: JANSSON and ASSIMP are the folders that hold them.

set(headers ${BUILD}/test/windows_io.files)
file(REMOVE_RECURSE ${headers})
file(MAKE_DIRECTORY ${headers})
file(GLOB jansson ${JANSSON}/jansson*.h ${JANSSON}/*/jansson_config.h)
file(COPY ${jansson} DESTINATION ${headers})
file(COPY ${ASSIMP}/assimp DESTINATION ${headers})

file(GLOB sources ${SOURCE}/src/audit/*.c ${SOURCE}/src/io/*.c ${SOURCE}/src/io/pattern/*.c
     ${SOURCE}/src/io/figure/*.c)
foreach(source ${sources})
    execute_process(COMMAND ${CC} -std=c17 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror
        -I${SOURCE}/include -I${SOURCE}/src -isystem ${headers} ${source}
        RESULT_VARIABLE result ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${source}:\n${output}")
    endif()
endforeach()
list(LENGTH sources count)
message("${count} files")
