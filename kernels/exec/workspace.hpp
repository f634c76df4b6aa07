// SPDX-License-Identifier: BSD-3-Clause
// Executors whose buffers come from a workspace of the caller, and the size of such a workspace.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/exec/buffer.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace pivotlab {

/// An executor that takes all buffers from an arena, or allocates them if there is none. The arena's block is memory of
/// such an executor, and outlives the buffers.
template <class Executor>
class WithWorkspace : public Executor {
 public:
  template <class... ExecutorArguments>
  explicit WithWorkspace(const std::optional<Arena>& arena, ExecutorArguments&&... arguments)
      : Executor(std::forward<ExecutorArguments>(arguments)...), arena_(arena) {}

  template <class T>
  Buffer<T> allocate(std::size_t count) {
    if (!arena_) return Executor::template allocate<T>(count);
    return {arena_->template take<T>(static_cast<std::ptrdiff_t>(count)), count, [](void*) noexcept {}};
  }

  /// Returns the bytes taken from the arena.
  std::size_t used() const { return arena_ ? arena_->used() : 0; }

 private:
  std::optional<Arena> arena_;
};

/// Returns an arena in a workspace of the caller, or none for null.
inline std::optional<Arena> arena_of(void* workspace) {
  return workspace == nullptr ? std::nullopt : std::optional(Arena(workspace));
}

/// Runs nothing and has no memory: with an arena of a null block it finds the size of a workspace.
class SizeExecutor {
 public:
  struct Recording {};

  template <class Body>
  void launch(int, int, const typename Body::Arguments&) {}
  template <class T>
  Buffer<T> allocate(std::size_t count) {
    return {nullptr, count, nullptr};
  }
  template <class T>
  void upload(T*, const T*, std::size_t) {}
  template <class T>
  void download(T*, const T*, std::size_t) {}
  template <class T>
  void upload_columns(T*, const T*, std::size_t, std::size_t, std::size_t) {}
  template <class T>
  void download_columns(T*, std::size_t, const T*, std::size_t, std::size_t) {}
  template <class T>
  void copy(T*, const T*, std::size_t) {}
  template <class T>
  void fill_zero(T*, std::size_t) {}
  template <class Work>
  Recording record(Work&&) {
    return {};
  }
  void replay(const Recording&) {}
  template <class Work>
  void beside(Work&&) {}
  void join() {}
  void synchronize() {}
  static int multiprocessors() { return 0; }
  static int most_shared_bytes() { return 0; }
};

}  // namespace pivotlab
