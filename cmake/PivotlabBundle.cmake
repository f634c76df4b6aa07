# SPDX-License-Identifier: BSD-3-Clause
# The bundle: one folder with a command that needs the C library alone, one for MPI that needs besides it an MPI as that of
# the build, their resources and the GPU tests and benchmarks, to be copied to a machine with a GPU on which nothing can be
# installed.
#
#   cmake --preset release && cmake --build --preset bundle && cmake --install build/release --prefix DIR --component bundle --strip
#
# The commands are linked once more, from the same objects, with archives in place of shared libraries. LAPACK stays
# outside, because OpenBLAS alone is nearly as large as all else: put libscipy_openblas.so of the Python package
# scipy-openblas32 into the folder lib, or let the system have one.

add_library(pivotlab_bundle_symbols OBJECT EXCLUDE_FROM_ALL cmake/bundle_symbols.c)

execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
find_library(PIVOTLAB_STATIC_xxhash libxxhash.a)
mark_as_advanced(PIVOTLAB_STATIC_xxhash)
if(NOT PIVOTLAB_HDF5_ARCHIVES OR NOT PIVOTLAB_STATIC_xxhash)
  message(STATUS "No bundle: archives of HDF5 and xxHash were not found")
  return()
endif()

# pivotlab_bundle_command(TARGET NAME OBJECTS… LIBRARIES…): of objects and our libraries.
function(pivotlab_bundle_command target name)
  cmake_parse_arguments(PARSE_ARGV 2 BUNDLE "" "" "OBJECTS;LIBRARIES")
  add_executable(${target})
  foreach(objects ${BUNDLE_OBJECTS} pivotlab_cli_objects pivotlab_bundle_symbols pivotlab_fmt_static)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bundle LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN/../lib")
  # The archives themselves and not the targets, which would bring their shared libraries along.
  foreach(library ${BUNDLE_LIBRARIES})
    target_link_libraries(${target} PRIVATE $<TARGET_FILE:${library}>)
  endforeach()
  add_dependencies(${target} ${BUNDLE_LIBRARIES})
  target_link_libraries(${target} PRIVATE pivotlab_hdf5 ${PIVOTLAB_STATIC_xxhash}
    ${gomp} Threads::Threads ${CMAKE_DL_LIBS} m)
  if(PIVOTLAB_HAVE_CUDA)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
  endif()
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bundle EXCLUDE_FROM_ALL)
endfunction()

set(own pivotlab_tables pivotlab_experiments pivotlab)
pivotlab_bundle_command(pivotlab_bundle pivotlab OBJECTS pivotlab_cli_main LIBRARIES ${own})
if(PIVOTLAB_HAVE_MPI)
  pivotlab_bundle_command(pivotlab_mpi_bundle pivotlab-mpi OBJECTS pivotlab_mpi_objects LIBRARIES pivotlab_mpi ${own})
  target_link_libraries(pivotlab_mpi_bundle PRIVATE MPI::MPI_CXX)
  add_dependencies(pivotlab_bundle pivotlab_mpi_bundle)
endif()

if(TARGET mpi_gpu_test) # which reads results
  target_link_libraries(mpi_gpu_test PRIVATE pivotlab_hdf5)
endif()

add_custom_target(pivotlab_gpu_programs)
get_property(gpu_programs GLOBAL PROPERTY PIVOTLAB_GPU_PROGRAMS)
if(gpu_programs)
  add_dependencies(pivotlab_gpu_programs ${gpu_programs})
  install(TARGETS ${gpu_programs} RUNTIME DESTINATION gpu COMPONENT bundle EXCLUDE_FROM_ALL)
endif()
set(resources ${CMAKE_INSTALL_DATADIR}/pivotlab)
install(DIRECTORY experiments/specs experiments/published DESTINATION ${resources}/experiments COMPONENT bundle EXCLUDE_FROM_ALL)
install(FILES experiments/exhibits.json experiments/methods.json DESTINATION ${resources}/experiments COMPONENT bundle EXCLUDE_FROM_ALL)
install(FILES LICENSE THIRD_PARTY.md DESTINATION . COMPONENT bundle EXCLUDE_FROM_ALL)
install(FILES results/record.schema.json DESTINATION ${resources}/results COMPONENT bundle EXCLUDE_FROM_ALL)
install(DIRECTORY analysis DESTINATION ${resources} COMPONENT bundle EXCLUDE_FROM_ALL
  PATTERN __pycache__ EXCLUDE PATTERN ".*_cache" EXCLUDE)

if(PIVOTLAB_BUILD_TESTS AND NOT CMAKE_BUILD_TYPE STREQUAL "Sanitize")
  add_subdirectory(tests/bundle)
endif()
