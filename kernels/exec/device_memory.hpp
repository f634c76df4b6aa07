// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory of GPUs. cudaMalloc() and cudaFree() take 0.1 to 0.3 ms each, which small problems would pay for
// each of their buffers; so the process keeps some memory for its next allocations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pivotlab::cuda {

/// Allocates memory of the current device; null for no bytes. Before it throws std::bad_alloc it releases all that the
/// process keeps for reuse.
void* allocate_bytes(std::size_t bytes);

/// Waits for all work of the current device, and releases memory of allocate_bytes() or keeps it for reuse. At most
/// 1/256 of a device's memory is kept.
void release(void* memory) noexcept;

/// Returns a number of the current context that no other context of the process ever has, or 0 if there is none, as in
/// the child of a fork. After a reset of the device there is another context.
std::uint64_t context() noexcept;

/// Waits for all work of the current context, and returns whether it is the given one and reports no error.
bool is_idle(std::uint64_t context) noexcept;

/// Releases what the process keeps for reuse: memory, and what functions given to on_shortage() release.
void release_kept() noexcept;
void on_shortage(void (*release)() noexcept);

}  // namespace pivotlab::cuda
