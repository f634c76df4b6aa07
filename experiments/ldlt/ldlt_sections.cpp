// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/ldlt_sections.hpp>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;

template <class M>
Row<InertiaReport> evidence(M InertiaEvidence::*member, std::string at, std::string heading, NumberFormat format,
                            std::string definition) {
  return computed<InertiaReport>([member](const InertiaReport& report) { return report.evidence.*member; },
                                 std::move(at), std::move(heading), format, std::move(definition));
}

constexpr const char *rounded_safely = "double; includes its own rounding errors",
                     *evidence_page = "docs/reference/inertia.md";

}  // namespace

const Rows<InertiaReport>& certificate_rows() {
  using R = InertiaReport;
  using E = InertiaEvidence;
  static const Rows<R> rows = {
      row(&R::status, "status", "certificate", plain,
          "What is certain about the inertia of A: certified, certified_near_zero (the eigenvalues counted as zero are "
          "in a tiny interval, all others far away) or undetermined")
          .source("Sylvester's law of inertia, Weyl's theorem")
          .column("certificate")
          .among({"certified", "certified_near_zero", "undetermined"}),
      object_row<R>(&R::inertia, inertia_rows("certified ", "of A as certified"), "inertia",
                    "positive and negative: at least so many eigenvalues of A; zero: the others, which are zero only "
                    "if the status "
                    "is certified")
          .column("certified_"),
      evidence(&E::level, "level", "level", plain,
               "The arithmetic that settled it: double, double-double or exact (modulo primes)")
          .among({"double", "double-double", "exact"})
          .optional(),
      row(&R::near_zero, "near_zero", "near zero", plain, "Number of eigenvalues in [−below, above]").optional(),
      row(&R::below, "below", "below", scientific, "Eigenvalues counted as near zero are at least −below")
          .precision(rounded_safely),
      row(&R::above, "above", "above", scientific, "Eigenvalues counted as near zero are at most above")
          .precision(rounded_safely),
      row(&R::clear, "clear", "clear", scientific, "Lower bound of the distance from zero of all other eigenvalues")
          .precision(rounded_safely),
      row(&R::reason, "reason", "reason", plain, "Why the inertia is undetermined; otherwise empty"),
      evidence(&E::eta, "eta", "eta", scientific,
               "Upper bound η of ‖P·A·Pᵀ − M·D·M*‖₂ for the first factors of the certificate")
          .precision("double or double-double, by eta_from; includes its own rounding errors")
          .source(evidence_page),
      evidence(&E::eta_from, "eta_from", "eta from", plain,
               "Source of η: a_priori (rounding error analysis) or residual (in double-double)")
          .among({"a_priori", "residual"}),
      evidence(
          &E::smallest_pivot, "smallest_pivot", "min pivot", scientific,
          "min|λ(W⁻¹·D·W⁻¹)|, W diagonal of powers of two near √|λ(D)|; D certifies A if it is above η·‖(M·W)⁻¹‖₂²")
          .precision(rounded_safely)
          .source(evidence_page),
      evidence(&E::inverse_norm, "inverse_norm", "inverse norm", scientific,
               "Upper bound of ‖(M·W)⁻¹‖₂; none where it was not needed")
          .precision(rounded_safely),
      evidence(&E::tau, "tau", "tau", scientific,
               "Shift τ of the enclosure by A − τI and A + τI; none where D certifies A")
          .precision("double")
          .source(evidence_page),
      evidence(&E::tau_gap, "tau_gap", "tau gap", scientific, "Shift that certifies the gap beyond the enclosure")
          .precision("double"),
      evidence(&E::factorizations, "factorizations", "factorizations", plain,
               "Factorizations that the certificate took, in double and double-double"),
      evidence(&E::equilibrated, "equilibrated", "equilibrated", plain,
               "Whether all numbers of the certificate but the counts are those of the equilibrated matrix"),
      evidence(&E::without_search, "without_search", "without search", plain,
               "Whether factors without a search certify A, otherwise those of rook pivoting")
          .optional()};
  return rows;
}

namespace {

const Rows<GjgErrors>& gjg_rows() {
  using G = GjgErrors;
  static const Rows<G> rows = {
      row(&G::residual, "residual", "GJG* err", scientific, "‖P·A·Pᵀ − G·J·G*‖∞/‖A‖∞, G computed in double")
          .precision("quad")
          .source("Kruchinina, Figure 3.22")
          .column("error"),
      row(&G::residual_rounded, "residual_rounded", "rounded", scientific,
          "‖P·A·Pᵀ − G·J·G*‖∞/‖A‖∞, G computed in quad and rounded to double")
          .precision("quad")
          .column("rounded"),
      row(&G::residual_quad, "residual_quad", "in quad", scientific,
          "‖P·A·Pᵀ − G·J·G*‖∞/‖A‖∞, G computed and kept in quad")
          .precision("octuple (237 bits)")
          .column("quad"),
      row(&G::inertia_agrees, "inertia_agrees", "J agrees", plain,
          "Whether J has as many 1, −1 and 0 in double as in quad")
          .column("inertia_agrees")};
  return rows;
}

const Rows<LdltStages>& stage_rows() {
  using S = LdltStages;
  static const Rows<S> rows = {
      row(&S::count, "count", "", plain, "Number of stages"),
      row(&S::first, "first", "", plain, "First row of the pivot in D"),
      row(&S::size, "size", "", plain, "Order of the pivot"),
      row(&S::growth, "growth", "", plain,
          "max|A_k|/max|A|, A_k the reduced matrix in which the pivot was sought; five digits")};
  return rows;
}

}  // namespace

const Rows<LdltProblemFacts>& ldlt_problem_rows() {
  using P = LdltProblemFacts;
  static const Rows<P> rows = {
      row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
      row(&P::largest_element, "largest_element", "max |A|", scientific, "max_ij |a_ij|").precision("double"),
      row(&P::norm_inf, "norm_inf", "norm A", scientific, "‖A‖∞").precision("double"),
      row(&P::smallest_eigenvalue, "smallest_eigenvalue", "min |lambda|", scientific,
          "min |λ(A)|, where the eigenvalues are known")
          .precision("quad"),
      row(&P::largest_eigenvalue, "largest_eigenvalue", "max |lambda|", scientific,
          "max |λ(A)|, where the eigenvalues are known")
          .precision("quad"),
      object_row<P>(&P::inertia, inertia_rows("known ", "by the true or stated inertia"), "inertia",
                    "True or stated inertia")
          .column("known_")};
  return rows;
}

const Rows<LdltSolverFacts>& ldlt_solver_rows() {
  using F = LdltSolverFacts;
  static const Rows<F> rows = {
      row(&F::swaps_1x1, "swaps_1x1", "1x1 swaps", plain, "Interchanges of two different rows for 1×1 pivots")
          .source("Kruchinina, section 3.3"),
      row(&F::swaps_2x2, "swaps_2x2", "2x2 swaps", plain, "Interchanges of two different rows for 2×2 pivots")
          .source("Kruchinina, section 3.3"),
      row(&F::max_growth, "max_growth", "growth", scientific,
          "max_k max|A_k|/max|A| over the reduced matrices A_k that the solver forms: all of them with complete "
          "pivoting "
          "and on small orders, otherwise those with which panels of up to 128 columns begin")
          .compared()
          .precision("double")
          .source("Kruchinina, section 3.3"),
      row(&F::tolerance, "tolerance", "zero below", scientific,
          "What counts as zero: tolerance·max|A|, 2⁻⁵²·max|A| by default")
          .precision("double")
          .column("zero_below"),
      row(&F::remainder, "remainder", "remainder", scientific,
          "max|A_r| of the reduced matrix that complete pivoting left as zero")
          .precision("double"),
      row(&F::flops, "flops", "flops", scientific,
          "Nominal flops of the factorization: n³/3, complex four times as many, for every pivoting")
          .precision("double")
          .only_if_any(),
      row(&F::refusal, "refusal", "refusal", plain,
          "Why rook pivoting replaced an elimination without a search; empty where that sufficed, missing for other "
          "variants")
          .only_if_any(),
      object_row<F>(&F::stages, stage_rows(), "stages",
                    "First row and order of the pivot, and growth, stage by stage; at most 4096 stages, thinned so "
                    "that the maxima stay")
          .heading("stages")
          .column("stages"),
      object_row<F>(&F::certificate, certificate_rows(), "certificate", "Certified inertia of A and its evidence")
          .only_if_any(),
      object_row<F>(&F::gjg, gjg_rows(), "gjg", "Errors of P·A·Pᵀ = G·J·G* in double and in quad")
          .only_if_any()
          .column("gjg_")};
  return rows;
}

}  // namespace pivotlab::experiments
