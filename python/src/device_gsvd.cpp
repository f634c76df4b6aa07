// The GSVD of matrices in the memory of a GPU.
#include <nanobind/stl/string.h>
#include <pivotlab/device_gsvd.hpp>

#include <chrono>

#include "python/src/gsvd.hpp"
#include "python/src/on_gpu.hpp"

namespace pivotlab::python {
namespace {

template <class T>
TangentVariant tangent_variant_of(const std::string& name) {
  if (!is_tangent(name)) throw not_on_gpu(name, "take \"auto\" or a tangent variant such as \"?GT-(auto)\"");
  return variant_of<T>(name, parse_tangent_variant);
}

template <class T>
class GsvdPlan {
 public:
  GsvdPlan(Index m_f, Index m_g, Index n, const std::string& variant, int device, std::uintptr_t stream)
      : variant_(tangent_variant_of<T>(variant)), on_gpu_(device, m_f, m_g, n, variant_, pointer(stream)) {}

  std::size_t workspace_bytes() const { return on_gpu_.plan().workspace_bytes(); }
  std::string variant() const { return to_string(variant_, scalar_type<T>); }

  nb::dict run(const DeviceArray& F, const DeviceArray& G, const DeviceArray& U, const DeviceArray& V,
               const DeviceArray& Z, const DeviceArray& X, std::uintptr_t workspace, bool estimate_errors) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const DeviceGsvdFactors<T> factors{device_view<T>(U), device_view<T>(V), device_view<T>(Z), device_view<T>(X)};
    DeviceGsvdResult result =
        on_gpu_.run(device_view<const T>(F), device_view<const T>(G), factors, pointer(workspace), estimate_errors);
    nb::dict d;
    d["compute_seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    d["status"] = std::string(to_string(result.status));
    d["message"] = result.message;
    d["sigma"] = to_numpy(std::move(result.sigma));
    d["sigma_f"] = to_numpy(std::move(result.sigma_f));
    d["sigma_g"] = to_numpy(std::move(result.sigma_g));
    d["sigma_error"] = result.sigma_error.empty() ? nb::none() : to_numpy(std::move(result.sigma_error));
    return d;
  }

 private:
  TangentVariant variant_;
  OnGpu<DeviceGsvd<T>> on_gpu_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  using Plan = GsvdPlan<T>;
  nb::class_<Plan>(module, name)
      .def(nb::init<Index, Index, Index, const std::string&, int, std::uintptr_t>(), nb::arg("m_f"), nb::arg("m_g"),
           nb::arg("n"), nb::arg("variant"), nb::arg("device"), nb::arg("stream"))
      .def_prop_ro("workspace_bytes", &Plan::workspace_bytes)
      .def_prop_ro("variant", &Plan::variant)
      .def("run", &Plan::run, nb::arg("F"), nb::arg("G"), nb::arg("U"), nb::arg("V"), nb::arg("Z"), nb::arg("X"),
           nb::arg("workspace"), nb::arg("estimate_errors"));
}

}  // namespace

void bind_device_gsvd(nb::module_& module) {
  bind<double>(module, "GsvdPlanD");
  bind<Complex>(module, "GsvdPlanZ");
}

}  // namespace pivotlab::python
