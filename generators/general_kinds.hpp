// SPDX-License-Identifier: BSD-3-Clause
// The kinds of general square matrices: rows beside the functions that make them, which return the matrix and the
// eigenvalues from which it was made; the caller sets the other members.
#pragma once

#include <cstdint>
#include <generators/name.hpp>
#include <pivotlab/general.hpp>

namespace pivotlab {

struct GeneralProblem {
  Index n;  // ≥ 1
  std::uint64_t seed;
  int threads;
  OptionValues options;
};

using GeneralKinds = std::vector<Kind<GeneralMatrix, GeneralProblem>>;

/// The option `truth` of all kinds.
const GeneratorOption& eigenvalues_option();

/// Matrices with prescribed eigenvalues, made in Quad. Q, U, W are Haar-distributed.
GeneralKinds spectral_general_kinds();
/// Random and classical matrices.
GeneralKinds classic_general_kinds();

}  // namespace pivotlab
