// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <string>

#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

/// An empty J means J = I. The variant "auto" is the one that keeps the digits of (G, J).
template <class T>
nb::dict solve_svd(const InMatrix<T>& G, const InVector<Index>& J, const std::string& variant,
                   const std::string& backend, bool v, int max_sweeps, int threads) {
  const auto g = view_of<T>(G);
  const std::vector<int> signs = signs_of(J);
  if (variant.find(':') != std::string::npos) {
    if (std::ranges::count(signs, 1) != std::ssize(signs))
      throw InputError("variant: LAPACK has no hyperbolic decomposition; leave out J");
    return to_dict(without_lock([&] { return solve_svd_with_baseline<T>(variant, g, threads); }), variant);
  }
  const Backend on = parse_backend(backend);
  const HsvdOptions options{.variant = variant == "auto"
                                           ? without_lock([&] { return choose_hsvd_variant<T>(g, signs, on, threads); })
                                           : parse_hsvd_variant(variant),
                            .backend = on,
                            .compute_v = v,
                            .max_sweeps = max_sweeps,
                            .threads = threads};
  nb::dict members = to_dict(without_lock([&] { return hsvd<T>(g, signs, options); }), to_string(options.variant));
  if (!v) members["V"] = nb::none();  // for n = 0, too
  return members;
}

template <class T>
void bind_svd_of(nb::module_& module) {
  module.def("svd", &solve_svd<T>, nb::arg("G").noconvert(), nb::arg("J"), nb::arg("variant"), nb::arg("backend"),
             nb::arg("v"), nb::arg("max_sweeps"), nb::arg("threads"));
  bind_write<HsvdResult<T>>(module, is_complex<T> ? "write_svd_z" : "write_svd_d", write_hsvd<T>);
}

}  // namespace

void bind_svd(nb::module_& module) {
  bind_svd_of<double>(module);
  bind_svd_of<Complex>(module);
}

}  // namespace pivotlab::python
