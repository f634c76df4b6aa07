// The machine of a GPU: kernels, a library, and an own QR factorization.
//
// Panels of columns are factored by a cluster of blocks (panel_qr.hpp), `block` columns are collected into one product
// of reflectors I − V·T·Vᴴ, and all else is products of the library. T⁻¹ is known: its strict upper triangle is that of
// VᴴV and its diagonal is 1/τ (UT transform: Puglisi; Joffrain, Low, Quintana-Ortí, van de Geijn and Van Zee, ACM TOMS
// 32, 2006). A solution with T⁻¹ is more accurate than a product with T, and slower; it is taken for few columns.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/gsvd/tangent/device/panel_qr.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace pivotlab::tangent {

template <class Runner, class Library>
class DeviceMachine : public Machine<Runner, Library> {
  using Base = Machine<Runner, Library>;

 public:
  static constexpr Index block = 256;
  static constexpr Index most_solved = 512;  ///< reflectors of a matrix up to which T is not formed

  using Base::Base;

  template <class T>
  Index reflector_elements(Index n) const {
    return block * n;
  }
  template <class T>
  std::size_t work_elements(const Shape& shape) const {
    return static_cast<std::size_t>(own_elements(shape)) + Base::template work_elements<T>(shape);
  }
  template <class T>
  void set_work(T* work, Index count, const Shape& shape) {
    const Index own = own_elements(shape);
    work_ = work;
    Base::template set_work<T>(work + own, count - own, shape);
  }

  /// A matrix with more rows than a cluster holds goes to the library.
  template <class T>
  void qr(MatrixView<T> A, T* factors) const {
    scalars_.erase(factors);
    if (A.rows > most_rows<T>) return Base::qr(A, factors);
    constexpr Index width = PanelQr<T, 1>::width;
    const Work<T> work(work_, A.rows, A.cols);
    const bool solved = A.cols <= most_solved;
    for (Index k = 0; k < A.cols; k += block) {
      const Index b = std::min(block, A.cols - k), m = A.rows - k;
      const MatrixView<T> V = work.V.block(0, 0, m, b), triangle{factors + k * block, b, b, block},
                          t_inverse = solved ? triangle : work.t_inverse.block(0, 0, b, b),
                          gram = work.gram.block(0, 0, b, b);
      this->for_each(b, b, SetZero<T>{V});
      for (Index j = 0; j < b; j += width) {
        const Index w = std::min(width, b - j), later = b - j - w;
        const MatrixView<T> v = V.block(j, j, m - j, w), t = t_inverse.block(j, j, w, w);
        panel(A.block(k + j, k + j, m - j, w), v, t);
        if (later == 0) continue;
        const MatrixView<T> rest = A.block(k + j, k + j + w, m - j, later), W{work.W.data, w, later, w};
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
      if (k + b < A.cols) apply<T>(true, V, triangle, solved, A.block(k, k + b, m, A.cols - k - b), work);
    }
  }

  /// The library's, with scalars in place of triangles.
  template <class T>
  std::vector<int> qr_pivoted(MatrixView<T> A, T* factors) const {
    scalars_.insert(factors);
    return Base::qr_pivoted(A, factors);
  }

  template <class T>
  void apply_q(MatrixView<const T> A, const T* factors, MatrixView<T> C) const {
    if (A.rows > most_rows<T> || scalars_.contains(factors)) return Base::apply_q(A, factors, C);
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
  static constexpr int most_slots = 10;
  template <class T>
  static constexpr Index most_rows = PanelQr<T, most_slots>::most_rows;

  static Index own_elements(const Shape& shape) {
    return block * (std::max(shape.m_f, shape.m_g) + 2 * shape.n + 2 * block);
  }

  template <class T>
  struct Work {
    Work(void* memory, Index rows, Index n) {
      T* next = static_cast<T*>(memory);
      const auto take = [&next](Index r, Index c) { return MatrixView<T>{std::exchange(next, next + r * c), r, c, r}; };
      V = take(rows, block), W = take(block, n), TW = take(block, n);
      t_inverse = take(block, block), gram = take(block, block);
    }
    MatrixView<T> V, W, TW, t_inverse, gram;
  };

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

  template <class T, int Slots = 1>
  void panel(MatrixView<T> A, MatrixView<T> V, MatrixView<T> t_inverse) const {
    using Body = PanelQr<T, Slots>;
    if constexpr (Slots < most_slots)
      if (A.rows > Body::most_rows) return panel < T, Slots == 1 ? 2 : Slots + 2 > (A, V, t_inverse);
    this->template launch<Body>(Body::cluster_blocks, Body::shared_bytes, {A, V, t_inverse});
  }

  void* work_ = nullptr;
  mutable std::set<const void*> scalars_;  ///< factors of pivoted factorizations
};

}  // namespace pivotlab::tangent
