// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <variants/orderings/strategy.hpp>

#include <charconv>
#include <experiments/cli/analysis.hpp>
#include <experiments/cli/command.hpp>
#include <experiments/engine/record.hpp>
#include <filesystem>
#include <optional>

namespace pivotlab::cli {
namespace {

constexpr Index most_columns = 256;  // of a strategy that the analysis draws

const std::vector<AnalysisOption> of_runs = {
    {"--kind", "KIND", "lines (default), profile, data-profile, ranking, map, convergence, growth"},
    {"--x", "COLUMN", "Along the x-axis (default: the axis that varies)"},
    {"--y", "COLUMN", "What is drawn (default: compute_s); error: the method's first error"},
    {"--by", "COLUMNS", "A line for each value (default: solver)"},
    {"--facet", "COLUMN", "A panel for each value"},
    {"--where", "CONDITION", "Only cases with, e.g., 'n<500' or generator=random,kkt; may be repeated"},
    {"--ratio-to", "SOLVER", "Values over those of this solver for the same problem"},
    {"--log", "", "Logarithmic axes (default: those that span much)"}};
const std::vector<AnalysisOption> of_strategies = {
    {"-n,--n", "N", "Order of a strategy: an even number of columns"},
    {"--animate", "", "An .svg in which the pairs of each step appear in turn"}};
const std::vector<AnalysisOption> of_both = {
    {"-o,--output", "FILE",
     "Name of the picture, .png, .svg, .pdf or .html (default: plot.png, strategy.png or pivots.png)"},
    {"--width", "WIDTH", "column (86 mm) or page (178 mm)", {"column", "page"}},
    {"--force", "", "Replace a file that exists"}};

struct PlotCommand {
  std::vector<std::string> names;
  AnalysisOptions options;
};

std::optional<Strategy> find_strategy(const std::string& name) {
  for (const Strategy one : {Strategy::ME, Strategy::MM, Strategy::RR})
    if (to_string(one) == name) return one;
  return std::nullopt;
}

Index order_of(const std::string& text) {
  Index order = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), order);
  if (error != std::errc() || end != text.data() + text.size() || order > most_columns)
    throw InputError(
        fmt::format("-n: '{}' is not an order of a strategy; choose an even number up to {}", text, most_columns));
  return order;
}

/// A table of a strategy in a temporary file, a step in each line: "0 3 1 2".
class StrategyFile {
 public:
  explicit StrategyFile(const StrategyTable& table)
      : path_(std::filesystem::temp_directory_path() / fmt::format("pivotlab-strategy-{}.txt", ::getpid())) {
    std::string text;
    for (std::ptrdiff_t s = 0; s < table.steps; ++s, text += '\n')
      for (const auto [p, q] : table.step(s)) text += fmt::format("{} {} ", p, q);
    experiments::write_atomically(path_, text);
  }
  ~StrategyFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  StrategyFile(const StrategyFile&) = delete;
  StrategyFile& operator=(const StrategyFile&) = delete;
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void refuse(const PlotCommand& command, const std::vector<AnalysisOption>& options, const std::string& of) {
  for (const AnalysisOption& one : options)
    if (const std::string name = one.name.substr(one.name.find("--")); command.options.has(name))
      throw InputError(fmt::format("plot: {} is of pictures of {}; leave it out", name, of));
}

int plot_strategy(const PlotCommand& command) {
  refuse(command, of_runs, "runs");
  if (command.names.size() != 2)
    throw InputError("plot strategy: name one strategy, ME, MM or RR, or a file with the pairs of a step in each line");
  const std::string &name = command.names[1], order = command.options["--n"];
  std::vector<std::string> words = command.options.arguments({"--n"});
  words.insert(words.begin(), "strategy");
  const std::optional<Strategy> own = find_strategy(name);
  if (!own) {
    if (!std::filesystem::exists(name))
      throw InputError(fmt::format("{}: no such file, and no strategy; choose ME, MM or RR, or name a file", name));
    if (!order.empty()) throw InputError(fmt::format("-n: {} is a file, which has an order; leave -n out", name));
    return run_analysis("plot", words, {name});
  }
  if (order.empty()) throw InputError(fmt::format("-n: missing; the order of {} is an even number of columns", name));
  const StrategyFile file(make_strategy_table(*own, order_of(order)));
  words.push_back("--name=" + name);
  return run_analysis("plot", words, {file.name()});
}

int plot_pivots(const PlotCommand& command) {
  refuse(command, of_runs, "runs");
  refuse(command, of_strategies, "strategies");
  if (command.names.size() != 2)
    throw InputError("plot pivots: name one file of a factorization, which `pivotlab solve` wrote");
  std::vector<std::string> words = command.options.arguments();
  words.insert(words.begin(), "pivots");
  return run_analysis("plot", words, {command.names[1]});
}

int run(PlotCommand& command) {
  if (!command.names.empty() && command.names.front() == "pivots") return plot_pivots(command);
  if (!command.names.empty() && command.names.front() == "strategy") return plot_strategy(command);
  refuse(command, of_strategies, "strategies");
  std::vector<std::string> words = command.options.arguments();
  words.insert(words.begin(), "plot");
  require_runs(command.names);
  return run_analysis("plot", words, command.names);
}

}  // namespace

Command add_plot(CLI::App& root) {
  CLI::App* app =
      root.add_subcommand("plot", "Draw the cases of runs, a parallel strategy, or the pivots of a factorization");
  auto command = std::make_shared<PlotCommand>();
  app->add_option("runs", command->names,
                  "Folders of runs (default: all in runs/), or: strategy ME|MM|RR|FILE, pivots FILE")
      ->type_name("");
  for (const auto* list : {&of_runs, &of_strategies, &of_both}) command->options.add(*app, *list);
  app->footer(
      "Columns are those of `pivotlab list description`, options in names (g, kappa, alpha), own.NAME, run and "
      "machine.\n"
      "lines: medians over an axis with the slope of times, or a point a case over any other number; profile: shares "
      "of\n"
      "problems solved within a factor of the best (Dolan-More); data-profile: within a value; ranking: geometric "
      "means\n"
      "with bootstrap intervals; map: ratios over two axes, --x and --by; convergence: sweep by sweep; growth: stage "
      "by\n"
      "stage. A solver has one colour in all pictures of the same runs. Machines are never mixed in a line of "
      "times.\n\n"
      "Examples:\n"
      "  pivotlab plot runs/pivots\n"
      "  pivotlab plot runs/pivots --x n --y error --facet generator -o error.pdf\n"
      "  pivotlab plot runs/pivots --x time --y error -o accuracy.html\n"
      "  pivotlab plot runs/pivots --kind profile --where 'n>=200' -o profile.svg\n"
      "  pivotlab plot runs/pivots --kind map --x n --by generator --ratio-to lapack:dsytrf -o map.pdf\n"
      "  pivotlab plot strategy ME -n 32 -o me.svg --animate\n"
      "  pivotlab plot strategy my-strategy.txt -o mine.pdf\n"
      "  pivotlab plot pivots factors.h5 -o pivots.pdf");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
