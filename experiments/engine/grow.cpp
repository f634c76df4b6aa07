// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/grow.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace pivotlab::experiments {
namespace {

using nlohmann::ordered_json;
using Names = std::vector<std::string>;
using Row = std::vector<ordered_json>;

constexpr const char* remedy = "choose another --out, or start anew with --fresh";

/// Returns the groups of axes that advance together in either spec.
std::vector<Names> zips_of(const ordered_json& before, const ordered_json& now, const std::string& file) {
  auto groups = now["zip"].get<std::vector<Names>>();
  for (const Names& group : before.at("zip").get<std::vector<Names>>()) {
    if (std::ranges::find(groups, group) != groups.end()) continue;
    for (const Names& other : groups)
      if (std::ranges::find_first_of(group, other) != group.end())
        throw InputError(fmt::format("{}: zip: other axes advance together with {}; {}", file, group.front(), remedy));
    groups.push_back(group);
  }
  return groups;
}

/// Returns the values of axes that advance together, one row for each step; an axis of one value keeps it. Axes that
/// the method did not have yet have no rows.
std::vector<Row> rows_of(const ordered_json& axes, const Names& names, const std::string& file) {
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (!axes.contains(name)) return {};
    count = std::max(count, axes[name].size());
  }
  std::vector<Row> rows(count);
  for (const std::string& name : names) {
    const ordered_json& values = axes[name];
    if (values.size() != count && values.size() != 1)
      throw InputError(
          fmt::format("{}: axes.{}: did not advance together with {}; {}", file, name, names.front(), remedy));
    for (std::size_t k = 0; k < count; ++k) rows[k].push_back(values[std::min(k, values.size() - 1)]);
  }
  return rows;
}

ordered_json axes_of(const ordered_json& before, const ordered_json& now, const std::vector<Names>& zips,
                     const std::string& file) {
  std::vector<Names> groups = zips;
  for (const auto& [name, values] : now["axes"].items())
    if (std::ranges::none_of(zips, [&, &axis = name](const Names& zip) { return std::ranges::count(zip, axis) > 0; }))
      groups.push_back({name});
  ordered_json axes = now["axes"];  // in the order of the method
  for (const Names& names : groups) {
    std::vector<Row> rows = rows_of(before.at("axes"), names, file);
    for (Row& row : rows_of(now["axes"], names, file))
      if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));
    for (std::size_t i = 0; i < names.size(); ++i) {
      axes[names[i]] = ordered_json::array();
      for (const Row& row : rows) axes[names[i]].push_back(row[i]);
    }
  }
  return axes;
}

constexpr const char* digests[] = {"digest", "solver_digest"};

/// Returns what a case is called apart from the content of its files.
std::string name_of(ordered_json planned) {
  for (const char* digest : digests) planned.erase(digest);
  return planned.dump();
}

ordered_json plan_of(const ordered_json& before, const ordered_json& now, const std::string& file) {
  ordered_json plan = before;
  std::set<std::string> keys;
  std::map<std::string, const ordered_json*> from_files;
  for (const ordered_json& planned : before) {
    keys.insert(planned.at("key"));
    if (std::ranges::any_of(digests, [&](const char* digest) { return planned.at("case").contains(digest); }))
      from_files.emplace(name_of(planned.at("case")), &planned.at("case"));
  }
  for (const ordered_json& planned : now) {
    if (!keys.insert(planned["key"]).second) continue;
    const ordered_json& axes = planned["case"];
    if (const auto old = from_files.find(name_of(axes)); old != from_files.end()) {
      const bool is_solver = axes.contains("solver_digest") && axes["solver_digest"] != (*old->second)["solver_digest"];
      throw InputError(fmt::format("{}: {}: has changed since its cases in this folder were run; {}", file,
                                   axes[is_solver ? "solver" : "generator"].get<std::string>(), remedy));
    }
    plan.push_back(planned);
  }
  return plan;
}

}  // namespace

ordered_json grown_manifest(const ordered_json& before, const ordered_json& now, const std::string& file) try {
  ordered_json manifest = before;
  const std::vector<Names> zips = zips_of(before["spec"], now["spec"], file);
  manifest["spec"] = now["spec"];
  manifest["spec"]["axes"] = axes_of(before["spec"], now["spec"], zips, file);
  manifest["spec"]["zip"] = zips;
  manifest["plan"] = plan_of(before["plan"], now["plan"], file);
  return manifest;
} catch (const nlohmann::json::exception&) {
  throw InputError(fmt::format("{}: is not a manifest of this version; {}", file, remedy));
}

}  // namespace pivotlab::experiments
