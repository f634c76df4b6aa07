// SPDX-License-Identifier: BSD-3-Clause
// The arrays of a batch in a sweep, in the memory of the backend that solves it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <pivotlab/batch.hpp>
#include <pivotlab/batch_memory.hpp>
#include <pivotlab/status.hpp>
#include <vector>

namespace pivotlab::experiments {

/// The arrays of `count` problems, of which the first `judged` are different, and problem k is problem k modulo
/// `judged`.
class BatchArrays {
 public:
  /// Throws as BatchMemory does.
  BatchArrays(const BatchOptions& options, Index count, Index judged);

  const BatchOptions& options() const { return options_; }
  Index count() const { return count_; }
  Index judged() const { return judged_; }

  /// Returns a matrix of each problem; matrix_of(k) returns that of a judged one. All have the same shape.
  template <class T, class MatrixOf>
  MatrixBatch<const T> given(const MatrixOf& matrix_of) {
    const MatrixView<const T> first = matrix_of(0);
    const Index rows = first.rows, cols = first.cols, size = rows * cols;
    const T* const data = given_numbers<T>(size, [&](Index k, T* to) {
      const MatrixView<const T> A = matrix_of(k);
      for (Index j = 0; j < cols; ++j) std::ranges::copy(A.col(j), to + j * rows);
    });
    return {data, rows, cols, rows, size, count_};
  }
  /// Returns `each` numbers of each problem; write(k, to) writes those of a judged one.
  template <class Number, class Write>
  const Number* given_numbers(Index each, const Write& write) {
    std::vector<Number> all(each * count_);
    for (Index k = 0; k < judged_; ++k) write(k, all.data() + k * each);
    for (Index k = judged_; k < count_; ++k) std::copy_n(all.data() + k % judged_ * each, each, all.data() + k * each);
    auto* const data = static_cast<Number*>(memory_.take(all.size() * sizeof(Number)));
    memory_.upload(data, all.data(), all.size() * sizeof(Number));
    return data;
  }

  /// Return memory for results of each problem.
  template <class T>
  MatrixBatch<T> matrices(Index rows, Index cols) {
    return {numbers<T>(rows * cols), rows, cols, rows, rows * cols, count_};
  }
  template <class Number>
  Number* numbers(Index each) {
    return static_cast<Number*>(result(static_cast<std::size_t>(each) * sizeof(Number)));
  }
  int* status() { return status_ = status_ == nullptr ? numbers<int>(1) : status_; }
  void* workspace(std::size_t bytes) { return memory_.take(bytes); }

  /// Calls solve(), takes its time, and copies the results to the host.
  void run(const std::function<void()>& solve);

  // After run().

  double seconds() const { return seconds_; }
  Status status_of(Index k) const;
  /// Returns what matrices() or numbers() was given for a problem.
  template <class T>
  Matrix<T> matrix(const MatrixBatch<T>& of, Index k) const {
    Matrix<T> copy(of.rows, of.cols);
    std::copy_n(values(of.data, k).data(), copy.size(), copy.data());
    return copy;
  }
  template <class Number>
  std::vector<Number> values(const Number* of, Index k) const {
    const Result& found = find(of);
    const auto* const first = reinterpret_cast<const Number*>(found.on_host.data() + found.each * std::size_t(k));
    return {first, first + found.each / sizeof(Number)};
  }
  /// Returns the number of problems that have other bits than the judged problem with the same input.
  Index count_different() const;

 private:
  /// Results of `each` bytes a problem.
  struct Result {
    void* at;
    std::size_t each;
    std::vector<std::byte> on_host;
  };

  void* result(std::size_t each);
  const Result& find(const void* at) const;

  BatchOptions options_;
  Index count_, judged_;
  BatchMemory memory_;
  std::vector<Result> results_;
  int* status_ = nullptr;
  double seconds_ = 0;
};

}  // namespace pivotlab::experiments
