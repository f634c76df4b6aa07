// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/papers.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/ldlt/ldlt_facts.hpp>
#include <experiments/ldlt/ldlt_pictures.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <experiments/ldlt/ldlt_solved.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <experiments/problems/axis_values.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <limits>
#include <locale>
#include <sstream>

namespace pivotlab::experiments {
namespace {

constexpr Index known_right_hand_sides = 4;  ///< of a sweep

std::string name_of(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? "hermitian" : "symmetric";
}

/// Parses the positive and negative eigenvalues of --inertia n,m,0.
std::optional<Inertia> parse_inertia(const std::string& list) {
  if (list.empty()) return std::nullopt;
  Inertia wanted;
  char comma[2] = {}, end = 0;
  std::istringstream text(list);
  text.imbue(std::locale::classic());
  text >> wanted.positive >> comma[0] >> wanted.negative >> comma[1] >> wanted.zero;
  if (!text || text >> end || comma[0] != ',' || comma[1] != ',' || wanted.zero != 0 || wanted.positive < 0 ||
      wanted.negative < 0)
    throw InputError(fmt::format("--inertia: '{}' is not of the form n,m,0, e.g. 120,40,0", list));
  return wanted;
}

struct LdltExperiment : LdltSolver {
  static constexpr MethodTexts texts = {
      .name = "ldlt",
      .title = "Symmetric indefinite factorization",
      .summary = "P·A·Pᵀ = M·D·M* with complete (Bunch–Parlett), rook or partial (Bunch–Kaufman) pivoting, or none",
      .claims = {
          "the factors are those of a matrix that differs from A by at most the bound of dsyt01, solutions have the "
          "backward error of dpot02, and the pivots obey the bounds of the pivoting",
          "the inertia of A, which a certificate alone does (docs/reference/inertia.md); solutions of ill-conditioned "
          "systems, whose error solve_error tells"}};
  using Case = LdltCase;

  static constexpr auto kind = symmetrics;
  static constexpr auto names = ldlt_names;
  static constexpr auto baselines = list_ldlt_baselines;
  static constexpr auto estimate = estimate_ldlt;
  static constexpr auto problem_rows = ldlt_problem_rows;
  static constexpr auto metric_rows = ldlt_metric_rows;
  static constexpr auto solution_rows = ldlt_solver_rows;

  static std::vector<std::string_view> papers() {
    return {papers::kruchinina_2013, papers::bunch_parlett_1971, papers::bunch_kaufman_1977, papers::ashcraft_1998};
  }
  static std::vector<AxisInfo> axes() {
    return {type_axis_info("d"),
            {.name = "symmetry",
             .summary = "Symmetry of complex matrices: hermitian, symmetric",
             .default_value = std::string("hermitian"),
             .domain = {.choices = {"hermitian", "symmetric"}}},
            order_axis_info("Order", 512, 0),
            generator_axis_info(kind(),
                                "Source of the matrix: a generator such as 'latb4;type={1..10}', file:A.mtx or "
                                "permuted:A.mtx",
                                "equidistant"),
            seed_axis_info(),
            solver_axis_info("LDLT-BP"),
            {.name = "storage",
             .summary = "Storage of the variants: packed, full",
             .default_value = std::string("packed"),
             .domain = {.choices = {"packed", "full"}},
             .role = AxisRole::solution},
            {.name = "tolerance",
             .summary = "What counts as zero, relative to max|A|",
             .default_value = std::numeric_limits<double>::epsilon(),
             .domain = {.minimum = 0, .maximum = 1, .open_maximum = true},
             .role = AxisRole::solution,
             .default_text = "2^-52"},
            {.name = "gjg",
             .summary = "Also compute G J G* of the factors, in double and quad (columns gjg_...)",
             .default_value = false,
             .domain = {.optional = true},
             .role = AxisRole::solution},
            backend_axis_info(),
            threads_axis_info(),
            batch_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"--pivot BP,RK --alpha 0.01:0.99:0.14,a0 -n 500 --generator random,kkt",
            "-n 256:1024:256 --pivot BP,RK,BK --baseline lapack:dsytrf,lapack:dsytrf_rook",
            "-n 100 --type z --symmetry hermitian,symmetric --generator 'latb4;type={1..10}'",
            "--generator file:A.mtx.gz --tolerance 0,1e-12 --format csv"};
  }

  static void read_axes(const experiments::Case& axes, Case& read) {
    if (read.type == ScalarType::d) read.symmetry = Symmetry::symmetric;
    read.tolerance = number_axis(axes, "tolerance");
    if (!(0 <= read.tolerance && read.tolerance < 1))
      throw InputError(fmt::format("tolerance: {} is not in [0, 1); it is relative to max|A|", read.tolerance));
    const auto calls = [&](const char* routine) { return read.solver.find(routine) != std::string::npos; };
    const bool packed =
        read.variant ? read.batch == 1 && text_axis(axes, "storage") == "packed" : calls("sptrf") || calls("hptrf");
    read.storage = packed ? LdltStorage::packed : LdltStorage::full;
    read.gjg = flag_axis(axes, "gjg") && read.variant;
    if (read.gjg && read.type == ScalarType::z && read.symmetry == Symmetry::symmetric)
      throw InputError("gjg: a complex symmetric matrix has no signs for J; take hermitian, or leave it out");
  }
  /// Batches decide by noise which pivots are zero.
  static void require_batch(const Case& wanted) {
    if (!wanted.variant) return;
    if (wanted.variant->equilibrate) throw InputError("solver: batches have no equilibration; take a variant without");
    if (wanted.variant->pivoting == Pivoting::none)
      throw InputError("solver: batches search their pivots; take another variant");
    if (wanted.type == ScalarType::z && wanted.symmetry == Symmetry::symmetric)
      throw InputError("symmetry: batches are of real symmetric or Hermitian matrices; take hermitian");
    if (wanted.gjg) throw InputError("gjg: batches do not have it; leave it out, or take batch 1");
    if (wanted.tolerance != std::numeric_limits<double>::epsilon())
      throw InputError("tolerance: batches decide by rounding noise what is zero; leave it out, or take batch 1");
  }
  static void write_axes(const Case& interpreted, experiments::Case& axes) {
    axes["symmetry"] = name_of(interpreted.symmetry);
    axes["storage"] = std::string(interpreted.storage == LdltStorage::packed ? "packed" : "full");
    axes["tolerance"] = interpreted.tolerance == 0 ? Value(std::int64_t{0}) : Value(interpreted.tolerance);
    if (interpreted.gjg) axes["gjg"] = true;  // cases without gjg keep their keys from before this axis was added
  }

  template <class T>
  static LdltProblem<T> problem(SymmetricMatrix<T> matrix, const Case&) {
    auto [B, X_true] = make_system(matrix.A, known_right_hand_sides);
    return {std::move(matrix), std::move(B), std::move(X_true)};
  }
  /// The inertia is certified if that takes no longer than judging: on a GPU, or for a matrix that is not large,
  /// because it may require further factorizations. Exact arithmetic would tell the signs of a generator's rounding
  /// errors.
  static void read_options(const Case& wanted, Options& options) {
    options.symmetry = wanted.symmetry;
    options.storage = wanted.storage;
    options.rank_tolerance = wanted.tolerance;
    options.gjg = wanted.gjg;
    if (wanted.by_baseline() && !wanted.by_own()) return;
    if (wanted.type == ScalarType::z && wanted.symmetry == Symmetry::symmetric) return;
    InertiaOptions certify{.equilibrate = !wanted.variant || wanted.variant->equilibrate,
                           .unsearched_depth = wanted.variant ? unsearched_depth(*wanted.variant) : std::nullopt,
                           .highest = InertiaLevel::in_double};
    if (wanted.on_gpu()) certify.backend = Backend::cuda;
    if (wanted.on_gpu() || wanted.n <= certify.residual_limit) options.certify = certify;
  }
  template <class T>
  static LdltProblemFacts problem_facts(const LdltProblem<T>& problem) {
    LdltProblemFacts facts{.provenance = problem.provenance,
                           .largest_element = largest_modulus(problem.A, 0),
                           .norm_inf = norm_1(problem.A, 0, 0),
                           .inertia = problem.inertia};
    if (const auto& eigenvalues = problem.eigenvalues; !eigenvalues.empty()) {
      const auto smaller = [](const Quad& x, const Quad& y) { return abs(x) < abs(y); };
      const auto [least, most] = std::ranges::minmax_element(eigenvalues, smaller);
      facts.smallest_eigenvalue = static_cast<double>(abs(*least));
      facts.largest_eigenvalue = static_cast<double>(abs(*most));
    }
    return facts;
  }
  static nlohmann::json write_metrics(const Metrics& metrics) {
    return write_judged<LdltMetrics>(metric_rows(), metrics);
  }
  static const LdltSolverFacts& solution_facts(const Metrics& metrics, const LdltOutcome&) { return metrics.facts; }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string matrix, right, pictures, stages, pivot = "RK", alpha, depth, equilibrate = "on", triangle = "whole",
                                                 symmetry = "hermitian", certify = "on", inertia;
    std::optional<double> tolerance = {};
  };

  static LdltVariant variant_of(const Command& command) {
    std::map<std::string, std::string> items = {{"pivoting", command.pivot}, {"equilibrate", command.equilibrate}};
    if (!command.alpha.empty()) items["alpha"] = command.alpha;
    if (!command.depth.empty()) items["depth"] = command.depth;
    const std::vector<std::string> chosen = names().sweep(items);
    if (chosen.size() != 1)
      throw InputError("solve: takes one variant; give one value of --pivot, --alpha, --depth, --equilibrate");
    return names().parse(chosen.front());
  }
  static void read_options(const Command& command, Options& options) {
    options.rank_tolerance = command.tolerance;
    if (command.tolerance.value_or(0) >= 1)
      throw InputError(fmt::format("--tolerance: {} is not below 1; it is relative to max|A|", *command.tolerance));
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.matrix, command.right}; }
  static std::vector<std::string> outputs(const Command& command) { return {command.output, command.pictures}; }
  static AnySystem read(const Command& command) {
    return with_right_hand_sides(
        read_input_symmetric(command.matrix, parse_triangle(command.triangle),
                             command.symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::hermitian),
        command.right);
  }
  template <class T>
  static LdltProblem<T> problem(LinearSystem<T> system, const Command&) {
    return {std::move(system.matrix), std::move(system.B)};
  }
  template <class T>
  static void complete(const Command& command, const LdltProblem<T>& problem, Options& options) {
    options.symmetry = problem.symmetry;
    if (!command.baseline.empty()) return;
    options.pictures = chosen_stages(command, problem.A.rows());
    options.wanted = parse_inertia(command.inertia);
    const bool has_inertia = !is_complex<T> || problem.symmetry == Symmetry::hermitian;
    if (options.wanted && !has_inertia)
      throw InputError("--inertia: a complex symmetric matrix has no inertia; take --symmetry hermitian");
    if ((command.certify == "off" && !options.wanted) || !has_inertia) return;
    options.certify = {.equilibrate = options.variant.equilibrate,
                       .unsearched_depth = unsearched_depth(options.variant),
                       .backend = options.backend == Backend::cuda ? Backend::cuda : Backend::host,
                       .threads = options.threads};
    if (command.certify == "double") options.certify->highest = InertiaLevel::in_double;
    if (command.certify == "residual") options.certify->residual_limit = std::numeric_limits<Index>::max();
  }
  static SolutionFacts facts(const auto& judged) {
    return ldlt_facts(judged.problem.A.rows(), judged.problem.B.cols(), judged.result, judged.metrics);
  }
  static void write(const std::string& file, const auto& judged, Attributes attributes) {
    attributes.erase("solver"), attributes.erase("verdict");
    attributes["status"] = to_string(judged.status);
    attributes["message"] = judged.message;
    if (judged.result.inertia) attributes["certificate"] = to_string(*judged.result.inertia);
    write_factors(file, judged.result, judged.problem.symmetry, attributes);
  }
  static void write_more(const Command& command, const auto& judged) {
    if (judged.options.pictures.empty()) return;
    const nlohmann::json pictures =
        pictures_of(std::get<0>(judged.result.factors), judged.options.pictures, judged.problem.provenance);
    write_atomically(command.pictures, pictures.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  }

  static CommandDescription describe(Command& command) {
    const auto variant_option = [](const char* row, std::string& item) {
      return row_option(*std::ranges::find(ldlt_names().rows(), row, &OptionRow::name), item);
    };
    return {
        .title = "Symmetric indefinite factorization, inertia, and solution of a linear system",
        .options = {{"A", &command.matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                    {"--rhs", &command.right, "Right-hand sides B of A X = B, a file like A's", "FILE"},
                    hdf5_output_option(command.output, "M, D, the permutation (and X)"),
                    {"--stages", &command.pictures, "JSON file for pictures of A at stages of the factorization",
                     "FILE"},
                    force_option(command.force),
                    {.name = "--at",
                     .target = &command.stages,
                     .help = "Which stages, from 1 to n: a list and ranges (default: six)",
                     .value_name = "LIST",
                     .needs = "--stages"},
                    variant_option("pivoting", command.pivot),
                    variant_option("alpha", command.alpha),
                    variant_option("depth", command.depth),
                    variant_option("equilibrate", command.equilibrate),
                    baseline_option(command.baseline, {"--pivot", "--alpha", "--depth", "--equilibrate", "--backend",
                                                       "--certify", "--inertia", "--stages"}),
                    {.name = "--tolerance",
                     .target = &command.tolerance,
                     .help = "What counts as zero, relative to max|A| or max|S A S| (default: rounding noise)",
                     .value_name = "X",
                     .minimum = 0},
                    triangle_option(command.triangle),
                    {"--symmetry",
                     &command.symmetry,
                     "Symmetry of a complex matrix: hermitian or symmetric",
                     "NAME",
                     false,
                     {"hermitian", "symmetric"}},
                    {"--certify",
                     &command.certify,
                     "Certify the inertia: on, double (double precision only), residual (also above n = 4096) or off",
                     "NAME",
                     false,
                     {"on", "double", "residual", "off"}},
                    {"--inertia", &command.inertia,
                     "Find the least shifts for this inertia: of A, and of H, its first n rows", "n,m,0"},
                    backend_option(command.backend),
                    threads_option(command.threads)},
        .notes =
            "P S A S P^T = M D M^T with M unit lower triangular and D of 1x1 and 2x2 blocks; S is the identity "
            "without\n"
            "--equilibrate and keeps the inertia with it. X is refined iteratively.",
        .examples = {"A.mtx --rhs b.mtx -o out.h5", "A.h5 --pivot rook --alpha 0.5",
                     "A.h5 --stages stages.json --at 1,100,200",
                     "A.mtx.gz --triangle lower --tolerance 1e-12 --format json", "kkt.mtx --inertia 120,40,0",
                     "A.mtx --rhs b.mtx --baseline 'lapack:?sytrf_rook'"}};
  }

  static GenerateTexts generate() {
    return {.title = "Symmetric or Hermitian matrix",
            .generator = "equidistant",
            .symmetries = true,
            .notes = "HDF5 keeps the exact eigenvalues and the inertia with the matrix, where they are known.",
            .examples = {"equidistant -n 512 -o A.h5", "'kkt;constraints=0.25' -n 300 --seed 3 -o kkt.mtx.gz",
                         "random --type z --symmetry symmetric -n 128 -o A.h5"}};
  }

 private:
  /// Returns the levels of the butterfly of a variant without a search.
  static std::optional<int> unsearched_depth(const LdltVariant& variant) {
    return variant.pivoting == Pivoting::none ? std::optional(variant.depth) : std::nullopt;
  }

  /// Returns the stages of the pictures; none without an output file for pictures.
  static std::vector<Index> chosen_stages(const Command& command, Index n) {
    if (command.pictures.empty()) return {};
    if (command.stages.empty()) return usual_stages(n);
    const std::vector<std::int64_t> stages = parse_integers("--at", command.stages);
    with_option_context("--at", [&] { require_stages(stages, n); });
    return stages;
  }

  template <class T>
  static void write_factors(const std::string& file, const LdltSolved<T>& solved, Symmetry symmetry,
                            const Attributes& attributes) {
    if (const auto* f = std::get_if<LdltFactorization<T>>(&solved.factors))
      write_ldlt(file, *f, solved.X.view(), attributes);
    else
      write_ldlt(file, std::get<LdltBaselineResult<T>>(solved.factors), solved.baseline, symmetry, attributes);
  }
};

}  // namespace

const Method& ldlt_method() {
  static const MethodOf<LdltExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
