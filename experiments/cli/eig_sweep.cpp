#include <pivotlab/eig_variant.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/peers.hpp>

#include <algorithm>
#include <experiments/cli/by_method.hpp>
#include <experiments/cli/sweep_options.hpp>
#include <experiments/eig/general_source.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Spec;
using experiments::Value;

struct EigSweepOptions : SweepOptions {
  std::string strategy = "RR", form = "b16", vectors;
  EigSweepOptions() {
    type = "z";
    generators = {"random"};
  }
};

/// "steps", "fused", "b16" as the endings of names: "", ";fused", ";b=16".
std::string form_ending(const std::string& form) {
  if (form == "steps") return "";
  return form == "fused" ? ";fused" : ";b=" + form.substr(1);
}

std::vector<Value> expand_variants(const EigSweepOptions& options) {
  std::vector<Value> variants;
  for (const std::string& strategy : expand_names("--strategy", options.strategy, {"RR", "ME", "MM"}))
    for (const std::string& form : expand_names("--form", options.form, {"steps", "fused", "b8", "b16", "b32"}))
      variants.emplace_back(to_string(parse_eig_variant("ZEIG-(" + strategy + ")" + form_ending(form))));
  return variants;
}

std::vector<std::string> known_peers() {
  std::vector<std::string> names;
  for (const ScalarType type : {ScalarType::d, ScalarType::z})
    for (const PeerInfo& peer : list_eig_peers(type)) names.push_back(peer.name);
  return names;
}

int run(const EigSweepOptions& options) {
  (void)options.control.table.style();
  Spec spec = begin_spec(
      "eig", options, expand_generators(options.generators, experiments::is_general_file, canonical_general_generator));
  if (!options.n.empty() || !std::ranges::all_of(options.generators, experiments::is_general_file)) {
    const std::vector<std::int64_t> n = expand_orders(options.n, 0);
    spec.axes.push_back({"n", {n.begin(), n.end()}});
  }
  if (!options.vectors.empty())
    spec.axes.push_back({"vectors", values_of(expand_names("--vectors", options.vectors, {"right", "both"}))});
  const bool by_axes = options.solver.empty() && !options.no_variants;
  finish_spec(spec, options, by_axes ? expand_variants(options) : std::vector<Value>(), known_peers());
  return run_sweep(std::move(spec), options);
}

void add_axes(CLI::App& app, EigSweepOptions& o) {
  const auto axis = [&](const char* name, std::string& value, const char* what) {
    add_axis(app, name, value, "LIST", what);
  };
  axis("--type", o.type, "Scalars of the matrix: d (real), z (complex)");
  axis("-n,--dim", o.n, "Orders");
  add_generator_axes(app, o,
                     "Test matrices, with options: 'similarity;kappa={1e2,1e6}', or file:A.mtx (default random)");
  axis("--strategy", o.strategy, "Orders of the pairs: RR, ME, MM");
  axis("--form", o.form, "steps, fused, or blocked: b8, b16, b32");
  axis("--vectors", o.vectors, "Eigenvectors: right, both (default right)");
  add_solver_axes(app, o, "Solvers by name, in place of --strategy and --form",
                  "What to compare with, e.g. lapack:zgeev (pivotlab list peers)");
}

}  // namespace

Command add_eig_sweep(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("eig", "The eigendecomposition");
  auto options = std::make_shared<EigSweepOptions>();
  add_axes(*app, *options);
  add_sweep_control(*app, *options);
  app->footer(
      "Examples:\n"
      "  pivotlab sweep eig -n 64:256:64 --form steps,fused,b16 --peer lapack:zgeev\n"
      "  pivotlab sweep eig -n 64 --generator 'similarity;kappa={1e2,1e4,1e6}' --strategy RR,ME,MM\n"
      "  pivotlab sweep eig -n 64 --solver 'ZEIG-(RR);fused{,;shear=off,;diagonal=off}'\n"
      "  pivotlab sweep eig --generator 'file:A.mtx.gz' --peer lapack:dgeev --vectors both --format csv");
  return {app, [options] { return run(*options); }};
}

}  // namespace pivotlab::cli
