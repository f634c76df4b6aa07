#include <experiments/generic/generate.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <variants/names.hpp>

#include <limits>

namespace pivotlab::experiments {
namespace {

struct LdltExperiment {
  static constexpr MethodTexts texts = {
      .name = "ldlt",
      .title = "Symmetric indefinite factorization",
      .summary = "P·A·Pᵀ = M·D·M* with complete (Bunch–Parlett), rook or partial (Bunch–Kaufman) pivoting",
      .claims = {
          "the factors are those of a matrix that differs from A by at most the bound of dsyt01, solutions have the "
          "backward error of dpot02, and the pivots obey the bounds of the pivoting",
          "the inertia of A, which a certificate alone does (docs/inertia.md); solutions of ill-conditioned "
          "systems, whose error solve_error tells"}};
  using Case = LdltCase;

  static const Kind<AnySymmetric>& kind() { return symmetrics(); }
  static std::vector<const VariantNames*> variants() { return {&ldlt_names()}; }
  static std::vector<std::vector<BaselineInfo>> baselines() {
    return {list_ldlt_baselines(ScalarType::d), list_ldlt_baselines(ScalarType::z, Symmetry::hermitian),
            list_ldlt_baselines(ScalarType::z, Symmetry::symmetric)};
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
             .summary = "Also compute G J G* of the variants, beside the same in quad (columns gjg_...)",
             .default_value = false,
             .domain = {.optional = true},
             .role = AxisRole::solution},
            backend_axis_info(),
            threads_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"--pivot BP,RK --alpha 0.01:0.99:0.14,a0 -n 500 --generator random,kkt",
            "-n 256:1024:256 --pivot BP,RK,BK --baseline lapack:dsytrf,lapack:dsytrf_rook",
            "-n 100 --type z --symmetry hermitian,symmetric --generator 'latb4;type={1..10}'",
            "--generator file:A.mtx.gz --tolerance 0,1e-12 --format csv"};
  }
  static std::vector<Section> sections() {
    return {{"problem", quantities_of(ldlt_problem_rows())},
            {"metrics", quantities_of(ldlt_metric_rows(), ldlt_solver_rows())}};
  }

  static Case interpret(const experiments::Case& axes) { return interpret_ldlt(axes); }
  static void write_axes(const Case& interpreted, experiments::Case& axes) {
    experiments::write_axes(interpreted, axes);
  }
  static Estimate estimate(const Case& wanted) { return estimate_ldlt(wanted); }
  static std::unique_ptr<Problem> problem_of_engine(AnySymmetric matrix) {
    return make_ldlt_problem(std::move(matrix));
  }
  static std::shared_ptr<const CommandDescription> solve_command() { return solve_ldlt_command(); }
  static std::shared_ptr<const CommandDescription> generate_command() {
    const auto command = generate_command_of("equidistant");
    std::vector<CommandOption> options = problem_options(kind(), *command, "Order");
    options.push_back({"--symmetry",
                       &command->symmetry,
                       "Symmetry of a complex matrix: hermitian or symmetric",
                       "NAME",
                       false,
                       {"hermitian", "symmetric"}});
    options.push_back(output_option(*command, "File (.h5, .mtx, .mtx.gz)"));
    options.push_back(force_option(command->force));
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Symmetric or Hermitian matrix",
        .options = std::move(options),
        .notes = "HDF5 keeps the exact eigenvalues and the inertia with the matrix, where they are known.",
        .examples = {"equidistant -n 512 -o A.h5", "'kkt;constraints=0.25' -n 300 --seed 3 -o kkt.mtx.gz",
                     "random --type z --symmetry symmetric -n 128 -o A.h5"},
        .run = [command] { return run_generate(kind(), *command); }});
  }
};

}  // namespace

const Method& ldlt_method() {
  static const MethodOf<LdltExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
