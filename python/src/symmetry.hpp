// SPDX-License-Identifier: BSD-3-Clause
// Symmetric and Hermitian matrices as arguments: names of symmetries and triangles, rounding.
#pragma once

#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>
#include <pivotlab/symmetric.hpp>
#include <pivotlab/symmetrize.hpp>

#include <string>

namespace pivotlab::python {

inline Symmetry symmetry_of(const std::string& name) {
  if (name == "hermitian") return Symmetry::hermitian;
  if (name == "symmetric") return Symmetry::symmetric;
  throw InputError("symmetry: unknown '" + name + "'; one of hermitian, symmetric is expected");
}
inline const char* name_of(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? "hermitian" : "symmetric";
}

InputTriangle triangle_of(const std::string& name);

/// A symmetric or Hermitian matrix as solvers take it: the given one, or a copy where only one triangle is given, or
/// where both agree but for rounding (symmetrize()). Solvers refuse what is not symmetric even so.
template <class T>
class SymmetricInput {
 public:
  explicit SymmetricInput(MatrixView<const T> A, InputTriangle triangle = InputTriangle::whole,
                          Symmetry symmetry = Symmetry::hermitian, int threads = 1)
      : given_(A) {
    if (A.rows != A.cols) return;
    const auto across = [&](const T& x) { return symmetry == Symmetry::hermitian ? conjugate(x) : x; };
    if (triangle == InputTriangle::whole) {
      if (is_symmetric<T>(A, symmetry, threads)) return;
      copy_ = Matrix<T>(A);
      symmetrize(copy_, symmetry);
      return;
    }
    copy_ = Matrix<T>(A);
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = j + 1; i < A.rows; ++i)
        (triangle == InputTriangle::lower ? copy_(j, i) : copy_(i, j)) =
            across(triangle == InputTriangle::lower ? A(i, j) : A(j, i));
    symmetrize(copy_, symmetry);  // the diagonal
  }

  MatrixView<const T> view() const { return copy_.size() > 0 ? copy_.view() : given_; }

 private:
  MatrixView<const T> given_;
  Matrix<T> copy_;
};

}  // namespace pivotlab::python
