// SPDX-License-Identifier: BSD-3-Clause
// The 2×2 transformations diagonalize both pivot matrices, over the whole range of inputs: computed in double, judged
// in quad.
#include "kernels/gsvd/shared/transformation.hpp"

#include <pivotlab/scalar.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <pivotlab/scalar.hpp>

namespace pivotlab::transformation_test {
namespace {

using Complex = std::complex<Quad>;
using Square = std::array<std::array<Complex, 2>, 2>;

// Largest error of Zᴴ·M·Z against its ideal (off-diagonal zero, and diagonal one when `unit`), in units of roundoff and
// relative to |Z|ᴴ·|M|·|Z|, that is, to what rounding Z alone would cause.
double error_in_ulps(const Square& z, const Square& m, bool unit) {
  double worst = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      Complex value(0);
      Quad scale(0);
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) {
          value += conj(z[k][i]) * m[k][l] * z[l][j];
          scale += abs(z[k][i]) * abs(m[k][l]) * abs(z[l][j]);
        }
      if (i == j && !unit) continue;
      if (i == j) value -= Complex(1);
      if (scale != 0) worst = std::max(worst, static_cast<double>(Quad(abs(value) / scale / unit_roundoff<double>())));
    }
  return worst;
}

Square square(double a11, double a22, std::complex<double> a12) {
  const Complex c(a12.real(), a12.imag());
  return {{{Complex(Quad(a11)), c}, {conj(c), Complex(Quad(a22))}}};
}

Square square(const PairTransformation<double>& z) {
  return {{{Complex(Quad(z.z11)), Complex(Quad(z.z12_re), Quad(z.z12_im))},
           {Complex(Quad(z.z21_re), Quad(z.z21_im)), Complex(Quad(z.z22))}}};
}

// Exponents spread evenly, so that tiny and huge pivots, nearly parallel and nearly orthogonal columns all occur.
struct Pivots {
  double a11, a22;
  std::complex<double> a12, b12;
};

rc::Gen<double> uniform(double low, double high) {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52),
                      [=](std::int64_t k) { return low + (high - low) * std::ldexp(static_cast<double>(k), -52); });
}

Pivots any_pivots(bool real, double grading) {
  const double e = *uniform(-100, 100), d = *uniform(-grading, grading);
  const double c = std::sqrt(1 - std::pow(10, *uniform(-12, 0)));  // cosine between the columns of F
  const double x =
      *rc::gen::element(0, 1) != 0 ? std::pow(10, *uniform(-20, 0)) * 0.999999 : 1 - std::pow(10, *uniform(-6, 0));
  const auto phase = [&] {
    return real ? std::complex<double>(*rc::gen::element(-1, 1)) : std::polar(1.0, *uniform(-3.14159, 3.14159));
  };
  Pivots p;
  p.a11 = std::pow(10, e);
  p.a22 = std::pow(10, e + d);
  p.a12 = phase() * (c * std::pow(10, *uniform(-18, 0)) * std::sqrt(p.a11) * std::sqrt(p.a22));
  p.b12 = phase() * x;
  return p;
}

void expect_diagonal(const Pivots& p, const PairTransformation<double>& z, double ulps) {
  const Square Z = square(z);
  const double a = error_in_ulps(Z, square(p.a11, p.a22, p.a12), false);
  const double b = error_in_ulps(Z, square(1, 1, p.b12), true);
  RC_LOG() << "a11 " << p.a11 << " a22 " << p.a22 << " a12 " << p.a12 << " b12 " << p.b12 << " errors " << a << ' '
           << b;
  RC_ASSERT(a <= ulps);
  RC_ASSERT(b <= ulps);
}

RC_GTEST_PROP(RealTransformation, DiagonalizesBothPivotMatricesToAFewUlp, ()) {
  const Pivots p = any_pivots(true, 30);
  expect_diagonal(p, diagonalize_real(p.a11, p.a22, p.a12.real(), p.b12.real()), 16);
}

RC_GTEST_PROP(ComplexTransformation, DiagonalizesBothPivotMatricesToAFewUlp, ()) {
  const Pivots p = any_pivots(false, 30);
  expect_diagonal(p, diagonalize_complex(p.a11, p.a22, p.a12.real(), p.a12.imag(), p.b12.real(), p.b12.imag()), 16);
}

RC_GTEST_PROP(RealTransformation, DiagonalizesProportionalPivotsForBothSigns, ()) {
  const double a = std::pow(10, *uniform(-50, 50));
  const double x = *uniform(-0.999, 0.999);
  const Pivots p{a, a, a * x, x};
  expect_diagonal(p, diagonalize_real(a, a, a * x, x), 16);
}

RC_GTEST_PROP(ComplexTransformation, DiagonalizesProportionalPivots, ()) {
  const double a = std::ldexp(1.0, *rc::gen::inRange(-200, 200));
  const std::complex<double> x = std::polar(*uniform(0, 0.999), *uniform(-3, 3));
  const Pivots p{a, a, a * x, x};
  expect_diagonal(p, diagonalize_complex(a, a, p.a12.real(), p.a12.imag(), x.real(), x.imag()), 16);
}

RC_GTEST_PROP(ComplexTransformation, AgreesWithRealOnRealPivots, ()) {
  const Pivots p = any_pivots(true, 6);
  const auto z = diagonalize_complex(p.a11, p.a22, p.a12.real(), 0.0, p.b12.real(), 0.0);
  expect_diagonal(p, z, 16);
  RC_ASSERT(std::abs(z.z12_im) <= 1e-15 * std::abs(z.z12_re));
}

TEST(Transformation, IdentityForOrthogonalColumns) {
  const auto z = diagonalize_real(4.0, 1.0, 0.0, 0.0);
  EXPECT_EQ(z.z11, 1.0);
  EXPECT_EQ(z.z22, 1.0);
  EXPECT_EQ(z.z12_re, 0.0);
  EXPECT_EQ(z.z21_re, 0.0);
}

// Otherwise criterion C2 would count roundoff as big transformations, sweep after sweep.
RC_GTEST_PROP(Transformation, UnitCosinesForNearlyOrthogonalColumns, ()) {
  const double x = std::ldexp(*uniform(-1, 1), -40), u = std::ldexp(*uniform(-1, 1), -40), a = *uniform(0.5, 0.9);
  const auto real = diagonalize_real(1.0, a, u, x);
  const auto complex = diagonalize_complex(1.0, a, u, x, x, -u);
  for (const auto& z : {real, complex}) {
    RC_ASSERT(z.cos_phi == 1.0);
    RC_ASSERT(z.cos_psi == 1.0);
  }
}

TEST(Transformation, FiniteForParallelColumns) {
  for (const double x : {1.0, -1.0, 1.0 + 1e-15}) {
    const auto z = diagonalize_real(2.0, 1.0, 0.5, x);
    EXPECT_TRUE(std::isfinite(z.z11) && std::isfinite(z.z22) && std::isfinite(z.z12_re) && std::isfinite(z.z21_re))
        << x;
  }
}

// Columns of rounding noise shrink until the squares of their norms are subnormal.
TEST(Transformation, OfSubnormalPivotsStaysFinite) {
  for (const double a11 : {5e-324, 1e-320, 1e-310})
    for (const double a22 : {0.0, 5e-324, 1e-315})
      for (const double a12 : {0.0, 5e-324}) {
        const auto z = diagonalize_complex<double>(a11, a22, a12, -a12, 0.1, 0.2);
        for (const double part : {z.z11, z.z12_re, z.z12_im, z.z21_re, z.z21_im, z.z22})
          EXPECT_TRUE(std::isfinite(part));
        const auto real = diagonalize_real<double>(a11, a22, a12, 0.1);
        for (const double part : {real.z11, real.z12_re, real.z21_re, real.z22}) EXPECT_TRUE(std::isfinite(part));
      }
}

TEST(Transformation, InQuadAgreesWithDouble) {
  const auto d = diagonalize_real(3.0, 1.25, 0.75, -0.375);
  const auto q = diagonalize_real(Quad(3), Quad(1.25), Quad(0.75), Quad(-0.375));
  EXPECT_NEAR(d.z11, static_cast<double>(q.z11), 4e-16);
  EXPECT_NEAR(d.z12_re, static_cast<double>(q.z12_re), 4e-16);
  EXPECT_NEAR(d.z21_re, static_cast<double>(q.z21_re), 4e-16);
  EXPECT_NEAR(d.z22, static_cast<double>(q.z22), 4e-16);
}

}  // namespace
}  // namespace pivotlab::transformation_test
