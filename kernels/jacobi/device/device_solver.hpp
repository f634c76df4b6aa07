// SPDX-License-Identifier: BSD-3-Clause
// Interface between the driver (hsvd_driver.cpp) and the device solver (solver.hpp). It has plain types only, because
// both compilers read it.
#pragma once

#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"
#include "kernels/gsvd/device/planes.hpp"
#include "kernels/jacobi/shared/rotation.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace pivotlab::jacobi {

/// Shape and options of a solution.
struct SolverPlan {
  bool complex = false;
  int width = 32;                ///< of a block column: 16, 32, or 64 for real numbers
  std::int64_t rows = 0, n = 0;  ///< of the given G
  std::int64_t order = 0;        ///< n with the border, a multiple of 2·width
  bool compute_v = false;        ///< also accumulates V
  StrategyTable outer_strategy;  ///< of block columns
  StrategyTable inner_strategy;  ///< of the columns of a tile, or of two halves of blocks with w = 64
  device::FactorKind factor = device::FactorKind::cholesky;
  bool fix = false;
  JacobiRules<double> rules{};  ///< of columns of such a tile
  int max_inner_sweeps = 1;
};

/// Counters of the tiles at one position of the steps of a sweep; those of HsvdSweep.
struct TileCounters {
  std::uint64_t transformations, big, hyperbolic, clamped, skipped_tiles, qr_tiles, max_inner_sweeps;
  double largest_cosine, largest_tan, largest_tanh;

  PIVOTLAB_DEVICE void add(const TileCounters& tile) {
    transformations += tile.transformations;
    big += tile.big;
    hyperbolic += tile.hyperbolic;
    clamped += tile.clamped;
    skipped_tiles += tile.skipped_tiles;
    qr_tiles += tile.qr_tiles;
    if (tile.max_inner_sweeps > max_inner_sweeps) max_inner_sweeps = tile.max_inner_sweeps;
    if (tile.largest_cosine > largest_cosine) largest_cosine = tile.largest_cosine;
    if (tile.largest_tan > largest_tan) largest_tan = tile.largest_tan;
    if (tile.largest_tanh > largest_tanh) largest_tanh = tile.largest_tanh;
  }
};

struct SweepResult {
  TileCounters counters;
  std::uint64_t null_columns;  ///< columns that became zero after the sweep
  double seconds;
};

/// A matrix of the caller in the solver's device memory: column-major, complex numbers in two adjacent doubles.
struct CallerMatrix {
  double* data = nullptr;
  std::int64_t stride = 0;  ///< elements from one column to the next
};

/// Solver for one (G, J) at a time, all of one shape, on one device. All memory is taken when it is made, but that of
/// exchange_u() and exchange_v().
class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;

  /// Returns the largest real or imaginary part of each column of G in modulus, NaN for a column with NaN.
  virtual std::vector<double> largest_parts(const CallerMatrix& G) = 0;
  /// Returns ‖2^exponent·g_j‖ for every column.
  virtual std::vector<double> norms(const CallerMatrix& G, int exponent) = 0;
  /// Sets the iterate to the columns 2^exponent·g_j, j = columns[0], columns[1], …, with a border, and V to I. The
  /// signs and the noise have `order` elements.
  virtual void import_matrix(const CallerMatrix& G, int exponent, const std::vector<int>& columns,
                             const std::vector<double>& signs, const std::vector<double>& noise) = 0;
  virtual SweepResult sweep() = 0;
  /// Returns the norms, or the noise, of the iterate's n columns that do not belong to the border.
  virtual std::vector<double> column_norms() = 0;
  virtual std::vector<double> column_noise() = 0;
  /// Returns the largest |cos(g_i, g_j)|, i ≠ j, of the iterate's columns, or NaN.
  virtual double largest_cosine() = 0;
  /// Sets column j of U to column order[j] of the iterate, divided by norms[order[j]] unless that is zero.
  virtual void export_u(const std::vector<int>& order, const std::vector<double>& norms, const CallerMatrix& U) = 0;
  /// Sets element (columns[i], j) of V to element (i, order[j]) of the accumulated V.
  virtual void export_v(const std::vector<int>& order, const std::vector<int>& columns, const CallerMatrix& V) = 0;
  virtual void synchronize() = 0;

  /// Returns device memory for U and V of matrices that the host has: G in the place of U, allocated on first use.
  virtual CallerMatrix exchange_u() = 0;
  virtual CallerMatrix exchange_v() = 0;
  /// Copy a matrix of `rows` × n elements from or to the host; strides count elements.
  virtual void upload(const CallerMatrix& to, const double* from, std::int64_t stride, std::int64_t rows) = 0;
  virtual void download(double* to, std::int64_t stride, const CallerMatrix& from, std::int64_t rows) = 0;
};

/// Returns the bytes of device memory of a solver, without exchange().
std::size_t workspace_bytes(const SolverPlan& plan);
/// Makes a solver on a GPU. With a workspace, device memory of workspace_bytes(plan) aligned to 256 that outlives the
/// solver, it allocates none but for exchange(). It works on the stream of the caller, or on one of its own on the
/// first device, and its functions that return numbers wait for it. Throws std::bad_alloc if the device's memory does
/// not suffice, CudaError for other errors of the device.
std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan, void* workspace = nullptr,
                                               const std::optional<CallerStream>& stream = {});
/// Makes a solver that runs the same kernels on fibers of the host.
std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order = LaneOrder::forward,
                                                   void* workspace = nullptr);

}  // namespace pivotlab::jacobi
