#include "python/src/gsvd.hpp"

#include <nanobind/stl/map.h>

#include <map>
#include <optional>
#include <string>

#include "python/src/calls.hpp"
#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict solve(const InMatrix<T>& F, const InMatrix<T>& G, const std::string& variant, const std::string& backend,
               bool x, std::optional<double> tolerance_f, std::optional<double> tolerance_g, bool scale,
               bool estimate_errors, int threads) {
  const auto f = view_of<T>(F), g = view_of<T>(G);
  std::string name;
  AnyGsvdResult<T> result;
  if (variant.find(':') != std::string::npos) {
    name = variant;
    result = without_lock([&] { return solve_any_gsvd_with_baseline<T>(name, f, g, threads); });
  } else {
    AnyGsvdOptions options{.backend = parse_backend(backend),
                           .tolerance_f = tolerance_f,
                           .tolerance_g = tolerance_g,
                           .scale = scale,
                           .compute_x = x,
                           .estimate_errors = estimate_errors,
                           .hari_zimmermann_fallback = false,  // a variant asked for is never replaced
                           .threads = threads};
    if (variant == "auto")
      options.automatic = true;
    else if (is_tangent(variant))
      options.tangent = variant_of<T>(variant, parse_tangent_variant);
    else
      options.variant = variant_of<T>(variant, parse_gsvd_variant);
    result = without_lock([&] { return gsvd_any<T>(f, g, options); });
    const bool by_tangent =
        options.tangent || (options.automatic && result.fallback != TangentFallback::hari_zimmermann);
    name = by_tangent ? to_string(options.tangent.value_or(automatic_variant(options.backend)), scalar_type<T>)
                      : to_string(options.variant, scalar_type<T>);
  }
  return to_dict(std::move(result), name);
}

template <class T>
void write(const std::string& file, const nb::dict& members, const std::map<std::string, std::string>& attributes) {
  const AnyGsvdResult<T> result = gsvd_result_of<T>(members);
  with_files([&] { write_gsvd(file, result, attributes); });
}

nb::list list_of(const std::vector<SweepCounters>& sweeps) {
  nb::list list;
  for (const SweepCounters& sweep : sweeps) {
    nb::dict one;
    one["transformations"] = sweep.transformations;
    one["big"] = sweep.big;
    one["swaps"] = sweep.swaps;
    one["skipped_tiles"] = sweep.skipped_tiles;
    one["qr_tiles"] = sweep.qr_tiles;
    one["max_inner_sweeps"] = sweep.max_inner_sweeps;
    one["seconds"] = sweep.seconds;
    list.append(one);
  }
  return list;
}

}  // namespace

template <class T>
nb::dict to_dict(AnyGsvdResult<T> result, const std::string& variant) {
  const bool factored = result.status == Status::passed || result.status == Status::not_converged ||
                        result.Z.size() > 0;  // of an incorrect result, too
  nb::dict d;
  d["status"] = std::string(to_string(result.status));
  d["message"] = result.message;
  d["variant"] = variant;
  const bool has_x = result.X.size() > 0, has_q = result.Q.size() > 0;
  d["U"] = matrix_or_none(std::move(result.U), factored);
  d["V"] = matrix_or_none(std::move(result.V), factored);
  d["Z"] = matrix_or_none(std::move(result.Z), factored);
  d["X"] = matrix_or_none(std::move(result.X), has_x);
  d["R"] = matrix_or_none(std::move(result.R), has_q);
  d["Q"] = matrix_or_none(std::move(result.Q), has_q);
  d["sigma"] = to_numpy(std::move(result.sigma));
  d["sigma_f"] = to_numpy(std::move(result.sigma_f));
  d["sigma_g"] = to_numpy(std::move(result.sigma_g));
  d["sigma_error"] = result.sigma_error.empty() ? nb::none() : to_numpy(std::move(result.sigma_error));
  d["k"] = result.k;
  d["l"] = result.l;
  d["r"] = result.r;
  d["reduced"] = result.reduced;
  d["tolerance_f"] = result.tolerance_f;
  d["tolerance_g"] = result.tolerance_g;
  d["pivots_f"] = to_numpy(std::move(result.pivots_f));
  d["pivots_g"] = to_numpy(std::move(result.pivots_g));
  d["fallback"] = std::string(to_string(result.fallback));
  d["fallback_reason"] = result.core_fallback.empty() ? result.fallback_reason : result.core_fallback;
  d["sweeps"] = list_of(result.sweeps);
  d["compute_seconds"] = result.compute_seconds;
  return d;
}

template <class T>
AnyGsvdResult<T> gsvd_result_of(const nb::dict& members) {
  AnyGsvdResult<T> result;
  result.status = status_from_string(member<std::string>(members, "status", "passed"));
  result.message = member<std::string>(members, "message");
  result.U = matrix_in<T>(members, "U");
  result.V = matrix_in<T>(members, "V");
  result.Z = matrix_in<T>(members, "Z");
  result.X = matrix_in<T>(members, "X");
  result.R = matrix_in<T>(members, "R");
  result.Q = matrix_in<T>(members, "Q");
  result.sigma = vector_in<double>(members, "sigma");
  result.sigma_f = vector_in<double>(members, "sigma_f");
  result.sigma_g = vector_in<double>(members, "sigma_g");
  result.sigma_error = vector_in<double>(members, "sigma_error");
  result.pivots_f = vector_in<double>(members, "pivots_f");
  result.pivots_g = vector_in<double>(members, "pivots_g");
  result.r = member<Index>(members, "r", result.Z.cols());
  result.k = member<Index>(members, "k");
  result.l = member<Index>(members, "l", result.r - result.k);
  result.reduced = member<bool>(members, "reduced");
  result.tolerance_f = member<std::optional<double>>(members, "tolerance_f");
  result.tolerance_g = member<std::optional<double>>(members, "tolerance_g");
  result.compute_seconds = member<double>(members, "compute_seconds");
  return result;
}
template AnyGsvdResult<double> gsvd_result_of(const nb::dict&);
template AnyGsvdResult<Complex> gsvd_result_of(const nb::dict&);

void bind_gsvd(nb::module_& module) {
  const auto bind = [&]<class T>(T) {
    module.def("gsvd", &solve<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(), nb::arg("variant"),
               nb::arg("backend"), nb::arg("x"), nb::arg("tolerance_f").none(), nb::arg("tolerance_g").none(),
               nb::arg("scale"), nb::arg("estimate_errors"), nb::arg("threads"));
    module.def(is_complex<T> ? "write_gsvd_z" : "write_gsvd_d", &write<T>, nb::arg("file"), nb::arg("members"),
               nb::arg("attributes"));
  };
  bind(double());
  bind(Complex());
}

}  // namespace pivotlab::python
