// SPDX-License-Identifier: BSD-3-Clause
// Families of problems that a Python function makes: "study.py:family;kappa=100" is a generator with options. The
// function takes the options and, if it has arguments of these names, n, seed and type, and returns A, or F and G.
#pragma once

#include <experiments/own/private_folder.hpp>
#include <experiments/problems/kind.hpp>
#include <optional>
#include <pivotlab/error.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Returns whether a generator is a family of the user's.
bool is_family(std::string_view generator);

/// Sets the canonical name of the generator and the digest of its file, unless the case has that. Throws InputError
/// "generator: …".
void read_family(ProblemCase& problem, const Case& axes);

/// Throws InputError "generator: …" if the function cannot be called.
void check_family(const std::string& generator);

/// The files of a problem, in which its matrices can be read: those that its generator names, or files that exist as
/// long as the object, with what the function of a family has returned. Throws InputError for its exceptions and for
/// matrices of other shapes or types.
class ProblemFiles {
 public:
  /// `shapes`: rows and columns of the matrices that a family must return.
  ProblemFiles(const ProblemCase& wanted, const std::vector<std::pair<Index, Index>>& shapes);
  const std::vector<std::string>& paths() const { return paths_; }

  /// Returns action(); messages of its InputErrors name the generator in place of a file that is removed.
  template <class Read>
  auto read(Read action) const {
    try {
      return action();
    } catch (const InputError& error) {
      throw InputError(renamed(error.what()));
    }
  }

 private:
  std::string renamed(std::string message) const;

  std::string generator_;
  std::optional<PrivateFolder> folder_;  ///< of the files of a family
  std::vector<std::string> paths_;
};

}  // namespace pivotlab::experiments
