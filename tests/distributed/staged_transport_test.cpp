// SPDX-License-Identifier: BSD-3-Clause
// Stripes in chunks through the host: the data arrive, also in place of the sent data, with no more memory than
// documented, and copies overlap with sends.
#include "kernels/gsvd/distributed/staged_transport.hpp"
#include "kernels/gsvd/distributed/forwarding_transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace pivotlab::staged_transport_test {
namespace {

/// Performs copies as late as allowed, in the call that waits for them.
class LateStaging final : public Staging {
 public:
  std::byte* allocate(std::size_t bytes) override {
    allocated += bytes;
    return memory_.emplace_back(new std::byte[bytes]).get();
  }
  void begin(Way way, void* to, const void* from, std::size_t bytes) override {
    EXPECT_FALSE(under_way[way]) << "two copies one way";
    copies_[way] = {to, from, bytes};
    under_way[way] = true;
  }
  void wait(Way way) override {
    if (under_way[way]) std::memcpy(copies_[way].to, copies_[way].from, copies_[way].bytes);
    under_way[way] = false;
  }

  std::size_t allocated = 0;
  std::array<bool, 2> under_way{};

 private:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  std::array<Copy, 2> copies_{};
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};

/// Calls `watch` before each exchange.
class WatchedTransport final : public ForwardingTransport {
 public:
  WatchedTransport(Transport& transport, std::function<void()> watch)
      : ForwardingTransport(transport), watch_(std::move(watch)) {}
  void exchange(int to, std::span<const Piece> outgoing) override {
    watch_();
    ForwardingTransport::exchange(to, outgoing);
  }

 private:
  std::function<void()> watch_;
};

using Numbers = std::vector<int>;

Numbers numbers_from(int first, std::size_t count) {
  Numbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

Piece piece(Numbers& numbers) {
  return {numbers.data(), numbers.size() * sizeof(int)};
}

/// A stripe of two pieces goes round a ring of three, several times.
void expect_round_the_ring(bool in_place, std::size_t chunk, bool late) {
  constexpr int size = 3;
  run_on_threads(size, [&](Transport& control) {
    const auto staged = over_host(control, late ? std::make_unique<LateStaging>() : make_host_staging(), chunk);
    ASSERT_TRUE(staged->reaches_devices());
    const int next = (control.rank() + 1) % size, before = (control.rank() + size - 1) % size;
    std::array<Numbers, 2> mine{numbers_from(1000 * control.rank(), 101), numbers_from(-1000 * control.rank(), 40)};
    std::array<Numbers, 2> spare{Numbers(101), Numbers(40)};
    for (int round = 1; round <= 5; ++round) {
      auto& target = in_place ? mine : spare;
      const std::vector<Piece> incoming{piece(target[0]), piece(target[1])};
      const std::vector<Piece> outgoing{piece(mine[0]), piece(mine[1])};
      staged->expect(before, incoming);
      staged->exchange(next, outgoing);
      if (!in_place) std::swap(mine, spare);
      const int origin = (control.rank() + 10 * size - round) % size;
      ASSERT_EQ(mine[0], numbers_from(1000 * origin, 101)) << "round " << round;
      ASSERT_EQ(mine[1], numbers_from(-1000 * origin, 40)) << "round " << round;
    }
    EXPECT_EQ(gather_values(*staged, control.rank()), (Numbers{0, 1, 2}));
  });
}

TEST(StagedTransport, BringsStripesRoundTheRingWhateverTheChunk) {
  for (const std::size_t chunk : {4, 60, 100, 404, 1000})
    for (const bool in_place : {false, true})
      for (const bool late : {false, true}) {
        SCOPED_TRACE(testing::Message() << "chunks of " << chunk << (in_place ? ", in place" : "")
                                        << (late ? ", late" : ""));
        expect_round_the_ring(in_place, chunk, late);
      }
}

TEST(StagedTransport, CopiesWhileItSends) {
  run_on_threads(2, [](Transport& control) {
    auto staging = std::make_unique<LateStaging>();
    const LateStaging& copies = *staging;
    std::vector<std::array<bool, 2>> under_way;
    WatchedTransport watched(control, [&] { under_way.push_back(copies.under_way); });
    const auto staged = over_host(watched, std::move(staging), 400);
    Numbers mine = numbers_from(control.rank(), 350);
    const std::vector<Piece> pieces{piece(mine)};
    for (int round = 0; round < 2; ++round) {
      staged->expect(1 - control.rank(), pieces);
      staged->exchange(1 - control.rank(), pieces);
    }
    const std::array<bool, 2> first{true, false}, middle{true, true}, last{false, true};  // to the host, to the device
    EXPECT_EQ(under_way, (std::vector{first, middle, middle, last, first, middle, middle, last}));
    EXPECT_EQ(mine, numbers_from(control.rank(), 350));
    EXPECT_EQ(copies.allocated, staged_chunks * 400);
  });
}

TEST(StagedTransport, TakesNoMoreMemoryThanTheLargestPiece) {
  run_on_threads(1, [](Transport& control) {
    auto staging = std::make_unique<LateStaging>();
    const LateStaging& copies = *staging;
    const auto staged = over_host(control, std::move(staging));
    Numbers small(5), large(20);
    const std::vector<Piece> pieces{piece(small), piece(large)};
    staged->expect(0, pieces);
    staged->exchange(0, pieces);
    EXPECT_EQ(copies.allocated, staged_chunks * 80);
  });
}

TEST(StagedTransport, AFailingRankEndsThoseThatExchange) {
  EXPECT_THROW(run_on_threads(2,
                              [](Transport& control) {
                                const auto staged = over_host(control, make_host_staging(), 8);
                                if (control.rank() == 1) throw std::domain_error("rank 1 has failed");
                                Numbers mine(10);
                                const std::vector<Piece> pieces{piece(mine)};
                                staged->expect(1, pieces);
                                staged->exchange(1, pieces);
                              }),
               std::domain_error);
}

}  // namespace
}  // namespace pivotlab::staged_transport_test
