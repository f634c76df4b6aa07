// What the metrics are computed from: norms of the errors of a scaled pair (scaled_pair.hpp), measured on the host or
// on a GPU. Plain: a device compiler reads it, too.
#pragma once

#include <kernels/verification/scaled_pair.hpp>
#include <limits>
#include <vector>

namespace pivotlab::experiments {

/// F' with U and Σ_F', or G' with V and Σ_G'.
struct SideMeasurements {
  double norm_of_a = 0, norm_1_of_a = 0;  ///< ‖F‖_F, ‖F‖₁ in units of 2^a
  std::vector<double> errors;             ///< ‖F'·z'_j − σ'_j·u_j‖
  std::vector<double> weights;            ///< Σ_i ‖f'_i‖|z'_ij|
  std::vector<double> reach;              ///< |u_j|ᵀ|F'||z'_j|; where u_j = 0, ‖|F'||z'_j|‖
  double orthogonality = 0,
         orthogonality_1 = 0;  ///< ‖UᴴU − I‖_F, ‖UᴴU − I‖₁; zero columns with σ = 0 count as orthonormal
  // The rest only if Z' is not singular.
  double error_with_x = 0;     ///< ‖F − U·Σ·Z⁻¹‖_F in units of 2^a
  double rotated_error_1 = 0;  ///< ‖(F − U·Σ·Z⁻¹)·Q‖₁, likewise
};

/// X = C·Z⁻¹, Q unitary with X·Q upper triangular up to the order of columns, made in double.
struct GsvdMeasurements {
  SideMeasurements f, g;
  std::vector<double> x_norms;                                    ///< of the rows of X; empty if Z' is singular
  double unitarity_1 = std::numeric_limits<double>::quiet_NaN();  ///< ‖QᴴQ − I‖₁
};

}  // namespace pivotlab::experiments
