// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/device_memory.hpp"

#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/pool.hpp"

#include <dlfcn.h>

#include <mutex>
#include <unordered_map>
#include <vector>

namespace pivotlab::cuda {
namespace {

void free_memory(void* memory) noexcept {
  cudaFree(memory);
}

std::size_t most_kept_bytes() {
  constexpr std::size_t part = 256;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return total / part;
}

struct Block {
  std::uint64_t context;
  std::size_t bytes;
};

/// Has the bytes and the context of each allocation, and the memory that the process keeps. It lives until the process
/// ends, when CUDA can no longer release memory.
struct Memory {
  Pool<void*> kept{most_kept_bytes(), free_memory};
  std::mutex mutex;
  std::unordered_map<void*, Block> in_use;
};
Memory& memory() {
  static Memory* const instance = new Memory;
  return *instance;
}

struct Shortage {
  std::mutex mutex;
  std::vector<void (*)() noexcept> releases;
};
Shortage& shortage() {
  static Shortage* const instance = new Shortage;
  return *instance;
}

}  // namespace

void* allocate_bytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::uint64_t here = context();
  const auto kept = memory().kept.take(here, bytes);
  void* block = kept ? kept->resource : nullptr;
  if (!kept && cudaMalloc(&block, bytes) != cudaSuccess) {
    cudaGetLastError();  // the next call reports an error that remains
    release_kept();
    check(cudaMalloc(&block, bytes), "cudaMalloc");
  }
  try {
    const std::lock_guard lock(memory().mutex);
    memory().in_use[block] = {here, kept ? kept->size : bytes};
  } catch (...) {
    cudaFree(block);
    throw;
  }
  return block;
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  Block size{};
  {
    const std::lock_guard lock(memory().mutex);
    const auto found = memory().in_use.find(block);
    size = found->second;
    memory().in_use.erase(found);
  }
  if (is_idle(size.context))
    memory().kept.give(size.context, {block, size.bytes});
  else
    cudaFree(block);
}

std::uint64_t context() noexcept {
  // Only the driver has such a function; CUDA's runtime loads it from the same file.
  using GetId = int(void* context, unsigned long long* id);
  static GetId* const get_id = [] {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY);
    return driver ? reinterpret_cast<GetId*>(dlsym(driver, "cuCtxGetId")) : nullptr;
  }();
  unsigned long long id = 0;
  return get_id != nullptr && get_id(nullptr, &id) == 0 ? id + 1 : 0;
}

bool is_idle(std::uint64_t given) noexcept {
  if (given == 0 || given != context()) return false;
  if (cudaDeviceSynchronize() == cudaSuccess) return true;
  cudaGetLastError();  // a later call must not report it again
  return false;
}

void release_kept() noexcept {
  memory().kept.clear();
  const std::lock_guard lock(shortage().mutex);
  for (const auto release : shortage().releases) release();
}

void on_shortage(void (*release)() noexcept) {
  const std::lock_guard lock(shortage().mutex);
  shortage().releases.push_back(release);
}

}  // namespace pivotlab::cuda
