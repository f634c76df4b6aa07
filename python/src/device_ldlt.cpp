// The symmetric indefinite factorization of matrices in the memory of a GPU.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pivotlab/device_ldlt.hpp>

#include <algorithm>
#include <optional>

#include "python/src/ldlt.hpp"
#include "python/src/on_gpu.hpp"

namespace pivotlab::python {
namespace {

LdltOptions ldlt_options(const std::string& variant, const std::string& symmetry, const std::string& triangle,
                         std::optional<double> rank_tolerance) {
  refuse_baseline(variant);
  return {.variant = parse_ldlt_variant(variant),
          .symmetry = symmetry_of(symmetry),
          .triangle = triangle_of(triangle),
          .rank_tolerance = rank_tolerance};
}

template <class T>
class LdltPlan {
 public:
  static std::size_t workspace_bytes(Index n, const std::string& variant, const std::string& symmetry,
                                     const std::string& triangle, std::optional<double> rank_tolerance) {
    return DeviceLdlt<T>::workspace_bytes(n, ldlt_options(variant, symmetry, triangle, rank_tolerance));
  }

  LdltPlan(Index n, const std::string& variant, const std::string& symmetry, const std::string& triangle,
           std::optional<double> rank_tolerance, int device, std::uintptr_t stream, std::uintptr_t workspace)
      : options_(ldlt_options(variant, symmetry, triangle, rank_tolerance)),
        on_gpu_(device, n, options_, pointer(stream), pointer(workspace)) {}

  nb::dict run(const DeviceArray& A, const DeviceArray& M) {
    DeviceLdltResult<T> f = on_gpu_.run(device_view<const T>(A), device_view<T>(M));
    double max_growth = 0;
    for (const auto& stage : f.stages) max_growth = std::max(max_growth, stage.growth);
    nb::dict d;
    d["diagonal"] = to_numpy(std::move(f.diagonal));
    d["subdiagonal"] = to_numpy(std::move(f.subdiagonal));
    d["permutation"] = to_numpy(std::move(f.permutation));
    d["interchanges"] = to_numpy(std::move(f.interchanges));
    d["stages"] = stages_of(f.stages);
    d["rank"] = f.rank;
    d["inertia"] = nb::make_tuple(f.inertia.positive, f.inertia.negative, f.inertia.zero);
    d["tolerance"] = f.tolerance;
    d["max_growth"] = max_growth;
    d["variant"] = to_string(options_.variant);
    d["symmetry"] = std::string(name_of(options_.symmetry));
    d["compute_seconds"] = f.compute_seconds;
    return d;
  }

 private:
  LdltOptions options_;
  OnGpu<DeviceLdlt<T>> on_gpu_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  using Plan = LdltPlan<T>;
  nb::class_<Plan>(module, name)
      .def(nb::init<Index, const std::string&, const std::string&, const std::string&, std::optional<double>, int,
                    std::uintptr_t, std::uintptr_t>(),
           nb::arg("n"), nb::arg("variant"), nb::arg("symmetry"), nb::arg("triangle"), nb::arg("rank_tolerance").none(),
           nb::arg("device"), nb::arg("stream"), nb::arg("workspace"))
      .def_static("workspace_bytes", &Plan::workspace_bytes, nb::arg("n"), nb::arg("variant"), nb::arg("symmetry"),
                  nb::arg("triangle"), nb::arg("rank_tolerance").none())
      .def("run", &Plan::run, nb::arg("A"), nb::arg("M"));
}

}  // namespace

void bind_device_ldlt(nb::module_& module) {
  bind<double>(module, "LdltPlanD");
  bind<Complex>(module, "LdltPlanZ");
}

}  // namespace pivotlab::python
