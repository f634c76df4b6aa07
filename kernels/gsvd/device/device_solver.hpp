// SPDX-License-Identifier: BSD-3-Clause
// Interface between the host driver (gsvd_driver.cpp) and the device solver (solver.hpp). It has plain types only,
// because both compilers read it.
#pragma once

#include "kernels/exec/lane_order.hpp"
#include "kernels/gsvd/device/planes.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"
#include "kernels/gsvd/shared/pair_decision.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pivotlab::device {

/// Shape and options of a solution.
struct SolverPlan {
  bool complex = false;
  int width = 16;  ///< of a block column: 16 or 32
  std::int64_t rows_f = 0, rows_g = 0, n = 0;
  std::int64_t order = 0;        ///< n with the border, a multiple of 2·width; also the rows of Z
  std::int64_t columns = 0;      ///< on this device: all (order), or two stripes of equal width
  bool spare_stripe = false;     ///< memory for a third stripe, to receive into
  int device = 0;                ///< number of the CUDA device
  StrategyTable outer_strategy;  ///< of block columns
  StrategyTable inner_strategy;  ///< of the columns of a tile
  StrategyTable across;          ///< pairs of one block column of each of two stripes, or none
  bool enhanced = false, prescaled = true, sorting = true;
  FactorKind factor = FactorKind::cholesky;
  PairRules<double> rules{};
  double safe_independence = 0;  ///< smallest independence for which norms are not recomputed
  int max_inner_sweeps = 30, max_outer_sweeps = 30;
  bool first_in_single = false;    ///< the first sweeps store F, G and Z in single precision
  std::vector<int> row_exponents;  ///< of Z; empty if the pair was not scaled
  int f_exponent = 0;
};

struct SweepResult {
  TileCounters counters;
  double seconds;
  bool in_single = false;
};

/// Results of one or more sweeps.
struct SweepsResult {
  bool converged = false;  ///< the last sweep had no big transformations
  std::vector<SweepResult> sweeps;
};

struct IterationResult : SweepsResult {
  std::vector<ColumnResult> columns;  ///< of the bordered pair
  double compute_seconds = 0;         ///< from the imported pair to U, V, Z, Σ on the device
};

/// A matrix of the solver; during the iteration U and V mean F and G.
enum class Which { U, V, Z };

/// Returns those of the doubtful columns of F that are rounding noise.
using NoiseJudge = std::function<std::vector<int>(const std::vector<int>& doubtful)>;

/// Contiguous doubles of a stripe in device memory.
struct StripePart {
  double* data;
  std::size_t size;
};

/// Solver for a pair, or two stripes of it, on one device. Strides count elements; complex numbers are two doubles.
class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;

  // Functions for a whole pair follow.

  virtual void import_pair(const double* F, std::int64_t stride_f, const double* G, std::int64_t stride_g) = 0;
  /// Iterates until convergence. After each sweep it calls noise_among for the columns that a bound on |F| leaves in
  /// doubt.
  virtual IterationResult iterate(const NoiseJudge& noise_among) = 0;

  // Functions for two stripes, one step at a time (kernels/gsvd/distributed), follow.

  /// Uploads bordered columns of F and G. The first half begins at column first[0] of the whole pair, the second at
  /// first[1].
  virtual void import_stripes(const double* F, const double* G, const std::int64_t (&first)[2]) = 0;
  /// Sets the bound |F₀(i, j)| ≤ rows[i]·columns[j] of the whole bordered pair.
  virtual void set_noise_bound(const std::vector<double>& rows, const std::vector<double>& columns) = 0;
  virtual void prescale() = 0;
  virtual SweepsResult sweep(int max_sweeps, const NoiseJudge& noise_among) = 0;
  /// Does one sweep over the plan's pairs across the stripes.
  virtual SweepsResult sweep_across(const NoiseJudge& noise_among) = 0;
  /// Returns the columns of F that are not zero and may be noise.
  virtual std::vector<int> doubtful_columns() = 0;
  virtual void clear_columns(const std::vector<int>& columns) = 0;
  /// Returns the memory of stripe 0 or 1, or of the spare stripe 2, after all copies from and to it have finished.
  virtual std::vector<StripePart> stripe(int place) = 0;
  virtual void copy_stripe(int from, int to) = 0;
  /// Swaps the two stripes.
  virtual void swap_stripes() = 0;
  /// Copies a stripe to or from host memory, part after part.
  virtual void download_stripe(int place, double* to) = 0;
  virtual void upload_stripe(int place, const double* from) = 0;
  /// Computes U, V and Z in place of F, G and Z. Does not test which columns are significant.
  virtual std::vector<ColumnResult> extract() = 0;

  /// Downloads rows 0, …, rows − 1 of columns order[0], order[1], … of U, V or Z.
  virtual void export_columns(Which which, const std::vector<int>& order, std::int64_t rows, double* target,
                              std::int64_t stride) = 0;
};

/// Makes a solver on a GPU. Throws std::bad_alloc if the device's memory does not suffice, CudaError for other errors
/// of the device.
std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan);
/// Makes a solver that runs the same kernels on fibers of the host.
std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::device
