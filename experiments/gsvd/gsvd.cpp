#include <experiments/generic/generate.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <iterator>

namespace pivotlab::experiments {
namespace {

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

  static const Kind<AnyPair>& kind() { return pairs(); }
  static std::vector<const VariantNames*> variants() { return {&gsvd_names(), &distributed_names(), &tangent_names()}; }
  static std::vector<std::vector<BaselineInfo>> baselines() {
    return {list_gsvd_baselines(ScalarType::d), list_gsvd_baselines(ScalarType::z)};
  }
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
         .summary =
             "Number of GPUs, or of groups of threads, of a solver such as '?HZ0-(ME-BO, ME-FB-ME)'; others have none",
         .default_value = std::int64_t{1},
         .domain = {.optional = true, .minimum = 1},
         .role = AxisRole::platform,
         .without_cases = "take a solver over ranks, such as '?HZ0-(ME-BO, ME-FB-ME)'"},
        {.name = "transport",
         .summary = "Way of its stripes from GPU to GPU: copy, nccl, mpi (of processes), host (through its memory)",
         .default_value = std::string("copy"),
         .domain = {.optional = true, .choices = {"copy", "nccl", "mpi", "host"}},
         .role = AxisRole::platform,
         .without_cases = "it is a way from GPU to GPU; take --backend cuda and a solver over ranks"}};
  }
  static std::vector<std::string> sweep_examples() {
    return {"--variant 0:7 --block FB,BO -n 64:256:64 --baseline lapack:dggsvd3",
            "--type d,z --variant 0:7 --block FB,BO --outer ME,MM -n 128",
            "-n 256 -w 8,16,32,64 --sort on,off --repeat 5",
            "-n 100,200 --m-f 2n --m-g 400 --generator 'graded;g={4,8,12}' --format csv",
            "-n 96 --solver '?HZ{0..7}-({ME,MM}-FB-ME)' -o runs/strategies",
            "--type z -n 192 --solver A,B,C,D --ranks 1,2,4",
            "-n 12 --m-f 9 --m-g 7 --generator 'ranks;k=2;l={3,5}' --baseline lapack:?ggsvd3"};
  }
  static std::vector<Section> sections() {
    return {{"problem", quantities_of(gsvd_problem_rows())},
            {"convergence", quantities_of(gsvd_convergence_rows())},
            {"metrics", quantities_of(gsvd_metric_rows())}};
  }

  static Case interpret(const experiments::Case& axes) { return experiments::interpret(axes); }
  static void write_axes(const Case& interpreted, experiments::Case& axes) {
    if (!interpreted.over_ranks) return;
    axes["ranks"] = std::int64_t{interpreted.over_ranks->ranks};
    axes["transport"] = interpreted.over_ranks->transport;
  }
  static Estimate estimate(const Case& wanted) { return estimate_gsvd(wanted); }
  static std::unique_ptr<Problem> problem_of_engine(AnyPair pair) { return make_gsvd_problem(std::move(pair)); }
  static std::shared_ptr<const CommandDescription> solve_command() { return solve_gsvd_command(); }
  static std::shared_ptr<const CommandDescription> generate_command() {
    const auto command = generate_command_of("paper");
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Pair (F, G)",
        .options = generate_pair_options(*command),
        .notes =
            "Pairs are made in quadruple precision and rounded once; HDF5 keeps the exact singular values with them.",
        .examples = {"paper -n 512 -o pair.h5", "'graded;g=8;side=left' -n 64 --m-f 96 --seed 3 -o graded.h5",
                     "paper --type z -n 128 -o stem --format raw"},
        .run = [command] { return run_generate(kind(), *command); }});
  }
};

class GsvdMethod final : public MethodOf<GsvdExperiment> {
 public:
  std::string_view ranks_axis() const override { return "ranks"; }
  std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const override {
    return make_gsvd_problem_over(ranks, interpret(axes));
  }
  std::shared_ptr<const CommandDescription> solve_command_over(Transport& ranks) const override {
    return solve_gsvd_command_over(ranks);
  }
};

}  // namespace

std::vector<CommandOption> generate_pair_options(GenerateCommand& command) {
  std::vector<CommandOption> options = problem_options(pairs(), command, "Order: columns of F and G");
  std::ranges::move(
      std::vector<CommandOption>{
          output_option(command, "File (.h5, .mtx, .mtx.gz), or the stem of .Y and .W with --format raw"),
          force_option(command.force),
          {"--format",
           &command.format,
           "h5, mtx (two files) or raw (default: as the file's name ends)",
           "NAME",
           false,
           {"h5", "mtx", "raw"}},
          {.name = "--compression",
           .target = &command.pair.compression,
           .help = "Deflate level of HDF5",
           .value_name = "0-9",
           .minimum = 0,
           .maximum = 9},
          {"--one-triangle", &command.pair.one_triangle, "Store one triangle of Hermitian matrices in HDF5"}},
      std::back_inserter(options));
  return options;
}

const Method& gsvd_method() {
  static const GsvdMethod method;
  return method;
}

}  // namespace pivotlab::experiments
