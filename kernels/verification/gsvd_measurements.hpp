// SPDX-License-Identifier: BSD-3-Clause
// The norms of errors of a scaled pair (scaled_pair.hpp) from which metrics are computed, measured on the host or on a
// GPU. This header is plain C++, which a device compiler also reads.
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
  std::vector<double> reach;              ///< |u_j|ᵀ|F'||z'_j|, or ‖|F'||z'_j|‖ if u_j = 0
  double orthogonality = 0,
         orthogonality_1 = 0;  ///< ‖UᴴU − I‖_F, ‖UᴴU − I‖₁; zero columns with σ = 0 count as orthonormal
  // Set where exact products measured errors and orthogonality: bounds of what these lack.
  std::vector<double> error_bounds = {};
  double orthogonality_bound = std::numeric_limits<double>::quiet_NaN();
  int moduli = 0;  ///< of these products
  // The following members are set only if Z' is not singular.
  double error_with_x = 0;     ///< ‖F − U·Σ·Z⁻¹‖_F in units of 2^a
  double rotated_error_1 = 0;  ///< ‖(F − U·Σ·Z⁻¹)·Q‖₁ in the same units
};

/// Measurements of both sides. X = C·Z⁻¹; Q is unitary with X·Q upper triangular up to the order and the phases of
/// columns, computed in double.
struct GsvdMeasurements {
  SideMeasurements f, g;
  std::vector<double> x_norms;                                    ///< of the rows of X; empty if Z' is singular
  double unitarity_1 = std::numeric_limits<double>::quiet_NaN();  ///< ‖QᴴQ − I‖₁
  double error_of_x =
      0;  ///< estimate of ‖Z·C⁻¹·X − I‖_F, by which measurements with X may be off; 0: far below roundoff
};

}  // namespace pivotlab::experiments
