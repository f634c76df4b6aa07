// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/own/answer.hpp>

#include <cmath>
#include <complex>
#include <cstring>

namespace pivotlab::experiments {
namespace {

using Complex = std::complex<double>;

Index count_of(const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index length : shape) count *= length;
  return count;
}

std::string text_of(const std::vector<Index>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Returns the shape without ones at its end: a matrix of one column may stand for a vector.
std::vector<Index> without_ones(std::vector<Index> shape) {
  while (!shape.empty() && shape.back() == 1) shape.pop_back();
  return shape;
}

bool is_good(const Complex& x, bool may_be_infinite) {
  const bool is_nan = std::isnan(x.real()) || std::isnan(x.imag());
  return may_be_infinite ? !is_nan : std::isfinite(x.real()) && std::isfinite(x.imag());
}

/// Copies the elements of an array that has this shape.
template <class T>
void copy_elements(const std::string& name, const OwnArray& array, const std::vector<Index>& shape,
                   bool may_be_infinite, T* to) {
  const Index count = count_of(shape);
  const bool complex = array.has_shape ? array.is_complex : is_complex<T>;
  if (array.has_shape && without_ones(array.shape) != without_ones(shape))
    throw SolverFault(Status::failed,
                      fmt::format("{} has the shape {}, must have {}", name, text_of(array.shape), text_of(shape)));
  if (complex && !is_complex<T>) throw SolverFault(Status::failed, fmt::format("{} is complex, must be real", name));
  const std::size_t bytes = static_cast<std::size_t>(count) * (complex ? sizeof(Complex) : sizeof(double));
  if (array.bytes.size() != bytes)
    throw SolverFault(Status::failed, fmt::format("{} has {} bytes, must have {}", name, array.bytes.size(), bytes));
  for (Index k = 0; k < count; ++k) {
    double parts[2] = {0, 0};
    const std::size_t size = complex ? sizeof(Complex) : sizeof(double);
    std::memcpy(parts, array.bytes.data() + static_cast<std::size_t>(k) * size, size);
    const Complex element(parts[0], parts[1]);
    if (!is_good(element, may_be_infinite)) {
      const Index rows = shape.front();
      const std::string place = shape.size() == 2 ? fmt::format("row {}, column {}", k % rows + 1, k / rows + 1)
                                                  : fmt::format("place {}", k + 1);
      throw SolverFault(Status::incorrect,
                        fmt::format("{} has {} at {}", name, may_be_infinite ? "NaN" : "NaN or Inf", place));
    }
    if constexpr (is_complex<T>)
      to[k] = element;
    else
      to[k] = element.real();
  }
}

}  // namespace

std::string_view OwnInput::bytes() const {
  return {static_cast<const char*>(elements),
          static_cast<std::size_t>(count_of(shape)) * (is_complex ? sizeof(Complex) : sizeof(double))};
}

void OwnAnswer::require(const std::string& name) const {
  if (!has(name)) throw SolverFault(Status::failed, fmt::format("the result has no {}", name));
}

template <class T>
Matrix<T> OwnAnswer::matrix(const std::string& name, Index rows, Index cols) const {
  if (!has(name)) return {};
  Matrix<T> A(rows, cols);
  copy_elements(name, arrays.at(name), {rows, cols}, false, A.data());
  return A;
}

template <class T>
std::vector<T> OwnAnswer::vector(const std::string& name, Index count, bool may_be_infinite) const {
  if (!has(name)) return {};
  std::vector<T> values(count);
  copy_elements(name, arrays.at(name), {count}, may_be_infinite, values.data());
  return values;
}

std::vector<Index> OwnAnswer::integers(const std::string& name, Index count, Index least, Index largest) const {
  std::vector<Index> values;
  for (const double x : vector<double>(name, count)) {
    if (x != std::trunc(x) || x < static_cast<double>(least) || x > static_cast<double>(largest))
      throw SolverFault(Status::failed, fmt::format("{} has the element {}, must have integers from {} to {}", name, x,
                                                    least, largest));
    values.push_back(static_cast<Index>(x));
  }
  return values;
}

template Matrix<double> OwnAnswer::matrix(const std::string&, Index, Index) const;
template Matrix<Complex> OwnAnswer::matrix(const std::string&, Index, Index) const;
template std::vector<double> OwnAnswer::vector(const std::string&, Index, bool) const;
template std::vector<Complex> OwnAnswer::vector(const std::string&, Index, bool) const;

}  // namespace pivotlab::experiments
