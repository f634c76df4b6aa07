// SPDX-License-Identifier: BSD-3-Clause
// DevicePairAlgebra over any machine of kernels/extended.
#pragma once

#include "generators/device_pair.hpp"
#include "generators/reflector.hpp"
#include "kernels/extended/triangular.hpp"

namespace pivotlab {

namespace extended::detail {

/// Computes column k of V, the vector v of reflection k from a normal vector below row k. One block per column.
template <class T>
struct MakeReflectors {
  using E = Rebind<T, DoubleDouble>;
  struct Arguments {
    MatrixView<const T> normal;
    MatrixView<E> V;
    E* phase;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(DoubleDouble));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index k = context.block();
    DoubleDouble norm2(0);
    for (Index i = k + context.thread(); i < a.V.rows; i += threads)
      norm2 += squared_length(extend<E>(at(a.normal, i, k)));
    norm2 = reduce_block(context, norm2, Sum());
    const Reflector<E> reflector = make_reflector(extend<E>(at(a.normal, k, k)), norm2);
    for (Index i = context.thread(); i < a.V.rows; i += threads)
      at(a.V, i, k) = i < k ? E(0.0) : (i == k ? reflector.head : extend<E>(at(a.normal, i, k))) * reflector.scale;
    if (context.thread() == 0) a.phase[k] = reflector.phase;
  }
};

/// Computes Y := the upper triangle of V₁ᴴ, V₁ the upper square of V.
template <class E>
struct UpperAdjoint {
  MatrixView<const E> V;
  MatrixView<E> Y;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(Y, i, j) = i <= j ? conjugate(at(V, j, i)) : E(0.0); }
};

/// Computes Q := (E − Q)·diag(phase).
template <class E>
struct FinishOrthonormal {
  MatrixView<E> Q;
  const E* phase;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(Q, i, j) = (E(i == j ? 1.0 : 0.0) - at(Q, i, j)) * phase[j];
  }
};

template <class E>
struct ScaleColumns {
  MatrixView<const E> A;
  const DoubleDouble* d;
  MatrixView<E> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(result, i, j) = at(A, i, j) * d[j]; }
};

/// Copies the lower triangle to the upper one.
template <class E>
struct MakeHermitian {
  MatrixView<E> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (i == j)
      at(A, j, j) = E(real_part(at(A, j, j)));
    else if (i < j)
      at(A, i, j) = conjugate(at(A, j, i));
  }
};

/// d may be null.
template <class T>
struct RoundColumns {
  using E = Rebind<T, DoubleDouble>;
  MatrixView<const E> A;
  const DoubleDouble* d;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const E x = d ? E(at(A, i, j) * d[j]) : at(A, i, j);
    if constexpr (is_complex<T>)
      at(result, i, j) = T(x.real().hi(), x.imag().hi());
    else
      at(result, i, j) = x.hi();
  }
};

}  // namespace extended::detail

template <class Machine, class T>
class DeviceAlgebra final : public DevicePairAlgebra<T> {
  using E = Rebind<T, DoubleDouble>;
  using OnDevice = extended::DeviceMatrix<E>;

 public:
  using Handle = typename DevicePairAlgebra<T>::Handle;

  Handle orthonormal(const Matrix<T>& normal) override {
    using Body = extended::detail::MakeReflectors<T>;
    const Index m = normal.rows(), n = normal.cols();
    OnDevice V = machine_.template matrix<E>(m, n), Y = machine_.template matrix<E>(n, n);
    const Buffer<E> phase = machine_.executor.template allocate<E>(static_cast<std::size_t>(n));
    {
      const extended::DeviceMatrix<T> x = machine_.upload(normal);
      machine_.executor.template launch<Body>(static_cast<int>(n), Body::shared_bytes, {x, V, phase.data()});
    }
    machine_.for_each(n, n, extended::detail::UpperAdjoint<E>{V, Y});
    {
      const OnDevice gram = product_.template multiply<E>(extended::adjoint(V), extended::Factor<E>(V));
      using extended::Triangle, extended::Diagonal, extended::Sides;
      extended::solve_triangular<Triangle::upper, Diagonal::unit>(product_, MatrixView<const E>(gram.view()), Y.view(),
                                                                  Sides::upper);
    }
    OnDevice Q = product_.template multiply<E>(extended::Factor<E>(V), extended::Factor<E>(Y));
    machine_.for_each(m, n, extended::detail::FinishOrthonormal<E>{Q, phase.data()});
    return share(std::move(Q));
  }

  Handle hermitian(const Handle& Q, const std::vector<DoubleDouble>& eigenvalues) override {
    const OnDevice scaled = scale_columns(of(Q), eigenvalues);
    OnDevice A = product_.template multiply<E>(extended::Factor<E>(scaled), extended::adjoint(of(Q)));
    machine_.for_each(A.rows(), A.cols(), extended::detail::MakeHermitian<E>{A});
    return share(std::move(A));
  }

  Handle product(const Handle& Q, const std::vector<DoubleDouble>& d, const Handle& X) override {
    const OnDevice scaled = scale_columns(of(Q), d);
    return share(product_.template multiply<E>(extended::Factor<E>(scaled), extended::Factor<E>(of(X))));
  }

  Matrix<T> rounded(const Handle& handle, const std::vector<DoubleDouble>& d) override {
    const OnDevice& A = of(handle);
    const Buffer<DoubleDouble> scale = machine_.upload(d);
    const extended::DeviceMatrix<T> result = machine_.template matrix<T>(A.rows(), A.cols());
    machine_.for_each(A.rows(), A.cols(),
                      extended::detail::RoundColumns<T>{A, d.empty() ? nullptr : scale.data(), result});
    return machine_.download(result);
  }

 private:
  static Handle share(OnDevice A) { return std::make_shared<const OnDevice>(std::move(A)); }
  static const OnDevice& of(const Handle& handle) { return *static_cast<const OnDevice*>(handle.get()); }

  OnDevice scale_columns(const OnDevice& A, const std::vector<DoubleDouble>& d) {
    const Buffer<DoubleDouble> scale = machine_.upload(d);
    OnDevice result = machine_.template matrix<E>(A.rows(), A.cols());
    machine_.for_each(A.rows(), A.cols(), extended::detail::ScaleColumns<E>{A, scale.data(), result});
    return result;
  }

  Machine machine_;
  extended::ExtendedProduct<Machine> product_{machine_};
};

}  // namespace pivotlab
