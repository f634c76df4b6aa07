# What every target of the project shares.

# Floating point as written: no contraction into FMAs behind our back, no re-association. errno and traps are not used,
# and saying so lets square roots be vectorized; neither flag changes a value.
set(PIVOTLAB_FLOATING_POINT -ffp-contract=off -fno-math-errno -fno-trapping-math -march=${PIVOTLAB_ARCH})

function(pivotlab_compile_options target)
  set(warnings -Wall -Wextra -Wpedantic -Wshadow
    -Wno-restrict -Wno-array-bounds) # the last two are false alarms of GCC 12 in its own headers
  list(JOIN PIVOTLAB_FLOATING_POINT "," for_host)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};${PIVOTLAB_FLOATING_POINT}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra,${for_host}>")
endfunction()

# pivotlab_test(NAME sources… [LABELS …] [UNSANITIZED]): a GoogleTest program whose tests ctest knows one by one.
# UNSANITIZED programs are left out of the preset asan, whose compiler takes minutes for their templates.
function(pivotlab_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "UNSANITIZED" "" "LABELS;LIBRARIES")
  if(TEST_UNSANITIZED AND CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    return()
  endif()
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  pivotlab_compile_options(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE pivotlab Eigen3::Eigen GTest::gtest_main rapidcheck fmt::fmt ${TEST_LIBRARIES})
  add_dependencies(pivotlab_tests ${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 
    PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive LABELS "${TEST_LABELS}")
endfunction()
