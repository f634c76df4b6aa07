// SPDX-License-Identifier: BSD-3-Clause
// Every kernel in every form (scalar, width, enhanced, factor, fall-back) on small pairs, for compute-sanitizer too:
//
//   compute-sanitizer --tool memcheck  gsvd_gpu_test --gtest_filter='GsvdGpuSmall*'
//   compute-sanitizer --tool racecheck gsvd_gpu_test --gtest_filter='GsvdGpuSmall*'
//
// The tests compare with the bits of the emulation, which needs no convergence: two outer sweeps execute all code that
// can differ.
#include "digests.hpp"
#include "problems.hpp"
#include "tests/gpu_test.hpp"

#include <fmt/format.h>

namespace pivotlab::gsvd_gpu_small_test {
namespace {

using namespace test;

template <class T>
class GsvdGpuSmall : public GpuTest {
 protected:
  static void expect_same_bits(const TestPair<T>& pair, const std::string& pattern, bool fallback = false) {
    for (const std::string& name : expand_pattern(pattern)) {
      SCOPED_TRACE(name);
      GsvdOptions options{.variant = parse_gsvd_variant(name).variant, .max_outer_sweeps = 2};
      options.backend = Backend::cuda;
      const GsvdResult<T> on_gpu = gsvd<T>(pair.F, pair.G, options);
      options.backend = Backend::emulation;
      const GsvdResult<T> emulated = gsvd<T>(pair.F, pair.G, options);
      EXPECT_EQ(digest(on_gpu), digest(emulated));
      ASSERT_EQ(on_gpu.sweeps.size(), emulated.sweeps.size());
      for (std::size_t s = 0; s < on_gpu.sweeps.size(); ++s) {
        const SweepCounters &a = on_gpu.sweeps[s], &b = emulated.sweeps[s];
        EXPECT_EQ(std::tie(a.transformations, a.big, a.swaps, a.skipped_tiles, a.qr_tiles, a.max_inner_sweeps),
                  std::tie(b.transformations, b.big, b.swaps, b.skipped_tiles, b.qr_tiles, b.max_inner_sweeps));
      }
      EXPECT_EQ(on_gpu.sweeps[0].qr_tiles > 0, fallback);
    }
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(GsvdGpuSmall, Scalars);

TYPED_TEST(GsvdGpuSmall, HasTheBitsOfTheEmulationForEveryId) {
  this->expect_same_bits(random_pair<TypeParam>(40, 33, 33), "DHZ{0..7}-(ME-BO-ME);w={16,32}");
}

TYPED_TEST(GsvdGpuSmall, HasTheBitsOfTheEmulationForEveryFactor) {
  this->expect_same_bits(random_pair<TypeParam>(33, 50, 33), "DHZ{0,3}-(MM-BO-ME);w={16,32};factor={pivoted,qr}");
}

TYPED_TEST(GsvdGpuSmall, HasTheBitsOfTheEmulationToTheEndOfATile) {
  this->expect_same_bits(random_pair<TypeParam>(33, 33, 33), "DHZ0-(ME-FB-ME);w={16,32};sort={on,off}");
}

TYPED_TEST(GsvdGpuSmall, MatchesEmulationWhereCholeskyFails) {
  auto pair = random_pair<TypeParam>(50, 40, 33);
  for (Index j = 1; j < 33; j += 2)
    for (Index i = 0; i < 50; ++i) pair.F(i, j) = pair.F(i, j - 1) + pair.F(i, j) * 0x1p-30;
  this->expect_same_bits(pair, "DHZ{0,2}-(ME-BO-ME);w={16,32};factor={cholesky,pivoted}", true);
}

TYPED_TEST(GsvdGpuSmall, MatchesEmulationForTinyAndExtremePairs) {
  this->expect_same_bits(random_pair<TypeParam>(1, 1, 1), "DHZ0-(ME-FB-ME);w={16,32}");
  auto pair = random_pair<TypeParam>(20, 17, 2);
  for (Index i = 0; i < pair.F.size(); ++i) pair.F.data()[i] *= 0x1p900;  // the pair is scaled, and Z scaled back
  for (Index i = 0; i < pair.G.size(); ++i) pair.G.data()[i] *= 0x1p-90;
  this->expect_same_bits(pair, "DHZ0-(ME-FB-ME);w={16,32}");
}

}  // namespace
}  // namespace pivotlab::gsvd_gpu_small_test
