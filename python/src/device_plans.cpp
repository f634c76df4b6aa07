// SPDX-License-Identifier: BSD-3-Clause
// Plans for matrices in the memory of a GPU, which pivotlab/_device*.py own and pass as addresses.
#include <pivotlab/device.hpp>
#include <pivotlab/device_gsvd.hpp>
#include <pivotlab/device_ldlt.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "python/src/exact.hpp"
#include "python/src/gsvd.hpp"
#include "python/src/ldlt.hpp"
#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

/// Address on the GPU, rows, columns, and elements from a column to the next one.
using DeviceArray = std::tuple<std::uintptr_t, Index, Index, Index>;

template <class T>
MatrixView<T> device_view(const DeviceArray& array) {
  const auto& [address, rows, cols, stride] = array;
  return {reinterpret_cast<T*>(address), rows, cols, stride};
}

void* pointer(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);
}

NotSupported not_on_gpu(const std::string& variant, const std::string& instead) {
  return NotSupported("variant: " + variant + " is not for arrays on a GPU; " + instead +
                      ", or pass copies in the host's memory (tensor.cpu(), cupy.asnumpy(array))");
}

/// Parses the name of a variant that is no baseline.
template <class Parse>
auto variant_on_gpu(const std::string& name, const Parse& parse) {
  if (name.find(':') != std::string::npos) throw not_on_gpu(name, "take a variant of the kernels");
  return parse(name);
}

/// A plan with the GPU that it is for.
template <class Device>
class OnGpu {
 public:
  template <class... Arguments>
  explicit OnGpu(int device, const Arguments&... arguments) : device_(device) {
    without_lock([&] {
      const DeviceScope scope(device_);
      plan_ = std::make_unique<Device>(arguments...);
    });
  }
  ~OnGpu() {
    if (!plan_) return;
    const DeviceScope scope(device_);
    plan_ = nullptr;
  }
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;

  const Device& plan() const { return *plan_; }

  /// Returns what plan.run(…) returns.
  template <class... Arguments>
  auto run(const Arguments&... arguments) {
    return without_lock([&] {
      const DeviceScope scope(device_);
      return plan_->run(arguments...);
    });
  }

 private:
  int device_;
  std::unique_ptr<Device> plan_;
};

/// A plan with the options that it was made with.
template <class Device, class Options>
struct Plan {
  Options options;
  OnGpu<Device> on_gpu;

  /// Returns the members of what plan.run(…) returns.
  template <class... Arguments>
  nb::dict run(const Arguments&... arguments) {
    return to_dict(on_gpu.run(arguments...), to_string(options.variant));
  }
};

/// Binds a plan that is made of a shape, the arguments of `options_of`, a GPU, a stream and a workspace; the method run
/// is to be added.
template <class Device, class... Shape, class Options, class... Arguments>
nb::class_<Plan<Device, Options>> bind_plan(nb::module_& module, const std::string& name,
                                            Options (*options_of)(Arguments...)) {
  using Self = Plan<Device, Options>;
  nb::class_<Self> bound(module, name.c_str());
  bound.def("__init__", [options_of](Self* self, Shape... shape, Arguments... arguments, int device,
                                     std::uintptr_t stream, std::uintptr_t workspace) {
    const Options options = options_of(arguments...);
    new (self) Self{options, OnGpu<Device>(device, shape..., options, pointer(stream), pointer(workspace))};
  });
  bound.def_static("workspace_bytes", [options_of](Shape... shape, Arguments... arguments) {
    return Device::workspace_bytes(shape..., options_of(arguments...));
  });
  return bound;
}

/// A plan of exact products.
template <class T>
class ExactPlan {
 public:
  ExactPlan(Index m, Index n, Index k, int moduli, double bits, bool balance, int device, std::uintptr_t stream,
            std::uintptr_t workspace)
      : device_(device),
        on_gpu_(device, m, n, k, options(moduli, bits, balance), pointer(stream), pointer(workspace)) {}
  static std::size_t workspace_bytes(Index m, Index n, Index k, int moduli, double bits, bool balance) {
    return DeviceExactProduct<T>::workspace_bytes(m, n, k, options(moduli, bits, balance));
  }

  /// Multiplies factors, of which a second limb without rows is zero; writes both limbs and bounds of entries.
  nb::dict run(const DeviceArray& A, const DeviceArray& A_low, const DeviceArray& B, const DeviceArray& B_low,
               const DeviceArray& hi, const DeviceArray& lo, const DeviceArray& bound) {
    const auto factor = [](const DeviceArray& high, const DeviceArray& low) {
      const auto view = device_view<const T>(low);
      return ExactFactor<T>(device_view<const T>(high), view.rows > 0 ? view : MatrixView<const T>{});
    };
    DeviceExactProduct<T> product = on_gpu_.plan();
    return to_dict(without_lock([&] {
      const DeviceScope scope(device_);
      product.run({device_view<T>(hi), device_view<T>(lo)}, factor(A, A_low), factor(B, B_low));
      product.bound_entries(device_view<double>(bound));
      return product.report();
    }));
  }

 private:
  static ExactOptions options(int moduli, double bits, bool balance) {
    return {.moduli = moduli, .bits = bits, .balance = balance};
  }

  int device_;
  OnGpu<DeviceExactProduct<T>> on_gpu_;
};

HsvdOptions svd_options(const std::string& variant, bool v, int max_sweeps) {
  return {.variant = variant_on_gpu(variant, parse_hsvd_variant), .compute_v = v, .max_sweeps = max_sweeps};
}

EighOptions eigh_options(const std::string& variant, int max_sweeps) {
  return {.variant = variant_on_gpu(variant, parse_eigh_variant), .max_sweeps = max_sweeps};
}

GhsvdOptions ghsvd_options(const std::string& variant, int max_sweeps, int threads) {
  return {.variant = variant_on_gpu(variant, parse_ghsvd_variant), .max_sweeps = max_sweeps, .threads = threads};
}

EigOptions eig_options(const std::string& variant, bool right, bool left, bool conditions, bool triangular,
                       int max_sweeps) {
  return {.variant = variant_on_gpu(variant, parse_eig_variant),
          .right_vectors = right,
          .left_vectors = left,
          .condition_numbers = conditions,
          .triangular_form = triangular,
          .max_sweeps = max_sweeps};
}

LdltOptions ldlt_options(const std::string& variant, const std::string& symmetry, const std::string& triangle,
                         std::optional<double> rank_tolerance) {
  return {.variant = variant_on_gpu(variant, parse_ldlt_variant),
          .symmetry = symmetry_of(symmetry),
          .triangle = triangle_of(triangle),
          .rank_tolerance = rank_tolerance};
}

template <class T>
nb::dict factor(Plan<DeviceLdlt<T>, LdltOptions>& plan, const DeviceArray& A, const DeviceArray& M) {
  DeviceLdltResult<T> f = plan.on_gpu.run(device_view<const T>(A), device_view<T>(M));
  double max_growth = 0;
  for (const auto& stage : f.stages) max_growth = std::max(max_growth, stage.growth);
  nb::dict d;
  d["diagonal"] = to_numpy(std::move(f.diagonal));
  d["subdiagonal"] = to_numpy(std::move(f.subdiagonal));
  d["permutation"] = to_numpy(std::move(f.permutation));
  d["interchanges"] = to_numpy(std::move(f.interchanges));
  d["stages"] = stages_of(f.stages);
  d["rank"] = f.rank;
  d["doubtful"] = f.doubtful;
  d["inertia"] = to_object(f.inertia);
  d["tolerance"] = f.tolerance;
  d["max_growth"] = max_growth;
  d["variant"] = to_string(plan.options.variant);
  d["symmetry"] = std::string(name_of(plan.options.symmetry));
  d["compute_seconds"] = f.compute_seconds;
  return d;
}

template <class T>
TangentVariant tangent_variant_of(const std::string& name) {
  if (!is_tangent(name)) throw not_on_gpu(name, "take \"auto\" or a tangent variant such as \"?GT-(auto)\"");
  return variant_of<T>(name, parse_tangent_variant);
}

/// A plan that takes its workspace in each call.
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
    IntoDict visit;
    visit.members["compute_seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    visit("status", result.status);
    visit("message", result.message);
    visit("sigma", result.sigma);
    visit("sigma_f", result.sigma_f);
    visit("sigma_g", result.sigma_g);
    visit.optional("sigma_error", result.sigma_error, !result.sigma_error.empty());
    return visit.members;
  }

 private:
  TangentVariant variant_;
  OnGpu<DeviceGsvd<T>> on_gpu_;
};

/// Binds the plans of a scalar type, whose letter is the last of their names.
template <class T>
void bind_device_plans_of(nb::module_& module) {
  using In = const DeviceArray&;
  using Signs = const InVector<Index>&;
  const auto named = [](std::string kind) { return kind + (is_complex<T> ? "PlanZ" : "PlanD"); };
  bind_plan<DeviceHsvd<T>, Index, Index>(module, named("Svd"), svd_options)
      .def("run", [](Plan<DeviceHsvd<T>, HsvdOptions>& plan, In G, Signs J, In U, In V) {
        return plan.run(device_view<const T>(G), signs_of(J), device_view<T>(U), device_view<T>(V));
      });
  bind_plan<DeviceEigh<T>, Index>(module, named("Eigh"), eigh_options)
      .def("run", [](Plan<DeviceEigh<T>, EighOptions>& plan, In A, In U, const SubsetMembers& subset) {
        return plan.run(device_view<const T>(A), device_view<T>(U), subset_of(subset));
      });
  bind_plan<DeviceGhsvd<T>, Index, Index, Index>(module, named("Ghsvd"), ghsvd_options)
      .def("run", [](Plan<DeviceGhsvd<T>, GhsvdOptions>& plan, In F, In G, Signs J, In U, In V, In Z) {
        const DeviceGhsvdFactors<T> factors{device_view<T>(U), device_view<T>(V), device_view<T>(Z)};
        return plan.run(device_view<const T>(F), device_view<const T>(G), signs_of(J), factors);
      });
  bind_plan<DeviceEig<T>, Index>(module, named("Eig"), eig_options)
      .def("run", [](Plan<DeviceEig<T>, EigOptions>& plan, In A, In V) {
        return plan.run(device_view<const T>(A), device_view<Complex>(V));
      });
  bind_plan<DeviceLdlt<T>, Index>(module, named("Ldlt"), ldlt_options).def("run", &factor<T>);
  using Exact = ExactPlan<T>;
  nb::class_<Exact>(module, named("Exact").c_str())
      .def(nb::init<Index, Index, Index, int, double, bool, int, std::uintptr_t, std::uintptr_t>())
      .def_static("workspace_bytes", &Exact::workspace_bytes)
      .def("run", &Exact::run);
  nb::class_<GsvdPlan<T>>(module, named("Gsvd").c_str())
      .def(nb::init<Index, Index, Index, const std::string&, int, std::uintptr_t>())
      .def_prop_ro("workspace_bytes", &GsvdPlan<T>::workspace_bytes)
      .def_prop_ro("variant", &GsvdPlan<T>::variant)
      .def("run", &GsvdPlan<T>::run);
}

}  // namespace

void bind_device_plans(nb::module_& module) {
  bind_device_plans_of<double>(module);
  bind_device_plans_of<Complex>(module);
}

}  // namespace pivotlab::python
