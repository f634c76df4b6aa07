// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/device.hpp>

#include <algorithm>
#include <cmath>
#include <experiments/cli/command.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/report_rules.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/own/own_name.hpp>
#include <support/text/nearest.hpp>
#include <support/text/number.hpp>

namespace pivotlab::cli {
namespace {
namespace fs = std::filesystem;

// Compares texts with numbers by value: "table2" is before "table10".
bool natural_less(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& name) {
    const auto digits = name.find_first_of("0123456789");
    const std::string number = digits == std::string::npos ? "" : name.substr(digits);
    return std::make_tuple(name.substr(0, digits), number.size(), number);
  };
  return split(a) < split(b);
}

std::vector<fs::path> spec_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(experiments::resource("experiments/specs")))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return natural_less(a.stem().string(), b.stem().string()); });
  return files;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::vector<ExperimentInfo> list_experiments() {
  const experiments::ReportRules rules(experiments::resource("experiments"));
  std::vector<ExperimentInfo> list;
  for (const fs::path& file : spec_files()) {
    const experiments::Spec spec = experiments::read_spec(file, "paper", experiments::find_method, &rules);
    list.push_back({spec.name, spec.title, spec.source, spec.method, join(experiments::list_scales(file))});
  }
  return list;
}

fs::path find_spec(const std::string& experiment) {
  if (experiment.ends_with(".json") || experiment.find('/') != std::string::npos) {
    std::error_code error;
    if (!fs::exists(experiment, error))
      throw InputError(
          fmt::format("{}: no such file; pivotlab list experiments lists those that come with pivotlab", experiment));
    return experiment;
  }
  std::vector<std::string> names;
  for (const fs::path& file : spec_files()) {
    if (file.stem() == experiment) return file;
    names.push_back(file.stem().string());
  }
  throw InputError(fmt::format("unknown experiment '{}'; {} (pivotlab list experiments)", experiment,
                               nearest_text(experiment, names)));
}

void add_selection_options(CLI::App& command, Selection& selection) {
  command
      .add_option("experiment", selection.experiment,
                  "Name of an experiment (pivotlab list experiments) or a spec.json")
      ->required()
      ->type_name("");
  command
      .add_option("--scale", selection.scale,
                  "Scale of the spec: paper (the spec itself) or one of its scales, e.g. quick, small")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--filter", selection.filters, "Only cases that match, e.g. type=d,n=512,solver=DHZ{0,4}*")
      ->type_name("AXIS=PATTERN,…")
      ->allow_extra_args(false);
  command.add_option("--threads", selection.threads, "Threads of every solver, in place of the spec's")
      ->type_name("N")
      ->check(positive());
  command.add_option("--backend", selection.backend, backend_help)->type_name("LIST");
  command.add_option("-o,--out", selection.out, "Parent folder of the run's folder")
      ->type_name("DIR")
      ->capture_default_str();
  add_max_cases(command, selection.max_cases);
}

void add_max_cases(CLI::App& command, std::uint64_t& max_cases) {
  command.add_option("--max-cases", max_cases, "Refuse plans with more cases")
      ->type_name("N")
      ->check(positive())
      ->capture_default_str();
}

experiments::Plan make_plan(const Selection& selection, const std::function<void(experiments::Spec&)>& adjust) {
  const experiments::ReportRules rules(experiments::resource("experiments"));
  experiments::Spec spec =
      experiments::read_spec(find_spec(selection.experiment), selection.scale, experiments::find_method, &rules);
  if (selection.threads > 0) set_axis(spec, "threads", {std::int64_t{selection.threads}});
  if (!selection.backend.empty())
    set_axis(spec, "backend",
             parse_option(experiments::axis_of(experiments::find_method(spec.method), "backend"), selection.backend));
  adjust(spec);
  experiments::Plan plan = experiments::make_plan(spec, experiments::find_method, selection.max_cases);
  experiments::filter(plan, selection.filters);
  return plan;
}

void set_axis(experiments::Spec& spec, const std::string& name, std::vector<experiments::Value> values) {
  for (experiments::Axis& axis : spec.axes)
    if (axis.name == name) {
      axis.values = std::move(values);
      return;
    }
  spec.axes.push_back({name, std::move(values)});
}

std::vector<experiments::Value> parse_option(const experiments::AxisInfo& axis, const std::string& text) {
  const std::string option = option_of(axis);
  std::vector<experiments::Value> values;
  for (const std::string& item : split_option(option, text))
    with_option_context(option, [&] { experiments::append_values(axis, item, values); });
  return values;
}

std::string for_all_types(std::string solver) {
  if (experiments::is_own_solver(solver)) return solver;
  const std::size_t colon = solver.find(':');
  for (std::size_t k = colon; k < solver.size(); k = solver.find('+', k + 1))
    if (k + 1 < solver.size()) solver[k + 1] = '?';
  return solver;
}

double parse_fraction(const std::string& option, const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto [value, length] = leading_number(text);
  if (length == 0 || length + (percent ? 1 : 0) != text.size() || !(value >= 0) || !std::isfinite(value))
    throw InputError(fmt::format("{}: '{}' is not a fraction; write for example 5% or 0.05", option, text));
  return percent ? value / 100 : value;
}

std::string format_bytes(double bytes) {
  constexpr double mib = 1024.0 * 1024.0;
  return bytes < 1000 * mib ? fmt::format("{:.1f} MiB", bytes / mib) : fmt::format("{:.1f} GiB", bytes / (1024 * mib));
}

}  // namespace pivotlab::cli
