// The hyperbolic SVD, the generalized one and the Hermitian eigendecomposition of matrices in the memory of a GPU.
#include <pivotlab/device_eigh.hpp>
#include <pivotlab/device_ghsvd.hpp>
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

GhsvdOptions ghsvd_options(const std::string& variant, int max_sweeps, int threads) {
  refuse_baseline(variant);
  return {.variant = parse_ghsvd_variant(variant), .max_sweeps = max_sweeps, .threads = threads};
}

template <class T>
class GhsvdPlan {
 public:
  static std::size_t workspace_bytes(Index m_f, Index m_g, Index n, const std::string& variant, int max_sweeps,
                                     int threads) {
    return DeviceGhsvd<T>::workspace_bytes(m_f, m_g, n, ghsvd_options(variant, max_sweeps, threads));
  }

  GhsvdPlan(Index m_f, Index m_g, Index n, const std::string& variant, int max_sweeps, int threads, int device,
            std::uintptr_t stream, std::uintptr_t workspace)
      : options_(ghsvd_options(variant, max_sweeps, threads)),
        on_gpu_(device, m_f, m_g, n, options_, pointer(stream), pointer(workspace)) {}

  nb::dict run(const DeviceArray& F, const DeviceArray& G, const InVector<Index>& J, const DeviceArray& U,
               const DeviceArray& V, const DeviceArray& Z) {
    const DeviceGhsvdFactors<T> factors{device_view<T>(U), device_view<T>(V), device_view<T>(Z)};
    DeviceGhsvdResult result = on_gpu_.run(device_view<const T>(F), device_view<const T>(G), signs_of(J), factors);
    return values_of_ghsvd(result, to_string(options_.variant));
  }

 private:
  GhsvdOptions options_;
  OnGpu<DeviceGhsvd<T>> on_gpu_;
};

template <class T>
void bind(nb::module_& module, const char* svd, const char* eigh, const char* ghsvd) {
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
  nb::class_<GhsvdPlan<T>>(module, ghsvd)
      .def(nb::init<Index, Index, Index, const std::string&, int, int, int, std::uintptr_t, std::uintptr_t>(),
           nb::arg("m_f"), nb::arg("m_g"), nb::arg("n"), nb::arg("variant"), nb::arg("max_sweeps"), nb::arg("threads"),
           nb::arg("device"), nb::arg("stream"), nb::arg("workspace"))
      .def_static("workspace_bytes", &GhsvdPlan<T>::workspace_bytes, nb::arg("m_f"), nb::arg("m_g"), nb::arg("n"),
                  nb::arg("variant"), nb::arg("max_sweeps"), nb::arg("threads"))
      .def("run", &GhsvdPlan<T>::run, nb::arg("F"), nb::arg("G"), nb::arg("J"), nb::arg("U"), nb::arg("V"),
           nb::arg("Z"));
}

}  // namespace

void bind_device_jacobi(nb::module_& module) {
  bind<double>(module, "SvdPlanD", "EighPlanD", "GhsvdPlanD");
  bind<Complex>(module, "SvdPlanZ", "EighPlanZ", "GhsvdPlanZ");
}

}  // namespace pivotlab::python
