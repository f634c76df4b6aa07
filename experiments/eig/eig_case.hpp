// A case of the eigendecomposition: from the values of the axes to what is generated and decomposed.
#pragma once

#include <experiments/engine/value.hpp>
#include <optional>
#include <pivotlab/eig.hpp>
#include <pivotlab/generate.hpp>
#include <string>

namespace pivotlab::experiments {

struct EigCase {
  ScalarType type = ScalarType::z;
  Index n = 0;
  std::string generator;
  std::uint64_t seed = 0;
  std::string digest;                 ///< of a file; empty for a generated matrix
  std::string solver;                 ///< canonical name of a variant or of a peer
  std::optional<EigVariant> variant;  ///< nothing for a peer
  bool left = false;                  ///< left eigenvectors, too
  std::string backend;                ///< "host", "emulation" or "cuda"; of a peer its library, "lapack", "cusolver"
  int threads = 1;                    ///< of the host; one for what runs on the GPU

  bool on_gpu() const { return backend == "cuda" || backend == "cusolver"; }
};

/// The case that a value for every axis stands for: '?' replaced, threads = 0 → default_threads(), names canonical,
/// order and type of a matrix from a file taken from there. Throws InputError "<axis>: …".
EigCase interpret_eig(const Case& axes);

/// The inverse: what a record holds.
Case to_case(const EigCase& interpreted);

}  // namespace pivotlab::experiments
