// SPDX-License-Identifier: BSD-3-Clause
// Rows of records for the refinement that variants with `refine` end with.
#pragma once

#include <experiments/engine/section.hpp>
#include <optional>
#include <pivotlab/refine_report.hpp>

namespace pivotlab::experiments {

/// Returns the row of the refinement's report. C has a member `refinement`, an optional RefineReport.
template <class C>
Row<C> refinement_row() {
  using enum NumberFormat;
  using R = RefineReport;
  Rows<R> rows = {
      row(&R::refusal, "refusal", "not refined", plain, "Why the refinement was not used; empty if it was"),
      row(&R::steps, "steps", "ref steps", plain, "How often vectors were corrected"),
      row(&R::determined, "determined", "determined", plain,
          "Values with a proved bound of at most 2⁻⁵³ of them: rounded to double they are within 2 ulp"),
      row(&R::kept, "kept", "kept", plain,
          "Values ≠ 0 of the solver that stay, because its estimates of their errors are less than the bounds"),
      row(&R::largest_bound, "largest_bound", "ref bound", scientific,
          "Largest proved bound of a determined value in two limbs, relative to it")
          .precision("double, rounded up"),
      row(&R::seconds, "seconds", "ref s", seconds, "Time of the refinement").unit("s")};
  return object_row<C>(&C::refinement, std::move(rows), "refinement", "Refinement of values and vectors at the end")
      .only_if_any()
      .column("refine_");
}

/// Returns the report of a variant with `refine`.
template <class Variant>
std::optional<RefineReport> report_of(const Variant& variant, const auto& result) {
  return variant.refine ? std::optional(result.refinement) : std::nullopt;
}

}  // namespace pivotlab::experiments
