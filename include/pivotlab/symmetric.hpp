// SPDX-License-Identifier: BSD-3-Clause
// A symmetric or Hermitian matrix and its known properties.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pivotlab {

/// symmetric: Aᵀ = A; hermitian: Aᴴ = A. Both are the same for real matrices.
enum class Symmetry { symmetric, hermitian };

/// Numbers of positive, negative and zero eigenvalues of a Hermitian matrix.
struct Inertia {
  Index positive = 0, negative = 0, zero = 0;
  bool operator==(const Inertia&) const = default;
};

template <class T>
struct SymmetricMatrix {
  Matrix<T> A = {};  ///< n × n, both triangles
  Symmetry symmetry = Symmetry::hermitian;
  /// Eigenvalues in ascending order, in quadruple precision, of the matrix before rounding; empty if unknown.
  std::vector<Quad> eigenvalues = {};
  /// Inertia of the matrix before rounding; empty if unknown, and for complex symmetric matrices.
  std::optional<Inertia> inertia = {};
  /// Origin of the matrix, one line: the generator's canonical name and seed, or the file.
  std::string provenance = {};
};

using AnySymmetric = std::variant<SymmetricMatrix<double>, SymmetricMatrix<std::complex<double>>>;

}  // namespace pivotlab
