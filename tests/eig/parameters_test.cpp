// SPDX-License-Identifier: BSD-3-Clause
// The transformations of a pair satisfy their definition, in double and in quad.
#include "kernels/eig/shared/parameters.hpp"
#include "kernels/numerics/arithmetic.hpp"
#include "kernels/numerics/complex_parts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/scalar.hpp>

#include <cmath>
#include <complex>

namespace pivotlab::parameters_test {
namespace {

using namespace eig_detail;
using Complex = std::complex<double>;
using QuadComplex = std::complex<Quad>;

/// A number of any phase and a size between 10^−least and 10^largest, sometimes 0.
Complex arbitrary(int least, int largest) {
  if (*rc::gen::inRange(0, 8) == 0) return 0;
  const double size = std::pow(10.0, *rc::gen::inRange(-1000 * least, 1000 * largest) / 1000.0);
  return std::polar(size, *rc::gen::inRange(-3141, 3142) / 1000.0);
}

Block2<Complex> arbitrary_block(int least, int largest) {
  const auto any = [&] { return arbitrary(least, largest); };
  return {any(), any(), any(), any()};
}

QuadComplex quad(const Complex& x) {
  return {Quad(x.real()), Quad(x.imag())};
}
Block2<QuadComplex> quad(const Block2<Complex>& a) {
  return {quad(a.pp), quad(a.pq), quad(a.qp), quad(a.qq)};
}

template <class C>
Block2<C> times(const Block2<C>& a, const Block2<C>& b) {
  return {a.pp * b.pp + a.pq * b.qp, a.pp * b.pq + a.pq * b.qq, a.qp * b.pp + a.qq * b.qp, a.qp * b.pq + a.qq * b.qq};
}

double size_of(const QuadComplex& x) {
  return static_cast<double>(Quad(sqrt(squared_magnitude(x))));
}

double distance(const Block2<QuadComplex>& a, const Block2<QuadComplex>& b) {
  return std::max({size_of(a.pp - b.pp), size_of(a.pq - b.pq), size_of(a.qp - b.qp), size_of(a.qq - b.qq)});
}

RC_GTEST_PROP(EigParameters, InverseIsTheInverse, ()) {
  const auto a = arbitrary_block(20, 1);
  const PairRules<double> rules;
  const auto t = transformation(a, arbitrary(20, 2), std::abs(arbitrary(20, 2)), rules);
  const Block2<QuadComplex> product = times(quad(t.m), quad(inverse(t.m))),
                            I{QuadComplex(1), QuadComplex(0), QuadComplex(0), QuadComplex(1)};
  RC_ASSERT(distance(product, I) <= 1e-14);
  RC_ASSERT(t.tau_squared <= 0.25 * (1 + 0x1p-50));
}

RC_GTEST_PROP(EigParameters, UnitaryAnnihilatesUnlessCutOff, ()) {
  const auto a = arbitrary_block(60, 60);
  const Block2<QuadComplex> wide = quad(a);
  const TracelessBlock<Complex> block = sheared(a, Complex(0));
  const auto parameter = unitary_parameter(block);
  const Complex t = parameter.g / parameter.h;
  RC_ASSERT(std::abs(t) <= 1 + 1e-15);
  RC_ASSERT(std::abs(std::norm(t) - parameter.e / parameter.h) <= 1e-14);
  const auto m = quad(shear_times_unitary(Complex(0), parameter).m);
  const Block2<QuadComplex> result = times(times(inverse(m), wide), m);
  const double traceless = std::max({std::abs(block.half_d), std::abs(block.pq), std::abs(block.qp)});
  const double cut_off = 1 - 1e-14;
  if (std::abs(t) < cut_off)
    RC_ASSERT(size_of(result.qp) <= 1e-14 * traceless + 1e-15 * std::abs(a.pp + a.qq));
  else
    RC_ASSERT(size_of(result.qp) <= std::abs(a.qp) * (1 + 1e-14) + 1e-14 * traceless);
}

RC_GTEST_PROP(EigParameters, AgreeWithThoseInQuad, ()) {
  const auto a = arbitrary_block(3, 1);
  const Complex c = arbitrary(3, 1);
  const double squares = std::abs(arbitrary(3, 1));
  const Complex w = shear_parameter(a, c, squares, 1.0);
  const QuadComplex wide = shear_parameter(quad(a), quad(c), Quad(squares), Quad(1));
  // c is a sum, which may cancel: an error relative to its terms
  const double d = std::abs(a.qq - a.pp), terms = std::abs(c) + d * (std::abs(a.pq) + std::abs(a.qp));
  const QuadComplex sum =
      quad(c) + quad(a.pq) * std::conj(quad(a.qq) - quad(a.pp)) - std::conj(quad(a.qp)) * (quad(a.qq) - quad(a.pp));
  RC_PRE(size_of(sum) > 1e-3 * terms);
  RC_ASSERT(size_of(quad(w) - wide) <= 1e-11);
}

RC_GTEST_PROP(EigParameters, DoNotSeeAMultipleOfTheIdentity, ()) {
  auto a = arbitrary_block(2, 0);
  for (Complex* x : {&a.pp, &a.qq}) *x = {std::round(x->real() * 1024) / 1024, std::round(x->imag() * 1024) / 1024};
  Block2<Complex> shifted = a;
  shifted.pp += 4096, shifted.qq += 4096;  // exact
  const PairRules<double> rules;
  const auto one = transformation(a, Complex(0.1, -0.2), 1.5, rules);
  const auto other = transformation(shifted, Complex(0.1, -0.2), 1.5, rules);
  RC_ASSERT(one.m.pp == other.m.pp && one.m.pq == other.m.pq && one.m.qp == other.m.qp && one.m.qq == other.m.qq);
}

TEST(EigParameters, FiniteOverExponentRange) {
  const double sizes[] = {0, 5e-324, 1e-300, 1e-160, 1, 1e100, 1e150};
  for (const double pq : sizes)
    for (const double qp : sizes)
      for (const double d : sizes) {
        const Block2<Complex> a{Complex(0, d), pq, Complex(0, -qp), Complex(-d, 0)};
        const auto m = transformation(a, Complex(pq, qp), d, PairRules<double>{}).m;
        for (const Complex& x : {m.pp, m.pq, m.qp, m.qq}) EXPECT_LE(std::abs(x), 2) << pq << " " << qp << " " << d;
      }
}

TEST(EigParameters, IdentityForTriangularBlock) {
  const auto m = transformation(Block2<Complex>{3, 0, 0, 1}, Complex(0), 7.0, PairRules<double>{}).m;
  EXPECT_EQ(m.pp, 1.0);
  EXPECT_EQ(m.pq, 0.0);
  EXPECT_EQ(m.qp, 0.0);
  EXPECT_EQ(m.qq, 1.0);
  EXPECT_EQ(unitary_parameter(TracelessBlock<Complex>{1, 5, 0}).g, 0.0);
  const auto half_turn = unitary_parameter(TracelessBlock<Complex>{0, 0, Complex(0, 2)});
  EXPECT_EQ(half_turn.g, Complex(0, half_turn.h));
  EXPECT_EQ(half_turn.e, half_turn.h);
}

TEST(EigParameters, SplitNumbersHaveSameBits) {
  const Block2<Complex> a{{1, 2}, {3, -1}, {0.5, 0.25}, {-2, 1}};
  using Parts = ComplexParts<double>;
  const auto parts = [](const Complex& x) { return Parts(x.real(), x.imag()); };
  const auto one = transformation(a, Complex(0.3, 0.1), 9.0, PairRules<double>{});
  const auto other = transformation(Block2<Parts>{parts(a.pp), parts(a.pq), parts(a.qp), parts(a.qq)}, Parts(0.3, 0.1),
                                    9.0, PairRules<double>{});
  EXPECT_EQ(one.m.pp, Complex(other.m.pp.real(), other.m.pp.imag()));
  EXPECT_EQ(one.m.qp, Complex(other.m.qp.real(), other.m.qp.imag()));
}

}  // namespace
}  // namespace pivotlab::parameters_test
