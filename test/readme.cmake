# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The first C program of a document, as a reader would copy it, compiles and runs.

file(READ ${README} text)
string(FIND "${text}" "\n```c\n" start)
if(start EQUAL -1)
    message(FATAL_ERROR "${README} shows no C program")
endif()
math(EXPR start "${start} + 6")
string(SUBSTRING "${text}" ${start} -1 text)
string(FIND "${text}" "\n```" end)
string(SUBSTRING "${text}" 0 ${end} program)
get_filename_component(name ${README} NAME_WE)
file(WRITE ${name}_first.c "${program}\n")

execute_process(
    COMMAND ${CC} -std=c17 -Wall -Wextra -Werror -I${INCLUDE} ${name}_first.c -o ${name}_first
        ${LIBRARY} ${LINK}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ./${name}_first OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
message("${said}")
if(said STREQUAL "")
    message(FATAL_ERROR "the program of ${README} says nothing")
endif()
