// SPDX-License-Identifier: BSD-3-Clause
// Norms of large matrices, with the columns divided among threads: one thread needs about a second per norm at n = 10⁴.
// The result is bitwise the same for any number of threads.
#pragma once

#include <cmath>
#include <kernels/numerics/threads.hpp>
#include <kernels/verification/norms.hpp>
#include <numeric>

namespace pivotlab::experiments {

/// of_column(j) for 0 ≤ j < cols.
template <class OfColumn>
auto over_columns(Index cols, int threads, const OfColumn& of_column) {
  std::vector<decltype(of_column(Index{}))> values(static_cast<std::size_t>(cols));
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 16)
  for (Index j = 0; j < cols; ++j) values[j] = of_column(j);
  return values;
}

/// max_j of_column(j); NaN if there is one.
template <class OfColumn>
double largest_over_columns(Index cols, int threads, const OfColumn& of_column) {
  return largest_component<double>(over_columns(cols, threads, of_column));
}

template <class T>
double largest_component(const Matrix<T>& A, int threads) {
  return largest_over_columns(A.cols(), threads, [&](Index j) { return largest_component<T>(A.col(j)); });
}

template <class T>
int exponent_of(const Matrix<T>& A, int threads) {
  const double largest = largest_component(A, threads);
  return largest > 0 ? std::ilogb(largest) : 0;
}

template <class T>
std::vector<double> column_norms(const Matrix<T>& A, int threads) {
  return over_columns(A.cols(), threads, [&](Index j) { return norm<T>(A.col(j)); });
}

/// ‖A‖_F
template <class T>
double frobenius_norm(const Matrix<T>& A, int threads) {
  return norm<double>(column_norms(A, threads));
}

/// ‖2^−exponent·A‖_F
template <class T>
double frobenius_norm(const Matrix<T>& A, int exponent, int threads) {
  const std::vector<double> squares = over_columns(A.cols(), threads, [&](Index j) {
    double sum = 0;
    for (const T& x : A.col(j)) sum += std::norm(times_power_of_two(x, -exponent));
    return sum;
  });
  return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

/// The largest modulus of an element.
template <class T>
double largest_modulus(const Matrix<T>& A, int threads) {
  return largest_over_columns(A.cols(), threads, [&](Index j) {
    double largest = 0;
    for (const T& x : A.col(j)) raise_to(largest, std::abs(x));
    return largest;
  });
}

/// 2^−exponent·A, in real or complex numbers; the threads also write its memory first.
template <class To, class T>
Matrix<To> scaled_copy(const Matrix<T>& A, int exponent, int threads) {
  auto result = Matrix<To>::uninitialized(A.rows(), A.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index j = 0; j < A.cols(); ++j)
    std::ranges::transform(A.col(j), &result(0, j), [&](const T& x) { return To(times_power_of_two(x, -exponent)); });
  return result;
}

/// ‖2^−exponent·A‖₁
template <class T>
double norm_1(const Matrix<T>& A, int exponent, int threads) {
  return largest_over_columns(A.cols(), threads, [&](Index j) {
    double sum = 0;
    for (const T& x : A.col(j)) sum += std::abs(times_power_of_two(x, -exponent));
    return sum;
  });
}

}  // namespace pivotlab::experiments
