// A case of the symmetric indefinite factorization: from the values of the axes to what is generated and factored.
#pragma once

#include <experiments/engine/value.hpp>
#include <optional>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>
#include <string>

namespace pivotlab::experiments {

struct LdltCase {
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;  ///< symmetric for real matrices
  Index n = 0;
  std::string generator;
  std::uint64_t seed = 0;
  std::string digest;                  ///< of a file; empty for a generated matrix
  std::string solver;                  ///< canonical name of a variant or of a peer
  std::optional<LdltVariant> variant;  ///< nothing for a peer
  LdltStorage storage = LdltStorage::packed;
  double tolerance = 0;  ///< what counts as zero, relative to max|A|
  bool gjg = false;      ///< G·J·G* beside its computation in Quad, too
  std::string backend;   ///< "host", "emulation" or "cuda"; of a peer its library, "lapack", "cusolver"
  int threads = 1;       ///< of the host; one for what runs on the GPU

  bool on_gpu() const { return backend == "cuda" || backend == "cusolver"; }
};

std::string_view to_string(Symmetry symmetry);
std::string_view to_string(LdltStorage storage);

/// The case that a value for every axis stands for: '?' replaced, threads = 0 → default_threads(), names canonical,
/// order, type and symmetry of a matrix from a file taken from there. Throws InputError "<axis>: …".
LdltCase interpret_ldlt(const Case& axes);

/// The inverse: what a record holds.
Case to_case(const LdltCase& interpreted);

}  // namespace pivotlab::experiments
