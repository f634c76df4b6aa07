// SPDX-License-Identifier: BSD-3-Clause
// The singular value decomposition by eigenvectors of G*G, exact products and Newton steps, on a machine
// (kernels/gsvd/tangent/shared/run.hpp):
//
//   V := eigenvectors of G*G
//   repeat   where V is new, and is still getting better:
//              V := V·(I − ½·(V*V − I)),   A := G·V       both by exact products, rounded once
//            E := angles of the Jacobi rotations of all pairs of columns of A at once
//            Q := an orthogonal matrix next to I + E, or, with large angles, eigenvectors of the Gram matrix of the
//                 shortest columns
//            V := V·Q,   A := A·Q
//   until the columns of A are orthogonal;   U := A·Σ⁻¹
//
// Eigenvectors of G*G have errors of size u·(σ₁/σ_j)²; every Gram matrix of the shortest columns reaches eight decades
// further. Cosines of G·V fall to about u·σ₁/σ_n, the rounding of V; from there on, or where they are small, A·Q is as
// good: its errors are relative to columns, and A with unit columns is well conditioned. As in the iteration, every
// column has an estimate ν of the norm of its errors, which Q transforms.
// Source: Zhou, Tisseur and Webb, arXiv 2602.18134, for the preconditioner; kernels/gsvd/tangent for the steps. Plain:
// a device compiler reads it, too.
#pragma once

#include "kernels/exact/plan.hpp"
#include "kernels/gsvd/tangent/shared/orders.hpp"
#include "kernels/gsvd/tangent/shared/orthogonal_factor.hpp"
#include "kernels/gsvd/tangent/shared/run.hpp"
#include "kernels/jacobi/device/spectral_svd_outcome.hpp"
#include "kernels/numerics/op.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <pivotlab/interrupt.hpp>
#include <utility>
#include <vector>

namespace pivotlab::jacobi {

template <class T, class Machine>
class SpectralSvd {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;
  using Reals = std::vector<double>;

 public:
  /// For matrices of m × n elements, m ≥ n ≥ 1. make(exact::Plan) returns a product in the order of the machine.
  template <class Make>
  SpectralSvd(Machine& machine, Index m, Index n, const Make& make) : machine_(machine), m_(m), n_(n) {
    constexpr int parts = is_complex<T> ? 2 : 1;
    gram_ = make(exact::plan_of(n, n, n, parts, {.bits = 64, .gram = true}));
    product_ = make(exact::plan_of(m, n, n, parts, {.balance = true}));
    library_elements_ = static_cast<Index>(machine.template work_elements<T>(shape()));
    Arena counting(nullptr);
    lay_out(counting);
    bytes_ = counting.used();
  }

  /// Returns the bytes of the workspace that run() takes; its address is aligned to 256.
  std::size_t workspace_bytes() const { return bytes_; }

  /// Decomposes G into U (m × n) and V (n × n), all in the machine's memory, which do not overlap.
  SpectralSvdOutcome run(ConstView G, View U, View V, void* workspace) {
    Arena arena(workspace);
    lay_out(arena);
    machine_.template set_work<T>(library_work_, library_elements_, shape());
    out_ = {};
    if (first_vectors(G) && iterate(G)) finish(U, V);
    return std::move(out_);
  }

 private:
  /// Sets V to the eigenvectors of G*G.
  bool first_vectors(ConstView G) {
    if (!column_norms(G)) return false;
    const double largest = *std::ranges::max_element(norms_);
    machine_.for_each(m_, n_, tangent::Arrange<T>{.from = G, .to = S_, .shift = -std::ilogb(largest)});
    machine_.gram(ConstView(S_), C_);
    machine_.mark("G*G", 0);
    machine_.eigenvectors(C_, vector_);
    machine_.mark("eigenvectors of G*G", 0);
    std::swap(C_, V_);
    return true;
  }

  /// Makes V unitary up to its rounding, and A = G·V with errors of its rounding.
  bool renew(ConstView G) {
    const View E = E_, A = A_;
    const ExactFactor<T> V{ConstView(V_)};
    run_exactly(*gram_, {.hi = E, .start = ExactStart::minus_identity}, V.adjoint(), V);
    machine_.for_each(n_, n_, tangent::Arrange<T>{.from = V_, .to = W_});
    machine_.gemm(Op::none, -0.5, ConstView(V_), ConstView(E_), 1, W_);
    std::swap(V_, W_);
    machine_.mark("V*V − I", 0);
    run_exactly(*product_, {.hi = A}, ExactFactor<T>(G), ExactFactor<T>(ConstView(V_)));
    machine_.mark("G·V", 0);
    const MatrixView<double> bounds{reinterpret_cast<double*>(S_.data), m_, n_, m_};
    product_->bound_entries(bounds);
    Reals noise = column_norms_of(MatrixView<const double>(bounds));
    if (!column_norms(A_)) return false;
    for (std::size_t j = 0; j < noise.size(); ++j) noise[j] += std::numeric_limits<double>::epsilon() * norms_[j];
    machine_.upload(noise_, noise.data(), noise.size());
    steps_since_ = 0;
    return true;
  }

  static void run_exactly(exact::PlannedProduct& product, const ExactTarget<T>& C, const ExactFactor<T>& A,
                          const ExactFactor<T>& B) {
    product.run(exact::operand_of(A, true), exact::operand_of(B, false), exact::update_of(C), exact::target_of(C));
  }

  bool iterate(ConstView G) {
    constexpr int most_steps = 20;
    const double small = 0.5 / static_cast<double>(n_);  // A with unit columns has a condition below 2 then
    double before = std::numeric_limits<double>::infinity();
    bool renews = true;
    while (out_.steps <= most_steps) {
      throw_if_interrupted();
      if (renews && !renew(G)) return false;
      const tangent::PairStatistics step = measure();
      const double cosine = step.largest_cosine;
      if (!std::isfinite(cosine)) return fail("a cosine of two columns of G·V is not finite");
      if (cosine <= tolerance()) return true;
      ++out_.steps, ++steps_since_;
      if (step.strong > 0) {
        diagonalize_tail();
        renews = true, before = std::numeric_limits<double>::infinity();
        continue;
      }
      if (!rotate(step.sum)) return fail("(I+E)*(I+E) is not positive definite");
      renews = renews && cosine > small && cosine < before / 2;
      before = cosine;
      if (!renews && !rotate_a()) return false;
    }
    return fail("the columns of G·V are not orthogonal after " + std::to_string(most_steps) + " steps");
  }

  /// Sets C to the cosines of columns of A, E to the angles; returns the largest of all columns.
  tangent::PairStatistics measure() {
    machine_.for_each(m_, n_, tangent::Arrange<T>{.from = A_, .to = S_, .col_divisor = norm_});
    machine_.gram(ConstView(S_), C_);
    machine_.for_each(n_, n_, tangent::Angles<T>{C_, norm_, tolerance(), E_});
    machine_.reduce_columns(n_, n_, tangent::ColumnStatistics<T>{C_, E_, tolerance(), statistics_});
    std::vector<tangent::PairStatistics> columns(n_);
    machine_.download(columns.data(), statistics_, columns.size());
    machine_.mark("angles", 0);
    tangent::PairStatistics all;
    for (const tangent::PairStatistics& column : columns) {
      const double sum = larger_or_nan(all.sum, column.sum);
      all = typename tangent::ColumnStatistics<T>::Combine()(all, column);
      all.sum = sum;
    }
    return all;
  }

  /// Multiplies the columns of V that belong to columns of A not longer than any with a large angle by the
  /// eigenvectors of their Gram matrix.
  void diagonalize_tail() {
    machine_.reduce_columns(n_, n_, tangent::CoupledColumns<T>{E_, tangent::coupled_angle, columns_});
    std::vector<int> flags(n_), tail;
    machine_.download(flags.data(), columns_, flags.size());
    double largest = 0;
    for (std::size_t j = 0; j < flags.size(); ++j)
      if (flags[j]) largest = std::max(largest, norms_[j]);
    for (std::size_t j = 0; j < flags.size(); ++j)
      if (norms_[j] <= largest) tail.push_back(static_cast<int>(j));
    const Index k = std::ssize(tail);
    machine_.upload(columns_, tail.data(), tail.size());
    const View columns{S_.data, m_, k, m_}, C{C_.data, k, k, k}, before{W_.data, n_, k, n_}, after{E_.data, n_, k, n_};
    machine_.for_each(m_, k,
                      tangent::Arrange<T>{.from = A_, .to = columns, .cols = columns_, .shift = -std::ilogb(largest)});
    machine_.gram(ConstView(columns), C);
    machine_.eigenvectors(C, vector_);
    machine_.for_each(n_, k, tangent::Arrange<T>{.from = V_, .to = before, .cols = columns_});
    machine_.multiply(ConstView(before), ConstView(C), after);
    machine_.for_each(n_, k, tangent::PlaceColumns<T>{after, V_, columns_});
    machine_.mark("eigenvectors of the tail's Gram matrix", 0);
  }

  /// V := V·Q, Q next to I + E. Returns false if there is no such Q.
  bool rotate(double sum) {
    constexpr double largest_norm = 2;
    double size = sum, factor = 1;
    if (size > largest_norm)
      size = tangent::estimated_norm<T>(machine_, E_, {W_.data, n_, 1, n_}, {C_.data, n_, 1, n_}, scale_, vector_);
    if (size > largest_norm) factor = largest_norm / size;
    if (!tangent::make_orthogonal<T>(machine_, E_, factor, size, C_, Q_)) return false;
    machine_.multiply(ConstView(V_), ConstView(Q_), W_);
    std::swap(V_, W_);
    machine_.mark("V·Q", 0);
    return true;
  }

  bool rotate_a() {
    machine_.multiply(ConstView(A_), ConstView(Q_), S_);
    std::swap(A_, S_);
    machine_.reduce_columns(n_, n_, tangent::WeightedNorm<T>{Q_, noise_, vector_});
    std::swap(noise_, vector_);
    machine_.mark("A·Q", 0);
    return column_norms(A_);
  }

  void finish(View U, View V) {
    const tangent::Order order = tangent::descending(norms_);
    out_.sigma = tangent::permuted(norms_, order);
    machine_.upload(columns_, order.data(), order.size());
    machine_.upload(norm_, out_.sigma.data(), out_.sigma.size());
    machine_.for_each(m_, n_, tangent::Arrange<T>{.from = A_, .to = U, .cols = columns_, .col_divisor = norm_});
    machine_.for_each(n_, n_, tangent::Arrange<T>{.from = V_, .to = V, .cols = columns_});
    machine_.mark("U and V", 0);
    Reals noise(norms_.size());
    machine_.download(noise.data(), noise_, noise.size());
    // Roundings of V, and of each A·Q, are like a random walk.
    const double rounding = unit_roundoff<double>() * std::sqrt(static_cast<double>(n_)) * (1 + steps_since_);
    for (const int j : order) {
      const auto at = static_cast<std::size_t>(j);
      out_.estimate.push_back(std::min(1.0, 2 * (noise[at] / norms_[at] + rounding)));
    }
  }

  bool column_norms(ConstView X) {
    norms_ = column_norms_of(X);
    const bool regular = tangent::all_finite(norms_) && *std::ranges::min_element(norms_) > 0;
    return regular || fail("G is singular, too large or not finite");
  }
  template <class X>
  Reals column_norms_of(MatrixView<const X> A) {
    machine_.reduce_columns(A.rows, n_, tangent::ColumnScale<X>{A, scale_});
    machine_.reduce_columns(A.rows, n_, tangent::ColumnNorm<X>{A, scale_, norm_});
    Reals norms(static_cast<std::size_t>(n_));
    machine_.download(norms.data(), norm_, norms.size());
    return norms;
  }

  bool fail(std::string reason) {
    out_.reason = std::move(reason);
    return false;
  }

  double tolerance() const { return 8 * unit_roundoff<double>() * std::sqrt(static_cast<double>(m_)); }
  tangent::Shape shape() const { return {n_, n_, n_}; }

  void lay_out(Arena& arena) {
    const auto matrix = [&](Index rows) { return View{arena.take<T>(rows * n_), rows, n_, rows}; };
    A_ = matrix(m_), S_ = matrix(m_);
    for (View* square : {&V_, &W_, &C_, &E_, &Q_}) *square = matrix(n_);
    for (double** reals : {&scale_, &norm_, &vector_, &noise_}) *reals = arena.take<double>(n_);
    columns_ = arena.take<int>(n_);
    statistics_ = arena.take<tangent::PairStatistics>(n_);
    library_work_ = arena.take<T>(library_elements_);
  }

  Machine& machine_;
  Index m_, n_;
  std::unique_ptr<exact::PlannedProduct> gram_, product_;
  Index library_elements_ = 0;
  std::size_t bytes_ = 0;
  SpectralSvdOutcome out_;
  Reals norms_;          ///< of columns of A
  int steps_since_ = 0;  ///< since A was made anew

  // In the machine's memory.
  View A_, S_, V_, W_, C_, E_, Q_;
  double *scale_ = nullptr, *norm_ = nullptr, *vector_ = nullptr, *noise_ = nullptr;
  int* columns_ = nullptr;
  tangent::PairStatistics* statistics_ = nullptr;
  T* library_work_ = nullptr;
};

}  // namespace pivotlab::jacobi
