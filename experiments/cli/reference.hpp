// SPDX-License-Identifier: BSD-3-Clause
// The column of --reference: how many times as fast each case is as a reference solver on the same problem.
#pragma once

#include <experiments/cli/case_fields.hpp>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/record_store.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace pivotlab::cli {

/// Reads the records of the reference in the folder of a run. The plan must outlive this object.
class Reference {
 public:
  /// `solver`: a baseline, which stands for the routines of all scalar types, or a variant, in which '?' is the letter
  /// of the type. Throws InputError naming the nearest if it solves no case of the plan.
  Reference(const experiments::Plan& plan, std::filesystem::path run, const std::string& solver);

  /// Returns the column: the median time of the reference over that of the case. The cell is empty unless both have
  /// passed. If cases of the reference with the same problem differ in further axes, the one counts that has the
  /// values of this case; if there is none, the cell is empty.
  experiments::Field<CaseLine> field() const;

 private:
  std::filesystem::path run_;
  mutable std::optional<experiments::RecordStore> records_;
  std::map<const experiments::Case*, const experiments::PlannedCase*> reference_of_;  ///< by the case of a line
};

}  // namespace pivotlab::cli
