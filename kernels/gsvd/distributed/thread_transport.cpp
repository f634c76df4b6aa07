// SPDX-License-Identifier: BSD-3-Clause
// Ranks as threads of one process: a receiver publishes its buffer, and the sender copies into it.
#include <pivotlab/transport.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

namespace pivotlab {
namespace {

/// Thrown on a rank that waits for a failed rank.
struct Aborted : std::runtime_error {
  Aborted() : std::runtime_error("another rank has ended the computation") {}
};

/// State that the ranks share.
class Hub {
 public:
  Hub(int size, CopyBytes copy)
      : copy_(std::move(copy)),
        reaches_devices_(copy_ != nullptr),
        inboxes_(static_cast<std::size_t>(size)),
        gathered_(static_cast<std::size_t>(size)) {
    if (!copy_) copy_ = [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); };
  }

  int size() const { return static_cast<int>(inboxes_.size()); }
  bool reaches_devices() const { return reaches_devices_; }

  void expect(int rank, int from, std::span<const Piece> incoming) {
    const std::scoped_lock lock(mutex_);
    inboxes_[rank] = {Inbox::State::closed, from, {incoming.begin(), incoming.end()}};
  }

  void exchange(int rank, int to, std::span<const Piece> outgoing) {
    Inbox &mine = inboxes_[rank], &theirs = inboxes_[to];
    std::unique_lock lock(mutex_);
    mine.state = Inbox::State::open;
    changed_.notify_all();
    changed_.wait(lock, [&] { return failure_ || (theirs.state == Inbox::State::open && theirs.from == rank); });
    if (!failure_) {
      theirs.state = Inbox::State::filling;
      lock.unlock();
      std::exception_ptr error;
      try {
        copy(outgoing, theirs.pieces);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      theirs.state = Inbox::State::closed;
      if (error) failure_ = failure_ ? failure_ : error;
      changed_.notify_all();
    }
    // Even after a failure, no rank returns (and releases its memory) while another one writes to that memory.
    changed_.wait(
        lock, [&] { return mine.state == Inbox::State::closed || (failure_ && mine.state != Inbox::State::filling); });
    if (failure_) throw Aborted();
  }

  void all_gather(int rank, const void* mine, std::size_t bytes, void* all) {
    gathered_[rank] = mine;
    barrier();
    for (std::size_t r = 0; r < gathered_.size(); ++r)
      if (bytes > 0) std::memcpy(static_cast<char*>(all) + r * bytes, gathered_[r], bytes);
    barrier();
  }

  void throw_if_failed() {
    const std::scoped_lock lock(mutex_);
    if (failure_) throw Aborted();
  }
  void fail(std::exception_ptr why) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(why);
    changed_.notify_all();
  }
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// The receive buffer of a rank for its next stripe; open while the rank is in exchange().
  struct Inbox {
    enum class State { closed, open, filling } state = State::closed;
    int from = 0;
    std::vector<Piece> pieces;
  };

  void copy(std::span<const Piece> from, std::span<const Piece> to) const {
    const auto same_size = [](const Piece& a, const Piece& b) { return a.bytes == b.bytes; };
    if (!std::ranges::equal(from, to, same_size)) throw std::runtime_error("ranks do not agree on a stripe's size");
    for (std::size_t k = 0; k < from.size(); ++k) copy_(to[k].data, from[k].data, from[k].bytes);
  }

  void barrier() {
    std::unique_lock lock(mutex_);
    const std::size_t round = round_;
    if (++arrived_ == inboxes_.size()) {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return failure_ || round_ != round; });
    if (failure_) throw Aborted();
  }

  CopyBytes copy_;
  bool reaches_devices_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Inbox> inboxes_;  // by rank
  std::vector<const void*> gathered_;
  std::size_t arrived_ = 0, round_ = 0;
  std::exception_ptr failure_;
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(Hub& hub, int rank) : hub_(hub), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return hub_.size(); }
  int rank_on_host() const override { return rank_; }
  bool reaches_devices() const override { return hub_.reaches_devices(); }
  void expect(int from, std::span<const Piece> incoming) override { hub_.expect(rank_, from, incoming); }
  void exchange(int to, std::span<const Piece> outgoing) override { hub_.exchange(rank_, to, outgoing); }
  void all_gather(const void* mine, std::size_t bytes, void* all) override { hub_.all_gather(rank_, mine, bytes, all); }
  void throw_if_ended() override { hub_.throw_if_failed(); }

 private:
  Hub& hub_;
  int rank_;
};

}  // namespace

void run_on_threads(int size, const std::function<void(Transport&)>& work, const CopyBytes& copy) {
  Hub hub(size, copy);
  {
    std::vector<std::jthread> threads;
    const auto run = [&hub, &work](int rank) {
      try {
        ThreadTransport transport(hub, rank);
        work(transport);
      } catch (const Aborted&) {
      } catch (...) {
        hub.fail(std::current_exception());
      }
    };
    try {
      for (int rank = 0; rank < size; ++rank) threads.emplace_back(run, rank);
    } catch (...) {  // a thread could not be started: the others would wait forever
      hub.fail(std::current_exception());
    }
  }
  hub.rethrow_failure();
}

}  // namespace pivotlab
