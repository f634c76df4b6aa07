// SPDX-License-Identifier: BSD-3-Clause
// The smallest shift that gives a matrix an inertia, by bisection over certificates (pivotlab/inertia.hpp).
//
// The eigenvalues of A + δ·diag(I, 0) do not decrease with δ (Weyl). Below the wanted shift too few eigenvalues are
// positive, or this is not certified; above it, as many as wanted or, where all rows are shifted, too many.
#include "kernels/ldlt/shared/input.hpp"
#include "kernels/numerics/zeros.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab {
namespace {

template <class T>
class ShiftSearch {
 public:
  ShiftSearch(MatrixView<const T> A, const Inertia& wanted, Index rows, const InertiaOptions& options)
      : wanted_(wanted), rows_(rows), options_(options), shifted_(A.rows, A.cols) {
    ldlt_detail::FullTriangle<T> triangle(shifted_);
    ldlt_detail::load<true>(A, options.triangle, triangle, options.threads);
    options_.triangle = InputTriangle::lower;
    for (Index i = 0; i < A.rows; ++i) {
      diagonal_.push_back(real_part(shifted_(i, i)));
      limit_ = std::min(limit_, std::numeric_limits<double>::max() - std::abs(diagonal_.back()));
    }
    largest_ = ldlt_detail::norms_of<T>(triangle, options.threads).infinity;
  }

  InertiaShift run() {
    if (side_of(0) == Side::inside) return result_;
    if (result_.report.inertia.positive >= wanted_.positive) {
      if (rows_ < shifted_.rows())
        return failed(
            "as many eigenvalues are positive without a shift, and none becomes negative by a positive shift");
      sign_ = -1;
    }
    // H + δI is definite for δ = ‖A‖∞, and no larger δ changes an inertia of [H + δI, Aᵀ; A, −C], C ≥ 0. The inertia of
    // other matrices may change until H + δI hides their coupling.
    double least = 0, most = std::ldexp(1., std::min(std::ilogb(largest_ > 0 ? largest_ : 1.) + 1, 1023));
    most = std::min(most, limit_);
    const double smallest = most * 0x1p-120, largest = std::min(most * 0x1p60, limit_);
    Side side = side_of(most);
    while (side < Side::inside && most < largest) {
      if (side == Side::below) least = most;
      side = side_of(most = std::min(most * 0x1p15, largest));
    }
    if (side < Side::inside)
      return failed("no shift up to 2^60 times the matrix gives it; other rows are dependent or have the wrong sign");
    while (least == 0 ? most > smallest : most > least * (result_.shift ? 1 + 0x1p-20 : 1 + 0x1p-50)) {
      const double middle = least == 0 ? most * 0x1p-8 : least * std::sqrt(most / least);
      if (!(least < middle && middle < most)) break;
      (side_of(middle) == Side::below ? least : most) = middle;
    }
    result_.too_small = sign_ * least;
    if (!result_.shift) return failed("eigenvalues pass zero together; no shift between gives it");
    return result_;
  }

 private:
  /// Where a shift is: below, or at an end of, those that give the inertia; `upper_end` means that as many eigenvalues
  /// as wanted have the sign, and of others rounding errors, or zeros, hide it.
  enum class Side { below, upper_end, inside, above };

  InertiaShift failed(const std::string& why) {
    result_.shift.reset();
    result_.reason = why;
    return result_;
  }

  Side side_of(double shift) {
    ++result_.certificates;
    for (Index i = 0; i < shifted_.rows(); ++i) {
      const double x = i < rows_ ? diagonal_[i] + sign_ * shift : diagonal_[i];
      shifted_(i, i) = T(x);
    }
    InertiaReport report = certify_inertia<T>(shifted_, options_);
    const Inertia& found = report.inertia;
    if (report.status == InertiaStatus::certified && found == wanted_) {
      result_.shift = sign_ * shift;
      result_.report = std::move(report);
      return Side::inside;
    }
    if (!result_.shift) result_.report = std::move(report);
    const Index more = sign_ > 0 ? found.positive - wanted_.positive : found.negative - wanted_.negative;
    return more < 0 ? Side::below : more == 0 ? Side::upper_end : Side::above;
  }

  Inertia wanted_;
  Index rows_;
  InertiaOptions options_;
  Matrix<T> shifted_;
  std::vector<double> diagonal_;
  double largest_ = 0, limit_ = std::numeric_limits<double>::max();
  int sign_ = 1;
  InertiaShift result_;
};

}  // namespace

template <class T>
InertiaShift shift_for_inertia(MatrixView<const T> A, Index positive, Index negative, Index rows,
                               const InertiaOptions& options) {
  ldlt_detail::require_square(A);
  const auto text = [](Index x) { return std::to_string(x); };
  if (positive < 0 || negative < 0 || positive + negative != A.rows)
    throw InputError("inertia: " + text(positive) + " positive and " + text(negative) +
                     " negative eigenvalues are not those of a nonsingular matrix of order " + text(A.rows) +
                     "; their sum must be the order");
  if (rows < 0 || rows > A.rows)
    throw InputError("rows: " + text(rows) + " is not between 0 and the order " + text(A.rows));
  return ShiftSearch<T>(A, {positive, negative, 0}, rows, options).run();
}

template decltype(shift_for_inertia<double>) shift_for_inertia<double>;
template decltype(shift_for_inertia<std::complex<double>>) shift_for_inertia<std::complex<double>>;

}  // namespace pivotlab
