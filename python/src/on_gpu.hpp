// Plans for matrices in the memory of a GPU, which pivotlab/_device_*.py own and pass as addresses.
#pragma once

#include <nanobind/stl/tuple.h>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/matrix.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "python/src/calls.hpp"

namespace pivotlab::python {

/// Address on the GPU, rows, columns, and elements from a column to the next one.
using DeviceArray = std::tuple<std::uintptr_t, Index, Index, Index>;

template <class T>
MatrixView<T> device_view(const DeviceArray& array) {
  const auto& [address, rows, cols, stride] = array;
  return {reinterpret_cast<T*>(address), rows, cols, stride};
}

inline void* pointer(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);
}

inline NotSupported not_on_gpu(const std::string& variant, const std::string& instead) {
  return NotSupported("variant: " + variant + " is not for arrays on a GPU; " + instead +
                      ", or pass copies in the host's memory (tensor.cpu(), cupy.asnumpy(array))");
}
inline void refuse_baseline(const std::string& variant) {
  if (variant.find(':') != std::string::npos) throw not_on_gpu(variant, "take a variant of the kernels");
}

/// A plan with the GPU that it is for.
template <class Plan>
class OnGpu {
 public:
  template <class... Arguments>
  explicit OnGpu(int device, const Arguments&... arguments) : device_(device) {
    without_lock([&] {
      const DeviceScope scope(device_);
      plan_ = std::make_unique<Plan>(arguments...);
    });
  }
  ~OnGpu() {
    if (!plan_) return;
    const DeviceScope scope(device_);
    plan_ = nullptr;
  }
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;

  const Plan& plan() const { return *plan_; }

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
  std::unique_ptr<Plan> plan_;
};

}  // namespace pivotlab::python
