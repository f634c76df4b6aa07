// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>

#include <string>

#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict solve_ghsvd(const InMatrix<T>& F, const InMatrix<T>& G, const InVector<Index>& J, const std::string& variant,
                     const std::string& backend, int max_sweeps, int threads) {
  const auto f = view_of<T>(F), g = view_of<T>(G);
  const std::vector<int> signs = signs_of(J);
  if (variant.find(':') != std::string::npos)
    return to_dict(without_lock([&] { return solve_ghsvd_with_baseline<T>(variant, f, g, signs, threads); }), variant);
  const GhsvdOptions options{.variant = parse_ghsvd_variant(variant),
                             .backend = parse_backend(backend),
                             .max_sweeps = max_sweeps,
                             .threads = threads};
  return to_dict(without_lock([&] { return ghsvd<T>(f, g, signs, options); }), to_string(options.variant));
}

template <class T>
void bind_ghsvd_of(nb::module_& module) {
  module.def("ghsvd", &solve_ghsvd<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(), nb::arg("J"),
             nb::arg("variant"), nb::arg("backend"), nb::arg("max_sweeps"), nb::arg("threads"));
  bind_write<GhsvdResult<T>>(module, is_complex<T> ? "write_ghsvd_z" : "write_ghsvd_d", write_ghsvd<T>);
}

}  // namespace

void bind_ghsvd(nb::module_& module) {
  bind_ghsvd_of<double>(module);
  bind_ghsvd_of<Complex>(module);
}

}  // namespace pivotlab::python
