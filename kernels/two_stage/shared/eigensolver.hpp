// SPDX-License-Identifier: BSD-3-Clause
// Interface to the Hermitian eigensolver in two stages. Plain types only, because both compilers read it.
#pragma once

#include "kernels/exec/lane_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace pivotlab::two_stage {

enum class Outcome {
  converged,
  not_finite,     ///< A has NaN or infinite elements
  not_converged,  ///< a part of the tridiagonal matrix, or the library's solver of it
};

/// Is given the name of a step that has been enqueued, and its flops.
using Observer = std::function<void(std::string_view, double)>;

/// Which divide and conquer method solves the tridiagonal problem: own kernels, or cuSOLVER's Xstedc (12.4 has it),
/// which takes longer on an H200.
enum class TridiagonalSolver { own, library };

/// How a matrix becomes tridiagonal: at once if it fits in registers, else in two stages; or as a test wants.
enum class Reduction { fastest, at_once, two_stages };

struct Steps {
  TridiagonalSolver tridiagonal = TridiagonalSolver::own;
  Reduction reduction = Reduction::fastest;
};

/// Chooses the vectors that a solver computes; it always computes all n eigenvalues.
struct Wanted {
  bool vectors = true;
  Index first = 0, count = -1;  ///< vectors of the eigenvalues first, …, first + count − 1; count = −1: up to the last
  double above = -std::numeric_limits<double>::infinity();  ///< of these, those of λ: above < λ ≤ most
  double most = std::numeric_limits<double>::infinity();

  bool by_value() const { return std::isfinite(above) || std::isfinite(most); }
  /// Returns the first wanted one of ascending eigenvalues, and how many are wanted.
  std::pair<Index, Index> places(const std::vector<double>& lambda) const {
    const auto up_to = [&](double bound) { return std::ranges::upper_bound(lambda, bound) - lambda.begin(); };
    const Index begin = std::max<Index>(first, up_to(above)), last = count < 0 ? std::ssize(lambda) : first + count;
    return {begin, std::max<Index>(0, std::min<Index>(last, up_to(most)) - begin)};
  }
};

/// Computes eigenvalues, ascending, and eigenvectors of matrices.
template <class T>
class Eigensolver {
 public:
  virtual ~Eigensolver() = default;

  /// Returns the largest order that the device has multiprocessors for.
  virtual Index most_rows() const = 0;
  /// Returns the bytes of memory that a matrix of order n takes, besides its own.
  virtual std::size_t workspace_bytes(Index n) = 0;
  /// Replaces the first columns of A, of which the lower triangle is read, by the eigenvectors that are wanted, and
  /// overwrites the others. Returns after all is done. A and the workspace (aligned to 256) are in the memory of the
  /// device, or of the host if it is emulated. Throws NotSupported for an order above most_rows().
  virtual Outcome solve(MatrixView<T> A, double* lambda, void* workspace, const Wanted& wanted = {}) = 0;
};

/// The largest order: the registers of 132 multiprocessors hold two positions of the band each (bulge_chase.hpp).
inline constexpr Index most_rows = 16896;
/// The largest order for a reduction at once, on 128 multiprocessors.
template <class T>
inline constexpr Index most_rows_at_once = is_complex<T> ? 1280 : 1792;
/// Returns whether a solver takes less time than cuSOLVER's Xsyevd on an H200.
template <class T>
constexpr bool is_faster(Index n) {
  return n >= 64 && n <= most_rows && (!is_complex<T> || n <= most_rows_at_once<T> || n >= 3072);
}
/// Returns the largest such order up to n, or 0.
template <class T>
constexpr Index largest_faster(Index n) {
  while (n > 0 && !is_faster<T>(n)) n = n > most_rows ? most_rows : n - 1;
  return n;
}

/// Returns the bytes of memory of a solver with own divide and conquer, also without a GPU and libraries.
template <class T>
std::size_t workspace_bytes(Index n);

/// Makes a solver on a stream of the current device, by cuBLAS and, for `library`, a cuSOLVER that has Xstedc. Throws
/// NotSupported where a library is missing.
template <class T>
std::unique_ptr<Eigensolver<T>> make_cuda_eigensolver(void* stream, Observer observer = {}, Steps steps = {});
/// Makes a solver by emulated kernels and LAPACK. Throws NotSupported without LAPACK.
template <class T>
std::unique_ptr<Eigensolver<T>> make_emulated_eigensolver(LaneOrder order = LaneOrder::forward, Steps steps = {});

}  // namespace pivotlab::two_stage
