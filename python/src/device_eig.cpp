// The eigendecomposition of general matrices in the memory of a GPU.
#include <pivotlab/device_eig.hpp>

#include "python/src/eig.hpp"
#include "python/src/on_gpu.hpp"

namespace pivotlab::python {
namespace {

EigOptions eig_options(const std::string& variant, bool right, bool left, bool conditions, bool triangular,
                       int max_sweeps) {
  refuse_baseline(variant);
  return {.variant = parse_eig_variant(variant),
          .right_vectors = right,
          .left_vectors = left,
          .condition_numbers = conditions,
          .triangular_form = triangular,
          .max_sweeps = max_sweeps};
}

template <class T>
class EigPlan {
 public:
  static std::size_t workspace_bytes(Index n, const std::string& variant, bool right, bool left, bool conditions,
                                     bool triangular, int max_sweeps) {
    return DeviceEig<T>::workspace_bytes(n, eig_options(variant, right, left, conditions, triangular, max_sweeps));
  }

  EigPlan(Index n, const std::string& variant, bool right, bool left, bool conditions, bool triangular, int max_sweeps,
          int device, std::uintptr_t stream, std::uintptr_t workspace)
      : options_(eig_options(variant, right, left, conditions, triangular, max_sweeps)),
        on_gpu_(device, n, options_, pointer(stream), pointer(workspace)) {}

  nb::dict run(const DeviceArray& A, const DeviceArray& V) {
    DeviceEigResult result = on_gpu_.run(device_view<const T>(A), device_view<Complex>(V));
    nb::dict d;
    d["status"] = std::string(to_string(result.status));
    d["message"] = result.message;
    d["variant"] = to_string(options_.variant);
    d["eigenvalues"] = to_numpy(std::move(result.eigenvalues));
    d["sweeps"] = list_of(result.history);
    d["compute_seconds"] = result.compute_seconds;
    return d;
  }

 private:
  EigOptions options_;
  OnGpu<DeviceEig<T>> on_gpu_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  using Plan = EigPlan<T>;
  nb::class_<Plan>(module, name)
      .def(nb::init<Index, const std::string&, bool, bool, bool, bool, int, int, std::uintptr_t, std::uintptr_t>(),
           nb::arg("n"), nb::arg("variant"), nb::arg("right"), nb::arg("left"), nb::arg("conditions"),
           nb::arg("triangular"), nb::arg("max_sweeps"), nb::arg("device"), nb::arg("stream"), nb::arg("workspace"))
      .def_static("workspace_bytes", &Plan::workspace_bytes, nb::arg("n"), nb::arg("variant"), nb::arg("right"),
                  nb::arg("left"), nb::arg("conditions"), nb::arg("triangular"), nb::arg("max_sweeps"))
      .def("run", &Plan::run, nb::arg("A"), nb::arg("V"));
}

}  // namespace

void bind_device_eig(nb::module_& module) {
  bind<double>(module, "EigPlanD");
  bind<Complex>(module, "EigPlanZ");
}

}  // namespace pivotlab::python
