# SPDX-License-Identifier: BSD-3-Clause
# The target pivotlab_hdf5: HDF5 from archives where they are found. Debian's shared library needs libcurl, Kerberos and 30
# others, whose loading takes longer than all else that a program does at its start, and which a wheel would have to contain.
find_package(HDF5 REQUIRED COMPONENTS C)
add_library(pivotlab_hdf5 INTERFACE)

set(CMAKE_FIND_LIBRARY_SUFFIXES_saved ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PIVOTLAB_HDF5_ARCHIVES)
foreach(name hdf5 sz aec z)
  find_library(PIVOTLAB_STATIC_${name} ${name} PATH_SUFFIXES hdf5/serial)
  mark_as_advanced(PIVOTLAB_STATIC_${name})
  list(APPEND PIVOTLAB_HDF5_ARCHIVES ${PIVOTLAB_STATIC_${name}})
endforeach()
set(CMAKE_FIND_LIBRARY_SUFFIXES ${CMAKE_FIND_LIBRARY_SUFFIXES_saved})

if(PIVOTLAB_HDF5_ARCHIVES MATCHES "-NOTFOUND")
  set(PIVOTLAB_HDF5_ARCHIVES)
  target_link_libraries(pivotlab_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
else()
  add_library(pivotlab_without_curl STATIC cmake/without_curl.c)
  set_target_properties(pivotlab_without_curl PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_link_libraries(pivotlab_hdf5 INTERFACE ${PIVOTLAB_HDF5_ARCHIVES} pivotlab_without_curl)
endif()
