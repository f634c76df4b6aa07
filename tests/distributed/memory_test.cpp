// SPDX-License-Identifier: BSD-3-Clause
// The memory of a rank, counted in the allocator of matrices, is that of distributed_gsvd_memory().
#include "on_ranks.hpp"

#include <gtest/gtest.h>

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> now = 0, peak = 0;

}  // namespace

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), (bytes + 63) / 64 * 64);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t total = now += malloc_usable_size(memory);
  for (std::size_t known = peak; known < total && !peak.compare_exchange_weak(known, total);) {
  }
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept {
  now -= malloc_usable_size(memory);
  std::free(memory);
}

namespace pivotlab::memory_test {
namespace {

TEST(DistributedMemory, IsKnownInAdvance) {
  constexpr Index m_f = 640, m_g = 520, n = 505;
  const auto pair = test::random_pair<std::complex<double>>(m_f, m_g, n);
  for (const int ranks : {1, 2, 3}) {
    auto options = test::options_for("B");
    options.max_outermost_sweeps = 1;
    std::size_t before = 0;
    run_on_threads(ranks, [&](Transport& transport) {
      const auto mine = stripe_columns(n, options.variant, ranks, transport.rank());
      const auto F = columns_of(pair.F, mine), G = columns_of(pair.G, mine);
      gather_values(transport, 0);
      if (transport.rank() == 0) before = now.load(), peak = before;
      gather_values(transport, 0);
      gsvd_distributed<std::complex<double>>(transport, F, G, n, options);
    });
    const DistributedMemory memory = distributed_gsvd_memory(ScalarType::z, m_f, m_g, n, ranks, options, false);
    const auto used = static_cast<double>(peak - before) / ranks;
    EXPECT_LE(used, static_cast<double>(memory.host)) << ranks << " ranks";
    EXPECT_GE(used, 0.75 * static_cast<double>(memory.host)) << ranks << " ranks";
    EXPECT_EQ(memory.device, 0u);
  }
}

TEST(DistributedMemory, DeviceMemoryHalvesWithTwiceTheRanks) {
  const auto options = test::options_for("B", Backend::cuda);
  const auto device = [&](int ranks, bool through_host) {
    return static_cast<double>(
        distributed_gsvd_memory(ScalarType::z, 36864, 36864, 36864, ranks, options, through_host).device);
  };
  EXPECT_NEAR(device(4, false) / device(2, false), 0.5, 0.03);
  EXPECT_NEAR(device(4, true) / device(4, false), 2.0 / 3, 0.03);
  const double stripes = 16.0 * 36864 * 36864 * 3 * 1.5 / 4;  // three of F, G and Z
  EXPECT_GE(device(4, false), stripes);
  EXPECT_LE(device(4, false), stripes + 2e9);
}

TEST(DistributedMemory, StagingTakesChunksOfTheHostsMemory) {
  const auto options = test::options_for("B", Backend::cuda);
  const auto staging = [&](Index n, int ranks) {
    const auto host = [&](bool through_host) {
      return distributed_gsvd_memory(ScalarType::z, n, n, n, ranks, options, through_host).host;
    };
    return host(true) - host(false);
  };
  EXPECT_EQ(staging(36864, 4), 4U << 26);
  EXPECT_EQ(staging(128, 2), 4U * 16 * 3 * 128 * 32);  // stripes of 32 columns of F, G and Z
  EXPECT_EQ(staging(36864, 1), 0U);
}

}  // namespace
}  // namespace pivotlab::memory_test
