// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/staged_copy.hpp"

#include "kernels/exec/cuda_error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace pivotlab::cuda {
namespace {

// 16 threads copy a piece at 34 GB/s (0.12 ms) and the link does at 55 GB/s (measured on an H200), so that starting
// threads and copies costs little; pinning takes 0.6 ms per MB once.
constexpr std::size_t piece_bytes = std::size_t(4) << 20, pieces = 6;

constexpr std::size_t least_bytes = piece_bytes / 2;

struct ReleasePinned {
  void operator()(std::byte* memory) const { cudaFreeHost(memory); }
};
using Pinned = std::unique_ptr<std::byte, ReleasePinned>;

/// Pinned memory that no copy uses at the moment. It lives until the process ends, later than CUDA could release it.
struct Pool {
  std::mutex mutex;
  std::vector<Pinned> free;
};
Pool& pool() {
  static Pool* const instance = new Pool;
  return *instance;
}

/// Pinned memory for one copy; empty if none is left.
class Loan {
 public:
  Loan() {
    const std::lock_guard lock(pool().mutex);
    if (!pool().free.empty()) {
      memory_ = std::move(pool().free.back());
      pool().free.pop_back();
      return;
    }
    void* memory = nullptr;
    if (cudaHostAlloc(&memory, pieces * piece_bytes, cudaHostAllocPortable) == cudaSuccess)
      memory_.reset(static_cast<std::byte*>(memory));
    else
      cudaGetLastError();
  }
  Loan(Loan&&) = delete;
  ~Loan() {
    if (!memory_) return;
    const std::lock_guard lock(pool().mutex);
    pool().free.push_back(std::move(memory_));
  }
  std::byte* piece(std::size_t i) const { return memory_ ? memory_.get() + i % pieces * piece_bytes : nullptr; }

 private:
  Pinned memory_;
};

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags"); }
  Event(Event&&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  void wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Memory of the host as columns of `width` bytes, `stride` bytes apart; the last one may be shorter.
struct HostColumns {
  std::byte* data;
  std::size_t stride, width, bytes;

  /// Returns how many columns a piece has, which are contiguous in pinned memory.
  std::size_t columns_of_piece() const { return piece_bytes / width; }
  std::size_t first_byte(std::size_t piece) const { return piece * columns_of_piece() * width; }
  std::size_t size(std::size_t piece) const { return std::min(columns_of_piece() * width, bytes - first_byte(piece)); }
  std::size_t count() const { return (bytes + columns_of_piece() * width - 1) / (columns_of_piece() * width); }

  void exchange(std::size_t piece, std::byte* pinned, bool to_pinned) const {
    const auto columns = static_cast<std::ptrdiff_t>((size(piece) + width - 1) / width);
    std::byte* const own = data + piece * columns_of_piece() * stride;
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t j = 0; j < columns; ++j) {
      const std::size_t at = static_cast<std::size_t>(j) * width, length = std::min(width, size(piece) - at);
      std::byte *const here = own + static_cast<std::size_t>(j) * stride, *const there = pinned + at;
      std::memcpy(to_pinned ? there : here, to_pinned ? here : there, length);
    }
  }
};

void copy_staged(const HostColumns& host, std::byte* device, bool upload, const Loan& loan, cudaStream_t stream) {
  const std::array<Event, pieces> arrived;
  const std::size_t count = host.count();
  const auto send = [&](std::size_t i) {
    std::byte *const pinned = loan.piece(i), *const place = device + host.first_byte(i);
    check(upload ? cudaMemcpyAsync(place, pinned, host.size(i), cudaMemcpyHostToDevice, stream)
                 : cudaMemcpyAsync(pinned, place, host.size(i), cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync");
    arrived[i % pieces].record(stream);
  };
  if (upload) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= pieces) arrived[i % pieces].wait();
      host.exchange(i, loan.piece(i), true);
      send(i);
    }
  } else {
    for (std::size_t i = 0; i < std::min(pieces, count); ++i) send(i);
    for (std::size_t i = 0; i < count; ++i) {
      arrived[i % pieces].wait();
      host.exchange(i, loan.piece(i), false);
      if (i + pieces < count) send(i + pieces);
    }
  }
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

/// Copies columns, contiguous on the GPU, if pinned memory is left and worth its use; returns whether it did.
bool copied_staged(const void* host, std::size_t stride_bytes, const void* device, std::size_t column_bytes,
                   std::size_t bytes, bool upload, cudaStream_t stream) {
  if (column_bytes > piece_bytes || bytes < least_bytes) return false;
  const Loan loan;
  if (!loan.piece(0)) return false;
  const auto memory = [](const void* x) { return static_cast<std::byte*>(const_cast<void*>(x)); };
  copy_staged({memory(host), stride_bytes, column_bytes, bytes}, memory(device), upload, loan, stream);
  return true;
}

}  // namespace

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  constexpr std::size_t part = std::size_t(128) << 10;
  if (kind == cudaMemcpyHostToDevice && copied_staged(from, part, to, part, bytes, true, stream)) return;
  if (kind == cudaMemcpyDeviceToHost && copied_staged(to, part, from, part, bytes, false, stream)) return;
  check(cudaMemcpyAsync(to, from, bytes, kind, stream), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void upload_columns(void* to, const void* from, std::size_t stride_bytes, std::size_t column_bytes, std::size_t columns,
                    cudaStream_t stream) {
  if (stride_bytes == column_bytes) return copy(to, from, column_bytes * columns, cudaMemcpyHostToDevice, stream);
  if (copied_staged(from, stride_bytes, to, column_bytes, column_bytes * columns, true, stream)) return;
  check(cudaMemcpy2DAsync(to, column_bytes, from, stride_bytes, column_bytes, columns, cudaMemcpyHostToDevice, stream),
        "cudaMemcpy2DAsync");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void download_columns(void* to, std::size_t stride_bytes, const void* from, std::size_t column_bytes,
                      std::size_t columns, cudaStream_t stream) {
  if (copied_staged(to, stride_bytes, from, column_bytes, column_bytes * columns, false, stream)) return;
  check(cudaMemcpy2DAsync(to, stride_bytes, from, column_bytes, column_bytes, columns, cudaMemcpyDeviceToHost, stream),
        "cudaMemcpy2DAsync");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

}  // namespace pivotlab::cuda
