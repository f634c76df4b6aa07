#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/peers.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <experiments/cli/by_method.hpp>
#include <experiments/cli/sweep_options.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Spec;
using experiments::Value;

struct LdltSweep : SweepOptions {
  std::string symmetry, pivot = "BP", alpha = "a0", equilibrate = "off", storage, tolerance;
  bool gjg = false;
  LdltSweep() { generators = {"equidistant"}; }
};

/// "0.1", "0.01:0.99:0.14" and "a0", the usual α, as the endings of names: ";alpha=0.1", …, "".
std::vector<std::string> alpha_endings(const std::string& text) {
  std::vector<std::string> endings;
  for (std::string item : split_list("--alpha", text)) {
    if (lower_case(item) == "a0") {
      endings.emplace_back();
      continue;
    }
    if (item.find(':') != std::string::npos) {
      for (std::size_t at = 0; (at = item.find(':', at)) != std::string::npos; at += 2) item.replace(at, 1, "..");
      item = "{" + item + "}";
    }
    for (const std::string& alpha : told_of("--alpha", [&] { return expand_pattern(item); }))
      endings.push_back(";alpha=" + alpha);
  }
  return endings;
}

std::vector<Value> expand_variants(const LdltSweep& options) {
  std::vector<Value> variants;
  for (const std::string& pivot : expand_names("--pivot", options.pivot, {"BP", "BK", "RK"}))
    for (const std::string& ending : alpha_endings(options.alpha))
      for (const std::string& equilibrate : expand_names("--equilibrate", options.equilibrate, {"off", "on"}))
        variants.emplace_back(told_of("--alpha", [&] {
          return to_string(
              parse_ldlt_variant("LDLT-" + pivot + ending + (equilibrate == "on" ? ";equilibrate=on" : "")));
        }));
  return variants;
}

std::vector<std::string> known_peers() {
  std::vector<std::string> names;
  for (const auto& [type, symmetry] : {std::pair(ScalarType::d, Symmetry::symmetric),
                                       {ScalarType::z, Symmetry::hermitian},
                                       {ScalarType::z, Symmetry::symmetric}})
    for (const PeerInfo& peer : list_ldlt_peers(type, symmetry)) names.push_back(peer.name);
  return names;
}

int run(const LdltSweep& options) {
  (void)options.control.table.style();
  Spec spec =
      begin_spec("ldlt", options,
                 expand_generators(options.generators, experiments::is_matrix_file, canonical_symmetric_generator));
  const auto add = [&](const char* axis, std::vector<Value> values) { spec.axes.push_back({axis, std::move(values)}); };
  if (!options.symmetry.empty())
    add("symmetry", values_of(expand_names("--symmetry", options.symmetry, {"hermitian", "symmetric"})));
  if (!options.n.empty() || !std::ranges::all_of(options.generators, experiments::is_matrix_file)) {
    const std::vector<std::int64_t> n = expand_orders(options.n, 0);
    add("n", {n.begin(), n.end()});
  }
  if (!options.storage.empty())
    add("storage", values_of(expand_names("--storage", options.storage, {"packed", "full"})));
  if (!options.tolerance.empty()) add("tolerance", expand("--tolerance", options.tolerance));
  if (options.gjg) add("gjg", {true});
  const bool by_axes = options.solver.empty() && !options.no_variants;
  finish_spec(spec, options, by_axes ? expand_variants(options) : std::vector<Value>(), known_peers());
  return run_sweep(std::move(spec), options);
}

void add_axes(CLI::App& app, LdltSweep& o) {
  const auto axis = [&](const char* name, std::string& value, const char* what) {
    add_axis(app, name, value, "LIST", what);
  };
  axis("--type", o.type, "Scalars: d (real), z (complex)");
  axis("--symmetry", o.symmetry, "Of complex matrices: hermitian, symmetric (default hermitian)");
  axis("-n,--dim", o.n, "Orders");
  add_generator_axes(
      app, o, "Test matrices, with options: 'latb4;type={1..10}', file:A.mtx, or permuted:A.mtx (default equidistant)");
  axis("--pivot", o.pivot, "Pivoting: BP (complete), RK (rook), BK (partial)");
  axis("--alpha", o.alpha, "In (0, 1); a0 is the usual (1+sqrt(17))/8");
  axis("--equilibrate", o.equilibrate, "Factor S A S, S of powers of two such that its rows are of one size: off, on");
  axis("--storage", o.storage, "Of the variants: packed, full (default packed)");
  axis("--tolerance", o.tolerance, "What counts as zero, relative to max|A| (default 2^-52)");
  app.add_flag("--gjg", o.gjg, "Also G J G* of the variants, beside the same in quad (columns gjg_...)")
      ->group(app.get_option("--storage")->get_group());
  add_solver_axes(app, o, "Solvers by name, in place of --pivot, --alpha and --equilibrate",
                  "What to compare with, e.g. lapack:dsytrf (pivotlab list peers)");
}

}  // namespace

Command add_ldlt_sweep(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("ldlt", "The symmetric indefinite factorization");
  auto options = std::make_shared<LdltSweep>();
  add_axes(*app, *options);
  add_sweep_control(*app, *options);
  app->footer(
      "Examples:\n"
      "  pivotlab sweep ldlt -n 256:1024:256 --pivot BP,RK,BK --peer lapack:dsytrf,lapack:dsytrf_rook\n"
      "  pivotlab sweep ldlt -n 500 --pivot BP,RK --alpha 0.01:0.99:0.14,a0 --generator random,kkt\n"
      "  pivotlab sweep ldlt -n 100 --type z --symmetry hermitian,symmetric --generator 'latb4;type={1..10}'\n"
      "  pivotlab sweep ldlt --generator 'file:A.mtx.gz' --tolerance 0,1e-12 --format csv");
  return {app, [options] { return run(*options); }};
}

}  // namespace pivotlab::cli
