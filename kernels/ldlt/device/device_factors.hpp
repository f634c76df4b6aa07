// SPDX-License-Identifier: BSD-3-Clause
// The results of the elimination except M, in device memory.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/ldlt/device/device_factorizer.hpp"

#include <cstddef>

namespace pivotlab::ldlt_device {

template <class Executor, class T>
class DeviceFactors {
 public:
  DeviceFactors(Executor& executor, std::int64_t order)
      : rows_(static_cast<std::size_t>(order)),
        diagonal_(executor.template allocate<T>(rows_)),
        subdiagonal_(executor.template allocate<T>(rows_)),
        stages_(executor.template allocate<StageRecord>(rows_)) {}

  FactorsView<T> view() const { return {diagonal_.data(), subdiagonal_.data(), stages_.data()}; }

  void clear(Executor& executor) const {
    executor.fill_zero(diagonal_.data(), rows_);
    executor.fill_zero(subdiagonal_.data(), rows_);
  }

  Elimination<T> download(Executor& executor, std::int64_t stages) const {
    Elimination<T> result;
    result.diagonal.resize(rows_);
    result.subdiagonal.resize(rows_);
    result.stages.resize(stages);
    executor.download(result.diagonal.data(), diagonal_.data(), rows_);
    executor.download(result.subdiagonal.data(), subdiagonal_.data(), rows_);
    executor.download(result.stages.data(), stages_.data(), result.stages.size());
    return result;
  }

 private:
  std::size_t rows_;
  Buffer<T> diagonal_, subdiagonal_;
  Buffer<StageRecord> stages_;
};

}  // namespace pivotlab::ldlt_device
