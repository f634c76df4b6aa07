// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for Quad: judges form G·J·Gᴴ with it, tests take it as reference, and it solves systems for which
// factors of double do not suffice.
#include "kernels/ldlt/factors/gjg.hpp"
#include "kernels/ldlt/factors/growth.hpp"
#include "kernels/ldlt/factors/refine.hpp"
#include "kernels/ldlt/ldlt.hpp"
#include "kernels/numerics/extension.hpp"

namespace pivotlab {
namespace ldlt_detail {
namespace {

template <class T>
Matrix<Rebind<T, Quad>> in_quad(MatrixView<const T> A) {
  Matrix<Rebind<T, Quad>> result(A.rows, A.cols);
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) result(i, j) = extend<Rebind<T, Quad>>(A(i, j));
  return result;
}

}  // namespace

template <class T>
QuadSolution<T> solve_in_quad(MatrixView<const T> A, MatrixView<const T> B, Symmetry symmetry) {
  using Q = Rebind<T, Quad>;
  const Matrix<Q> extended = in_quad<T>(A);
  const LdltFactorization<Q> f =
      ldlt<Q>(extended, {.variant = {.pivoting = Pivoting::rook}, .symmetry = symmetry, .storage = LdltStorage::full});
  const LdltSolution<Q> solution = f.solve_refined(extended, in_quad<T>(B));
  QuadSolution<T> result{f.rank, Matrix<T>(B.rows, B.cols), round_to_double<double>(solution.forward_error)};
  for (Index i = 0; i < result.X.size(); ++i) result.X.data()[i] = round_to_double<T>(solution.X.data()[i]);
  result.forward_error += unit_roundoff<double>();
  return result;
}

template QuadSolution<double> solve_in_quad(MatrixView<const double>, MatrixView<const double>, Symmetry);
template QuadSolution<std::complex<double>> solve_in_quad(MatrixView<const std::complex<double>>,
                                                          MatrixView<const std::complex<double>>, Symmetry);

}  // namespace ldlt_detail

template LdltFactorization<Quad> ldlt(MatrixView<const Quad>, const LdltOptions&);
template LdltFactorization<Quad> ldlt(PackedTriangle<Quad>, const LdltOptions&);
template PackedTriangle<Quad> pack(MatrixView<const Quad>, InputTriangle, Symmetry);
template Matrix<Quad> unpack(const PackedTriangle<Quad>&, Symmetry);
template struct LdltFactorization<Quad>;
template LdltFactorization<std::complex<Quad>> ldlt(MatrixView<const std::complex<Quad>>, const LdltOptions&);
template LdltFactorization<std::complex<Quad>> ldlt(PackedTriangle<std::complex<Quad>>, const LdltOptions&);
template PackedTriangle<std::complex<Quad>> pack(MatrixView<const std::complex<Quad>>, InputTriangle, Symmetry);
template Matrix<std::complex<Quad>> unpack(const PackedTriangle<std::complex<Quad>>&, Symmetry);
template struct LdltFactorization<std::complex<Quad>>;

}  // namespace pivotlab
