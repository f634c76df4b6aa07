// SPDX-License-Identifier: BSD-3-Clause
// Names a file and an object in messages about HDF5 files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pivotlab::io::hdf5 {

/// A file and an object in it.
struct Place {
  std::filesystem::path file;
  std::string object;

  [[noreturn]] void fail(std::string_view what, std::string_view remedy) const;
  /// Returns the result of an HDF5 call; throws InputError with HDF5's own reason if it is an error (negative).
  template <class Result>
  Result check(Result result, std::string_view what, std::string_view remedy) const {
    if (result < 0) fail_by_hdf5(what, remedy);
    return result;
  }

 private:
  [[noreturn]] void fail_by_hdf5(std::string_view what, std::string_view remedy) const;
};

}  // namespace pivotlab::io::hdf5
