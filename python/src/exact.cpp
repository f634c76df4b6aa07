// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/exact.hpp"

#include "python/src/arrays.hpp"
#include "python/src/calls.hpp"

namespace pivotlab::python {
namespace {

/// The second limb has no rows if there is none.
template <class T>
ExactFactor<T> factor_of(const InMatrix<T>& hi, const InMatrix<T>& lo) {
  const auto low = view_of<T>(lo);
  return {view_of<T>(hi), low.rows > 0 ? low : MatrixView<const T>{}};
}

template <class T>
nb::dict multiply(const InMatrix<T>& A, const InMatrix<T>& A_low, const InMatrix<T>& B, const InMatrix<T>& B_low,
                  int moduli, double bits, bool balance) {
  auto [hi, lo, bound, report] = without_lock([&] {
    const ExactOptions options{.moduli = moduli, .bits = bits, .balance = balance};
    return exact_product<T>(factor_of<T>(A, A_low), factor_of<T>(B, B_low), options);
  });
  nb::dict members = to_dict(report);
  members["hi"] = to_numpy(std::move(hi));
  members["lo"] = to_numpy(std::move(lo));
  members["bound"] = to_numpy(std::move(bound));
  return members;
}

template <class T>
void bind_exact_of(nb::module_& module) {
  module.def("exact_multiply", &multiply<T>, nb::arg("A").noconvert(), nb::arg("A_low").noconvert(),
             nb::arg("B").noconvert(), nb::arg("B_low").noconvert(), nb::arg("moduli"), nb::arg("bits"),
             nb::arg("balance"));
}

}  // namespace

nb::dict to_dict(const ExactReport& report) {
  nb::dict members;
  members["moduli"] = report.moduli;
  members["exact"] = report.exact();
  members["relative_bound"] = report.bound();
  members["rows_not_finite"] = report.rows_not_finite;
  members["columns_not_finite"] = report.columns_not_finite;
  return members;
}

void bind_exact(nb::module_& module) {
  bind_exact_of<double>(module);
  bind_exact_of<Complex>(module);
}

}  // namespace pivotlab::python
