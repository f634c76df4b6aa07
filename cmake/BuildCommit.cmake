# SPDX-License-Identifier: BSD-3-Clause
# Writes a header with the git commit of the source, only if the commit has changed, so that nothing else is rebuilt.
# cmake -D SOURCE=<source folder> -D OUTPUT=<header> -P BuildCommit.cmake
cmake_minimum_required(VERSION 3.25)

set(commit "unknown")
set(clean "false")
find_program(GIT git)
# Only a checkout of this folder counts, because an exported tree may be inside of another checkout.
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} -C "${SOURCE}" rev-parse HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(commit "${head}")
    execute_process(COMMAND ${GIT} -C "${SOURCE}" status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed AND changes STREQUAL "")
      set(clean "true")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT
"// Made by cmake/BuildCommit.cmake.
#pragma once

#include <string_view>

namespace pivotlab::experiments::build {
inline constexpr std::string_view commit = \"@commit@\";
inline constexpr bool clean = @clean@;
}  // namespace pivotlab::experiments::build
")
