# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Programs for Windows, made by mingw-w64 on another system. Tests are run by wine where there is
# one that can.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# a wine for ARM does not run programs for x86-64
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    find_program(WINE NAMES wine64 wine)
    if(WINE)
        set(CMAKE_CROSSCOMPILING_EMULATOR ${WINE})
    endif()
endif()
