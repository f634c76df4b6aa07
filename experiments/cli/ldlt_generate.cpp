#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <experiments/cli/by_method.hpp>
#include <experiments/cli/generate_options.hpp>
#include <experiments/cli/pair_files.hpp>
#include <experiments/cli/symmetric_files.hpp>

namespace pivotlab::cli {
namespace {

struct GenerateCommand {
  std::string type = "d", symmetry = "hermitian", output;
  bool force = false;
  SymmetricRequest request;
};

int run(GenerateCommand command) {
  command.request.type = parse_scalar_type("--type", command.type);
  command.request.symmetry = parse_symmetry(command.symmetry);
  const std::string& name = command.output;
  const bool is_text = is_matrix_market(name);
  require_outputs({}, {name}, command.force);
  const AnySymmetric any = generate_symmetric(command.request);
  if (is_text)
    std::visit([&](const auto& matrix) { write_matrix_market(name, matrix.A); }, any);
  else
    write_symmetric(name, any);
  tell_written({name}, describe(any));
  return exit_fine;
}

}  // namespace

Command add_ldlt_generate(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("ldlt", "A symmetric or Hermitian matrix");
  auto command = std::make_shared<GenerateCommand>();
  add_generator(*app, command->request);
  app->add_option("-n,--dim", command->request.n, "Order")->required()->type_name("N");
  add_type(*app, command->type);
  app->add_option("--symmetry", command->symmetry, "Of a complex matrix: hermitian or symmetric")
      ->type_name("NAME")
      ->capture_default_str();
  add_seed_and_threads(*app, command->request);
  add_matrix_output(*app, command->output, command->force);
  app->footer(
      "HDF5 keeps the exact eigenvalues and the inertia with the matrix, where they are known.\n\n"
      "Examples:\n"
      "  pivotlab generate ldlt equidistant -n 512 -o A.h5\n"
      "  pivotlab generate ldlt 'kkt;constraints=0.25' -n 300 --seed 3 -o kkt.mtx.gz\n"
      "  pivotlab generate ldlt random --type z --symmetry symmetric -n 128 -o A.h5");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
