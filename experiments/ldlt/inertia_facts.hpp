// Prints the certified inertia in `pivotlab solve ldlt`.
#pragma once

#include <pivotlab/inertia.hpp>

#include <experiments/commands/fact.hpp>
#include <optional>
#include <vector>

namespace pivotlab::experiments {

/// A certificate, or what D says at the tolerance where there is none. Refers to both.
class InertiaFacts {
 public:
  InertiaFacts(const std::optional<InertiaReport>& report, const std::optional<Inertia>& of_d)
      : report_(report), of_d_(of_d) {}

  /// Nothing where it is not certified.
  std::optional<Index> rank() const;
  /// The certificate in words, why it determines no inertia, and one of its counts.
  Cell text() const;
  Cell reason() const;
  Cell count(Index Inertia::*sign) const;
  /// Columns for programs, named as in a record's section metrics.certificate.
  std::vector<Fact> certificate() const;

 private:
  const std::optional<InertiaReport>& report_;
  const std::optional<Inertia>& of_d_;
};

}  // namespace pivotlab::experiments
