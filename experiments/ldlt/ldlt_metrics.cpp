// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/ldlt/ldlt_errors.hpp>
#include <experiments/ldlt/ldlt_metrics.hpp>
#include <experiments/ldlt/proved_error.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/metrics/threaded_norms.hpp>

#include <kernels/ldlt/shared/block.hpp>
#include <random>
#include <stdexcept>
#include <tuple>

namespace pivotlab::experiments {
namespace {

constexpr double unit = 0x1p-53;        // LAPACK's DLAMCH('Epsilon')
constexpr double rounding = 1 + 1e-13;  // allowance of bounds for quotients and 2×2 pivots computed in double

// ---- The shape of the factors ----

template <class T>
void check_shapes(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f, const LdltSystem<T>* system) {
  const Index n = matrix.A.rows();
  const auto has_n = [n](const auto& values) { return std::ssize(values) == n; };
  const auto fits = [n](const Matrix<T>& X) { return X.rows() == n; };
  if (matrix.A.cols() != n || f.M.rows() != n || f.M.cols() != n || !has_n(f.diagonal) || !has_n(f.subdiagonal) ||
      !has_n(f.permutation) || !(f.scaling.empty() || has_n(f.scaling)) ||
      !(f.butterfly.size() == 0 || f.butterfly.rows() == n) ||
      (system != nullptr && !(fits(system->B) && fits(system->X_true))) ||
      (system != nullptr && system->X != nullptr && !(fits(*system->X) && system->X->cols() == system->B.cols())))
    throw std::invalid_argument("judge_ldlt: the factors' shapes do not fit the matrix");
}

template <class T>
bool is_finite(const LdltFactors<T>& f, int threads) {
  return std::isfinite(largest_component(f.M, threads)) && std::isfinite(largest_component<T>(f.diagonal)) &&
         std::isfinite(largest_component<T>(f.subdiagonal));
}

bool is_permutation(const std::vector<Index>& rows) {
  std::vector<bool> seen(rows.size());
  for (const Index row : rows) {
    if (row < 0 || row >= std::ssize(rows) || seen[row]) return false;
    seen[row] = true;
  }
  return true;
}

template <class T>
bool is_unit_lower_triangular(const Matrix<T>& M, int threads) {
  return largest_over_columns(M.cols(), threads, [&](Index j) {
           double largest = std::abs(M(j, j) - T(1));
           for (Index i = 0; i < j; ++i) raise_to(largest, std::abs(M(i, j)));
           return largest;
         }) == 0;
}

/// Returns whether D has blocks of these orders and then zeros, and M is the identity at the blocks.
template <class T>
bool has_blocks(const LdltFactors<T>& f) {
  Index k = 0;
  const Index n = f.M.rows();
  for (const int size : f.pivots) {
    const Index last = k + size - 1;
    if ((size != 1 && size != 2) || last >= n || f.subdiagonal[last] != T(0)) return false;
    if (size == 2 && f.M(k + 1, k) != T(0)) return false;
    k += size;
  }
  const auto is_zero = [](const T& x) { return x == T(0); };
  return std::all_of(f.subdiagonal.begin() + k, f.subdiagonal.end(), is_zero) &&
         std::all_of(f.diagonal.begin() + k, f.diagonal.end(), is_zero);
}

/// Returns the property that the factors do not have; empty if they have the required shape.
template <class T>
std::string shape_fault(const LdltFactors<T>& f, int threads) {
  if (!is_finite(f, threads)) return "the factors contain NaN or Inf";
  if (!is_permutation(f.permutation)) return "the permutation is none";
  if (!is_unit_lower_triangular(f.M, threads)) return "M is not unit lower triangular";
  if (!f.tridiagonal && !has_blocks(f)) return "D does not have the blocks of the pivots";
  return "";
}

// ---- D ----

/// Eigenvalues and condition of a block of order 1 or 2.
struct BlockSpectrum {
  std::vector<Quad> values;  ///< eigenvalues, or singular values of complex symmetric blocks; the larger one first
  Quad condition = 1;
};

/// Returns the spectrum of any block; the solver's own functions accept only pivots that the algorithms choose.
template <class T>
BlockSpectrum spectrum_of(const T& a, const T& b, const T& c, Symmetry symmetry) {
  using E = Rebind<T, Quad>;
  const E x = extend<E>(a), y = extend<E>(b), z = extend<E>(c);
  Quad larger, smaller;
  if (is_complex<T> && symmetry == Symmetry::symmetric && y == E(0)) {
    std::tie(smaller, larger) = std::minmax({ldlt_detail::modulus(x), ldlt_detail::modulus(z)});
  } else if (is_complex<T> && symmetry == Symmetry::symmetric) {
    std::tie(larger, smaller) = ldlt_detail::singular_values(ldlt_detail::Block<E>{x, y, z});
  } else {
    const Quad squared = real_part(E(y * conjugate(y))), det = real_part(E(x * z)) - squared;
    const Quad half_trace = (real_part(x) + real_part(z)) / 2, half_difference = (real_part(x) - real_part(z)) / 2;
    const Quad root = sqrt(Quad(half_difference * half_difference + squared));
    larger = half_trace < 0 ? half_trace - root : half_trace + root;
    smaller = larger == 0 ? Quad(0) : Quad(det / larger);
  }
  return {{larger, smaller}, smaller == 0 ? std::numeric_limits<Quad>::infinity() : Quad(abs(larger) / abs(smaller))};
}

/// Rank, inertia and condition of D's blocks.
struct DSummary {
  Index rank = 0, positive = 0, negative = 0;
  double condition = 1;
  double neglected = 0;  ///< bound of the 2-norm of the part of M·D·M* that counts as zero
};

/// ‖S⁻¹·Pᵀ·U·m‖₂² of a column m of M.
template <class T>
double squared_norm(const LdltFactors<T>& f, Index j) {
  const Index n = f.M.rows();
  Matrix<T> m(f.M.view().block(0, j, n, 1));
  times_butterfly<T>(f.butterfly, m.view());
  double sum = 0;
  for (Index i = 0; i < n; ++i)
    sum += std::norm(f.scaling.empty() ? m(i, 0) : times_power_of_two(m(i, 0), -f.scaling[f.permutation[i]]));
  return sum;
}

template <class T>
DSummary summarize_d(const LdltFactors<T>& f, Symmetry symmetry) {
  DSummary summary;
  Index k = 0;
  for (const int size : f.pivots) {
    const BlockSpectrum block = size == 2 ? spectrum_of(f.diagonal[k], f.subdiagonal[k], f.diagonal[k + 1], symmetry)
                                          : BlockSpectrum{{Quad(real_part(f.diagonal[k]))}, 1};
    const bool is_complex_pivot = size == 1 && is_complex<T> && symmetry == Symmetry::symmetric;
    for (const Quad& value : block.values) {
      const Quad magnitude = is_complex_pivot ? Quad(std::abs(f.diagonal[k])) : Quad(abs(value));
      if (magnitude > f.zero) {
        ++summary.rank;
        ++(value > 0 ? summary.positive : summary.negative);
      } else {
        summary.neglected +=
            static_cast<double>(magnitude) * (squared_norm(f, k) + (size == 2 ? squared_norm(f, k + 1) : 0));
      }
    }
    raise_to(summary.condition, static_cast<double>(block.condition));
    k += size;
  }
  return summary;
}

template <class T>
double largest_multiplier(const Matrix<T>& M, int threads) {
  return largest_over_columns(M.cols(), threads, [&](Index j) {
    double largest = 0;
    for (Index i = j + 1; i < M.rows(); ++i) raise_to(largest, std::abs(M(i, j)));
    return largest;
  });
}

// ---- Inertia ----

/// Returns whether a matrix within `distance` of one with these eigenvalues, in the 2-norm, can have this inertia
/// (Weyl).
bool is_possible(const Inertia& inertia, const std::vector<Quad>& eigenvalues, double distance) {
  const auto count = [&](auto holds) { return static_cast<Index>(std::ranges::count_if(eigenvalues, holds)); };
  const Index surely_positive = count([&](const Quad&x) { return x > distance; }),
              surely_negative = count([&](const Quad&x) { return x < -distance; });
  const Index undecided = std::ssize(eigenvalues) - surely_positive - surely_negative;
  return surely_positive <= inertia.positive && inertia.positive <= surely_positive + undecided &&
         surely_negative <= inertia.negative && inertia.negative <= surely_negative + undecided;
}

std::string describe(const Inertia& inertia) {
  return fmt::format("({}, {}, {})", inertia.positive, inertia.negative, inertia.zero);
}

// ---- The judge ----

template <class E, class T>
class LdltJudge {
 public:
  LdltJudge(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& factors, const LdltClaims& claims,
            const JudgeOptions& options, int threads, LdltMetrics& metrics)
      : matrix_(matrix),
        f_(factors),
        claims_(claims),
        on_gpu_(factors.butterfly.size() == 0 &&
                may_prove({.precision = options.precision}, matrix.A.rows(), ldlt_device_judgement_order)),
        threads_(threads),
        metrics_(metrics),
        exponent_(exponent_of(matrix.A, threads)) {
    norm_ = norm_1(matrix.A, exponent_, threads);
  }

  void judge(const LdltSystem<T>* system) {
    measure_factors();
    if (!f_.tridiagonal) measure_d();
    if (system != nullptr && system->X != nullptr) measure_solution(*system);
    give_verdict();
  }

 private:
  Index n() const { return matrix_.A.rows(); }

  void measure_factors() {
    error_ = reconstruction_error();
    metrics_.residual = relative(error_, norm_);
    metrics_.dsyt01 = n() == 0 ? 0 : metrics_.residual / (static_cast<double>(n()) * unit);
    metrics_.max_multiplier = largest_multiplier(f_.M, threads_);
  }

  /// Computes the error on a GPU, if there is one and the matrix is large enough.
  double reconstruction_error() {
    if (on_gpu_) {
      const GivenLdlt<T> given{matrix_.A,
                               f_.M,
                               f_.diagonal,
                               f_.subdiagonal,
                               f_.permutation,
                               f_.scaling,
                               matrix_.symmetry == Symmetry::hermitian,
                               exponent_};
      const double threshold = metrics_.bounds.dsyt01 * static_cast<double>(n()) * unit * norm_;
      if (const auto proved = proved_error(make_ldlt_proved_judge<T>(), given, threshold)) {
        const auto [error, bound, moduli] = *proved;
        metrics_.set_proof({.moduli = moduli, .residual_error = relative(bound, norm_)});
        return error;
      }
      if (const auto judge = make_ldlt_device_judge<T>()) {
        metrics_.device = JudgeDevice::gpu;
        return judge->reconstruction_error(given);
      }
    }
    return experiments::reconstruction_error<E>(matrix_, f_, exponent_, threads_);
  }

  void measure_d() {
    const DSummary d = summarize_d(f_, matrix_.symmetry);
    metrics_.max_condition = d.condition;
    metrics_.pivots_1x1 = std::ranges::count(f_.pivots, 1);
    metrics_.pivots_2x2 = std::ranges::count(f_.pivots, 2);
    metrics_.rank = d.rank;
    if (is_complex<T> && matrix_.symmetry == Symmetry::symmetric) return;
    metrics_.inertia = Inertia{d.positive, d.negative, n() - d.rank};
    if (matrix_.inertia) metrics_.inertia_agrees = *metrics_.inertia == *matrix_.inertia;
    neglected_ = d.neglected;
  }

  void measure_solution(const LdltSystem<T>& system) {
    metrics_.dpot02 = solution_residual<E>(matrix_.A, exponent_, norm_, system.B, *system.X, threads_) / unit;
    if (metrics_.rank != n()) return;
    double error = 0;
    for (Index j = 0; j < system.B.cols(); ++j) {
      std::vector<T> difference(n());
      for (Index i = 0; i < n(); ++i) difference[i] = (*system.X)(i, j) - system.X_true(i, j);
      const double one = relative(largest_modulus<T>(difference), largest_modulus<T>(system.X_true.col(j)));
      raise_to(error, one);
    }
    metrics_.solve_error = error;
  }

  template <class S>
  static double largest_modulus(std::span<const S> x) {
    double largest = 0;
    for (const S& element : x) raise_to(largest, std::abs(element));
    return largest;
  }

  void give_verdict() {
    LdltBounds& bounds = metrics_.bounds;
    bounds.dpot02 = 30 * static_cast<double>(std::max<Index>(n(), 1));
    bounds.max_multiplier = claims_.multiplier_bound * rounding;
    bounds.max_condition = claims_.condition_bound * rounding;
    metrics_.message = describe_failures(ldlt_metric_rows(), metrics_);
    doubt_rank_and_inertia();
    metrics_.verdict = metrics_.message.empty() ? Status::passed : Status::incorrect;
  }

  void doubt_rank_and_inertia() {
    const auto add = [&](const std::string& text) {
      metrics_.message += (metrics_.message.empty() ? "" : ", ") + text;
    };
    if (claims_.rank && metrics_.rank && *claims_.rank != *metrics_.rank)
      add(fmt::format("rank {} where D has {}", *claims_.rank, *metrics_.rank));
    if (!metrics_.inertia) return;
    if (claims_.inertia && *claims_.inertia != *metrics_.inertia)
      add(fmt::format("inertia {} where D has {}", describe(*claims_.inertia), describe(*metrics_.inertia)));
    const double distance = std::ldexp(error_ + unit * norm_, exponent_) + neglected_;
    if (!matrix_.eigenvalues.empty() && !is_possible(*metrics_.inertia, matrix_.eigenvalues, distance))
      add(fmt::format("inertia {} contradicts the eigenvalues", describe(*metrics_.inertia)));
  }

  const SymmetricMatrix<T>& matrix_;
  const LdltFactors<T>& f_;
  const LdltClaims& claims_;
  bool on_gpu_;
  int threads_;
  LdltMetrics& metrics_;
  int exponent_;
  double norm_ = 0, error_ = 0;  ///< ‖A‖₁ and ‖A − S⁻¹·Pᵀ·U·M·D·M*·Uᵀ·P·S⁻¹‖₁ in units of 2^exponent
  double neglected_ = 0;
};

}  // namespace

template <class T>
LdltMetrics judge_ldlt(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& factors, const LdltClaims& claims,
                       const LdltSystem<T>* system, const JudgeOptions& options) {
  check_shapes(matrix, factors, system);
  const Index n = matrix.A.rows();
  const int threads = threads_for(options, n);
  LdltMetrics metrics;
  metrics.precision = precision_for(options, n);
  metrics.message = shape_fault(factors, threads);
  if (!metrics.message.empty()) return metrics;
  if (metrics.precision == JudgePrecision::quad)
    LdltJudge<Rebind<T, Quad>, T>(matrix, factors, claims, options, threads, metrics).judge(system);
  else
    LdltJudge<Rebind<T, DoubleDouble>, T>(matrix, factors, claims, options, threads, metrics).judge(system);
  return metrics;
}

template <class T>
KnownSystem<T> make_system(const Matrix<T>& A, Index columns) {
  std::mt19937_64 generator(4);
  const auto integer = [&] { return static_cast<double>(generator() % 17) - 8; };
  KnownSystem<T> system{Matrix<T>(A.rows(), columns), Matrix<T>(A.rows(), columns)};
  for (Index i = 0; i < system.X_true.size(); ++i)
    if constexpr (is_complex<T>) {
      const double re = integer(), im = integer();
      system.X_true.data()[i] = T(re, im);
    } else {
      system.X_true.data()[i] = integer();
    }
  const int exponent = exponent_of(A, 0);
  const auto B = apply<Rebind<T, DoubleDouble>>(A, exponent, system.X_true, 0);
  for (Index i = 0; i < B.size(); ++i)
    system.B.data()[i] = times_power_of_two(round_to_double<T>(B.data()[i]), exponent);
  return system;
}

using Complex = std::complex<double>;
template LdltMetrics judge_ldlt(const SymmetricMatrix<double>&, const LdltFactors<double>&, const LdltClaims&,
                                const LdltSystem<double>*, const JudgeOptions&);
template LdltMetrics judge_ldlt(const SymmetricMatrix<Complex>&, const LdltFactors<Complex>&, const LdltClaims&,
                                const LdltSystem<Complex>*, const JudgeOptions&);
template KnownSystem<double> make_system(const Matrix<double>&, Index);
template KnownSystem<Complex> make_system(const Matrix<Complex>&, Index);

}  // namespace pivotlab::experiments
