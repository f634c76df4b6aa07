// SPDX-License-Identifier: BSD-3-Clause
// A pool keeps resources that take long to make, memory of a GPU and handles of libraries, so that later calls use them
// again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace pivotlab {

/// Keeps resources of some sizes that nobody uses, up to a total size; what was given first is destroyed first. Each
/// belongs to a context, which is a number other than zero; nothing is kept for zero. Several threads may use a pool.
///
/// A pool has no destructor that destroys the resources: it must live until the process ends, when CUDA may have ended
/// before it.
template <class Resource>
class Pool {
 public:
  using Destroy = void (*)(Resource) noexcept;
  struct Sized {
    Resource resource;
    std::size_t size;
  };

  Pool(std::size_t most, Destroy destroy) : most_(most), destroy_(destroy) {}

  /// Returns the smallest resource of the context that has this size or up to a third more, if there is one; of several
  /// the one given last.
  std::optional<Sized> take(std::uint64_t context, std::size_t size) {
    const std::lock_guard lock(mutex_);
    auto best = kept_.end();
    for (auto at = kept_.begin(); at != kept_.end(); ++at)
      if (at->context == context && at->size >= size && at->size - at->size / 4 <= size &&
          (best == kept_.end() || at->size <= best->size))
        best = at;
    if (best == kept_.end()) return std::nullopt;
    const Sized found{best->resource, best->size};
    total_ -= best->size;
    kept_.erase(best);
    return found;
  }

  /// Keeps a resource, or destroys it.
  void give(std::uint64_t context, Sized given) noexcept {
    if (context == 0 || given.size > most_) return destroy_(given.resource);
    std::vector<Kept> old;
    try {
      const std::lock_guard lock(mutex_);
      kept_.push_back({given.resource, given.size, context});
      total_ += given.size;
      std::ptrdiff_t count = 0;
      for (; total_ > most_; ++count) total_ -= kept_[static_cast<std::size_t>(count)].size;
      old.assign(kept_.begin(), kept_.begin() + count);
      kept_.erase(kept_.begin(), kept_.begin() + count);
    } catch (...) {
      return destroy_(given.resource);
    }
    for (const Kept& kept : old) destroy_(kept.resource);
  }

  /// Destroys all that is kept.
  void clear() noexcept {
    std::vector<Kept> all;
    {
      const std::lock_guard lock(mutex_);
      std::swap(all, kept_);
      total_ = 0;
    }
    for (const Kept& kept : all) destroy_(kept.resource);
  }

 private:
  struct Kept {
    Resource resource;
    std::size_t size;
    std::uint64_t context;
  };

  std::size_t most_, total_ = 0;
  Destroy destroy_;
  std::mutex mutex_;
  std::vector<Kept> kept_;  // in the order in which they were given
};

/// Has a handle that nobody else uses at the same time: one from the library's pool, or a new one. At the end of its
/// life the pool gets it back. It is destroyed instead if one of its calls has failed, or if the device reports an
/// error.
///
/// A library has the type Handle and the functions
///
///     Handle create();                            // throws if it cannot
///     void destroy(Handle) noexcept;
///     Pool<Handle>& pool();                       // in which each handle has the size 1
///     std::uint64_t context();                    // the current context, or 0
///     bool is_idle(std::uint64_t) noexcept;       // waits for a context; false if it failed or is not the current one
///     bool reset(Handle) noexcept;                // to the state after create(); false if that fails
template <class Library>
class PooledHandle {
 public:
  using Handle = typename Library::Handle;

  PooledHandle() : context_(Library::context()) {
    const auto kept = Library::pool().take(context_, 1);
    handle_ = kept ? kept->resource : Library::create();
  }
  PooledHandle(PooledHandle&&) = delete;
  ~PooledHandle() {
    if (!failed_ && Library::is_idle(context_) && Library::reset(handle_))
      Library::pool().give(context_, {handle_, 1});
    else
      Library::destroy(handle_);
  }

  const Handle& get() const { return handle_; }
  void note_failure() { failed_ = true; }

 private:
  std::uint64_t context_;
  Handle handle_;
  bool failed_ = false;
};

}  // namespace pivotlab
