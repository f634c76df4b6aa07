// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <experiments/cli/flagged_times.hpp>
#include <experiments/cli/reference.hpp>
#include <experiments/cli/selection.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/status.hpp>
#include <set>
#include <support/text/nearest.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Case;
using experiments::Plan;
using experiments::PlannedCase;

/// Returns the canonical name of the solver for a case of the plan; nothing if the solver is not for its type.
std::optional<std::string> solver_for(const experiments::Method& method, Case axes, const std::string& solver) {
  axes["solver"] = solver;
  try {
    return std::get<std::string>(method.canonical(axes).at("solver"));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Returns whether two cases of one problem differ in nothing but what follows from the solver.
bool differ_in_solver_only(Case a, Case b) {
  for (const char* name : {"solver", "solver_digest", "backend"}) a.erase(name), b.erase(name);
  return a == b;
}

/// Returns the reference for a case among those that solve the same problem; null if there is none, or no clear one.
const PlannedCase* chosen(const Case& axes, const std::vector<const PlannedCase*>& candidates) {
  if (candidates.size() == 1) return candidates.front();
  const auto is_alike = [&](const PlannedCase* one) { return differ_in_solver_only(one->axes, axes); };
  if (std::ranges::count_if(candidates, is_alike) != 1) return nullptr;
  return *std::ranges::find_if(candidates, is_alike);
}

struct PassedTime {
  double seconds = 0;
  bool flagged = false;
};

std::optional<PassedTime> passed_time(const nlohmann::json& record) {
  const nlohmann::json& median = record.at("time").at("compute_s").at("median");
  if (record.at("status") != to_string(Status::passed) || !median.is_number()) return std::nullopt;
  return PassedTime{median, !flags_of(record).empty()};
}

}  // namespace

Reference::Reference(const Plan& plan, std::filesystem::path run, const std::string& solver) : run_(std::move(run)) {
  const std::string pattern = for_all_types(solver);
  std::map<std::size_t, std::vector<const PlannedCase*>> by_problem;
  std::set<std::string> names;
  for (const PlannedCase& one : plan.cases) {
    const auto& name = names.insert(std::get<std::string>(one.axes.at("solver"))).first;
    if (solver_for(*plan.method, one.axes, pattern) == *name) by_problem[one.group].push_back(&one);
  }
  if (by_problem.empty())
    throw InputError(fmt::format("--reference: no case is solved by '{}'; {}", solver, nearest_text(solver, names)));
  for (const PlannedCase& one : plan.cases)
    if (const auto found = by_problem.find(one.group); found != by_problem.end())
      reference_of_[&one.axes] = chosen(one.axes, found->second);
}

experiments::Field<CaseLine> Reference::field() const {
  const experiments::Column column{
      .key = "speedup", .heading = "x as fast", .kind = experiments::ColumnKind::ratio, .detail = false};
  return {column, [this](const CaseLine& line) -> experiments::Cell {
            const auto reference = reference_of_.find(line.axes);
            if (line.record == nullptr || reference == reference_of_.end() || reference->second == nullptr) return {};
            if (!records_) records_.emplace(run_);  // the table is printed after the run
            const auto record = records_->find(reference->second->key);
            const auto own = passed_time(*line.record), other = record ? passed_time(*record) : std::nullopt;
            if (!own || !other) return {};
            return flagged_if(own->flagged || other->flagged, other->seconds / own->seconds);
          }};
}

}  // namespace pivotlab::cli
