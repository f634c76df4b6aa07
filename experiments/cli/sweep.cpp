// SPDX-License-Identifier: BSD-3-Clause
// The command `sweep` of every method: options with lists and ranges, from the method's axes and the rows of its
// variants, become the axes of a spec.
#include <fmt/ranges.h>

#include <algorithm>
#include <experiments/cli/method_command.hpp>
#include <experiments/cli/run_plan.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/run_folder.hpp>
#include <experiments/engine/spec.hpp>
#include <experiments/own/own_name.hpp>
#include <map>
#include <optional>
#include <set>
#include <support/text/nearest.hpp>
#include <variants/variant_names.hpp>

namespace pivotlab::cli {
namespace {

using experiments::AxisInfo;
using experiments::AxisRole;
using experiments::Method;
using experiments::Spec;
using experiments::Value;

constexpr const char* axes_group = "Axes (lists a,b,c and ranges first:last:step)";

struct SweepOptions {
  std::map<std::string, std::string> axes;                  ///< by name; empty where an option is not given
  std::map<std::string, std::vector<std::string>> sources;  ///< axes that may name files, whose options may be repeated
  std::map<std::string, bool> flags;                        ///< axes that are true or false
  std::map<std::string, std::string> rows;                  ///< lists for rows of variants' names, by name
  std::string baseline, out, until;
  int warmup = 0, repeat = 0;
  bool no_variants = false, extend = false;
  std::uint64_t max_cases = experiments::usual_max_cases;
  RunControl control;
};

bool is_flag(const AxisInfo& axis) {
  return std::holds_alternative<bool>(axis.default_value);
}

std::string with_default(const std::string& help, const std::string& text) {
  return text.empty() ? help : fmt::format("{} (default {})", help, text);
}

/// Returns the help of an axis. The default is left out if `sweep` requires the axis, and if most solvers do not have
/// it.
std::string help_of(const AxisInfo& axis) {
  if (!axis.example.empty() || axis.domain.optional) return axis.summary;
  return with_default(axis.summary,
                      axis.default_text.empty() ? experiments::to_string(axis.default_value) : axis.default_text);
}

void add_axis(CLI::App& app, SweepOptions& options, const AxisInfo& axis) {
  const std::string name = axis.option.empty() ? option_of(axis) : axis.option;
  if (is_flag(axis)) {
    app.add_flag(name, options.flags[axis.name], axis.summary)->group(axes_group);
    return;
  }
  CLI::Option* option = axis.is_file == nullptr ? app.add_option(name, options.axes[axis.name], help_of(axis))
                                                : app.add_option(name, options.sources[axis.name], help_of(axis));
  option->type_name("LIST")->group(axes_group)->allow_extra_args(false);
}

void add_options(CLI::App& app, const Method& method, SweepOptions& options) {
  const std::vector<const VariantNames*> names = method.variants();
  for (const AxisInfo& axis : method.axes()) {
    add_axis(app, options, axis);
    if (axis.name != "solver") continue;
    if (!names.empty())
      for (const OptionRow& row : names.front()->rows())
        if (!row.option.empty())
          app.add_option(row.option, options.rows[row.name], with_default(help_text(row), default_text(row)))
              ->type_name("LIST")
              ->group(axes_group);
    app.add_option("--baseline", options.baseline, "Reference solvers to compare with (pivotlab list baselines)")
        ->type_name("NAMES")
        ->group(axes_group);
    app.add_option("--peer", options.baseline)->group("");  // its old name
  }
  app.add_flag("--no-variants", options.no_variants, "Run only the baselines");
  CLI::Option* repeat =
      app.add_option("--repeat", options.repeat,
                     "Samples of a case (default: until the spread is small, at most 3), added to records with fewer")
          ->type_name("N")
          ->check(positive());
  app.add_option(
         "--until", options.until,
         "In each of 5 passes over all cases, take 30 to 100 samples, until the time is known to within this\n"
         "part of it, for at most 2 s, and samples that other work disturbs again; with --beside, 8 passes of 30")
      ->type_name("PERCENT")
      ->excludes(repeat);
  app.add_option("--warmup", options.warmup, "Runs before the first sample")->type_name("N")->check(not_negative());
  app.add_option("-o,--out", options.out, "Folder of this sweep (default runs/sweep-<hash of the options>)")
      ->type_name("DIR");
  app.add_flag("--extend", options.extend, "Take from the folder --out what no option gives: axes, solvers, timing");
  add_max_cases(app, options.max_cases);
  add_run_options(app, options.control);
}

/// Parses lists of sources; a text that names a file is one value, because the name may contain commas.
std::vector<Value> parse_sources(const AxisInfo& axis, const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) {
    if (axis.is_file(text) && axis.expand != nullptr) {
      const std::vector<Value> more = with_option_context(option_of(axis), [&] { return parse_values(axis, text); });
      values.insert(values.end(), more.begin(), more.end());
    } else if (axis.is_file(text)) {
      values.emplace_back(with_option_context(option_of(axis), [&] { return parse_value(axis, Value(text)); }));
    } else {
      const std::vector<Value> more = parse_option(axis, text);
      values.insert(values.end(), more.begin(), more.end());
    }
  }
  return values;
}

bool are_all_files(const Method& method, const SweepOptions& options) {
  return std::ranges::any_of(options.sources, [&](const auto& given) {
    const AxisInfo& axis = axis_of(method, given.first);
    return axis.role == AxisRole::problem && !given.second.empty() && std::ranges::all_of(given.second, axis.is_file);
  });
}

/// Returns the values that the command line gives to an axis; none if it does not name the axis.
std::vector<Value> given_values(const AxisInfo& axis, const SweepOptions& options) {
  if (is_flag(axis)) return options.flags.at(axis.name) ? std::vector<Value>{true} : std::vector<Value>{};
  if (axis.is_file != nullptr) return parse_sources(axis, options.sources.at(axis.name));
  const std::string& text = options.axes.at(axis.name);
  return text.empty() ? std::vector<Value>{} : parse_option(axis, text);
}

bool are_integers(const std::vector<Value>& values) {
  return std::ranges::all_of(values, [](const Value& one) { return std::holds_alternative<std::int64_t>(one); });
}

/// Throws InputError unless the axes have as many values as the first one.
void check_counts(const Spec& spec, const Method& method, const std::vector<std::string>& together) {
  const auto count = [&](const std::string& name) {
    const auto axis = std::ranges::find(spec.axes, name, &experiments::Axis::name);
    return axis == spec.axes.end() ? std::size_t{1} : axis->values.size();
  };
  const std::string& first = together.front();
  for (const std::string& name : together)
    if (count(name) != count(first))
      throw InputError(fmt::format("{}: {} values for {} values of {}; give one, as many, or a multiple like 2{}",
                                   option_of(axis_of(method, name)), count(name), count(first),
                                   option_of(axis_of(method, first)), first));
}

/// Returns the values of an axis of a spec; none without a spec, and if it does not have the axis.
std::vector<Value> values_in(const std::optional<Spec>& spec, const std::string& name) {
  if (!spec) return {};
  const auto axis = std::ranges::find(spec->axes, name, &experiments::Axis::name);
  return axis == spec->axes.end() ? std::vector<Value>() : axis->values;
}

/// Adds the zips of the folder's spec whose axes all come from there. Throws InputError if an option gives some of
/// them.
void add_zips_of(const Spec& folder, Spec& spec, const Method& method, const SweepOptions& options) {
  for (const std::vector<std::string>& group : folder.zip) {
    const auto is_given = [&](const std::string& name) {
      return !given_values(axis_of(method, name), options).empty();
    };
    const auto lacking = std::ranges::find_if_not(group, is_given);
    if (lacking != group.end() && std::ranges::any_of(group, is_given))
      throw InputError(fmt::format("{}: is missing; in the folder it advances together with {}",
                                   option_of(axis_of(method, *lacking)), *std::ranges::find_if(group, is_given)));
    if (lacking != group.end()) spec.zip.push_back(group);
  }
}

/// Adds all axes but the solver, in the order of the method; axes that no option gives have the values of the folder,
/// if it is extended. Several integers of an axis that may be a multiple of another one advance together with that
/// axis.
void add_axes(Spec& spec, const Method& method, const SweepOptions& options, const std::optional<Spec>& folder) {
  const bool needs_examples = !folder && !are_all_files(method, options);
  std::vector<std::string> together;
  for (const AxisInfo& axis : method.axes()) {
    if (axis.name == "solver") continue;
    std::vector<Value> values = given_values(axis, options);
    if (values.empty() && !axis.example.empty() && needs_examples)
      throw InputError(fmt::format("{0}: is missing; give values, for example {0} {1}", option_of(axis), axis.example));
    if (values.empty()) {
      values = values_in(folder, axis.name);
      if (!values.empty()) spec.axes.push_back({axis.name, std::move(values)});
      continue;
    }
    if (!axis.multiple_of.empty() && values.size() > 1 && are_integers(values)) {
      if (together.empty()) together = {axis.multiple_of};
      together.push_back(axis.name);
    }
    spec.axes.push_back({axis.name, std::move(values)});
  }
  if (folder) add_zips_of(*folder, spec, method, options);
  if (together.empty()) return;
  check_counts(spec, method, together);
  spec.zip.push_back(std::move(together));
}

/// Parses baselines; a baseline stands for the routines of all types: lapack:dggsvd3 becomes lapack:?ggsvd3.
std::vector<Value> parse_baselines(const Method& method, const std::string& text) {
  std::vector<std::string> known;
  for (const experiments::ListEntry& entry : method.baselines()) known.push_back(entry.name);
  std::vector<Value> baselines;
  for (const std::string& name : split_option("--baseline", text)) {
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("--baseline: unknown baseline '{}'; {}", name, nearest_text(name, known)));
    baselines.emplace_back(for_all_types(name));
  }
  return baselines;
}

/// Returns the values of the options of rows that are given.
std::map<std::string, std::string> given_rows(const SweepOptions& options) {
  std::map<std::string, std::string> lists = options.rows;
  std::erase_if(lists, [](const auto& list) { return list.second.empty(); });
  return lists;
}

/// Throws InputError that names the first option of rows that is given.
[[noreturn]] void refuse_rows(const Method& method, const std::map<std::string, std::string>& lists,
                              std::string_view why) {
  const auto& rows = method.variants().front()->rows();
  const auto given = std::ranges::find_if(rows, [&](const OptionRow& row) { return lists.contains(row.name); });
  throw InputError(fmt::format("{}: {}", given->option.substr(given->option.rfind(',') + 1), why));
}

/// Adds the solvers of --solver, the variants that the options of rows stand for, or the default, then the baselines.
void add_solvers(Spec& spec, const Method& method, const SweepOptions& options, const std::optional<Spec>& folder) {
  std::vector<Value> solvers;
  const auto add = [&](const auto& values) { solvers.insert(solvers.end(), values.begin(), values.end()); };
  const auto lists = given_rows(options);
  if (const AxisInfo& axis = axis_of(method, "solver"); !given_values(axis, options).empty()) {
    if (!lists.empty()) refuse_rows(method, lists, "--solver names all solvers; write the variants there");
    add(given_values(axis, options));
  } else if (!lists.empty()) {
    if (options.no_variants)
      refuse_rows(method, lists, "--no-variants leaves out what it makes; leave out one of them");
    add(method.variants().front()->sweep(lists));
  } else if (folder && options.baseline.empty()) {
    add(values_in(folder, "solver"));
  } else if (!folder && !options.no_variants) {
    add(std::vector<Value>{axis_of(method, "solver").default_value});
  }
  if (!options.baseline.empty()) add(parse_baselines(method, options.baseline));
  if (solvers.empty()) throw InputError("--no-variants: leaves nothing to run; name a --baseline or a --solver");
  spec.axes.push_back({"solver", std::move(solvers)});
}

/// Seconds after which a case ends that has no limit of its own, in a sweep with a solver of the user's.
constexpr double own_timeout_s = 600;

bool has_own_solver(const Spec& spec) {
  return std::ranges::any_of(spec.axes.back().values, [](const Value& solver) {
    return experiments::is_own_solver(experiments::to_string(solver));
  });
}

void take_samples_until(double part, bool in_pairs, experiments::Timing& timing) {
  if (!(part > 0)) throw InputError("--until: must be above 0; write for example 1%");
  timing.until = part;
  timing.min_repeats = 5;  // the least number that `compare` can use
  timing.max_repeats = in_pairs ? 30 : 100;
  timing.budget_s = 2;
}

/// `folder`: the spec of the folder that is extended.
Spec make_spec(const Method& method, const SweepOptions& options, const std::optional<Spec>& folder) {
  Spec spec;
  spec.method = method.name();
  spec.title = "A sweep from the command line";
  add_axes(spec, method, options, folder);
  add_solvers(spec, method, options, folder);
  if (folder) spec.timing = folder->timing;
  if (options.warmup > 0) spec.timing.warmup = options.warmup;
  // Each sample of an own solver is beside one of its baseline, and none runs for ever.
  if (has_own_solver(spec)) spec.timing.interleave = true;
  if (spec.timing.interleave) spec.timing.timeout_s = own_timeout_s;
  if (!options.until.empty())
    take_samples_until(parse_fraction("--until", options.until), !options.control.beside.empty(), spec.timing);
  if (options.repeat > 0) spec.timing.min_repeats = spec.timing.max_repeats = options.repeat;
  spec.name = "sweep-" + experiments::digest(experiments::to_json(spec)).substr(0, 8);
  return spec;
}

/// Returns the spec of the folder that is extended; nothing for another sweep. Throws InputError if there is none.
std::optional<Spec> extended(const Method& method, const SweepOptions& options, const std::filesystem::path& folder) {
  if (!options.extend) return std::nullopt;
  if (options.out.empty()) throw InputError("--extend: needs a folder; name it with --out");
  if (options.control.run.fresh) throw InputError("--extend: cannot be combined with --fresh; leave one out");
  Spec spec = experiments::spec_of(folder);
  if (spec.method != method.name())
    throw InputError(
        fmt::format("--extend: {} is a run of {}; write sweep {}", folder.string(), spec.method, spec.method));
  return spec;
}

/// Returns whether an option gives values of an axis or solvers.
bool gives_values(const Method& method, const SweepOptions& options) {
  return !options.baseline.empty() || !given_rows(options).empty() ||
         std::ranges::any_of(method.axes(), [&](const AxisInfo& axis) { return !given_values(axis, options).empty(); });
}

int run(const Method& method, const SweepOptions& options) {
  (void)options.control.table.style();
  const auto folder = std::filesystem::absolute(options.out + "/").parent_path().lexically_normal();
  Spec spec = make_spec(method, options, extended(method, options, folder));
  std::filesystem::path out = "runs";
  if (!options.out.empty()) {
    out = folder.parent_path();
    spec.name = folder.filename().string();
  }
  RunControl control = options.control;
  for (const AxisInfo& axis : method.axes())
    if (axis.role == AxisRole::platform && !given_values(axis, options).empty())
      control.named_axes.push_back(axis.name);
  control.named_axes.emplace_back("solver");
  control.run.plan = experiments::PlanOfFolder::grows;
  prepare_workers(control, spec);
  experiments::Plan plan = experiments::make_plan(spec, experiments::find_method, options.max_cases);
  if (options.extend && !gives_values(method, options)) {
    control.run.plan = experiments::PlanOfFolder::stays;
    const std::vector<std::string> keys = experiments::planned_keys(folder);
    const std::set<std::string> planned(keys.begin(), keys.end());
    experiments::keep(plan, [&](const std::string& key) { return planned.contains(key); });
  }
  return run_plan(std::move(plan), out.string(), control);
}

Command add_sweep_of(CLI::App& parent, const Method& method) {
  CLI::App* app = parent.add_subcommand(std::string(method.name()), std::string(method.title()));
  const auto options = std::make_shared<SweepOptions>();
  add_options(*app, method, *options);
  app->footer(examples_text(fmt::format("pivotlab sweep {}", method.name()), method.sweep_examples()));
  return {app, [&method, options] { return run(method, *options); }};
}

}  // namespace

Command add_sweep(CLI::App& root) {
  CLI::App* app = root.add_subcommand("sweep", "Run all combinations of the listed values of options");
  std::vector<Command> commands;
  for (const Method* method : experiments::all_methods()) commands.push_back(add_sweep_of(*app, *method));
  return one_of(app, std::move(commands));
}

}  // namespace pivotlab::cli
