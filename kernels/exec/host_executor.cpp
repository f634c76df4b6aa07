// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_executor.hpp"

#include "kernels/exec/host_cluster_runner.hpp"
#include "kernels/exec/poison.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

namespace pivotlab {
namespace host {
namespace {

constexpr std::align_val_t alignment{256};  // alignment of cudaMalloc

constexpr int largest_shared_bytes = 227 * 1024;  // limit per block on compute capability 9.0

ClusterRunner& runner_of_this_thread() {
  static thread_local ClusterRunner runner;
  return runner;
}

void check(const Grid& grid) {
  if (grid.blocks < 0 || grid.blocks % grid.kernel.cluster_blocks != 0)
    throw KernelError(
        fmt::format("{}: {} blocks, in clusters of {}", grid.kernel.name, grid.blocks, grid.kernel.cluster_blocks));
  if (grid.shared_bytes < 0 || grid.shared_bytes > largest_shared_bytes)
    throw KernelError(fmt::format("{}: {} bytes of shared memory, but a block has at most {}", grid.kernel.name,
                                  grid.shared_bytes, largest_shared_bytes));
}

}  // namespace

std::string demangled(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    std::free);
  return name ? name.get() : type.name();
}

void* allocate(std::size_t count, std::size_t element) {
  if (count > std::numeric_limits<std::size_t>::max() / element) throw std::bad_alloc();
  if (count == 0) return nullptr;
  void* memory = ::operator new(count* element, alignment);
  poison(memory, count * element);
  return memory;
}

void release(void* memory) noexcept {
  ::operator delete(memory, alignment);
}

void run(const Grid& given, LaneOrder order, std::uint64_t seed) {
  check(given);
  Grid grid = given;
  if (grid.kernel.resident) grid.kernel.cluster_blocks = grid.blocks;
  if (grid.blocks == 0) return;
  const int count = grid.blocks / grid.kernel.cluster_blocks;
  std::vector<int> clusters(static_cast<std::size_t>(count));
  Arranger(order, seed).arrange(clusters);
  int failed_at = count;
  std::exception_ptr failure;
  // Each thread takes its clusters in ascending order, so the first one that fails is found on any number of threads.
#pragma omp parallel for schedule(static) if (count > 1)
  for (int i = 0; i < count; ++i) {
    int limit;
#pragma omp atomic read
    limit = failed_at;
    if (i > limit) continue;
    try {
      const int cluster = clusters[static_cast<std::size_t>(i)];
      runner_of_this_thread().run(grid, cluster, Arranger(order, seed + static_cast<std::uint64_t>(cluster) + 1));
    } catch (...) {
#pragma omp critical(pivotlab_failed_block)
      if (i < failed_at) {
#pragma omp atomic write
        failed_at = i;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace host

void HostExecutor::refuse_while_recording() const {
  if (recording_) throw std::logic_error("only launches and fill_zero can be recorded");
}

}  // namespace pivotlab
