# The headers of others that most files include, parsed once for each set of flags instead of once for each file. Every file
# includes what it uses all the same, and builds with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON, too. That is the default where a
# compiler launcher is set: ccache does not keep what uses precompiled headers.
set(disabled OFF)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(disabled ON)
endif()
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ${disabled} CACHE BOOL "Parse the headers of other projects anew for every file")

set(PIVOTLAB_PRECOMPILED
  <algorithm> <array> <cmath> <complex> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory> <numeric> <optional>
  <random> <span> <sstream> <string> <string_view> <utility> <vector> <fmt/format.h>)
set(PIVOTLAB_PRECOMPILED_WITH_EIGEN ${PIVOTLAB_PRECOMPILED} <Eigen/Dense>)
