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
#include "python/src/symmetry.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict to_dict(EighResult<T> result, const std::string& variant) {
  const bool has_u = result.U.size() > 0;
  nb::dict d = values_of_eigh(result, variant);
  d["U"] = matrix_or_none(std::move(result.U), has_u);
  return d;
}

template <class T>
nb::dict solve(const InMatrix<T>& A, const std::string& variant, const std::string& backend,
               const std::string& triangle, bool vectors, int max_sweeps, int threads) {
  const SymmetricInput<T> input(view_of<T>(A), triangle_of(triangle));
  const auto a = input.view();
  if (variant.find(':') != std::string::npos)
    return to_dict(without_lock([&] { return solve_eigh_with_baseline<T>(variant, a, threads); }), variant);
  const EighOptions options{.variant = parse_eigh_variant(variant),
                            .backend = parse_backend(backend),
                            .vectors = vectors,
                            .max_sweeps = max_sweeps,
                            .threads = threads};
  return to_dict(without_lock([&] { return eigh<T>(a, options); }), to_string(options.variant));
}

template <class T>
void write(const std::string& file, const nb::dict& members, const std::map<std::string, std::string>& attributes) {
  const EighResult<T> result = eigh_result_of<T>(members);
  with_files([&] { write_eigh(file, result, attributes); });
}

template <class T>
void bind(nb::module_& module) {
  module.def("eigh", &solve<T>, nb::arg("A").noconvert(), nb::arg("variant"), nb::arg("backend"), nb::arg("triangle"),
             nb::arg("vectors"), nb::arg("max_sweeps"), nb::arg("threads"));
  module.def(is_complex<T> ? "write_eigh_z" : "write_eigh_d", &write<T>, nb::arg("file"), nb::arg("members"),
             nb::arg("attributes"));
}

}  // namespace

nb::dict dict_of(const SpectralReport& report) {
  nb::dict d;
  d["used"] = report.used;
  d["refusal"] = report.refusal;
  d["defect"] = report.defect;
  d["newton_steps"] = report.newton_steps;
  return d;
}

template <class T>
EighResult<T> eigh_result_of(const nb::dict& members) {
  EighResult<T> result;
  result.status = status_from_string(member<std::string>(members, "status", "passed"));
  result.message = member<std::string>(members, "message");
  result.eigenvalues = vector_in<double>(members, "eigenvalues");
  result.U = matrix_in<T>(members, "U");
  result.estimate = vector_in<double>(members, "estimate");
  for (const double estimate : result.estimate) result.noise.push_back(10 * estimate >= 1);
  result.inertia =
      std::make_from_tuple<Inertia>(member<std::tuple<Index, Index, Index>>(members, "inertia", std::tuple(0, 0, 0)));
  result.rank = member<Index>(members, "rank");
  const auto spectral = member<nb::dict>(members, "spectral");
  result.spectral = {.used = member<bool>(spectral, "used"), .refusal = member<std::string>(spectral, "refusal")};
  result.sweeps.resize(nb::len(member<nb::list>(members, "sweeps")));
  result.compute_seconds = member<double>(members, "compute_seconds");
  return result;
}
template EighResult<double> eigh_result_of(const nb::dict&);
template EighResult<Complex> eigh_result_of(const nb::dict&);

void bind_eigh(nb::module_& module) {
  bind<double>(module);
  bind<Complex>(module);
}

}  // namespace pivotlab::python
