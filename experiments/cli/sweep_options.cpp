#include <fmt/ranges.h>

#include <algorithm>
#include <experiments/cli/selection.hpp>
#include <experiments/cli/sweep_options.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Spec;
using experiments::Value;

constexpr const char* axes_group = "Axes (lists a,b,c and ranges first:last:step)";

std::vector<Value> expand_peers(const std::string& text, const std::vector<std::string>& known) {
  std::vector<Value> peers;
  for (std::string name : split_list("--peer", text)) {
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("--peer: unknown peer '{}'; {}", name, nearest_text(name, known)));
    for (std::size_t k = 1; k < name.size(); ++k)
      if (name[k - 1] == ':' || name[k - 1] == '+') name[k] = '?';
    peers.emplace_back(name);
  }
  return peers;
}

}  // namespace

CLI::Option* add_axis(CLI::App& app, const char* name, std::string& value, const char* type, const char* what) {
  auto* option = app.add_option(name, value, what)->type_name(type)->group(axes_group);
  return value.empty() ? option : option->capture_default_str();
}

void add_generator_axes(CLI::App& app, SweepOptions& options, const char* what) {
  app.add_option("--generator", options.generators, what)
      ->type_name("NAMES")
      ->group(axes_group)
      ->allow_extra_args(false);
  add_axis(app, "--seed", options.seed, "LIST", "Seeds of the generator");
}

void add_solver_axes(CLI::App& app, SweepOptions& options, const char* about_solver, const char* about_peer) {
  add_axis(app, "--solver", options.solver, "PATTERNS", about_solver);
  add_axis(app, "--peer", options.peer, "NAMES", about_peer);
  add_axis(app, "--backend", options.backend, "LIST", backend_help);
  add_axis(app, "--threads", options.threads, "LIST", "Threads of every solver (default: all cores)");
}

void add_sweep_control(CLI::App& app, SweepOptions& options) {
  app.add_flag("--no-variants", options.no_variants, "Only the peers");
  app.add_option("--repeat", options.repeat, "Samples of a case (default: until the spread is small, at most 3)")
      ->type_name("N")
      ->check(positive());
  app.add_option("--warmup", options.warmup, "Runs before the first sample")->type_name("N")->check(not_negative());
  app.add_option("-o,--out", options.out, "Folder of this sweep (default runs/sweep-<hash of the options>)")
      ->type_name("DIR");
  add_max_cases(app, options.max_cases);
  add_run_options(app, options.control);
}

std::vector<Value> expand(const std::string& option, const std::string& text) {
  std::vector<Value> values;
  for (const std::string& item : split_list(option, text))
    told_of(option, [&] { experiments::append_values(item, values); });
  return values;
}

std::vector<std::int64_t> expand_integers(const std::string& option, const std::string& text) {
  std::vector<std::int64_t> integers;
  for (const Value& value : expand(option, text)) {
    if (!std::holds_alternative<std::int64_t>(value))
      throw InputError(fmt::format("{}: '{}' is no integer; write for example 64,128 or 64:512:64", option,
                                   experiments::to_string(value)));
    integers.push_back(std::get<std::int64_t>(value));
  }
  return integers;
}

std::vector<std::string> expand_names(const std::string& option, const std::string& text,
                                      const std::vector<std::string>& known) {
  std::vector<std::string> names;
  for (const Value& value : expand(option, text)) {
    const std::string word = experiments::to_string(value);
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const std::string& name) { return lower_case(name) == lower_case(word); });
    if (found == known.end())
      throw InputError(fmt::format("{}: there is no '{}'; choose from {}", option, word, fmt::join(known, ", ")));
    names.push_back(*found);
  }
  return names;
}

std::string braces(const std::vector<std::string>& alternatives) {
  return alternatives.size() == 1 ? alternatives.front() : fmt::format("{{{}}}", fmt::join(alternatives, ","));
}

std::vector<std::int64_t> expand_orders(const std::string& text, std::int64_t least) {
  if (text.empty()) throw InputError("-n: is missing; give orders, for example -n 64:512:64");
  std::vector<std::int64_t> orders = expand_integers("-n", text);
  for (const std::int64_t order : orders)
    if (order < least) throw InputError(fmt::format("-n: {} is no order; take at least {}", order, least));
  return orders;
}

std::vector<Value> expand_generators(const std::vector<std::string>& texts, bool (*is_file)(std::string_view),
                                     std::string (*canonical)(std::string_view)) {
  std::vector<Value> generators;
  for (const std::string& text : texts) {
    if (is_file(text))
      generators.emplace_back(text);
    else
      for (const Value& value : expand("--generator", text))
        generators.emplace_back(told_of("--generator", [&] { return canonical(experiments::to_string(value)); }));
  }
  return generators;
}

std::vector<Value> values_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

Spec begin_spec(const std::string& method, const SweepOptions& options, std::vector<Value> generators) {
  Spec spec;
  spec.method = method;
  spec.title = "A sweep from the command line";
  spec.axes.push_back({"type", values_of(expand_names("--type", options.type, {"d", "z"}))});
  spec.axes.push_back({"generator", std::move(generators)});
  const std::vector<std::int64_t> seeds = expand_integers("--seed", options.seed);
  spec.axes.push_back({"seed", {seeds.begin(), seeds.end()}});
  return spec;
}

void finish_spec(Spec& spec, const SweepOptions& options, const std::vector<Value>& variants,
                 const std::vector<std::string>& known_peers) {
  if (!options.threads.empty()) spec.axes.push_back({"threads", expand("--threads", options.threads)});
  if (!options.backend.empty()) spec.axes.push_back({"backend", parse_backends(options.backend)});

  experiments::Axis solver{"solver", {}};
  const auto add_solvers = [&](const std::vector<Value>& values) {
    solver.values.insert(solver.values.end(), values.begin(), values.end());
  };
  if (!options.solver.empty())
    add_solvers(expand("--solver", options.solver));
  else if (!options.no_variants)
    add_solvers(variants);
  if (!options.peer.empty()) add_solvers(expand_peers(options.peer, known_peers));
  if (solver.values.empty()) throw InputError("--no-variants: leaves nothing to run; name a --peer or a --solver");
  spec.axes.push_back(std::move(solver));

  spec.timing.warmup = options.warmup;
  if (options.repeat > 0) spec.timing.min_repeats = spec.timing.max_repeats = options.repeat;
  spec.name = "sweep-" + experiments::digest(experiments::to_json(spec)).substr(0, 8);
}

int run_sweep(Spec spec, const SweepOptions& options) {
  std::filesystem::path out = "runs";
  if (!options.out.empty()) {
    const auto folder = std::filesystem::absolute(options.out + "/").parent_path().lexically_normal();
    out = folder.parent_path();
    spec.name = folder.filename().string();
  }
  RunControl control = options.control;
  for (const char* axis : {"backend", "transport", "ranks", "solver"})
    if (std::ranges::find(spec.axes, axis, &experiments::Axis::name) != spec.axes.end())
      control.named_axes.emplace_back(axis);
  const experiments::Plan plan = experiments::make_plan(spec, experiments::find_method, options.max_cases);
  return run_plan(plan, out.string(), control);
}

}  // namespace pivotlab::cli
