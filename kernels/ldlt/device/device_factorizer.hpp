// SPDX-License-Identifier: BSD-3-Clause
// Interface between the host driver (ldlt_driver.cpp) and the device factorizer (factorizer.hpp). It has plain types
// only, because both compilers read it.
#pragma once

#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"
#include "kernels/ldlt/device/device_triangle.hpp"
#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/device/strips.hpp"

#include <memory>
#include <optional>
#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::ldlt_device {

/// How kernels run, which does not change a bit but where it is said.
struct Design {
  /// Makes a steering copy of a real matrix with complete pivoting, or none; {} chooses what is faster.
  std::optional<bool> steered = {};
  /// Limits the blocks of a resident grid; {} takes a block for each multiprocessor.
  std::optional<int> resident_blocks = {};
  std::optional<int> resident_order = {};  ///< largest order of a triangle in its shared memory; {}: what fits
  /// Rook and partial pivoting take panels of two chunks of columns, whose roundings are others than those of one
  /// chunk, from so many rows on; {} is 8192, complex 4096.
  std::optional<std::int64_t> wide_panels_from = {};
};

/// The order of the matrix and the options that the kernels need.
struct FactorizationPlan {
  std::int64_t order = 0;
  bool hermitian = true;  ///< or complex symmetric; a real matrix is Hermitian
  Pivoting pivoting = Pivoting::complete;
  double alpha = 0;
  Matrix<double> butterfly = {};  ///< without a search, in the layout of LdltFactorization::butterfly
  Design design = {};
};

/// Returns whether a steering copy makes complete pivoting of a real matrix faster (performance-ldlt.md); it does not
/// change a bit.
inline bool worth_steering(std::int64_t order) {
  return order >= 6400;
}

template <class T>
struct Elimination {
  std::vector<StageRecord> stages;
  std::vector<T> diagonal, subdiagonal;  ///< of D
  std::int64_t rank = 0;                 ///< number of columns of M before those of the identity
  double remainder = 0;
  /// Without a search, the row of a pivot that is zero or overflows, so that there are no factors; otherwise −1
  std::int64_t refused_at = -1;
  double compute_seconds = 0;  ///< from the imported triangle to M and D in device memory
};

/// Factorizer for one matrix at a time, all of one order, on one device. All memory is taken when it is made.
template <class T>
class DeviceFactorizer {
 public:
  virtual ~DeviceFactorizer() = default;
  /// Returns the triangle to import to.
  virtual DeviceTriangle<T>& matrix() = 0;
  /// Factors the imported triangle, whose largest modulus is given; numbers up to the tolerance count as zero with
  /// complete pivoting.
  virtual Elimination<T> eliminate(double largest, double tolerance) = 0;
  /// Returns M below its diagonal, of which the first `rank` columns are valid, in device memory after eliminate().
  virtual Strips<T> triangle() const = 0;
  /// Downloads M to an order × order matrix, column-major, with zeros above the diagonal already unless it has fewer
  /// bytes than Matrix maps. Returns the largest off-diagonal |m_ij|.
  virtual double export_m(T* M) = 0;
  /// Stores M with zeros above the diagonal to an order × order matrix in device memory.
  virtual void export_m(MatrixView<T> M) = 0;
};

/// Returns the bytes of device memory of a factorizer.
template <class T>
std::size_t workspace_bytes(const FactorizationPlan& plan);
/// Makes a factorizer on a GPU, on the stream of the caller, or on one of its own on the first device. A workspace is
/// device memory of workspace_bytes(plan) aligned to 256 that outlives the factorizer. Throws std::bad_alloc if the
/// device's memory does not suffice, CudaError for other errors of the device.
template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_cuda_factorizer(const FactorizationPlan& plan, void* workspace = nullptr,
                                                          const std::optional<CallerStream>& stream = {});
/// Makes a factorizer that runs the same kernels on fibers of the host.
template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_emulated_factorizer(const FactorizationPlan& plan,
                                                              LaneOrder order = LaneOrder::forward,
                                                              void* workspace = nullptr);

}  // namespace pivotlab::ldlt_device
