// How the processes of a distributed computation reach each other.
//
// An algorithm over s ranks is written against Transport and runs over any: threads of this process (below), MPI
// (mpi.hpp), NCCL. There is one thing sent from rank to rank, a stripe,
// and one collective operation, from which all others are made in the order of the ranks: so the bits of a result do
// not depend on the transport.
#pragma once

#include <pivotlab/error.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pivotlab {

/// Contiguous memory, of the host or, if the transport reaches it, of a device.
struct Piece {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// A rank's view of all of them. Calls of one object come from one thread. Whoever starts the ranks ends all of them
/// when one throws, so that nobody waits for it.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Among the ranks of the same host: by which they share its GPUs.
  virtual int rank_on_host() const = 0;
  /// Whether pieces may lie in the memory of a CUDA device.
  virtual bool reaches_devices() const = 0;

  /// Announces the memory for what `from` will send in the next exchange. It may arrive from now on, while this rank
  /// still computes.
  virtual void expect(int from, std::span<const Piece> incoming) = 0;
  /// Sends to another rank, which expects pieces of the same sizes, and waits until what was expected is here and what
  /// is sent may be overwritten.
  virtual void exchange(int to, std::span<const Piece> outgoing) = 0;

  /// `all` gets the bytes of every rank, one after the other; all ranks give as many.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;

  /// Throws if another rank has failed, for whoever waits by other means.
  virtual void throw_if_ended() {}
};

/// On every rank, what each rank gives.
template <class Value>
std::vector<Value> gather_values(Transport& transport, const Value& mine) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<Value> all(static_cast<std::size_t>(transport.size()));
  transport.all_gather(&mine, sizeof(Value), all.data());
  return all;
}

/// On every rank, the texts of all ranks.
std::vector<std::string> gather_texts(Transport& transport, const std::string& mine);

/// Errors that all ranks know of, with the same text: they end in order, and one of them reports it.
class SharedInputError : public InputError {
 public:
  using InputError::InputError;
};
class SharedNotSupported : public NotSupported {
 public:
  using NotSupported::NotSupported;
};

/// work() on every rank; an InputError or NotSupported on any of them is thrown on all as the shared one of the lowest
/// such rank. So a rank that refuses leaves no other one waiting.
void in_agreement(Transport& transport, const std::function<void()>& work);

/// The GPU that a rank computes on: those of a host are dealt out among its ranks. There must be one.
int device_of(const Transport& transport);

/// Moves bytes between any two places of memory.
using CopyBytes = std::function<void(void* to, const void* from, std::size_t bytes)>;

/// Runs `work` on `size` ranks, threads of this process, and returns when all have ended. What the first failing rank
/// throws is thrown here; the others are woken from any waiting and end, too. With `copy` also the memory of devices
/// can be reached.
void run_on_threads(int size, const std::function<void(Transport&)>& work, const CopyBytes& copy = {});

/// For run_on_threads: between the GPUs of this host, directly where they can. Empty without a GPU.
CopyBytes copy_between_devices();

/// Stripes go from GPU to GPU by NCCL, one GPU a rank; the rest by `control`, which outlives the result. Called by all
/// ranks. Throws SharedNotSupported without GPUs enough and without the library.
std::unique_ptr<Transport> over_nccl(Transport& control);

/// Stripes go from GPU to GPU by `control` itself, such as a CUDA-aware MPI; it outlives the result. Called by all
/// ranks. Throws SharedNotSupported where it does not reach a GPU's memory.
std::unique_ptr<Transport> directly(Transport& control);

/// Stripes of GPUs go through the host's memory, whatever `control` reaches; it outlives the result.
std::unique_ptr<Transport> through_host(Transport& control);

}  // namespace pivotlab
