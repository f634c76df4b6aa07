// A pair and its factors, scaled for judgement.
#pragma once

#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

// Powers of two bring F, G and each column of Z near 1, exactly:
//
//   F' = 2^−a·F,   G' = 2^−b·G,   Z' = Z·diag(2^−c),   Σ_F' = 2^−a·Σ_F·diag(2^−c),   Σ_G' = 2^−b·Σ_G·diag(2^−c),
//
// and F'Z' = UΣ_F' whenever FZ = UΣ_F. So neither graded columns of Z nor pairs near 1e±300 touch the range of double.

/// A matrix of the pair with its factors, F' = U·Σ'·X'.
template <class T>
struct Side {
  Matrix<T> A;  ///< F' or G'
  const Matrix<T>& U;
  std::vector<double> sigma;  ///< Σ'
  int exponent;               ///< a or b
};

template <class T>
struct ScaledZ {
  Matrix<T> Z;
  std::vector<int> exponents;  ///< c
};

}  // namespace pivotlab::experiments
