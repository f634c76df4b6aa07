// SPDX-License-Identifier: BSD-3-Clause
// Problems by number: which kind, and random numbers that are the same everywhere.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace pivotlab::test {

/// How many problems a method is tested with: PIVOTLAB_RANDOM_PROBLEMS, by default 40.
inline int random_problem_count() {
  const char* text = std::getenv("PIVOTLAB_RANDOM_PROBLEMS");
  return text != nullptr ? std::atoi(text) : 40;
}

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : generator_(seed * 0x9e3779b97f4a7c15 + 1) {}

  /// low ≤ x ≤ high
  int integer(int low, int high) {
    return low + static_cast<int>(generator_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_of(int cases) { return integer(1, cases) == 1; }
  /// −1 ≤ x < 1
  double uniform() { return std::ldexp(static_cast<double>(generator_() >> 11), -52) - 1.0; }
  double power_of_two(int largest) { return std::ldexp(1.0, integer(-largest, largest)); }

  template <class T>
  T number() {
    if constexpr (is_complex<T>) {
      const double re = uniform();
      return {re, uniform()};
    } else {
      return uniform();
    }
  }
  template <class T>
  T small_integer(int largest) {
    const double re = integer(-largest, largest);
    if constexpr (is_complex<T>)
      return {re, static_cast<double>(integer(-largest, largest))};
    else
      return re;
  }
  template <class T, class Element>
  Matrix<T> matrix(Index rows, Index cols, const Element& element) {
    Matrix<T> A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = element();
    return A;
  }
  template <class T>
  Matrix<T> matrix(Index rows, Index cols) {
    return matrix<T>(rows, cols, [&] { return number<T>(); });
  }
  template <class T>
  Matrix<T> integers(Index rows, Index cols, int largest) {
    return matrix<T>(rows, cols, [&] { return small_integer<T>(largest); });
  }

 private:
  std::mt19937_64 generator_;
};

template <class T>
void scale_row(Matrix<T>& A, Index i, double factor) {
  for (Index j = 0; j < A.cols(); ++j) A(i, j) *= factor;
}
template <class T>
void scale_column(Matrix<T>& A, Index j, double factor) {
  for (T& x : A.col(j)) x *= factor;
}

/// Counts of the results of a method's problems.
struct Tally {
  int problems = 0, passed = 0, refused = 0;
  std::vector<std::string> wrongly_passed, wrongly_incorrect, failed;

  void print(const std::string& method) const {
    std::cout << method << ": " << problems << " problems, " << passed << " passed, " << refused << " refused, "
              << wrongly_passed.size() << " wrongly passed, " << wrongly_incorrect.size() << " wrongly incorrect, "
              << failed.size() << " not solved\n";
    for (const auto& [what, list] : {std::pair("wrongly passed", &wrongly_passed),
                                     {"wrongly incorrect", &wrongly_incorrect},
                                     {"not solved", &failed}})
      for (const std::string& text : *list) std::cout << "  " << what << ": " << text << '\n';
  }
};

}  // namespace pivotlab::test
