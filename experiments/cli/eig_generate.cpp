#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <experiments/cli/by_method.hpp>
#include <experiments/cli/general_files.hpp>
#include <experiments/cli/generate_options.hpp>
#include <experiments/cli/pair_files.hpp>

namespace pivotlab::cli {
namespace {

struct GenerateCommand {
  std::string type = "z", output;
  bool force = false;
  GeneralRequest request;
};

int run(GenerateCommand command) {
  command.request.type = parse_scalar_type("--type", command.type);
  const std::string& name = command.output;
  const bool is_text = is_matrix_market(name);
  require_outputs({}, {name}, command.force);
  const AnyGeneral any = generate_general(command.request);
  if (is_text)
    std::visit([&](const auto& matrix) { write_matrix_market(name, matrix.A); }, any);
  else
    write_general(name, any);
  tell_written({name}, describe(any));
  return exit_fine;
}

}  // namespace

Command add_eig_generate(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("eig", "A general square matrix");
  auto command = std::make_shared<GenerateCommand>();
  add_generator(*app, command->request);
  app->add_option("-n,--dim", command->request.n, "Order")->required()->type_name("N");
  add_type(*app, command->type);
  add_seed_and_threads(*app, command->request);
  add_matrix_output(*app, command->output, command->force);
  app->footer(
      "HDF5 keeps the true eigenvalues with the matrix, where they are known.\n\n"
      "Examples:\n"
      "  pivotlab generate eig 'similarity;kappa=1e6' -n 64 -o A.h5\n"
      "  pivotlab generate eig grcar --type d -n 64 -o grcar.mtx\n"
      "  pivotlab generate eig 'random;truth=none' -n 1024 --seed 3 -o A.h5");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
