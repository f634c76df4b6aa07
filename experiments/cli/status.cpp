// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <experiments/cli/command.hpp>
#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/report_rules.hpp>
#include <experiments/engine/run.hpp>
#include <experiments/engine/run_folder.hpp>
#include <experiments/engine/shard.hpp>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::ColumnKind;
using experiments::Field;
using experiments::Shard;
using experiments::ShardClaim;

/// A share of a run's cases.
struct Share {
  std::optional<Shard> shard = {};  ///< empty: all cases
  std::optional<ShardClaim> claim = {};
  std::map<std::string, std::size_t> states = {};  ///< number of cases by status, or "missing"
  std::size_t cases = 0, expected = 0;             ///< `expected`: failures that the spec expects

  std::size_t count(const std::string& state) const { return states.contains(state) ? states.at(state) : 0; }
  std::size_t failures() const {
    std::size_t sum = 0;
    for (const auto& [state, number] : states)
      if (state != "missing" && experiments::is_failure(state)) sum += number;
    return sum - expected;
  }
  std::size_t running() const { return claim && claim->live ? claim->running.size() : 0; }
};

std::vector<Field<Share>> share_fields() {
  std::vector<Field<Share>> list;
  const auto add = [&](experiments::Column column, auto value) { list.push_back({std::move(column), value}); };
  const auto integer = [](std::size_t number) { return Cell(static_cast<std::int64_t>(number)); };
  add({"shard", "shard"}, [](const Share& s) -> Cell { return s.shard ? to_string(*s.shard) : "all"; });
  add({"state", "state"}, [](const Share& s) -> Cell {
    if (s.claim) return s.claim->live ? "works" : "killed";
    return s.count("missing") == 0 ? "finished" : "not working";
  });
  add({"cases", "cases", ColumnKind::integer}, [=](const Share& s) -> Cell { return integer(s.cases); });
  add({"done", "done", ColumnKind::integer},
      [=](const Share& s) -> Cell { return integer(s.cases - s.count("missing")); });
  add({"running", "running", ColumnKind::integer}, [=](const Share& s) -> Cell { return integer(s.running()); });
  add({"missing", "missing", ColumnKind::integer}, [=](const Share& s) -> Cell { return integer(s.count("missing")); });
  add({"failed", "failed", ColumnKind::integer}, [=](const Share& s) -> Cell { return integer(s.failures()); });
  add({"host", "host"}, [](const Share& s) -> Cell { return s.claim ? Cell(s.claim->host) : Cell(); });
  add({"process", "process", ColumnKind::integer},
      [](const Share& s) -> Cell { return s.claim ? Cell(s.claim->process) : Cell(); });
  add({"silence_s", "silence s", ColumnKind::seconds},
      [](const Share& s) -> Cell { return s.claim ? Cell(s.claim->silence_s) : Cell(); });
  return list;
}

void add_case(Share& share, const std::string& key, const std::string& state, bool expected) {
  if (share.shard && !share.shard->contains(key)) return;
  ++share.cases;
  share.expected += expected ? 1 : 0;
  ++share.states[state];
}

/// Returns all shares into which the claims divide the cases; one share of all cases, if there is no claim.
std::vector<Share> make_shares(const std::vector<ShardClaim>& claims) {
  std::vector<Share> shares;
  std::uint64_t count = 0;
  for (const ShardClaim& claim : claims) count = std::max(count, claim.shard.count);
  for (std::uint64_t number = 1; number <= count; ++number) {
    Share& share = shares.emplace_back(Share{.shard = Shard{number, count}});
    for (const ShardClaim& claim : claims)
      if (claim.shard.number == number && claim.shard.count == count) share.claim = claim;
  }
  if (shares.empty()) shares.emplace_back();
  return shares;
}

std::string describe_shares(const Share& all, std::size_t running) {
  std::string text = fmt::format("{} cases: ", all.cases);
  for (const auto& [state, number] : all.states)
    if (state != "missing") text += fmt::format("{} {}, ", number, state);
  return text +
         fmt::format("{} running, {} missing", running, all.count("missing") - std::min(running, all.count("missing")));
}

int show_status(const std::string& folder, const TableOptions& table) {
  (void)table.style();
  const std::vector<std::string> keys = experiments::planned_keys(folder);
  std::vector<Share> shares = make_shares(experiments::read_claims(folder));
  const experiments::ExpectedDefeats defeats(experiments::report_of(folder));
  Share all;
  const experiments::RecordStore records(folder);
  for (const std::string& key : keys) {
    const auto record = records.find(key);
    const std::string state = record ? record->at("status").get<std::string>() : "missing";
    const bool expected =
        record && defeats.contains(experiments::case_of(record->at("case")).value_or(experiments::Case()), state);
    add_case(all, key, state, expected);
    for (Share& share : shares) add_case(share, key, state, expected);
  }
  for (const std::string& damage : records.damages()) std::cerr << "records are lost: " << on_terminal(damage) << '\n';
  std::size_t running = 0;
  for (const Share& share : shares) running += share.running();
  const bool works = experiments::is_locked(folder);
  const bool complete = all.count("missing") == 0;
  const char* word = works ? "RUNNING" : !complete ? "INCOMPLETE" : all.failures() > 0 ? "FAILED" : "FINISHED";
  print_table(table, share_fields(), shares, {describe_shares(all, running), word, complete && all.failures() == 0});
  return complete && all.failures() == 0 ? exit_fine : exit_cases_failed;
}

}  // namespace

Command add_status(CLI::App& root) {
  CLI::App* app = root.add_subcommand("status", "Show which cases of a run are done, running, missing and failed");
  auto folder = std::make_shared<std::string>();
  auto table = std::make_shared<TableOptions>();
  app->add_option("folder", *folder, "Folder of a run: <out>/<experiment>")->required()->type_name("DIR");
  add_table_options(*app, *table);
  app->footer(
      "Each shard of a job array has a row. A shard that was killed is continued by the same command with --takeover.\n"
      "Exit code 0 if every case has a record and none has failed, else 1.\n\n"
      "Examples:\n"
      "  pivotlab status runs/paper\n"
      "  pivotlab status runs/paper --format json");
  return {app, [folder, table] { return show_status(*folder, *table); }};
}

}  // namespace pivotlab::cli
