// SPDX-License-Identifier: BSD-3-Clause
// The kinds of symmetric and Hermitian matrices: rows beside the functions that make them, which return the matrix and
// the known properties of its spectrum; the caller sets the other members.
#pragma once

#include <cstdint>
#include <generators/name.hpp>
#include <pivotlab/symmetric.hpp>
#include <vector>

namespace pivotlab {

struct SymmetricProblem {
  Index n;  // ≥ 1
  std::uint64_t seed;
  int threads;
  Symmetry symmetry;
  OptionValues options;
};

/// A := D·A·D, D diagonal.
template <class T>
void scale_rows_and_columns(Matrix<T>& A, const std::vector<double>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) *= d[i] * d[j];
}

using SymmetricKinds = std::vector<Kind<SymmetricMatrix, SymmetricProblem>>;

/// Matrices with prescribed spectra: Q·Λ·Qᴴ with Haar-distributed Q, before rounding in Quad, on a GPU in
/// double-double.
SymmetricKinds spectral_symmetric_kinds();
/// Random matrices without a prescribed spectrum, and classical ones.
SymmetricKinds classic_symmetric_kinds();

/// Makes the R of D·R·D: eigenvalues of magnitude 0.1 to 1, half of them negative.
template <class T>
SymmetricMatrix<T> make_conditioned_core(const SymmetricProblem& problem);

}  // namespace pivotlab
