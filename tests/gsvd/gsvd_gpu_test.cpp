// SPDX-License-Identifier: BSD-3-Clause
// The decomposition on a GPU: correct for every variant and shape, as exact as the condition allows at n = 1024, the
// same bits in every run, the committed digests, and usable after an error. (The kernels against their emulation:
// gsvd_gpu_small_test.cpp.)
#include "digests.hpp"
#include "problems.hpp"
#include "tests/gpu_test.hpp"

#include "kernels/exec/device_memory.hpp"
#include "kernels/verification/lanczos.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace pivotlab::gsvd_gpu_test {
namespace {

using namespace test;

constexpr double u = unit_roundoff<double>();

/// κ₂ of Y = W·Σ·Z⁻¹, from below, to six digits.
template <class T>
double condition(const Matrix<T>& Y, const Matrix<T>& Z, const Matrix<T>& W, const std::vector<double>& sigma) {
  using Vector = std::vector<T>;
  const auto product = [](const Matrix<T>& A, bool adjoint, const Vector& x) {
    Vector y(static_cast<std::size_t>(adjoint ? A.cols() : A.rows()));
    const Eigen::Map<const Eigen::Vector<T, Eigen::Dynamic>> from(x.data(), static_cast<Index>(x.size()));
    Eigen::Map<Eigen::Vector<T, Eigen::Dynamic>> to(y.data(), static_cast<Index>(y.size()));
    if (adjoint)
      to.noalias() = as_eigen(A.view()).adjoint() * from;
    else
      to.noalias() = as_eigen(A.view()) * from;
    return y;
  };
  const auto divided = [&](Vector x) {
    for (std::size_t j = 0; j < x.size(); ++j) x[j] /= sigma[j];
    return x;
  };
  const double norm = experiments::largest_singular_value<T>(
      static_cast<std::size_t>(Y.cols()), [&](const Vector& v) { return product(Y, true, product(Y, false, v)); });
  const double inverse = experiments::largest_singular_value<T>(
      static_cast<std::size_t>(W.rows()), [&](const Vector& v) {  // Y⁺ = Z·Σ⁻¹·Wᴴ
        const Vector y = product(Z, false, divided(product(W, true, v)));
        return product(W, false, divided(product(Z, true, y)));
      });
  return norm * inverse;
}

/// κ₂(F) + κ₂(G).
template <class T>
double conditions(const TestPair<T>& pair, const GsvdResult<T>& r) {
  return condition(pair.F, r.Z, r.U, r.sigma_f) + condition(pair.G, r.Z, r.V, r.sigma_g);
}

template <class T>
class GsvdGpu : public GpuTest {
 protected:
  static GsvdResult<T> solve(const TestPair<T>& pair, const std::string& variant, int max_outer_sweeps = 30) {
    return gsvd<T>(pair.F, pair.G,
                   {.variant = parse_gsvd_variant(variant).variant,
                    .backend = Backend::cuda,
                    .max_outer_sweeps = max_outer_sweeps});
  }

  /// As the host's results are judged (gsvd_test.cpp).
  static void expect_decomposition(const TestPair<T>& pair, const GsvdResult<T>& r) {
    const double tolerance = 20 * u * static_cast<double>(std::max(pair.F.rows(), pair.G.rows()));
    ASSERT_EQ(r.status, Status::passed) << r.message;
    EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), tolerance);
    EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), tolerance);
    EXPECT_LE(orthogonality(r.U), tolerance);
    EXPECT_LE(orthogonality(r.V), tolerance);
    for (std::size_t j = 0; j < r.sigma.size(); ++j) {
      EXPECT_NEAR(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j], 1, 4e-15);
      EXPECT_NEAR(r.sigma[j] * r.sigma_g[j], r.sigma_f[j], 4e-15 * r.sigma_f[j]);
    }
    EXPECT_TRUE(std::is_sorted(r.sigma.rbegin(), r.sigma.rend()));
  }

  /// By the host's own algorithm in long double.
  static auto reference_sigma(const TestPair<T>& pair) {
    using Long = Rebind<T, long double>;
    return gsvd<Long>(convert<Long>(pair.F), convert<Long>(pair.G)).sigma;
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(GsvdGpu, Scalars);

TYPED_TEST(GsvdGpu, EveryVariantDecomposesThePair) {
  const auto pair = random_pair<TypeParam>(50, 61, 45);
  const auto exact = exact_sigma(pair);
  for (const auto& name : expand_pattern("DHZ{0..7}-({ME,MM}-{FB,BO}-ME);w={16,32}{,;mixed}")) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name);
    this->expect_decomposition(pair, r);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 4e-14);
  }
}

TYPED_TEST(GsvdGpu, EveryOptionDecomposesThePair) {
  const auto pair = random_pair<TypeParam>(101, 70, 65);
  const auto exact = this->reference_sigma(pair);
  for (const auto& name :
       expand_pattern("DHZ{0,3}-({RR,MM}-{FB,BO}-{RR,MM});w={16,32};sort={on,off};factor={cholesky,pivoted,qr}")) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name, 60);
    this->expect_decomposition(pair, r);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 4e-14);
  }
}

TYPED_TEST(GsvdGpu, EveryShapeIsDecomposed) {
  for (const auto& [m_f, m_g, n] : std::vector<std::array<Index, 3>>{{1, 1, 1},
                                                                     {2, 2, 2},
                                                                     {7, 2, 2},
                                                                     {31, 31, 31},
                                                                     {33, 40, 33},
                                                                     {96, 96, 96},
                                                                     {100, 301, 100},
                                                                     {517, 130, 129}}) {
    const auto pair = random_pair<TypeParam>(m_f, m_g, n, static_cast<unsigned>(n));
    const auto exact = this->reference_sigma(pair);
    for (const auto& name : expand_pattern("DHZ{0,7}-({ME,MM}-{FB,BO}-ME);w={16,32}")) {
      SCOPED_TRACE(fmt::format("{}, {} {} {}", name, m_f, m_g, n));
      const auto r = this->solve(pair, name);
      this->expect_decomposition(pair, r);
      EXPECT_LE(largest_relative_error(r.sigma, exact), 10 * u * conditions(pair, r));
    }
  }
}

TYPED_TEST(GsvdGpu, AThousandColumnsAreDecomposedAsOnTheHost) {
  const auto pair = random_pair<TypeParam>(1100, 1003, 1000);
  const auto host = gsvd<TypeParam>(pair.F, pair.G, {.variant = {.width = 32}}).sigma;
  for (const char* name : {"DHZ0-(ME-FB-ME)", "DHZ3-(MM-BO-ME);w=32"}) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name);
    this->expect_decomposition(pair, r);
    EXPECT_LE(largest_relative_error(r.sigma, host), 2 * u * conditions(pair, r));
  }
}

// The bound of sigma_error_test.cpp.
TYPED_TEST(GsvdGpu, SigmaErrorWithinConditionAt1024) {
  auto generated = std::get<Pair<TypeParam>>(
      generate_pair({.generator = "paper;form=usx", .type = scalar_type<TypeParam>, .n = 1024}));
  const TestPair<TypeParam> pair{std::move(generated.F), std::move(generated.G)};
  double bound = 0;
  for (const auto& name : expand_pattern("DHZ0-(ME-{FB,BO}-ME);w={16,32}")) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name);
    this->expect_decomposition(pair, r);
    if (bound == 0) bound = u * conditions(pair, r);
    EXPECT_LE(largest_relative_error(r.sigma, generated.sigma), bound);
  }
}

TYPED_TEST(GsvdGpu, GivesTheSameBitsInEveryRun) {
  for (const Index n : {100, 600}) {
    const auto pair = random_pair<TypeParam>(n + 50, n, n);
    for (const auto& name : expand_pattern("DHZ1-(ME-{FB,BO}-ME);w={16,32}")) {
      SCOPED_TRACE(fmt::format("{}, n = {}", name, n));
      const auto first = digest(this->solve(pair, name));
      for (int run = 0; run < 3; ++run) EXPECT_EQ(digest(this->solve(pair, name)), first);
    }
  }
}

TYPED_TEST(GsvdGpu, InPlaceAndStridedGiveTheSameBits) {
  const auto pair = random_pair<TypeParam>(70, 64, 50);
  const auto expected = this->solve(pair, "DHZ0-(ME-FB-ME)");
  Matrix<TypeParam> F(80, 50), G(90, 50);  // with other rows around
  const auto f = F.view().block(5, 0, 70, 50), g = G.view().block(0, 0, 64, 50);
  as_eigen(f) = as_eigen(pair.F.view());
  as_eigen(g) = as_eigen(pair.G.view());
  auto r = gsvd_in_place<TypeParam>(f, g, {.variant = {}, .backend = Backend::cuda});
  r.U = Matrix<TypeParam>(MatrixView<const TypeParam>(f));
  r.V = Matrix<TypeParam>(MatrixView<const TypeParam>(g));
  EXPECT_EQ(digest(r), digest(expected));
}

TYPED_TEST(GsvdGpu, XIsTheInverseOfZ) {
  const auto pair = random_pair<TypeParam>(60, 50, 50);
  const auto r = gsvd<TypeParam>(pair.F, pair.G, {.variant = {}, .backend = Backend::cuda, .compute_x = true});
  EigenMatrix<TypeParam> product = dense_product<TypeParam>(r.Z, r.X);
  product.diagonal().array() -= TypeParam(1);
  EXPECT_LE(product.norm(), 1e-12);
}

TYPED_TEST(GsvdGpu, ZeroColumnsOfFHaveZeroSigmas) {
  auto pair = random_pair<TypeParam>(40, 40, 20);
  for (auto& x : pair.F.col(7)) x = TypeParam(0);
  const auto r = this->solve(pair, "DHZ0-(ME-FB-ME)");
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_EQ(r.sigma[19], 0);
  EXPECT_GT(r.sigma[18], 1e-3);
  EXPECT_LE(orthogonality(r.U), 1e-13);
}

TYPED_TEST(GsvdGpu, TooFewSweepsEndAsNotConverged) {
  const auto r = this->solve(random_pair<TypeParam>(64, 64, 64), "DHZ0-(ME-FB-ME)", 1);
  EXPECT_EQ(r.status, Status::not_converged);
  EXPECT_NE(r.message.find("1 outer sweep"), std::string::npos) << r.message;
}

/// Allocates the remaining memory of the GPU, in smaller and smaller pieces.
class OccupiedMemory {
 public:
  OccupiedMemory() {
    cuda::release_kept();  // or a call would find memory of the one before
    constexpr std::size_t smallest = std::size_t(1) << 20;
    for (std::size_t bytes = std::size_t(1) << 38; bytes >= smallest; bytes /= 2)
      for (void* piece = nullptr; cudaMalloc(&piece, bytes) == cudaSuccess;) pieces_.push_back(piece);
    cudaGetLastError();  // clears the expected error
  }
  OccupiedMemory(const OccupiedMemory&) = delete;
  ~OccupiedMemory() {
    for (void* piece : pieces_) cudaFree(piece);
  }

 private:
  std::vector<void*> pieces_;
};

TYPED_TEST(GsvdGpu, TooLittleMemoryIsBadAllocAndTheProcessGoesOn) {
  const auto pair = random_pair<TypeParam>(600, 600, 600);
  const auto before = digest(this->solve(pair, "DHZ0-(ME-BO-ME)"));
  {
    const OccupiedMemory occupied;
    for (int again = 0; again < 2; ++again) EXPECT_THROW(this->solve(pair, "DHZ0-(ME-BO-ME)"), std::bad_alloc);
  }
  EXPECT_EQ(digest(this->solve(pair, "DHZ0-(ME-BO-ME)")), before);
}

class GsvdGpuInput : public GpuTest {
 protected:
  static std::string refusal(const TestPair<double>& pair, Backend backend, const std::string& name) {
    try {
      gsvd<double>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant, .backend = backend});
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(GsvdGpuInput, IsRefusedInTheWordsOfTheHost) {
  auto not_finite = random_pair<double>(6, 6, 5), zero_column = not_finite, deficient = random_pair<double>(60, 60, 50);
  not_finite.G(3, 2) = std::numeric_limits<double>::quiet_NaN();
  for (auto& x : zero_column.G.col(2)) x = 0;
  for (Index i = 0; i < 60; ++i) deficient.G(i, 49) = deficient.G(i, 3) - 2 * deficient.G(i, 17) + deficient.G(i, 30);
  const std::vector<TestPair<double>> pairs{{Matrix<double>(4, 5), Matrix<double>(6, 5)},
                                            {Matrix<double>(6, 5), Matrix<double>(6, 4)},
                                            {Matrix<double>(0, 0), Matrix<double>(0, 0)},
                                            not_finite,
                                            zero_column,
                                            deficient};
  for (const auto& name : expand_pattern("DHZ{0,2}-(ME-{FB,BO}-ME);factor={cholesky,qr}"))
    for (const auto& pair : pairs) {
      SCOPED_TRACE(name);
      const std::string by_host = refusal(pair, Backend::host, name);
      ASSERT_NE(by_host, "accepted");
      EXPECT_EQ(refusal(pair, Backend::cuda, name), by_host);
    }
}

TEST_F(GsvdGpuInput, BadlyScaledButIndependentRowsOfGAreAccepted) {
  auto pair = random_pair<double>(24, 24, 24);
  for (Index j = 0; j < 24; ++j)
    for (Index i = 0; i < 24; ++i) pair.G(i, j) *= std::pow(10.0, -8 + 16.0 * static_cast<double>(i) / 23);
  EXPECT_EQ(refusal(pair, Backend::cuda, "DHZ0-(ME-FB-ME)"), "accepted");
}

TEST_F(GsvdGpuInput, WidthsWithoutKernelsAreNotSupported) {
  const auto pair = random_pair<double>(6, 6, 5);
  EXPECT_THROW(refusal(pair, Backend::cuda, "DHZ0-(ME-FB-ME);w=8"), NotSupported);
}

class GsvdGpuDigest : public GpuTest {};

TEST_F(GsvdGpuDigest, IsTheCommittedOne) {
  for (const DigestCase& c : read_digests(committed_digests()))
    EXPECT_EQ(compute_digest(c.name, Backend::cuda), c.digest) << c.name;
}

}  // namespace
}  // namespace pivotlab::gsvd_gpu_test
