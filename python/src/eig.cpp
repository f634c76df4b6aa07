// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/pencil.hpp>

#include <optional>
#include <string>

#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict solve_eig(const InMatrix<T>& A, const std::optional<std::string>& named, const std::string& backend,
                   bool right, bool left, bool conditions, bool triangular, int max_sweeps, int threads) {
  const auto a = view_of<T>(A);
  const std::string variant = named.value_or(to_string(EigOptions{}.variant));
  if (variant.find(':') != std::string::npos)
    return to_dict(without_lock([&] { return solve_eig_with_baseline<T>(variant, a, left, threads); }), variant);
  const EigOptions options{.variant = parse_eig_variant(variant),
                           .backend = parse_backend(backend),
                           .right_vectors = right,
                           .left_vectors = left,
                           .condition_numbers = conditions,
                           .triangular_form = triangular,
                           .max_sweeps = max_sweeps,
                           .threads = threads};
  return to_dict(without_lock([&] { return eig<T>(a, options); }), to_string(options.variant));
}

nb::dict solve_of_pencil(const InMatrix<Complex>& A, const InMatrix<Complex>& B, bool left, int threads) {
  const auto a = view_of<Complex>(A), b = view_of<Complex>(B);
  PencilResult result = without_lock([&] { return solve_pencil(a, b, left, threads); });
  nb::dict members;
  members["eigenvalues"] = to_numpy(std::move(result.eigenvalues));
  members["alpha"] = to_numpy(std::move(result.alpha));
  members["beta"] = to_numpy(std::move(result.beta));
  members["V"] = to_numpy(std::move(result.V));
  members["W"] = left ? to_numpy(std::move(result.W)) : nb::none();
  members["status"] = std::string(to_string(result.status));
  members["message"] = result.message;
  members["compute_seconds"] = result.compute_seconds;
  return members;
}

template <class T>
void bind_eig_of(nb::module_& module) {
  module.def("eig", &solve_eig<T>, nb::arg("A").noconvert(), nb::arg("variant").none(), nb::arg("backend"),
             nb::arg("right"), nb::arg("left"), nb::arg("conditions"), nb::arg("triangular"), nb::arg("max_sweeps"),
             nb::arg("threads"));
}

}  // namespace

void bind_eig(nb::module_& module) {
  bind_eig_of<double>(module);
  bind_eig_of<Complex>(module);
  module.def("pencil", &solve_of_pencil, nb::arg("A").noconvert(), nb::arg("B").noconvert(), nb::arg("left"),
             nb::arg("threads"));
  bind_write<EigResult<double>>(module, "write_eig", write_eig);
}

}  // namespace pivotlab::python
