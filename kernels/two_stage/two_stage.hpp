// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigensolver in two stages, on a machine of own kernels and a library:
//
//   A = Q₁·B·Q₁ᴴ    full to band                  full_to_band.hpp
//   B = Q₂·T·Q₂ᴴ    band to tridiagonal           bulge_chase.hpp
//   T = Z·Λ·Zᵀ      divide and conquer            divide_and_conquer.hpp, or the library
//   X = Q₁·(Q₂·Z)   two back-transformations      reflector_blocks.hpp, here
//
// A small matrix becomes tridiagonal at once, A = Q₁·T·Q₁ᴴ (tridiagonalize.hpp).
//
// A machine has for_each, reduce_columns, launch, upload, download, fill_zero and mark, and of a library gemm, gemm3m,
// trsm, most_columns_of_strip, rows_of_strip(columns) and runs_at_once(blocks) (tridiagonalize.hpp), most_rows(), and
// for TridiagonalSolver::library tridiagonal(d, e, Z, work, bytes) and tridiagonal_bytes(n). Plain: a device compiler
// reads it, too.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"
#include "kernels/two_stage/bulge_chase.hpp"
#include "kernels/two_stage/divide_and_conquer.hpp"
#include "kernels/two_stage/full_to_band.hpp"
#include "kernels/two_stage/reflector_blocks.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"
#include "kernels/two_stage/tridiagonalize.hpp"

#include <algorithm>
#include <cmath>
#include <pivotlab/error.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pivotlab::two_stage {

template <class T, class Machine>
class TwoStage {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;
  static constexpr Index b = bandwidth;

 public:
  TwoStage(Machine& machine, Index n, Steps steps)
      : machine_(machine),
        n_(n),
        own_tridiagonal_(steps.tridiagonal == TridiagonalSolver::own),
        at_once_(steps.reduction != Reduction::two_stages && n <= std::min(most_rows_at_once<T>, most_rows_of_strips)),
        divide_and_conquer_(machine, n) {
    at_once_ = at_once_ && with_strips([&](const auto& strips) { return machine_.runs_at_once(strips.blocks(n)); });
    Arena counting(nullptr);
    lay_out(counting);
    bytes_ = counting.used();
  }

  std::size_t workspace_bytes() const { return bytes_; }

  Outcome run(View A, double* lambda, void* workspace, const Wanted& wanted) {
    first_ = wanted.first, count_ = wanted.count < 0 ? n_ - wanted.first : wanted.count;
    Arena arena(workspace);
    lay_out(arena);
    const double largest = largest_below(A);
    if (!std::isfinite(largest)) return Outcome::not_finite;
    if (largest == 0 || n_ == 1) return solve_diagonal(A, lambda);
    const int exponent = std::ilogb(largest);
    machine_.for_each(n_, n_, tangent::Arrange<T>{.from = A, .to = A, .shift = -exponent});
    mirror(machine_, A);
    machine_.mark("scaling", 0);
    if (!(at_once_ ? tridiagonalize(A, lambda) : reduce_in_stages(A, lambda))) return Outcome::not_converged;
    const double scale = std::ldexp(1.0, exponent);
    const bool converged =
        wanted.vectors && count_ > 0 ? compute_vectors(A, lambda, wanted, scale) : compute_values(lambda);
    machine_.for_each(n_, 1, ScaleValues{lambda, scale});
    machine_.mark("copies", 0);
    return converged ? Outcome::converged : Outcome::not_converged;
  }

 private:
  /// Steps that follow one another share memory: the first stage, blocks of the second and the last step; reflectors of
  /// the second stage and X.
  void lay_out(Arena& arena) {
    const Index update = update_columns(n_), blocks = block_count(n_);
    band_.inverse_tau = arena.take<T>(n_), tau_ = arena.take<T>(blocks * b);
    boxes_ = arena.take<NumberedDouble>(group_count(n_) * BulgeChase<T>::box_words);
    off_diagonal_ = arena.take<double>(n_), largest_ = arena.take<double>(n_);
    gave_up_ = arena.take<int>(1);
    if (n_ <= most_rows_at_once<T>) mail_ = arena.take<NumberedDouble>(mail_words<T>(n_));
    overlay(
        arena,
        [&](Arena& own) {
          band_.small = matrix(own, 2 * update + 4 * b, b);
          band_.U = matrix(own, n_, 2 * update), band_.U_prime = matrix(own, n_, 2 * update);
        },
        [&](Arena& own) { packed_ = own.take<double>(blocks * Pack::block_elements); },
        [&](Arena& own) {
          const Index w = back_columns();
          V_ = matrix(own, n_, w), gram_ = matrix(own, w, w), triangle_ = matrix(own, w, w);
          product_ = matrix(own, w, n_), product_2_ = matrix(own, w, n_);
        });
    X_stride_ = (group_count(n_) * b + 1 + 2) / 2 * 2;
    overlay(
        arena, [&](Arena& own) { reflectors_ = own.take<T>(blocks * b * b); },
        [&](Arena& own) {
          copy_of_Z_ = {own.take<double>(n_ * n_), n_, n_, n_};
        },
        [&](Arena& own) { X_ = own.take<T>(1 + X_stride_ * (n_ + most_slab)) + 1; });
    Z_ = matrix(arena, n_, n_);
    divide_and_conquer_.lay_out(arena, own_tridiagonal_);
    if (own_tridiagonal_) return;
    library_bytes_ = machine_.tridiagonal_bytes(n_);
    library_work_ = arena.take<std::byte>(static_cast<Index>(library_bytes_));
  }
  /// The vectors of the tridiagonal matrix, which are real: they are copied to X before Z is written again.
  MatrixView<double> real_Z() const { return {reinterpret_cast<double*>(Z_.data), n_, n_, n_}; }
  static View matrix(Arena& arena, Index rows, Index columns) {
    return {arena.take<T>(rows * columns), rows, columns, rows};
  }
  /// Lays out parts that begin at the same place.
  template <class... Parts>
  static void overlay(Arena& arena, const Parts&... parts) {
    const Arena begin = arena;
    const auto lay_out = [&](const auto& part) {
      Arena own = begin;
      part(own);
      if (own.used() > arena.used()) arena = own;
    };
    (lay_out(parts), ...);
  }

  double largest_below(ConstView A) {
    machine_.reduce_columns(n_, n_, LargestBelow<T>{A, largest_});
    std::vector<double> values(n_);
    machine_.download(values.data(), largest_, values.size());
    double largest = 0;
    for (const double x : values) largest = typename LargestBelow<T>::Combine()(largest, x);
    return largest;
  }

  Outcome solve_diagonal(View A, double* lambda) {
    machine_.for_each(n_, 1, TakeDiagonal<T, double>{A, lambda});
    machine_.for_each(n_, n_, SetZero<T>{A});
    const Index rows = n_ - first_;
    machine_.for_each(rows, rows, SetIdentity<T>{A.block(first_, 0, rows, rows)});
    return Outcome::converged;
  }

  /// Calls f(strip), a kernel that reduces a matrix of this order at once.
  template <int Columns = 1, class F>
  auto with_strips(const F& f) const {
    using Strips = Tridiagonalize<T, Machine::rows_of_strip(Columns), Columns>;
    if constexpr (Strips::most_columns < std::min(most_rows_at_once<T>, most_rows_of_strips))
      if (n_ > Strips::most_columns) return with_strips<Columns + 1>(f);
    return f(Strips());
  }
  /// Sets the tridiagonal matrix. Returns false if a block of threads has waited for too long.
  bool tridiagonalize(View A, double* diagonal) {
    machine_.fill_zero(mail_, static_cast<std::size_t>(mail_words<T>(n_)));
    machine_.fill_zero(gave_up_, 1);
    with_strips([&]<class Strips>(const Strips&) {
      machine_.template launch<Strips>(static_cast<int>(Strips::blocks(n_)), Strips::shared_bytes,
                                       {A, mail_, band_.inverse_tau, diagonal, off_diagonal_, gave_up_});
    });
    const auto order = static_cast<double>(n_);
    machine_.mark("reduction at once", flops_of_product * 2 / 3 * order * order * order);
    return has_not_given_up();
  }
  /// Does the same in two stages.
  bool reduce_in_stages(View A, double* diagonal) {
    FullToBand<T, Machine>(machine_, A, band_).run();
    machine_.fill_zero(boxes_, static_cast<std::size_t>(group_count(n_) * BulgeChase<T>::box_words));
    machine_.fill_zero(gave_up_, 1);
    const auto launch = [&]<class Chase>(const Chase&) {
      machine_.template launch<Chase>(static_cast<int>(group_count(n_)), Chase::shared_bytes,
                                      {A, boxes_, reflectors_, tau_, diagonal, off_diagonal_, gave_up_});
    };
    if constexpr (is_complex<T>)
      n_ > most_rows_in_registers ? launch(BulgeChase<T, true>()) : launch(BulgeChase<T>());
    else
      launch(BulgeChase<T>());
    machine_.mark("band to tridiagonal", 0);
    return has_not_given_up();
  }
  bool has_not_given_up() const { return is_zero(gave_up_); }
  bool is_zero(const int* flag) const {
    int value = 0;
    machine_.download(&value, flag, 1);
    return value == 0;
  }
  bool compute_values(double* diagonal) {
    divide_and_conquer_.run_without_vectors(diagonal, off_diagonal_);
    return is_zero(divide_and_conquer_.failed());
  }

  /// Replaces the diagonal by eigenvalues, and the first columns of A by the wanted vectors; scale·λ decides which.
  bool compute_vectors(View A, double* diagonal, const Wanted& wanted, double scale) {
    if (!at_once_) {
      machine_.template launch<Pack>(static_cast<int>(block_count(n_)), Pack::shared_bytes,
                                     {reflectors_, tau_, n_, packed_});
      machine_.mark("packing of reflectors", 0);
    }
    if (!solve_tridiagonal(diagonal)) return false;
    if (wanted.by_value()) {
      std::vector<double> lambda(n_);
      machine_.download(lambda.data(), diagonal, lambda.size());
      for (double& x : lambda) x *= scale;
      std::tie(first_, count_) = wanted.places(lambda);
      if (count_ == 0) return true;
    }
    take_wanted_vectors();
    if (!at_once_) apply_second();
    apply_first(A);
    machine_.for_each(n_, count_, CopyWithZeros<T, T>{Z_, A});
    return true;
  }
  /// Sets Z, and replaces the diagonal by eigenvalues.
  bool solve_tridiagonal(double* diagonal) {
    if (own_tridiagonal_) {
      divide_and_conquer_.run(diagonal, off_diagonal_, real_Z(), copy_of_Z_);
      return is_zero(divide_and_conquer_.failed());
    }
    const bool converged = machine_.tridiagonal(diagonal, off_diagonal_, real_Z(), library_work_, library_bytes_);
    machine_.mark("divide and conquer", 0);
    return converged;
  }

  /// Copies the wanted columns of Z to X, in order.
  void take_wanted_vectors() {
    const Index columns = count_ + most_slab;
    const int* const order = own_tridiagonal_ ? divide_and_conquer_.order() + first_ : nullptr;
    machine_.for_each(
        X_stride_ - 1, columns,
        CopyWithZeros<double, T>{
            real_Z().block(0, order ? 0 : first_, n_, count_), {X_, X_stride_ - 1, columns, X_stride_}, order});
  }

  /// Computes X := Q₂·X.
  void apply_second() {
    for (Index first = 0; first < count_;) first += apply_blocks<1>(first);
    const auto n = static_cast<double>(n_);
    machine_.mark("back-transformation 2", flops_of_product * 1.4 * n * n * static_cast<double>(count_));
  }
  /// Begins to transform columns from this one on, in slabs so narrow that there are two for each multiprocessor, or in
  /// the widest ones. Returns how many columns these are.
  template <int Tiles>
  Index apply_blocks(Index first) {
    using Body = ApplyBlocks<T, Tiles>;
    constexpr Index resident = 264;
    const Index slabs = (count_ - first + Body::columns - 1) / Body::columns;
    if constexpr (Tiles < most_tiles)
      if (slabs > resident) return apply_blocks<Tiles + 1>(first);
    const Index now = std::min(slabs, resident);
    machine_.template launch<Body>(static_cast<int>(now), Body::shared_bytes,
                                   {X_ + first * X_stride_, X_stride_, group_count(n_), packed_});
    return now * Body::columns;
  }

  /// Computes Z := Q₁·X.
  void apply_first(ConstView A) {
    const ConstView X{X_, n_, count_, X_stride_};
    machine_.for_each(n_, count_, CopyWithZeros<T, T>{X, Z_});
    const Index below = at_once_ ? 1 : b, columns = at_once_ ? n_ - 1 : reduced_columns(n_);
    const Index most = back_columns();
    for (Index k = (columns - 1) / most * most; k >= 0 && columns > 0; k -= most) {
      const Index w = std::min(most, columns - k), m = n_ - below - k;
      const View V = V_.block(0, 0, m, w), gram = gram_.block(0, 0, w, w), t = triangle_.block(0, 0, w, w),
                 C = Z_.block(below + k, 0, m, count_), p = product_.block(0, 0, w, count_),
                 q = product_2_.block(0, 0, w, count_);
      machine_.for_each(m, w, tangent::UnitLowerTrapezoid<T>{A.block(below + k, k, m, w), V});
      machine_.gemm(Op::adjoint, Op::none, 1, ConstView(V), ConstView(V), 0, gram);
      machine_.for_each(w, w, InverseTriangle<T>{gram, band_.inverse_tau + k, t});
      machine_.for_each(w, w, SetIdentity<T>{gram});
      machine_.trsm(Side::left, Triangle::upper, Op::none, ConstView(t), gram);
      machine_.gemm(Op::adjoint, Op::none, 1, ConstView(V), ConstView(C), 0, p);
      machine_.gemm(Op::none, Op::none, 1, ConstView(gram), ConstView(p), 0, q);
      machine_.gemm3m(Op::none, Op::none, -1, ConstView(V), ConstView(q), 1, C);
    }
    const auto n = static_cast<double>(n_);
    machine_.mark("back-transformation 1", flops_of_product * n * n * static_cast<double>(count_));
  }

  using Pack = PackBlocks<T>;
  /// Returns how many reflectors of the first stage are applied at once.
  Index back_columns() const { return is_complex<T> && n_ >= 6144 ? 512 : 256; }
  static constexpr Index most_tiles = is_complex<T> ? 3 : 5, most_slab = 8 * most_tiles;
  static constexpr Index most_rows_of_strips = 256 * Machine::most_columns_of_strip;
  static constexpr Index most_rows_in_registers = 132 * b;           // complex; of an H100 or H200
  static constexpr double flops_of_product = is_complex<T> ? 8 : 2;  // a multiplication and an addition

  Machine& machine_;
  Index n_, first_ = 0, count_ = 0;  // of the matrix; of the wanted vectors
  bool own_tridiagonal_, at_once_;
  DivideAndConquer<Machine> divide_and_conquer_;
  MatrixView<double> copy_of_Z_;
  std::size_t bytes_ = 0, library_bytes_ = 0;
  BandWorkspace<T> band_;
  View Z_, V_, gram_, triangle_, product_, product_2_;
  T *reflectors_ = nullptr, *tau_ = nullptr, *X_ = nullptr;
  Index X_stride_ = 0;
  double *packed_ = nullptr, *off_diagonal_ = nullptr, *largest_ = nullptr;
  NumberedDouble *boxes_ = nullptr, *mail_ = nullptr;
  int* gave_up_ = nullptr;
  std::byte* library_work_ = nullptr;
};

/// Solves with kernels by an executor and a library.
template <class T, class Executor, class Library>
class EigensolverOn final : public Eigensolver<T> {
  using Machine = tangent::Machine<tangent::Kernels<Executor>, Library>;

 public:
  template <class... Parameters>
  EigensolverOn(Library library, Observer observer, Steps steps, Parameters&&... of_executor)
      : steps_(steps),
        executor_(std::forward<Parameters>(of_executor)...),
        machine_(tangent::Kernels<Executor>(executor_), std::move(library), std::move(observer)) {}

  Index most_rows() const override { return machine_.most_rows(); }
  std::size_t workspace_bytes(Index n) override { return at_order(n).workspace_bytes(); }
  Outcome solve(MatrixView<T> A, double* lambda, void* workspace, const Wanted& wanted) override {
    if (A.rows > most_rows())
      throw NotSupported("the two-stage eigensolver: this GPU has multiprocessors for matrices of at most " +
                         std::to_string(most_rows()) + " rows");
    return at_order(A.rows).run(A, lambda, workspace, wanted);
  }

 private:
  TwoStage<T, Machine> at_order(Index n) { return {machine_, n, steps_}; }

  Steps steps_;
  Executor executor_;
  Machine machine_;
};

}  // namespace pivotlab::two_stage
