# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# weft_oracles: Eigen, CHOLMOD (with AMD) and Bullet, which tests and bench measure weft against.
# Never linked into a library or the tool.

find_package(Eigen3 3.3 QUIET NO_MODULE)
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(AMD_LIBRARY amd)
find_library(SUITESPARSECONFIG_LIBRARY suitesparseconfig)
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY AMD_LIBRARY SUITESPARSECONFIG_LIBRARY)
find_path(BULLET_INCLUDE_DIR BulletSoftBody/btSoftBody.h PATH_SUFFIXES bullet)
set(bullet_libraries)
foreach(name BulletSoftBody BulletDynamics BulletCollision LinearMath)
    find_library(${name}_LIBRARY ${name})
    mark_as_advanced(${name}_LIBRARY)
    list(APPEND bullet_libraries ${${name}_LIBRARY})
endforeach()
mark_as_advanced(BULLET_INCLUDE_DIR)
if(NOT (Eigen3_FOUND AND CHOLMOD_INCLUDE_DIR AND CHOLMOD_LIBRARY AND AMD_LIBRARY
        AND SUITESPARSECONFIG_LIBRARY AND BULLET_INCLUDE_DIR AND BulletSoftBody_LIBRARY
        AND BulletDynamics_LIBRARY AND BulletCollision_LIBRARY AND LinearMath_LIBRARY))
    message(FATAL_ERROR
        "weft: Eigen, CHOLMOD or Bullet is missing. Install libeigen3-dev, libsuitesparse-dev and "
        "libbullet-dev (`make setup` does), or configure with -DWEFT_BUILD_BENCH=OFF.")
endif()

add_library(weft_oracles INTERFACE)
target_include_directories(weft_oracles SYSTEM INTERFACE
    ${CHOLMOD_INCLUDE_DIR} ${BULLET_INCLUDE_DIR}
    $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(weft_oracles INTERFACE
    ${CHOLMOD_LIBRARY} ${AMD_LIBRARY} ${SUITESPARSECONFIG_LIBRARY} ${bullet_libraries})
# comparators get what our own files get: square roots that are vectorised
target_compile_options(weft_oracles INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno>)
