// SPDX-License-Identifier: BSD-3-Clause
// Matrices for the judges of the symmetric indefinite factorization, and factors as the judges of a GPU take them.
#pragma once

#include <experiments/ldlt/ldlt_factors.hpp>
#include <kernels/verification/device/ldlt_exact_measure.hpp>
#include <pivotlab/generate.hpp>
#include <string>
#include <variant>

namespace pivotlab::experiments::ldlt_judged {

template <class T>
SymmetricMatrix<T> generated(const std::string& generator, Index n, Symmetry symmetry = Symmetry::hermitian) {
  return std::get<SymmetricMatrix<T>>(
      generate_symmetric({.generator = generator, .type = scalar_type<T>, .symmetry = symmetry, .n = n, .threads = 1}));
}

/// Returns views of the factors of a matrix.
template <class T>
GivenLdlt<T> given(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f) {
  return {matrix.A,
          f.M,
          f.diagonal,
          f.subdiagonal,
          f.permutation,
          f.scaling,
          matrix.symmetry == Symmetry::hermitian,
          exponent_of(elements(matrix.A))};
}

}  // namespace pivotlab::experiments::ldlt_judged
