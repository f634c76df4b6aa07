// SPDX-License-Identifier: BSD-3-Clause
// What goes to a solver of the user's, and what comes back: arrays with names, by columns.
#pragma once

#include <experiments/engine/method.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// A matrix, or a vector, which has one dimension, of a problem; the elements belong to the problem.
struct OwnInput {
  std::string name;
  bool is_complex = false;
  std::vector<Index> shape;
  const void* elements = nullptr;

  std::string_view bytes() const;
};

/// The arrays of a problem in the order of the solver's arguments: those of A, F, G and J that it has.
struct OwnProblem {
  std::string method;
  std::vector<OwnInput> inputs;
  std::vector<double> signs;  ///< J; empty if there is none

  template <class T>
  void add(const char* name, const Matrix<T>& A) {
    inputs.push_back({name, is_complex<T>, {A.rows(), A.cols()}, A.data()});
  }
};

template <class P>
OwnProblem own_problem(std::string_view method, const P& problem) {
  OwnProblem own{std::string(method), {}, {}};
  if constexpr (requires { problem.A; }) own.add("A", problem.A);
  if constexpr (requires { problem.F; }) own.add("F", problem.F);
  if constexpr (requires { problem.G; }) own.add("G", problem.G);
  if constexpr (requires { problem.J; }) own.signs.assign(problem.J.begin(), problem.J.end());
  return own;
}

/// An array of a result. Without a shape the elements are as many and of the type that is asked for.
struct OwnArray {
  bool is_complex = false;
  std::vector<Index> shape = {};
  std::string bytes = {};
  bool has_shape = true;
};

/// A result. Functions throw SolverFault: failed for a missing array and a wrong shape or type, incorrect for NaN and
/// infinite elements.
class OwnAnswer {
 public:
  double seconds = 0;  ///< of the computation alone
  std::map<std::string, OwnArray> arrays;

  bool has(const std::string& name) const { return arrays.contains(name); }
  /// Throws SolverFault unless the array was given.
  void require(const std::string& name) const;
  /// Returns the array, or an empty one if it was not given. T is double or std::complex<double>.
  template <class T>
  Matrix<T> matrix(const std::string& name, Index rows, Index cols) const;
  template <class T>
  std::vector<T> vector(const std::string& name, Index count, bool may_be_infinite = false) const;
  /// Returns integers between the least and the largest one.
  std::vector<Index> integers(const std::string& name, Index count, Index least, Index largest) const;
};

}  // namespace pivotlab::experiments
