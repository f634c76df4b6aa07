# SPDX-License-Identifier: BSD-3-Clause
# Precompiled headers of other projects: they are parsed once for each set of flags instead of once for each file, which saves
# nearly a third of the time of a full build. Every file still includes what it uses, and also builds with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON. That is the default if a compiler launcher is set, because ccache does not cache files
# that use precompiled headers. Set SKIP_PRECOMPILE_HEADERS for a file with compile options of its own (optimization, instruction
# set, sanitizers); the compiler warns if it is missing (-Winvalid-pch).
set(disabled OFF)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(disabled ON)
endif()
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ${disabled} CACHE BOOL "Parse the headers of other projects anew for every file")

set(PIVOTLAB_PRECOMPILED
  <algorithm> <array> <cmath> <complex> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory> <numeric> <optional>
  <random> <span> <sstream> <string> <string_view> <utility> <vector> <fmt/format.h>)
set(PIVOTLAB_PRECOMPILED_WITH_EIGEN ${PIVOTLAB_PRECOMPILED} <Eigen/Dense>)
