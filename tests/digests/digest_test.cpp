// SPDX-License-Identifier: BSD-3-Clause
// The emulated kernels give the committed digests, which a GPU gives, too.
#include "tests/digests/digests.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace pivotlab::test {

void PrintTo(const DigestCase& digest_case, std::ostream* stream) {  // ctest uses it as the test's name
  *stream << digest_case.name;
}

namespace {

class Digest : public testing::TestWithParam<DigestCase> {};

TEST_P(Digest, EmulationMatchesCommittedDigest) {
  EXPECT_EQ(compute_digest(GetParam().name, Backend::emulation), GetParam().digest) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Committed, Digest, testing::ValuesIn(read_digests(committed_digests())),
                         [](const auto& digest_case) { return std::to_string(digest_case.index); });

}  // namespace
}  // namespace pivotlab::test
