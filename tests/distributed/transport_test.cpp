// SPDX-License-Identifier: BSD-3-Clause
// Ranks as threads: messages arrive, and a failing rank ends all ranks, in whatever call the others wait.
#include <pivotlab/transport.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <numeric>

namespace pivotlab::transport_test {
namespace {

TEST(ThreadTransport, ExchangesGoRoundTheRing) {
  constexpr int size = 5;
  run_on_threads(size, [](Transport& transport) {
    const int next = (transport.rank() + 1) % size, before = (transport.rank() + size - 1) % size;
    std::vector<int> mine(1000), theirs(1000), one{transport.rank()}, other{-1};
    std::iota(mine.begin(), mine.end(), 1000 * transport.rank());
    for (int round = 0; round < 20; ++round) {
      const std::vector<Piece> incoming{{theirs.data(), 4000}, {other.data(), 4}};
      const std::vector<Piece> outgoing{{mine.data(), 4000}, {one.data(), 4}};
      transport.expect(before, incoming);
      transport.exchange(next, outgoing);
      const int origin = (transport.rank() + 100 * size - round - 1) % size;
      ASSERT_EQ(other[0], origin);
      ASSERT_EQ(theirs[999], 1000 * origin + 999);
      mine = theirs, one = other;
    }
  });
}

TEST(ThreadTransport, GathersInTheOrderOfTheRanks) {
  run_on_threads(4, [](Transport& transport) {
    for (int round = 0; round < 50; ++round)
      EXPECT_EQ(gather_values(transport, 10 * transport.rank() + round),
                (std::vector<int>{round, 10 + round, 20 + round, 30 + round}));
    EXPECT_EQ(gather_texts(transport, std::string(static_cast<std::size_t>(transport.rank()), 'x')),
              (std::vector<std::string>{"", "x", "xx", "xxx"}));
  });
}

TEST(ThreadTransport, TheInputErrorOfTheLowestRankIsThrownOnAll) {
  std::atomic<int> told = 0;
  EXPECT_THROW(run_on_threads(4,
                              [&](Transport& transport) {
                                try {
                                  in_agreement(transport, [&] {
                                    if (transport.rank() % 2 == 1)
                                      throw InputError("rank " + std::to_string(transport.rank()));
                                  });
                                } catch (const SharedInputError& error) {
                                  told += std::string(error.what()) == "rank 1";
                                  throw;
                                }
                              }),
               SharedInputError);
  EXPECT_GE(told, 1);
}

TEST(ThreadTransport, ErrorOfLowestRankIsThrownOnAll) {
  const auto refuse = [](Transport& transport, int unsupported) {
    in_agreement(transport, [&] {
      if (transport.rank() == unsupported) throw NotSupported("rank " + std::to_string(unsupported));
      if (transport.rank() == 2) throw InputError("rank 2");
    });
  };
  std::atomic<int> told = 0;
  EXPECT_THROW(run_on_threads(4,
                              [&](Transport& transport) {
                                try {
                                  refuse(transport, 1);
                                } catch (const SharedNotSupported& error) {
                                  told += std::string(error.what()) == "rank 1";
                                  gather_values(transport, 0);  // all are here
                                  throw;
                                }
                              }),
               SharedNotSupported);
  EXPECT_EQ(told, 4);
  EXPECT_THROW(run_on_threads(4, [&](Transport& transport) { refuse(transport, 3); }), SharedInputError);
}

template <class Wait>
void expect_failure_ends_all(Wait&& wait) {
  EXPECT_THROW(run_on_threads(3,
                              [&](Transport& transport) {
                                if (transport.rank() == 1) throw std::domain_error("rank 1 has failed");
                                wait(transport);
                              }),
               std::domain_error);
}

TEST(ThreadTransport, AFailingRankWakesThoseThatGather) {
  expect_failure_ends_all([](Transport& transport) { gather_values(transport, 1); });
}

TEST(ThreadTransport, AFailingRankWakesThoseThatExchange) {
  expect_failure_ends_all([](Transport& transport) {
    int from = 1, to = 0;
    const std::vector<Piece> incoming{{&to, sizeof to}}, outgoing{{&from, sizeof from}};
    transport.expect(1, incoming);
    transport.exchange(1, outgoing);
  });
}

TEST(ThreadTransport, PiecesOfDifferentSizesAreAnError) {
  EXPECT_THROW(run_on_threads(2,
                              [](Transport& transport) {
                                char from[2]{}, to[2]{};
                                const std::vector<Piece> incoming{{to, std::size_t(1 + transport.rank())}};
                                const std::vector<Piece> outgoing{{from, std::size_t(1 + transport.rank())}};
                                transport.expect(1 - transport.rank(), incoming);
                                transport.exchange(1 - transport.rank(), outgoing);
                              }),
               std::runtime_error);
}

const CopyBytes copy_on_host = [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); };

TEST(Route, ChosenForAnyTransport) {
  run_on_threads(
      3,
      [](Transport& control) {
        const std::unique_ptr<Transport> direct = directly(control), staged = through_host(control);
        EXPECT_TRUE(direct->reaches_devices());
        EXPECT_FALSE(staged->reaches_devices());
        for (Transport* route : {direct.get(), staged.get()}) {
          int rank = route->rank();
          const int next = (rank + 1) % 3, before = (rank + 2) % 3;
          int other = -1;
          const std::vector<Piece> incoming{{&other, sizeof other}}, outgoing{{&rank, sizeof rank}};
          route->expect(before, incoming);
          route->exchange(next, outgoing);
          EXPECT_EQ(other, before);
          EXPECT_EQ(gather_values(*route, rank), (std::vector<int>{0, 1, 2}));
        }
      },
      copy_on_host);
}

TEST(Route, RefusesDirectRouteWithoutPeerAccess) {
  std::atomic<int> told = 0;
  run_on_threads(3, [&](Transport& control) {
    EXPECT_THROW(directly(control), SharedNotSupported);
    told += gather_values(control, control.rank()) == std::vector<int>{0, 1, 2};
  });
  EXPECT_EQ(told, 3);
}

}  // namespace
}  // namespace pivotlab::transport_test
