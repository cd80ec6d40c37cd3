# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Headers, libraries, tool, page, CMake package and pkg-config files. All of it can be moved: the
# packages find their prefix from where they lie.

include(CMakePackageConfigHelpers)

file(GLOB headers CONFIGURE_DEPENDS include/weft/*.h)
if(NOT TARGET weft_io)
    list(FILTER headers EXCLUDE REGEX "/weft_io\\.h$")
endif()
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft)
install(TARGETS ${weft_installed} EXPORT weftTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# figures that are not under the licence of the rest, with their own
if(TARGET weft_io)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/fabrics/measured
        DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/fabrics OPTIONAL)
endif()
# the garments of `weft dress`
if(TARGET weft_tool)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/garments DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
endif()
# the page of `weft view`, where `make web` has built it
if(TARGET weft_tool)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/site/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/web OPTIONAL)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${package_folder})
configure_package_config_file(cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/weftConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
    DESTINATION ${package_folder})

set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH up /prefix/${pc_folder} /prefix)
    string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${up}")
endif()
list(JOIN weft_openmp_flag " " pc_openmp)
foreach(package weft weft_io)
    if(TARGET ${package})
        configure_file(cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${pc_folder})
    endif()
endforeach()
