# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The README's first C program, as a reader would copy it, compiles and runs.

file(READ ${README} text)
string(FIND "${text}" "\n```c\n" start)
if(start EQUAL -1)
    message(FATAL_ERROR "${README} shows no C program")
endif()
math(EXPR start "${start} + 6")
string(SUBSTRING "${text}" ${start} -1 text)
string(FIND "${text}" "\n```" end)
string(SUBSTRING "${text}" 0 ${end} program)
file(WRITE readme.c "${program}\n")

execute_process(
    COMMAND ${CC} -std=c17 -Wall -Wextra -Werror -I${INCLUDE} readme.c -o readme_program
        ${LIBRARY} ${LINK}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ./readme_program OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
message("${said}")
if(said STREQUAL "")
    message(FATAL_ERROR "the README's program says nothing")
endif()
