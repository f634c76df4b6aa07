// What the host side of the solver (device_gsvd.cpp) and the kernels (solver.hpp) say to each other. Plain types only:
// both compilers read it.
#pragma once

#include "kernels/exec/lane_order.hpp"
#include "kernels/gsvd/device/planes.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"
#include "kernels/gsvd/pair_decision.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pivotlab::device {

enum class FactorKind { cholesky, pivoted, qr };

/// A solution's shape and choices.
struct SolverPlan {
  bool complex = false;
  int width = 16;  ///< of a block column: 16 or 32
  std::int64_t rows_f = 0, rows_g = 0, n = 0;
  std::int64_t order = 0;               ///< n with the border, a multiple of 2·width
  std::vector<BlockPair> outer, inner;  ///< the strategies' tables, a step after the other
  bool enhanced = false, prescaled = true, sorting = true;
  FactorKind factor = FactorKind::cholesky;
  PairRules<double> rules{};
  double safe_independence = 0;  ///< of a tile's columns, for norms that are not recomputed
  int max_inner_sweeps = 30, max_outer_sweeps = 30;
  std::vector<int> row_exponents;  ///< of Z; empty where the pair was not scaled
  int f_exponent = 0;
};

struct SweepResult {
  TileCounters counters;
  double seconds;
};

struct IterationResult {
  bool converged = false;
  std::vector<SweepResult> sweeps;
  std::vector<ColumnResult> columns;  ///< of the bordered pair
  double compute_seconds = 0;         ///< from the imported pair to U, V, Z, Σ in device memory
};

/// What a column is of: during the iteration U and V stand for F and G.
enum class Which { U, V, Z };

/// Which of these columns of F are rounding noise.
using NoiseJudge = std::function<std::vector<int>(const std::vector<int>& doubtful)>;

/// One pair on one device. Strides count elements; complex numbers are two doubles.
class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;
  virtual void import_pair(const double* F, std::int64_t stride_f, const double* G, std::int64_t stride_g) = 0;
  /// Asks noise_among after a sweep, only about columns that a bound on |F| leaves in doubt.
  virtual IterationResult iterate(const NoiseJudge& noise_among) = 0;
  /// Columns order[0], order[1], … of U, V or Z without the border's rows.
  virtual void export_columns(Which which, const std::vector<int>& order, double* target, std::int64_t stride) = 0;
};

/// Throws std::bad_alloc when the device's memory does not suffice, CudaError for what else goes wrong there.
std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan);
/// The same kernels on the host's fibers.
std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::device
