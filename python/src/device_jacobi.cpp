// The hyperbolic SVD and the Hermitian eigendecomposition of matrices in the memory of a GPU.
#include <pivotlab/device_eigh.hpp>
#include <pivotlab/device_hsvd.hpp>

#include "python/src/jacobi.hpp"
#include "python/src/on_gpu.hpp"

namespace pivotlab::python {
namespace {

HsvdOptions svd_options(const std::string& variant, bool v, int max_sweeps) {
  refuse_baseline(variant);
  return {.variant = parse_hsvd_variant(variant), .compute_v = v, .max_sweeps = max_sweeps};
}

template <class T>
class SvdPlan {
 public:
  static std::size_t workspace_bytes(Index m, Index n, const std::string& variant, bool v, int max_sweeps) {
    return DeviceHsvd<T>::workspace_bytes(m, n, svd_options(variant, v, max_sweeps));
  }

  SvdPlan(Index m, Index n, const std::string& variant, bool v, int max_sweeps, int device, std::uintptr_t stream,
          std::uintptr_t workspace)
      : options_(svd_options(variant, v, max_sweeps)),
        on_gpu_(device, m, n, options_, pointer(stream), pointer(workspace)) {}

  nb::dict run(const DeviceArray& G, const InVector<Index>& J, const DeviceArray& U, const DeviceArray& V) {
    DeviceHsvdResult result = on_gpu_.run(device_view<const T>(G), signs_of(J), device_view<T>(U), device_view<T>(V));
    return values_of_svd(result, to_string(options_.variant));
  }

 private:
  HsvdOptions options_;
  OnGpu<DeviceHsvd<T>> on_gpu_;
};

EighOptions eigh_options(const std::string& variant, int max_sweeps) {
  refuse_baseline(variant);
  return {.variant = parse_eigh_variant(variant), .max_sweeps = max_sweeps};
}

template <class T>
class EighPlan {
 public:
  static std::size_t workspace_bytes(Index n, const std::string& variant, int max_sweeps) {
    return DeviceEigh<T>::workspace_bytes(n, eigh_options(variant, max_sweeps));
  }

  EighPlan(Index n, const std::string& variant, int max_sweeps, int device, std::uintptr_t stream,
           std::uintptr_t workspace)
      : options_(eigh_options(variant, max_sweeps)),
        on_gpu_(device, n, options_, pointer(stream), pointer(workspace)) {}

  nb::dict run(const DeviceArray& A, const DeviceArray& U) {
    DeviceEighResult result = on_gpu_.run(device_view<const T>(A), device_view<T>(U));
    return values_of_eigh(result, to_string(options_.variant));
  }

 private:
  EighOptions options_;
  OnGpu<DeviceEigh<T>> on_gpu_;
};

template <class T>
void bind(nb::module_& module, const char* svd, const char* eigh) {
  nb::class_<SvdPlan<T>>(module, svd)
      .def(nb::init<Index, Index, const std::string&, bool, int, int, std::uintptr_t, std::uintptr_t>(), nb::arg("m"),
           nb::arg("n"), nb::arg("variant"), nb::arg("v"), nb::arg("max_sweeps"), nb::arg("device"), nb::arg("stream"),
           nb::arg("workspace"))
      .def_static("workspace_bytes", &SvdPlan<T>::workspace_bytes, nb::arg("m"), nb::arg("n"), nb::arg("variant"),
                  nb::arg("v"), nb::arg("max_sweeps"))
      .def("run", &SvdPlan<T>::run, nb::arg("G"), nb::arg("J"), nb::arg("U"), nb::arg("V"));
  nb::class_<EighPlan<T>>(module, eigh)
      .def(nb::init<Index, const std::string&, int, int, std::uintptr_t, std::uintptr_t>(), nb::arg("n"),
           nb::arg("variant"), nb::arg("max_sweeps"), nb::arg("device"), nb::arg("stream"), nb::arg("workspace"))
      .def_static("workspace_bytes", &EighPlan<T>::workspace_bytes, nb::arg("n"), nb::arg("variant"),
                  nb::arg("max_sweeps"))
      .def("run", &EighPlan<T>::run, nb::arg("A"), nb::arg("U"));
}

}  // namespace

void bind_device_jacobi(nb::module_& module) {
  bind<double>(module, "SvdPlanD", "EighPlanD");
  bind<Complex>(module, "SvdPlanZ", "EighPlanZ");
}

}  // namespace pivotlab::python
