// SPDX-License-Identifier: BSD-3-Clause
// Runs the threads of one cluster of blocks as fibers of one thread of the host. Internal: only host_*.cpp include it.
#pragma once

#include "kernels/exec/fiber.hpp"
#include "kernels/exec/host_context.hpp"
#include "kernels/exec/lane_order.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab::host {

struct Grid;

/// A warp runs until all of its lanes wait for other warps, lane by lane from one barrier of the warp to the next; then
/// the next warp runs. A block runs until all of its threads wait for other blocks; then the next block runs. So two
/// threads that are not separated by a barrier run in opposite orders under forward and reverse. Fibers and stacks are
/// kept from cluster to cluster. Most kernels have clusters of one block. A resident
/// grid is one cluster, whose blocks wait at different places and end at different times.
class ClusterRunner {
 public:
  ClusterRunner() = default;
  ClusterRunner(ClusterRunner&&) = delete;

  /// Runs one cluster. Throws KernelError, or the exception of the body.
  void run(const Grid& grid, int cluster, Arranger arranger);

  /// Lets the other threads run until all that the caller waits for have arrived.
  void suspend();

 private:
  struct alignas(128) Line {
    std::byte bytes[128];
  };

  void reserve(int threads);
  void prepare(const Grid& grid, int cluster);
  void run_cluster(Arranger& arranger);
  bool run_block(int rank, Arranger& arranger);
  void run_warp(int warp, Arranger& arranger);
  void run_thread(int thread);
  static void run_threads(void* self);
  void resume(int thread);
  void switch_to(int thread, Fiber* self);
  void yield();
  void abandon();

  std::byte* stack(int thread);
  void check_stacks();
  std::string place(int thread) const;
  [[noreturn]] void report_divergence(int first, int threads) const;

  std::unique_ptr<std::byte[]> stacks_;
  std::vector<Fiber> fibers_;
  Fiber scheduler_ = nullptr;
  int running_ = 0;       // thread of the cluster
  std::size_t turn_ = 0;  // of the running lane in lane_order_
  std::vector<HostContext> threads_;
  std::vector<Warp> warps_;
  std::vector<Line> shared_;
  std::vector<Block> blocks_;

  const Grid* grid_ = nullptr;
  int all_threads_ = 0;  // of the cluster
  std::vector<int> block_order_, warp_order_;
  std::array<int, warp_size> lane_order_;
  std::exception_ptr failure_;
  bool abandoning_ = false;  // suspended threads unwind their stacks
};

}  // namespace pivotlab::host
