// SPDX-License-Identifier: BSD-3-Clause
// Rules for the part `report` of a spec. They are checked when the spec is read, so that a run of hours does not end
// with a report that cannot be made.
#pragma once

#include <experiments/engine/json_node.hpp>
#include <experiments/engine/spec.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace pivotlab::experiments {

/// The names that a report may use of its experiment, at any scale.
struct ReportNames {
  std::set<std::string> types, solvers;  ///< solvers with letters for '?'; empty: unknown

  /// Adds the names of a spec: solvers as written and as in the method's cases.
  void add(const Spec& spec, const Method& method);
};

/// Checks what needs no rules: the keys of `report`, and that each entry has a kind.
void check_report_form(const JsonNode& report);

/// The failures that an experiment is made to show, as its report says: "expect_incorrect": true of other libraries,
/// "expect_defeats": [patterns] of solvers by name. They are no failures of its run.
class ExpectedDefeats {
 public:
  explicit ExpectedDefeats(const nlohmann::json& report);

  bool contains(const Case& axes, std::string_view status) const;

 private:
  bool of_baselines_ = false;
  std::vector<std::string> solvers_;
};

/// The kinds of tables and figures with their options (exhibits.json), and the published tables that they refer to.
class ReportRules {
 public:
  /// Reads <folder>/exhibits.json; published tables are in <folder>/published. Throws InputError if they cannot be
  /// read.
  explicit ReportRules(std::filesystem::path folder);

  /// Checks the tables and figures of a report: kinds, options, and the names that they use. Throws InputError with the
  /// place and the nearest name.
  void check(const JsonNode& report, const ReportNames& names) const;

  /// Returns a published table by name; throws InputError with the node's place, naming the nearest.
  const JsonNode::Json& published(const JsonNode& name) const;

 private:
  std::filesystem::path folder_;
  JsonNode::Json kinds_;
  mutable std::map<std::string, JsonNode::Json> published_;  ///< tables that have been read
};

}  // namespace pivotlab::experiments
