// SPDX-License-Identifier: BSD-3-Clause
// The certificate of an inertia (pivotlab/inertia.hpp).
//
//   1  D certifies A:   min|λ(W⁻¹DW⁻¹)| > η·‖(M·W)⁻¹‖₂²     for P·A·Pᵀ = M·D·Mᴴ + E, ‖E‖₂ ≤ η
//   2  enclosure:       A − τI and A + τI are factored, with errors below η₋ and η₊; D₋ has p positive and D₊ q
//                       negative eigenvalues: so many eigenvalues of A are > τ − η₋ and < −(τ − η₊), and all others in
//                       [−τ − η₊, τ + η₋]; in double and, where step 3 takes too long, in double-double
//   3  exactly:         the rank and, if it is not p + q, the signs (exact_inertia.hpp)
//   4  gap:             the same counts for a τ' far above τ
//
// All of it is done for S·A·S with powers of two in S, which has the inertia of A. Where factors without a search are
// tried first, step 1 is done before for Uᵀ·S·A·S·U with the butterfly U, which has the same inertia, too: the rounding
// errors of this product are added to η.
#include "kernels/ldlt/exact_inertia.hpp"
#include "kernels/ldlt/factors/factorization_error.hpp"
#include "kernels/ldlt/inverse_norm.hpp"
#include "kernels/ldlt/shared/butterfly.hpp"
#include "kernels/ldlt/shared/equilibrate.hpp"
#include "kernels/numerics/zeros.hpp"

#include <pivotlab/inertia.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace pivotlab {
namespace ldlt_detail {
namespace {

/// Smallest ratio of the eigenvalues beyond a gap to those within it. Spectra that decay, such as a Hilbert matrix's,
/// have no such gap.
constexpr double least_gap = 1000;

/// Returns a power of two above x ≥ 0.
double power_above(double x) {
  return std::ldexp(1., std::ilogb(std::max(x, 0x1p-1074)) + 1);
}

/// Returns x·2^exponent, rounded up or down where it is not a normal number.
double scaled_up(double x, int exponent) {
  const double y = std::ldexp(x, exponent);
  return x > 0 && y < std::numeric_limits<double>::min() ? y + std::numeric_limits<double>::denorm_min() : y;
}
double scaled_down(double x, int exponent) {
  const double y = std::ldexp(x, exponent);
  if (x < infinity && y == infinity) return std::numeric_limits<double>::max();
  return y < std::numeric_limits<double>::min() ? std::max(0., y - std::numeric_limits<double>::denorm_min()) : y;
}

/// Counts and error bounds from the factors of A − τI and A + τI.
struct Enclosure {
  double shift = 0;
  Index positive = 0, negative = 0;    ///< eigenvalues of A beyond the shift, up to the errors
  double eta_minus = 0, eta_plus = 0;  ///< of A − τI, which counts the positive ones, and of A + τI
  std::vector<double> sizes;           ///< of D₋, ascending

  double eta() const { return std::max(eta_minus, eta_plus); }
  double above() const { return rounded_up(shift + eta_minus, 1); }
  double below() const { return rounded_up(shift + eta_plus, 1); }
  double reach() const { return std::max(above(), below()); }
  /// Returns a lower bound of the distance of counted eigenvalues from zero.
  double clear() const { return std::max(0., rounded_down(shift - eta(), 1)); }
  bool counts_as(const Enclosure& other) const { return positive == other.positive && negative == other.negative; }
};

/// Returns x with one significant digit, rounded up or down.
std::string digit_of(double x, bool up) {
  if (!(x > 0) || x == infinity) return x == infinity ? "infinity" : "0";
  int exponent = static_cast<int>(std::floor(std::log10(x)));
  const auto text = [&](int digit) {
    if (0 <= exponent && exponent <= 2) return std::to_string(digit) + std::string(exponent, '0');
    if (-2 <= exponent && exponent < 0) return (exponent == -1 ? "0." : "0.0") + std::to_string(digit);
    return std::to_string(digit) + "e" + std::to_string(exponent);
  };
  const auto value = [&](int digit) {
    const std::string written = text(digit);
    double y = exponent < 0 ? 0 : infinity;  // if it is out of range
    std::from_chars(written.data(), written.data() + written.size(), y);
    return y;
  };
  const bool coarse = x < std::numeric_limits<double>::min();  // where other decimals are read as x
  const auto fits = [&](int digit) {
    const double y = value(digit);
    return (y == x && !coarse) || (up ? y > x : y < x);
  };
  int digit = up ? 1 : 9;
  while (digit >= 1 && digit <= 9 && !fits(digit)) digit += up ? 1 : -1;
  if (digit == 10) ++exponent, digit = 1;
  if (digit == 0) --exponent, digit = 9;
  return text(digit);
}

template <class T>
class Certifier {
 public:
  Certifier(MatrixView<const T> A, const InertiaOptions& options)
      : given_(A), options_(options), B_(zeros<T>(A.rows, A.cols, options.threads)) {
    options_.threads = threads_for(n(), options.threads);
    load_given();
    report_.below = report_.above = infinity;
    report_.inertia.zero = report_.near_zero = n();
    report_.evidence.equilibrated = options.equilibrate;
    for (Index i = 0; i < n(); ++i) diagonal_.push_back(real_part(B_(i, i)));
  }

  InertiaReport run() {
    if (!certified_without_search() && !certified_by_factors() && shifts_from_ < infinity) enclose();
    conclude();
    return std::move(report_);
  }

 private:
  using Extended = Rebind<T, DoubleDouble>;

  Index n() const { return B_.rows(); }
  double with_given(double eta) const { return given_error_ == 0 ? eta : rounded_up(eta + given_error_, 1); }
  bool takes_residuals() const { return n() <= options_.residual_limit; }
  bool is_open() const { return report_.status != InertiaStatus::certified && report_.inertia.zero > 0; }

  /// Copies the given triangle of A after the checks of ldlt(), scales it and reflects it.
  void load_given() {
    FullTriangle<T> triangle(B_);
    load<true>(given_, options_.triangle, triangle, options_.threads);
    const double largest = norms_of<T>(triangle, options_.threads).largest;
    is_zero_ = largest == 0;
    std::vector<int> s(n(), is_zero_ ? 0 : -(exponent_of(largest) >> 1));
    if (options_.equilibrate)
      s = equilibrating_exponents<T>(triangle, options_.threads);
    else if (n() > 0)
      unit_ = -2 * s.front();
    given_error_ = scale_symmetrically<T>(triangle, s, options_.threads);
    reflect_lower<T>(B_, options_.threads, [](const T& x) { return conjugate(x); });
  }

  /// Returns whether D has eigenvalues that are probably noise, below a gap: then D certifies nothing at any η.
  static bool looks_singular(const PivotSigns& signs, double noise) {
    const auto& sizes = signs.sizes;
    const auto next = std::ranges::upper_bound(sizes, noise);
    return sizes.front() == 0 || (next != sizes.begin() && next != sizes.end() && *next > 2 * least_gap * noise);
  }

  /// Step 1 with factors without a search.
  bool certified_without_search() {
    if (!options_.unsearched_depth || n() == 0 || is_zero_) return false;
    const int depth = *options_.unsearched_depth;
    pivotlab::require_valid(LdltVariant{.pivoting = Pivoting::none, .depth = depth});
    Matrix<T> mixed = copied<T>(B_, options_.threads);
    FullTriangle<T> triangle(mixed);
    transform_by_butterfly<true>(random_butterfly<double>(n(), depth), true, triangle, options_.threads);
    reflect_lower<T>(mixed, options_.threads, [](const T& x) { return conjugate(x); });
    const LdltFactorization<T> f = factored<T>(mixed, {.pivoting = Pivoting::none, .depth = 0});
    if (!f.refusal.empty()) return false;
    const PivotSigns signs = PivotSignsBuilder<T>(f).result();
    const FactorizationError<T> error(mixed, f, signs, options_.threads);
    report_.evidence.eta = rounded_up(with_given(error.a_priori()) + rounding_of_butterfly(depth), 1);
    report_.evidence.smallest_pivot = signs.smallest_scaled;
    report_.evidence.without_search = d_certifies(f, signs);
    // U with its rounded rotations changes an eigenvalue by a factor within 1 ± 8·depth·u (Ostrowski).
    report_.clear = rounded_down(report_.clear, 8 * depth);
    return report_.evidence.without_search;
  }

  /// Returns a bound of the 2-norm of the rounding errors of Uᵀ·B·U. Each of its 2·depth one-sided products rounds an
  /// element c·x + s·y by at most 2u·(|c|·|x| + |s|·|y|), parts of complex ones alike, so that their Frobenius norm is
  /// below 2√2·u·‖B‖_F; 4u allows for the growth of the norm by (1 + 2u) in each of them.
  double rounding_of_butterfly(int depth) const {
    double sum = 0;
    for (Index i = 0; i < B_.size(); ++i) sum += squared_magnitude(B_.data()[i]);
    const double norm = rounded_up(std::sqrt(sum), B_.size() + 2), underflow = 0x1p-1060 * static_cast<double>(n());
    return rounded_up(2 * depth * (4 * unit * norm + underflow), 4);
  }

  /// Step 1. Sets the least shift of the enclosure if D does not certify A.
  bool certified_by_factors() {
    if (n() == 0 || (is_zero_ && given_error_ == 0)) {
      report_.status = InertiaStatus::certified;
      report_.below = report_.above = 0;
      report_.clear = infinity;
      return true;
    }
    report_.evidence.inverse_norm.reset();
    const LdltFactorization<T> f = factored<T>(B_);
    const PivotSigns signs = PivotSignsBuilder<T>(f).result();
    const FactorizationError<T> error(B_, f, signs, options_.threads);
    report_.evidence.smallest_pivot = signs.smallest_scaled;
    report_.evidence.eta = with_given(error.a_priori());
    if (d_certifies(f, signs)) return true;
    if (takes_residuals() && !looks_singular(signs, 16 * error.roundoff())) {
      report_.evidence.eta_from = ErrorBound::residual;
      report_.evidence.eta = with_given(error.residual());
      if (d_certifies(f, signs)) return true;
    }
    shifts_from_ = takes_residuals() ? 16 * error.roundoff() : 4 * error.of_rounding();
    extended_shifts_from_ = 4 * error.of_rounding() * (roundoff_of<DoubleDouble> / unit);
    return false;
  }

  bool d_certifies(const LdltFactorization<T>& f, const PivotSigns& signs) {
    InertiaEvidence& e = report_.evidence;
    // ‖(M·W)⁻¹‖ is no less than the elements of W⁻¹, its diagonal.
    if (!(signs.sizes.front() > e.eta)) return false;
    if (!e.inverse_norm) e.inverse_norm = inverse_norm_bound<T>(f.M, signs.e, options_.backend, options_.threads);
    const double squared = rounded_up(*e.inverse_norm * *e.inverse_norm, 1);
    if (!(e.smallest_pivot > rounded_up(e.eta * squared, 1))) return false;
    report_.status = InertiaStatus::certified;
    report_.inertia = {signs.positive, signs.negative, 0};
    report_.near_zero = 0;
    report_.clear = std::max(0., rounded_down(e.smallest_pivot / squared - e.eta, 4));
    return true;
  }

  /// F is T or double-double.
  template <class F>
  LdltFactorization<F> factored(const Matrix<F>& A, const LdltVariant& variant = {.pivoting = Pivoting::rook}) {
    ++report_.evidence.factorizations;
    return ldlt<F>(A, {.variant = variant,
                       .backend = std::is_same_v<T, F> ? options_.backend : Backend::host,
                       .triangle = InputTriangle::lower,
                       .storage = LdltStorage::full,
                       .rank_tolerance = 0,
                       .threads = options_.threads});
  }

  /// The factors of B − sI.
  struct Shifted {
    PivotSigns signs;
    double eta = 0;
  };
  Shifted factor_shifted(double s, double harmless) {
    double rounding = 0;
    for (Index i = 0; i < n(); ++i) {
      const DoubleDouble exact = DoubleDouble::sum(diagonal_[i], -s);
      B_(i, i) = T(exact.hi());
      rounding = std::max(rounding, std::abs(exact.lo()));
    }
    const LdltFactorization<T> f = factored<T>(B_);
    Shifted result{PivotSignsBuilder<T>(f).result()};
    const FactorizationError<T> error(B_, f, result.signs, options_.threads);
    result.eta = error.a_priori();
    if (takes_residuals() && !(result.eta <= harmless)) result.eta = error.residual();
    result.eta = rounded_up(with_given(result.eta) + rounding, 1);
    return result;
  }
  Shifted factor_shifted_in_double_double(double s) {
    Matrix<Extended> E(n(), n());
    for (Index i = 0; i < E.size(); ++i) E.data()[i] = extend<Extended>(B_.data()[i]);
    for (Index i = 0; i < n(); ++i) {
      E(i, i) = Extended(DoubleDouble::sum(diagonal_[i], -s));
      B_(i, i) = T(std::abs(diagonal_[i]) + std::abs(s));  // for the norm
    }
    const LdltFactorization<Extended> f = factored<Extended>(E);
    Shifted result{PivotSignsBuilder<T, Extended>(f).result()};
    result.eta = with_given(FactorizationError<T, Extended>(B_, f, result.signs, options_.threads).a_priori());
    return result;
  }

  /// Returns the enclosure of the first shift above `least`, which is about the size of the errors; nothing if the
  /// errors do not stay below it. factor(s) factors B − sI.
  template <class Factor>
  std::optional<Enclosure> enclosure(double least, const Factor& factor) {
    for (int attempts = 3; attempts > 0 && least < infinity; --attempts) {
      const double shift = power_above(least);
      Shifted minus = factor(shift);
      least = 4 * minus.eta;
      if (!(minus.eta < shift / 2)) continue;
      const Shifted plus = factor(-shift);
      if (plus.eta < shift / 2)
        return Enclosure{shift,    minus.signs.positive,        plus.signs.negative, minus.eta,
                         plus.eta, std::move(minus.signs.sizes)};
      least = 4 * plus.eta;
    }
    return std::nullopt;
  }

  void enclose() {
    std::optional<Enclosure> zero = enclosure(shifts_from_, [&](double s) { return factor_shifted(s, 0); });
    if (zero) take(*zero, InertiaLevel::in_double);
    decide_exactly();
    if (is_open() && options_.highest >= InertiaLevel::in_double_double && n() <= options_.double_double_limit)
      if (auto finer = enclosure(extended_shifts_from_, [&](double s) { return factor_shifted_in_double_double(s); });
          finer && finer->positive >= report_.inertia.positive && finer->negative >= report_.inertia.negative) {
        take(*finer, InertiaLevel::in_double_double);
        zero = std::move(finer);
        decide_exactly();
      }
    if (zero && report_.near_zero > 0 && report_.near_zero < n()) look_for_gap(*zero);
  }

  void take(const Enclosure& e, InertiaLevel level) {
    const Inertia before = report_.inertia;
    report_.near_zero = n() - e.positive - e.negative;
    report_.inertia = {e.positive, e.negative, report_.near_zero};
    report_.below = e.below();
    report_.above = e.above();
    report_.clear = std::max(e.clear(), report_.inertia == before ? report_.clear : 0.);
    report_.evidence.tau = e.shift;
    report_.evidence.level = level;
  }

  /// Step 4: raises the lower bound of the eigenvalues that are counted.
  void look_for_gap(const Enclosure& zero) {
    // An eigenvalue may be smaller than that of D by ‖M⁻¹‖², some multiple of √n.
    const double probable = zero.sizes[report_.near_zero] / (8 * std::sqrt(static_cast<double>(n())));
    for (const double shift : {probable, std::sqrt(zero.reach()) * std::sqrt(probable)}) {
      if (!(shift > 2 * report_.clear && shift > 2 * zero.reach())) return;
      const Shifted minus = factor_shifted(shift, shift / 16), plus = factor_shifted(-shift, shift / 16);
      const Enclosure far{shift, minus.signs.positive, plus.signs.negative, minus.eta, plus.eta, {}};
      if (!far.counts_as(zero)) continue;
      report_.clear = std::max(report_.clear, far.clear());
      report_.evidence.tau_gap = shift;
      return;
    }
  }

  /// Step 3, for the given matrix.
  void decide_exactly() {
    if (!is_open() || options_.highest < InertiaLevel::exact) return;
    Matrix<T> A(n(), n());
    FullTriangle<T> triangle(A);
    load<true>(given_, options_.triangle, triangle, options_.threads);
    reflect_lower<T>(A, options_.threads, [](const T& x) { return conjugate(x); });
    const auto exact = exact_inertia<T>(A, report_.inertia, options_.most_exact_operations, options_.threads);
    if (!exact) return;
    report_.inertia = *exact;
    report_.status = InertiaStatus::certified;
    report_.evidence.level = InertiaLevel::exact;
  }

  /// Determines the status, and returns to the units of A.
  void conclude() {
    if (!is_open()) {
      report_.status = InertiaStatus::certified;
    } else if (report_.clear >= least_gap * report_.within()) {
      report_.status = InertiaStatus::certified_near_zero;
    } else {
      report_.reason = reason();
    }
    if (report_.near_zero == 0) report_.below = report_.above = 0;
    report_.below = scaled_up(report_.below, unit_);
    report_.above = scaled_up(report_.above, unit_);
    report_.clear = scaled_down(report_.clear, unit_);
  }

  std::string reason() const {
    if (report_.within() == infinity)
      return shifts_from_ < infinity ? "the errors of the shifted factorizations do not stay below the shift"
                                     : "the bound of the factorization's error overflows";
    if (report_.inertia.zero == n()) return "the bound of the factorization's error is as large as the matrix";
    return "eigenvalues follow each other without a gap of a factor " + std::to_string(static_cast<int>(least_gap)) +
           " above " + digit_of(scaled_up(report_.within(), unit_), true) +
           ", which rounding errors do not tell from zero" +
           (takes_residuals() ? "" : "; bounds from residuals are sharper");
  }

  MatrixView<const T> given_;
  InertiaOptions options_;
  Matrix<T> B_;                   ///< S·A·S or A·2^−unit, both triangles; its diagonal is shifted
  std::vector<double> diagonal_;  ///< of B without shifts
  bool is_zero_ = false;
  int unit_ = 0;            ///< bounds of B are those of the reported matrix times 2^−unit
  double given_error_ = 0;  ///< bound of the error of B by underflow
  double shifts_from_ = 0, extended_shifts_from_ = 0;
  InertiaReport report_;
};

std::string counted(Index count) {
  return std::to_string(count) + (count == 1 ? " eigenvalue" : " eigenvalues");
}

}  // namespace
}  // namespace ldlt_detail

template <class T>
InertiaReport certify_inertia(MatrixView<const T> A, const InertiaOptions& options) {
  ldlt_detail::require_square(A);
  return ldlt_detail::Certifier<T>(A, options).run();
}

template InertiaReport certify_inertia(MatrixView<const double>, const InertiaOptions&);
template InertiaReport certify_inertia(MatrixView<const std::complex<double>>, const InertiaOptions&);

std::string_view to_string(InertiaStatus status) {
  switch (status) {
    case InertiaStatus::certified:
      return "certified";
    case InertiaStatus::certified_near_zero:
      return "certified_near_zero";
    case InertiaStatus::undetermined:
      break;
  }
  return "undetermined";
}

std::string_view to_string(ErrorBound bound) {
  return bound == ErrorBound::residual ? "residual" : "a_priori";
}

std::string_view to_string(InertiaLevel level) {
  switch (level) {
    case InertiaLevel::in_double:
      return "double";
    case InertiaLevel::in_double_double:
      return "double-double";
    case InertiaLevel::exact:
      break;
  }
  return "exact";
}

std::string to_string(const InertiaReport& report) {
  using ldlt_detail::counted, ldlt_detail::digit_of;
  const auto& [positive, negative, zero] = report.inertia;
  const bool has_clear = report.clear > 0 && report.clear<ldlt_detail::infinity, has_near = report.near_zero> 0 &&
                         0 < report.within() && report.within() < ldlt_detail::infinity;
  const std::string clear = digit_of(report.clear, false), within = digit_of(report.within(), true),
                    of_matrix =
                        report.evidence.equilibrated && (has_clear || has_near) ? ", of the equilibrated matrix" : "";
  if (report.status != InertiaStatus::certified) {
    std::string text = "positive >= " + std::to_string(positive) + ", negative >= " + std::to_string(negative);
    if (!has_near) return text + ", open: " + std::to_string(zero);
    text += ", within " + within + " of zero: " + std::to_string(zero);
    return text + (has_clear ? " (none other below " + clear + of_matrix + ")" : of_matrix);
  }
  std::vector<std::string> claims;
  if (zero > 0) claims.push_back(counted(zero) + (zero == 1 ? " is zero" : " are zero"));
  if (has_near && report.near_zero > zero)
    claims.push_back(counted(report.near_zero) + " within " + within + " of zero");
  if (has_clear)
    claims.push_back((claims.empty() ? "no eigenvalue within " : "none other within ") + clear + " of zero");
  std::string text =
      std::to_string(positive) + " " + std::to_string(negative) + " " + std::to_string(zero) + " (certified";
  if (report.evidence.level != InertiaLevel::in_double)
    text += report.evidence.level == InertiaLevel::exact ? " by exact arithmetic" : " in double-double";
  for (std::size_t i = 0; i < claims.size(); ++i) text += (i == 0 ? ": " : ", ") + claims[i];
  return text + of_matrix + ")";
}

}  // namespace pivotlab
