// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/batch_memory.hpp>

#include "kernels/batch/gpu_memory.hpp"
#include "kernels/exec/build.hpp"

#include <pivotlab/device.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace pivotlab {

BatchMemory::BatchMemory(Backend backend) : backend_(backend) {
  if (backend != Backend::cuda) return;
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
}

void* BatchMemory::take(std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  if (backend_ == Backend::cuda) {
    pieces_.push_back(on_cuda<batch::take_on_gpu>(bytes));
  } else {
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
    pieces_.emplace_back(std::aligned_alloc(alignment, std::max(size, alignment)), std::free);
    if (pieces_.back() == nullptr) throw std::bad_alloc();
    std::memset(pieces_.back().get(), 0xff, bytes);  // no time of a call is that of first touches
  }
  return pieces_.back().get();
}

void BatchMemory::upload(void* to, const void* from, std::size_t bytes) const {
  if (backend_ == Backend::cuda) return on_cuda<batch::copy_to_gpu>(to, from, bytes);
  std::memcpy(to, from, bytes);
}

void BatchMemory::download(void* to, const void* from, std::size_t bytes) const {
  if (backend_ == Backend::cuda) return on_cuda<batch::copy_from_gpu>(to, from, bytes);
  std::memcpy(to, from, bytes);
}

double BatchMemory::seconds_of(const std::function<void()>& work) const {
  if (backend_ == Backend::cuda) return on_cuda<batch::seconds_on_gpu>(work);
  const Timer timer;
  work();
  return timer.seconds();
}

}  // namespace pivotlab
