// SPDX-License-Identifier: BSD-3-Clause
// Batches of random small matrices of all kinds by the kernels, emulated: no result that has passed is wrong, measured
// in long double and compared with Quad, and statuses are right. PIVOTLAB_RANDOM_PROBLEMS=20000 for more problems.
#include "batches.hpp"
#include "tests/random/random_problems.hpp"

#include "kernels/ldlt/exact_inertia.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/quad.hpp>

#include <gtest/gtest.h>

#include <map>

namespace pivotlab::batch_test {
namespace {

using namespace test;
using Complex = std::complex<double>;
template <class T>
using Wide = Rebind<T, long double>;
template <class T>
using Matrices = std::vector<Matrix<T>>;

using Limits = std::numeric_limits<double>;
constexpr double epsilon = Limits::epsilon();

enum Kind { dense, integers, graded, singular, zero, defective, large, small, not_finite, kinds };

template <class T>
Matrix<T> draw(RandomNumbers& random, Kind kind, Index m, Index n) {
  Matrix<T> A = kind == integers ? random.integers<T>(m, n, 1) : random.matrix<T>(m, n);
  if (kind == zero) A = Matrix<T>(m, n);
  if (kind == singular) {
    const Matrix<T> B = random.integers<T>(m, (n + 1) / 2, 3), C = random.integers<T>((n + 1) / 2, n, 3);
    A = Matrix<T>(m, n);
    for (Index j = 0; j < n; ++j)
      for (Index l = 0; l < B.cols(); ++l)
        for (Index i = 0; i < m; ++i) A(i, j) += multiply(B(i, l), C(l, j));
  }
  if (kind == defective)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) A(i, j) = T(i == j ? 2.0 : i + 1 == j ? 1.0 : 0.0);
  if (kind == graded) {
    for (Index j = 0; j < n; ++j) scale_column(A, j, random.power_of_two(40));
    for (Index i = 0; i < m; ++i) scale_row(A, i, random.power_of_two(40));
  }
  if (kind == large || kind == small)
    for (Index j = 0; j < n; ++j) scale_column(A, j, kind == large ? 0x1p498 : 0x1p-498);
  if (kind == not_finite)
    A(random.integer(0, int(m) - 1), random.integer(0, int(n) - 1)) =
        T(random.one_of(2) ? Limits::quiet_NaN() : Limits::infinity());
  return A;
}

template <class T>
Matrix<T> draw_hermitian(RandomNumbers& random, Kind kind, Index n) {
  Matrix<T> A = draw<T>(random, kind == singular || kind == defective || kind == graded ? dense : kind, n, n);
  if (kind == singular) A = draw<T>(random, integers, n, (n + 1) / 2);
  Matrix<T> H(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      if (kind == singular) {
        for (Index l = 0; l < A.cols(); ++l) H(i, j) += multiply(A(i, l), conjugate(A(j, l))) * (l % 2 == 0 ? 1. : -1.);
      } else {
        H(i, j) = (A(i, j) + conjugate(A(j, i))) * 0.5;
      }
      if (kind == defective && i == j) H(i, j) = T(0);
    }
  if (kind == graded)
    for (Index j = 0; j < n; ++j) {
      const double d = random.power_of_two(25);
      scale_column(H, j, d), scale_row(H, j, d);
    }
  return H;
}

template <class T>
Wide<T> wide(const T& x) {
  if constexpr (is_complex<T>)
    return {x.real(), x.imag()};
  else
    return x;
}

template <class To, class T>
Matrix<Rebind<T, To>> converted(const Matrix<T>& A) {
  Matrix<Rebind<T, To>> B(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) {
    if constexpr (is_complex<T>)
      B.data()[i] = {To(A.data()[i].real()), To(A.data()[i].imag())};
    else
      B.data()[i] = To(A.data()[i]);
  }
  return B;
}

template <class T>
long double norm(std::span<const T> x) {
  long double squares = 0;
  for (const T& element : x) squares += std::norm(wide(element));
  return std::sqrt(squares);
}
template <class T>
long double norm(const Matrix<T>& A) {
  return norm<T>(std::span<const T>(A.data(), std::size_t(A.size())));
}

/// max_j ‖A·x_j − y_j·d_j‖ over ‖A‖_F·‖x_j‖ or, by columns, Σ_k ‖a_k‖·|x_kj|.
template <class T, class Values>
long double residual(const Matrix<T>& A, const Matrix<T>& X, const Matrix<T>& Y, const Values& d, bool by_columns) {
  long double worst = 0;
  for (Index j = 0; j < X.cols(); ++j) {
    long double squares = 0, weight = 0, length = 0;
    for (Index i = 0; i < A.rows(); ++i) {
      Wide<T> sum = -wide(Y(i, j)) * Wide<T>(d[j]);
      for (Index k = 0; k < A.cols(); ++k) sum += wide(A(i, k)) * wide(X(k, j));
      squares += std::norm(sum);
    }
    for (Index k = 0; k < A.cols(); ++k) {
      weight += norm<T>(A.col(k)) * std::abs(wide(X(k, j)));
      length += std::norm(wide(X(k, j)));
    }
    if (!by_columns) weight = norm(A) * std::sqrt(length);
    if (!(squares == 0)) worst = std::max(worst, std::isfinite(squares) ? std::sqrt(squares) / weight : 1e9L);
  }
  return worst;
}

/// max|U*·U − I|.
template <class T>
long double departure(const Matrix<T>& U) {
  long double worst = 0;
  for (Index j = 0; j < U.cols(); ++j)
    for (Index k = 0; k <= j; ++k) {
      Wide<T> sum = k == j ? -1 : 0;
      for (Index i = 0; i < U.rows(); ++i) sum += wide(conjugate(U(i, k))) * wide(U(i, j));
      worst = !(std::abs(sum) <= worst) ? std::abs(sum) : worst;
    }
  return worst;
}

/// Returns whether relative errors are at most ten estimates, which is their promise.
inline bool are_within_estimates(const std::vector<double>& values, const std::vector<double>& estimates,
                                 const std::vector<Quad>& truth) {
  const Quad most = std::max(abs(truth.front()), abs(truth.back()));
  for (std::size_t j = 0; j < truth.size(); ++j) {
    const Quad x(values[j]), size = std::max(abs(x), abs(truth[j]));
    if (!(abs(x - truth[j]) <= Quad(10 * estimates[j]) * size + Quad(1e-28) * most)) return false;
  }
  return true;
}

/// Problems of one function, eight of a shape in a batch.
template <class T>
struct Problems {
  std::string function;
  std::map<int, int> statuses;
  int wrong = 0, undetermined = 0, undetermined_but_right = 0;  ///< inertias

  explicit Problems(std::string name) : function(std::move(name)) {}
  ~Problems() {
    std::cout << function << (is_complex<T> ? " complex:" : " real:");
    for (const auto& [status, count] : statuses) std::cout << ' ' << count << ' ' << to_string(Status(status));
    std::cout << ", " << wrong << " wrong";
    if (undetermined > 0)
      std::cout << ", " << undetermined << " undetermined, " << undetermined_but_right << " of them right";
    std::cout << '\n';
  }
  /// Calls solve(random, kinds of the matrices) for batches.
  template <class Solve>
  void run(const Solve& solve) {
    const int batches = (random_problem_count() + 15) / 16;  // half of them real
    for (int b = 0; b < batches; ++b) {
      RandomNumbers random(b);
      std::vector<Kind> own;
      for (int k = 0; k < 8; ++k) own.push_back(Kind(random.integer(0, kinds - 1)));
      solve(random, own);
    }
  }
  /// `refused`: what must not pass. What passes must be right, and what is usual must pass.
  void judge(int status, bool refused, bool usual, bool right, Kind kind, Index n) {
    ++statuses[status];
    const bool passed = status == int(Status::passed);
    const bool good = refused ? status == int(Status::failed) : passed ? right : !usual;
    if (good) return;
    ++wrong;
    ADD_FAILURE() << function << ": status " << status << ", kind " << kind << ", n = " << n << ", right " << right;
  }
};

template <class Options>
Options emulated() {
  Options options;
  options.backend = Backend::emulation;
  return options;
}

template <class T>
class BatchTruth : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(BatchTruth, Scalars);

/// |P·A·Pᵀ − M·D·M*| ≤ c·n·ε·(|M|·|D|·|M*| + |A| + ρ·ρᵀ), ρ² as in kernels/ldlt/shared/scaled_rank.hpp, and the signs
/// of D.
template <class T>
bool is_right(const Matrix<T>& A, FactoredBatch<T>& f, Index k) {
  const Index n = f.n;
  Matrix<Wide<T>> M = converted<long double>(f.M[k]), D(n, n);
  for (Index i = 0; i < n; ++i) {
    D(i, i) = wide(f.diagonal[k * n + i]);
    if (i + 1 < n) D(i + 1, i) = wide(f.subdiagonal[k * n + i]), D(i, i + 1) = conjugate(D(i + 1, i));
  }
  int signs[3] = {};
  for (Index i = 0; i < n; ++i) {
    if (i + 1 < n && D(i + 1, i) != Wide<T>(0)) {
      if (!(std::real(D(i, i)) * std::real(D(i + 1, i + 1)) < std::norm(D(i + 1, i)))) return false;
      ++signs[0], ++signs[1], ++i;
    } else {
      ++signs[std::real(D(i, i)) > 0 ? 0 : std::real(D(i, i)) < 0 ? 1 : 2];
    }
  }
  if (!std::equal(signs, signs + 3, &f.inertia[3 * k])) return false;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Wide<T> a = wide(A(f.permutation[k * n + i], f.permutation[k * n + j]));
      Wide<T> sum = -a;
      long double size = std::abs(a), row = 0, column = 0;
      for (Index p = 0; p < n; ++p)
        for (Index q = std::max<Index>(p - 1, 0); q < std::min(p + 2, n); ++q) {
          const Wide<T> term = M(i, p) * D(p, q) * conjugate(M(j, q));
          sum += term, size += std::abs(term);
          row += std::abs(D(p, q)) * (std::norm(M(i, p)) + std::norm(M(i, q))) / 2,
              column += std::abs(D(p, q)) * (std::norm(M(j, p)) + std::norm(M(j, q))) / 2;
        }
      if (!(std::abs(sum) <= 20 * n * epsilon * (size + std::sqrt(row) * std::sqrt(column)))) return false;
    }
  return true;
}

TYPED_TEST(BatchTruth, FactorizationsInertiasAndSolutions) {
  using T = TypeParam;
  Problems<T> problems("ldlt"), solutions("solve");
  problems.run([&](RandomNumbers& random, const std::vector<Kind>& own) {
    const Index n = random.integer(1, 12);
    Matrices<T> A, B;
    for (const Kind kind : own) A.push_back(draw_hermitian<T>(random, kind, n)), B.push_back(random.matrix<T>(n, 1));
    auto options = emulated<LdltBatchOptions>();
    options.variant.pivoting = Pivoting(random.integer(0, 2));
    FactoredBatch<T> f(A, options);
    const auto statuses = f.status;
    const Stored<T> X(B);
    solve_batch<T>(f.factors(), X.view, options);
    for (Index k = 0; k < f.count; ++k) {
      const Kind kind = own[k];
      bool right = is_right(A[k], f, k);
      if (statuses[k] == 0 && (kind == integers || kind == dense || kind == singular || kind == zero)) {
        const auto exact = ldlt_detail::exact_inertia<T>(A[k], {}, 1e9, 1);
        const bool same = exact && *exact == Inertia{f.inertia[3 * k], f.inertia[3 * k + 1], f.inertia[3 * k + 2]};
        problems.undetermined += f.doubtful[k] > 0;
        problems.undetermined_but_right += f.doubtful[k] > 0 && same;
        right = right && (same || f.doubtful[k] > 0);
      }
      problems.judge(statuses[k], kind == not_finite, true, right, kind, n);
      long double worst = 0;
      const Matrix<T> x = X[k];
      for (Index i = 0; i < n; ++i) {
        Wide<T> sum = -wide(B[k](i, 0));
        for (Index j = 0; j < n; ++j) sum += wide(A[k](i, j)) * wide(x(j, 0));
        worst = !(std::abs(sum) <= worst) ? std::abs(sum) : worst;
      }
      const long double bound = 40 * n * epsilon * (norm(A[k]) * norm(x) + norm(B[k]));
      const bool regular = statuses[k] == 0 && f.inertia[3 * k + 2] == 0;
      solutions.judge(f.status[k], kind == not_finite, regular, regular && worst <= bound, kind, n);
    }
  });
}

TYPED_TEST(BatchTruth, SingularValues) {
  using T = TypeParam;
  Problems<T> problems("svd");
  problems.run([&](RandomNumbers& random, const std::vector<Kind>& own) {
    const Index n = random.integer(1, 12), m = n + random.integer(0, 4);
    Matrices<T> G;
    for (const Kind kind : own) G.push_back(draw<T>(random, kind, m, n));
    const DecomposedBatch<T> batch(G, {}, emulated<JacobiBatchOptions>());
    for (Index k = 0; k < batch.count; ++k) {
      const HsvdResult<T> r = batch.hsvd(k);
      const double bound = 35 * double(m) * epsilon;  // docs/reference/metrics.md has these bounds
      bool right =
          residual(G[k], r.V, r.U, r.sigma, false) <= bound && departure(r.U) <= bound && departure(r.V) <= bound;
      if (r.status == Status::passed) {
        const auto truth =
            hsvd<Rebind<T, Quad>>(converted<Quad>(G[k]).view(), {}, {.variant = {.form = JacobiForm::PT}, .threads = 1})
                .sigma;
        right = right && are_within_estimates(r.sigma, r.estimate, truth);
      }
      problems.judge(int(r.status), own[k] == not_finite, true, right, own[k], n);
    }
  });
}

TYPED_TEST(BatchTruth, HermitianEigenvalues) {
  using T = TypeParam;
  Problems<T> problems("eigh");
  problems.run([&](RandomNumbers& random, const std::vector<Kind>& own) {
    const Index n = random.integer(1, 12);
    Matrices<T> A;
    for (const Kind kind : own) A.push_back(draw_hermitian<T>(random, kind, n));
    const DecomposedBatch<T> batch(A, emulated<EighBatchOptions>());
    for (Index k = 0; k < batch.count; ++k) {
      const EighResult<T> r = batch.eigh(k);
      const double bound = 30 * double(n) * epsilon;
      bool right = residual(A[k], r.U, r.U, r.eigenvalues, false) <= bound && departure(r.U) <= bound;
      if (r.status == Status::passed) {
        const auto truth = eigh<Rebind<T, Quad>>(converted<Quad>(A[k]).view(),
                                                 {.variant = {.sweeps = {.form = JacobiForm::PT}}, .threads = 1})
                               .eigenvalues;
        right = right && are_within_estimates(r.eigenvalues, r.estimate, truth);
      }
      problems.judge(int(r.status), own[k] == not_finite, true, right, own[k], n);
    }
  });
}

TYPED_TEST(BatchTruth, EigenpairsOfGeneralMatrices) {
  using T = TypeParam;
  Problems<T> problems("eig");
  problems.run([&](RandomNumbers& random, const std::vector<Kind>& own) {
    const Index n = random.integer(1, 12);
    Matrices<T> A;
    for (const Kind kind : own) A.push_back(draw<T>(random, kind, n, n));
    const EigenpairsOfBatch<T> batch(A, Backend::emulation);
    for (Index k = 0; k < batch.count; ++k) {
      const Matrix<Complex> V = batch.V[k];
      long double worst = 0, most = 0, length = 0;
      for (Index j = 0; j < n; ++j) {
        long double squares = -1;
        for (Index i = 0; i < n; ++i) {
          Wide<Complex> sum = -wide(batch.values[k * n + j]) * wide(V(i, j));
          for (Index l = 0; l < n; ++l) sum += Wide<Complex>(wide(A[k](i, l))) * wide(V(l, j));
          worst = !(std::abs(sum) <= worst) ? std::abs(sum) : worst;
          most = std::max<long double>(most, std::abs(wide(A[k](i, j))));
          squares += std::norm(wide(V(i, j)));
        }
        length = !(std::abs(squares) <= length) ? std::abs(squares) : length;
      }
      const bool right = worst <= 200 * n * epsilon * most && length <= 20 * n * epsilon;
      problems.judge(batch.status[k], own[k] == not_finite, own[k] != graded, right, own[k], n);
    }
  });
}

/// G with two columns that differ by a factor ±2ᵏ, of few elements or of many bits, and rows of all sizes.
template <class T>
void make_dependent(RandomNumbers& random, Matrix<T>& G) {
  const Index n = G.cols(), from = random.integer(0, int(n) - 1), to = (from + random.integer(1, int(n) - 1)) % n;
  const bool sparse = random.one_of(2), graded = random.one_of(2);
  if (!sparse) G = random.matrix<T>(G.rows(), n);
  for (Index i = 0; sparse && i < G.size(); ++i) G.data()[i] = random.integer(-1, 1) * random.integer(0, 1);
  const double factor = (random.one_of(2) ? 1 : -1) * random.power_of_two(30);
  for (Index i = 0; i < G.rows(); ++i) {
    G(i, to) = G(i, from) * factor;
    if (graded) scale_row(G, i, random.power_of_two(30));
  }
}

TYPED_TEST(BatchTruth, Pairs) {
  using T = TypeParam;
  Problems<T> problems("gsvd");
  problems.run([&](RandomNumbers& random, const std::vector<Kind>& own) {
    const Index n = random.integer(1, 12), m_f = n + random.integer(0, 4), m_g = n + random.integer(0, 4);
    Matrices<T> F, G;
    std::vector<Kind> of_g;
    for (const Kind kind : own) {
      of_g.push_back(random.one_of(2) ? dense : Kind(random.integer(0, kinds - 1)));
      F.push_back(draw<T>(random, kind, m_f, n)), G.push_back(draw<T>(random, of_g.back(), m_g, n));
      if (of_g.back() == singular && n > 1 && random.one_of(2)) make_dependent(random, G.back());
    }
    const DecomposedPairs<T> batch(F, G, emulated<GsvdBatchOptions>());
    for (Index k = 0; k < batch.count; ++k) {
      const GsvdResult<T> r = batch.gsvd(k);
      const double bound = 20.0 * double(std::max(m_f, m_g)) * epsilon;
      bool right = residual(F[k], r.Z, r.U, r.sigma_f, true) <= bound &&
                   residual(G[k], r.Z, r.V, r.sigma_g, true) <= bound && departure(r.U) <= bound &&
                   departure(r.V) <= bound;
      for (Index j = 0; j < n; ++j)
        right = right && std::abs(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j] - 1) <= 8 * epsilon;
      const bool usual = of_g[k] == dense && own[k] != graded;
      if (r.status == Status::passed && usual && k % 4 == 0) {
        const auto truth =
            gsvd_pointwise<Rebind<T, Quad>>(converted<Quad>(F[k]).view(), converted<Quad>(G[k]).view()).sigma;
        for (Index j = 0; j < n; ++j) right = right && abs(Quad(r.sigma[j]) - truth[j]) <= Quad(1e-8) * truth[0];
      }
      const bool deficient = of_g[k] == zero || (of_g[k] == singular && n > 1);
      const bool refused = deficient || own[k] == not_finite || of_g[k] == not_finite;
      problems.judge(int(r.status), refused, usual, right, own[k], n);
    }
  });
}

}  // namespace
}  // namespace pivotlab::batch_test
