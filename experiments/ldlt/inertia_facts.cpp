#include <fmt/format.h>

#include <cstdint>
#include <experiments/ldlt/inertia_facts.hpp>
#include <string>

namespace pivotlab::experiments {

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

std::vector<Fact> InertiaFacts::certificate() const {
  std::vector<Fact> facts;
  const auto add = [&](const char* key, ColumnKind kind, const auto& value) {
    facts.push_back({key, key, kind, report_ ? Cell(value(*report_, report_->evidence)) : Cell(), Audience::programs});
  };
  using R = InertiaReport;
  using E = InertiaEvidence;
  add("certificate", ColumnKind::text, [](const R& r, const E&) { return std::string(to_string(r.status)); });
  add("below", ColumnKind::scientific, [](const R& r, const E&) { return r.below; });
  add("above", ColumnKind::scientific, [](const R& r, const E&) { return r.above; });
  add("clear", ColumnKind::scientific, [](const R& r, const E&) { return r.clear; });
  add("eta", ColumnKind::scientific, [](const R&, const E& e) { return e.eta; });
  add("eta_from", ColumnKind::text, [](const R&, const E& e) { return std::string(to_string(e.eta_from)); });
  add("smallest_pivot", ColumnKind::scientific, [](const R&, const E& e) { return e.smallest_pivot; });
  add("inverse_norm", ColumnKind::scientific, [](const R&, const E& e) { return cell_or_none(e.inverse_norm); });
  add("tau", ColumnKind::scientific, [](const R&, const E& e) { return cell_or_none(e.tau); });
  add("tau_gap", ColumnKind::scientific, [](const R&, const E& e) { return cell_or_none(e.tau_gap); });
  add("factorizations", ColumnKind::integer, [](const R&, const E& e) { return std::int64_t{e.factorizations}; });
  add("equilibrated", ColumnKind::text, [](const R&, const E& e) { return e.equilibrated; });
  return facts;
}

}  // namespace pivotlab::experiments
