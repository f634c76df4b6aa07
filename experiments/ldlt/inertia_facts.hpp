// Prints the certified inertia in `pivotlab solve ldlt`.
#pragma once

#include <pivotlab/inertia.hpp>

#include <experiments/commands/fact.hpp>
#include <optional>
#include <vector>

namespace pivotlab::experiments {

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

}  // namespace pivotlab::experiments
