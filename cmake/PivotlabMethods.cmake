# SPDX-License-Identifier: BSD-3-Clause
# The library and the command with one method only, for a first result in minutes: -DPIVOTLAB_METHODS=ldlt. Objects of such a
# build are those of a build of all methods, which continues from it in the same folder. Tests, benchmarks, the Python package and
# the installation need all methods.
set(PIVOTLAB_METHODS all CACHE STRING "Methods of the library and the command: all, or ldlt, which needs no other")
set_property(CACHE PIVOTLAB_METHODS PROPERTY STRINGS all ldlt)
if(PIVOTLAB_METHODS STREQUAL "all")
  set(PIVOTLAB_ALL_METHODS ON)
elseif(PIVOTLAB_METHODS STREQUAL "ldlt")
  set(PIVOTLAB_ALL_METHODS OFF)
else()
  message(FATAL_ERROR "PIVOTLAB_METHODS is '${PIVOTLAB_METHODS}'; choose all or ldlt")
endif()

# pivotlab_leave_out(TARGET PATHS [KEPT]): removes from a target with one method sources whose paths match PATHS and not KEPT.
function(pivotlab_leave_out target paths)
  if(PIVOTLAB_ALL_METHODS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(kept)
  if(ARGN)
    set(kept ${sources})
    list(FILTER kept INCLUDE REGEX "${ARGN}")
  endif()
  list(FILTER sources EXCLUDE REGEX "${paths}")
  set_property(TARGET ${target} PROPERTY SOURCES ${sources} ${kept})
endfunction()
