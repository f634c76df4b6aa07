// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>

#include <string>

#include "python/src/members.hpp"
#include "python/src/symmetry.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict solve_eigh(const InMatrix<T>& A, const std::string& variant, const std::string& backend,
                    const std::string& triangle, bool vectors, const SubsetMembers& subset, int max_sweeps,
                    int threads) {
  const SymmetricInput<T> input(view_of<T>(A), triangle_of(triangle), Symmetry::hermitian, threads);
  const auto a = input.view();
  if (variant.find(':') != std::string::npos)
    return to_dict(without_lock([&] { return solve_eigh_with_baseline<T>(variant, a, threads); }), variant);
  const EighOptions options{.variant = parse_eigh_variant(variant),
                            .backend = parse_backend(backend),
                            .vectors = vectors,
                            .subset = subset_of(subset),
                            .max_sweeps = max_sweeps,
                            .threads = threads};
  return to_dict(without_lock([&] { return eigh<T>(a, options); }), to_string(options.variant));
}

template <class T>
void bind_eigh_of(nb::module_& module) {
  module.def("eigh", &solve_eigh<T>, nb::arg("A").noconvert(), nb::arg("variant"), nb::arg("backend"),
             nb::arg("triangle"), nb::arg("vectors"), nb::arg("subset"), nb::arg("max_sweeps"), nb::arg("threads"));
  bind_write<EighResult<T>>(module, is_complex<T> ? "write_eigh_z" : "write_eigh_d", write_eigh<T>);
}

}  // namespace

void bind_eigh(nb::module_& module) {
  bind_eigh_of<double>(module);
  bind_eigh_of<Complex>(module);
}

}  // namespace pivotlab::python
