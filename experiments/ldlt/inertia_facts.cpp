#include <fmt/format.h>

#include <cstdint>
#include <experiments/ldlt/inertia_facts.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
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

}  // namespace pivotlab::experiments
