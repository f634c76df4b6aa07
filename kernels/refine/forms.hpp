// SPDX-License-Identifier: BSD-3-Clause
// A problem as a pair of forms of vectors X, and what its refinement gives. This header is plain C++, which a device
// compiler also reads.
#pragma once

#include "kernels/refine/values.hpp"

#include <functional>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::refine {

/// Says which form of X a matrix A gives: XᴴAX, (AX)ᴴ(AX) or XᴴX.
enum class Kind { hermitian, gram, identity };

/// The form of 2^exponent·A; elements of A are near 1.
template <class T>
struct Side {
  Kind kind = Kind::identity;
  Matrix<T> A = {};
  int exponent = 0;
};

/// S = numerator and M = denominator shall become diagonal; values are s/m or, if the numerator is a Gram form, √(s/m).
template <class T>
struct Problem {
  Side<T> numerator, denominator;
  bool wants_vectors = true;
  bool has_roots() const { return numerator.kind == Kind::gram; }
  bool is_pair() const { return denominator.kind == Kind::gram; }
};

/// Values and vectors in descending order of values. Values are those of A without the factors 2^exponent.
template <class T>
struct Outcome {
  Values value, s, m;     ///< s and m are relative to K
  Matrix<T> vectors;      ///< X, of which K, or for a pair the sum of both forms with their factors, is the identity
  Matrix<T> left, right;  ///< unit columns of A·X for the Gram forms of numerator and denominator
  std::vector<double> sigma_f, sigma_g;  ///< of a pair: √s and √m with the factors, in units of their sum
  int steps = 0;
  double seconds = 0;  ///< of all steps, with matrices in the memory of the machine
};

/// Refines approximate vectors (n × n) in at most this many steps, on some machine.
template <class T>
using Run = std::function<Outcome<T>(const Problem<T>&, const Matrix<T>& start, int most_steps)>;

/// Runs on a GPU, with exact products; defined in builds with CUDA. Throws NotSupported without a GPU or cuBLAS.
template <class T>
Outcome<T> run_on_cuda(const Problem<T>& problem, const Matrix<T>& start, int most_steps);

}  // namespace pivotlab::refine
