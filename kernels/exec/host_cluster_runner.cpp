// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_cluster_runner.hpp"

#include "kernels/exec/fiber_sanitizer.hpp"
#include "kernels/exec/host_executor.hpp"
#include "kernels/exec/kernel_error.hpp"
#include "kernels/exec/poison.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <utility>

namespace pivotlab::host {
namespace {

constexpr std::size_t stack_bytes = sanitized ? 256 * 1024 : 64 * 1024;

// A distance of stacks that is a power of two would map all of them to the same few cache sets.
constexpr std::size_t stack_stride = stack_bytes + 9 * 64;

constexpr std::uint64_t stack_end_mark = 0x7069766f746c6162;

/// Unwinds a fiber whose cluster has failed.
struct Abandoned {};

std::string to_string(const Call& call) {
  constexpr const char* names[] = {"",
                                   "sync",
                                   "count",
                                   "cluster_sync",
                                   "wait_until",
                                   "sync_warp",
                                   "warp_any",
                                   "warp_max",
                                   "shuffle of int",
                                   "shuffle of double",
                                   "mma of K = 4",
                                   "mma of K = 8",
                                   "mma of K = 16",
                                   "mma of digits"};
  if (call.collective == Collective::none) return "has ended";
  const std::string path = call.where.file_name();
  return fmt::format("waits at {} ({}:{})", names[static_cast<int>(call.collective)], path.substr(path.rfind('/') + 1),
                     call.where.line());
}

}  // namespace

/// Continues a thread until its warp, or with failure_ or abandoning_ the thread itself, must wait.
void ClusterRunner::resume(int thread) {
  running_ = thread;
  switch_to(thread, &scheduler_);
}

inline void ClusterRunner::switch_to(int thread, Fiber* self) {
  StackSwitch there_and_back;
  there_and_back.leave(stack(thread), stack_bytes);
  pivotlab_switch_fiber(self, fibers_[static_cast<std::size_t>(thread)]);
  there_and_back.arrive();
}

/// Suspends the running thread. The next lane of its warp continues, after the last one the scheduler: a switch for
/// each lane instead of two.
inline void ClusterRunner::yield() {
  Fiber* const self = &fibers_[static_cast<std::size_t>(running_)];
  if (turn_ + 1 < warp_size && !failure_ && !abandoning_) {
    const int first = running_ - lane_order_[turn_];
    running_ = first + lane_order_[++turn_];
    if (turn_ + 1 < warp_size) {  // Loading the next stack takes longer than a lane runs.
      const std::byte* next =
          static_cast<std::byte*>(fibers_[static_cast<std::size_t>(first + lane_order_[turn_ + 1])]);
      __builtin_prefetch(next);
      __builtin_prefetch(next + 64);
    }
    return switch_to(running_, self);
  }
  StackSwitch there_and_back;
  there_and_back.leave_to_thread();
  pivotlab_switch_fiber(self, scheduler_);
  there_and_back.arrive();
}

void ClusterRunner::suspend() {
  yield();
  if (abandoning_) throw Abandoned();
}

void arrive(HostContext& thread, Call call) {
  thread.waits_at_ = call;
  thread.block_->runner->suspend();
}

void ClusterRunner::run(const Grid& grid, int cluster, Arranger arranger) {
  grid_ = &grid;
  all_threads_ = grid.kernel.threads * grid.kernel.cluster_blocks;
  reserve(all_threads_);
  prepare(grid, cluster);
  try {
    run_cluster(arranger);
  } catch (...) {
    abandon();
    throw;
  }
  check_stacks();
}

void ClusterRunner::reserve(int threads) {
  if (threads <= static_cast<int>(fibers_.size())) return;
  fibers_.clear();
  threads_.clear();
  warps_ = std::vector<Warp>(static_cast<std::size_t>(threads / warp_size));
  stacks_.reset(new std::byte[static_cast<std::size_t>(threads) * stack_stride]);  // untouched pages take no memory
  for (int i = 0; i < threads; ++i) {
    std::memcpy(stack(i), &stack_end_mark, sizeof stack_end_mark);
    threads_.emplace_back(nullptr, &warps_[static_cast<std::size_t>(i / warp_size)], i);
    fibers_.push_back(make_fiber(stack(i), stack_bytes, run_threads, this));
  }
}

/// Runs one thread of each cluster.
void ClusterRunner::run_threads(void* self) {
  StackSwitch().arrive();
  auto& runner = *static_cast<ClusterRunner*>(self);
  for (const int thread = runner.running_;; runner.yield()) runner.run_thread(thread);
}

void ClusterRunner::prepare(const Grid& grid, int cluster) {
  const Kernel& kernel = grid.kernel;
  const std::size_t lines = (static_cast<std::size_t>(grid.shared_bytes) + sizeof(Line) - 1) / sizeof(Line);
  shared_.resize(lines * static_cast<std::size_t>(kernel.cluster_blocks));
  poison(shared_.data(), shared_.size() * sizeof(Line));
  blocks_.resize(static_cast<std::size_t>(kernel.cluster_blocks));
  for (int rank = 0; rank < kernel.cluster_blocks; ++rank) {
    blocks_[static_cast<std::size_t>(rank)] = {
        .runner = this,
        .cluster = blocks_.data(),
        .index = cluster * kernel.cluster_blocks + rank,
        .rank = rank,
        .blocks = grid.blocks,
        .threads = kernel.threads,
        .cluster_blocks = kernel.cluster_blocks,
        .shared = reinterpret_cast<std::byte*>(shared_.data() + static_cast<std::size_t>(rank) * lines),
        .shared_bytes = grid.shared_bytes};
  }
  for (int i = 0; i < all_threads_; ++i) {
    threads_[static_cast<std::size_t>(i)].block_ = &blocks_[static_cast<std::size_t>(i / kernel.threads)];
    threads_[static_cast<std::size_t>(i)].thread_ = i % kernel.threads;
  }
  for (Warp& warp : warps_) warp.any_pending = false;
}

void ClusterRunner::run_cluster(Arranger& arranger) {
  block_order_.resize(blocks_.size());
  warp_order_.resize(static_cast<std::size_t>(grid_->kernel.threads / warp_size));
  arranger.arrange(block_order_);
  arranger.arrange(warp_order_);
  arranger.arrange(lane_order_);
  for (bool progress = true;;) {
    const bool before = std::exchange(progress, false);
    bool all_ended = true;
    for (const int rank : block_order_) {
      Block& block = blocks_[static_cast<std::size_t>(rank)];
      if (!block.ended) progress |= run_block(rank, arranger);
      all_ended &= block.ended;
    }
    if (all_ended) return;
    if (!progress && !before) throw KernelError(grid_->kernel.name + ": all blocks wait for one another");
    arranger.rearrange(block_order_);
    if (grid_->kernel.resident) continue;
    const Call& call = threads_[0].waits_at_;
    for (int i = grid_->kernel.threads; i < all_threads_; i += grid_->kernel.threads)
      if (!(threads_[static_cast<std::size_t>(i)].waits_at_ == call)) report_divergence(0, all_threads_);
  }
}

/// Runs a block until it has ended or waits for others. Returns false if it has only found that it still waits.
bool ClusterRunner::run_block(int rank, Arranger& arranger) {
  Block& block = blocks_[static_cast<std::size_t>(rank)];
  const int threads = grid_->kernel.threads, first = rank * threads;
  for (bool progress = false;; progress = true) {
    for (const int warp : warp_order_) run_warp(first / warp_size + warp, arranger);
    const Call& call = threads_[static_cast<std::size_t>(first)].waits_at_;
    for (int i = first + warp_size; i < first + threads; i += warp_size)
      if (!(threads_[static_cast<std::size_t>(i)].waits_at_ == call)) report_divergence(first, threads);
    block.ended = call.collective == Collective::none;
    if (block.ended || call.collective == Collective::cluster_sync) return true;
    block.complete();
    if (call.collective == Collective::wait_until && block.count > 0) return progress;
    arranger.rearrange(warp_order_);
  }
}

void ClusterRunner::run_warp(int warp, Arranger& arranger) {
  const int first = warp * warp_size;
  HostContext* const lanes = &threads_[static_cast<std::size_t>(first)];
  for (;;) {
    turn_ = 0;
    resume(first + lane_order_[0]);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    const Call& call = lanes[0].waits_at_;
    for (int i = 1; i < warp_size; ++i)
      if (!(lanes[i].waits_at_ == call)) report_divergence(first, warp_size);
    if (call.collective == Collective::none || is_of_block(call.collective)) return;
    warps_[static_cast<std::size_t>(warp)].complete();
    arranger.rearrange(lane_order_);
  }
}

void ClusterRunner::run_thread(int thread) {
  HostContext& self = threads_[static_cast<std::size_t>(thread)];
  try {
    grid_->kernel.run(self, grid_->arguments);
  } catch (const Abandoned&) {
  } catch (const SharedMemoryOverrun& overrun) {
    failure_ = std::make_exception_ptr(SharedMemoryOverrun(fmt::format("{}: {}", place(thread), overrun.what())));
  } catch (...) {
    failure_ = std::current_exception();
  }
  self.copies_.clear();
  self.waits_at_ = {};
}

void ClusterRunner::abandon() {
  abandoning_ = true;
  for (int i = 0; i < all_threads_; ++i)
    if (threads_[static_cast<std::size_t>(i)].waits_at_.collective != Collective::none) resume(i);
  abandoning_ = false;
}

std::byte* ClusterRunner::stack(int thread) {
  return stacks_.get() + static_cast<std::size_t>(thread) * stack_stride;
}

void ClusterRunner::check_stacks() {
  for (int i = 0; i < all_threads_; ++i)
    if (std::memcmp(stack(i), &stack_end_mark, sizeof stack_end_mark) != 0)
      throw KernelError(fmt::format("{}: needs more than {} bytes of stack", place(i), stack_bytes));
}

std::string ClusterRunner::place(int thread) const {
  const HostContext& self = threads_[static_cast<std::size_t>(thread)];
  return fmt::format("{}, block {}, thread {}", grid_->kernel.name, self.block(), self.thread());
}

void ClusterRunner::report_divergence(int first, int threads) const {
  const auto call = [this](int i) -> const Call& { return threads_[static_cast<std::size_t>(i)].waits_at_; };
  int waiting = first;
  while (call(waiting).collective == Collective::none) ++waiting;
  int other = first;
  while (call(other) == call(waiting)) ++other;
  int alike = 0;
  for (int i = first; i < first + threads; ++i) alike += call(i) == call(waiting);
  const auto context = [this](int i) -> const HostContext& { return threads_[static_cast<std::size_t>(i)]; };
  const std::string other_block = context(other).block_ == context(waiting).block_
                                      ? std::string()
                                      : fmt::format("block {}, ", context(other).block());
  throw DivergentBarrier(
      fmt::format("{}, block {}: thread {} {}, but {}thread {} {} ({} of {} threads agree with the "
                  "former)",
                  grid_->kernel.name, context(waiting).block(), context(waiting).thread(), to_string(call(waiting)),
                  other_block, context(other).thread(), to_string(call(other)), alike, threads));
}

}  // namespace pivotlab::host
