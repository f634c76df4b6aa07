// Interface between the host driver (device_ldlt.cpp) and the device factorizer (factorizer.hpp). It has plain types
// only, because both compilers read it.
#pragma once

#include "kernels/exec/lane_order.hpp"
#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/device/strips.hpp"

#include <memory>
#include <pivotlab/ldlt_variant.hpp>
#include <vector>

namespace pivotlab::ldlt_device {

/// The order of the matrix and the options that the kernels need.
struct FactorizationPlan {
  std::int64_t order = 0;
  bool hermitian = true;  ///< or complex symmetric; a real matrix is Hermitian
  Pivoting pivoting = Pivoting::complete;
  double alpha = 0;
  double largest = 0;    ///< max|A|
  double tolerance = 0;  ///< absolute tolerance for zero, with complete pivoting
};

template <class T>
struct Elimination {
  std::vector<StageRecord> stages;
  std::vector<T> diagonal, subdiagonal;  ///< of D
  std::int64_t rank = 0;                 ///< number of columns of M before those of the identity
  double remainder = 0;
  double compute_seconds = 0;  ///< from the imported triangle to M and D in device memory
};

/// Factorizer for one matrix on one device.
template <class T>
class DeviceFactorizer {
 public:
  virtual ~DeviceFactorizer() = default;
  /// Uploads a packed triangle in the layout of PackedTriangle: all elements by columns, and the diagonal.
  virtual void import_triangle(const T* elements, const T* diagonal) = 0;
  virtual Elimination<T> eliminate() = 0;
  /// Returns M below its diagonal, of which the first `rank` columns are valid, in device memory after eliminate().
  virtual Strips<T> triangle() const = 0;
  /// Downloads the lower triangle of M to an order × order matrix, column-major, with zeros above the diagonal.
  virtual void export_m(T* M) = 0;
};

/// Makes a factorizer on a GPU. Throws std::bad_alloc if the device's memory does not suffice, CudaError for other
/// errors of the device.
template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_cuda_factorizer(const FactorizationPlan& plan);
/// Makes a factorizer that runs the same kernels on fibers of the host.
template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_emulated_factorizer(const FactorizationPlan& plan,
                                                              LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::ldlt_device
