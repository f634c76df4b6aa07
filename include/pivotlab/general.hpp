// A general square matrix with what is known about it.
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
  /// With their multiplicities, by descending modulus: of the matrix before rounding where its kind prescribes them,
  /// otherwise of exactly these doubles; empty when unknown.
  std::vector<std::complex<Quad>> eigenvalues = {};
  /// Where the matrix is from: the generator's canonical name and seed, or the file. One line.
  std::string provenance = {};
};

using AnyGeneral = std::variant<GeneralMatrix<double>, GeneralMatrix<std::complex<double>>>;

}  // namespace pivotlab
