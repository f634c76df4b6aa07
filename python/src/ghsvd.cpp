#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>

#include <map>
#include <string>
#include <tuple>

#include "python/src/calls.hpp"
#include "python/src/jacobi.hpp"
#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict to_dict(GhsvdResult<T> result, const std::string& variant) {
  const bool factored = result.status != Status::failed;
  nb::dict d = values_of_ghsvd(result, variant);
  d["U"] = matrix_or_none(std::move(result.U), factored);
  d["V"] = matrix_or_none(std::move(result.V), factored);
  d["Z"] = matrix_or_none(std::move(result.Z), factored);
  return d;
}

template <class T>
nb::dict solve(const InMatrix<T>& F, const InMatrix<T>& G, const InVector<Index>& J, const std::string& variant,
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
void write(const std::string& file, const nb::dict& members, const std::map<std::string, std::string>& attributes) {
  const GhsvdResult<T> result = ghsvd_result_of<T>(members);
  with_files([&] { write_ghsvd(file, result, attributes); });
}

template <class T>
void bind(nb::module_& module) {
  module.def("ghsvd", &solve<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(), nb::arg("J"), nb::arg("variant"),
             nb::arg("backend"), nb::arg("max_sweeps"), nb::arg("threads"));
  module.def(is_complex<T> ? "write_ghsvd_z" : "write_ghsvd_d", &write<T>, nb::arg("file"), nb::arg("members"),
             nb::arg("attributes"));
}

}  // namespace

nb::dict values_of_ghsvd(GhsvdValues<double>& result, const std::string& variant) {
  nb::dict d;
  d["status"] = std::string(to_string(result.status));
  d["message"] = result.message;
  d["variant"] = variant;
  d["eigenvalues"] = to_numpy(std::move(result.eigenvalues));
  d["J"] = to_numpy(std::vector<Index>(result.J.begin(), result.J.end()));
  d["sigma_f"] = to_numpy(std::move(result.sigma_f));
  d["sigma_g"] = to_numpy(std::move(result.sigma_g));
  d["estimate"] = result.estimate.empty() ? nb::none() : to_numpy(std::move(result.estimate));
  d["inertia"] = nb::make_tuple(result.inertia.positive, result.inertia.negative, result.inertia.zero);
  d["tangent_bits"] = result.tangent_bits;
  d["factored_on"] = std::string(to_string(result.factored_on));
  d["sweeps"] = list_of(result.sweeps);
  d["reduction_seconds"] = result.reduction_seconds;
  d["factor_seconds"] = result.factor_seconds;
  d["sweep_seconds"] = result.sweep_seconds;
  d["compute_seconds"] = result.compute_seconds;
  return d;
}

template <class T>
GhsvdResult<T> ghsvd_result_of(const nb::dict& members) {
  GhsvdResult<T> result;
  result.status = status_from_string(member<std::string>(members, "status", "passed"));
  result.message = member<std::string>(members, "message");
  result.eigenvalues = vector_in<double>(members, "eigenvalues");
  const auto J = vector_in<Index>(members, "J");
  result.J.assign(J.begin(), J.end());
  result.sigma_f = vector_in<double>(members, "sigma_f");
  result.sigma_g = vector_in<double>(members, "sigma_g");
  result.U = matrix_in<T>(members, "U");
  result.V = matrix_in<T>(members, "V");
  result.Z = matrix_in<T>(members, "Z");
  result.estimate = vector_in<double>(members, "estimate");
  for (const double estimate : result.estimate) result.noise.push_back(10 * estimate >= 1);
  result.inertia =
      std::make_from_tuple<Inertia>(member<std::tuple<Index, Index, Index>>(members, "inertia", std::tuple(0, 0, 0)));
  result.tangent_bits = member<int>(members, "tangent_bits");
  result.sweeps.resize(nb::len(member<nb::list>(members, "sweeps")));
  result.compute_seconds = member<double>(members, "compute_seconds");
  return result;
}
template GhsvdResult<double> ghsvd_result_of(const nb::dict&);
template GhsvdResult<Complex> ghsvd_result_of(const nb::dict&);

void bind_ghsvd(nb::module_& module) {
  bind<double>(module);
  bind<Complex>(module);
}

}  // namespace pivotlab::python
