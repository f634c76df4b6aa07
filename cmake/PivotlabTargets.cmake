# SPDX-License-Identifier: BSD-3-Clause
# Compile options of all targets.

# Floating point as written: no implicit contraction to FMAs, no reassociation. errno and traps are not used; the flags that
# state this allow vectorized square roots and change no value.
set(PIVOTLAB_FLOATING_POINT -ffp-contract=off -fno-math-errno -fno-trapping-math -march=${PIVOTLAB_ARCH})

function(pivotlab_compile_options target)
  set(warnings -Wall -Wextra -Wpedantic -Wshadow
    -Wno-unknown-pragmas                                    # kernels have pragmas of the CUDA compiler
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow) # false alarms of GCC 12 in its own headers
  if(PIVOTLAB_UNITY) # Sources are large: GCC collects its garbage from 1 GB on and not from 128 MB on, for a tenth of the time.
    set(collect_rarely $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
  endif()
  list(JOIN PIVOTLAB_FLOATING_POINT "," for_host)
  target_compile_definitions(${target} PRIVATE EIGEN_DONT_PARALLELIZE) # the loops around it are parallel
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};${PIVOTLAB_FLOATING_POINT};${collect_rarely}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xfatbin=-compress-all;--expt-relaxed-constexpr;-diag-suppress=554;-Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas,${for_host}>")
endfunction()

# Code that also becomes part of the module for Python. Hidden symbols cost no indirection, and no other module of the process
# can replace them.
function(pivotlab_shareable target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# Compile options of what computes nothing: -Og compiles in two thirds of the time of -O1. With sanitizers, the guards of
# scopes, which the preset turns off for what computes, cost little without optimization.
function(pivotlab_glue_options target)
  pivotlab_compile_options(${target})
  target_compile_options(${target} PRIVATE
    "$<$<CONFIG:Release>:-Og>;$<$<CONFIG:Sanitize>:-O0;-fsanitize-address-use-after-scope>")
endfunction()

# Compile options of tests. OpenMP is used because tests instantiate the library's templates as the library does.
function(pivotlab_test_options target)
  pivotlab_compile_options(${target})
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:$<$<CONFIG:Release>:-Og>;$<$<CONFIG:Sanitize>:-O0>>" # -Og compiles in a third of the time of -O3
    "$<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Sanitize") # where tests of other precisions are left out
    target_link_libraries(${target} PRIVATE pivotlab_extended)
  endif()
  target_link_libraries(${target} PRIVATE pivotlab test_dense Eigen3::Eigen GTest::gtest_main rapidcheck fmt::fmt)
endfunction()

# With -DPIVOTLAB_RELEASE_BUILD=FOLDER the preset asan sanitizes what reads the outside world, and what emulates a device, and
# takes what computes (kernels, generators, judges) from that finished build.
set(PIVOTLAB_RELEASE_BUILD "" CACHE PATH "A release build from which the preset asan takes what computes")
# pivotlab_take_from_release(LIBRARY TARGETS COMPUTES [KEPT]): removes sources of TARGETS that match COMPUTES and not KEPT, and makes
# LIBRARY_of_release of the release build's archive of LIBRARY, without the objects that LIBRARY has itself: the linker would
# take both of an object where they differ in the inline functions that they contain.
function(pivotlab_take_from_release library targets computes)
  if(NOT PIVOTLAB_RELEASE_BUILD)
    return()
  endif()
  foreach(target ${targets})
    get_target_property(sources ${target} SOURCES)
    set(exceptions)
    if(ARGN)
      set(exceptions ${sources})
      list(FILTER exceptions INCLUDE REGEX "${ARGN}")
    endif()
    list(FILTER sources EXCLUDE REGEX "${computes}")
    if(NOT sources AND NOT exceptions) # CMake wants one
      set(sources ${PROJECT_BINARY_DIR}/nothing.cpp)
      file(CONFIGURE OUTPUT ${sources} CONTENT "// Of this library all comes from the release build.\n")
    endif()
    set_property(TARGET ${target} PROPERTY SOURCES ${sources} ${exceptions})
    get_target_property(libraries ${target} LINK_LIBRARIES)
    list(APPEND all_libraries ${libraries})
  endforeach()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE folder)
  set(archive ${PIVOTLAB_RELEASE_BUILD}/${folder}/lib${library}.a)
  set(rest ${CMAKE_CURRENT_BINARY_DIR}/${library}_of_release.a)
  add_custom_command(TARGET ${library} POST_BUILD BYPRODUCTS ${rest}
    COMMAND ${CMAKE_COMMAND} -E copy ${archive} ${rest}
    COMMAND sh -c "ar t $<TARGET_FILE:${library}> | xargs ar d ${rest}" VERBATIM)
  add_library(${library}_of_release STATIC IMPORTED GLOBAL)
  set_target_properties(${library}_of_release PROPERTIES IMPORTED_LOCATION ${rest} INTERFACE_LINK_LIBRARIES "${all_libraries}")
endfunction()

# pivotlab_take_objects_from_release(TARGET): links the objects of the release build's target in place of compiling sources.
function(pivotlab_take_objects_from_release target)
  if(NOT PIVOTLAB_RELEASE_BUILD)
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE folder)
  file(GLOB_RECURSE objects ${PIVOTLAB_RELEASE_BUILD}/${folder}/CMakeFiles/${target}.dir/*.o)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)
  set_target_properties(${target} PROPERTIES SOURCES "${objects}" LINKER_LANGUAGE CXX)
endfunction()

# pivotlab_test(NAME sources… [LABELS …] [LIBRARIES …] [UNSANITIZED] [COMPUTES]): a GoogleTest program whose tests are registered one by one
# with ctest, with sanitizers in four parts. Its sources are compiled as one (PivotlabUnity.cmake): each has a namespace of its own, pivotlab::<file name>.
# UNSANITIZED programs are excluded from the preset asan, because compiling their templates or emulating a device takes minutes;
# emulation has guards of its own (kernels/exec, whose tests run under both). Programs that COMPUTE, which test kernels, are
# optimized there, and excluded if the kernels are not sanitized. The labels of other programs end in .sanitized: continuous
# integration runs their tests with sanitizers only; there the library is sanitized, and the program's own object is the release
# build's, but for programs that test HEADERS.
find_program(PIVOTLAB_LLD ld.lld) # links a test in a third of the time
function(pivotlab_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "UNSANITIZED;COMPUTES;HEADERS" "" "LABELS;LIBRARIES")
  if(CMAKE_BUILD_TYPE STREQUAL "Sanitize" AND (TEST_UNSANITIZED OR (TEST_COMPUTES AND PIVOTLAB_RELEASE_BUILD)))
    return()
  endif()
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  if(NOT TEST_HEADERS)
    pivotlab_take_objects_from_release(${name})
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${PIVOTLAB_UNITY} UNITY_BUILD_BATCH_SIZE 0
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${pivotlab_unity_code}")
  pivotlab_test_options(${name})
  target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES})
  if(TEST_COMPUTES AND CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    target_compile_options(${name} PRIVATE -O1)
  elseif(NOT PIVOTLAB_RELEASE_BUILD) # where one program is compiled, for which the headers would be alone
    target_precompile_headers(${name} REUSE_FROM pivotlab_tests_precompiled)
  endif()
  if(NOT "gpu" IN_LIST TEST_LABELS) # results must not depend on the machine's GPU
    set(no_gpu ENVIRONMENT_MODIFICATION CUDA_VISIBLE_DEVICES=set:)
    if(PIVOTLAB_LLD) # programs for GPUs are bundled
      target_link_options(${name} PRIVATE -fuse-ld=lld)
    endif()
  endif()
  add_dependencies(pivotlab_tests ${name})
  set(environment OMP_WAIT_POLICY=passive)
  if(NOT TEST_UNSANITIZED AND NOT TEST_COMPUTES AND NOT "gpu" IN_LIST TEST_LABELS)
    string(APPEND TEST_LABELS ".sanitized") # gtest_discover_tests has no way to give two labels
  endif()
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 600 ENVIRONMENT ${environment} ${no_gpu} LABELS "${TEST_LABELS}")
    return()
  endif()
  foreach(shard RANGE 3) # a process with sanitizers takes longer to start than most tests take
    add_test(NAME ${name}.${shard} COMMAND ${name})
    set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 600 ${no_gpu} LABELS "${TEST_LABELS}"
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# pivotlab_gpu_program(NAME [NOT_BUNDLED]): a program of the folder gpu of the build tree and of the bundle, for machines with
# a GPU on which nothing can be installed.
function(pivotlab_gpu_program name)
  target_link_libraries(${name} PRIVATE pivotlab_fmt_static pivotlab_bundle_symbols
    CUDA::cudart_static "-Wl,--push-state,-Bstatic -lgomp -Wl,--pop-state")
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gpu)
  if(NOT "NOT_BUNDLED" IN_LIST ARGN)
    set_property(GLOBAL APPEND PROPERTY PIVOTLAB_GPU_PROGRAMS ${name})
  endif()
endfunction()

# pivotlab_gpu_test(NAME sources…): a test program (.cu and .cpp) with the label gpu, built only with a CUDA
# compiler. Its tests are skipped without a device (tests/gpu_test.hpp). It needs only the C library. NOT_BUNDLED as above.
function(pivotlab_gpu_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "NOT_BUNDLED" "" "")
  if(PIVOTLAB_HAVE_CUDA AND PIVOTLAB_BUILD_GPU_TESTS AND NOT CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    pivotlab_test(${name} ${TEST_UNPARSED_ARGUMENTS} LABELS gpu)
    if(TEST_NOT_BUNDLED)
      set(bundled NOT_BUNDLED)
    endif()
    pivotlab_gpu_program(${name} ${bundled})
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

add_library(pivotlab_fmt_static OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/fmt_static.cpp)
target_compile_features(pivotlab_fmt_static PRIVATE cxx_std_20)
target_compile_options(pivotlab_fmt_static PRIVATE $<$<CONFIG:Release>:-Og>) # prints a few lines
target_include_directories(pivotlab_fmt_static PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
