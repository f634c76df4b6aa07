// The GSVD of matrices in the memory of a GPU, which pivotlab/_device_gsvd.py owns and passes as addresses.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <pivotlab/device.hpp>
#include <pivotlab/device_gsvd.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>

#include "python/src/calls.hpp"
#include "python/src/gsvd.hpp"

namespace pivotlab::python {
namespace {

/// Address on the GPU, rows, columns, and elements from a column to the next one.
using DeviceArray = std::tuple<std::uintptr_t, Index, Index, Index>;

template <class T>
MatrixView<T> device_view(const DeviceArray& array) {
  const auto& [address, rows, cols, stride] = array;
  return {reinterpret_cast<T*>(address), rows, cols, stride};
}

template <class T>
TangentVariant tangent_variant_of(const std::string& name) {
  if (!is_tangent(name))
    throw NotSupported("variant: " + name +
                       " is not for arrays on a GPU; take \"auto\" or a tangent variant such as \"?GT-(auto)\", or "
                       "pass copies in the host's memory (tensor.cpu(), cupy.asnumpy(array))");
  return variant_of<T>(name, parse_tangent_variant);
}

/// A plan with the GPU that it is for.
template <class T>
class DevicePlan {
 public:
  DevicePlan(Index m_f, Index m_g, Index n, const std::string& variant, int device, std::uintptr_t stream)
      : device_(device), variant_(tangent_variant_of<T>(variant)) {
    without_lock([&] {
      const DeviceScope scope(device_);
      plan_.emplace(m_f, m_g, n, variant_, reinterpret_cast<void*>(stream));
    });
  }
  ~DevicePlan() {
    if (!plan_) return;
    const DeviceScope scope(device_);
    plan_.reset();
  }
  DevicePlan(const DevicePlan&) = delete;
  DevicePlan& operator=(const DevicePlan&) = delete;

  std::size_t workspace_bytes() const { return plan_->workspace_bytes(); }
  std::string variant() const { return to_string(variant_, scalar_type<T>); }

  nb::dict run(const DeviceArray& F, const DeviceArray& G, const DeviceArray& U, const DeviceArray& V,
               const DeviceArray& Z, const DeviceArray& X, std::uintptr_t workspace, bool estimate_errors) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    DeviceGsvdResult result = without_lock([&] {
      const DeviceScope scope(device_);
      return plan_->run(device_view<const T>(F), device_view<const T>(G),
                        {device_view<T>(U), device_view<T>(V), device_view<T>(Z), device_view<T>(X)},
                        reinterpret_cast<void*>(workspace), estimate_errors);
    });
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
  int device_;
  TangentVariant variant_;
  std::optional<DeviceGsvd<T>> plan_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  using Plan = DevicePlan<T>;
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
  bind<double>(module, "DevicePlanD");
  bind<Complex>(module, "DevicePlanZ");
}

}  // namespace pivotlab::python
