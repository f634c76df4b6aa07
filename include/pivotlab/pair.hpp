// SPDX-License-Identifier: BSD-3-Clause
// A matrix pair (F, G) and its known properties.
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
  /// The generalized singular values in descending order, infinite ones first; empty if they are unknown.
  std::vector<Quad> sigma;
  /// Origin of the pair, one line: the generator's canonical name and seed, or the file.
  std::string provenance;
};

using AnyPair = std::variant<Pair<double>, Pair<std::complex<double>>>;

}  // namespace pivotlab
