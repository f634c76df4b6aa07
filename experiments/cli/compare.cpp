// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>

#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/command.hpp>
#include <experiments/cli/flagged_times.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/compare.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Case;
using experiments::Cell;
using experiments::ColumnKind;
using experiments::Comparison;
using experiments::Field;
using experiments::Side;
using experiments::Verdict;

struct CompareCommand {
  std::string a, b, threshold = "5%", confidence = "0.9";
  experiments::CompareOptions options;
  bool fail_on_regression = false, fail_on_undecided = false;
  TableOptions table;
};

// Returns the cell "A", or "A | B" if the sides may differ.
Cell axis_of_both(const Comparison& comparison, const std::string& name) {
  Cell a = detail::axis_cell(comparison.a.axes, name), b = detail::axis_cell(comparison.b.axes, name);
  if (a == b) return a;
  return experiments::format_cell(a, ColumnKind::text) + " | " + experiments::format_cell(b, ColumnKind::text);
}

Cell metric_of(const Side& side, const std::string& name) {
  const auto found = side.metrics.find(name);
  return found == side.metrics.end() ? Cell() : Cell(found->second);
}

/// Two columns, of A and of B.
template <class ValueOf>
void add_both(std::vector<Field<Comparison>>& list, const experiments::Column& like, ValueOf value_of) {
  for (const bool of_a : {true, false}) {
    experiments::Column column = like;
    column.key += of_a ? "_a" : "_b";
    column.heading += of_a ? " A" : " B";
    list.push_back({std::move(column), [=](const Comparison& c) -> Cell { return value_of(of_a ? c.a : c.b); }});
  }
}

/// Returns one column for people and two columns for programs if A and B may differ in the axis.
void add_axis(std::vector<Field<Comparison>>& list, const experiments::AxisInfo& axis, bool may_differ) {
  const std::string name = axis.name;
  experiments::Column column = detail::axis_column(axis);
  column.people_only = may_differ;
  list.push_back({column, [name](const Comparison& c) { return axis_of_both(c, name); }});
  if (may_differ)
    add_both(list, {.key = name, .heading = name, .kind = column.kind, .detail = true},
             [name](const Side& side) { return detail::axis_cell(side.axes, name); });
}

std::vector<Field<Comparison>> fields(const experiments::Method& method, const std::vector<std::string>& ignored) {
  std::vector<Field<Comparison>> list;
  for (const auto& axis : method.axes()) add_axis(list, axis, std::ranges::find(ignored, axis.name) != ignored.end());
  const auto add = [&](experiments::Column column, auto value) { list.push_back({std::move(column), value}); };
  const auto time = [](const Side& side) { return flagged_if(!side.flags.empty(), side.median); };
  add({"a_s", "A s", ColumnKind::seconds}, [time](const Comparison& c) { return time(c.a); });
  add({"b_s", "B s", ColumnKind::seconds}, [time](const Comparison& c) { return time(c.b); });
  add_both(list, {"samples", "samples", ColumnKind::integer, false, true},
           [](const Side& side) { return std::ssize(side.samples); });
  add_both(list, {"flags", "flags", ColumnKind::text, false, true},
           [](const Side& side) { return list_of(side.flags); });
  add({"ratio", "B/A", ColumnKind::ratio}, [](const Comparison& c) -> Cell { return c.ratio.ratio; });
  add({"lower", "from", ColumnKind::ratio}, [](const Comparison& c) -> Cell { return c.ratio.lower; });
  add({"upper", "to", ColumnKind::ratio}, [](const Comparison& c) -> Cell { return c.ratio.upper; });
  for (const std::string& metric : compared_metrics(method))
    add_both(list, {metric, metric, ColumnKind::scientific, false, true},
             [metric](const Side& side) { return metric_of(side, metric); });
  add_both(list, {"status", "status", ColumnKind::text, true}, [](const Side& side) { return side.status; });
  add({"verdict", "verdict"}, [](const Comparison& c) -> Cell { return std::string(to_string(c.verdict)); });
  add({"why", "unsure because", ColumnKind::text, true},
      [](const Comparison& c) { return c.why.empty() ? Cell{} : Cell{c.why}; });
  return list;
}

/// Sorts regressions first: results that were lost, then the largest differences; what is SAME is last. The order is
/// that of A otherwise.
void sort_by_importance(std::vector<Comparison>& pairs) {
  const auto rank = [](const Comparison& pair) {
    const bool lost = pair.a.passed() && !pair.b.passed();
    const bool differs = pair.verdict == Verdict::slower || pair.verdict == Verdict::faster;
    const int group = lost                              ? 0
                      : pair.verdict == Verdict::slower ? 1
                      : pair.may_be_slower              ? 2
                      : pair.verdict == Verdict::unsure ? 3
                      : pair.verdict == Verdict::faster ? 4
                                                        : 5;
    return std::pair{group, differs ? -std::abs(std::log(pair.ratio.ratio)) : 0.0};
  };
  std::ranges::stable_sort(pairs, {}, rank);
}

experiments::TableVerdict verdict(const experiments::ComparisonSet& set) {
  std::string summary;
  for (const Verdict one : {Verdict::same, Verdict::faster, Verdict::slower, Verdict::unsure})
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", set.count(one), to_string(one));
  if (!set.only_a.empty()) summary += fmt::format(", {} only in A", set.only_a.size());
  if (!set.only_b.empty()) summary += fmt::format(", {} only in B", set.only_b.size());
  FlagCounts flags;
  for (const Comparison& pair : set.pairs)
    for (const Side* side : {&pair.a, &pair.b})
      if (!side->samples.empty()) flags.add(side->flags);
  const std::size_t regressions = set.regressions();
  if (regressions > 0)
    return {summary, fmt::format("{} REGRESSION{}", regressions, regressions == 1 ? "" : "S"), false, flags.remark()};
  return {summary, set.decided() ? "NO REGRESSION" : "UNDECIDED", set.decided(), flags.remark()};
}

void check_axes(const std::vector<std::string>& names, const experiments::Method& method) {
  std::vector<std::string> known;
  for (const experiments::AxisInfo& axis : method.axes()) known.push_back(axis.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("--ignore: unknown axis '{}'; {}", name, nearest_text(name, known)));
}

int run(CompareCommand command) {
  (void)command.table.style();
  command.options.threshold = parse_fraction("--threshold", command.threshold);
  command.options.confidence = parse_fraction("--confidence", command.confidence);
  if (command.options.confidence < 0.5 || command.options.confidence > 0.9999)
    throw InputError(
        fmt::format("--confidence: '{}' is not from 0.5 to 0.9999; give one in between", command.confidence));
  auto set = command.b.empty() ? experiments::compare_pairs(command.a, command.options)
                               : experiments::compare(command.a, command.b, command.options);
  const auto& method = experiments::find_method(std::get<std::string>(set.pairs.front().a.axes.at("method")));
  check_axes(command.options.ignore, method);
  sort_by_importance(set.pairs);
  print_table(command.table, fields(method, command.options.ignore), set.pairs, verdict(set));
  const bool fails =
      (command.fail_on_regression && set.regressions() > 0) || (command.fail_on_undecided && !set.decided());
  return fails ? exit_cases_failed : exit_fine;
}

}  // namespace

Command add_compare(CLI::App& root) {
  CLI::App* app = root.add_subcommand("compare", "Compare the times and metrics of two runs, case by case");
  auto command = std::make_shared<CompareCommand>();
  app->add_option("A", command->a, "Folder of a run (runs/quick), or one record")->required()->type_name("");
  app->add_option("B", command->b, "The run to judge against A; none: A against the build beside it (sweep --beside)")
      ->type_name("");
  app->add_option("--threshold", command->threshold, "Largest difference of a ratio from 1 that counts as the same")
      ->type_name("PERCENT")
      ->capture_default_str();
  app->add_option("--ignore", command->options.ignore, "Axes in which A and B may differ, e.g. solver,threads")
      ->type_name("AXES")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--quantity", command->options.quantity, "compute_s or wall_s")
      ->type_name("NAME")
      ->check(CLI::IsMember({"compute_s", "wall_s"}).description(""))
      ->capture_default_str();
  app->add_option("--confidence", command->confidence, "Confidence of the interval of the ratio")
      ->type_name("P")
      ->capture_default_str();
  app->add_flag("--fail-on-regression", command->fail_on_regression,
                "Exit with 1 if a case is slower, or passed in A and not in B");
  app->add_flag("--fail-on-undecided", command->fail_on_undecided,
                "Exit with 1 if a case that passed in both may be slower, or none passed in both");
  add_table_options(*app, command->table);
  app->footer(
      "Cases pair when all their axes agree. B/A is the ratio of the times with its confidence interval (from, to):\n"
      "SAME if the interval lies within the threshold; FASTER or SLOWER if B differs by more than the threshold and\n"
      "noise, and the samples show it; else UNSURE. Noise is how the cases differ from each other: equal programs "
      "have\n"
      "a regression in at most 1% of comparisons (sweep --until 1% gives enough samples). With too few samples FASTER\n"
      "and SLOWER require a factor of 2. Times that other work disturbed show no difference. UNDECIDED: no case is\n"
      "known to be slower, but some may be. Regressions come first, the largest on top. A time with a ~ is noisy,\n"
      "loaded, throttled or resumed.\n\n"
      "One run, whose samples were taken in turn with another build's (sweep --beside), is judged by pairs of "
      "samples:\n"
      "the sign test, and the median ratio of each pass. What disturbs both samples of a pair is no reason for "
      "UNSURE.\n\n"
      "Examples:\n"
      "  pivotlab compare runs/before runs/after\n"
      "  pivotlab compare runs/change --threshold 2%\n"
      "  pivotlab compare runs/before runs/after --threshold 2% --fail-on-regression --fail-on-undecided\n"
      "  pivotlab compare runs/me runs/mm --ignore solver --format csv");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
