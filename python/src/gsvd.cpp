// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/gsvd.hpp"

#include <optional>
#include <string>

#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
nb::dict solve_gsvd(const InMatrix<T>& F, const InMatrix<T>& G, const std::string& variant, const std::string& backend,
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
  const std::string fallback(to_string(result.fallback));
  const std::string reason = result.core_fallback.empty() ? result.fallback_reason : result.core_fallback;
  nb::dict members = to_dict(std::move(result), name);
  members["fallback"] = fallback;
  members["fallback_reason"] = reason;
  return members;
}

}  // namespace

void bind_gsvd(nb::module_& module) {
  const auto bind = [&]<class T>(T) {
    module.def("gsvd", &solve_gsvd<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(), nb::arg("variant"),
               nb::arg("backend"), nb::arg("x"), nb::arg("tolerance_f").none(), nb::arg("tolerance_g").none(),
               nb::arg("scale"), nb::arg("estimate_errors"), nb::arg("threads"));
    const auto write = [](const auto&... arguments) { write_gsvd<T>(arguments...); };
    bind_write<AnyGsvdResult<T>>(module, is_complex<T> ? "write_gsvd_z" : "write_gsvd_d", write);
  };
  bind(double());
  bind(Complex());
}

}  // namespace pivotlab::python
