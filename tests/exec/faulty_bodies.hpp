// SPDX-License-Identifier: BSD-3-Clause
// Kernel bodies, each with one fault.
#pragma once

#include "kernels/exec/portable.hpp"

#include <stdexcept>

namespace pivotlab::exec_test {

enum class Fault {
  none,
  no_barrier,              // no barrier of the block between writing and reading shared memory
  no_barrier_of_the_warp,  // no barrier of the warp there
  some_threads_skip,       // some threads skip a barrier and end
  warps_skip,              // whole warps skip a barrier and end
  other_barrier,           // some threads wait at a barrier of another kind
  other_place,             // some warps wait at a barrier of the same kind elsewhere
  lanes_skip_shuffle,      // some lanes skip a shuffle and wait for the block
  index_too_large,
  index_negative,
  index_after_arithmetic,
  vector_across_the_end,
  vector_misaligned,
  array_too_large,
  array_misaligned,
  throws,
};

/// Moves numbers to the next thread through shared memory, across warps, then within them.
template <Fault fault>
struct Rotation {
  struct Arguments {
    double* x;  // threads × blocks
    int* unwound;
  };
  static constexpr int threads = 128;
  static constexpr int min_blocks = 1;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(double));

  /// Counts the threads whose stacks were unwound.
  struct Witness {
    int* unwound;
    ~Witness() {
      if (unwound) ++*unwound;
    }
  };

  template <class Context>
  static void run(Context& context, const Arguments& arguments) {
    const Witness witness{arguments.unwound};
    auto shared = context.template shared<double>(0, threads);
    const int i = context.thread();
    double& x = arguments.x[context.block() * threads + i];
    shared[i] = x;
    if constexpr (fault == Fault::some_threads_skip)
      if (i % 3 == 1) return;
    if constexpr (fault == Fault::warps_skip)
      if (context.warp() == 2) return;
    if constexpr (fault == Fault::other_barrier)
      if (i == 77) context.sync_warp();
    if constexpr (fault == Fault::other_place)
      if (context.warp() == 3) context.sync();
    if constexpr (fault == Fault::lanes_skip_shuffle)
      if (i % 2 == 0) context.shuffle_xor(i, 2);
    if constexpr (fault != Fault::no_barrier) context.sync();
    x = shared[(i + warp_size) % threads];
    context.sync();
    shared[i] = x;
    if constexpr (fault != Fault::no_barrier_of_the_warp) context.sync_warp();
    const int other_lane = i / warp_size * warp_size + (i + 1) % warp_size;
    x = shared[other_lane];
    if constexpr (fault == Fault::index_too_large) x = shared[i + 1];
    if constexpr (fault == Fault::index_negative) shared[i - 1] = x;
    if constexpr (fault == Fault::index_after_arithmetic) x = (shared + 64 - 8)[i + 8];
    if constexpr (fault == Fault::vector_across_the_end)
      x = context.load2(context.template shared<double>(0, threads - 1) + i / 2 * 2).x;
    if constexpr (fault == Fault::vector_misaligned) x = context.load2(shared + (i & 1)).x;
    if constexpr (fault == Fault::array_too_large) context.template shared<double>(16, threads);
    if constexpr (fault == Fault::array_misaligned) context.template shared<double>(4, 2);
    if constexpr (fault == Fault::throws)
      if (i == 5) throw std::runtime_error("from the body");
  }
};

enum class ClusterFault { none, no_barrier, a_block_skips, no_such_rank };

/// Moves numbers to the next block of the cluster.
template <ClusterFault fault>
struct ClusterRotation {
  struct Arguments {
    double* x;  // threads × blocks
  };
  static constexpr int threads = 32;
  static constexpr int min_blocks = 1;
  static constexpr int cluster_blocks = 4;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(double));

  template <class Context>
  static void run(Context& context, const Arguments& arguments) {
    double& x = arguments.x[context.block() * threads + context.thread()];
    const int other =
        fault == ClusterFault::no_such_rank ? cluster_blocks : (context.cluster_rank() + 1) % cluster_blocks;
    context.template cluster_shared<double>(other, 0, threads)[context.thread()] = x;
    if constexpr (fault == ClusterFault::a_block_skips)
      if (context.cluster_rank() == 2) return;
    if constexpr (fault != ClusterFault::no_barrier) context.cluster_sync();
    x = context.template shared<double>(0, threads)[context.thread()];
  }
};

/// Brings numbers to shared memory by asynchronous copies and writes every pair reversed by another thread.
template <bool waits, bool synchronizes>
struct Fetch {
  struct Arguments {
    const double* from;
    double* to;
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;
  static constexpr int shared_bytes = 2 * threads * static_cast<int>(sizeof(double));

  template <class Context>
  static void run(Context& context, const Arguments& arguments) {
    auto shared = context.template shared<double>(0, 2 * threads);
    const int i = 2 * context.thread();
    context.copy_async(shared + i, arguments.from + i);
    context.commit();
    if constexpr (waits) context.template wait<0>();
    if constexpr (synchronizes) context.sync();
    arguments.to[i] = shared[(i + 3) % (2 * threads)];
    arguments.to[i + 1] = shared[(i + 2) % (2 * threads)];
  }
};

/// The blocks of a resident grid wait for messages of which the last never comes.
struct WaitForEver {
  struct Arguments {
    NumberedDouble* boxes;  // one for each block
    int* gave_up;
  };
  static constexpr int threads = 32;
  static constexpr int min_blocks = 1;
  static constexpr bool resident = true;

  template <class Context>
  static void run(Context& context, const Arguments& arguments) {
    const int block = context.block(), next = (block + 1) % context.blocks();
    for (unsigned number = 1; number <= 2; ++number) {
      if (context.thread() == 0 && (number == 1 || block > 0)) context.send(arguments.boxes + next, 1, number);
      double x;
      context.wait_until([&] { return context.receive(arguments.boxes + block, number, x); }, arguments.gave_up);
    }
  }
};

}  // namespace pivotlab::exec_test
