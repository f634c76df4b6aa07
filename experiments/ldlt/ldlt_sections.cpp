#include <experiments/common/judged_rows.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;

/// `whose` precedes the headings of the counts, and `where` follows their definitions.
Rows<Inertia> inertia_rows(const std::string& whose, const std::string& where) {
  using I = Inertia;
  return {row(&I::positive, "positive", whose + "+", plain, "Positive eigenvalues " + where).at_least(0),
          row(&I::negative, "negative", whose + "-", plain, "Negative eigenvalues " + where).at_least(0),
          row(&I::zero, "zero", whose + "0", plain, "Zero eigenvalues " + where).at_least(0)};
}

template <class M>
Row<InertiaReport> evidence(M InertiaEvidence::*member, std::string at, std::string heading, NumberFormat format,
                            std::string definition) {
  return computed<InertiaReport>([member](const InertiaReport& report) { return report.evidence.*member; },
                                 std::move(at), std::move(heading), format, std::move(definition));
}

constexpr const char *rounded_safely = "double; includes its own rounding errors", *evidence_page = "docs/inertia.md";

}  // namespace

const Rows<InertiaReport>& certificate_rows() {
  using R = InertiaReport;
  using E = InertiaEvidence;
  static const Rows<R> rows = {
      row(&R::status, "status", "certificate", plain,
          "What is certain about the inertia of A: certified, certified_near_zero or undetermined")
          .source("Sylvester's law of inertia, Weyl's theorem")
          .column("certificate")
          .among({"certified", "certified_near_zero", "undetermined"}),
      object_row<R>(
          &R::inertia, inertia_rows("certified ", "of A as certified"), "inertia",
          "positive and negative: at least so many eigenvalues of A; zero: the others, which lie in [−below, above]")
          .column("certified_"),
      row(&R::below, "below", "below", scientific,
          "Eigenvalues counted neither as positive nor as negative are at least −below")
          .precision(rounded_safely),
      row(&R::above, "above", "above", scientific,
          "Eigenvalues counted neither as positive nor as negative are at most above")
          .precision(rounded_safely),
      row(&R::clear, "clear", "clear", scientific,
          "Lower bound of the distance from zero of the eigenvalues counted as positive or negative")
          .precision(rounded_safely),
      row(&R::reason, "reason", "reason", plain, "Why the inertia is undetermined; otherwise empty"),
      evidence(&E::eta, "eta", "eta", scientific, "Upper bound η of ‖P·A·Pᵀ − M·D·M*‖₂")
          .precision("double or double-double, by eta_from; includes its own rounding errors")
          .source(evidence_page),
      evidence(&E::eta_from, "eta_from", "eta from", plain,
               "Source of η: a_priori (rounding error analysis) or residual (in double-double)")
          .among({"a_priori", "residual"}),
      evidence(&E::smallest_pivot, "smallest_pivot", "min pivot", scientific,
               "min|λ(W⁻¹·D·W⁻¹)|, W diagonal of powers of two near √|λ(D)|; D certifies A if it is above "
               "η·‖(M·W)⁻¹‖₂²")
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
               "Factorizations that the certificate took, the given one included"),
      evidence(&E::equilibrated, "equilibrated", "equilibrated", plain,
               "Whether all numbers of the certificate but the counts are those of the equilibrated matrix")};
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

const Rows<LdltMetrics>& ldlt_metric_rows() {
  const std::string of_pivoting =
      "Complete and rook pivoting with α; 1e-13 allows for rounding. None (null) for partial pivoting and for "
      "baselines "
      "other than real rook pivoting";
  using M = LdltMetrics;
  using B = LdltBounds;
  static const Rows<M> rows = {
      row(&M::rank, "rank", "rank", plain,
          "Number of singular values of D above zero_below, of complete pivoting above 0; the result is incorrect "
          "where "
          "the solver states another rank")
          .shown()
          .precision("quad"),
      object_row<M>(
          &M::inertia, inertia_rows("", "of D, zeros as for rank"), "inertia",
          "Inertia of D; the result is incorrect where the solver states another or, by Weyl's theorem, known "
          "eigenvalues contradict it"),
      row(&M::inertia_agrees, "inertia_agrees", "inertia", plain,
          "Whether the inertia is the known one: that of the certificate where there is one, otherwise that of D")
          .shown(),
      row(&M::pivots_1x1, "pivots_1x1", "1x1", plain, "Number of 1×1 pivots; none where D is tridiagonal (Aasen)")
          .shown()
          .source("Kruchinina, section 3.3"),
      row(&M::pivots_2x2, "pivots_2x2", "2x2", plain, "Number of 2×2 pivots; none where D is tridiagonal (Aasen)")
          .shown()
          .source("Kruchinina, section 3.3"),
      row(&M::max_multiplier, "max_multiplier", "max |M|", scientific, "max_{i>j} |m_ij|")
          .shown()
          .precision("double")
          .source("LAPACK dchksy_rook")
          .bounded(&B::max_multiplier, "max(1/α, 1/(1 − α))·(1 + 1e-13)", of_pivoting),
      row(&M::max_condition, "max_condition", "2x2 cond", scientific,
          "max κ₂(D_k) over the 2×2 pivots D_k; 1 without one")
          .precision("quad")
          .source("LAPACK dchksy_rook")
          .bounded(&B::max_condition, "(1 + α)/(1 − α)·(1 + 1e-13)", of_pivoting),
      row(&M::residual, "residual", "rel err", scientific,
          "‖A − S⁻¹·Pᵀ·M·D·M*·P·S⁻¹‖∞/‖A‖∞, S being the equilibration, or I")
          .compared()
          .precision(judged_precision)
          .source("Kruchinina, section 3.3"),
      row(&M::dsyt01, "dsyt01", "dsyt01", scientific, "‖A − S⁻¹·Pᵀ·M·D·M*·P·S⁻¹‖∞/(‖A‖∞·n·2⁻⁵³)")
          .precision(judged_precision)
          .source("LAPACK dsyt01")
          .bounded(&B::dsyt01, "30", "LAPACK's threshold in its tests of xSYTRF"),
      row(&M::dpot02, "dpot02", "dpot02", scientific,
          "max_j ‖b_j − A·x_j‖₁/(‖A‖₁·‖x_j‖₁·2⁻⁵³), A·x_j = b_j solved without refinement for true x_j of small "
          "integers")
          .precision(judged_precision)
          .source("LAPACK dpot02")
          .bounded(&B::dpot02, "30·n", "The bound of dsyt01: ‖b − A·x‖₁ ≤ ‖E‖₁·‖x‖₁ for factors of A + E"),
      row(&M::solve_error, "solve_error", "x err", scientific,
          "max_j ‖x_j − true x_j‖∞/‖true x_j‖∞ of the same systems; none where D is singular")
          .precision("double"),
      precision_row<M>(),
      device_row<M>()};
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
          "max_k max|A_k|/max|A| over the reduced matrices A_k that the solver forms")
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
