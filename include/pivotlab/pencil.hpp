// SPDX-License-Identifier: BSD-3-Clause
// The generalized eigenproblem of a square pencil, A·v·β = B·v·α, by LAPACK's QZ algorithm.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/status.hpp>

#include <complex>
#include <string>
#include <vector>

namespace pivotlab {

struct PencilResult {
  /// passed; not_converged; or incorrect: a residual exceeds its bound, or α and β of an eigenvalue are both rounding
  /// noise, because A − λ·B is singular for every λ to working precision
  Status status = Status::failed;
  std::string message;  ///< reason if not passed

  /// Length n, α/β in order of descending modulus; infinite where β = 0, NaN where α = 0, too.
  std::vector<std::complex<double>> eigenvalues, alpha, beta;
  Matrix<std::complex<double>> V;  ///< n × n, right eigenvectors in this order, with unit 2-norm
  Matrix<std::complex<double>> W;  ///< n × n, left ones, wᴴ·A·β = wᴴ·B·α; empty unless requested
  double residual = 0;             ///< max ‖β·A·v − α·B·v‖/(|β|·‖A‖_F + |α|·‖B‖_F)
  double compute_seconds = 0;      ///< the routine alone
};

/// Computes the generalized eigendecomposition of A and B (n × n, n ≥ 0) by LAPACK's xGGEV in about 70·n³ complex
/// operations. The eigenvalues are those of a pencil (A + E, B + F) with ‖E‖, ‖F‖ of about n·2⁻⁵² times ‖A‖ and ‖B‖;
/// small ones of graded pencils have no more accuracy than that. A and B are scaled by powers of two before. `threads`
/// is the number of threads of the BLAS; 0 leaves it unchanged.
/// Throws InputError for matrices that are not square, of different orders, or with NaN or Inf; NotSupported in a build
/// without LAPACK; std::bad_alloc if the memory does not suffice.
PencilResult solve_pencil(MatrixView<const std::complex<double>> A, MatrixView<const std::complex<double>> B,
                          bool left = false, int threads = 0);

}  // namespace pivotlab
