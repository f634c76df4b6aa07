// The unitary factor of an RQ factorization on a device, in double (householder.hpp has the host's).
#pragma once

#include "experiments/metrics/device_kernels.hpp"

namespace pivotlab::experiments::device {

/// Xᴴ with its columns in reverse, rounded.
template <class T>
struct ReversedAdjoint {
  MatrixView<const Extended<T>> X;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = conjugate(round<T>(at(X, X.rows - 1 - j, i)));
  }
};

template <class T>
struct SetIdentity {
  MatrixView<T> Q;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(Q, i, j) = T(i == j ? 1.0 : 0.0); }
};

/// Column k of A from row k on becomes v_k, τ_k such that H_k = I − τ_k·v_k·v_kᴴ maps it to a multiple of e_k; τ_k = 0
/// if it is zero. One block.
template <class T>
struct MakeHouseholder {
  struct Arguments {
    MatrixView<T> A;
    double* tau;
    Index k;
  };
  static constexpr int threads = 1024, min_blocks = 1;
  static constexpr int shared_bytes = threads * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index k = a.k;
    double squares = 0;
    for (Index i = k + context.thread(); i < a.A.rows; i += threads) squares += square(at(a.A, i, k));
    const double norm = std::sqrt(reduce_block(context, squares, Sum()));
    if (context.thread() != 0) return;
    const T x = at(a.A, k, k);
    const double head = std::sqrt(square(x));
    if (norm != 0) at(a.A, k, k) = plus(x, head == 0 ? T(norm) : scaled(x, norm / head));
    a.tau[k] = norm == 0 ? 0 : 1 / (norm * (norm + head));
  }
};

/// H_k applied to the columns of A from `first` on; a block to a column.
template <class T>
struct Reflect {
  struct Arguments {
    MatrixView<const T> reflectors;
    const double* tau;
    Index k;
    MatrixView<T> A;
    Index first;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(T));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index k = a.k, j = a.first + context.block();
    const double tau = a.tau[k];
    if (tau == 0) return;
    T dot(0.0);
    for (Index i = k + context.thread(); i < a.A.rows; i += threads)
      dot = plus(dot, times(conjugate(at(a.reflectors, i, k)), at(a.A, i, j)));
    dot = scaled(reduce_block(context, dot, Plus()), -tau);
    for (Index i = k + context.thread(); i < a.A.rows; i += threads)
      at(a.A, i, j) = plus(at(a.A, i, j), times(at(a.reflectors, i, k), dot));
  }
};

/// Q of X = R·Qᴴ, R upper triangular, up to the order of its columns. Moves 2·(2/3)·n³ numbers: memory-bound, and a
/// few seconds at n = 10⁴.
template <class T, class Machine>
extended::DeviceMatrix<T> rq_unitary_factor(Machine& machine, const extended::DeviceMatrix<Extended<T>>& X) {
  using Make = MakeHouseholder<T>;
  using Apply = Reflect<T>;
  const Index n = X.cols();
  const extended::DeviceMatrix<T> A = machine.template matrix<T>(n, n);
  extended::DeviceMatrix<T> Q = machine.template matrix<T>(n, n);
  const Buffer<double> tau = machine.executor.template allocate<double>(static_cast<std::size_t>(n));
  machine.for_each(n, n, ReversedAdjoint<T>{X, A});
  for (Index k = 0; k < n; ++k) {
    machine.executor.template launch<Make>(1, Make::shared_bytes, {A, tau.data(), k});
    machine.executor.template launch<Apply>(static_cast<int>(n - k - 1), Apply::shared_bytes,
                                            {A, tau.data(), k, A, k + 1});
  }
  machine.for_each(n, n, SetIdentity<T>{Q});
  for (Index k = n - 1; k >= 0; --k)  // columns before k are zero from row k on
    machine.executor.template launch<Apply>(static_cast<int>(n - k), Apply::shared_bytes, {A, tau.data(), k, Q, k});
  return Q;
}

}  // namespace pivotlab::experiments::device
