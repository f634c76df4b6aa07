# The bundle: one folder with a command that needs the C library alone, its resources and the GPU tests and
# benchmarks, to be copied to a machine with a GPU on which nothing can be installed.
#
#   cmake --preset release && cmake --build --preset bundle && cmake --install build/release --prefix DIR --component bundle --strip
#
# The command is linked once more, from the same objects, with archives in place of shared libraries. LAPACK stays
# outside: OpenBLAS alone is larger than everything else.

add_library(pivotlab_bundle_symbols OBJECT EXCLUDE_FROM_ALL cmake/bundle_symbols.c)
add_library(pivotlab_without_lapack OBJECT EXCLUDE_FROM_ALL kernels/peers/no_lapack.cpp)
pivotlab_compile_options(pivotlab_without_lapack)
target_compile_features(pivotlab_without_lapack PRIVATE cxx_std_20)
target_include_directories(pivotlab_without_lapack PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)

set(CMAKE_FIND_LIBRARY_SUFFIXES_saved ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
set(archives ${gomp})
set(missing)
foreach(name hdf5 sz aec z xxhash)
  find_library(PIVOTLAB_STATIC_${name} ${name} PATH_SUFFIXES hdf5/serial)
  mark_as_advanced(PIVOTLAB_STATIC_${name})
  if(NOT PIVOTLAB_STATIC_${name})
    list(APPEND missing lib${name}.a)
  endif()
endforeach()
set(CMAKE_FIND_LIBRARY_SUFFIXES ${CMAKE_FIND_LIBRARY_SUFFIXES_saved})
if(missing)
  message(STATUS "No bundle: ${missing} not found")
  return()
endif()

add_executable(pivotlab_bundle $<TARGET_OBJECTS:pivotlab_bundle_symbols>
  $<TARGET_OBJECTS:pivotlab_cli_main> $<TARGET_OBJECTS:pivotlab_cli_objects> $<TARGET_OBJECTS:pivotlab_without_lapack> $<TARGET_OBJECTS:pivotlab_fmt_static>)
set_target_properties(pivotlab_bundle PROPERTIES
  OUTPUT_NAME pivotlab RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bundle LINKER_LANGUAGE CXX)
# The archives themselves and not the targets, which would bring their shared libraries along.
set(own pivotlab_tables pivotlab_experiments pivotlab)
foreach(library ${own})
  target_link_libraries(pivotlab_bundle PRIVATE $<TARGET_FILE:${library}>)
endforeach()
add_dependencies(pivotlab_bundle ${own})
target_link_libraries(pivotlab_bundle PRIVATE
  ${PIVOTLAB_STATIC_hdf5} ${PIVOTLAB_STATIC_sz} ${PIVOTLAB_STATIC_aec} ${PIVOTLAB_STATIC_z} ${PIVOTLAB_STATIC_xxhash}
  Boost::context ${gomp} Threads::Threads ${CMAKE_DL_LIBS} m)
if(PIVOTLAB_HAVE_CUDA)
  target_link_libraries(pivotlab_bundle PRIVATE CUDA::cudart_static)
endif()
target_link_options(pivotlab_bundle PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)

add_custom_target(pivotlab_gpu_programs)
get_property(gpu_programs GLOBAL PROPERTY PIVOTLAB_GPU_PROGRAMS)
if(gpu_programs)
  add_dependencies(pivotlab_gpu_programs ${gpu_programs})
  install(TARGETS ${gpu_programs} RUNTIME DESTINATION gpu COMPONENT bundle EXCLUDE_FROM_ALL)
endif()
install(TARGETS pivotlab_bundle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bundle EXCLUDE_FROM_ALL)
set(resources ${CMAKE_INSTALL_DATADIR}/pivotlab)
install(DIRECTORY experiments/specs experiments/published DESTINATION ${resources}/experiments COMPONENT bundle EXCLUDE_FROM_ALL)
install(FILES results/record.schema.json DESTINATION ${resources}/results COMPONENT bundle EXCLUDE_FROM_ALL)
install(DIRECTORY analysis DESTINATION ${resources} COMPONENT bundle EXCLUDE_FROM_ALL
  PATTERN __pycache__ EXCLUDE PATTERN ".*_cache" EXCLUDE)
