// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/common/papers.hpp>
#include <experiments/common/refine_rows.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_facts.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <experiments/own/results.hpp>
#include <experiments/problems/axis_values.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

/// The algorithm of the kernels of batches.
constexpr const char* kernels_of_batches = "HZ";

/// The variant that stands for tangent reduction where it is possible and for Hari–Zimmermann elsewhere.
constexpr const char* automatic = "auto";

struct GsvdExperiment {
  static constexpr MethodTexts texts = {
      .name = "gsvd",
      .title = "Generalized singular value decomposition",
      .summary = "F = U·Σ_F·X, G = V·Σ_G·X by the blocked one-sided Hari–Zimmermann method",
      .claims = {
          "each column of U, V and Z is exact for a pair whose columns differ from the given ones by no more than "
          "the bounds of backward_f and backward_g, and U and V are orthonormal to working precision",
          "digits of single σ, which are compared with the true ones only where these are known; ranks k and l "
          "that rounding errors decide; of large pairs (probes above 0) the residuals themselves, which are "
          "estimated with random vectors"}};
  using Case = GsvdCase;

  using Metrics = GsvdMetrics;
  struct Options : AnyGsvdOptions {
    std::optional<RankOptions> over_ranks = {};
    bool any_layout = false;  ///< xGGSVD3 returns R and Q, also for a pair that need not be reduced
  };

  static constexpr auto kind = pairs;
  static constexpr auto baselines = list_gsvd_baselines;
  static std::string read_variant(Case& read, const std::string& name) {
    return is_of_kernels(read, name, kernels_of_batches) ? kernels_of_batches : experiments::read_variant(read, name);
  }
  static constexpr auto estimate = estimate_gsvd;
  static constexpr auto problem_rows = gsvd_problem_rows;
  static constexpr auto convergence_rows = gsvd_convergence_rows;
  static constexpr auto metric_rows = gsvd_metric_rows;

  static std::vector<std::string_view> papers() {
    return {papers::novakovic_2021, papers::drmac_1998, papers::bai_1993};
  }
  static std::vector<const VariantNames*> variants() { return {&gsvd_names(), &distributed_names(), &tangent_names()}; }
  static std::vector<AxisInfo> axes() {
    return {
        type_axis_info("d"),
        order_axis_info("Order: columns of F and G", 512, 1),
        row_count_axis_info("m_f", "Rows of F: one for all n, one for each, or a multiple like 2n; 0: n"),
        row_count_axis_info("m_g", "Rows of G, in the same form"),
        generator_axis_info(
            kind(),
            "Source of the pair: a generator such as 'graded;g={4,8}', or file:, files:, cholesky:, difference:",
            "paper"),
        seed_axis_info(),
        solver_axis_info("?HZ0-(ME-FB-ME)"),
        backend_axis_info(),
        threads_axis_info(),
        {.name = "ranks",
         .summary = "Ranks (GPUs or groups of threads) of a solver over several, such as '?HZ0-(ME-BO, ME-FB-ME)'",
         .default_value = std::int64_t{1},
         .domain = {.optional = true, .minimum = 1},
         .role = AxisRole::platform,
         .without_cases = "take a solver over ranks, such as '?HZ0-(ME-BO, ME-FB-ME)'"},
        {.name = "transport",
         .summary = "How ranks exchange block columns: copy, nccl, mpi (between processes), host (through its memory)",
         .default_value = std::string("copy"),
         .domain = {.optional = true, .choices = {"copy", "nccl", "mpi", "host"}},
         .role = AxisRole::platform,
         .without_cases = "it is for solvers over GPUs; take --backend cuda and a solver over ranks"},
        batch_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"--variant 0:7 --block FB,BO -n 64:256:64 --baseline lapack:dggsvd3",
            "--type d,z --variant 0:7 --block FB,BO --outer ME,MM -n 128",
            "-n 256 -w 8,16,32,64 --sort on,off --repeat 5",
            "-n 100,200 --m-f 2n --m-g 400 --generator 'graded;g={4,8,12}' --format csv",
            "-n 96 --solver '?HZ{0..7}-({ME,MM}-FB-ME)' -o runs/strategies",
            "--type z -n 192 --solver A,B,C,D --ranks 1,2,4",
            "-n 12 --m-f 9 --m-g 7 --generator 'ranks;k=2;l={3,5}' --baseline lapack:dggsvd3"};
  }

  static void require_batch(const Case& wanted) {
    require_batch_variant(wanted,
                          wanted.backend == "host" ? to_string(GsvdVariant{}, wanted.type) : kernels_of_batches);
    if (wanted.has_few_rows() && !wanted.by_baseline())
      throw InputError("batch: its pairs have at least as many rows as columns; take larger m_f and m_g");
  }
  static void read_axes(const experiments::Case& axes, Case& read) {
    if (!read.over_ranks) return;
    read.over_ranks->ranks = static_cast<int>(integer_axis(axes, "ranks", 1));
    read.over_ranks->transport = read.backend == "cuda" ? text_axis(axes, "transport") : "copy";
  }
  static void write_axes(const Case& interpreted, experiments::Case& axes) {
    if (!interpreted.over_ranks) return;
    axes["ranks"] = std::int64_t{interpreted.over_ranks->ranks};
    axes["transport"] = interpreted.over_ranks->transport;
  }

  template <class T>
  static Pair<T> problem(Pair<T> pair, const auto&) {
    return pair;
  }
  static void read_options(const Case& wanted, Options& options) {
    options.tangent = wanted.tangent;
    if (wanted.over_ranks) options.over_ranks = options_of_ranks(wanted);
    if (wanted.backend == "cuda") options.threads = 0;  // beside a GPU the host checks and copies
  }
  template <class T>
  static GsvdSolved<T> solve(const Pair<T>& pair, const Options& options) {
    if (options.over_ranks) return solve_over_ranks<T>(pair.F, pair.G, *options.over_ranks);
    GsvdSolved<T> result(gsvd_any<T>(pair.F, pair.G, options));
    if (!options.tangent && !result.reduced)
      result.flops = static_cast<double>(result.sweeps.size()) * sweep_flops(pair);
    return result;
  }
  /// xGGSVD3 takes any pair; the other baselines take a pair with σ finite and m_F, m_G ≥ n.
  template <class T>
  static GsvdSolved<T> solve_by_baseline(const Pair<T>& pair, const std::string& name, const Options& options) {
    const bool takes_any_pair = name == baseline_of_type("lapack:?ggsvd3", scalar_type<T>);
    const bool few_rows = std::min(pair.F.rows(), pair.G.rows()) < pair.F.cols();
    try {
      if (takes_any_pair ? !few_rows && !options.any_layout : !few_rows || options.any_layout) {
        auto result = solve_gsvd_with_baseline<T>(name, pair.F, pair.G, options.threads);
        if (result.status != Status::failed || !takes_any_pair) return GsvdSolved<T>(std::move(result));
      }
    } catch (const InputError&) {  // a zero column of G
      if (!takes_any_pair) throw;
    }
    return GsvdSolved<T>(solve_any_gsvd_with_baseline<T>(name, pair.F, pair.G, options.threads));
  }
  template <class T>
  static auto solve_batch(const std::vector<const Pair<T>*>& pairs, const Options&, BatchArrays& arrays) {
    const auto F = arrays.given<T>([&](Index k) { return pairs[k]->F.view(); });
    const auto G = arrays.given<T>([&](Index k) { return pairs[k]->G.view(); });
    const GsvdBatch<T> batch{.sigma = arrays.numbers<double>(F.cols),
                             .sigma_f = arrays.numbers<double>(F.cols),
                             .sigma_g = arrays.numbers<double>(F.cols),
                             .U = arrays.matrices<T>(F.rows, F.cols),
                             .V = arrays.matrices<T>(G.rows, F.cols),
                             .Z = arrays.matrices<T>(F.cols, F.cols),
                             .status = arrays.status()};
    arrays.run([&] { gsvd_batch<T>(F, G, batch, {arrays.options()}); });
    return [&arrays, batch](Index k) {
      GsvdResult<T> result;
      result.sigma = arrays.values(batch.sigma, k);
      result.sigma_f = arrays.values(batch.sigma_f, k), result.sigma_g = arrays.values(batch.sigma_g, k);
      result.U = arrays.matrix(batch.U, k), result.V = arrays.matrix(batch.V, k), result.Z = arrays.matrix(batch.Z, k);
      return GsvdSolved<T>(std::move(result));
    };
  }
  template <class T>
  static GsvdSolved<T> own_result(const Pair<T>& pair, const OwnAnswer& answer) {
    return GsvdSolved<T>(own_gsvd<T>(answer, pair.F.rows(), pair.G.rows(), pair.F.cols()));
  }
  template <class T>
  static bool has_factors(const Pair<T>&, const GsvdSolved<T>& result) {
    return result.status != Status::failed;
  }
  template <class T>
  static Metrics judge(const Pair<T>& pair, const Options&, const GsvdSolved<T>& result, const JudgeOptions& options) {
    return judge_gsvd_by_z(pair, result, options);
  }

  template <class T>
  static GsvdProblemFacts problem_facts(const Pair<T>& pair) {
    return experiments::problem_facts(pair);
  }
  template <class T>
  static GsvdConvergence convergence(const Pair<T>& pair, const Options& options, const GsvdSolved<T>& result) {
    GsvdConvergence convergence{.sweeps = result.sweeps, .ranks = result.ranks, .flops = result.flops};
    if (options.tangent) convergence.tangent = tangent_facts(result, pair.sigma);
    convergence.refinement = options.tangent ? report_of(*options.tangent, result) : report_of(options.variant, result);
    return convergence;
  }
  static nlohmann::json write_metrics(const Metrics& metrics) { return to_json(metrics); }

  // The command `solve`.

  struct Command : SolveCommand {
    Command() { variant = automatic; }
    std::string f, g, raw, scale = "on";
    std::optional<double> tolerance_f = {}, tolerance_g = {};
    bool x = false;
  };

  static void read_options(const Command& command, Options& options) {
    if (!command.raw.empty() && !command.g.empty())
      throw InputError("solve: --raw takes one stem, for <stem>.Y and <stem>.W; leave G out");
    options.tolerance_f = command.tolerance_f, options.tolerance_g = command.tolerance_g;
    options.scale = command.scale == "on";
    options.compute_x = command.x;
    options.hari_zimmermann_fallback = false;
    options.any_layout = true;
  }
  static std::vector<std::string> inputs(const Command& command) {
    if (command.raw.empty()) return {command.f, command.g};
    return {command.f + ".Y", command.f + ".W"};
  }
  static AnyPair read(const Command& command) {
    return command.raw.empty() ? read_input_pair(command.f, command.g) : read_input_raw_pair(command.f, command.raw);
  }
  template <class T>
  static void complete(const Command& command, const Pair<T>&, Options& options) {
    if (!command.baseline.empty()) return;
    const std::string& name = command.variant;
    options.automatic = name == automatic;
    if (is_tangent(name))
      options.tangent = variant_for(name, scalar_type<T>, parse_tangent_variant);
    else if (!options.automatic)
      options.variant = variant_for(name, scalar_type<T>, parse_gsvd_variant);
  }
  /// The automatic choice has the name of the variant that it took; a variant that was asked for keeps its name.
  template <class T>
  static std::string solver_of(const Pair<T>&, const Options& options, const GsvdSolved<T>& result) {
    const bool by_tangent = options.tangent || (options.automatic && tangent_facts(result).path);
    return by_tangent ? to_string(options.tangent.value_or(automatic_variant(options.backend)), scalar_type<T>)
                      : to_string(options.variant, scalar_type<T>);
  }
  static SolutionFacts facts(const auto& judged) {
    const auto& result = judged.result;
    std::optional<TangentFacts> tangent;
    if (judged.by_variant && (judged.options.automatic || judged.options.tangent)) tangent = tangent_facts(result);
    const bool iterated = judged.by_variant && (!tangent || !tangent->path);
    return {{{"m_f", "rows of F", ColumnKind::integer, count(judged.problem.F.rows())},
             {"m_g", "rows of G", ColumnKind::integer, count(judged.problem.G.rows())},
             {"n", "n", ColumnKind::integer, count(judged.problem.F.cols())},
             {"sweeps", "sweeps", ColumnKind::integer, iterated ? count(std::ssize(result.sweeps)) : Cell()}},
            joined({sigma_facts(std::span(result.sigma).subspan(result.reduced ? result.k : 0)),
                    reduction_facts(judged.metrics),
                    tangent ? facts_of(tangent_rows(), *tangent,
                                       {"path", "newton_steps", "fallback", "reason", "largest_estimate"})
                            : std::vector<Fact>(),
                    {{"accuracy", "accuracy", ColumnKind::text, tangent ? accuracy_of(result) : ""}},
                    facts_of(metric_rows(), judged.metrics,
                             {"residual_f", "residual_g", "orthogonality_u", "orthogonality_v", "sigma_error",
                              "precision"})})};
  }
  static void write(const std::string& file, const auto& judged, Attributes attributes) {
    attributes.erase("verdict");
    write_gsvd(file, judged.result, attributes);
  }

  static CommandDescription describe(Command& command) {
    return {
        .title = "Generalized singular value decomposition of a pair (F, G)",
        .options = {{"F", &command.f,
                     "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file", "",
                     true},
                    {"G", &command.g, "The other matrix; left out when F is a pair"},
                    hdf5_output_option(command.output, "U, V, Z, sigma (and X, R, Q)"),
                    force_option(command.force),
                    {"--variant", &command.variant,
                     "Variant; '?' is the letter of the type (pivotlab list variants); auto: tangent reduction, or "
                     "Hari-Zimmermann where that is impossible",
                     "NAME"},
                    baseline_option(command.baseline,
                                    {"--variant", "--backend", "--x", "--tolerance-f", "--tolerance-g", "--scale"}),
                    backend_option(command.backend),
                    {"--x", &command.x, "Also compute X with X Z = I, and R, Q with X = (0 R) Q^H"},
                    {.name = "--tolerance-f",
                     .target = &command.tolerance_f,
                     .help = "Pivots of F up to this count as zero (default: max(m, n) eps times the norm)",
                     .value_name = "TAU",
                     .minimum = 0},
                    {.name = "--tolerance-g",
                     .target = &command.tolerance_g,
                     .help = "The same for G; with a given tolerance every pair is reduced",
                     .value_name = "TAU",
                     .minimum = 0},
                    {.name = "--scale",
                     .target = &command.scale,
                     .help = "Scale the columns by powers of two before ranks are decided",
                     .value_name = "on|off",
                     .choices = {"on", "off"}},
                    threads_option(command.threads),
                    {"--raw", &command.raw, "F is the stem of raw files .Y and .W of this shape", "m_F,m_G,n,TYPE"}},
        .notes =
            "F Z = U Sigma_F, G Z = V Sigma_G with orthonormal U, V and Sigma_F^2 + Sigma_G^2 = I.\nA pair with fewer "
            "rows than columns or a G of deficient rank is reduced by LAPACK first: k infinite\nsigma come first, Z "
            "has a column for each of the r = k + l sigma, and the first n - r columns of Q span the\ncommon null "
            "space.\nmixed in a variant's name: on a GPU the first sweeps store F, G and Z in single precision, and "
            "Newton steps\nreplace the last ones.",
        .examples = {"F.mtx G.mtx -o out.h5", "pair.h5 --x -o out.h5 --threads 2",
                     "a.h5:/F b.h5:/G --variant '?HZ3-(MM-BO-ME);w=32'", "pair.h5 --variant '?GT-(L)'",
                     "pair.h5 --baseline 'lapack:?ggsvd3'", "stem --raw 128,128,64,d --format json"}};
  }

  static GenerateTexts generate() {
    return {
        .title = "Pair (F, G)",
        .generator = "paper",
        .notes =
            "Pairs are made in quadruple precision and rounded once; HDF5 keeps the exact singular values with them.",
        .examples = {"paper -n 512 -o pair.h5", "'graded;g=8;side=left' -n 64 --m-f 96 --seed 3 -o graded.h5",
                     "paper --type z -n 128 -o stem --format raw"}};
  }
};

class GsvdMethod final : public MethodOf<GsvdExperiment> {
 public:
  std::string_view ranks_axis() const override { return "ranks"; }
  std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const override {
    return make_gsvd_problem_over(ranks, interpret_gsvd(axes));
  }
  std::shared_ptr<const CommandDescription> solve_command_over(Transport& ranks) const override {
    return solve_gsvd_command_over(ranks);
  }
};

}  // namespace

GsvdCase interpret_gsvd(const Case& axes) {
  return interpret<GsvdExperiment>(axes);
}

const Method& gsvd_method() {
  static const GsvdMethod method;
  return method;
}

}  // namespace pivotlab::experiments
