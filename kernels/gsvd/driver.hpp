// From the user's pair to the blocked algorithm's and back: checks, scaling, bordering, extraction of the
// decomposition.
#pragma once

#include "kernels/gsvd/blocked.hpp"
#include "kernels/gsvd/device/device_gsvd.hpp"
#include "kernels/gsvd/pointwise_iteration.hpp"
#include "kernels/gsvd/rank.hpp"
#include "kernels/numerics/householder.hpp"
#include "kernels/numerics/power_of_two.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <span>
#include <string>
#include <utility>

namespace pivotlab {
namespace detail {

/// |Re x| or |Im x|, whichever is larger; NaN if one of them is.
template <class T>
RealOf<T> largest_part(const T& x) {
  using R = RealOf<T>;
  const R re = absolute(real_part(x));
  if constexpr (is_complex<T>) {
    const R im = absolute(x.imag());
    return im <= re ? re : re <= im ? im : re + im;
  } else {
    return re;
  }
}

/// Largest real or imaginary part of each column; throws InputError for NaN and Inf. `columns` are those of the matrix
/// that A's are, for messages; empty: all of them.
template <class T>
std::vector<RealOf<T>> largest_parts(MatrixView<const T> A, char name, int threads,
                                     std::span<const Index> columns = {}) {
  using R = RealOf<T>;
  const auto is_finite = [](const R& part) { return part <= std::numeric_limits<R>::max(); };
  std::vector<R> largest(static_cast<std::size_t>(A.cols), R(0));
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < A.cols; ++j) {
    R most(0);
    for (const T& x : A.col(j)) {
      const R part = largest_part(x);
      if (!(part <= most)) most = part;
      if (!is_finite(most)) break;
    }
    largest[static_cast<std::size_t>(j)] = most;
  }
  const auto bad = std::ranges::find_if_not(largest, is_finite);
  if (bad == largest.end()) return largest;
  const Index j = bad - largest.begin();
  const auto column = A.col(j);
  const auto row = std::ranges::find_if_not(column, [&](const T& x) { return is_finite(largest_part(x)); });
  throw InputError(std::string("matrix ") + name + ": element (" + std::to_string(row - column.begin() + 1) + ", " +
                   std::to_string((columns.empty() ? j : columns[static_cast<std::size_t>(j)]) + 1) +
                   ") is not finite; remove NaN and Inf from the input");
}

}  // namespace detail

/// Powers of two that keep all squares representable: (2^f·F·S, G·S) with S = diag 2^columns[j]. Rounds nothing.
struct PairScaling {
  int f = 0;
  std::vector<int> columns;  ///< empty when no scaling is needed
};

/// Throws InputError unless there is a column and neither matrix has fewer rows than columns.
inline void require_shapes(Index m_f, Index m_g, Index n) {
  if (n < 1) throw InputError("the pair: there are no columns (n = 0); give at least one");
  for (const auto& [name, rows] : {std::pair{'F', m_f}, std::pair{'G', m_g}})
    if (rows < n)
      throw InputError(std::string("matrix ") + name + ": it is " + std::to_string(rows) + " x " + std::to_string(n) +
                       ", with fewer rows than columns; append rows of zeros or a regularization");
}

/// The scaling of a pair with these largest parts of its columns, which is none unless they reach extreme exponents.
/// Throws InputError for a zero column of G, and where the columns of F, relative to those of G, are so far apart that
/// products of their squares leave the range of numbers: by more than 2^256 of double. A zero column may be there.
template <class R>
PairScaling find_scaling(const std::vector<R>& f, const std::vector<R>& g) {
  constexpr int safe = std::numeric_limits<R>::max_exponent / 4;
  bool extreme = false;
  std::size_t least = 0;
  int smallest = std::numeric_limits<int>::max(), largest = std::numeric_limits<int>::min();
  for (std::size_t j = 0; j < g.size(); ++j) {
    if (g[j] == R(0))
      throw InputError("matrix G: column " + std::to_string(j + 1) + " is zero; G must have full column rank");
    extreme |= std::abs(exponent_of(g[j])) > safe || (f[j] != R(0) && std::abs(exponent_of(f[j])) > safe);
    if (f[j] == R(0)) continue;
    const int ratio = exponent_of(f[j]) - exponent_of(g[j]);
    largest = std::max(largest, ratio);
    if (ratio < smallest) smallest = ratio, least = j;
  }
  const bool any = smallest <= largest;
  if (any && largest - smallest > safe)
    throw InputError("matrix F: column " + std::to_string(least + 1) + ", relative to G's, is only 2^" +
                     std::to_string(smallest - largest) +
                     " of the largest one, too little beside it to be told from zero; make it zero or leave it out");
  PairScaling scaling;
  if (!extreme) return scaling;
  for (const R& column : g) scaling.columns.push_back(-exponent_of(column));
  if (any) scaling.f = -largest;
  return scaling;
}

/// Checks shapes and elements of a pair and finds its scaling.
template <class T>
PairScaling check_pair(MatrixView<const T> F, MatrixView<const T> G, int threads = 1) {
  const auto shape = [](MatrixView<const T> A) { return std::to_string(A.rows) + " x " + std::to_string(A.cols); };
  if (G.cols != F.cols)
    throw InputError("the pair: F is " + shape(F) + " and G is " + shape(G) +
                     "; they must have the same number of columns");
  require_shapes(F.rows, G.rows, F.cols);
  const auto f = detail::largest_parts(F, 'F', threads);
  return find_scaling(f, detail::largest_parts(G, 'G', threads));
}

template <class T>
void apply_scaling(const PairScaling& scaling, MatrixView<T> F, MatrixView<T> G) {
  if (scaling.columns.empty()) return;
  for (Index j = 0; j < F.cols; ++j) {
    for (auto& x : F.col(j)) x = times_power_of_two(x, scaling.columns[j] + scaling.f);
    for (auto& x : G.col(j)) x = times_power_of_two(x, scaling.columns[j]);
  }
}

/// Y bordered to `order` columns: ones on the diagonal of the new corner, so that the new columns are orthogonal to all
/// others and never take part in a transformation (section 3.1).
template <class T>
Matrix<T> bordered(MatrixView<const T> Y, Index order) {
  const Index border = order - Y.cols;
  Matrix<T> result(Y.rows + border, order);
  as_eigen(result.view().block(0, 0, Y.rows, Y.cols)) = as_eigen(Y);
  for (Index j = 0; j < border; ++j) result(Y.rows + j, Y.cols + j) = T(1);
  return result;
}

/// The pair that the iteration works on: the user's own storage, or a bordered copy where n is not a multiple of the
/// tile.
template <class T>
class WorkingPair {
 public:
  WorkingPair(MatrixView<T> F, MatrixView<T> G, Index multiple)
      : order_((F.cols + multiple - 1) / multiple * multiple), F_(F), G_(G), Z_(Matrix<T>::identity(order_)) {
    if (order_ == F.cols) return;
    F_ = (bordered_f_ = bordered<T>(F, order_));
    G_ = (bordered_g_ = bordered<T>(G, order_));
  }

  Index order() const { return order_; }
  MatrixView<T> F() { return F_; }
  MatrixView<T> G() { return G_; }
  MatrixView<T> Z() { return Z_; }

 private:
  Index order_;
  Matrix<T> bordered_f_, bordered_g_;
  MatrixView<T> F_, G_;
  Matrix<T> Z_;
};

template <class R>
struct Sigmas {
  std::vector<R> f, g, ratio;
};

/// Section 3.4 at the end of the iteration: Σ_F, Σ_G and Σ from the column norms of F and G, which become U and V; Z is
/// normalized. Undoes the scaling.
template <class T>
Sigmas<RealOf<T>> extract(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, const PairScaling& scaling) {
  using R = RealOf<T>;
  auto f_columns = as_eigen(F), g_columns = as_eigen(G), z_columns = as_eigen(Z);
  Sigmas<R> sigmas;
  for (Index j = 0; j < Z.cols; ++j) {
    const R scaled_f = f_columns.col(j).norm(), g = g_columns.col(j).norm();
    if (scaled_f != R(0)) f_columns.col(j) *= R(1) / scaled_f;
    g_columns.col(j) *= R(1) / g;
    for (std::size_t i = 0; i < scaling.columns.size(); ++i)
      Z(static_cast<Index>(i), j) = times_power_of_two(Z(static_cast<Index>(i), j), scaling.columns[i]);
    const R f = times_power_of_two(scaled_f, -scaling.f);
    const R theta = R(1) / detail::hypotenuse(f, g);
    z_columns.col(j) *= theta;
    sigmas.f.push_back(f * theta);
    sigmas.g.push_back(g * theta);
    sigmas.ratio.push_back(f / g);
  }
  return sigmas;
}

/// Columns of the bordered decomposition that belong to the pair itself, by descending σ. A column of the border has
/// its only non-zero elements of Z below row n, wherever the sorting has put it.
template <class T>
std::vector<Index> descending_columns(MatrixView<const T> Z, Index n, const std::vector<RealOf<T>>& sigma) {
  std::vector<Index> order;
  for (Index j = 0; j < Z.cols; ++j)
    if ((as_eigen(Z).col(j).tail(Z.rows - n).array() == T(0)).all()) order.push_back(j);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sigma[a] > sigma[b]; });
  return order;
}

/// Column order[j] of `source` becomes column j of `target`; both may be the same storage.
template <class T>
void permute_columns(MatrixView<const T> source, const std::vector<Index>& order, MatrixView<T> target) {
  const auto copy_column = [&](MatrixView<const T> from, Index j, Index to) {
    std::copy_n(from.data + j * from.stride, target.rows, target.data + to * target.stride);
  };
  if (source.data != target.data) {
    for (std::size_t j = 0; j < order.size(); ++j) copy_column(source, order[j], static_cast<Index>(j));
    return;
  }
  std::vector<bool> done(order.size(), false);
  Matrix<T> saved(target.rows, 1);
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (done[start]) continue;
    std::copy_n(target.data + static_cast<Index>(start) * target.stride, target.rows, saved.data());
    std::size_t j = start;
    while (true) {
      done[j] = true;
      const auto from = static_cast<std::size_t>(order[j]);
      if (from == start) break;
      copy_column(target, order[j], static_cast<Index>(j));
      j = from;
    }
    copy_column(saved, 0, static_cast<Index>(j));
  }
}

/// Replaces the zero columns of U, the others being orthonormal, by columns that complete them: σ_F = 0 leaves them
/// free, U must be orthonormal.
template <class T>
void complete_columns(MatrixView<T> U, int threads) {
  std::vector<Index> zero, given;
  for (Index j = 0; j < U.cols; ++j)
    (std::ranges::all_of(U.col(j), [](const T& x) { return x == T(0); }) ? zero : given).push_back(j);
  if (zero.empty()) return;
  const auto rank = static_cast<Index>(given.size());
  Matrix<T> basis(U.rows, rank);
  for (Index j = 0; j < rank; ++j) std::ranges::copy(U.col(given[static_cast<std::size_t>(j)]), basis.col(j).begin());
  const HouseholderQR<T> qr = householder_qr(std::move(basis), threads);
#pragma omp parallel for num_threads(thread_count(threads))
  for (Index j = 0; j < std::ssize(zero); ++j) unitary_column(qr, rank + j, U.col(zero[static_cast<std::size_t>(j)]));
}

/// X = Z⁻¹ = Σ_F·Uᴴ·F + Σ_G·Vᴴ·G, without inverting anything.
template <class T>
Matrix<T> inverse_of_z(MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                       const GsvdResult<T>& r) {
  Matrix<T> X(U.cols, U.cols);
  auto x = as_eigen(X.view());
  x.noalias() = as_eigen(U).adjoint() * as_eigen(F);
  const EigenMatrix<T> from_g = as_eigen(V).adjoint() * as_eigen(G);
  for (Index j = 0; j < U.cols; ++j) x.row(j) = T(r.sigma_f[j]) * x.row(j) + T(r.sigma_g[j]) * from_g.row(j);
  return X;
}

void require_valid(const GsvdVariant& variant);

/// Moves the pair's own columns of a bordered decomposition to U, V and result.Z, σ descending. False if there are not
/// enough: then NaN has spread over everything.
template <class T>
bool store(WorkingPair<T>& pair, const Sigmas<RealOf<T>>& sigmas, MatrixView<T> U, MatrixView<T> V,
           GsvdResult<T>& result) {
  const Index n = U.cols;
  const auto columns = descending_columns<T>(pair.Z(), n, sigmas.ratio);
  if (static_cast<Index>(columns.size()) != n) return false;
  permute_columns<T>(pair.F(), columns, U);
  permute_columns<T>(pair.G(), columns, V);
  result.Z = Matrix<T>(n, n);
  permute_columns<T>(pair.Z(), columns, result.Z);
  for (const Index j : columns) {
    result.sigma_f.push_back(sigmas.f[j]);
    result.sigma_g.push_back(sigmas.g[j]);
    result.sigma.push_back(sigmas.ratio[j]);
  }
  return true;
}

template <class T>
void judge_convergence(bool converged, const GsvdOptions& options, GsvdResult<T>& result) {
  result.status = converged ? Status::passed : Status::not_converged;
  if (!converged)
    result.message = "big transformations remained after " + std::to_string(options.max_outer_sweeps) + " outer sweeps";
}

/// One solution by an iteration (BlockedAlgorithm, PointwiseIteration), from the checks to the decomposition. F, G
/// become U, V.
template <template <class> class Iteration, class T>
GsvdResult<T> solve_in_place(MatrixView<T> F, MatrixView<T> G, const GsvdOptions& options) {
  fix_eigen_blocking();
  require_valid(options.variant);
  const PairScaling scaling = check_pair<T>(F, G, thread_count(options.threads));
  const Matrix<T> original_g{MatrixView<const T>(G)};
  const Matrix<T> original_f = options.compute_x ? Matrix<T>(MatrixView<const T>(F)) : Matrix<T>();

  GsvdResult<T> result;
  const auto start = std::chrono::steady_clock::now();
  apply_scaling(scaling, F, G);
  WorkingPair<T> pair(F, G, Iteration<T>::order_multiple(options.variant));
  const Matrix<T> start_f{MatrixView<const T>(pair.F())};
  const bool converged =
      Iteration<T>(options, pair.order()).run(pair.F(), pair.G(), pair.Z(), RoundingNoise<T>(start_f), result.sweeps);
  const auto sigmas = extract<T>(pair.F(), pair.G(), pair.Z(), scaling);
  const bool stored = store(pair, sigmas, F, G, result);
  if (stored) complete_columns(F, options.threads);
  result.compute_seconds = seconds_since(start);

  if (!stored || count_deficient<T>(RoundingNoise<T>(original_g), G, result.Z, result.sigma_g) > 0)
    throw InputError(describe_deficiency<T>(start_f.view().block(0, 0, F.rows, F.cols), original_g, options.threads));
  if (options.compute_x) result.X = inverse_of_z<T>(original_f, original_g, F, G, result);
  judge_convergence(converged, options, result);
  return result;
}

/// The same with U and V in new matrices.
template <template <class> class Iteration, class T>
GsvdResult<T> solve(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  Matrix<T> U(F), V(G);
  GsvdResult<T> result = solve_in_place<Iteration, T>(U, V, options);
  result.U = std::move(U);
  result.V = std::move(V);
  return result;
}

/// By the kernels, on the GPU or emulated.
template <class T>
GsvdResult<T> solve_by_kernels(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    require_valid(options.variant);
    if (options.backend == Backend::emulation) return gsvd_emulated<T>(F, G, options);
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
    return gsvd_on_cuda<T>(F, G, options);
  } else {
    throw NotSupported("backend '" + std::string(to_string(options.backend)) +
                       "': its scalars are double and std::complex<double>; take the backend host for others");
  }
}

template <class T>
GsvdResult<T> gsvd_in_place(MatrixView<T> F, MatrixView<T> G, const GsvdOptions& options) {
  if (options.backend == Backend::host) return solve_in_place<BlockedAlgorithm, T>(F, G, options);
  GsvdResult<T> result = solve_by_kernels<T>(F, G, options);
  as_eigen(F) = as_eigen(std::exchange(result.U, {}).view());
  as_eigen(G) = as_eigen(std::exchange(result.V, {}).view());
  return result;
}

template <class T>
GsvdResult<T> gsvd(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  return options.backend == Backend::host ? solve<BlockedAlgorithm, T>(F, G, options)
                                          : solve_by_kernels<T>(F, G, options);
}

template <class T>
GsvdResult<T> gsvd_pointwise(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  return solve<PointwiseIteration, T>(F, G, options);
}

}  // namespace pivotlab
