// SPDX-License-Identifier: BSD-3-Clause
// Runs kernel bodies on the host.
#pragma once

#include "kernels/exec/body.hpp"
#include "kernels/exec/buffer.hpp"
#include "kernels/exec/host_context.hpp"
#include "kernels/exec/kernel_error.hpp"
#include "kernels/exec/lane_order.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <typeinfo>
#include <vector>

namespace pivotlab {

namespace host {

struct Kernel {
  std::string name;
  int threads, cluster_blocks;
  bool resident;
  void (*run)(HostContext&, const void* arguments);
};

struct Grid {
  Kernel kernel;
  int blocks;
  int shared_bytes;
  const void* arguments;
};

std::string demangled(const std::type_info& type);
void* allocate(std::size_t count, std::size_t element);
void release(void* memory) noexcept;

/// Runs clusters of blocks in parallel (OpenMP). Throws the exception of the first failed cluster.
void run(const Grid& grid, LaneOrder order, std::uint64_t seed);

template <class Body>
Kernel kernel() {
  check_body<Body>();
  return {demangled(typeid(Body)), Body::threads, cluster_blocks<Body>(), is_resident<Body>(),
          [](HostContext& context, const void* arguments) {
            Body::run(context, *static_cast<const typename Body::Arguments*>(arguments));
          }};
}

}  // namespace host

/// The interface of CudaExecutor on the host; each call finishes before it returns. Errors are those of
/// kernel_error.hpp.
class HostExecutor {
 public:
  using Recording = std::vector<std::function<void()>>;

  explicit HostExecutor(LaneOrder order = LaneOrder::forward, std::uint64_t seed = 0) : order_(order), seed_(seed) {}
  HostExecutor(HostExecutor&&) = delete;

  template <class Body>
  void launch(int blocks, int shared_bytes, const typename Body::Arguments& arguments) {
    submit([this, blocks, shared_bytes, arguments] {
      host::run({host::kernel<Body>(), blocks, shared_bytes, &arguments}, order_, seed_);
    });
  }

  template <class T>
  Buffer<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(host::allocate(count, sizeof(T))), count, host::release};
  }

  template <class T>
  void upload(T* to, const std::type_identity_t<T>* from, std::size_t count) {
    refuse_while_recording();
    if (count > 0) std::memcpy(to, from, count * sizeof(T));
  }
  template <class T>
  void download(T* to, const std::type_identity_t<T>* from, std::size_t count) {
    upload(to, from, count);
  }
  template <class T>
  void upload_columns(T* to, const std::type_identity_t<T>* from, std::size_t stride, std::size_t rows,
                      std::size_t columns) {
    for (std::size_t j = 0; j < columns; ++j) upload(to + j * rows, from + j * stride, rows);
  }
  template <class T>
  void download_columns(T* to, std::size_t stride, const std::type_identity_t<T>* from, std::size_t rows,
                        std::size_t columns) {
    for (std::size_t j = 0; j < columns; ++j) download(to + j * stride, from + j * rows, rows);
  }
  /// Copies within the executor's memory.
  template <class T>
  void copy(T* to, const std::type_identity_t<T>* from, std::size_t count) {
    upload(to, from, count);
  }
  template <class T>
  void fill_zero(T* to, std::size_t count) {
    submit([to, count] {
      if (count > 0) std::memset(static_cast<void*>(to), 0, count * sizeof(T));
    });
  }

  /// Records the launches and zero fills of `work` instead of running them.
  template <class Work>
  Recording record(Work&& work) {
    refuse_while_recording();
    Recording recording;
    side_.clear();
    recording_ = &recording;
    try {
      work();
    } catch (...) {
      recording_ = nullptr;
      throw;
    }
    join();
    recording_ = nullptr;
    return recording;
  }
  void replay(const Recording& recording) {
    refuse_while_recording();
    for (const auto& step : recording) step();
  }

  /// Side branches of a recording run as late as they may: when they are joined.
  template <class Work>
  void beside(Work&& work) {
    join();
    Recording* const main = recording_;
    if (main) recording_ = &side_;
    work();
    recording_ = main;
  }
  void join() {
    if (recording_) recording_->insert(recording_->end(), side_.begin(), side_.end());
    side_.clear();
  }

  void synchronize() { refuse_while_recording(); }

  static int multiprocessors() { return 0; }
  static int most_shared_bytes() { return 227 * 1024; }

 private:
  void submit(std::function<void()> step) {
    if (recording_)
      recording_->push_back(std::move(step));
    else
      step();
  }
  void refuse_while_recording() const;

  LaneOrder order_;
  std::uint64_t seed_;
  Recording* recording_ = nullptr;
  Recording side_;  ///< the side branch that has not been joined
};

}  // namespace pivotlab
