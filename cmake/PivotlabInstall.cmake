# SPDX-License-Identifier: BSD-3-Clause
# Installation: library, headers, command, CMake package, experiment specs and the analysis package.
include(CMakePackageConfigHelpers)

install(TARGETS pivotlab pivotlab_extended EXPORT pivotlabTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/pivotlab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN mpi.hpp EXCLUDE)
install(EXPORT pivotlabTargets NAMESPACE pivotlab:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pivotlab)

# A component of the package, so that users without it need no MPI.
if(PIVOTLAB_HAVE_MPI)
  install(FILES include/pivotlab/mpi.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pivotlab)
  install(TARGETS pivotlab_mpi EXPORT pivotlabMpiTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT pivotlabMpiTargets NAMESPACE pivotlab:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pivotlab)
endif()

configure_package_config_file(cmake/pivotlabConfig.cmake.in pivotlabConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pivotlab)
write_basic_package_version_file(pivotlabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pivotlabConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/pivotlabConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pivotlab)
install(FILES LICENSE THIRD_PARTY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
