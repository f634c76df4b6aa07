// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/batch/side_streams.hpp"

#include "kernels/exec/cuda_error.hpp"

#include <algorithm>
#include <vector>

namespace pivotlab::batch {
namespace {

using cuda::check;

/// Streams are destroyed when their work is done; the caller's stream waits for them even after an error.
class SideStreams {
 public:
  SideStreams(std::size_t count, cudaStream_t caller) : caller_(caller) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    check(cudaEventRecord(event_, caller_), "cudaEventRecord");
    streams_.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      cudaStream_t stream = nullptr;
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
      streams_.push_back(stream);
      check(cudaStreamWaitEvent(stream, event_), "cudaStreamWaitEvent");
    }
  }
  SideStreams(const SideStreams&) = delete;
  ~SideStreams() {
    for (cudaStream_t stream : streams_) {
      cudaEventRecord(event_, stream);
      cudaStreamWaitEvent(caller_, event_);
      cudaStreamDestroy(stream);
    }
    cudaEventDestroy(event_);
  }
  cudaStream_t of(Index k) const { return streams_[static_cast<std::size_t>(k) % streams_.size()]; }

 private:
  cudaStream_t caller_;
  cudaEvent_t event_ = nullptr;
  std::vector<cudaStream_t> streams_;
};

}  // namespace

void solve_on_side_streams(Index count, const BatchOptions& options, const detail::SolveBatch& solve) {
  constexpr Index most_streams = 8;
  if (count == 0) return;
  const SideStreams streams(static_cast<std::size_t>(std::min(count, most_streams)),
                            static_cast<cudaStream_t>(options.stream));
  BatchOptions own = options;
  for (Index k = 0; k < count; ++k) {
    own.stream = streams.of(k);
    solve(k, own);
  }
}

}  // namespace pivotlab::batch
