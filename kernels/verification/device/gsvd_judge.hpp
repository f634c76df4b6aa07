// Measures a GSVD on a GPU, in double-double.
#pragma once

#include <kernels/verification/gsvd_measurements.hpp>
#include <memory>
#include <optional>
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
  /// Of one side alone, as f of the result, with the same bits.
  virtual GsvdMeasurements measure(const GivenSide<T>& side, const GivenZ<T>& Z) = 0;
  /// ‖A‖₂·‖A⁻¹‖₂ of a square matrix, infinity if it is singular. The inverse is in double, corrected by its residual in
  /// extended precision until six digits of its norm are certain, or else in double-double; the norms are from Lanczos'
  /// iteration until six digits stay.
  virtual double condition_number(MatrixView<const T> A) = 0;
  /// Of everything since it was made, in the order of their first time.
  virtual const std::vector<Phase>& phases() const = 0;
};

/// On a GPU, and for use by the thread that makes it. Nothing where there is no GPU, no cuBLAS or no cuSOLVER.
template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge(int device = 0);

/// From this dimension on the sides are measured on a GPU each where there are two, though both then invert Z.
inline constexpr Index two_gpus_order = 8192;

/// What a judge measures; nothing where there is none.
template <class T>
std::optional<GsvdMeasurements> measure_on_gpus(const GivenSide<T>& f, const GivenSide<T>& g, const GivenZ<T>& Z,
                                                Index on_two_from = two_gpus_order);

/// The largest dimension that a judge's matrices leave in the memory of every GPU; 0 without one.
Index largest_order_on_gpus(bool complex);

}  // namespace pivotlab::experiments
