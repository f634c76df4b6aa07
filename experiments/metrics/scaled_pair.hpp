// A pair and its factors, scaled for judgement.
#pragma once

#include <pivotlab/matrix.hpp>
#include <utility>
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

// The same before the matrices are scaled: a GPU takes large ones as they are and scales them itself. They refer to the
// matrices and do not copy them.

template <class T>
struct GivenSide {
  const Matrix<T>& A;  ///< F or G
  const Matrix<T>& U;
  std::vector<double> sigma;  ///< Σ'
  int exponent;               ///< A' = 2^−exponent·A

  GivenSide(const Matrix<T>& A_, const Matrix<T>& U_, std::vector<double> sigma_, int exponent_)
      : A(A_), U(U_), sigma(std::move(sigma_)), exponent(exponent_) {}
  GivenSide(const Side<T>& scaled) : GivenSide(scaled.A, scaled.U, scaled.sigma, 0) {}  // nothing is left to scale
};

template <class T>
struct GivenZ {
  const Matrix<T>& Z;
  std::vector<int> exponents;  ///< Z' = Z·diag(2^−exponents); empty: Z' = Z

  GivenZ(const Matrix<T>& Z_, std::vector<int> exponents_) : Z(Z_), exponents(std::move(exponents_)) {}
  GivenZ(const ScaledZ<T>& scaled) : GivenZ(scaled.Z, {}) {}
};

}  // namespace pivotlab::experiments
