// SPDX-License-Identifier: BSD-3-Clause
// Measures a GSVD on a GPU by exact products, and in double-double.
#pragma once

#include <kernels/verification/gsvd_measurements.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// From this dimension on, double-double measurements run on a GPU if there is one.
inline constexpr Index device_judgement_order = 512;

/// A part of a measurement.
struct Phase {
  std::string name;
  double seconds = 0;
  double flops = 0;  ///< of matrix products in double
};

/// Judge of a GSVD. T is double or std::complex<double>.
template <class T>
class DeviceJudge {
 public:
  virtual ~DeviceJudge() = default;
  /// Measures both sides. The errors are those of the host, except that they come from exact products with proved
  /// bounds, or from products of 89 bits instead of 104; norms are summed in another order. X comes from a QR
  /// factorization in double and F − U·Σ·X = (F·Z − U·Σ)·X from the error of F·Z, if `error_of_x` is at most 1e-7; from
  /// an inverse in extended precision otherwise. `reach` is up to 2⁻⁸ too small.
  virtual GsvdMeasurements measure(const GivenSide<T>& f, const GivenSide<T>& g, const GivenZ<T>& Z) = 0;
  /// Measures one side only, as f of the result, with the same bits.
  virtual GsvdMeasurements measure(const GivenSide<T>& side, const GivenZ<T>& Z) = 0;
  /// Computes ‖A‖₂·‖A⁻¹‖₂ of a square matrix, infinity if it is singular. The inverse is computed in double and
  /// corrected by its residual in extended precision until six digits of its norm are certain, or else computed in
  /// double-double; the norms are computed by Lanczos' iteration until six digits do not change.
  virtual double condition_number(MatrixView<const T> A) = 0;
  /// Returns the phases of all measurements since construction, in the order of their first time.
  virtual const std::vector<Phase>& phases() const = 0;
};

/// Makes a judge on a GPU, for use by the calling thread; null without a GPU, cuBLAS or cuSOLVER.
template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge(int device = 0);

/// From this dimension on each side is measured on its own GPU if there are two, although both then invert Z.
inline constexpr Index two_gpus_order = 8192;

/// Returns the measurements of a judge; nothing if there is no GPU.
template <class T>
std::optional<GsvdMeasurements> measure_on_gpus(const GivenSide<T>& f, const GivenSide<T>& g, const GivenZ<T>& Z,
                                                Index on_two_from = two_gpus_order);

/// Returns the largest dimension for which a judge's matrices fit the memory of every GPU; 0 without one.
Index largest_order_on_gpus(bool complex);

}  // namespace pivotlab::experiments
