// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_context.hpp"

#include "kernels/exec/kernel_error.hpp"

#include <fmt/format.h>

namespace pivotlab::host {

void report_overrun(std::ptrdiff_t first, std::ptrdiff_t count, std::ptrdiff_t size) {
  if (count == 1) throw SharedMemoryOverrun(fmt::format("element {} of a shared array of {}", first, size));
  throw SharedMemoryOverrun(fmt::format("elements {} to {} of a shared array of {}", first, first + count - 1, size));
}

void report_outside(std::ptrdiff_t offset, std::ptrdiff_t bytes, std::ptrdiff_t available) {
  throw SharedMemoryOverrun(
      fmt::format("a shared array of {} bytes at offset {}, but the block has {} bytes of shared memory", bytes, offset,
                  available));
}

void report_no_rank(int rank, int blocks) {
  throw SharedMemoryOverrun(fmt::format("block {} of a cluster of {}", rank, blocks));
}

void report_misaligned(const void* address, std::size_t alignment) {
  throw SharedMemoryOverrun(fmt::format("address {} is no multiple of {} bytes", address, alignment));
}

void AsyncCopies::wait(std::size_t groups_under_way) {
  if (ends_of_groups_.size() <= groups_under_way) return;
  const auto completed = ends_of_groups_.end() - static_cast<std::ptrdiff_t>(groups_under_way);
  const std::size_t copies = *(completed - 1);
  for (std::size_t i = 0; i < copies; ++i) std::memcpy(copies_[i].to, copies_[i].from, 16);
  copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(copies));
  ends_of_groups_.erase(ends_of_groups_.begin(), completed);
  for (std::size_t& end : ends_of_groups_) end -= copies;
}

void AsyncCopies::clear() {
  copies_.clear();
  ends_of_groups_.clear();
}

}  // namespace pivotlab::host
