// SPDX-License-Identifier: BSD-3-Clause
// The smallest shift that gives a matrix an inertia, by bisection over certificates (pivotlab/inertia.hpp).
//
// The eigenvalues of A + δ·diag(I, 0) do not decrease with δ (Weyl). Below the wanted shift too few eigenvalues are
// positive, or this is not certified; above it, as many as wanted or, where all rows are shifted, too many.
#include "kernels/ldlt/shared/input.hpp"
#include "kernels/numerics/zeros.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>

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
    for (Index i = 0; i < A.rows; ++i) diagonal_.push_back(real_part(shifted_(i, i)));
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
    // H + δI is definite for δ = ‖A‖∞, and no larger δ changes an inertia of [H + δI, Aᵀ; A, −C], C ≥ 0.
    double least = 0, most = std::ldexp(1., std::min(std::ilogb(largest_ > 0 ? largest_ : 1.) + 1, 1023));
    const double smallest = most * 0x1p-120;
    if (side_of(most) == Side::below)
      return failed("a shift as large as the matrix does not give it; other rows are dependent or have the wrong sign");
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
  enum class Side { below, inside, above };

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
    const bool passed = sign_ > 0 ? found.positive > wanted_.positive : found.negative > wanted_.negative;
    return passed ? Side::above : Side::below;
  }

  Inertia wanted_;
  Index rows_;
  InertiaOptions options_;
  Matrix<T> shifted_;
  std::vector<double> diagonal_;
  double largest_ = 0;
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
