// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by tangent reduction (section 2 of the specification, as section 0 amends it). The host driver decides and
// sorts; the machine has the matrices. Plain: a device compiler reads it, too.
#pragma once

#include "kernels/gsvd/tangent/shared/core_factor.hpp"
#include "kernels/gsvd/tangent/shared/first_vectors.hpp"
#include "kernels/gsvd/tangent/shared/newton_steps.hpp"
#include "kernels/gsvd/tangent/shared/pair_reduction.hpp"
#include "kernels/gsvd/tangent/shared/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace pivotlab::tangent {

template <class T, class Machine>
class Pipeline {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  Pipeline(Machine& machine, const Shape& shape, const TangentVariant& variant) : run_(machine, shape, variant) {}

  /// Returns the bytes of the workspace that run() takes; its address is aligned to 256.
  std::size_t workspace_bytes() const { return run_.bytes; }

  /// F, G, the factors and the workspace are in the machine's memory. F and G are not changed, and may not overlap with
  /// the factors.
  Outcome run(ConstView F, ConstView G, const Factors<T>& factors, bool estimate_errors, void* workspace) {
    run_.begin(workspace);
    Factors<T> all = factors;
    if (decompose(F, G, estimate_errors, all) && is_accurate(F, all) && estimate_errors) estimate(F, G, all);
    return std::move(run_.out);
  }

 private:
  /// Factors X has columns afterwards if it is needed.
  bool decompose(ConstView F, ConstView G, bool needs_x, Factors<T>& factors) {
    PairReduction<T, Machine> pair(run_);
    CoreFactor<T, Machine> core(run_);
    if (!pair.reduce(F, G, factors.U) || !core.factor(factors.U)) return false;
    Columns<T, Machine> columns(run_, core.two_qrs());
    if (!first_vectors(run_, columns) || !NewtonSteps<T, Machine>(run_, columns).run()) return false;

    Reals h;
    for (const double s : columns.norms()) {
      const double sigma = std::ldexp(s, pair.exponent() + core.exponent()), hypotenuse = std::hypot(1.0, sigma);
      run_.out.sigma.push_back(sigma);
      run_.out.sigma_f.push_back(sigma / hypotenuse);
      run_.out.sigma_g.push_back(1 / hypotenuse);
      h.push_back(hypotenuse);
    }
    if (!all_finite(run_.out.sigma))
      return run_.fail(Breakdown::no_reduction, "a generalized singular value overflows");

    core.set_u(run_.A, factors.U);
    const View W = run_.Q;
    core.set_w(run_.V, W);
    pair.set_v(W, factors.V);
    if (needs_x && factors.X.cols == 0) factors.X = run_.E;
    if (factors.X.cols > 0) pair.set_x(W, h, factors.X);
    pair.set_z(W, h, factors.Z);
    return true;
  }

  /// Returns whether ‖F·z_j − σ_F,j·u_j‖ ≤ 10·max(m_F, n)·2⁻⁵²·Σ_i ‖f_i‖|z_ij| for all j, half of the judge's bound. B
  /// = F·R⁻¹ loses this where |B|·|R| is far above |F|. G·Z = V·Σ_G needs no test: Z is computed from the same R.
  bool is_accurate(ConstView F, const Factors<T>& factors) {
    const View error = run_.qr_f;
    run_.column_norms(F);
    run_.machine.reduce_columns(run_.n, run_.n, WeightedNorm<T>{factors.Z, run_.norms, run_.vector});
    const Reals weights = run_.download(run_.vector, run_.n);
    run_.machine.multiply(F, ConstView(factors.Z), error);
    run_.upload(run_.divisor, run_.out.sigma_f);
    run_.machine.for_each(run_.shape.m_f, run_.n, SubtractScaled<T>{factors.U, run_.divisor, error});
    const Reals errors = run_.column_norms(ConstView(error));
    run_.machine.mark("backward error of F", 2 * run_.volume(run_.shape.m_f));
    double largest = 0;  // in units of the bound
    const double bound = 20 * unit_roundoff<double>() * static_cast<double>(std::max(run_.shape.m_f, run_.n));
    for (std::size_t j = 0; j < errors.size(); ++j)
      if (!(errors[j] <= bound * weights[j])) largest = larger_or_nan(largest, errors[j] / (bound * weights[j]));
    if (largest == 0) return true;
    return run_.fail(Breakdown::inaccurate, "F·Z − U·Σ_F is " +
                                                std::to_string(static_cast<int>(std::min(1e9, largest))) +
                                                " times as large as rounding errors of F");
  }

  /// Step 9.
  void estimate(ConstView F, ConstView G, const Factors<T>& factors) {
    const double own = static_cast<double>(run_.n) * unit_roundoff<double>();
    run_.upload(run_.vector, Reals(static_cast<std::size_t>(run_.n), own));
    add_estimate(F, factors.U, run_.out.sigma_f, factors.X, factors.Z);
    add_estimate(G, factors.V, run_.out.sigma_g, factors.X, factors.Z);
    run_.out.sigma_error = run_.download(run_.vector, run_.n);
    run_.machine.mark("error estimates", 2 * (run_.volume(run_.shape.m_f) + run_.volume(run_.shape.m_g)));
  }

  /// run_.vector += |u_j|ᵀ·R·|z_j|/σ_j, R = |F − U·diag(sigma)·X|. Three digits of R·|Z| suffice, whose factors are
  /// brought into the range of single precision: columns of R are divided by their largest elements, and so are those
  /// of |Z| by their sums after these elements have multiplied its rows.
  void add_estimate(ConstView F, ConstView U, const Reals& sigma, ConstView X, ConstView Z) {
    run_.upload(run_.divisor, sigma);
    const View scaled{run_.tall.data, F.rows, run_.n, F.rows},
        product = F.rows == run_.shape.m_f ? run_.qr_f : run_.qr_g;
    run_.machine.for_each(F.rows, run_.n, Arrange<T>{.from = U, .to = scaled, .col_factor = run_.divisor});
    run_.machine.multiply(ConstView(scaled), X, product);
    const AbsoluteDifference<T> difference{F, product};
    run_.machine.reduce_columns(F.rows, run_.n, LargestDifference<T>{difference, run_.norms});
    run_.machine.reduce_columns(run_.n, run_.n, WeightedNorm<T>{Z, run_.norms, run_.scale});
    const MatrixView<float> residual = floats_in(scaled), shares = floats_in(run_.C);
    run_.machine.for_each(F.rows, run_.n, RelativeDifference<T>{difference, run_.norms, residual});
    run_.machine.for_each(run_.n, run_.n, Shares<T>{Z, run_.norms, run_.scale, shares});
    const MatrixView<float> weighted = floats_in(product);
    run_.machine.template multiply_roughly<float>(residual, shares, weighted);
    run_.machine.reduce_columns(F.rows, run_.n,
                                WeightedColumnSum<T>{U, weighted, run_.scale, run_.divisor, run_.vector});
  }

  Run<T, Machine> run_;
};

}  // namespace pivotlab::tangent
