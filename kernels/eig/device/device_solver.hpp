// SPDX-License-Identifier: BSD-3-Clause
// Interface between the host driver (eig_driver.cpp) and the device solver (solver.hpp). It has plain types only,
// because both compilers read it.
#pragma once

#include "kernels/eig/device/lines.hpp"
#include "kernels/eig/device/planes.hpp"
#include "kernels/eig/shared/parameters.hpp"
#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pivotlab::eig_device {

enum class Form { steps, fused, blocked };

/// Shape and options of a decomposition.
struct SolverPlan {
  Form form = Form::blocked;
  int block = 16;  ///< b of the blocked form: 8, 16 or 32
  std::int64_t n = 0;
  std::int64_t order = 0;             ///< n with the border, a multiple of 32 and of 2b
  std::vector<Pair> outer, inner;     ///< tables of the strategies, round by round; point forms have only outer
  bool first_in_single = false;       ///< whether the first sweeps are in single precision
  std::vector<Pair> inner_of_floats;  ///< the table `inner` for these sweeps
  eig_detail::PairRules<double> rules;
  bool diagonal = true;
  double exponent = 0.5;  ///< of the diagonal transformations
  bool balance = true;    ///< unless A is triangular or zero
  int max_sweeps = 100;
  bool stop_where_stagnating = false;  ///< stop if has_stagnated()
  double tolerance = 0;                ///< tolerance for ‖lower part‖_F/‖A‖_F
  bool vectors = true;                 ///< whether right vectors are requested
  bool basis = true;                   ///< whether E is requested
  bool inverse_basis = false;          ///< whether E⁻ᵀ is requested
};

struct SweepRecord {
  Norms norms;
  std::vector<double> diagonal;  ///< n complex numbers
  double seconds;
};

struct IterationResult {
  bool converged = false;
  std::vector<SweepRecord> history;  ///< element k after k sweeps
  int exponent = 0;                  ///< exponent by which the device has scaled A after balancing
  std::vector<int> d;                ///< exponents of the balancing, n numbers
  double compute_seconds = 0;
};

/// A matrix in device memory, n × n, real or of interleaved complex numbers.
struct GivenMatrix {
  const double* data;
  std::int64_t stride;  ///< numbers from one column to the next
  int parts;            ///< doubles of a number: 1 or 2
};

/// Sizes of the numbers of a column, which decide how a matrix is imported.
struct ColumnSize {
  double largest;  ///< largest |Re|, |Im|; Inf if a number is not finite
  double below;    ///< the same below the diagonal
};

/// The scaling of a matrix when it is imported.
struct Scaling {
  bool balance = true;
  int exponent = 0;  ///< it is multiplied by 2^exponent
};

enum class Which { iterate, E, inverse_transposed, right };

/// Solver for one matrix at a time on one device. Complex numbers are two doubles. Memory is taken when it is made, but
/// for that between device and host.
class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;
  /// Uploads A, n × n with leading dimension `stride`.
  virtual void import_matrix(const double* A, std::int64_t stride, const Scaling& scaling) = 0;
  /// Returns the sizes of the columns of a matrix in device memory.
  virtual std::vector<ColumnSize> measure(const GivenMatrix& A) = 0;
  virtual void import_given(const GivenMatrix& A, const Scaling& scaling) = 0;
  virtual IterationResult iterate() = 0;
  /// Computes right eigenvectors. Returns the seconds.
  virtual double find_vectors() = 0;
  /// Downloads a matrix, n × n, in the coordinates of the iteration.
  virtual void export_matrix(Which which, double* re, double* im) = 0;
  /// Sets column k of a matrix in device memory, of interleaved complex numbers, to right vector positions[k] in the
  /// coordinates of the given matrix, with norm 1.
  virtual void export_vectors(const std::vector<int>& positions, double* to, std::int64_t stride) = 0;
};

/// Returns the bytes of device memory that a solver takes when it is made.
std::size_t workspace_bytes(const SolverPlan& plan);
/// Makes a solver on a GPU, on the stream of the caller, or on one of its own on the first device. A workspace is
/// device memory of workspace_bytes(plan) aligned to 256 that outlives the solver. Throws std::bad_alloc if the
/// device's memory does not suffice, CudaError for other errors of the device.
std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan, void* workspace = nullptr,
                                               const std::optional<CallerStream>& stream = {});
/// Makes a solver that runs the same kernels on fibers of the host.
std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order = LaneOrder::forward,
                                                   void* workspace = nullptr);

}  // namespace pivotlab::eig_device
