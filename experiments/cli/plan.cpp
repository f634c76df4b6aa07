// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/command.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/progress.hpp>
#include <support/files/memory.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::ColumnKind;
using experiments::Field;

struct PlanLine {
  experiments::PlannedCase planned;
  std::string state;
};

std::vector<Field<PlanLine>> fields(const experiments::Method& method) {
  auto list =
      axis_fields<PlanLine>(method, [](const PlanLine& line) -> const experiments::Case& { return line.planned.axes; });
  const auto add = [&](experiments::Column column, auto value) { list.push_back({std::move(column), value}); };
  add({"generate_s", "generate s", ColumnKind::seconds},
      [](const PlanLine& l) -> Cell { return l.planned.estimate.generate_s; });
  add({"solve_s", "solve s", ColumnKind::seconds},
      [](const PlanLine& l) -> Cell { return l.planned.estimate.solve_s; });
  add({"judge_s", "judge s", ColumnKind::seconds},
      [](const PlanLine& l) -> Cell { return l.planned.estimate.judge_s; });
  add({"memory_bytes", "MiB", ColumnKind::megabytes},
      [](const PlanLine& l) -> Cell { return l.planned.estimate.bytes; });
  add({"gpu_bytes", "GPU MiB", ColumnKind::megabytes, false, true},
      [](const PlanLine& l) -> Cell { return l.planned.estimate.gpu_bytes; });
  add({"record", "record"}, [](const PlanLine& l) -> Cell { return l.state; });
  add({"key", "key", ColumnKind::text, false, true}, [](const PlanLine& l) -> Cell { return l.planned.key; });
  return list;
}

int run(const Selection& selection, const TableOptions& table) {
  (void)table.style();
  const experiments::Plan plan = make_plan(selection);
  const std::vector<std::string> states = experiments::case_states(plan, selection.out);
  std::vector<PlanLine> lines;
  for (std::size_t k = 0; k < plan.cases.size(); ++k) lines.push_back({plan.cases[k], states[k]});

  const auto total = experiments::estimate(plan);
  const double available = available_memory();
  const auto missing = std::count(states.begin(), states.end(), "missing");
  const bool fits = !(total.bytes > available);
  const std::string summary = fmt::format(
      "{} cases, {} without a record; all of them take about {} and at most {} of {} memory", lines.size(), missing,
      experiments::format_duration(total.seconds), format_bytes(total.bytes), format_bytes(available));
  print_table(table, fields(*plan.method), lines, {summary, fits ? "FITS" : "TOO LARGE", fits});
  return exit_fine;
}

}  // namespace

Command add_plan(CLI::App& root) {
  CLI::App* app = root.add_subcommand("plan", "Dry run: cases, estimated time and memory");
  auto selection = std::make_shared<Selection>();
  auto table = std::make_shared<TableOptions>();
  add_selection_options(*app, *selection);
  add_table_options(*app, *table);
  app->footer(
      "Nothing is run or written. Estimates are accurate to a factor of a few.\n\n"
      "Examples:\n"
      "  pivotlab plan quick\n"
      "  pivotlab plan table2 --scale small --filter n=512\n"
      "  pivotlab plan my-spec.json --format csv --columns n,solver,solve_s,memory_bytes");
  return {app, [selection, table] { return run(*selection, *table); }};
}

}  // namespace pivotlab::cli
