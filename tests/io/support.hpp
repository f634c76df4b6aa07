// SPDX-License-Identifier: BSD-3-Clause
// Scratch folders, error messages and matrices for the tests of readers and writers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>

#include "generators/io/symmetry.hpp"
#include "tests/scratch_folder.hpp"

namespace pivotlab::io_test {

using Complex = std::complex<double>;

/// A directory of its own for every test, removed afterwards.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const char* of_parent = std::getenv(kOfParent);
    if (of_parent != nullptr) {
      path_ = of_parent;
      return;
    }
    path_ = own_.emplace().path();
  }
  ~TemporaryDirectory() {
    if (own_) ::unsetenv(kOfParent);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Makes child processes use this directory instead of their own, which would not be removed: the child of a
  /// threadsafe death test runs the test from its beginning and does not reach its end.
  void share_with_children() const { ::setenv(kOfParent, path_.c_str(), 1); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  static constexpr const char* kOfParent = "PIVOTLAB_TEST_DIRECTORY";

  std::optional<test::ScratchFolder> own_;
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}
inline std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The message of the InputError that call() throws, without the directory's name; "" if it throws none.
template <class Call>
std::string message(const TemporaryDirectory& directory, Call call) {
  try {
    call();
  } catch (const InputError& error) {
    std::string text = error.what();
    const auto prefix = directory.path().string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
    return text;
  }
  return "";
}

/// Entries of all magnitudes, some of them signed zeros and subnormal numbers.
class Entries {
 public:
  explicit Entries(unsigned seed) : generator_(seed) {}
  double next() {
    switch (generator_() % 16) {
      case 0:
        return -0.0;
      case 1:
        return 4.9406564584124654e-324;
      default:
        return std::ldexp(normal_(generator_), static_cast<int>(generator_() % 1200) - 600);
    }
  }

 private:
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
};

template <class T>
Matrix<T> any_matrix(Index rows, Index cols, unsigned seed) {
  Entries entries(seed);
  Matrix<T> A(rows, cols);
  for (Index k = 0; k < A.size(); ++k) {
    if constexpr (is_complex<T>) {
      const double re = entries.next();
      A.data()[k] = {re, entries.next()};
    } else {
      A.data()[k] = entries.next();
    }
  }
  return A;
}

/// Determined by its lower triangle as the symmetry says.
template <class T>
Matrix<T> any_matrix_with(io::Symmetry symmetry, Index n, unsigned seed) {
  auto A = any_matrix<T>(n, n, seed);
  for (Index i = 0; i < n; ++i) {
    if (symmetry == io::Symmetry::hermitian) A(i, i) = real_part(A(i, i));
    if (symmetry == io::Symmetry::skew_symmetric) A(i, i) = 0;
  }
  io::complete(A.view(), symmetry);
  return A;
}

template <class T>
::testing::AssertionResult same_bits(const Matrix<T>& A, const Matrix<T>& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    return ::testing::AssertionFailure() << A.rows() << " x " << A.cols() << " and " << B.rows() << " x " << B.cols();
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (!io::same_bits(A(i, j), B(i, j)))
        return ::testing::AssertionFailure() << "entry (" << i << ", " << j << "): " << A(i, j) << " and " << B(i, j);
  return ::testing::AssertionSuccess();
}

template <class T>
::testing::AssertionResult same_bits(const Pair<T>& a, const Pair<T>& b) {
  if (const auto F = same_bits(a.F, b.F); !F) return F;
  if (const auto G = same_bits(a.G, b.G); !G) return G;
  if (a.sigma != b.sigma) return ::testing::AssertionFailure() << "the singular values differ";
  if (a.provenance != b.provenance)
    return ::testing::AssertionFailure() << "provenance " << a.provenance << " and " << b.provenance;
  return ::testing::AssertionSuccess();
}

template <class T>
Pair<T> any_pair(Index m_f, Index m_g, Index n, unsigned seed) {
  Pair<T> pair{
      any_matrix<T>(m_f, n, seed), any_matrix<T>(m_g, n, seed + 1), {}, "any pair;seed=" + std::to_string(seed)};
  for (Index i = 0; i < n; ++i) pair.sigma.push_back(sqrt(Quad(2 * n - i)) / 3);
  return pair;
}

}  // namespace pivotlab::io_test
