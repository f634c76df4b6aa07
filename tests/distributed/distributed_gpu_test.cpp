// SPDX-License-Identifier: BSD-3-Clause
// Ranks on GPUs, as threads of one process, give the bits of the emulation with every transport of stripes. With one
// GPU all ranks share it; NCCL requires one GPU per rank.
#include "interrupted.hpp"
#include "tests/gpu_test.hpp"
#include "tests/scratch_folder.hpp"

#include <pivotlab/device.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

namespace pivotlab::distributed_gpu_test {
namespace {

using namespace test;

int gpus() {
  return static_cast<int>(list_devices().size());
}

template <class T>
class DistributedGpu : public GpuTest {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DistributedGpu, Scalars);

TYPED_TEST(DistributedGpu, HasTheBitsOfTheEmulation) {
  for (const auto& pair : {random_pair<TypeParam>(70, 66, 65), rank_deficient_pair<TypeParam>(34, 20, false)}) {
    const char* name = "DHZ0-(ME-BO, ME-BO-ME)";
    const auto emulated = solve_on_threads(pair, 2, options_for(name, Backend::emulation));
    EXPECT_EQ(bits(solve_on_threads(pair, 2, options_for(name, Backend::cuda), copy_between_devices())),
              bits(emulated));
    EXPECT_EQ(bits(solve_on_threads(pair, 2, options_for(name, Backend::cuda))), bits(emulated)) << "through the host";
  }
}

TYPED_TEST(DistributedGpu, OneRankHasTheBitsOfTheSingleGpu) {
  const auto pair = random_pair<TypeParam>(300, 310, 290);
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME)", Backend::cuda);
  const auto single = gsvd<TypeParam>(pair.F, pair.G, {.variant = options.variant.inner, .backend = Backend::cuda});
  EXPECT_EQ(bits(solve_on_threads(pair, 1, options, copy_between_devices())), bits(single));
}

TYPED_TEST(DistributedGpu, DecomposesThePairOnSeveralRanks) {
  const auto pair = random_pair<TypeParam>(512, 530, 500);
  const auto single = gsvd<TypeParam>(pair.F, pair.G, {.variant = {}, .backend = Backend::cuda});
  for (const int ranks : {2, 3, 4})
    for (const char* name : {"DHZ0-(ME-BO, ME-FB-ME)", "DHZ0-(ME-FB, ME-BO-ME)", "DHZ0-(MM-BO, ME-FB-ME)"}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(ranks) + " ranks");
      const auto r = solve_on_threads(pair, ranks, options_for(name, Backend::cuda), copy_between_devices());
      ASSERT_EQ(r.status, Status::passed) << r.message;
      constexpr double tolerance = 20 * unit_roundoff<double>() * 530;
      EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), tolerance);
      EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), tolerance);
      EXPECT_LE(orthogonality(r.U), tolerance);
      EXPECT_LE(orthogonality(r.V), tolerance);
      EXPECT_LE(largest_relative_error(r.sigma, single.sigma), 1e-12);
    }
}

TYPED_TEST(DistributedGpu, GoesOnFromACheckpointWithTheSameBits) {
  const auto pair = random_pair<TypeParam>(300, 310, 290);
  auto options = options_for("DHZ0-(ME-BO, ME-FB-ME)", Backend::cuda);
  for (const int ranks : {1, 2}) {
    const auto whole = solve_on_threads(pair, ranks, options, copy_between_devices());
    for (const CopyBytes& copy : {copy_between_devices(), CopyBytes{}}) {
      const ScratchFolder folder;
      auto saving = options;
      saving.checkpoint.path = (folder.path() / "job").string();
      EXPECT_TRUE(interrupt(pair, ranks, saving, 3 * calls_of(pair, ranks, saving, copy) / 4, copy));
      EXPECT_FALSE(std::filesystem::is_empty(folder.path())) << "interrupted too early";
      EXPECT_EQ(bits(solve_on_threads(pair, ranks, saving, copy)), bits(whole)) << ranks << " ranks";
      EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
  }
}

TYPED_TEST(DistributedGpu, NcclBringsTheSameStripes) {
  if (gpus() < 2) GTEST_SKIP() << "one GPU";
  const auto pair = random_pair<TypeParam>(300, 310, 290);
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME)", Backend::cuda);
  const auto copied = solve_on_threads(pair, gpus(), options, copy_between_devices());
  run_on_threads(gpus(), [&](Transport& control) {
    const auto nccl = over_nccl(control);
    const auto part = solve_part(*nccl, pair, options);
    ASSERT_EQ(part.sigma, copied.sigma);
    for (std::size_t j = 0; j < part.columns.size(); ++j) {
      const auto at = static_cast<Index>(j);
      EXPECT_TRUE(std::ranges::equal(part.U.col(at), copied.U.col(part.columns[j])));
      EXPECT_TRUE(std::ranges::equal(part.Z.col(at), copied.Z.col(part.columns[j])));
    }
  });
}

class NcclTransport : public GpuTest {};

TEST_F(NcclTransport, AFailingRankEndsThoseThatExchange) {
  if (gpus() < 2) GTEST_SKIP() << "one GPU";
  EXPECT_THROW(run_on_threads(2,
                              [](Transport& control) {
                                const auto nccl = over_nccl(control);
                                if (nccl->rank() == 1) throw std::domain_error("rank 1 has failed");
                                void* memory = nullptr;
                                ASSERT_EQ(cudaMalloc(&memory, 1 << 20), cudaSuccess);
                                const std::vector<Piece> piece{{memory, 1 << 20}};
                                nccl->expect(1, piece);
                                nccl->exchange(1, piece);
                              }),
               std::domain_error);
}

TEST_F(NcclTransport, WantsAGpuForEachRank) {
  EXPECT_THROW(run_on_threads(gpus() + 1, [](Transport& control) { over_nccl(control); }), NotSupported);
}

}  // namespace
}  // namespace pivotlab::distributed_gpu_test
