// Measures a GSVD on a GPU, in double-double.
#pragma once

#include <experiments/metrics/gsvd_measurements.hpp>
#include <memory>

namespace pivotlab::experiments {

/// From this dimension on, what is judged in double-double is measured on a GPU where there is one.
inline constexpr Index device_judgement_order = 512;

/// T is double or std::complex<double>.
template <class T>
class DeviceJudge {
 public:
  virtual ~DeviceJudge() = default;
  /// The same products, inverse (LU with complete pivoting in double-double) and, entry by entry, errors as on the
  /// host; norms are summed in another order.
  virtual GsvdMeasurements measure(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z) = 0;
  /// ‖A‖₂·‖A⁻¹‖₂ of a square matrix with elements near 1, infinity if it is singular. The inverse is in double-double,
  /// the norms are from Lanczos' iteration until six digits stay.
  virtual double condition_number(const Matrix<T>& A) = 0;
};

/// Nothing where there is no GPU or no cuBLAS.
template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge();

}  // namespace pivotlab::experiments
