// A matrix pair (F, G) with what is known about it.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <string>
#include <variant>
#include <vector>

namespace pivotlab {

template <class T>
struct Pair {
  Matrix<T> F;  ///< m_F × n
  Matrix<T> G;  ///< m_G × n
  /// The generalized singular values, descending, as exact as Quad holds them; empty when unknown.
  std::vector<Quad> sigma;
  /// Where the pair is from: the generator's canonical name and seed, or the file. One line.
  std::string provenance;
};

using AnyPair = std::variant<Pair<double>, Pair<std::complex<double>>>;

}  // namespace pivotlab
