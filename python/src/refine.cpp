// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/string.h>
#include <pivotlab/refine.hpp>

#include <string>

#include "python/src/arrays.hpp"
#include "python/src/calls.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::object matrix_or_none(Matrix<T> matrix) {
  return matrix.size() > 0 ? to_numpy(std::move(matrix)) : nb::none();
}

template <class T>
nb::dict refined_members(Refined<T> refined) {
  const auto n = static_cast<Index>(refined.values.size());
  std::vector<std::uint8_t> determined(refined.determined.begin(), refined.determined.end());
  nb::dict members;
  members["values"] = to_numpy(std::move(refined.values));
  members["values_lo"] = to_numpy(std::move(refined.values_lo));
  members["bound"] = to_numpy(std::move(refined.bound));
  members["determined"] = to_numpy(std::move(determined));
  members["sigma_f"] = to_numpy(std::move(refined.sigma_f));
  members["sigma_g"] = to_numpy(std::move(refined.sigma_g));
  members["vectors"] = n > 0 ? to_numpy(std::move(refined.vectors)) : nb::none();
  members["U"] = matrix_or_none(std::move(refined.U));
  members["V"] = matrix_or_none(std::move(refined.V));
  members["steps"] = refined.steps;
  return members;
}

RefineOptions options_of(const std::string& backend, int max_steps, int threads) {
  return {.backend = parse_backend(backend), .max_steps = max_steps, .threads = threads};
}

template <class T>
nb::dict eigh(const InMatrix<T>& A, const InMatrix<T>& U, const std::string& backend, int max_steps, int threads) {
  return refined_members(without_lock(
      [&] { return refine_eigh<T>(view_of<T>(A), view_of<T>(U), options_of(backend, max_steps, threads)); }));
}
template <class T>
nb::dict svd(const InMatrix<T>& G, const InMatrix<T>& U, const InMatrix<T>& V, const std::string& backend,
             int max_steps, int threads) {
  return refined_members(without_lock([&] {
    return refine_svd<T>(view_of<T>(G), view_of<T>(U), view_of<T>(V), options_of(backend, max_steps, threads));
  }));
}
template <class T>
nb::dict gsvd(const InMatrix<T>& F, const InMatrix<T>& G, const InMatrix<T>& Z, const std::string& backend,
              int max_steps, int threads) {
  return refined_members(without_lock([&] {
    return refine_gsvd<T>(view_of<T>(F), view_of<T>(G), view_of<T>(Z), options_of(backend, max_steps, threads));
  }));
}

template <class T>
void bind_refine_of(nb::module_& module) {
  const auto define = [&](const char* name, auto function, auto... matrices) {
    module.def(name, function, nb::arg(matrices).noconvert()..., nb::arg("backend"), nb::arg("max_steps"),
               nb::arg("threads"));
  };
  define("refine_eigh", &eigh<T>, "A", "U");
  define("refine_svd", &svd<T>, "G", "U", "V");
  define("refine_gsvd", &gsvd<T>, "F", "G", "Z");
}

}  // namespace

void bind_refine(nb::module_& module) {
  bind_refine_of<double>(module);
  bind_refine_of<Complex>(module);
}

}  // namespace pivotlab::python
