// SPDX-License-Identifier: BSD-3-Clause
// Matrices and vectors of the library as NumPy arrays, and the reverse.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <pivotlab/matrix.hpp>
#include <pivotlab/quad.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

namespace pivotlab::python {

namespace nb = nanobind;
using Complex = std::complex<double>;

/// A matrix in the memory of the host, by columns: pivotlab/_arrays.py passes no others. It may be read-only.
template <class T>
using InMatrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using InVector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
MatrixView<const T> view_of(const InMatrix<T>& array) {
  const auto rows = static_cast<Index>(array.shape(0)), cols = static_cast<Index>(array.shape(1));
  if (rows == 0 || cols == 0) return {array.data(), rows, cols, std::max<Index>(rows, 1)};
  const Index stride = cols > 1 ? static_cast<Index>(array.stride(1)) : rows;
  if ((rows > 1 && array.stride(0) != 1) || stride < rows) throw nb::value_error("the matrix is not stored by columns");
  return {array.data(), rows, cols, stride};
}

template <class T>
std::vector<T> vector_of(const InVector<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Returns the diagonal of J as int.
inline std::vector<int> signs_of(const InVector<Index>& J) {
  return {J.data(), J.data() + J.size()};
}

/// Returns the matrix as an array by columns, which owns it.
template <class T>
nb::object to_numpy(Matrix<T> matrix) {
  auto* owned = new Matrix<T>(std::move(matrix));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Matrix<T>*>(p); });
  const std::size_t shape[] = {static_cast<std::size_t>(owned->rows()), static_cast<std::size_t>(owned->cols())};
  const std::int64_t strides[] = {1, std::max<Index>(1, owned->rows())};
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), 2, shape, owner, strides));
}

template <class T>
nb::object to_numpy(std::vector<T> vector) {
  auto* owned = new std::vector<T>(std::move(vector));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[] = {owned->size()};
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), 1, shape, owner));
}

/// Returns a matrix that lives in `owner` as an array that keeps the owner alive.
template <class T>
nb::object member_of(nb::handle owner, const Matrix<T>& matrix) {
  const std::size_t shape[] = {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())};
  const std::int64_t strides[] = {1, std::max<Index>(1, matrix.rows())};
  return nb::cast(nb::ndarray<nb::numpy, const T>(matrix.data(), 2, shape, owner, strides));
}
template <class T>
nb::object member_of(nb::handle owner, const std::vector<T>& vector) {
  const std::size_t shape[] = {vector.size()};
  return nb::cast(nb::ndarray<nb::numpy, const T>(vector.data(), 1, shape, owner));
}

/// Returns (rounded to double, remainder rounded to double): 106 of the 113 bits of each number.
inline nb::object truth_of(const std::vector<Quad>& exact) {
  std::vector<double> high, low;
  for (const Quad& x : exact) {
    high.push_back(static_cast<double>(x));
    low.push_back(isfinite(x) ? static_cast<double>(x - Quad(high.back())) : 0);
  }
  return nb::make_tuple(to_numpy(std::move(high)), to_numpy(std::move(low)));
}
inline nb::object truth_of(const std::vector<std::complex<Quad>>& exact) {
  std::vector<Complex> high, low;
  for (const auto& x : exact) {
    high.emplace_back(static_cast<double>(x.real()), static_cast<double>(x.imag()));
    low.emplace_back(static_cast<double>(x.real() - Quad(high.back().real())),
                     static_cast<double>(x.imag() - Quad(high.back().imag())));
  }
  return nb::make_tuple(to_numpy(std::move(high)), to_numpy(std::move(low)));
}
inline std::vector<Quad> exact_of(const InVector<double>& high, const InVector<double>& low) {
  std::vector<Quad> exact;
  for (std::size_t k = 0; k < high.size(); ++k) exact.push_back(Quad(high.data()[k]) + Quad(low.data()[k]));
  return exact;
}
inline std::vector<std::complex<Quad>> exact_of(const InVector<Complex>& high, const InVector<Complex>& low) {
  std::vector<std::complex<Quad>> exact;
  for (std::size_t k = 0; k < high.size(); ++k)
    exact.emplace_back(Quad(high.data()[k].real()) + Quad(low.data()[k].real()),
                       Quad(high.data()[k].imag()) + Quad(low.data()[k].imag()));
  return exact;
}

/// Returns the matrix that an array holds, by columns.
template <class T>
Matrix<T> matrix_of(const InMatrix<T>& array) {
  return Matrix<T>(view_of<T>(array));
}

}  // namespace pivotlab::python
