// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>

#include "tests/io/fuzz/readers.hpp"
#include "tests/io/fuzz/scratch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const pivotlab::fuzz::ScratchFile input("input");
  input.assign(data, size);
  pivotlab::fuzz::check_any(input.path());
  return 0;
}
