# SPDX-License-Identifier: BSD-3-Clause
# Sources of one folder compiled as one: templates and inline functions that they share are instantiated and optimized once.
# Off by default where a compiler launcher is set, as precompiled headers are: a compiler cache and a developer who changes
# single files gain from small ones. Names in anonymous namespaces must differ within a group.
set(together ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(together OFF)
endif()
option(PIVOTLAB_UNITY "Compile groups of source files as one" ${together})

# pivotlab_unity(TARGET GROUP sources…): all other sources of the target stay by themselves. Sources are relative to the
# calling folder, whose CMakeLists.txt added them.
set(pivotlab_unity_code "#pragma GCC diagnostic ignored \"-Wshadow\"") # of names of another file
function(pivotlab_unity target group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PIVOTLAB_UNITY} UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${pivotlab_unity_code}")
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
endfunction()
