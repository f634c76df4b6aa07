// SPDX-License-Identifier: BSD-3-Clause
// Kernel bodies that use all functions of a context, and functions that run them on any executor.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace pivotlab::exec_test {

/// Reproducible numbers in (−1, 1) with all 53 bits in use.
inline std::vector<double> random_numbers(int count, std::uint64_t seed) {
  std::vector<double> x(static_cast<std::size_t>(count));
  std::uint64_t state = seed * 2862933555777941757u + 3037000493u;
  for (double& value : x) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>(static_cast<std::int64_t>(state) >> 10) * 0x1p-53;
  }
  return x;
}

/// Appends a digit: to := 10·to + from.
struct Append {
  struct Arguments {
    double* to;
    const double* from;
  };
  static constexpr int threads = 32;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    if (context.thread() == 0) *a.to = 10 * *a.to + *a.from;
  }
};

/// C += A·B for one 16 × 8 tile per warp of every block; A is 16 × K by rows, B is K × 8 by columns, C 16 × 8 by rows.
template <int K>
struct Products {
  struct Arguments {
    const double* a;
    const double* b;
    double* c;
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    const int tile = context.block() * (threads / warp_size) + context.warp();
    const int row = context.lane() / 4, quarter = context.lane() % 4;
    const double* a_tile = arguments.a + tile * 16 * K;
    const double* b_tile = arguments.b + tile * 8 * K;
    double* c_tile = arguments.c + tile * 16 * 8;
    double a[K / 2], b[K / 4], c[4];
    for (int i = 0; i < K / 2; ++i) a[i] = a_tile[(row + 8 * (i % 2)) * K + quarter + 4 * (i / 2)];
    for (int i = 0; i < K / 4; ++i) b[i] = b_tile[row * K + quarter + 4 * i];
    for (int i = 0; i < 4; ++i) c[i] = c_tile[(row + 8 * (i / 2)) * 8 + 2 * quarter + i % 2];
    context.mma(c, a, b);
    for (int i = 0; i < 4; ++i) c_tile[(row + 8 * (i / 2)) * 8 + 2 * quarter + i % 2] = c[i];
  }
};

/// Products of digits, one 16 × 8 tile per warp, of A and B by rows: [tile][digit][row][k] and
/// [tile][digit][column][k]; `sums` is [tile][level][row][column], and the number after it becomes the largest of them,
/// if it is positive.
struct DigitProducts {
  struct Arguments {
    const double* a;  // in (−1, 1): digits are these numbers times 128, rounded down
    const double* b;
    std::int32_t* sums;
    int tiles;
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;
  static constexpr int digits = 3, levels = 4;

  static PIVOTLAB_DEVICE int digit(double x) { return static_cast<int>(std::floor(128 * x)); }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    const int tile = context.block() * (threads / warp_size) + context.warp();
    const int row = context.lane() / 4, quarter = context.lane() % 4;
    const auto four = [](const double* x) {
      std::uint32_t word = 0;
      for (int k = 0; k < 4; ++k) word |= static_cast<std::uint32_t>(digit(x[k]) & 255) << 8 * k;
      return word;
    };
    std::uint32_t a[digits][4], b[digits][2];
    std::int32_t c[levels][4] = {};
    for (int d = 0; d < digits; ++d) {
      const double* a_tile = arguments.a + (tile * digits + d) * 16 * 32 + 4 * quarter;
      const double* b_tile = arguments.b + (tile * digits + d) * 8 * 32 + 4 * quarter;
      for (int i = 0; i < 4; ++i) a[d][i] = four(a_tile + (row + i % 2 * 8) * 32 + i / 2 * 16);
      for (int i = 0; i < 2; ++i) b[d][i] = four(b_tile + row * 32 + 16 * i);
    }
    context.mma(c, a, b);
    for (int l = 0; l < levels; ++l)
      for (int i = 0; i < 4; ++i) {
        arguments.sums[((tile * levels + l) * 16 + row + i / 2 * 8) * 8 + 2 * quarter + i % 2] = c[l][i];
        context.raise(arguments.sums + arguments.tiles * levels * 16 * 8, c[l][i]);
      }
  }
};

/// Shuffles of int and double, votes and maxima of warps and counts of blocks, one after the other without a pause
/// between them.
struct Exchanges {
  struct Arguments {
    const double* x;
    double* result;  // 8 for each thread
  };
  static constexpr int threads = 128;
  static constexpr int min_blocks = 2;
  static constexpr int results = 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    const int i = context.block() * context.threads() + context.thread();
    const double x = arguments.x[i];
    double* result = arguments.result + i * results;
    result[0] = context.shuffle_xor(x, 1) + context.shuffle_xor(x, 16);
    result[1] = context.shuffle_xor(context.lane(), 5);
    result[2] = context.shuffle(x, (context.lane() * 7 + 3) % warp_size);
    result[3] = context.shuffle(i, 31);
    result[4] = context.count(x > 0);
    result[5] = context.warp_any(x > 0.95) + 2 * context.warp_any(x > -2) + 4 * context.warp_any(x > 2);
    result[6] = context.count(context.thread() % 3 == 0) + 1000 * context.count(x < -0.5);
    result[7] = context.warp_max(0x80000000u + static_cast<unsigned>(i % 7)) +
                context.warp_max(static_cast<unsigned>(i) * 31 % 37);
  }
};

/// Sums of the blocks' elements: in warps by shuffles, then in shared memory.
struct BlockSums {
  struct Arguments {
    const double* x;
    double* sums;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  static constexpr int shared_bytes = threads / warp_size * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    auto sums = context.template shared<double>(0, threads / warp_size);
    double sum = arguments.x[context.block() * threads + context.thread()];
    for (int mask = warp_size / 2; mask > 0; mask /= 2) sum += context.shuffle_xor(sum, mask);
    if (context.lane() == 0) sums[context.warp()] = sum;
    context.sync();
    if (context.thread() == 0) {
      double total = 0;
      for (int i = 0; i < threads / warp_size; ++i) total += sums[i];
      arguments.sums[context.block()] = total;
    }
  }
};

/// The sum of the elements of each cluster, which all of its blocks compute from the sums of all.
struct ClusterSums {
  struct Arguments {
    const double* x;
    double* sums;  // one for each block
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;
  static constexpr int cluster_blocks = 16;
  static constexpr int shared_bytes = cluster_blocks * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    const auto sums = context.template shared<double>(0, cluster_blocks);
    double sum = arguments.x[context.block() * threads + context.thread()];
    for (int mask = warp_size / 2; mask > 0; mask /= 2) sum += context.shuffle_xor(sum, mask);
    const int to = context.lane();
    context.cluster_sync();
    if (context.warp() == 1 && to < cluster_blocks)
      context.template cluster_shared<double>(to, 0, cluster_blocks)[context.cluster_rank()] = sum;
    context.cluster_sync();
    if (context.thread() == 0) {
      double total = 0;
      for (int rank = 0; rank < cluster_blocks; ++rank) total += sums[rank];
      arguments.sums[context.block()] = total;
    }
  }
};

/// Passes numbers around a ring of blocks, `rounds` times: a block adds its index to those that it receives.
struct Relay {
  struct Arguments {
    NumberedDouble* boxes;  // a box of `threads` for each block, zeros
    int rounds;
    int* gave_up;
    double* received;  // by each thread in the last round
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;
  static constexpr bool resident = true;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    const int i = context.thread(), next = (context.block() + 1) % context.blocks();
    const auto shared = context.template shared<double>(0, threads);
    for (int round = 0; round < arguments.rounds; ++round) {
      double x = i;
      if (round > 0 || context.block() > 0) {
        const unsigned number = round + (context.block() > 0 ? 1 : 0);
        const auto ready = [&] { return context.receive(arguments.boxes + context.block() * threads + i, number, x); };
        if (!context.wait_until(ready, arguments.gave_up)) return;
      }
      shared[i] = x;
      context.sync();
      x = shared[(i + 1) % threads];
      arguments.received[context.block() * threads + i] = x;
      context.send(arguments.boxes + next * threads + i, x + context.block(), round + 1);
      context.sync();
    }
  }
};

/// Sends 7 to a box, or waits for it if there is memory for what is received.
struct Message {
  struct Arguments {
    NumberedDouble* box;  // zeros before it is sent
    int* gave_up;
    double* received;
  };
  static constexpr int threads = 32;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    double x = 0;
    if (a.received == nullptr) {
      if (context.thread() == 0) context.send(a.box, 7, 1);
    } else if (context.wait_until([&] { return context.receive(a.box, 1, x); }, a.gave_up))
      *a.received = x;
  }
};

/// Streams chunks of x through two buffers by asynchronous copies and writes every chunk reversed.
struct ReversedChunks {
  struct Arguments {
    const double* x;
    double* reversed;
    int chunks;
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;
  static constexpr int chunk = 2 * threads;
  static constexpr int shared_bytes = 2 * chunk * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    auto buffers = context.template shared<double>(0, 2 * chunk);
    const int own = 2 * context.thread();
    const auto fetch = [&](int i) {
      if (i < arguments.chunks) context.copy_async(buffers + (i % 2 * chunk + own), arguments.x + i * chunk + own);
      context.commit();
    };
    fetch(0);
    for (int i = 0; i < arguments.chunks; ++i) {
      fetch(i + 1);
      context.template wait<1>();
      context.sync();
      const DoublePair pair = context.load2(buffers + (i % 2 * chunk + chunk - 2 - own));
      context.store2(arguments.reversed + i * chunk + own, pair.y, pair.x);
      context.sync();
    }
  }
};

/// Reverses more numbers than the 48 KiB of shared memory that a kernel gets without asking.
struct LargeReversal {
  struct Arguments {
    const double* x;
    double* reversed;
  };
  static constexpr int threads = 512;
  static constexpr int min_blocks = 1;
  static constexpr int count = 24 * threads;
  static constexpr int shared_bytes = count * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    auto numbers = context.template shared<double>(0, count);
    for (int i = context.thread(); i < count; i += threads) numbers[i] = arguments.x[i];
    context.sync();
    for (int i = context.thread(); i < count; i += threads) arguments.reversed[i] = numbers[count - 1 - i];
  }
};

/// x ← factor · x
struct Scale {
  struct Arguments {
    double* x;
    int n;
    double factor;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    const int i = context.block() * threads + context.thread();
    if (i < arguments.n) arguments.x[i] *= arguments.factor;
  }
};

template <class Executor>
auto uploaded(Executor& executor, const std::vector<double>& x) {
  auto buffer = executor.template allocate<double>(x.size());
  executor.upload(buffer.data(), x.data(), x.size());
  return buffer;
}

template <class Executor, class Buffer>
std::vector<double> downloaded(Executor& executor, const Buffer& buffer) {
  std::vector<double> x(buffer.size());
  executor.download(x.data(), buffer.data(), x.size());
  return x;
}

template <int K, class Executor>
std::vector<double> products(Executor& executor, int blocks) {
  const int tiles = blocks * Products<K>::threads / warp_size;
  const auto a = uploaded(executor, random_numbers(tiles * 16 * K, 1));
  const auto b = uploaded(executor, random_numbers(tiles * 8 * K, 2));
  const auto c = uploaded(executor, random_numbers(tiles * 16 * 8, 3));
  executor.template launch<Products<K>>(blocks, 0, {a.data(), b.data(), c.data()});
  return downloaded(executor, c);
}

template <class Executor>
std::vector<std::int32_t> digit_products(Executor& executor, int blocks) {
  using Body = DigitProducts;
  const int tiles = blocks * Body::threads / warp_size;
  const auto a = uploaded(executor, random_numbers(tiles * Body::digits * 16 * 32, 1));
  const auto b = uploaded(executor, random_numbers(tiles * Body::digits * 8 * 32, 2));
  std::vector<std::int32_t> sums(static_cast<std::size_t>(tiles * Body::levels * 16 * 8 + 1));
  const auto buffer = executor.template allocate<std::int32_t>(sums.size());
  executor.fill_zero(buffer.data(), buffer.size());
  executor.template launch<Body>(blocks, 0, {a.data(), b.data(), buffer.data(), tiles});
  executor.download(sums.data(), buffer.data(), sums.size());
  return sums;
}

template <class Executor>
std::vector<double> exchanges(Executor& executor, int blocks) {
  const int n = blocks * Exchanges::threads;
  const auto x = uploaded(executor, random_numbers(n, 4));
  const auto result = executor.template allocate<double>(static_cast<std::size_t>(n * Exchanges::results));
  executor.template launch<Exchanges>(blocks, 0, {x.data(), result.data()});
  return downloaded(executor, result);
}

template <class Executor>
std::vector<double> block_sums(Executor& executor, int blocks) {
  const auto x = uploaded(executor, random_numbers(blocks * BlockSums::threads, 5));
  const auto sums = executor.template allocate<double>(static_cast<std::size_t>(blocks));
  executor.template launch<BlockSums>(blocks, BlockSums::shared_bytes, {x.data(), sums.data()});
  return downloaded(executor, sums);
}

template <class Executor>
std::vector<double> cluster_sums(Executor& executor, int clusters) {
  const int blocks = clusters * ClusterSums::cluster_blocks;
  const auto x = uploaded(executor, random_numbers(blocks * ClusterSums::threads, 11));
  const auto sums = executor.template allocate<double>(static_cast<std::size_t>(blocks));
  executor.template launch<ClusterSums>(blocks, ClusterSums::shared_bytes, {x.data(), sums.data()});
  return downloaded(executor, sums);
}

template <class Executor>
std::vector<double> relayed(Executor& executor, int blocks, int rounds) {
  const auto count = static_cast<std::size_t>(blocks * Relay::threads);
  const auto boxes = executor.template allocate<NumberedDouble>(count);
  const auto received = executor.template allocate<double>(count);
  const auto gave_up = executor.template allocate<int>(1);
  executor.fill_zero(boxes.data(), count);
  executor.fill_zero(gave_up.data(), 1);
  executor.template launch<Relay>(blocks, Relay::shared_bytes, {boxes.data(), rounds, gave_up.data(), received.data()});
  return downloaded(executor, received);
}

template <class Executor>
std::vector<double> reversed_chunks(Executor& executor, int chunks) {
  const auto x = uploaded(executor, random_numbers(chunks * ReversedChunks::chunk, 6));
  const auto reversed = executor.template allocate<double>(x.size());
  executor.template launch<ReversedChunks>(1, ReversedChunks::shared_bytes, {x.data(), reversed.data(), chunks});
  return downloaded(executor, reversed);
}

template <class Executor>
std::vector<double> large_reversal(Executor& executor) {
  const auto x = uploaded(executor, random_numbers(LargeReversal::count, 7));
  const auto reversed = executor.template allocate<double>(x.size());
  executor.template launch<LargeReversal>(1, LargeReversal::shared_bytes, {x.data(), reversed.data()});
  return downloaded(executor, reversed);
}

/// Records "x ← 0 in the first half; x ← 3·x; disturb(); x ← x/2" and replays it `times` times on numbers uploaded
/// after the recording.
template <class Executor, class Disturb>
std::vector<double> replayed(Executor& executor, int times, Disturb&& disturb) {
  const int n = 1000;
  const auto x = executor.template allocate<double>(n);
  const int blocks = (n + Scale::threads - 1) / Scale::threads;
  const auto recording = executor.record([&] {
    executor.fill_zero(x.data(), n / 2);
    executor.template launch<Scale>(blocks, 0, {x.data(), n, 3.0});
    disturb();
    executor.template launch<Scale>(blocks, 0, {x.data(), n, 0.5});
  });
  executor.upload(x.data(), random_numbers(n, 8).data(), n);
  for (int i = 0; i < times; ++i) executor.replay(recording);
  executor.synchronize();
  return downloaded(executor, x);
}

/// cluster_sums of a recording.
template <class Executor>
std::vector<double> replayed_cluster_sums(Executor& executor, int clusters) {
  const int blocks = clusters * ClusterSums::cluster_blocks;
  const auto x = uploaded(executor, random_numbers(blocks * ClusterSums::threads, 11));
  const auto sums = executor.template allocate<double>(static_cast<std::size_t>(blocks));
  const auto recording = executor.record([&] {
    executor.template launch<ClusterSums>(blocks, ClusterSums::shared_bytes, {x.data(), sums.data()});
  });
  executor.replay(recording);
  return downloaded(executor, sums);
}

/// Runs launches with side branches, in a recording that is replayed twice or at once two times. Every order that
/// these permit gives the same numbers.
template <class Executor>
std::vector<double> with_side_branches(Executor& executor, bool recorded) {
  const auto x = uploaded(executor, {1, 0, 0, 0});
  double *const one = x.data(), *const a = one + 1, *const b = one + 2, *const side = one + 3;
  const auto append = [&](double* to, const double* from) { executor.template launch<Append>(1, 0, {to, from}); };
  const auto work = [&] {
    append(a, one);
    executor.beside([&] {
      append(side, a);
      append(side, one);
    });
    append(b, a);
    executor.beside([] {});
    append(a, one);
    executor.beside([&] { append(side, a); });
    append(b, one);
    executor.join();
    append(a, side);
    executor.beside([&] { append(side, b); });
  };
  if (recorded) {
    const auto recording = executor.record(work);
    for (int i = 0; i < 2; ++i) executor.replay(recording);
    executor.synchronize();
  } else
    for (int i = 0; i < 2; ++i) work();
  return downloaded(executor, x);
}

/// Returns 7 if a launch beside the main chain receives what a later launch of the main chain sends.
template <class Executor>
double received_by_side_branch(Executor& executor) {
  const auto box = executor.template allocate<NumberedDouble>(1);
  const auto gave_up = executor.template allocate<int>(1);
  const auto received = uploaded(executor, {0.0});
  executor.fill_zero(box.data(), 1);
  executor.fill_zero(gave_up.data(), 1);
  const auto recording = executor.record([&] {
    executor.beside([&] { executor.template launch<Message>(1, 0, {box.data(), gave_up.data(), received.data()}); });
    executor.template launch<Message>(1, 0, {box.data(), gave_up.data(), nullptr});
  });
  executor.replay(recording);
  return downloaded(executor, received).front();
}

/// Returns 5 if `executor` works after a recording that fails because it waits.
template <class Executor>
double product_after_failed_recording(Executor& executor) {
  const auto x = uploaded(executor, {1.0});
  try {
    executor.record([&] {
      executor.template launch<Scale>(1, 0, {x.data(), 1, 2.0});
      executor.synchronize();
    });
  } catch (const std::logic_error&) {
    executor.template launch<Scale>(1, 0, {x.data(), 1, 5.0});
  }
  return downloaded(executor, x).front();
}

}  // namespace pivotlab::exec_test
