// SPDX-License-Identifier: BSD-3-Clause
// On a GPU: the bits of the host, and with PIVOTLAB_GPU_LARGE=1 the seconds at the paper's sizes.
#include <support/timer.hpp>
#include <tests/gpu_test.hpp>

#include <experiments/gsvd/gsvd_errors.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/host_measurements.hpp>
#include <generators/kinds.hpp>
#include <generators/random.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <kernels/verification/device/gsvd_judge.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd.hpp>
#include <tests/extended/on_cuda.hpp>
#include <tests/numerics/random_matrix.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

namespace pivotlab::extended_gpu_test {
namespace {

using test::random_matrix;
using Complex = std::complex<double>;
using ComplexDD = std::complex<DoubleDouble>;

class ExtendedOnGpu : public GpuTest {};

template <class T>
bool same_bits(const Matrix<T>& A, const Matrix<T>& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && std::equal(A.data(), A.data() + A.size(), B.data());
}

template <class E, class A, class B>
void expect_same_product(const Matrix<A>& a, Op op_a, const Matrix<B>& b, Op op_b) {
  const Matrix<E> C = test::product_on_cuda<E>(a, op_a == Op::adjoint, b, op_b == Op::adjoint);
  EXPECT_TRUE(same_bits(C, pivotlab::product<E>({a, op_a}, {b, op_b})));
  EXPECT_TRUE(same_bits(C, test::product_on_cuda<E>(a, op_a == Op::adjoint, b, op_b == Op::adjoint)));  // repeated
}

TEST_F(ExtendedOnGpu, ProductsHaveTheBitsOfTheHosts) {
  const auto a = random_matrix<DoubleDouble>(300, 900, 1), b = random_matrix<DoubleDouble>(900, 257, 2);
  const auto z = random_matrix<ComplexDD>(150, 500, 3), w = random_matrix<ComplexDD>(500, 129, 4);
  expect_same_product<DoubleDouble>(a, Op::none, b, Op::none);
  expect_same_product<DoubleDouble>(b, Op::adjoint, a, Op::adjoint);
  expect_same_product<ComplexDD>(z, Op::none, w, Op::none);
  expect_same_product<ComplexDD>(w, Op::adjoint, z, Op::adjoint);
  const auto d = random_matrix<double>(512, 512, 5);
  expect_same_product<DoubleDouble>(d, Op::adjoint, d, Op::none);
  const auto c = random_matrix<Complex>(200, 64, 6);
  expect_same_product<ComplexDD>(c, Op::adjoint, c, Op::none);
  expect_same_product<DoubleDouble>(random_matrix<double>(70, 120, 11, 30, 50, 8, true), Op::none,
                                    random_matrix<DoubleDouble>(120, 50, 61, 50, 30, 8, true), Op::none);
}

template <class E>
void expect_same_factors(Index n) {
  const auto A = random_matrix<E>(n, n, 7);
  const auto [LU, X] = test::lu_and_inverse_on_cuda(A);
  const CompletePivotingLU<E> expected = lu_complete(A);
  EXPECT_TRUE(same_bits(LU, expected.LU));
  const Matrix<E> inverse = pivotlab::inverse(expected);
  double largest = 0, error = 0;
  for (Index i = 0; i < X.size(); ++i) {
    largest = std::max(largest, pivotlab::detail::pivot_size(inverse.data()[i]));
    error = std::max(error, pivotlab::detail::pivot_size(E(X.data()[i] - inverse.data()[i])));
  }
  EXPECT_LE(error, 0x1p-85 * largest);
}

TEST_F(ExtendedOnGpu, FactorsHaveTheBitsOfTheHosts) {
  expect_same_factors<DoubleDouble>(300);
  expect_same_factors<ComplexDD>(170);
}

template <class T>
void expect_same_pair(const std::string& name, Index n, Index m_f, Index m_g) {
  const Problem problem{n, m_f, m_g, 7, 0, parse_generator(name).options};
  const Pair<T> expected = rounded<T>(make_paper_pair<Rebind<T, Quad>>(problem));
  const auto algebra = make_device_pair_algebra<T>();
  ASSERT_NE(algebra, nullptr) << "cuBLAS is not found";
  const Pair<T> pair = make_paper_pair<T>(problem, *algebra);
  EXPECT_TRUE(same_bits(pair.F, expected.F)) << name << ' ' << n;
  EXPECT_TRUE(same_bits(pair.G, expected.G)) << name << ' ' << n;
  EXPECT_EQ(pair.sigma, expected.sigma);
}

TEST_F(ExtendedOnGpu, PairsAreTheHostsToTheLastBit) {
  expect_same_pair<double>("paper", 64, 64, 64);
  expect_same_pair<double>("paper;cond_x=1e6;grade=3", 250, 300, 251);
  expect_same_pair<double>("paper", 512, 512, 512);
  expect_same_pair<Complex>("paper", 256, 256, 256);
  expect_same_pair<Complex>("paper;form=usx", 96, 100, 96);
}

void expect_near(const std::vector<double>& x, const std::vector<double>& expected, const char* what,
                 double error = 0) {
  ASSERT_EQ(x.size(), expected.size()) << what;
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], (1e-10 + error) * expected[i]) << what << ' ' << i;
}

/// Compares a product of rounding errors with a unitary matrix, as the judge computes it.
template <class T>
void expect_same_rotated_error(Index n) {
  using namespace experiments;
  using E = Rebind<T, DoubleDouble>;
  const auto pair = std::get<Pair<T>>(generate_pair({"paper;form=usx", scalar_type<T>, n, n + 5, n, 3, 0}));
  const GsvdResult<T> result = gsvd<T>(pair.F, pair.G, {});
  const auto [Z, f, g] = scaled(given_pair(pair, result, 0), 0);
  const Matrix<E> X = invert<E>(Z, 0);
  const Matrix<T> Q = rq_unitary_factor<T>(X, 0), measured = test::unitary_factor_on_cuda<T>(X);
  double difference = 0;
  for (Index i = 0; i < Q.size(); ++i)
    difference = std::max<double>(difference, std::abs(measured.data()[i] - Q.data()[i]));
  EXPECT_LE(difference, 1e-9) << "of Q's elements, which X's condition magnifies";
  for (const Side<T>* side : {&f, &g})
    expect_same_product<E>(error_with_x(*side, Z.common, X, 0), Op::none, Q, Op::none);
}

TEST_F(ExtendedOnGpu, RotatedErrorsAreTheHosts) {
  for (const Index n : {64, 200}) {
    expect_same_rotated_error<double>(n);
    expect_same_rotated_error<Complex>(n);
  }
}

template <class T>
void expect_same_measurements(Index n) {
  using namespace experiments;
  const auto pair = std::get<Pair<T>>(generate_pair({"paper;form=usx", scalar_type<T>, n, n + 5, n, 3, 0}));
  const GsvdResult<T> result = gsvd<T>(pair.F, pair.G, {});
  const auto [Z, f, g] = scaled(given_pair(pair, result, 0), 0);
  const auto judge = make_device_judge<T>();
  ASSERT_NE(judge, nullptr) << "cuBLAS is not found";
  const GsvdMeasurements measured = judge->measure(f, g, Z), expected = measure_on_host<DoubleDouble>(f, g, Z, 0);
  for (const auto& [x, y] : {std::pair(&measured.f, &expected.f), std::pair(&measured.g, &expected.g)}) {
    SCOPED_TRACE(x == &measured.f ? "F" : "G");
    expect_near(x->errors, y->errors, "errors");
    expect_near(x->weights, y->weights, "weights");
    expect_near(x->reach, y->reach, "reach", 0x1p-8);
    expect_near({x->norm_of_a, x->norm_1_of_a, x->orthogonality, x->orthogonality_1},
                {y->norm_of_a, y->norm_1_of_a, y->orthogonality, y->orthogonality_1}, "norms");
    expect_near({x->error_with_x, x->rotated_error_1}, {y->error_with_x, y->rotated_error_1}, "with X",
                measured.error_of_x);
  }
  expect_near(measured.x_norms, expected.x_norms, "x", measured.error_of_x);
  EXPECT_LT(measured.unitarity_1, static_cast<double>(n) * 0x1p-50);
}

TEST_F(ExtendedOnGpu, MeasurementsAreTheHosts) {
  for (const Index n : {64, 200}) {
    expect_same_measurements<double>(n);
    expect_same_measurements<Complex>(n);
  }
}

template <class T>
void expect_same_on_two_gpus() {
  using namespace experiments;
  const auto pair = std::get<Pair<T>>(generate_pair({"paper;form=usx", scalar_type<T>, 70, 75, 70, 3, 0}));
  const GsvdResult<T> result = gsvd<T>(pair.F, pair.G, {});
  const auto [Z, f, g] = scaled(given_pair(pair, result, 0), 0);
  const auto on_two = measure_on_gpus<T>(f, g, Z, 0), on_one = measure_on_gpus<T>(f, g, Z);
  for (const auto side : {&GsvdMeasurements::f, &GsvdMeasurements::g}) {
    const SideMeasurements &x = (*on_two).*side, &y = (*on_one).*side;
    EXPECT_EQ(x.errors, y.errors);
    EXPECT_EQ(x.weights, y.weights);
    EXPECT_EQ(x.reach, y.reach);
    EXPECT_EQ(x.orthogonality, y.orthogonality);
    EXPECT_EQ(x.error_with_x, y.error_with_x);
    EXPECT_EQ(x.rotated_error_1, y.rotated_error_1);
  }
  EXPECT_EQ(on_two->x_norms, on_one->x_norms);
}

TEST_F(ExtendedOnGpu, TwoGpusMeasureWithTheBitsOfOne) {
  if (list_devices().size() < 2) GTEST_SKIP() << "one GPU";
  expect_same_on_two_gpus<double>();
  expect_same_on_two_gpus<Complex>();
}

// ---- Seconds ----

template <class Work>
double seconds_of(Work&& work) {
  const Timer timer;
  work();
  return timer.seconds();
}

void print_phases(const std::vector<experiments::Phase>& phases) {
  double sum = 0;
  for (const auto& [name, seconds, flops] : phases) {
    std::cout << "    " << name << ": " << seconds << " s";
    if (flops > 0) std::cout << ", " << flops / seconds * 1e-12 << " TF/s";
    std::cout << '\n';
    sum += seconds;
  }
  std::cout << "    all of these: " << sum << " s\n";
}

/// Generates, decomposes and judges a pair of the paper's kind, and then times the parts of the judge.
template <class T>
void print_seconds(Index n) {
  using namespace experiments;
  Pair<T> pair;
  const double generation = seconds_of([&] {
    pair = std::get<Pair<T>>(generate_pair({"paper", scalar_type<T>, n, n, n, 1, 0}));
  });
  std::cout << (is_complex<T> ? "complex" : "real") << " n = " << n << ": generated in " << generation << " s ("
            << pair.provenance << ")\n";

  const GsvdResult<T> result =
      gsvd<T>(pair.F, pair.G,
              {.variant = parse_gsvd_variant(is_complex<T> ? "ZHZ0-(ME-BO-ME);w=32" : "DHZ0-(ME-BO-ME);w=32").variant,
               .backend = Backend::cuda});
  GsvdMetrics metrics;
  const double judgement = seconds_of([&] { metrics = judge_gsvd(pair, result); });
  std::cout << "  judged in " << judgement << " s, then in " << seconds_of([&] { judge_gsvd(pair, result); }) << " s ("
            << to_string(metrics.precision) << " on " << to_string(metrics.device) << ", growth "
            << metrics.bounds.growth_f << ", " << metrics.message << ")\n";

  std::unique_ptr<DeviceJudge<T>> judge;
  std::cout << "  the judge starts in " << seconds_of([&] { judge = make_device_judge<T>(); }) << " s\n";
  std::optional<GivenPair<T>> given;
  std::cout << "  host, exponents: " << seconds_of([&] { given.emplace(given_pair(pair, result, 0)); }) << " s\n";
  GsvdMeasurements measured;
  std::cout << "  measured in " << seconds_of([&] { measured = judge->measure(given->f, given->g, given->Z); });
  std::cout << " s, X to " << measured.error_of_x << '\n';
  print_phases(judge->phases());

  judge = make_device_judge<T>();
  double condition = 0;
  const double conditioning = seconds_of([&] { condition = judge->condition_number(pair.F); });
  std::cout << "  kappa of F = " << condition << " in " << conditioning << " s\n";
  print_phases(judge->phases());
  if (n < 9000) return;
  EXPECT_LT(generation, 30);
  EXPECT_LT(judgement, 60);
}

TEST_F(ExtendedOnGpu, LargePairsAreMadeAndJudgedInTime) {
  if (!std::getenv("PIVOTLAB_GPU_LARGE")) GTEST_SKIP() << "set PIVOTLAB_GPU_LARGE=1 for n = 2048 and 9728";
  for (const Index n : {2048, 9728}) {
    print_seconds<double>(n);
    print_seconds<Complex>(n);
  }
}

}  // namespace
}  // namespace pivotlab::extended_gpu_test
