#include <nanobind/stl/map.h>
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <map>
#include <string>

#include "python/src/calls.hpp"
#include "python/src/jacobi.hpp"
#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict to_dict(HsvdResult<T> result, const std::string& variant, bool v) {
  const bool factored = result.status == Status::passed || result.status == Status::not_converged;
  const bool has_v = v && (result.V.size() > 0 || result.sigma.empty());
  nb::dict d = values_of_svd(result, variant);
  d["U"] = matrix_or_none(std::move(result.U), factored);
  d["V"] = matrix_or_none(std::move(result.V), has_v);
  return d;
}

/// An empty J means J = I. The variant "auto" is the one that keeps the digits of (G, J).
template <class T>
nb::dict solve(const InMatrix<T>& G, const InVector<Index>& J, const std::string& variant, const std::string& backend,
               bool v, int max_sweeps, int threads) {
  const auto g = view_of<T>(G);
  const std::vector<int> signs = signs_of(J);
  if (variant.find(':') != std::string::npos) {
    if (std::ranges::count(signs, 1) != std::ssize(signs))
      throw InputError("variant: LAPACK has no hyperbolic decomposition; leave out J");
    return to_dict(without_lock([&] { return solve_svd_with_baseline<T>(variant, g, threads); }), variant, true);
  }
  const Backend on = parse_backend(backend);
  const HsvdOptions options{.variant = variant == "auto"
                                           ? without_lock([&] { return choose_hsvd_variant<T>(g, signs, on, threads); })
                                           : parse_hsvd_variant(variant),
                            .backend = on,
                            .compute_v = v,
                            .max_sweeps = max_sweeps,
                            .threads = threads};
  return to_dict(without_lock([&] { return hsvd<T>(g, signs, options); }), to_string(options.variant), v);
}

template <class T>
void write(const std::string& file, const nb::dict& members, const std::map<std::string, std::string>& attributes) {
  const HsvdResult<T> result = hsvd_result_of<T>(members);
  with_files([&] { write_hsvd(file, result, attributes); });
}

template <class T>
void bind(nb::module_& module) {
  module.def("svd", &solve<T>, nb::arg("G").noconvert(), nb::arg("J"), nb::arg("variant"), nb::arg("backend"),
             nb::arg("v"), nb::arg("max_sweeps"), nb::arg("threads"));
  module.def(is_complex<T> ? "write_svd_z" : "write_svd_d", &write<T>, nb::arg("file"), nb::arg("members"),
             nb::arg("attributes"));
}

}  // namespace

nb::list list_of(const std::vector<HsvdSweep>& sweeps) {
  nb::list list;
  for (const HsvdSweep& sweep : sweeps) {
    nb::dict one;
    one["transformations"] = sweep.transformations;
    one["big"] = sweep.big;
    one["hyperbolic"] = sweep.hyperbolic;
    one["clamped"] = sweep.clamped;
    one["skipped_tiles"] = sweep.skipped_tiles;
    one["qr_tiles"] = sweep.qr_tiles;
    one["null_columns"] = sweep.null_columns;
    one["max_inner_sweeps"] = sweep.max_inner_sweeps;
    one["largest_cosine"] = sweep.largest_cosine;
    one["largest_tan"] = sweep.largest_tan;
    one["largest_tanh"] = sweep.largest_tanh;
    one["seconds"] = sweep.seconds;
    list.append(one);
  }
  return list;
}

std::vector<int> signs_of(const InVector<Index>& J) {
  return {J.data(), J.data() + J.size()};
}

template <class T>
HsvdResult<T> hsvd_result_of(const nb::dict& members) {
  HsvdResult<T> result;
  result.status = status_from_string(member<std::string>(members, "status", "passed"));
  result.message = member<std::string>(members, "message");
  result.U = matrix_in<T>(members, "U");
  result.sigma = vector_in<double>(members, "sigma");
  const auto J = vector_in<Index>(members, "J");
  result.J.assign(J.begin(), J.end());
  result.V = matrix_in<T>(members, "V");
  result.estimate = vector_in<double>(members, "estimate");
  result.sweeps.resize(nb::len(member<nb::list>(members, "sweeps")));
  result.compute_seconds = member<double>(members, "compute_seconds");
  return result;
}
template HsvdResult<double> hsvd_result_of(const nb::dict&);
template HsvdResult<Complex> hsvd_result_of(const nb::dict&);

void bind_svd(nb::module_& module) {
  bind<double>(module);
  bind<Complex>(module);
}

}  // namespace pivotlab::python
