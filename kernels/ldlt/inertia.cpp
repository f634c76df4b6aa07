// The certificate of an inertia (pivotlab/inertia.hpp).
//
//   1  D certifies A:   min|λ(W⁻¹DW⁻¹)| > η·‖(M·W)⁻¹‖₂²     for P·A·Pᵀ = M·D·Mᴴ + E, ‖E‖₂ ≤ η
//   2  enclosure:       A − τI and A + τI are factored, with errors below η₋ and η₊; D₋ has p positive and D₊ q
//                       negative eigenvalues: so many eigenvalues of A are > τ − η₋ and < −(τ − η₊), and all others in
//                       [−τ − η₊, τ + η₋]
//   3  gap:             the same counts for a τ' far above τ
#include "kernels/ldlt/factors/factorization_error.hpp"
#include "kernels/ldlt/inverse_norm.hpp"
#include "kernels/ldlt/shared/equilibrate.hpp"
#include "kernels/numerics/zeros.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>
#include <support/text/number.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab {
namespace ldlt_detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Smallest ratio of the eigenvalues beyond a gap to those within it. Spectra that decay, such as a Hilbert matrix's,
/// have no such gap.
constexpr double least_gap = 1000;

/// Returns a power of two above x ≥ 0.
double power_above(double x) {
  return std::ldexp(1., std::ilogb(std::max(x, 0x1p-1074)) + 1);
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

template <class T>
class Certifier {
 public:
  /// A is the matrix whose inertia is to be certified. For equilibrated factors everything below refers to S·A·S.
  Certifier(MatrixView<const T> A, const LdltFactorization<T>& f, const InertiaOptions& options)
      : A_(A), f_(f), options_(options), signs_(PivotSignsBuilder<T>(f).result()), given_error_(f.scaling_error) {
    report_.below = report_.above = infinity;
    report_.inertia.zero = n();
    if (f.scaling.empty()) return;
    report_.evidence.equilibrated = true;
    scale_symmetrically<T>(own_copy().view(), f.scaling, options.threads);
  }

  InertiaReport run() {
    if (n() == 0 || (f_.largest_element == 0 && given_error_ == 0)) {
      report_.below = report_.above = 0;
      report_.clear = infinity;
      report_.status = n() == 0 ? InertiaStatus::certified : InertiaStatus::certified_near_zero;
      return report_;
    }
    const FactorizationError<T> error(A_, f_, signs_, options_.threads);
    report_.evidence.smallest_pivot = signs_.smallest_scaled;
    report_.evidence.eta = with_given(error.a_priori());
    if (d_certifies()) return report_;
    if (takes_residuals() && !looks_singular(16 * error.roundoff())) {
      report_.evidence.eta_from = ErrorBound::residual;
      report_.evidence.eta = with_given(error.residual());
      if (d_certifies()) return report_;
    }
    enclose(takes_residuals() ? 16 * error.roundoff() : 4 * error.of_rounding());
    return report_;
  }

 private:
  Index n() const { return f_.order(); }
  double with_given(double eta) const { return given_error_ == 0 ? eta : rounded_up(eta + given_error_, 1); }
  bool takes_residuals() const { return n() <= options_.residual_limit; }
  /// Returns whether D has eigenvalues that are probably noise, below a gap: then D certifies nothing at any η.
  bool looks_singular(double noise) const {
    const auto& sizes = signs_.sizes;
    const auto next = std::ranges::upper_bound(sizes, noise);
    return sizes.front() == 0 || (next != sizes.begin() && next != sizes.end() && *next > 2 * least_gap * noise);
  }

  bool d_certifies() {
    InertiaEvidence& e = report_.evidence;
    // ‖(M·W)⁻¹‖ is no less than the elements of W⁻¹, its diagonal.
    if (!(signs_.sizes.front() > e.eta)) return false;
    if (!e.inverse_norm)
      e.inverse_norm = inverse_norm_bound<T>(f_.M.view(), signs_.e, options_.backend, options_.threads);
    const double squared = rounded_up(*e.inverse_norm * *e.inverse_norm, 1);
    if (!(e.smallest_pivot > rounded_up(e.eta * squared, 1))) return false;
    report_.status = InertiaStatus::certified;
    report_.inertia = {signs_.positive, signs_.negative, 0};
    report_.below = report_.above = 0;
    report_.clear = std::max(0., rounded_down(e.smallest_pivot / squared - e.eta, 4));
    return true;
  }

  /// Returns A or S·A·S for modification; all threads make the copy on the first call.
  Matrix<T>& own_copy() {
    if (own_.rows() == n()) return own_;
    own_ = copied<T>(A_, options_.threads);
    A_ = own_;
    return own_;
  }

  /// Replaces the diagonal by that of A − sI. Returns the largest rounding error.
  double shift_diagonal(double s) {
    Matrix<T>& B = own_copy();
    if (diagonal_.empty())
      for (Index i = 0; i < n(); ++i) diagonal_.push_back(real_part(B(i, i)));
    double rounding = 0;
    for (Index i = 0; i < n(); ++i) {
      const DoubleDouble exact = DoubleDouble::sum(diagonal_[i], -s);
      B(i, i) = T(exact.hi());
      rounding = std::max(rounding, std::abs(exact.lo()));
    }
    return rounding;
  }

  /// The factors of A − sI.
  struct Shifted {
    PivotSigns signs;
    double eta = 0;
  };
  Shifted factor_shifted(double s, double harmless) {
    const double rounding = shift_diagonal(s);
    const Matrix<T>& B = own_;
    const auto f = ldlt<T>(B, {.variant = {.pivoting = Pivoting::rook},
                               .backend = options_.backend,
                               .triangle = InputTriangle::lower,
                               .storage = LdltStorage::full,
                               .rank_tolerance = 0,
                               .threads = options_.threads});
    ++report_.evidence.factorizations;
    Shifted result{PivotSignsBuilder<T>(f).result()};
    const FactorizationError<T> error(B, f, result.signs, options_.threads);
    result.eta = error.a_priori();
    if (takes_residuals() && !(result.eta <= harmless)) result.eta = error.residual();
    result.eta = rounded_up(with_given(result.eta) + rounding, 1);
    return result;
  }
  /// `harmless` is an η up to which the a priori bound is sharp enough.
  Enclosure factor_pair(double s, double harmless) { return with_plus(s, factor_shifted(s, harmless), harmless); }
  Enclosure with_plus(double s, Shifted minus, double harmless) {
    const Shifted plus = factor_shifted(-s, harmless);
    return {s, minus.signs.positive, plus.signs.negative, minus.eta, plus.eta, std::move(minus.signs.sizes)};
  }

  /// Encloses the inertia with the first shift above `least`, which is about the size of the errors.
  void enclose(double least) {
    for (int attempts = 3; attempts > 0 && least < infinity; --attempts) {
      const double shift = power_above(least);
      Shifted minus = factor_shifted(shift, 0);
      least = 4 * minus.eta;
      if (!(minus.eta < shift / 2)) continue;
      const Enclosure zero = with_plus(shift, std::move(minus), 0);
      if (zero.eta() < shift / 2) return look_for_gap(zero);
      least = 4 * zero.eta();
    }
    report_.reason = least < infinity
                         ? "the errors of the shifted factorizations do not stay below the shift"
                         : "the bound of the factorization's error overflows; take complete or rook pivoting";
  }

  void take(const Enclosure& e) {
    report_.inertia = {e.positive, e.negative, n() - e.positive - e.negative};
    report_.below = e.below();
    report_.above = e.above();
    report_.clear = e.clear();
    report_.evidence.tau = e.shift;
  }

  void look_for_gap(const Enclosure& zero) {
    take(zero);
    const Index left = report_.inertia.zero;
    if (left == 0) {
      report_.status = InertiaStatus::certified;
      report_.below = report_.above = 0;
      return;
    }
    report_.reason = left == n() ? "the bound of the factorization's error is as large as the matrix" : no_gap(zero);
    if (left == n()) return;
    const double within = zero.reach(), least = 2 * least_gap * within;
    const Index next = first_beyond_gap(zero.sizes, left, within);
    if (!(zero.sizes[next] > least)) return;
    // An eigenvalue may be smaller than that of D by ‖M⁻¹‖², some multiple of √n.
    const double probable = zero.sizes[next] / (8 * std::sqrt(static_cast<double>(n()))),
                 shift = std::max(probable, least);
    const Enclosure far = factor_pair(shift, shift / 16);
    if (far.counts_as(zero)) return take_gap(zero, far);
    const double between = next > left ? 16 * zero.sizes[next - 1] : std::sqrt(within) * std::sqrt(far.shift);
    const Enclosure middle = factor_pair(between, between / 16);
    if (middle.counts_as(zero)) return take_gap(zero, middle);
    if (middle.counts_as(far)) return take_gap(middle, far);
  }

  /// Returns the index of the first eigenvalue beyond the probable gap, the largest gap in D's eigenvalues: the one
  /// above the `left` smallest eigenvalues if it is large enough.
  static Index first_beyond_gap(const std::vector<double>& sizes, Index left, double within) {
    const auto ratio = [&](Index i) { return sizes[i] / std::max(i > left ? sizes[i - 1] : within, within); };
    Index best = left;
    if (ratio(left) < 2 * least_gap)
      for (Index i = left + 1; i < std::ssize(sizes); ++i)
        if (ratio(i) > ratio(best)) best = i;
    return best;
  }

  void take_gap(const Enclosure& zero, const Enclosure& far) {
    if (!(far.clear() >= least_gap * zero.reach())) return;
    take(zero);
    report_.status = InertiaStatus::certified_near_zero;
    report_.clear = far.clear();
    report_.evidence.tau_gap = far.shift;
    report_.reason.clear();
  }

  std::string no_gap(const Enclosure& zero) const;

  MatrixView<const T> A_;
  const LdltFactorization<T>& f_;
  const InertiaOptions& options_;
  PivotSigns signs_;
  InertiaReport report_;
  double given_error_;
  Matrix<T> own_;                 ///< the storage of A_ if it was modified
  std::vector<double> diagonal_;  ///< diagonal of the matrix that is shifted
};

/// Returns x with one significant digit, rounded up or down.
std::string digit_of(double x, bool up) {
  if (!(x > 0) || x == infinity) return x == infinity ? "infinity" : "0";
  int exponent = static_cast<int>(std::floor(std::log10(x)));
  const auto text = [&](int digit) {
    if (0 <= exponent && exponent <= 2)
      return std::to_string(digit) + std::string(static_cast<std::size_t>(exponent), '0');
    if (-2 <= exponent && exponent < 0) return (exponent == -1 ? "0." : "0.0") + std::to_string(digit);
    return std::to_string(digit) + "e" + std::to_string(exponent);
  };
  const auto fits = [&](int digit) {
    const double value = leading_number(text(digit)).value;
    return up ? value >= x : value <= x;
  };
  int digit = up ? 1 : 9;
  while (digit >= 1 && digit <= 9 && !fits(digit)) digit += up ? 1 : -1;
  if (digit == 10) ++exponent, digit = 1;
  if (digit == 0) --exponent, digit = 9;
  return text(digit);
}

template <class T>
std::string Certifier<T>::no_gap(const Enclosure& zero) const {
  return "eigenvalues follow each other without a gap of a factor " + std::to_string(static_cast<int>(least_gap)) +
         " above " + digit_of(zero.reach(), true) + ", which rounding errors do not tell from zero" +
         (takes_residuals() ? "" : "; bounds from residuals are sharper");
}

template <class T>
void require_fit(MatrixView<const T> A, const LdltFactorization<T>& f) {
  if (A.rows != f.order() || A.cols != f.order())
    throw InputError("certify_inertia: A is " + std::to_string(A.rows) + " x " + std::to_string(A.cols) +
                     " and the factors have order " + std::to_string(f.order()) + "; they must fit");
  if (is_complex<T> && f.symmetry == Symmetry::symmetric)
    throw NotSupported("the inertia of a complex symmetric matrix does not exist; it needs real eigenvalues");
}

std::string counted(Index count) {
  return std::to_string(count) + (count == 1 ? " eigenvalue" : " eigenvalues");
}

}  // namespace
}  // namespace ldlt_detail

template <class T>
InertiaReport certify_inertia(MatrixView<const T> A, const LdltFactorization<T>& factors,
                              const InertiaOptions& options) {
  using namespace ldlt_detail;
  require_fit(A, factors);
  return Certifier<T>(A, factors, options).run();
}

template InertiaReport certify_inertia(MatrixView<const double>, const LdltFactorization<double>&,
                                       const InertiaOptions&);
template InertiaReport certify_inertia(MatrixView<const std::complex<double>>,
                                       const LdltFactorization<std::complex<double>>&, const InertiaOptions&);

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

std::string to_string(const InertiaReport& report) {
  using ldlt_detail::counted, ldlt_detail::digit_of;
  const auto& [positive, negative, zero] = report.inertia;
  const double within = std::max(report.below, report.above);
  if (report.status == InertiaStatus::undetermined) {
    std::string text = "at least " + std::to_string(positive) + " positive, " + std::to_string(negative) +
                       " negative, " + std::to_string(zero) + " undetermined";
    if (within < ldlt_detail::infinity)
      text += " between -" + digit_of(report.below, true) + " and " + digit_of(report.above, true);
    if (report.evidence.equilibrated) text += ", of the equilibrated matrix";
    return text;
  }
  std::string claim;
  if (zero > 0) claim = counted(zero) + (within > 0 ? " within " + digit_of(within, true) + " of zero" : " zero");
  if (report.clear > 0 && report.clear < ldlt_detail::infinity) {
    const std::string clear = digit_of(report.clear, false);
    claim += zero > 0 ? ", none other below " + clear : "no eigenvalue within " + clear + " of zero";
  }
  if (report.evidence.equilibrated && !claim.empty()) claim += ", of the equilibrated matrix";
  return std::to_string(positive) + " " + std::to_string(negative) + " " + std::to_string(zero) + " (certified" +
         (claim.empty() ? "" : ": " + claim) + ")";
}

}  // namespace pivotlab
