// SPDX-License-Identifier: BSD-3-Clause
// The pools of memory and handles, with numbers in place of resources.
#include "kernels/exec/pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

namespace pivotlab::exec_test::pool_test {
namespace {

std::vector<int>& destroyed() {
  static std::vector<int> all;
  return all;
}

class PoolTest : public testing::Test {
 protected:
  PoolTest() { destroyed().clear(); }
  int taken(std::uint64_t context, std::size_t size) {
    const auto found = pool.take(context, size);
    return found ? found->resource : 0;
  }
  Pool<int> pool{100, [](int x) noexcept { destroyed().push_back(x); }};
};

TEST_F(PoolTest, GivesTheSmallestThatSufficesAndIsNotMuchLarger) {
  pool.give(1, {7, 40});
  pool.give(1, {8, 32});
  EXPECT_EQ(taken(1, 41), 0);
  EXPECT_EQ(taken(1, 23), 0);
  EXPECT_EQ(taken(1, 30), 8);
  EXPECT_EQ(taken(1, 30), 7);
  EXPECT_EQ(taken(1, 30), 0);
  pool.give(1, {9, 30});
  EXPECT_EQ(pool.take(1, 29)->size, 30u);
}

TEST_F(PoolTest, KeepsContextsApartAndNothingWithoutOne) {
  pool.give(1, {7, 10});
  pool.give(2, {8, 10});
  pool.give(0, {9, 10});
  EXPECT_EQ(destroyed(), std::vector<int>{9});
  EXPECT_EQ(taken(3, 10), 0);
  EXPECT_EQ(taken(0, 10), 0);
  EXPECT_EQ(taken(2, 10), 8);
  EXPECT_EQ(taken(2, 10), 0);
  EXPECT_EQ(taken(1, 10), 7);
}

TEST_F(PoolTest, DestroysTheOldestBeyondItsSize) {
  for (const int k : {1, 2, 3}) pool.give(1, {k, 40});
  EXPECT_EQ(destroyed(), std::vector<int>{1});
  pool.give(1, {4, 101});
  EXPECT_EQ(destroyed(), (std::vector<int>{1, 4}));
  pool.give(1, {5, 100});
  EXPECT_EQ(destroyed(), (std::vector<int>{1, 4, 2, 3}));
  EXPECT_EQ(taken(1, 100), 5);
  pool.give(1, {6, 100});  // the total is that of what is kept
  EXPECT_EQ(taken(1, 100), 6);
}

TEST_F(PoolTest, ClearDestroysAll) {
  pool.give(1, {1, 10});
  pool.give(2, {2, 10});
  pool.clear();
  EXPECT_EQ(destroyed(), (std::vector<int>{1, 2}));
  EXPECT_EQ(taken(1, 10), 0);
  pool.give(1, {3, 100});
  EXPECT_EQ(destroyed().size(), 2u);
}

/// Handles are numbers from 1 on.
struct Library {
  using Handle = int;
  static inline std::atomic<int> created = 0, destroyed = 0;
  static inline std::uint64_t current = 1;
  static inline bool is_sound = true, can_create = true, can_reset = true;

  static Handle create() {
    if (!can_create) throw std::runtime_error("create");
    return ++created;
  }
  static void destroy(Handle) noexcept { ++destroyed; }
  static Pool<Handle>& pool() {
    static Pool<Handle> all(4, destroy);
    return all;
  }
  static std::uint64_t context() { return current; }
  static bool is_idle(std::uint64_t context) noexcept { return is_sound && context == current; }
  static bool reset(Handle) noexcept { return can_reset; }
};

class PooledHandleTest : public testing::Test {
 protected:
  PooledHandleTest() {
    Library::pool().clear();
    Library::created = Library::destroyed = 0, Library::current = 1;
    Library::is_sound = Library::can_create = Library::can_reset = true;
  }
  static int next() { return PooledHandle<Library>().get(); }
};

TEST_F(PooledHandleTest, IsUsedByOneAtATimeAndAgainLater) {
  {
    const PooledHandle<Library> a, b;
    EXPECT_NE(a.get(), b.get());
  }
  EXPECT_EQ(next(), next());
  EXPECT_EQ(Library::created, 2);
  EXPECT_EQ(Library::destroyed, 0);
}

TEST_F(PooledHandleTest, IsDroppedAfterAFailureOfItsOwn) {
  {
    PooledHandle<Library> handle;
    handle.note_failure();
  }
  EXPECT_EQ(Library::destroyed, 1);
  EXPECT_EQ(next(), 2);
}

TEST_F(PooledHandleTest, IsDroppedAfterAFailureOfTheDevice) {
  {
    const PooledHandle<Library> handle;
    Library::is_sound = false;
  }
  EXPECT_EQ(Library::destroyed, 1);
  Library::is_sound = true, Library::can_reset = false;
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(Library::destroyed, 2);
}

TEST_F(PooledHandleTest, IsNotUsedInAnotherContext) {
  const int first = next();
  Library::current = 2;  // another device, or the same one after a reset
  EXPECT_NE(next(), first);
  {
    const PooledHandle<Library> handle;
    Library::current = 1;
  }
  EXPECT_EQ(Library::destroyed, 1);
  EXPECT_EQ(next(), first);
  Library::current = 0;  // no context
  EXPECT_NE(next(), next());
}

TEST_F(PooledHandleTest, NothingIsGivenBackIfNoneIsMade) {
  Library::can_create = false;
  EXPECT_THROW(next(), std::runtime_error);
  Library::can_create = true;
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(Library::destroyed, 0);
}

TEST_F(PooledHandleTest, NoTwoThreadsHaveTheSame) {
  constexpr int threads = 4, rounds = 20000;
  std::vector<std::atomic<int>> users(threads * rounds + 1);
  std::atomic<int> shared = 0;
  std::latch start(threads);
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      start.arrive_and_wait();
      for (int round = 0; round < rounds; ++round) {
        const PooledHandle<Library> handle;
        std::atomic<int>& here = users[static_cast<std::size_t>(handle.get())];
        shared += here++ > 0;
        --here;
      }
    });
  all.clear();
  EXPECT_EQ(shared, 0);
  EXPECT_LE(Library::created, threads);
  EXPECT_EQ(Library::destroyed, 0);
}

}  // namespace
}  // namespace pivotlab::exec_test::pool_test
