// SPDX-License-Identifier: BSD-3-Clause
// Properties of exact products: forms of factors and results, blocks, special values, lanes, memory, and input.
#include <gtest/gtest.h>
#include <kernels/exact/host_product.hpp>
#include <pivotlab/error.hpp>
#include <tests/exact/exact_data.hpp>
#include <tests/guarded_workspace.hpp>

namespace pivotlab::product_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(T) * static_cast<std::size_t>(a.size())) == 0;
}

template <class T>
bool same_bits(const ExactProduct<T>& a, const ExactProduct<T>& b) {
  return same_bits(a.hi, b.hi) && same_bits(a.lo, b.lo) && same_bits(a.bound, b.bound);
}

template <class T>
Matrix<T> integers(Index rows, Index cols, unsigned seed) {
  return make_problem<T>(kinds[8], rows, 1, cols, seed).A.hi;
}

template <class T>
Matrix<T> changed(const Matrix<T>& X, bool transposed, bool conjugated) {
  Matrix<T> result(transposed ? X.cols() : X.rows(), transposed ? X.rows() : X.cols());
  for (Index j = 0; j < result.cols(); ++j)
    for (Index i = 0; i < result.rows(); ++i) {
      const T x = transposed ? X(j, i) : X(i, j);
      result(i, j) = conjugated ? conjugate(x) : x;
    }
  return result;
}

template <class T>
void expect_every_form() {
  const Matrix<T> A = integers<T>(33, 140, 3), B = integers<T>(140, 5, 4);
  const ExactOptions options{.moduli = 11};
  const auto C = exact_product<T>(A, B, options);
  EXPECT_TRUE(C.report.exact());
  for (const bool conjugated : {false, true})
    for (const bool transposed : {false, true}) {
      const Matrix<T> A2 = changed(A, transposed, conjugated), B2 = changed(B, transposed, conjugated);
      ExactFactor<T> a(A2), b(B2);
      if (transposed) a = a.transpose(), b = b.transpose();
      const auto of_conjugates = exact_product<T>(a, b, options);
      EXPECT_TRUE(same_bits(of_conjugates.hi, changed(C.hi, false, conjugated)));
      a.conjugated = b.conjugated = conjugated;
      EXPECT_TRUE(same_bits(exact_product<T>(a, b, options).hi, C.hi));
      ExactFactor<T> one = a;
      one.conjugated = !conjugated;
      EXPECT_TRUE(
          same_bits(exact_product<T>(one, b, options).hi, exact_product<T>(changed(A, false, true), B, options).hi));
    }
}

TEST(ExactFactors, AreTransposedAndConjugated) {
  expect_every_form<double>();
  expect_every_form<Complex>();
}

template <class T>
void expect_gram() {
  const Problem<T> problem = make_problem<T>(kinds[4], 35, 1, 33);
  const ExactFactor<T> A = problem.A.factor();
  for (const ExactFactor<T>& left : {A, A.adjoint(), A.transpose()})
    for (const bool conjugates : {false, true}) {
      ExactFactor<T> right = left.transpose();
      right.conjugated = left.conjugated != conjugates;
      const ExactOptions options{.moduli = 9};
      const auto plain = exact_product<T>(left, right, options);
      EXPECT_TRUE(same_bits(exact_product<T>(left, right, {.moduli = 9, .gram = true}), plain));
      // The lower triangle alone, by panels, into a matrix that must keep its other half.
      Matrix<T> hi(left.rows(), left.rows()), lo = hi;
      std::fill_n(hi.data(), hi.size(), T(7));
      exact_update<T>({.hi = hi, .lo = lo, .lower = true}, left, right, {.moduli = 9, .gram = true, .panel = 32});
      for (Index j = 0; j < hi.cols(); ++j)
        for (Index i = 0; i < hi.rows(); ++i) {
          EXPECT_EQ(hi(i, j), i < j ? T(7) : plain.hi(i, j)) << i << ' ' << j;
          EXPECT_EQ(lo(i, j), i < j ? T(0) : plain.lo(i, j)) << i << ' ' << j;
        }
    }
}

TEST(ExactProducts, OfAMatrixAndItsAdjointAreSplitOnce) {
  expect_gram<double>();
  expect_gram<Complex>();
}

template <class T>
void expect_nothing_left() {
  const Problem<T> problem = make_problem<T>(kinds[3], 20, 18, 70);
  const ExactFactor<T> A = problem.A.factor(), B = problem.B.factor();
  const auto AB = exact_product<T>(A, B, {.moduli = 14});
  Matrix<T> hi = AB.hi, lo = AB.lo;
  const Matrix<T> zero(20, 18);
  exact_update<T>({.hi = hi, .lo = lo, .subtract = true, .start = ExactStart::c}, A, B, {.moduli = 14});
  EXPECT_TRUE(std::all_of(hi.data(), hi.data() + hi.size(), [](const T& x) { return x == T(0); }));
  EXPECT_TRUE(std::all_of(lo.data(), lo.data() + lo.size(), [](const T& x) { return x == T(0); }));
  exact_update<T>({.hi = hi, .lo = lo, .start = ExactStart::c}, A, B, {.moduli = 14});
  EXPECT_TRUE(same_bits(hi, AB.hi) && same_bits(lo, AB.lo));
  Matrix<T> rounded(20, 18);
  exact_update<T>({.hi = rounded}, A, B, {.moduli = 14});
  EXPECT_TRUE(same_bits(rounded, AB.hi));
}

TEST(ExactUpdate, SubtractsAProductFromItselfToZero) {
  expect_nothing_left<double>();
  expect_nothing_left<Complex>();
}

/// Checks a residual in two limbs against its exact value.
template <class T, class Exact>
void expect_residual(const ExactTarget<T>& C, double largest_error, Exact&& exact) {
  for (Index j = 0; j < C.hi.cols; ++j)
    for (Index i = C.lower ? j : 0; i < C.hi.rows; ++i) {
      const Long squared = squared_error<T>(exact(i, j), C.hi(i, j), C.lo(i, j));
      ASSERT_TRUE(is_within(squared, largest_error)) << i << ' ' << j;
    }
}

template <class T>
void expect_residuals() {
  constexpr Index m = 40, n = 6, k = 20;
  const Problem<T> problem = make_problem<T>(kinds[0], m, n, k), other = make_problem<T>(kinds[0], m, 1, n, 9);
  const ExactFactor<T> F = problem.A.factor(), Z = problem.B.factor(), U = other.A.factor();
  const std::vector<double> sigma{3.25, 1e-3, 0.7, 0, 1e5, 1.1};
  Matrix<T> hi(m, n), lo(m, n);
  const ExactTarget<T> pair{.hi = hi, .lo = lo, .start = ExactStart::minus_columns, .U = U.hi, .sigma = sigma.data()};
  EXPECT_TRUE(exact_update<T>(pair, F, Z).exact());
  const auto product = exact_entries(F, Z);
  expect_residual<T>(pair, 0x1p-83, [&](Index i, Index j) {
    LongComplex entry = product[static_cast<std::size_t>(i + j * m)];
    const LongComplex u = element(U, i, j);
    const Long s = integer(sigma[static_cast<std::size_t>(j)], unit_of_double);
    entry[0] -= u[0] * s, entry[1] -= u[1] * s;
    return entry;
  });
  Matrix<T> gram_hi(k, k), gram_lo(k, k);
  const ExactTarget<T> gram{.hi = gram_hi, .lo = gram_lo, .start = ExactStart::minus_identity, .lower = true};
  EXPECT_TRUE(exact_update<T>(gram, F.adjoint(), F, {.gram = true}).exact());
  const auto entries = exact_entries(F.adjoint(), F);
  expect_residual<T>(gram, 0x1p-95, [&](Index i, Index j) {
    LongComplex entry = entries[static_cast<std::size_t>(i + j * k)];
    if (i == j) entry[0] -= Long(1) << unit_of_product;
    return entry;
  });
}

TEST(ExactUpdate, ComputesResidualsInOnePass) {
  expect_residuals<double>();
  expect_residuals<Complex>();
}

TEST(ExactProducts, FlagWhatIsNotFiniteAndKeepZeros) {
  for (const int moduli : {8, 0})
    for (const bool balance : {false, true}) {
      const Problem<Complex> problem = make_problem<Complex>(kinds[9], 9, 7, 30);
      const auto C =
          exact_product<Complex>(problem.A.factor(), problem.B.factor(), {.moduli = moduli, .balance = balance});
      EXPECT_EQ(C.report.rows_not_finite, 1);
      EXPECT_EQ(C.report.columns_not_finite, 1);
      for (Index j = 0; j < 7; ++j)
        for (Index i = 0; i < 9; ++i) {
          const bool is_nan = i == 1 || j == 2;
          EXPECT_EQ(std::isnan(C.hi(i, j).real()) && std::isnan(C.hi(i, j).imag()), is_nan) << i << ' ' << j;
          EXPECT_EQ(std::isnan(C.bound(i, j)), is_nan);
          if (!is_nan && (i == 3 || j == 4)) {
            EXPECT_EQ(C.hi(i, j), Complex(0));
          }
        }
    }
}

TEST(ExactProducts, OfEmptyMatricesAreEmptyOrZero) {
  for (const auto& [m, n, k] : {std::array<Index, 3>{0, 3, 4}, {3, 0, 4}, {0, 0, 0}, {3, 2, 0}}) {
    const auto C = exact_product<double>(Matrix<double>(m, k), Matrix<double>(k, n), {.balance = true});
    EXPECT_EQ(C.hi.size(), m * n);
    for (Index e = 0; e < C.hi.size(); ++e) EXPECT_EQ(C.hi.data()[e], 0);
    EXPECT_TRUE(C.report.exact());
  }
}

TEST(ExactProducts, OfMoreThanSixtyFiveThousandTermsAreExact) {
  const Matrix<double> A = integers<double>(1, 65536 + 500, 5), B = integers<double>(65536 + 500, 1, 6);
  const auto C = exact_product<double>(A, B, {.moduli = 12});
  EXPECT_TRUE(C.report.exact());
  const auto exact = exact_entries<double>(A, B);
  EXPECT_TRUE(is_within(squared_error(exact[0], C.hi(0, 0), C.lo(0, 0)), C.bound(0, 0)));
}

// ---- Emulation ----

template <class T>
ExactProduct<T> emulated(const exact::Plan& plan, const Problem<T>& problem, void* workspace = nullptr,
                         LaneOrder order = LaneOrder::forward) {
  const auto [m, n, k, parts, gram] = plan.shape;
  const auto product = exact::make_host_product(plan, workspace, order, 3);
  ExactProduct<T> result{Matrix<T>(m, n), Matrix<T>(m, n), Matrix<double>(m, n), {}};
  product->run(exact::operand_of(problem.A.factor(), true), exact::operand_of(problem.B.factor(), false), {},
               exact::target_of<T>({.hi = result.hi, .lo = result.lo}));
  product->bound_entries(result.bound);
  result.report = product->report();
  return result;
}

template <class T>
void expect_same_in_all_orders(const Kind& kind) {
  const Problem<T> problem = make_problem<T>(kind, 34, 35, 520);
  exact::Plan plan = exact::plan_of(34, 35, 520, is_complex<T> ? 2 : 1, {.moduli = 11, .balance = true});
  const auto expected = emulated(plan, problem);
  for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled})
    EXPECT_TRUE(same_bits(emulated(plan, problem, nullptr, order), expected)) << kind.name;
  plan.settings.panel = 32, plan.settings.inner_block = 256;
  EXPECT_TRUE(same_bits(emulated(plan, problem), expected)) << kind.name;
}

TEST(ExactEmulation, BitsDependNeitherOnLanesNorOnPanelsNorOnBlocks) {
  expect_same_in_all_orders<double>(kinds[0]);
  expect_same_in_all_orders<Complex>(kinds[4]);
  expect_same_in_all_orders<double>(kinds[9]);
}

TEST(ExactEmulation, WorksInTheCallersWorkspace) {
  for (const ExactOptions& options :
       {ExactOptions{.moduli = 9}, {.bits = 30, .balance = true, .panel = 40}, {.balance = true}}) {
    const Problem<Complex> problem = make_problem<Complex>(kinds[0], 40, 50, 200);
    GuardedWorkspace workspace(DeviceExactProduct<Complex>::workspace_bytes(40, 50, 200, options));
    const exact::Plan plan = exact::plan_of(40, 50, 200, 2, options);
    const auto C = emulated(plan, problem, workspace.data());
    EXPECT_TRUE(workspace.intact());
    EXPECT_TRUE(same_bits(C, emulated(plan, problem)));
  }
}

// ---- Input ----

template <class Call>
void expect_error(Call&& call, const std::string& text) {
  try {
    call();
    ADD_FAILURE() << "no error: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(ExactInput, ErrorsNameTheOption) {
  const Matrix<double> A(3, 4), B(4, 2), wrong(3, 3);
  Matrix<double> changed(3, 3);
  const auto multiply = [&](const ExactFactor<double>& a, const ExactFactor<double>& b, const ExactOptions& options) {
    return [=] { exact_product<double>(a, b, options); };
  };
  expect_error(multiply(A, B, {.moduli = 7}), "moduli: 7 is out of range; pass 8 to 26, or 0");
  expect_error(multiply(A, B, {.moduli = 27}), "moduli: 27 is out of range");
  expect_error(multiply(A, B, {.bits = 200}), "bits: 26 moduli give at most 95 for k = 4");
  expect_error(multiply(A, B, {.bits = -1}), "bits: pass a number that is not negative");
  expect_error(multiply(A, B, {.panel = -1}), "panel: pass a number of columns");
  expect_error(multiply(A, wrong, {}), "A is 3 × 4 and B 3 × 3; A must have as many columns as B has rows");
  expect_error([&] { exact_update<double>({.hi = changed}, A, B); }, "C is 3 × 3; A·B is 3 × 2");
  expect_error(multiply(A, B, {.gram = true}), "gram: the product is not square");
  expect_error(multiply(wrong, wrong, {.gram = true}), "gram: A and B are not one matrix and its transpose");
  expect_error(multiply(ExactFactor<double>(A.view(), wrong.view()), B, {}), "A: lo has another shape");
}

TEST(ExactInput, PlansForAGpuNeedOne) {
  EXPECT_GT(DeviceExactProduct<double>::workspace_bytes(100, 100, 100), 100u * 100 * 26);
  EXPECT_THROW(DeviceExactProduct<double>(100, 100, 100), NotSupported);
}

}  // namespace
}  // namespace pivotlab::product_test
