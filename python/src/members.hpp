// Members of dictionaries that hold results.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <vector>

#include "python/src/arrays.hpp"

namespace pivotlab::python {

/// Returns a member, or `otherwise` if it is missing or None.
template <class M>
M member(const nb::dict& members, const char* name, M otherwise = {}) {
  if (!members.contains(name) || nb::object(members[name]).is_none()) return otherwise;
  return nb::cast<M>(members[name]);
}

template <class T>
Matrix<T> matrix_in(const nb::dict& members, const char* name) {
  const auto array = member<std::optional<InMatrix<T>>>(members, name);
  return array ? matrix_of<T>(*array) : Matrix<T>();
}

template <class T>
std::vector<T> vector_in(const nb::dict& members, const char* name) {
  const auto array = member<std::optional<InVector<T>>>(members, name);
  return array ? vector_of<T>(*array) : std::vector<T>();
}

/// Returns the matrix as an array, or None if it was not computed.
template <class T>
nb::object matrix_or_none(Matrix<T> matrix, bool computed) {
  return computed ? to_numpy(std::move(matrix)) : nb::none();
}

}  // namespace pivotlab::python
