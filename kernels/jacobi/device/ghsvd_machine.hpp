// SPDX-License-Identifier: BSD-3-Clause
// Operations of the generalized hyperbolic SVD by an executor and a library of routines (kernels/gsvd/tangent/shared).
// Plain: a device compiler reads it, too.
#pragma once

#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/gsvd/tangent/device/device_machine.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/shared/pair_reduction.hpp"
#include "kernels/jacobi/device/eigh_kernels.hpp"
#include "kernels/jacobi/device/ghsvd_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pivotlab::jacobi {

template <class T, class Executor, class Library>
class GhsvdMachine final : public GhsvdDevice<T> {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;
  using Reals = MatrixView<double>;
  using ConstReals = MatrixView<const double>;
  using Machine = tangent::DeviceMachine<tangent::Kernels<Executor>, Library>;
  template <class X>
  using Arrange = tangent::Arrange<X>;

 public:
  /// make_library(executor) returns the library.
  template <class MakeLibrary, class... ExecutorArguments>
  GhsvdMachine(const Shape& shape, const MakeLibrary& make_library, ExecutorArguments&&... arguments)
      : executor_(std::forward<ExecutorArguments>(arguments)...),
        machine_(tangent::Kernels<Executor>(executor_), make_library(executor_), {}),
        given_m_f_(shape.m_f),
        m_f_(std::max(shape.m_f, shape.n)),
        n_(shape.n),
        run_(machine_, {m_f_, shape.m_g, shape.n}, {}),
        pair_(run_) {
    Arena counting(nullptr);
    lay_out(counting);
    own_bytes_ = counting.used();
  }

  std::size_t workspace_bytes() const override { return run_.bytes + own_bytes_; }

  void use(void* workspace) override {
    if (workspace == nullptr) {
      allocated_ = executor_.template allocate<unsigned char>(workspace_bytes());
      workspace = allocated_.data();
    }
    workspace_ = workspace;
    Arena own(static_cast<unsigned char*>(workspace) + run_.bytes);
    lay_out(own);
  }

  std::string reduce(ConstView F, ConstView G, const std::vector<double>& J) override {
    run_.begin(workspace_);
    G_ = G;
    std::vector<double> row_signs = J;
    row_signs.resize(m_f_, 1.0);
    run_.upload(row_signs_, row_signs);
    if (!pair_.reduce(F, G, b())) return run_.out.reason;
    const std::vector<double> norms = run_.column_norms(b());
    if (!tangent::all_finite(norms)) return "B = F/R overflows";
    const double longest = *std::max_element(norms.begin(), norms.end());
    const int shift = longest > 0 ? std::ilogb(longest) : 0;
    machine_.for_each(m_f_, n_, Arrange<T>{.from = b(), .to = b(), .shift = -shift});
    exponent_ = pair_.exponent() + shift;
    return {};
  }

  int exponent() const override { return exponent_; }

  ConstView tangent() override {
    const View JB = tall(n_);
    machine_.for_each(m_f_, n_, Arrange<T>{.from = b(), .to = JB, .row_factor = row_signs_});
    machine_.multiply_adjoint(ConstView(b()), ConstView(JB), run_.M);
    machine_.for_each(n_, 1, RealDiagonal<T>{run_.M});
    return run_.M;
  }

  void download_b(T* B) override {
    const View rows{tall(n_).data, given_m_f_, n_, given_m_f_};
    machine_.for_each(given_m_f_, n_, Arrange<T>{.from = b(), .to = rows});
    download(B, rows);
  }

  View w(Index r) override { return square(run_.V, r); }

  void set_u(const HsvdOnDevice<T>& d, const std::vector<int>& order, View U) override {
    const Index r = d.rank();
    const View result{work_.data, m_f_, r, m_f_};
    if (r > 0) {
      take_values(d);
      const View S = square(run_.A, r), M = square(run_.M, r);
      machine_.for_each(r, r, Arrange<T>{.from = d.W, .to = S, .row_factor = factor_signs_, .col_factor = signs_});
      machine_.for_each(r, r, UnitFactor<T>{blocks(d), M});
      if (r == n_) refine(d, M, S);
      const View quotients = tall(r);
      machine_.for_each(m_f_, r, Arrange<T>{.from = b(), .to = quotients, .cols = rows_});
      divide_by_factor(d, M, quotients);
      machine_.multiply(ConstView(quotients), ConstView(S), result);
      orthogonalize(r, result);
    }
    run_.upload(run_.columns, order);
    machine_.for_each(given_m_f_, n_, OrderedColumns<T>{result, run_.columns, U});
  }

  ErrorSums error_sums(const HsvdOnDevice<T>& d) override {
    const Index r = d.rank();
    ErrorSums sums;
    if (r == 0) return sums;
    const Reals x = reals(run_.A, n_, r), g = reals(run_.M, n_, r);
    machine_.for_each(n_, r, tangent::Absolute<T>{d.X, x});
    machine_.for_each(n_, r, tangent::Absolute<T>{d.G, g});
    sums.factorization = norms_of_product(true, g, x, reals(run_.C, r, r));

    // |B|·|X|, and |B|·|R|·|Z| with Z = R⁻¹·X
    const View R = run_.Q, Z{run_.E.data, n_, r, n_};
    machine_.for_each(n_, n_, tangent::UpperTriangle<T>{tangent::top(run_.qr_g, n_), R});
    machine_.for_each(n_, r, Arrange<T>{.from = d.X, .to = Z});
    machine_.solve_left_upper(ConstView(R), Z);
    const Reals b_moduli = reals(tall(n_), m_f_, n_), product = reals(work_, m_f_, r);
    machine_.for_each(m_f_, n_, tangent::Absolute<T>{b(), b_moduli});
    sums.tangent = norms_of_product(false, b_moduli, x, product);
    const Reals z = reals(run_.A, n_, r), r_moduli = reals(run_.C, n_, n_), rz = reals(run_.M, n_, r);
    machine_.for_each(n_, r, tangent::Absolute<T>{Z, z});
    run_.column_norms(R);
    machine_.reduce_columns(n_, r, WeightedRowSum{z, run_.norms, run_.vector});
    sums.qr = run_.download(run_.vector, r);
    machine_.for_each(n_, n_, tangent::Absolute<T>{R, r_moduli});
    machine_.multiply(ConstReals(r_moduli), ConstReals(z), rz);
    machine_.multiply(ConstReals(b_moduli), ConstReals(rz), product);
    const View BX = tall(r);
    machine_.multiply(ConstView(b()), ConstView(copy_of_x(d)), BX);
    machine_.reduce_columns(m_f_, r, ModulusProductSum<T>{BX, product, run_.vector});
    sums.substitution = run_.download(run_.vector, r);
    return sums;
  }

  bool set_v_and_z(const HsvdOnDevice<T>& d, const std::vector<int>& order, const std::vector<double>& sigma_g, View V,
                   View Z) override {
    const View X = run_.Q;
    run_.upload(run_.columns, order);
    machine_.for_each(n_, n_, OrderedColumns<T>{d.X, run_.columns, X});
    complete(order, X);
    pair_.set_v(X, V);
    std::vector<double> h;
    for (const double sigma : sigma_g) h.push_back(1 / sigma);
    pair_.set_z(X, h, Z);
    return is_significant(sigma_g, V, Z);
  }

  DevicePair<T> upload(ConstView F, ConstView G) override {
    const Index m_g = run_.shape.m_g;
    const std::size_t count = static_cast<std::size_t>((2 * given_m_f_ + 2 * m_g + n_) * n_);
    if (exchange_.size() == 0) exchange_ = executor_.template allocate<T>(count);
    T* next = exchange_.data();
    const auto take = [&](Index rows) { return View{std::exchange(next, next + rows * n_), rows, n_, rows}; };
    const View f = take(given_m_f_), g = take(m_g);
    upload_matrix(machine_, F, f.data), upload_matrix(machine_, G, g.data);
    return {f, g, take(given_m_f_), take(m_g), take(n_)};
  }

  void download(T* to, ConstView from) override {
    machine_.download(to, from.data, static_cast<std::size_t>(from.rows * from.cols));
  }

 private:
  void lay_out(Arena& arena) {
    work_ = {arena.take<T>(m_f_ * n_), m_f_, n_, m_f_};
    row_signs_ = arena.take<double>(m_f_);
    for (double** reals : {&factor_signs_, &signs_, &sigma_, &row_norms_}) *reals = arena.take<double>(n_);
    rows_ = arena.take<int>(n_);
    kinds_ = arena.take<ColumnKind>(n_);
  }

  View b() const { return run_.qr_f; }
  View tall(Index columns) const { return {run_.tall.data, m_f_, columns, m_f_}; }
  static View square(View memory, Index r) { return {memory.data, r, r, r}; }
  static Reals reals(View memory, Index rows, Index columns) {
    return {reinterpret_cast<double*>(memory.data), rows, columns, rows};
  }
  PivotBlocks<T> blocks(const HsvdOnDevice<T>& d) const { return {d.G, rows_, kinds_}; }

  void take_values(const HsvdOnDevice<T>& d) {
    run_.upload(rows_, d.rows), run_.upload(kinds_, d.kinds);
    run_.upload(factor_signs_, d.factor_signs), run_.upload(signs_, d.signs), run_.upload(sigma_, d.sigma);
  }

  View copy_of_x(const HsvdOnDevice<T>& d) {
    const View X{run_.A.data, n_, d.rank(), n_};
    machine_.for_each(n_, d.rank(), Arrange<T>{.from = d.X, .to = X});
    return X;
  }

  /// Y := Y·(M·W)⁻* with G_T(rows, :) = M·W.
  void divide_by_factor(const HsvdOnDevice<T>& d, ConstView M, View Y) {
    machine_.solve_right_adjoint(M, Y);
    machine_.for_each(Y.rows, Y.cols, DivideByBlocks<T>{blocks(d), Y});
  }

  /// Makes elements of X more accurate (is_more_accurate_by_inverse); S = J'·W·J'.
  void refine(const HsvdOnDevice<T>& d, ConstView M, ConstView S) {
    machine_.for_each(n_, n_, SelectedUnitColumns<T>{rows_, run_.C});
    divide_by_factor(d, M, run_.C);
    machine_.multiply(ConstView(run_.C), S, run_.E);
    machine_.for_each(n_, 1, RowNorms<T>{d.G, row_norms_});
    machine_.for_each(n_, n_, RefineVectors<T>{run_.E, row_norms_, sigma_, d.X});
  }

  void orthogonalize(Index r, View U) {
    const View other = tall(r), C = square(run_.C, r);
    machine_.for_each(m_f_, r, Arrange<T>{.from = U, .to = other, .row_factor = row_signs_});
    machine_.multiply_adjoint(ConstView(U), ConstView(other), C);
    run_.column_norms(U);
    machine_.for_each(r, r, OrthogonalityCorrections<T>{sigma_, signs_, run_.norms, product_noise<double>(m_f_), C});
    machine_.for_each(m_f_, r, Arrange<T>{.from = U, .to = other});
    machine_.subtract_product(ConstView(other), ConstView(C), U);
  }

  /// Returns the norms of the columns of A·B, or of A*·B.
  std::vector<double> norms_of_product(bool adjoint, ConstReals A, ConstReals B, Reals product) {
    if (adjoint)
      machine_.multiply_adjoint(A, B, product);
    else
      machine_.multiply(A, B, product);
    machine_.reduce_columns(product.rows, product.cols, tangent::ColumnScale<double>{product, run_.scale});
    machine_.reduce_columns(product.rows, product.cols, tangent::ColumnNorm<double>{product, run_.scale, run_.vector});
    return run_.download(run_.vector, product.cols);
  }

  /// Replaces the columns of X for −1 by vectors that are orthonormal and orthogonal to the others.
  void complete(const std::vector<int>& order, View X) {
    std::vector<int> given, missing;
    for (std::size_t j = 0; j < order.size(); ++j) (order[j] < 0 ? missing : given).push_back(static_cast<int>(j));
    if (missing.empty()) return;
    const auto k = static_cast<Index>(given.size());
    const View basis{run_.A.data, n_, k, n_}, others{run_.C.data, n_, n_ - k, n_};
    std::vector<int> last(missing.size());
    std::iota(last.begin(), last.end(), static_cast<int>(k));
    run_.upload(run_.columns, last);
    machine_.for_each(n_, n_ - k, SelectedUnitColumns<T>{run_.columns, others});
    if (k > 0) {
      run_.upload(run_.columns, given);
      machine_.for_each(n_, k, Arrange<T>{.from = X, .to = basis, .cols = run_.columns});
      machine_.qr(basis, run_.tau_2);
      machine_.apply_q(ConstView(basis), run_.tau_2, others);
    }
    run_.upload(run_.columns, missing);
    machine_.for_each(n_, n_ - k, tangent::PlaceColumns<T>{others, X, run_.columns});
  }

  /// Returns whether every column of V·diag(sigma_g) = G·Z has an element that is more than rounding errors of the
  /// factorization (is_deficient_after_qr).
  bool is_significant(const std::vector<double>& sigma_g, ConstView V, ConstView Z) {
    const Index m_g = run_.shape.m_g;
    const Reals z = reals(run_.Q, n_, n_);
    double* const rows = reals(run_.tall, m_g, 1).data;
    run_.column_norms(G_);
    machine_.for_each(m_g, 1, RowMagnitudes<T>{G_, run_.norms, rows});
    machine_.reduce_columns(m_g, n_, ColumnMagnitudes<T>{G_, rows, run_.norms});
    machine_.for_each(n_, n_, tangent::Absolute<T>{Z, z});
    machine_.reduce_columns(n_, n_, WeightedRowSum{z, run_.norms, run_.vector});
    run_.upload(run_.norms, sigma_g);
    machine_.reduce_columns(
        m_g, n_, SignificantElements<T>{V, run_.norms, rows, run_.vector, noise_level<double>(m_g, n_), run_.columns});
    const std::vector<int> counts = run_.download(run_.columns, n_);
    return std::all_of(counts.begin(), counts.end(), [](int count) { return count > 0; });
  }

  Executor executor_;
  Machine machine_;
  Index given_m_f_;  ///< F has these rows
  Index m_f_;        ///< B has these rows, at least n: those that F lacks are zero
  Index n_;
  tangent::Run<T, Machine> run_;
  tangent::PairReduction<T, Machine> pair_;
  std::size_t own_bytes_ = 0;
  Buffer<unsigned char> allocated_;
  Buffer<T> exchange_;
  void* workspace_ = nullptr;
  ConstView G_;
  int exponent_ = 0;

  // In the workspace, behind that of the run.
  View work_;  ///< m_f × n
  double* row_signs_ = nullptr;
  double *factor_signs_ = nullptr, *signs_ = nullptr, *sigma_ = nullptr, *row_norms_ = nullptr;
  int* rows_ = nullptr;
  ColumnKind* kinds_ = nullptr;
};

}  // namespace pivotlab::jacobi
