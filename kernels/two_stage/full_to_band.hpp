// SPDX-License-Identifier: BSD-3-Clause
// The first stage: a Hermitian matrix becomes a band matrix by reflectors, A = Q₁·B·Q₁ᴴ.
//
// A panel of b columns below the band is Q·R, Q = I − V·T·Vᴴ, and A := Qᴴ·A·Q = A − V·Wᴴ − W·Vᴴ with Y = A·V,
// W = Y·T − ½·V·Tᴴ·(VᴴY)·T. This update is done for many panels at once. Until then later panels, and products with the
// old A, are corrected by U·U'ᴴ = V·Wᴴ + W·Vᴴ, U = [W₁ V₁ W₂ V₂ …], U' = [V₁ W₁ V₂ W₂ …] (Wang et al.,
// arXiv 2410.02170). Plain: a device compiler reads it, too.
#pragma once

#include "kernels/gsvd/tangent/device/panel_qr.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/numerics/op.hpp"
#include "kernels/two_stage/elements.hpp"
#include "kernels/two_stage/panel_triangle.hpp"

#include <algorithm>

namespace pivotlab::two_stage {

/// Returns the number of columns whose updates are done at once.
inline Index update_columns(Index n) {
  return n >= 3072 ? 512 : n >= 1024 ? 256 : 128;
}

/// Returns the number of columns that have reflectors, whole panels, for a matrix of order n.
inline Index reduced_columns(Index n) {
  return n > bandwidth ? (n - 1) / bandwidth * bandwidth : 0;
}

/// Memory of the first stage; `inverse_tau` stays for the back-transformation.
template <class T>
struct BandWorkspace {
  MatrixView<T> U, U_prime;  ///< n × 2·update_columns(n)
  MatrixView<T> small;       ///< (2·update_columns(n) + 4·b) × b: products with a panel, triangles
  T* inverse_tau;            ///< reduced_columns(n)
};

template <class T, class Machine>
class FullToBand {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;
  static constexpr Index b = bandwidth;

 public:
  FullToBand(Machine& machine, View A, const BandWorkspace<T>& work) : machine_(machine), A_(A), work_(work) {}

  /// Both triangles of A are given. The band takes the place of the lower triangle, and reflectors that of the rest
  /// below it.
  void run() {
    const Index n = A_.rows;
    for (Index first = 0, j = 0; n - j > b; first = j) {
      Index pairs = 0;  // columns of U and U'
      for (; n - j > b && j < first + update_columns(n); j += b, pairs += 2 * b) reduce_panel(j, pairs);
      update(j, pairs);
    }
  }

 private:
  void reduce_panel(Index j, Index pairs) {
    const Index n = A_.rows, r = j + b, m = n - r;
    const View U = work_.U, U_prime = work_.U_prime;
    if (pairs > 0)
      machine_.gemm(Op::none, Op::adjoint, -1, ConstView(U.block(j, 0, n - j, pairs)),
                    ConstView(U_prime.block(j, 0, b, pairs)), 1, A_.block(j, j, n - j, b));
    const View V = U_prime.block(r, pairs, m, b), W = U_prime.block(r, pairs + b, m, b), Y = U.block(r, pairs, m, b),
               products = work_.small.block(0, 0, pairs + b, b);
    factor(A_.block(r, j, m, b), V, work_.inverse_tau + j);
    machine_.for_each(m, b, tangent::Arrange<T>{.from = V, .to = U.block(r, pairs + b, m, b)});
    machine_.mark("panels", 0);

    // Y = (A − U·U'ᴴ)·V; the last rows of the products are VᴴV.
    machine_.gemm(Op::none, Op::none, 1, ConstView(A_.block(r, r, m, m)), ConstView(V), 0, Y);
    machine_.mark("A*V", 2.0 * static_cast<double>(m) * static_cast<double>(m) * b);
    machine_.gemm(Op::adjoint, Op::none, 1, ConstView(U_prime.block(r, 0, m, pairs + b)), ConstView(V), 0, products);
    if (pairs > 0)
      machine_.gemm(Op::none, Op::none, -1, ConstView(U.block(r, 0, m, pairs)),
                    ConstView(products.block(0, 0, pairs, b)), 1, Y);
    const Index below = work_.small.rows - 3 * b;
    const View v_y = work_.small.block(below, 0, b, b), triangles = work_.small.block(below + b, 0, 2 * b, b);
    machine_.gemm(Op::adjoint, Op::none, 1, ConstView(V), ConstView(Y), 0, v_y);
    machine_.template launch<PanelTriangle<T>>(
        1, PanelTriangle<T>::shared_bytes,
        {work_.inverse_tau + j, ConstView(products.block(pairs, 0, b, b)), ConstView(v_y), triangles});
    machine_.gemm(Op::none, Op::none, 1, ConstView(U.block(r, pairs, m, 2 * b)), ConstView(triangles), 0, W);
    machine_.for_each(m, b, tangent::Arrange<T>{.from = W, .to = Y});
    machine_.mark("corrections", 0);
  }

  /// Factors a panel by narrower ones. V has ones on the diagonal and zeros above it.
  void factor(View panel, View V, T* inverse_tau) {
    const Index width = tangent::panel_width<T>(panel.rows);
    const View triangle = work_.small.block(0, 0, width, width),
               product = work_.small.block(width, 0, width, b - width);
    machine_.for_each(V.rows, b, SetZero<T>{V});
    for (Index k = 0; k < b; k += width) {
      machine_.for_each(width, width, SetIdentity<T>{triangle});
      if (k < panel.rows) {
        const Index m = panel.rows - k, later = b - k - width;
        const View v = V.block(k, k, m, width), rest = panel.block(k, k + width, m, later),
                   p{product.data, width, later, product.stride};
        tangent::launch_panel_qr<T>(machine_, panel.block(k, k, m, width), v, triangle, 1e-250);
        if (later > 0) {
          machine_.gemm(Op::adjoint, Op::none, 1, ConstView(v), ConstView(rest), 0, p);
          machine_.trsm(Side::left, Triangle::upper, Op::adjoint, ConstView(triangle), p);
          machine_.gemm(Op::none, Op::none, -1, ConstView(v), ConstView(p), 1, rest);
        }
      }
      machine_.for_each(width, 1, TakeDiagonal<T, T>{triangle, inverse_tau + k});
    }
  }

  /// Subtracts U·U'ᴴ from rows and columns j, …, n − 1.
  void update(Index j, Index pairs) {
    const Index n = A_.rows, width = 512;
    for (Index k = j; k < n; k += width) {
      const Index w = std::min(width, n - k);
      machine_.gemm3m(Op::none, Op::adjoint, -1, ConstView(work_.U.block(k, 0, n - k, pairs)),
                      ConstView(work_.U_prime.block(k, 0, w, pairs)), 1, A_.block(k, k, n - k, w));
    }
    const View rest = A_.block(j, j, n - j, n - j);
    mirror(machine_, rest);
    const auto m = static_cast<double>(n - j);
    machine_.mark("updates", m * m * static_cast<double>(pairs));
  }

  Machine& machine_;
  View A_;
  BandWorkspace<T> work_;
};

}  // namespace pivotlab::two_stage
