// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by tangent reduction on a GPU: as accurate as on the host, for every shape and option, with the same
// fall-backs, and on matrices that are on the GPU already.
#include "decomposition.hpp"
#include "graded_pairs.hpp"
#include "tests/gpu_test.hpp"
#include "true_sigma.hpp"

#include "kernels/exec/host_executor.hpp"
#include "tests/gsvd/panel_qr.hpp"

#include <cuda_runtime_api.h>

#include <pivotlab/device_gsvd.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd_tangent.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pivotlab::tangent_gpu_test {
namespace {

using namespace test;

template <class T>
class TangentGpu : public GpuTest {
 protected:
  static TangentResult<T> solve(const TestPair<T>& pair, const std::string& variant = "DGT-(auto)") {
    return gsvd_tangent<T>(
        pair.F, pair.G,
        {.variant = parse_tangent_variant(variant).variant, .backend = Backend::cuda, .compute_x = true});
  }
  static double tolerance(const TestPair<T>& pair) {
    return 40 * unit_roundoff<double>() * static_cast<double>(std::max(pair.F.rows(), pair.G.rows()));
  }
  static void expect_accurate(const TangentResult<T>& r, const std::vector<Quad>& truth, double bound) {
    ASSERT_EQ(r.sigma_error.size(), truth.size());
    for (std::size_t j = 0; j < truth.size(); ++j) {
      const double error = std::fabs(static_cast<double>((Quad(r.sigma[j]) - truth[j]) / truth[j]));
      EXPECT_LE(error, bound) << "sigma " << j;
      EXPECT_LE(error, r.sigma_error[j]) << "sigma " << j;
    }
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(TangentGpu, Scalars);

TYPED_TEST(TangentGpu, IsRelativelyAccurateOnGradedPairs) {
  constexpr Index n = is_complex<TypeParam> ? 7 : 14;
  for (const double g : {4., 8., 12.})
    for (const auto& [name, pair] : graded_pairs<TypeParam>(n, g, static_cast<unsigned>(g))) {
      SCOPED_TRACE(fmt::format("{}, g = {}", name, g));
      const auto truth = true_sigma(pair.F, pair.G);
      for (const char* variant : {"DGT-(auto)", "DGT-(auto);qr=pivoted"}) {
        const auto r = this->solve(pair, variant);
        EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
        expect_decomposition(pair, r, this->tolerance(pair));
        this->expect_accurate(r, truth, 5e-12);
      }
    }
}

TYPED_TEST(TangentGpu, PanelsHaveTheBitsOfTheEmulation) {
  HostExecutor host;
  for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{{1, 1}, {40, 16}, {1000, 13}}) {
    const auto A = panel_of_many_scales<TypeParam>(rows, cols);
    EXPECT_TRUE(
        (factored_panel_on_cuda<TypeParam, 1>(A, rows, cols) == factored_panel<TypeParam, 1>(host, A, rows, cols)))
        << rows;
  }
  const auto A = panel_of_many_scales<TypeParam>(3500, 16);
  EXPECT_TRUE((factored_panel_on_cuda<TypeParam, 4>(A, 3500, 16) == factored_panel<TypeParam, 4>(host, A, 3500, 16)));
  const auto tall = panel_of_many_scales<TypeParam>(10500, 8);
  EXPECT_TRUE((factored_panel_on_cuda<TypeParam, 20, 4>(tall, 10500, 8) ==
               factored_panel<TypeParam, 20, 4>(host, tall, 10500, 8)));
}

TYPED_TEST(TangentGpu, EveryShapeAndOptionDecomposesThePair) {
  for (const auto& [m_f, m_g, n] :
       std::vector<std::array<Index, 3>>{{1, 1, 1}, {5, 3, 1}, {2, 2, 2}, {3, 9, 3}, {33, 17, 17}, {130, 301, 129}}) {
    const auto pair = random_pair<TypeParam>(m_f, m_g, n, static_cast<unsigned>(n));
    const auto reference = gsvd<TypeParam>(pair.F, pair.G).sigma;
    for (const auto& name : expand_pattern("DGT-({R1,L});groups={off,on};ratio=3;tail={0,0.4};qr={sorted,pivoted}")) {
      SCOPED_TRACE(fmt::format("{} {} {} {}", m_f, m_g, n, name));
      const auto r = this->solve(pair, name);
      // Small groups in a bulk of similar norms leave strong couplings, with which the steps may not converge.
      const bool may_fall_back = name.find("groups=on") != std::string::npos;
      if (!may_fall_back) {
        EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      }
      expect_decomposition(pair, r, this->tolerance(pair));
      EXPECT_LE(largest_relative_error(r.sigma, reference), 1e-11);
      EigenMatrix<TypeParam> product = dense_product<TypeParam>(r.Z, r.X);
      product.diagonal().array() -= TypeParam(1);
      EXPECT_LE(product.norm(), 1e-10);
    }
  }
}

TYPED_TEST(TangentGpu, ThePapersPairsAreAsAccurateAsByHariZimmermann) {
  const auto made =
      std::get<Pair<TypeParam>>(generate_pair({"paper;form=usx", scalar_type<TypeParam>, 1024, 0, 0, 1, 0}));
  const TestPair<TypeParam> pair{made.F, made.G};
  const auto reference = gsvd<TypeParam>(pair.F, pair.G, {.variant = {.width = 32}, .backend = Backend::cuda});
  for (const char* name : {"DGT-(auto)", "DGT-(L)", "DGT-(L);groups=on", "DGT-(auto);qr=pivoted"}) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name);
    EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
    expect_decomposition(pair, r, this->tolerance(pair));
    EXPECT_LE(largest_relative_error(r.sigma, made.sigma),
              10 * largest_relative_error(reference.sigma, made.sigma) + 1e-13);
    this->expect_accurate(r, made.sigma, 1e-6);
  }
}

TYPED_TEST(TangentGpu, FallsBackAsOnTheHost) {
  auto pair = random_pair<TypeParam>(12, 14, 9);
  for (auto& x : pair.G.col(4)) x = TypeParam(0);
  const auto r = this->solve(pair);
  EXPECT_EQ(r.fallback, TangentFallback::swapped);
  EXPECT_EQ(r.sigma[0], std::numeric_limits<double>::infinity());
  EXPECT_LE(orthogonality(r.V), this->tolerance(pair));
  for (auto& x : pair.F.col(4)) x = TypeParam(0);
  EXPECT_THROW(this->solve(pair), InputError);
  EXPECT_EQ(this->solve(graded_pairs<TypeParam>(24, 8, 8)[7].pair, "DGT-(R1)").fallback,
            TangentFallback::hari_zimmermann);
}

// A device-resident call: views with other rows around them, twice with one plan and one workspace.
TYPED_TEST(TangentGpu, APlanServesMatricesOfTheGpu) {
  const Index m_f = 40, m_g = 45, n = 33, stride = 64;
  const auto pair = random_pair<TypeParam>(m_f, m_g, n);
  const auto expected = this->solve(pair);
  TypeParam* memory = nullptr;  // six matrices of this stride
  const Index size = stride * n;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&memory), static_cast<std::size_t>(6 * size) * sizeof(TypeParam)),
            cudaSuccess);
  const auto view = [&](Index which, Index rows) {
    return MatrixView<TypeParam>{memory + which * size, rows, n, stride};
  };
  const auto copy = [](auto from, auto to, Index rows, Index from_stride, Index to_stride) {
    constexpr std::size_t bytes = sizeof(TypeParam);
    return cudaMemcpy2D(to, static_cast<std::size_t>(to_stride) * bytes, from,
                        static_cast<std::size_t>(from_stride) * bytes, static_cast<std::size_t>(rows) * bytes,
                        static_cast<std::size_t>(n), cudaMemcpyDefault);
  };
  copy(pair.F.data(), view(0, m_f).data, m_f, m_f, stride);
  copy(pair.G.data(), view(1, m_g).data, m_g, m_g, stride);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    DeviceGsvd<TypeParam> plan(m_f, m_g, n, {}, stream);
    void* workspace = nullptr;
    ASSERT_EQ(cudaMalloc(&workspace, plan.workspace_bytes()), cudaSuccess);
    std::size_t before = 0, after = 0, total = 0;
    for (int run = 0; run < 2; ++run) {
      cudaMemGetInfo(&before, &total);
      const auto r =
          plan.run(view(0, m_f), view(1, m_g), {view(2, m_f), view(3, m_g), view(4, n), view(5, n)}, workspace, true);
      cudaStreamSynchronize(stream);
      cudaMemGetInfo(&after, &total);
      EXPECT_EQ(r.status, Status::passed) << r.message;
      EXPECT_LE(largest_relative_error(r.sigma, expected.sigma), 1e-13);
      EXPECT_EQ(r.sigma_error.size(), static_cast<std::size_t>(n));
      Matrix<TypeParam> U(m_f, n);
      copy(view(2, m_f).data, U.data(), m_f, stride, m_f);
      EXPECT_LE(residual(pair.F, expected.Z, U, r.sigma_f), 1e-12);
    }
    EXPECT_EQ(before, after);  // after the libraries' own start in the first run

    const TypeParam bad(std::numeric_limits<double>::quiet_NaN());
    for (const Index which : {0, 1}) {
      TypeParam* const element = view(which, m_f).data + stride + 2;
      TypeParam good;
      cudaMemcpy(&good, element, sizeof good, cudaMemcpyDeviceToHost);
      cudaMemcpy(element, &bad, sizeof bad, cudaMemcpyHostToDevice);
      const auto r =
          plan.run(view(0, m_f), view(1, m_g), {view(2, m_f), view(3, m_g), view(4, n), {}}, workspace, false);
      EXPECT_EQ(r.status, Status::failed) << which;
      EXPECT_FALSE(r.message.empty());
      cudaMemcpy(element, &good, sizeof good, cudaMemcpyHostToDevice);
    }
    EXPECT_THROW(plan.run(view(0, m_f), view(1, m_f), {view(2, m_f), view(3, m_g), view(4, n), {}}, workspace),
                 InputError);
    EXPECT_THROW(DeviceGsvd<TypeParam>(3, 5, 4), InputError);
    cudaFree(workspace);
  }
  cudaStreamDestroy(stream);
  cudaFree(memory);
}

}  // namespace
}  // namespace pivotlab::tangent_gpu_test
