// SPDX-License-Identifier: BSD-3-Clause
// Copies matrices that are stored by rows, as NumPy's are, to storage by columns.
#include <algorithm>

#include "python/src/arrays.hpp"
#include "python/src/calls.hpp"

namespace pivotlab::python {
namespace {

/// Copies tile by tile: the columns of a large matrix do not fit into the cache together.
template <class T>
nb::object by_columns(const InMatrix<T>& rows) {
  constexpr Index side = 32;
  const auto m = static_cast<Index>(rows.shape(0)), n = static_cast<Index>(rows.shape(1));
  const auto stride = static_cast<Index>(rows.stride(0));
  if (n > 1 && rows.stride(1) != 1) throw nb::value_error("the matrix is not stored by rows");
  const T* const from = rows.data();
  Matrix<T> copy = Matrix<T>::uninitialized(m, n);
  without_lock([&] {
    for (Index first = 0; first < n; first += side)
      for (Index top = 0; top < m; top += side) {
        T tile[side][side + 1];  // one more, so that its columns have different places in the cache
        const Index width = std::min(side, n - first), height = std::min(side, m - top);
        for (Index i = 0; i < height; ++i) std::copy_n(from + (top + i) * stride + first, width, tile[i]);
        for (Index j = 0; j < width; ++j) {
          T* const column = &copy(top, first + j);
          for (Index i = 0; i < height; ++i) column[i] = tile[i][j];
        }
      }
  });
  return to_numpy(std::move(copy));
}

}  // namespace

void bind_by_columns(nb::module_& module) {
  module.def("by_columns", &by_columns<double>, nb::arg("rows").noconvert());
  module.def("by_columns", &by_columns<Complex>, nb::arg("rows").noconvert());
}

}  // namespace pivotlab::python
