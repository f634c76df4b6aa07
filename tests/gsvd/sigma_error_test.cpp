// SPDX-License-Identifier: BSD-3-Clause
// How accurate Σ is on the paper's pairs, relative to what their condition allows.
#include "problems.hpp"

#include "experiments/metrics/condition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pivotlab/generate.hpp>

namespace pivotlab::sigma_error_test {
namespace {

using namespace test;

template <class T>
class SigmaOfThePapersPairs : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(SigmaOfThePapersPairs, Scalars);

// Normwise backward stability allows a small multiple of n·u·(κ₂(F) + κ₂(G)); the method stays below the unit roundoff
// u times the condition, at n = 512 too (results/README.md).
TYPED_TEST(SigmaOfThePapersPairs, ErrorWithinConditionForEveryVariant) {
  constexpr double u = unit_roundoff<double>();
  for (const unsigned seed : {1, 2}) {
    const auto pair =
        std::get<Pair<TypeParam>>(generate_pair({"paper;form=usx", scalar_type<TypeParam>, 48, 0, 0, seed, 0}));
    const auto kappa = experiments::condition_numbers<TypeParam>(pair.F, pair.G);
    const double bound = u * (kappa.f.value + kappa.g.value);
    for (const auto& name : expand_pattern("DHZ{0..7}-({ME,MM}-{FB,BO}-ME);w={8,16}")) {
      SCOPED_TRACE(fmt::format("{} seed {}", name, seed));
      const auto r = gsvd<TypeParam>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant});
      ASSERT_EQ(r.status, Status::passed) << r.message;
      EXPECT_LE(largest_relative_error(r.sigma, pair.sigma), bound);
    }
  }
}

}  // namespace
}  // namespace pivotlab::sigma_error_test
