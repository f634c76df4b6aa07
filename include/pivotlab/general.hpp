// SPDX-License-Identifier: BSD-3-Clause
// A general square matrix and its known properties.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <string>
#include <variant>
#include <vector>

namespace pivotlab {

template <class T>
struct GeneralMatrix {
  Matrix<T> A = {};  ///< n × n
  /// Eigenvalues with their multiplicities, in order of descending modulus: of the matrix before rounding if its kind
  /// prescribes them, otherwise of exactly these doubles; empty if unknown.
  std::vector<std::complex<Quad>> eigenvalues = {};
  /// Origin of the matrix, one line: the generator's canonical name and seed, or the file.
  std::string provenance = {};
};

using AnyGeneral = std::variant<GeneralMatrix<double>, GeneralMatrix<std::complex<double>>>;

}  // namespace pivotlab
