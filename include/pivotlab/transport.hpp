// SPDX-License-Identifier: BSD-3-Clause
// Communication between the ranks of a distributed computation.
//
// An algorithm over s ranks uses Transport and runs over any implementation: threads of this process (below), MPI
// (mpi.hpp), NCCL. Ranks exchange stripes by point-to-point messages. All collective operations are computed from
// all_gather() in the order of the ranks, so the bits of a result do not depend on the transport.
#pragma once

#include <pivotlab/error.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pivotlab {

/// Contiguous memory of the host or, if the transport reaches it, of a device.
struct Piece {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// The communicator of one rank. One object is used by one thread at a time. If a rank throws, the program that started
/// the ranks ends all of them, so that none waits forever.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Returns the index of this rank among the ranks of the same host; it selects the rank's GPU.
  virtual int rank_on_host() const = 0;
  /// Returns whether pieces may be in the memory of a CUDA device.
  virtual bool reaches_devices() const = 0;

  /// Posts the receive buffers for the next message from rank `from`. The message may arrive from now on, while this
  /// rank still computes.
  virtual void expect(int from, std::span<const Piece> incoming) = 0;
  /// Sends to rank `to`, which expects pieces of the same sizes. Returns when the expected message has arrived and the
  /// sent memory may be overwritten.
  virtual void exchange(int to, std::span<const Piece> outgoing) = 0;

  /// Gathers `bytes` bytes of every rank in `all`, in the order of the ranks; all ranks pass the same number of bytes.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;

  /// Throws if another rank has failed; for loops that wait by other means.
  virtual void throw_if_ended() {}
};

/// Returns the values of all ranks, on every rank.
template <class Value>
std::vector<Value> gather_values(Transport& transport, const Value& mine) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<Value> all(transport.size());
  transport.all_gather(&mine, sizeof(Value), all.data());
  return all;
}

/// Returns the texts of all ranks, on every rank.
std::vector<std::string> gather_texts(Transport& transport, const std::string& mine);

/// Errors that are thrown on all ranks with the same text; the ranks end in order, and one of them reports the error.
class SharedInputError : public InputError {
 public:
  using InputError::InputError;
};
class SharedNotSupported : public NotSupported {
 public:
  using NotSupported::NotSupported;
};

/// Runs work() on every rank. An InputError or NotSupported on any of them is thrown on all ranks as the shared error
/// of the lowest such rank. So a rank that fails leaves no other rank waiting.
void in_agreement(Transport& transport, const std::function<void()>& work);

/// Returns the GPU of a rank: the GPUs of a host are assigned to its ranks in turn. There must be at least one.
int device_of(const Transport& transport);

/// Copies bytes between any two places in host or device memory.
using CopyBytes = std::function<void(void* to, const void* from, std::size_t bytes)>;

/// Runs `work` on `size` ranks, which are threads of this process, and returns when all have ended. Rethrows the
/// exception of the first failing rank; the other ranks are interrupted while waiting and end, too. With `copy` the
/// transport also reaches the memory of devices.
void run_on_threads(int size, const std::function<void(Transport&)>& work, const CopyBytes& copy = {});

/// Returns a copy function for run_on_threads between the GPUs of this host, directly if they are peers; empty without
/// a GPU.
CopyBytes copy_between_devices();

/// Returns a transport that sends stripes from GPU to GPU by NCCL, one GPU per rank, and everything else by `control`,
/// which must outlive the result. All ranks must call it. Throws SharedNotSupported if there are too few GPUs or no
/// NCCL.
std::unique_ptr<Transport> over_nccl(Transport& control);

/// Returns a transport that sends stripes from GPU to GPU by `control` itself, such as a CUDA-aware MPI, which must
/// outlive the result. All ranks must call it. Throws SharedNotSupported if `control` does not reach a GPU's memory.
std::unique_ptr<Transport> directly(Transport& control);

/// Returns a transport that sends stripes of GPUs through host memory, whatever `control` reaches; `control` must
/// outlive the result.
std::unique_ptr<Transport> through_host(Transport& control);

}  // namespace pivotlab
