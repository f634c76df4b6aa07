// Measures a GSVD on a GPU, in double-double.
#pragma once

#include <experiments/metrics/gsvd_measurements.hpp>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// From this dimension on, what is judged in double-double is measured on a GPU where there is one.
inline constexpr Index device_judgement_order = 512;

/// A part of a measurement.
struct Phase {
  std::string name;
  double seconds = 0;
  double flops = 0;  ///< of matrix products in double
};

/// T is double or std::complex<double>.
template <class T>
class DeviceJudge {
 public:
  virtual ~DeviceJudge() = default;
  /// The same inverse (LU with complete pivoting in double-double) and errors as on the host, these from products of 89
  /// bits in place of 104; norms are summed in another order.
  virtual GsvdMeasurements measure(const GivenSide<T>& f, const GivenSide<T>& g, const GivenZ<T>& Z) = 0;
  /// ‖A‖₂·‖A⁻¹‖₂ of a square matrix, infinity if it is singular. The inverse is in double, corrected by its residual in
  /// extended precision until six digits of its norm are certain, or else in double-double; the norms are from Lanczos'
  /// iteration until six digits stay.
  virtual double condition_number(MatrixView<const T> A) = 0;
  /// Of everything since it was made, in the order of their first time.
  virtual const std::vector<Phase>& phases() const = 0;
};

/// Nothing where there is no GPU, no cuBLAS or no cuSOLVER.
template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge();

}  // namespace pivotlab::experiments
