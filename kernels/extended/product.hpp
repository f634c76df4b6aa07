// SPDX-License-Identifier: BSD-3-Clause
// Products in double-double on a device, by error-free slicing, with the slices, sums and bits of
// numerics/extended_product.
//
// A chunk of inner indices is cut into s slices, those of A side by side and those of B one below the other in reverse,
//
//   [A_0 A_1 … A_{s−1}],   [B_{s−1}; …; B_1; B_0],
//
// so that the sum of a level, Σ_{i+j=d} A_i·B_j, is a single product of two contiguous parts.
#pragma once

#include "kernels/extended/slices.hpp"

#include <stdexcept>

namespace pivotlab::extended {

/// The factor op(A): A, Aᵀ or Aᴴ.
template <class T>
struct Factor {
  MatrixView<const T> view;
  bool transposed = false, conjugated = false;
  Factor(MatrixView<const T> A, bool is_adjoint = false) : view(A), transposed(is_adjoint), conjugated(is_adjoint) {}
  Factor(MatrixView<T> A, bool is_adjoint = false) : Factor(MatrixView<const T>(A), is_adjoint) {}
  Factor(const DeviceMatrix<T>& A, bool is_adjoint = false) : Factor(A.view(), is_adjoint) {}

  Index rows() const { return transposed ? view.cols : view.rows; }
  Index cols() const { return transposed ? view.rows : view.cols; }
};
template <class T>
Factor<T> adjoint(const DeviceMatrix<T>& A) {
  return {A, true};
}
template <class T>
Factor<T> transpose(MatrixView<const T> A) {
  Factor<T> factor(A);
  factor.transposed = true;
  return factor;
}

/// Kind of the error bound of a product of p bits, for an entry.
enum class Bound {
  entries,  ///< (k + s)·2⁻ᵖ·|A|·|B|: slices are added for ill-scaled operands
  /// 4k·2⁻ᵖ times the largest element of the row of A times that of the column of B, whatever their other elements: for
  /// norms, in which smaller errors are irrelevant.
  vectors
};

/// Multiplies on one machine; reuses its memory.
template <class Machine>
class ExtendedProduct {
 public:
  static constexpr int full = slicing::double_double_scheme.precision;  ///< bits of a product in double-double

  explicit ExtendedProduct(Machine& machine) : machine_(machine) {}

  /// Computes C := A·B for E = DoubleDouble or complex of it; A and B contain these or doubles. Accuracy: as
  /// product<DoubleDouble> (numerics/extended_product.hpp), with p = bits; fewer bits need fewer slices.
  template <class E, class A, class B>
  void multiply(const Factor<A>& left, const Factor<B>& right, MatrixView<E> C, int bits = full,
                Bound bound = Bound::entries) {
    using detail::parts;
    const detail::Vectors<A> a{left.view, !left.transposed, left.conjugated};
    const detail::Vectors<B> b{right.view, right.transposed, right.conjugated};
    if (a.inner() != b.inner() || C.rows != a.count() || C.cols != b.count())
      throw std::invalid_argument("product: the dimensions differ");
    if (C.rows == 0 || C.cols == 0) return;
    const Index inner = a.inner();
    if (inner == 0) return machine_.for_each(C.rows, C.cols, SetZero<E>{C});

    const detail::Exponents exponents_a = take_exponents(a, left_), exponents_b = take_exponents(b, right_);
    const auto [scheme, s] =
        bound == Bound::vectors ? least_slices(bits) : choose_slices(exponents_a, exponents_b, bits);
    const Index depth = scheme.depth(s) / parts<E>;
    for (Index first = 0; first < inner; first += depth) {
      const Index count = std::min(depth, inner - first);
      const Cut cut_a = cut<true>(a, exponents_a.scale, first, count, scheme.beta, s, left_);
      const Cut cut_b = cut<false>(b, exponents_b.scale, first, count, scheme.beta, s, right_);
      const Index level_size = C.rows * parts<E> * C.cols;
      double* levels = levels_.get(machine_.executor, static_cast<std::size_t>(s * level_size));
      unsigned used = 0;
      for (int d = 0; d < s; ++d) {
        const int from = std::max(0, d - cut_b.used + 1), to = std::min(d, cut_a.used - 1);  // slices of A
        if (from > to) continue;
        used |= 1u << d;
        machine_.gemm(!cut_a.slices.along_rows, cut_a.slices.range(from, to - from + 1), cut_b.slices.along_rows,
                      cut_b.slices.range(s - 1 - d + from, to - from + 1),
                      MatrixView<double>{levels + d * level_size, C.rows, parts<E> * C.cols, C.rows});
      }
      machine_.for_each(C.rows, C.cols,
                        detail::Accumulate<E>{levels, C.rows, level_size, scheme.beta, s, used, first == 0,
                                              first + count == inner, exponents_a.scale, exponents_b.scale, C});
    }
  }

  template <class E, class A, class B>
  DeviceMatrix<E> multiply(const Factor<A>& left, const Factor<B>& right, int bits = full) {
    DeviceMatrix<E> C = machine_.template matrix<E>(left.rows(), right.cols());
    multiply<E>(left, right, C.view(), bits);
    return C;
  }

  /// Computes the upper triangle of AᴴA, by block columns that reach down to the end of their diagonal block; elements
  /// below are not changed. Takes little more than half the time of a product.
  template <class E, class A>
  void gram(MatrixView<const A> factor, MatrixView<E> C, int bits = full) {
    constexpr Index narrowest = 64, most_blocks = 8;
    const Index n = factor.cols, width = std::max(narrowest, (n + most_blocks - 1) / most_blocks);
    for (Index first = 0; first < n; first += width) {
      const Index count = std::min(width, n - first), rows = first + count;
      multiply<E>(Factor<A>(factor.cols_range(0, rows), true), Factor<A>(factor.cols_range(first, count)),
                  C.block(0, first, rows, count), bits);
    }
  }

  /// Computes C := C − A·B.
  template <class E>
  void subtract(const Factor<E>& left, const Factor<E>& right, MatrixView<E> C) {
    const MatrixView<E> AB{difference<E>().get(machine_.executor, static_cast<std::size_t>(C.rows * C.cols)), C.rows,
                           C.cols, C.rows};
    multiply<E>(left, right, AB);
    machine_.for_each(C.rows, C.cols, detail::Subtract<E>{AB, C});
  }

  Machine& machine() { return machine_; }

 private:
  /// Exponents, scales and slices of one factor.
  struct Side {
    Scratch<std::int16_t> exponents;
    Scratch<int> scale, used;
    Scratch<double> slices;
  };
  struct Cut {
    detail::SliceLayout slices;
    int used;
  };

  template <class T>
  detail::Exponents take_exponents(const detail::Vectors<T>& factor, Side& side) {
    const Index rows = factor.view.rows, cols = factor.view.cols;
    std::int16_t* exponents = side.exponents.get(machine_.executor, static_cast<std::size_t>(rows * cols));
    int* scale = side.scale.get(machine_.executor, static_cast<std::size_t>(factor.count()));
    const detail::Exponents result{exponents, scale, rows, cols, factor.along_rows};
    machine_.for_each(rows, cols, detail::TakeExponents<T>{factor.view, exponents});
    machine_.for_each(factor.count(), 1, detail::TakeScales{result, scale});
    machine_.for_each(rows, cols, detail::MakeRelative{exponents, scale, rows, factor.along_rows});
    return result;
  }

  struct Slicing {
    slicing::Scheme scheme;
    int slices;
  };

  static constexpr slicing::Scheme widest(int bits) { return {slicing::double_double_scheme.beta, bits}; }

  static Slicing least_slices(int bits) { return {widest(bits).narrowest(0), widest(bits).slices(0)}; }

  /// Chooses the slices such that every entry of the product has its bits. A product with all bits equals that of the
  /// host; others use slices as narrow as possible, for few and long sums.
  Slicing choose_slices(const detail::Exponents& a, const detail::Exponents& b, int bits) {
    using Body = detail::Spread;
    constexpr int usual_spread = 8;  // of dense operands; a larger spread takes longer to determine
    const slicing::Scheme scheme = widest(bits);
    const int enough = bits == full ? scheme.slack() : std::min(usual_spread, scheme.slack());
    const auto tiles = [](Index n) { return (n + Body::tile - 1) / Body::tile; };
    const int blocks = static_cast<int>(tiles(a.count()) * tiles(b.count()));
    int* spreads = spreads_.get(machine_.executor, static_cast<std::size_t>(blocks));
    machine_.executor.template launch<Body>(blocks, Body::shared_bytes, {a, b, enough, 2 * bits, spreads});
    const int spread = largest(spreads, blocks);
    return {bits == full ? scheme : scheme.narrowest(spread), scheme.slices(spread)};
  }

  template <bool left, class T>
  Cut cut(const detail::Vectors<T>& factor, const int* scale, Index first, Index count, int beta, int slices,
          Side& side) {
    using Body = detail::Slice<T, left>;
    constexpr Index parts = detail::parts<T>, aligned = 8 / parts;  // lengths that are efficient for the matrix product
    const Index padded = (count + aligned - 1) / aligned * aligned;
    const Index vectors = (left ? 1 : parts) * factor.count(), length = parts * padded;
    double* data = side.slices.get(machine_.executor, static_cast<std::size_t>(vectors * length * slices));
    const detail::SliceLayout layout{data, vectors, length, slices, factor.along_rows, !left};
    constexpr Index most_blocks = 2048;
    const int blocks =
        static_cast<int>(std::min(most_blocks, (factor.count() * padded + Body::threads - 1) / Body::threads));
    int* used = side.used.get(machine_.executor, most_blocks);
    machine_.executor.template launch<Body>(blocks, Body::shared_bytes,
                                            {factor, scale, first, count, padded, layout, beta, used});
    return {layout, largest(used, blocks)};
  }

  int largest(const int* values, int count) {
    std::vector<int> host(count);
    machine_.executor.download(host.data(), values, host.size());
    return *std::max_element(host.begin(), host.end());
  }

  /// Operands for differences of real and of complex numbers.
  template <class E>
  Scratch<E>& difference() {
    if constexpr (is_complex<E>)
      return complex_difference_;
    else
      return difference_;
  }

  Machine& machine_;
  Side left_, right_;
  Scratch<int> spreads_;
  Scratch<double> levels_;
  Scratch<DoubleDouble> difference_;
  Scratch<std::complex<DoubleDouble>> complex_difference_;
};

}  // namespace pivotlab::extended
