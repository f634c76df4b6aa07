// The emulated kernels give the bits that are committed with the results and that a GPU gives.
#include "digests.hpp"

#include <gtest/gtest.h>

namespace pivotlab::test {
namespace {

class GsvdDigest : public testing::TestWithParam<DigestCase> {};

TEST_P(GsvdDigest, OfTheEmulationIsTheCommittedOne) {
  EXPECT_EQ(compute_digest(GetParam(), Backend::emulation), GetParam().digest) << GetParam().name();
}

INSTANTIATE_TEST_SUITE_P(Committed, GsvdDigest, testing::ValuesIn(read_digests(committed_digests())),
                         [](const auto& digest_case) { return std::to_string(digest_case.index); });

}  // namespace
}  // namespace pivotlab::test
