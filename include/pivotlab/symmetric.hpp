// A symmetric or Hermitian matrix with what is known about it.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pivotlab {

/// Aᵀ = A or Aᴴ = A; of real matrices the same.
enum class Symmetry { symmetric, hermitian };

/// How many eigenvalues of a Hermitian matrix are positive, negative and zero.
struct Inertia {
  Index positive = 0, negative = 0, zero = 0;
  bool operator==(const Inertia&) const = default;
};

template <class T>
struct SymmetricMatrix {
  Matrix<T> A = {};  ///< n × n, both triangles
  Symmetry symmetry = Symmetry::hermitian;
  /// Ascending, as exact as Quad holds them, of the matrix before rounding; empty when unknown.
  std::vector<Quad> eigenvalues = {};
  /// Likewise of the matrix before rounding; nothing when unknown, and of complex symmetric matrices.
  std::optional<Inertia> inertia = {};
  /// Where the matrix is from: the generator's canonical name and seed, or the file. One line.
  std::string provenance = {};
};

using AnySymmetric = std::variant<SymmetricMatrix<double>, SymmetricMatrix<std::complex<double>>>;

}  // namespace pivotlab
