# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Commands of scripts that test what no program can. They run in the folder ${work}.

# run(what command...): stop with the command's output where it fails
function(run what)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} RESULT_VARIABLE result
                    OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${what} failed (${result}): ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# use(what program): run a program that was built
function(use what program)
    run("running ${what}" ${program})
    string(STRIP "${output}" output)
    message("${what}: ${output}")
endfunction()
