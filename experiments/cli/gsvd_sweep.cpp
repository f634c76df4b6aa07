#include <pivotlab/generate.hpp>
#include <pivotlab/peers.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <experiments/cli/by_method.hpp>
#include <experiments/cli/sweep_options.hpp>
#include <experiments/gsvd/pair_source.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Spec;
using experiments::Value;

struct GsvdSweep : SweepOptions {
  std::string variant = "0", outer = "ME", block = "FB", inner = "ME", width = "16", sort = "on", factor = "cholesky",
              m_f, m_g, ranks, transport;
  GsvdSweep() { generators = {"paper"}; }
};

// "?HZ{0,4}-(ME-{FB,BO}-ME);factor=qr;sort=off;w={16,32}"
std::string variant_pattern(const GsvdSweep& o) {
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

std::vector<std::string> known_peers() {
  std::vector<std::string> names;
  for (const ScalarType type : {ScalarType::d, ScalarType::z})
    for (const PeerInfo& peer : list_gsvd_peers(type)) names.push_back(peer.name);
  return names;
}

void add_shape(Spec& spec, const GsvdSweep& options) {
  if (options.n.empty() && std::ranges::all_of(options.generators, experiments::is_file_source))
    return;  // the files tell
  const std::vector<std::int64_t> n = expand_orders(options.n, 1);
  spec.axes.push_back({"n", {n.begin(), n.end()}});
  std::vector<std::string> together{"n"};
  for (const auto& [axis, option, text] : {std::tuple{"m_f", "--m-f", options.m_f}, {"m_g", "--m-g", options.m_g}})
    if (!text.empty()) {
      spec.axes.push_back({axis, row_counts(option, text, n)});
      together.push_back(axis);
    }
  if (together.size() > 1) spec.zip.push_back(together);
}

int run(const GsvdSweep& options) {
  (void)options.control.table.style();
  Spec spec = begin_spec("gsvd", options,
                         expand_generators(options.generators, experiments::is_file_source, canonical_generator));
  add_shape(spec, options);
  if (!options.ranks.empty()) spec.axes.push_back({"ranks", expand("--ranks", options.ranks)});
  if (!options.transport.empty())
    spec.axes.push_back(
        {"transport", values_of(expand_names("--transport", options.transport, {"copy", "nccl", "mpi", "host"}))});
  const bool by_axes = options.solver.empty() && !options.no_variants;
  finish_spec(spec, options, by_axes ? expand_variants(variant_pattern(options)) : std::vector<Value>(), known_peers());
  return run_sweep(std::move(spec), options);
}

void add_axes(CLI::App& app, GsvdSweep& o) {
  const auto axis = [&](const char* name, std::string& value, const char* what) {
    add_axis(app, name, value, "LIST", what);
  };
  axis("--type", o.type, "Scalars: d (real), z (complex)");
  axis("-n,--dim", o.n, "Order: columns of F and G");
  axis("--m-f", o.m_f, "Rows of F: one for all n, one for each, or a multiple like 2n (default n)");
  axis("--m-g", o.m_g, "Rows of G, likewise");
  add_generator_axes(app, o, "Test pairs, with options: 'graded;g={4,8}' (default paper)");
  axis("--variant", o.variant, "IDs of Table 1, 0 to 7");
  axis("--block", o.block, "Blocking: FB (full block), BO (block-oriented)");
  axis("--outer", o.outer, "Strategy of the block columns: ME, MM, RR");
  axis("--inner", o.inner, "Strategy inside a tile: ME, MM, RR");
  axis("-w,--width", o.width, "Block width, even");
  axis("--sort", o.sort, "Sorting of the columns: on, off");
  axis("--factor", o.factor, "Shortening of a tile: cholesky, pivoted, qr");
  add_solver_axes(app, o, "Solvers by name, in place of the seven options above",
                  "What to compare with, e.g. lapack:dggsvd3 (pivotlab list peers)");
  axis("--ranks", o.ranks, "GPUs, or groups of threads, of solvers such as '?HZ0-(ME-BO, ME-FB-ME)' (default 1)");
  axis("--transport", o.transport, "From GPU to GPU: copy, nccl, mpi (of processes), host (default copy)");
}

}  // namespace

Command add_gsvd_sweep(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("gsvd", "The generalized SVD");
  auto options = std::make_shared<GsvdSweep>();
  add_axes(*app, *options);
  add_sweep_control(*app, *options);
  app->footer(
      "Examples:\n"
      "  pivotlab sweep gsvd -n 64:512:64\n"
      "  pivotlab sweep gsvd --type d,z --variant 0:7 --block FB,BO --outer ME,MM -n 128 --peer lapack:dggsvd3\n"
      "  pivotlab sweep gsvd -n 256 -w 8,16,32,64 --sort on,off --repeat 5\n"
      "  pivotlab sweep gsvd -n 100,200 --m-f 2n --m-g 400 --generator 'graded;g={4,8,12}' --format csv\n"
      "  pivotlab sweep gsvd -n 96 --solver '?HZ{0..7}-({ME,MM}-FB-ME)' -o runs/strategies\n"
      "  pivotlab sweep gsvd --type z -n 192 --solver A,B,C,D --ranks 1,2,4");
  return {app, [options] { return run(*options); }};
}

}  // namespace pivotlab::cli
