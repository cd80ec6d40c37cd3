# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Compiler flags of everything built here: weft_c_options, weft_cxx_options, weft_link_options,
# weft_math (the library of mathematics, where it is one of its own) and weft_openmp_flag (empty: no
# OpenMP). MSVC, and clang in its role, have words of their own for the same things.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# The same bits on every machine: no contraction to fused multiply-add, no -march.
if(MSVC)
    set(weft_c_options /fp:precise /W3 /utf-8 -D_CRT_SECURE_NO_WARNINGS)
    set(weft_cxx_options /fp:precise /W3 /utf-8 -D_CRT_SECURE_NO_WARNINGS)
    set(weft_math)
    set(warnings_are_errors /WX)
else()
    set(weft_c_options -ffp-contract=off -fno-math-errno -fvisibility=hidden
        -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla)
    set(weft_cxx_options -Wall -Wextra -Wpedantic -Wshadow)
    set(weft_math m)
    set(warnings_are_errors -Werror)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND weft_c_options -Wdouble-promotion)  # clang's complains about INFINITY
endif()
if(NOT WEFT_WIDE)
    list(APPEND weft_c_options -DWEFT_NARROW)
endif()
set(weft_link_options)
if(NOT APPLE AND NOT MSVC AND NOT EMSCRIPTEN AND NOT WEFT_SANITIZE)
    list(APPEND weft_link_options -Wl,--no-undefined)
endif()
if(WEFT_WERROR)
    list(APPEND weft_c_options ${warnings_are_errors})
    list(APPEND weft_cxx_options ${warnings_are_errors})
endif()

if(WEFT_SANITIZE)
    # optimised a little: sanitized code is slow enough; lines for their reports, no variables
    set(sanitize -fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        -O1 -g1)
    list(APPEND weft_c_options ${sanitize})
    list(APPEND weft_cxx_options ${sanitize})
    list(APPEND weft_link_options -fsanitize=${WEFT_SANITIZE})
endif()

set(weft_openmp_flag)
if(WEFT_OPENMP)
    find_package(OpenMP QUIET COMPONENTS C)
    if(OpenMP_C_FOUND)
        string(REPLACE " " ";" weft_openmp_flag "${OpenMP_C_FLAGS}")
        # clang's long form, which gcc does not know: a program may link with the other compiler
        list(TRANSFORM weft_openmp_flag REPLACE "^-fopenmp=libomp$" "-fopenmp")
    else()
        message(STATUS "weft: no OpenMP; one thread where the user names no job system")
    endif()
endif()
