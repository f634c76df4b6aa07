// SPDX-License-Identifier: BSD-3-Clause
// The machine of a GPU: kernels, a library, and an own QR factorization.
//
// Panels of columns are factored by a cluster of blocks (panel_qr.hpp), `block` columns are collected into one product
// of reflectors I − V·T·Vᴴ, and all else is products of the library. T⁻¹ is known: its strict upper triangle is that of
// VᴴV and its diagonal is 1/τ (UT transform: Puglisi; Joffrain, Low, Quintana-Ortí, van de Geijn and Van Zee, ACM TOMS
// 32, 2006). A solution with T⁻¹ is more accurate than a product with T, and slower; it is taken for few columns.
//
// With column pivoting, the pivots of every panel are chosen from a random sketch of all remaining columns
// (sketch_pivots.hpp), to which each panel's reflectors are then applied at once.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/gsvd/tangent/device/panel_qr.hpp"
#include "kernels/gsvd/tangent/device/sketch_pivots.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"

#include <algorithm>
#include <numeric>
#include <pivotlab/error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::tangent {

template <class Runner, class Library>
class DeviceMachine : public Machine<Runner, Library> {
  using Base = Machine<Runner, Library>;

 public:
  static constexpr Index least_order_of_two_passes = 2048;
  static constexpr Index block = 256;
  static constexpr Index most_solved = 512;  ///< reflectors of a matrix up to which T is not formed

  using Base::Base;

  template <class T>
  Index reflector_elements(Index n) const {
    return block * n;
  }
  template <class T>
  std::size_t work_elements(const Shape& shape) const {
    return static_cast<std::size_t>(own_elements<T>(shape)) + Base::template work_elements<T>(shape);
  }
  template <class T>
  void set_work(T* work, Index count, const Shape& shape) {
    const Index own = own_elements<T>(shape);
    work_ = work;
    Base::template set_work<T>(work + own, count - own, shape);
  }

  /// A matrix with more rows than a cluster holds goes to the library.
  template <class T>
  void qr(MatrixView<T> A, T* factors) const {
    if (A.rows > most_panel_rows<T>) return Base::qr(A, factors);
    factor(A, factors, false);
  }

  /// Throws NotSupported for a matrix with more rows than a cluster holds.
  template <class T>
  std::vector<int> qr_pivoted(MatrixView<T> A, T* factors) const {
    if (A.rows > most_panel_rows<T>)
      throw NotSupported("qr=pivoted: a GPU factors at most " + std::to_string(most_panel_rows<T>) +
                         " rows with column pivoting; take qr=sorted");
    factor(A, factors, true);
    std::vector<int> swaps(A.cols), order(swaps.size());
    this->download(swaps.data(), Work<T>(work_, A.rows, A.cols).swaps, swaps.size());
    std::iota(order.begin(), order.end(), 0);
    for (Index k = 0; k < A.cols; k += block) {
      const Index width = panel_width<T>(A.rows - k), end = std::min(k + block, A.cols);
      for (Index j = k; j < end; ++j) {
        const auto at = static_cast<std::size_t>(j), first = static_cast<std::size_t>(j - (j - k) % width);
        std::swap(order[at], order[first + static_cast<std::size_t>(swaps[at])]);
      }
    }
    return order;
  }

  template <class T>
  void apply_q(MatrixView<const T> A, const T* factors, MatrixView<T> C) const {
    if (A.rows > most_panel_rows<T>) return Base::apply_q(A, factors, C);
    const Work<T> work(work_, A.rows, C.cols);
    for (Index k = (A.cols - 1) / block * block; k >= 0; k -= block) {
      const Index b = std::min(block, A.cols - k), m = A.rows - k;
      const MatrixView<T> V = work.V.block(0, 0, m, b);
      this->for_each(m, b, UnitLowerTrapezoid<T>{A.block(k, k, m, b), V});
      apply<T>(false, V, MatrixView<const T>{factors + k * block, b, b, block}, A.cols <= most_solved,
               C.block(k, 0, m, C.cols), work);
    }
  }

 private:
  template <class T>
  static Index own_elements(const Shape& shape) {
    constexpr Index sketch = SketchPivots<T>::size;
    const Index tallest = std::max(shape.m_f, shape.m_g);
    return block * (tallest + 2 * shape.n + 2 * block) + sketch * (tallest + shape.n) + shape.n;
  }

  template <class T>
  struct Work {
    Work(void* memory, Index rows, Index n) {
      T* next = static_cast<T*>(memory);
      const auto take = [&next](Index r, Index c) { return MatrixView<T>{std::exchange(next, next + r * c), r, c, r}; };
      V = take(rows, block), W = take(block, n), TW = take(block, n);
      t_inverse = take(block, block), gram = take(block, block);
      omega = take(rows, SketchPivots<T>::size), sketch = take(n, SketchPivots<T>::size);
      swaps = reinterpret_cast<int*>(take(n, 1).data);
    }
    MatrixView<T> V, W, TW, t_inverse, gram, omega, sketch;
    int* swaps;  ///< of every panel, relative to its first column
  };

  template <class T>
  void factor(MatrixView<T> A, T* factors, bool pivoted) const {
    const Work<T> work(work_, A.rows, A.cols);
    const bool solved = A.cols <= most_solved;
    if (pivoted) this->for_each(A.rows, work.omega.cols, RandomNumbers<T>{work.omega});
    for (Index k = 0; k < A.cols; k += block) {
      const Index b = std::min(block, A.cols - k), m = A.rows - k, end = pivoted ? A.cols : k + b,
                  width = panel_width<T>(m);
      const MatrixView<T> V = work.V.block(0, 0, m, b), triangle{factors + k * block, b, b, block},
                          t_inverse = solved ? triangle : work.t_inverse.block(0, 0, b, b),
                          gram = work.gram.block(0, 0, b, b);
      this->for_each(b, b, SetZero<T>{V});
      for (Index j = 0; j < b; j += width) {
        const Index w = std::min(width, b - j), first = k + j, later = end - first - w;
        const MatrixView<T> v = V.block(j, j, m - j, w), t = t_inverse.block(j, j, w, w);
        if (pivoted) pivot(A, first, static_cast<int>(w), work);
        launch_panel_qr(*this, A.block(first, first, m - j, w), v, t);
        if (later == 0) continue;
        const MatrixView<T> rest = A.block(first, first + w, m - j, later), W{work.W.data, w, later, w};
        this->multiply_adjoint(MatrixView<const T>(v), MatrixView<const T>(rest), W);
        this->solve_left_upper_adjoint(MatrixView<const T>(t), W);
        this->subtract_product(MatrixView<const T>(v), MatrixView<const T>(W), rest);
      }
      this->multiply_adjoint(MatrixView<const T>(V), MatrixView<const T>(V), gram);
      this->for_each(b, b, CompleteTriangle<T>{gram, t_inverse});
      if (!solved) {
        this->for_each(b, b, SetIdentity<T>{triangle});
        this->solve_left_upper(MatrixView<const T>(t_inverse), triangle);
      }
      if (end < A.cols) apply<T>(true, V, triangle, solved, A.block(k, k + b, m, A.cols - k - b), work);
    }
  }

  /// Brings the pivots of the panel of w columns that begins at column `first` there.
  template <class T>
  void pivot(MatrixView<T> A, Index first, int w, const Work<T>& work) const {
    using Body = SketchPivots<T>;
    const MatrixView<T> rest = A.block(first, first, A.rows - first, A.cols - first),
                        omega = work.omega.block(0, 0, rest.rows, Body::size),
                        sketch{work.sketch.data, rest.cols, Body::size, rest.cols};
    this->multiply_adjoint(MatrixView<const T>(rest), MatrixView<const T>(omega), sketch);
    this->template launch<Body>(Body::cluster_blocks, Body::shared_bytes, {sketch, w, work.swaps + first});
    this->for_each(A.rows, 1, SwapColumns<T>{A.cols_range(first, rest.cols), work.swaps + first, w});
  }

  /// C := (I − V·T·Vᴴ)·C, or with Tᴴ in place of T. The triangle is T, or T⁻¹ if it is to be solved with.
  template <class T>
  void apply(bool adjoint, MatrixView<const T> V, MatrixView<const T> triangle, bool solved, MatrixView<T> C,
             const Work<T>& work) const {
    const MatrixView<T> W{work.W.data, V.cols, C.cols, V.cols}, TW{work.TW.data, V.cols, C.cols, V.cols};
    this->multiply_adjoint(V, MatrixView<const T>(C), W);
    if (solved) {
      if (adjoint)
        this->solve_left_upper_adjoint(triangle, W);
      else
        this->solve_left_upper(triangle, W);
      return this->subtract_product(V, MatrixView<const T>(W), C);
    }
    if (adjoint)
      this->multiply_adjoint(triangle, MatrixView<const T>(W), TW);
    else
      this->multiply(triangle, MatrixView<const T>(W), TW);
    this->subtract_product(V, MatrixView<const T>(TW), C);
  }

  void* work_ = nullptr;
};

}  // namespace pivotlab::tangent
