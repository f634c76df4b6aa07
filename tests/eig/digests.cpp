// SPDX-License-Identifier: BSD-3-Clause
// Digests of decompositions by the kernels. Cases are lines "variant form n kind": form is single or batch, kind is
// dense, graded (balancing has something to do), normal or shift.
#include "tests/digests/digests.hpp"
#include "tests/digests/exact.hpp"

#include <pivotlab/eig.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace pivotlab::test {
namespace {

using Complex = std::complex<double>;

struct EigDigestCase {
  EigVariant variant;
  bool batch = false;
  Index n = 0;
  std::string kind;
};

EigDigestCase parse(const std::string& name) {
  constexpr std::array kinds = {"dense", "graded", "normal", "shift"};
  EigDigestCase c;
  std::string variant, form;
  std::istringstream words(name);
  words >> variant >> form >> c.n >> c.kind;
  if (!words || (form != "single" && form != "batch") || std::ranges::count(kinds, c.kind) == 0)
    throw InputError("digests: '" + name + "': not 'variant form n kind'; correct the line");
  c.variant = parse_eig_variant(variant);
  c.batch = form == "batch";
  return c;
}

/// The elements are exact on every machine.
Matrix<Complex> matrix_of(const EigDigestCase& c, ExactNumbers& numbers) {
  Matrix<Complex> A(c.n, c.n);
  if (c.kind == "shift") {
    for (Index i = 0; i < c.n; ++i) A(i, (i + 1) % c.n) = 1;
    return A;
  }
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = numbers.next_scalar<Complex>();
  for (Index j = 0; j < c.n; ++j)
    for (Index i = 0; i < c.n; ++i) {
      if (c.kind == "graded") A(i, j) *= std::ldexp(1.0, static_cast<int>(2 * (j - i)));
      if (c.kind == "normal" && i <= j) A(i, j) = i == j ? Complex(A(i, j).real()) : std::conj(A(j, i));
    }
  return A;
}

template <class T>
void add(Fnv1a& fnv, const std::vector<T>& x) {
  fnv.add(x.data(), x.size() * sizeof(T));
}
void add(Fnv1a& fnv, const Matrix<Complex>& X) {
  fnv.add(X.data(), static_cast<std::size_t>(X.size()) * sizeof(Complex));
}

void add(Fnv1a& fnv, const EigDigestCase& c, const EigResult<double>& result) {
  if (result.status != Status::passed) throw std::runtime_error(to_string(c.variant) + ": " + result.message);
  add(fnv, result.eigenvalues);
  add(fnv, result.positions);
  for (const auto* X : {&result.T, &result.E, &result.V, &result.W}) add(fnv, *X);
  for (const auto& sweep : result.history)
    for (const double x : {sweep.norm, sweep.lower, sweep.largest_tau}) fnv.add(&x, sizeof x);
}

}  // namespace

std::uint64_t compute_digest(const std::string& name, Backend backend) {
  const EigDigestCase c = parse(name);
  EigOptions options{.variant = c.variant, .backend = backend};
  options.left_vectors = !c.variant.mixed;
  options.triangular_form = true;
  ExactNumbers numbers;
  Fnv1a fnv;
  if (c.batch) {
    constexpr Index count = 3;
    Matrix<Complex> A(c.n, c.n * count);
    for (Index k = 0; k < count; ++k) {
      const Matrix<Complex> one = matrix_of(c, numbers);
      std::copy_n(one.data(), one.size(), A.data() + k * one.size());
    }
    for (const auto& result : eig_batched<Complex>(A, options)) add(fnv, c, result);
  } else {
    add(fnv, c, eig<Complex>(matrix_of(c, numbers), options));
  }
  return fnv.value();
}

}  // namespace pivotlab::test
