// TestSweeper's dialect: options with lists and ranges become the axes of a spec.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/peers.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <experiments/cli/run_plan.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/value.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <kernels/text/nearest.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Spec;
using experiments::Value;

struct SweepOptions {
  std::string method;
  std::string type = "d", variant = "0", outer = "ME", block = "FB", inner = "ME", width = "16", sort = "on",
              factor = "cholesky", n, m_f, m_g, seed = "1", solver, peer, backend, threads;
  std::vector<std::string> generators = {"paper"};
  int warmup = 0, repeat = 0;
  bool no_variants = false;
  std::string out;
  RunControl control;
};

// What a function makes, or its complaint with the option that is to blame.
template <class Make>
auto told_of(const std::string& option, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

std::vector<Value> expand(const std::string& option, const std::string& text) {
  std::vector<Value> values;
  for (const std::string& item : split_list(option, text))
    for (Value& value : told_of(option, [&] { return experiments::expand_values(item); }))
      values.push_back(std::move(value));
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

// Values that must be among the known ones, whatever their case is; in the spelling that is known.
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

// "?HZ{0,4}-(ME-{FB,BO}-ME);factor=qr;sort=off;w={16,32}"
std::string variant_pattern(const SweepOptions& o) {
  const std::vector<std::string> strategies = {"ME", "MM", "RR"};
  const std::vector<std::string> ids = {"0", "1", "2", "3", "4", "5", "6", "7"};
  std::vector<std::string> widths;
  for (const std::int64_t width : expand_integers("--width", o.width)) widths.push_back(std::to_string(width));
  return fmt::format("?HZ{}-({}-{}-{});w={};sort={};factor={}", braces(expand_names("--variant", o.variant, ids)),
                     braces(expand_names("--outer", o.outer, strategies)),
                     braces(expand_names("--block", o.block, {"FB", "BO"})),
                     braces(expand_names("--inner", o.inner, strategies)), braces(widths),
                     braces(expand_names("--sort", o.sort, {"on", "off"})),
                     braces(expand_names("--factor", o.factor, {"cholesky", "pivoted", "qr"})));
}

// The names that a pattern stands for. All that depends on the type is the letter, so one type can check them.
std::vector<Value> expand_variants(const std::string& pattern) {
  std::vector<Value> variants = expand("--variant", pattern);
  for (const Value& variant : variants)
    told_of("sweep", [&] { return parse_gsvd_variant("D" + experiments::to_string(variant).substr(1)); });
  return variants;
}

std::vector<std::string> peer_names(ScalarType type) {
  std::vector<std::string> names;
  for (const PeerInfo& peer : list_gsvd_peers(type)) names.push_back(peer.name);
  return names;
}

// A peer stands for its kin of every type: lapack:dggsvd3 becomes lapack:?ggsvd3, where '?' is the letter of the type.
std::vector<Value> expand_peers(const std::string& text) {
  const std::vector<std::string> real = peer_names(ScalarType::d), complex = peer_names(ScalarType::z);
  if (real.empty()) throw InputError("--peer: this build has no LAPACK; apt install liblapacke-dev and build again");
  std::vector<Value> peers;
  for (const std::string& name : split_list("--peer", text)) {
    const auto is_named = [&](const std::string& known) { return known == name; };
    auto found = std::find_if(real.begin(), real.end(), is_named);
    if (found == real.end()) {
      const auto of_complex = std::find_if(complex.begin(), complex.end(), is_named);
      if (of_complex == complex.end())
        throw InputError(fmt::format("--peer: unknown peer '{}'; {}", name, nearest_text(name, real)));
      found = real.begin() + (of_complex - complex.begin());
    }
    std::string pattern = *found;
    for (std::size_t k = 1; k < pattern.size(); ++k)
      if (pattern[k - 1] == ':' || pattern[k - 1] == '+') pattern[k] = '?';
    peers.emplace_back(pattern);
  }
  return peers;
}

// One value for each n: a multiple ("2n"), one number for all, or as many numbers as there are orders.
std::vector<Value> row_counts(const std::string& option, const std::string& text, const std::vector<std::int64_t>& n) {
  std::vector<std::int64_t> rows;
  if (text.ends_with('n')) {
    const auto factors = expand_integers(option, text.size() == 1 ? "1" : text.substr(0, text.size() - 1));
    for (const std::int64_t order : n) rows.push_back(factors.front() * order);
  } else {
    rows = expand_integers(option, text);
    if (rows.size() == 1) rows.assign(n.size(), rows.front());
  }
  if (rows.size() != n.size())
    throw InputError(fmt::format("{}: {} values for {} values of -n; give one, as many, or a multiple like 2n", option,
                                 rows.size(), n.size()));
  for (std::size_t k = 0; k < n.size(); ++k)
    if (rows[k] < n[k])
      throw InputError(
          fmt::format("{}: {} rows are fewer than n = {}; F and G need full column rank, so take at least n", option,
                      rows[k], n[k]));
  return {rows.begin(), rows.end()};
}

// Lists, but for pairs from files, whose names hold commas.
std::vector<Value> expand_generators(const std::vector<std::string>& texts) {
  std::vector<Value> generators;
  for (const std::string& text : texts) {
    if (experiments::is_file_source(text))
      generators.emplace_back(text);
    else
      for (const Value& value : expand("--generator", text))
        generators.emplace_back(
            told_of("--generator", [&] { return canonical_generator(experiments::to_string(value)); }));
  }
  return generators;
}

void add_shape(Spec& spec, const SweepOptions& options) {
  const bool only_files =
      std::all_of(options.generators.begin(), options.generators.end(), experiments::is_file_source);
  if (options.n.empty() && only_files) return;  // the files tell
  if (options.n.empty()) throw InputError("-n: is missing; give orders, for example -n 64:512:64");
  const std::vector<std::int64_t> n = expand_integers("-n", options.n);
  for (const std::int64_t order : n)
    if (order < 1) throw InputError(fmt::format("-n: {} is no order; take at least 1", order));
  spec.axes.push_back({"n", {n.begin(), n.end()}});
  std::vector<std::string> together{"n"};
  for (const auto& [axis, option, text] : {std::tuple{"m_f", "--m-f", options.m_f}, {"m_g", "--m-g", options.m_g}})
    if (!text.empty()) {
      spec.axes.push_back({axis, row_counts(option, text, n)});
      together.push_back(axis);
    }
  if (together.size() > 1) spec.zip.push_back(together);
}

Spec make_spec(const SweepOptions& options) {
  Spec spec;
  spec.method = options.method;
  spec.title = "A sweep from the command line";
  const std::vector<std::string> types = expand_names("--type", options.type, {"d", "z"});
  spec.axes.push_back({"type", {types.begin(), types.end()}});
  spec.axes.push_back({"generator", expand_generators(options.generators)});
  spec.axes.push_back({"seed", {}});
  for (const std::int64_t seed : expand_integers("--seed", options.seed)) spec.axes.back().values.emplace_back(seed);
  add_shape(spec, options);
  if (!options.threads.empty()) spec.axes.push_back({"threads", expand("--threads", options.threads)});

  if (!options.backend.empty()) spec.axes.push_back({"backend", parse_backends(options.backend)});

  experiments::Axis solver{"solver", {}};
  const auto add_solvers = [&](const std::vector<Value>& values) {
    solver.values.insert(solver.values.end(), values.begin(), values.end());
  };
  if (!options.solver.empty())
    add_solvers(expand("--solver", options.solver));
  else if (!options.no_variants)
    add_solvers(expand_variants(variant_pattern(options)));
  if (!options.peer.empty()) add_solvers(expand_peers(options.peer));
  if (solver.values.empty()) throw InputError("--no-variants: leaves nothing to run; name a --peer or a --solver");
  spec.axes.push_back(std::move(solver));

  spec.timing.warmup = options.warmup;
  if (options.repeat > 0) spec.timing.min_repeats = spec.timing.max_repeats = options.repeat;
  spec.name = "sweep-" + experiments::digest(experiments::to_json(spec)).substr(0, 8);
  return spec;
}

int run(const SweepOptions& options) {
  experiments::find_method(options.method);
  (void)options.control.table.style();
  std::filesystem::path out = "runs";
  Spec spec = make_spec(options);
  if (!options.out.empty()) {
    const auto folder = std::filesystem::absolute(options.out + "/").parent_path().lexically_normal();
    out = folder.parent_path();
    spec.name = folder.filename().string();
  }
  RunControl control = options.control;
  control.explain_backend = options.backend.empty();
  return run_plan(experiments::make_plan(spec), out.string(), control);
}

constexpr const char* axes_group = "Axes (lists a,b,c and ranges first:last:step)";

void add_axes(CLI::App& app, SweepOptions& o) {
  const auto axis = [&](const char* name, std::string& value, const char* type, const char* what) {
    auto* option = app.add_option(name, value, what)->type_name(type)->group(axes_group);
    return value.empty() ? option : option->capture_default_str();
  };
  axis("--type", o.type, "LIST", "Scalars: d (real), z (complex)");
  axis("-n,--dim", o.n, "LIST", "Order: columns of F and G");
  axis("--m-f", o.m_f, "LIST", "Rows of F: one for all n, one for each, or a multiple like 2n (default n)");
  axis("--m-g", o.m_g, "LIST", "Rows of G, likewise");
  app.add_option("--generator", o.generators, "Test pairs, with options: 'graded;g={4,8}' (default paper)")
      ->type_name("NAMES")
      ->group(axes_group)
      ->allow_extra_args(false);
  axis("--seed", o.seed, "LIST", "Seeds of the generator");
  axis("--variant", o.variant, "LIST", "IDs of Table 1, 0 to 7");
  axis("--block", o.block, "LIST", "Blocking: FB (full block), BO (block-oriented)");
  axis("--outer", o.outer, "LIST", "Strategy of the block columns: ME, MM, RR");
  axis("--inner", o.inner, "LIST", "Strategy inside a tile: ME, MM, RR");
  axis("-w,--width", o.width, "LIST", "Block width, even");
  axis("--sort", o.sort, "LIST", "Sorting of the columns: on, off");
  axis("--factor", o.factor, "LIST", "Shortening of a tile: cholesky, pivoted, qr");
  axis("--solver", o.solver, "PATTERNS", "Solvers by name, in place of the seven options above");
  axis("--peer", o.peer, "NAMES", "What to compare with, e.g. lapack:dggsvd3 (pivotlab list peers)");
  axis("--backend", o.backend, "LIST", backend_help);
  axis("--threads", o.threads, "LIST", "Threads of every solver (default: all cores)");
}

}  // namespace

Command add_sweep(CLI::App& root) {
  CLI::App* app = root.add_subcommand("sweep", "Run all combinations of what the options list");
  auto options = std::make_shared<SweepOptions>();
  app->add_option("method", options->method, "gsvd")->required()->type_name("");
  add_axes(*app, *options);
  app->add_flag("--no-variants", options->no_variants, "Only the peers");
  app->add_option("--repeat", options->repeat, "Samples of a case (default: until the spread is small, at most 3)")
      ->type_name("N")
      ->check(positive());
  app->add_option("--warmup", options->warmup, "Runs before the first sample")->type_name("N")->check(not_negative());
  app->add_option("-o,--out", options->out, "Folder of this sweep (default runs/sweep-<hash of the options>)")
      ->type_name("DIR");
  add_run_options(*app, options->control);
  app->footer(
      "Examples:\n"
      "  pivotlab sweep gsvd -n 64:512:64\n"
      "  pivotlab sweep gsvd --type d,z --variant 0:7 --block FB,BO --outer ME,MM -n 128 --peer lapack:dggsvd3\n"
      "  pivotlab sweep gsvd -n 256 -w 8,16,32,64 --sort on,off --repeat 5\n"
      "  pivotlab sweep gsvd -n 100,200 --m-f 2n --m-g 400 --generator 'graded;g={4,8,12}' --format csv\n"
      "  pivotlab sweep gsvd -n 96 --solver '?HZ{0..7}-({ME,MM}-FB-ME)' -o runs/strategies");
  return {app, [options] { return run(*options); }};
}

}  // namespace pivotlab::cli
