// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/ldlt/ldlt_facts.hpp>

#include <string>

namespace pivotlab::experiments {
namespace {

/// The certificate or, without one, the inertia of D at the tolerance. Keeps references to both.
class InertiaFacts {
 public:
  InertiaFacts(const std::optional<InertiaReport>& report, const std::optional<Inertia>& of_d)
      : report_(report), of_d_(of_d) {}

  /// Returns the rank; nothing if it is not certified.
  std::optional<Index> rank() const;
  /// Returns the certificate as text, or the reason why the inertia is undetermined.
  Cell text() const;
  Cell reason() const;
  Cell count(Index Inertia::*sign) const;
  /// Returns the number of zero eigenvalues; nothing if it is not certified.
  Cell zero() const;
  /// Returns columns for programs, named as in a record's section metrics.certificate.
  std::vector<Fact> certificate() const;

 private:
  const std::optional<InertiaReport>& report_;
  const std::optional<Inertia>& of_d_;
};

std::optional<Index> InertiaFacts::rank() const {
  if (!report_ || report_->status == InertiaStatus::undetermined) return std::nullopt;
  return report_->inertia.positive + report_->inertia.negative;
}

Cell InertiaFacts::text() const {
  if (report_) return to_string(*report_);
  if (!of_d_) return {};
  return fmt::format("{} {} {} (at the tolerance, not certified)", of_d_->positive, of_d_->negative, of_d_->zero);
}

Cell InertiaFacts::reason() const {
  return report_ ? Cell(report_->reason) : Cell();
}

Cell InertiaFacts::count(Index Inertia::*sign) const {
  if (report_) return std::int64_t{report_->inertia.*sign};
  return of_d_ ? Cell(std::int64_t{(*of_d_).*sign}) : Cell();
}

Cell InertiaFacts::zero() const {
  return report_ && report_->status != InertiaStatus::certified ? Cell() : count(&Inertia::zero);
}

std::vector<Fact> InertiaFacts::certificate() const {
  std::vector<Fact> facts;
  for (const auto& row : certificate_rows()) {
    const Quantity& quantity = row.quantity;
    if (quantity.at == "inertia" || quantity.at == "reason") continue;  // facts of their own
    facts.push_back({quantity.column, quantity.column, kind_of(quantity),
                     report_ ? cell_of(row.value(*report_)) : Cell(), Audience::programs});
  }
  return facts;
}

}  // namespace

SolutionFacts ldlt_facts(Index n, Index columns, const LdltOutcome& solved, const LdltJudged& judged) {
  const InertiaFacts inertia(solved.inertia, judged.inertia);
  const auto whole = [](const std::optional<Index>& x) { return x ? Cell(std::int64_t{*x}) : Cell(); };
  const auto number = [](const std::optional<double>& x) { return x ? Cell(*x) : Cell(); };
  std::vector<Fact> shifts;
  const auto add_shift = [&](const std::string& name, const std::string& rows, const InertiaShift& found) {
    shifts.push_back({name, "shift of " + rows, ColumnKind::scientific, number(found.shift)});
    shifts.push_back({"no_" + name, "none, of " + rows, ColumnKind::text, found.reason});
  };
  if (solved.shift) add_shift("shift", "H", *solved.shift);
  if (solved.shift_of_all) add_shift("shift_of_all", "A", *solved.shift_of_all);
  const auto certified_rank = inertia.rank();
  const auto metric_facts = [&](std::initializer_list<std::string_view> names) {
    return facts_of<LdltMetrics>(ldlt_metric_rows(), judged, names);
  };
  return {joined({{{"n", "n", ColumnKind::integer, whole(n)},
                   {"columns", "columns of B", ColumnKind::integer, whole(columns)},
                   {"rank", "rank", ColumnKind::integer, whole(certified_rank ? certified_rank : judged.rank)},
                   {"inertia", "inertia", ColumnKind::text, inertia.text(), Audience::people},
                   {"reason", "reason", ColumnKind::text, inertia.reason()},
                   {"positive", "+", ColumnKind::integer, inertia.count(&Inertia::positive), Audience::programs},
                   {"negative", "-", ColumnKind::integer, inertia.count(&Inertia::negative), Audience::programs},
                   {"zero", "0", ColumnKind::integer, inertia.zero(), Audience::programs},
                   {"pivots_1x1", "1x1 pivots", ColumnKind::integer, whole(judged.pivots_1x1)},
                   {"pivots_2x2", "2x2 pivots", ColumnKind::integer, whole(judged.pivots_2x2)}},
                  facts_of(ldlt_solver_rows(), judged.facts, {"swaps_1x1", "swaps_2x2"})}),
          joined({{{"certify_s", "certificate s", ColumnKind::seconds, number(solved.certify_seconds)}},
                  facts_of(ldlt_solver_rows(), judged.facts, {"max_growth"}),
                  metric_facts({"max_multiplier", "max_condition", "residual", "dsyt01"}),
                  {{"backward_error", "backward error", ColumnKind::scientific, number(solved.backward_error)},
                   {"forward_error", "error of X", ColumnKind::scientific, number(solved.forward_error)},
                   {"refinements", "refinements", ColumnKind::integer, whole(solved.refinements)}},
                  metric_facts({"precision"})}),
          joined({inertia.certificate(), shifts})};
}

}  // namespace pivotlab::experiments
