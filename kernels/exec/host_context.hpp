// SPDX-License-Identifier: BSD-3-Clause
// The execution context of the host (README.md describes each call): one per thread of the running block.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/exec/shared_array.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <source_location>
#include <type_traits>
#include <vector>

namespace pivotlab {

class HostContext;

namespace host {

enum class Collective {
  none,
  sync,
  count,
  cluster_sync,
  wait_until,
  sync_warp,
  warp_any,
  warp_max,
  shuffle_int,
  shuffle_double,
  mma4,
  mma8,
  mma16,
  mma_of_digits
};

constexpr bool is_of_block(Collective c) {
  return c == Collective::sync || c == Collective::count || c == Collective::cluster_sync ||
         c == Collective::wait_until;
}

/// A call that returns when all threads of the cluster, of the block, or of the warp have made it.
struct Call {
  Collective collective = Collective::none;
  std::source_location where;
};

inline bool operator==(const Call& a, const Call& b) {
  return a.collective == b.collective && a.where.line() == b.where.line() &&
         (a.where.file_name() == b.where.file_name() || std::strcmp(a.where.file_name(), b.where.file_name()) == 0);
}

/// Data that the lanes of a warp exchange.
struct Exchange {
  std::array<std::uint64_t, warp_size> value;
  std::array<std::array<double, 16>, 16> a;                              // row, k
  std::array<std::array<double, 16>, 8> b;                               // column, k
  std::array<std::array<std::array<std::int16_t, 32>, 16>, 4> digits_a;  // digit, row, k
  std::array<std::array<std::array<std::int16_t, 32>, 8>, 4> digits_b;   // digit, column, k
};

struct Warp {
  /// Two buffers: lanes write one while slower lanes still read the other.
  std::array<Exchange, 2> exchanges;
  int filling = 0;
  bool any_pending = false, any = false;

  /// Called when all lanes have arrived.
  void complete() {
    filling = 1 - filling;
    any = any_pending;
    any_pending = false;
  }

  Exchange& outgoing() { return exchanges[filling]; }
  const Exchange& incoming() const { return exchanges[1 - filling]; }
};

class ClusterRunner;

struct Block {
  ClusterRunner* runner = nullptr;
  const Block* cluster = nullptr;  ///< the blocks of the cluster
  int index = 0, rank = 0, blocks = 0, threads = 0, cluster_blocks = 1;
  std::byte* shared = nullptr;
  int shared_bytes = 0;
  int count_pending = 0, count = 0;
  bool ended = false;

  /// Called when all threads have arrived.
  void complete() {
    count = count_pending;
    count_pending = 0;
  }
};

/// The asynchronous copies of a thread. They are done as late as possible, in wait(), so that a missing wait is
/// detected.
class AsyncCopies {
 public:
  void add(void* to, const void* from) { copies_.push_back({to, from}); }
  void commit() { ends_of_groups_.push_back(copies_.size()); }
  void wait(std::size_t groups_under_way);
  void clear();

 private:
  struct Copy {
    void* to;
    const void* from;
  };
  std::vector<Copy> copies_;
  std::vector<std::size_t> ends_of_groups_;
};

/// Runs the other threads; returns when all threads that `call` is for have made it.
void arrive(HostContext& thread, Call call);

}  // namespace host

class HostContext {
 public:
  using Where = std::source_location;

  HostContext(host::Block* block, host::Warp* warp, int thread) : block_(block), warp_(warp), thread_(thread) {}

  int block() const { return block_->index; }
  int blocks() const { return block_->blocks; }
  int thread() const { return thread_; }
  int threads() const { return block_->threads; }
  int warp() const { return thread_ / warp_size; }
  int lane() const { return thread_ % warp_size; }

  template <class T>
  SharedArray<T> shared(int offset, int count) {
    return shared_of<T>(*block_, offset, count);
  }

  int cluster_rank() const { return block_->rank; }
  template <class T>
  SharedArray<T> cluster_shared(int rank, int offset, int count) {
    if (rank < 0 || rank >= block_->cluster_blocks) host::report_no_rank(rank, block_->cluster_blocks);
    return shared_of<T>(block_->cluster[rank], offset, count);
  }
  void cluster_sync(Where where = Where::current()) { host::arrive(*this, {host::Collective::cluster_sync, where}); }

  void sync(Where where = Where::current()) { host::arrive(*this, {host::Collective::sync, where}); }

  int count(bool x, Where where = Where::current()) {
    block_->count_pending += x;
    host::arrive(*this, {host::Collective::count, where});
    return block_->count;
  }

  template <class Ready>
  bool wait_until(const Ready& ready, const int* /*gave_up*/, Where where = Where::current()) {
    do {
      block_->count_pending += !ready();
      host::arrive(*this, {host::Collective::wait_until, where});
    } while (block_->count > 0);
    return true;
  }
  void send(NumberedDouble* to, double x, unsigned number) const {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    *to = {static_cast<unsigned>(bits), number, static_cast<unsigned>(bits >> 32), number};
  }
  bool receive(const NumberedDouble* from, unsigned number, double& x) const {
    x = std::bit_cast<double>(std::uint64_t(from->high) << 32 | from->low);
    return from->number == number && from->number_again == number;
  }

  void sync_warp(Where where = Where::current()) { host::arrive(*this, {host::Collective::sync_warp, where}); }

  bool warp_any(bool x, Where where = Where::current()) {
    warp_->any_pending |= x;
    host::arrive(*this, {host::Collective::warp_any, where});
    return warp_->any;
  }

  unsigned warp_max(unsigned x, Where where = Where::current()) {
    warp_->outgoing().value[lane()] = x;
    host::arrive(*this, {host::Collective::warp_max, where});
    const auto& all = warp_->incoming().value;
    return static_cast<unsigned>(*std::max_element(all.begin(), all.end()));
  }

  void raise(std::int32_t* x, std::int32_t least) const {
    const std::atomic_ref shared(*x);
    for (std::int32_t old = shared.load(); old < least && !shared.compare_exchange_weak(old, least);) {
    }
  }

  void raise(SharedArray<std::int32_t> x, std::int32_t least) const { x[0] = std::max(x[0], least); }

  template <class T>
  T shuffle_xor(T x, int mask, Where where = Where::current()) {
    return shuffle(x, lane() ^ mask, where);
  }

  template <class T>
  T shuffle(T x, int lane_of_source, Where where = Where::current()) {
    static_assert(std::is_same_v<T, int> || std::is_same_v<T, double>);
    using Bits = std::conditional_t<std::is_same_v<T, int>, std::uint32_t, std::uint64_t>;
    warp_->outgoing().value[lane()] = std::bit_cast<Bits>(x);
    constexpr auto collective =
        std::is_same_v<T, int> ? host::Collective::shuffle_int : host::Collective::shuffle_double;
    host::arrive(*this, {collective, where});
    return std::bit_cast<T>(static_cast<Bits>(warp_->incoming().value[lane_of_source % warp_size]));
  }

  template <std::size_t Held, std::size_t Quarter>
  void mma(double (&c)[4], const double (&a)[Held], const double (&b)[Quarter], Where where = Where::current()) {
    static_assert(Held == 2 * Quarter && (Quarter == 1 || Quarter == 2 || Quarter == 4));
    constexpr int depth = 4 * Quarter;
    constexpr auto collective = depth == 4   ? host::Collective::mma4
                                : depth == 8 ? host::Collective::mma8
                                             : host::Collective::mma16;
    const int group = lane() / 4, in_group = lane() % 4;
    auto& out = warp_->outgoing();
    for (int i = 0; i < static_cast<int>(Held); ++i) out.a[group + 8 * (i % 2)][in_group + 4 * (i / 2)] = a[i];
    for (int i = 0; i < static_cast<int>(Quarter); ++i) out.b[group][in_group + 4 * i] = b[i];
    host::arrive(*this, {collective, where});
    const auto& in = warp_->incoming();
    for (int k = 0; k < depth; ++k)
      for (int i = 0; i < 4; ++i) c[i] = std::fma(in.a[group + 8 * (i / 2)][k], in.b[2 * in_group + i % 2][k], c[i]);
  }

  template <int levels, int digits>
  void mma(std::int32_t (&c)[levels][4], const std::uint32_t (&a)[digits][4], const std::uint32_t (&b)[digits][2],
           Where where = Where::current()) {
    static_assert(digits <= 4 && levels < 2 * digits);
    const int group = lane() / 4, in_group = lane() % 4;
    auto& out = warp_->outgoing();
    for (int d = 0; d < digits; ++d) {
      for (int i = 0; i < 16; ++i) {
        const auto byte = [&](std::uint32_t word) { return static_cast<std::int8_t>(word >> 8 * (i % 4)); };
        const int k = 4 * in_group + i / 8 * 16 + i % 4;
        out.digits_a[d][group + 8 * (i / 4 % 2)][k] = byte(a[d][i / 4]);
        if (i / 4 % 2 == 0) out.digits_b[d][group][k] = byte(b[d][i / 8]);
      }
    }
    host::arrive(*this, {host::Collective::mma_of_digits, where});
    const auto& in = warp_->incoming();
    for (int d = 0; d < digits; ++d)
      for (int e = 0; e < digits && d + e < levels; ++e)
        for (int i = 0; i < 4; ++i) {
          const auto &row = in.digits_a[d][group + 8 * (i / 2)], &column = in.digits_b[e][2 * in_group + i % 2];
          c[d + e][i] = std::inner_product(row.begin(), row.end(), column.begin(), c[d + e][i]);
        }
  }

  template <class T>
  void copy_async(SharedArray<T> to, const std::type_identity_t<T>* from) {
    host::check_aligned(from, 16);
    copies_.add(to.vector(), from);
  }
  void commit() { copies_.commit(); }
  template <int N>
  void wait() {
    copies_.wait(N);
  }

  DoublePair load2(SharedArray<const double> from) const { return load2(from.vector()); }
  DoublePair load2(const double* from) const {
    host::check_aligned(from, 16);
    return {from[0], from[1]};
  }
  DoublePair load2_constant(const double* from) const { return load2(from); }
  template <class R, int count>
  void store(R* to, const R (&x)[count]) const {
    host::check_aligned(to, sizeof(x));
    std::copy(x, x + count, to);
  }
  void store2(SharedArray<double> to, double x, double y) const { store2(to.vector(), x, y); }
  void store2(double* to, double x, double y) const {
    host::check_aligned(to, 16);
    to[0] = x;
    to[1] = y;
  }

 private:
  friend class host::ClusterRunner;
  friend void host::arrive(HostContext&, host::Call);

  template <class T>
  static SharedArray<T> shared_of(const host::Block& block, int offset, int count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = static_cast<std::ptrdiff_t>(count) * static_cast<std::ptrdiff_t>(sizeof(T));
    if (offset < 0 || bytes < 0 || offset + bytes > block.shared_bytes)
      host::report_outside(offset, bytes, block.shared_bytes);
    std::byte* address = block.shared + offset;
    host::check_aligned(address, alignof(T));
    return {reinterpret_cast<T*>(address), count};
  }

  host::Block* block_;
  host::Warp* warp_;
  int thread_;
  host::Call waits_at_;  // none: the thread runs or has ended
  host::AsyncCopies copies_;
};

}  // namespace pivotlab
