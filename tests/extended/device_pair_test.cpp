// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <generators/device_algebra.hpp>
#include <generators/kinds.hpp>
#include <tests/extended/host_machine.hpp>

namespace pivotlab::device_pair_test {
namespace {

using Complex = std::complex<double>;

/// Returns the number of elements of F and G that differ between generation on host and device.
template <class T>
Index differences(const std::string& name, Index n, Index m_f, Index m_g) {
  const Problem problem{n, m_f, m_g, 7, 1, parse_generator(name).options};
  const Pair<T> expected = rounded<T>(make_paper_pair<Rebind<T, Quad>>(problem));
  DeviceAlgebra<test::HostMachine, T> algebra;
  const Pair<T> pair = make_paper_pair<T>(problem, algebra);
  EXPECT_EQ(pair.sigma, expected.sigma);
  Index count = 0;
  for (const auto& [A, B] : {std::pair(&pair.F, &expected.F), std::pair(&pair.G, &expected.G)}) {
    EXPECT_TRUE(A->rows() == B->rows() && A->cols() == B->cols());
    for (Index i = 0; i < A->size(); ++i) count += A->data()[i] != B->data()[i];
  }
  return count;
}

TEST(DevicePair, IsTheHostsToTheLastBitOfEveryEntry) {
  EXPECT_EQ((differences<double>("paper", 70, 80, 70)), 0);
  EXPECT_EQ((differences<double>("paper;form=hpd;spectrum=geometric;kappa=1e6;grade=4", 33, 33, 33)), 0);
  EXPECT_EQ((differences<Complex>("paper", 40, 40, 40)), 0);
  EXPECT_EQ((differences<Complex>("paper;form=usx;cond_x=1e4;grade=5", 20, 20, 31)), 0);
  EXPECT_EQ((differences<double>("paper", 1, 1, 2)), 0);
}

}  // namespace
}  // namespace pivotlab::device_pair_test
