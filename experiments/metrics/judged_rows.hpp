// SPDX-License-Identifier: BSD-3-Clause
// Rows that are part of the metrics of all methods (the precision of the judge, and where it ran), and the verdict by
// the bounds of rows.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/metrics/judging.hpp>
#include <kernels/numerics/double_double.hpp>
#include <pivotlab/scalar.hpp>

#include <string>

namespace pivotlab::experiments {

/// The precision of metrics whose errors are formed in the judge's precision and rounded to double before their norm.
inline constexpr const char* judged_precision = "quad or double-double";

template <class Metrics>
Row<Metrics> precision_row() {
  return row<Metrics, JudgePrecision>(
             &Metrics::precision, "precision", "judged in", NumberFormat::plain,
             "Precision in which the errors were computed: quad (113 bits) up to dimension 128, double-double (106 "
             "bits) above; each error is rounded to double before norms are taken. exact products: residuals by "
             "products "
             "without rounding errors, on a GPU (proof), the rest in double-double")
      .among({"quad", "double-double", "exact products"});
}

/// Returns the row of what exact products prove about the named metrics.
template <class Metrics>
Row<Metrics> proof_row(const std::string& residuals, const std::string& orthogonality = "") {
  using P = JudgeProof;
  using enum NumberFormat;
  const std::string bound_of = "Proved bound of the error of ", precision = "double, rounded up";
  Rows<P> rows = {
      row(&P::moduli, "moduli", "moduli", plain,
          "Moduli of the exact products: numbers of a byte in whose residues they are computed")
          .column("judge_moduli")
          .at_least(8),
      row(&P::residual_error, "residual_error", "res +-", scientific, bound_of + residuals).precision(precision)};
  if (!orthogonality.empty())
    rows.push_back(row(&P::orthogonality_error, "orthogonality_error", "orth +-", scientific, bound_of + orthogonality)
                       .precision(precision));
  return object_row<Metrics>(&Metrics::proof, std::move(rows), "proof", "What the judge proves about its own errors")
      .only_if_any();
}

/// Returns the rows that say what values are compared with, and how many errors that determines.
template <class Metrics>
Rows<Metrics> reference_rows(const std::string& values) {
  using enum NumberFormat;
  return {
      row<Metrics, std::optional<Reference>>(
          &Metrics::reference, "reference", "truth by", plain,
          "What stands for true " + values +
              ": construction of the problem; extended: another algorithm in extended precision; residuals: "
              "Rayleigh quotients with bounds from residuals and orthogonality; refined: values that a refinement "
              "of the result's vectors proves; double: another algorithm in double. None: not compared")
          .among({"construction", "extended", "residuals", "refined", "double"})
          .only_if_any(),
      row<Metrics, std::optional<Index>>(
          &Metrics::known, "known", "known", plain,
          "Number of " + values +
              " whose errors the reference determines, to three digits or to 2⁻⁵³ of the value; relative errors are "
              "over these")
          .only_if_any()};
}

template <class Metrics>
Row<Metrics> device_row() {
  return row<Metrics, JudgeDevice>(&Metrics::device, "device", "judged on", NumberFormat::plain,
                                   "Where the metrics were computed: host or gpu; missing in old records: host")
      .column("judge_device")
      .among({"host", "gpu"});
}

/// The number of random vectors above the largest dimension that is judged in full, "n = 2048".
template <class Metrics>
Row<Metrics> probes_row(const std::string& limit) {
  return row(&Metrics::probes, "probes", "probes", NumberFormat::plain,
             "Random vectors w of signs from which residual and orthogonality are estimated, as E‖A·w‖₂² = ‖A‖_F², "
             "above " +
                 limit + "; 0: all are computed")
      .source("Hutchinson, Commun. Stat. Simul. Comput. 18 (1989)")
      .optional();
}

/// Rows of the errors of eigenvalues and of their estimates; `over_true` says which true eigenvalues there are.
template <class Metrics>
Rows<Metrics> eigenvalue_error_rows(const std::string& over_true) {
  using enum NumberFormat;
  return {row(&Metrics::eigenvalue_error, "eigenvalue_error", "eig err", scientific,
              "max_j |λ_j − true λ_j|/max_j |true λ_j|")
              .precision("quad"),
          row(&Metrics::relative_error, "relative_error", "rel err", scientific,
              "max_j |λ_j − true λ_j|/|true λ_j|" + over_true)
              .compared()
              .precision("quad"),
          row(&Metrics::determined_error, "determined_error", "det err", scientific,
              "max_j |λ_j − true λ_j|/|true λ_j| over the λ_j that the solver does not call undetermined")
              .precision("quad"),
          row(&Metrics::largest_estimate, "largest_estimate", "estimate", scientific,
              "Largest estimate of |λ_j − true λ_j|/|true λ_j|; none for solvers without estimates")
              .shown()
              .precision("double")};
}

/// Lists the bounded rows whose numbers exceed their bounds or cannot be computed; empty if the verdict is `passed`. A
/// number that the solution does not have (std::nullopt) is not part of the verdict.
template <class Metrics>
std::string describe_failures(const Rows<Metrics>& rows, const Metrics& metrics) {
  std::vector<BoundedMetric> bounded;
  for (const Row<Metrics>& one : rows)
    if (one.bound)
      if (const std::optional<double> value = one.number(metrics))
        bounded.push_back({one.quantity.at, *value, one.bound(metrics)});
  return describe_failures(bounded);
}

/// Sets the verdict by the bounds of the rows.
template <class Metrics>
void judge_by_bounds(const Rows<Metrics>& rows, Metrics& metrics) {
  metrics.message = describe_failures(rows, metrics);
  metrics.verdict = metrics.message.empty() ? Status::passed : Status::incorrect;
}

/// Withdraws a passed verdict if factors are missing, because then too little is judged. `missing` lists them.
template <class Metrics>
void skip_without(const std::string& missing, Metrics& metrics) {
  if (missing.empty() || metrics.verdict != Status::passed) return;
  metrics.verdict = Status::skipped;
  metrics.message = "not judged: the result has no " + missing;
}

/// Calls judge.judge<E>() with the complex or real extended scalar E of the precision.
template <class T, class Judge>
void judge_in(JudgePrecision precision, Judge&& judge) {
  if (precision == JudgePrecision::quad)
    judge.template judge<Rebind<T, Quad>>();
  else
    judge.template judge<Rebind<T, DoubleDouble>>();
}

}  // namespace pivotlab::experiments
