// SPDX-License-Identifier: BSD-3-Clause
// Errors that a user can correct.
#pragma once

#include <stdexcept>
#include <string>

namespace pivotlab {

/// Bad input: a file, an option or a matrix that cannot be used. what() is one line that names the file or option, the
/// place and the remedy. The command line prints it and exits with code 2 without having written anything.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request is valid, but this build or machine cannot run it (backend, baseline, scalar type).
class NotSupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pivotlab
