#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <experiments/cli/by_method.hpp>
#include <experiments/cli/general_files.hpp>
#include <experiments/cli/pair_files.hpp>

namespace pivotlab::cli {
namespace {

struct GenerateCommand {
  std::string type = "z", output;
  GeneralRequest request;
};

int run(GenerateCommand command) {
  command.request.type = parse_scalar_type("--type", command.type);
  const std::string& name = command.output;
  const bool is_text = name.ends_with(".mtx") || name.ends_with(".mtx.gz");
  if (!is_text && !name.ends_with(".h5") && !name.ends_with(".hdf5"))
    throw InputError(fmt::format("-o: '{}' does not tell a format; end it in .h5, .mtx or .mtx.gz", name));
  const AnyGeneral any = generate_general(command.request);
  if (is_text)
    std::visit([&](const auto& matrix) { write_matrix_market(name, matrix.A); }, any);
  else
    write_general(name, any);
  std::cout << name << '\n';
  std::cerr << describe(any) << '\n';
  return exit_fine;
}

}  // namespace

Command add_eig_generate(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("eig", "A general square matrix");
  auto command = std::make_shared<GenerateCommand>();
  app->add_option("generator", command->request.generator, "Name with options (pivotlab list generators)")
      ->required()
      ->type_name("");
  app->add_option("-n,--dim", command->request.n, "Order")->required()->type_name("N");
  app->add_option("--type", command->type, "d (real) or z (complex)")->type_name("T")->capture_default_str();
  app->add_option("--seed", command->request.seed, "The same seed gives the same bits")
      ->type_name("N")
      ->capture_default_str();
  app->add_option("--threads", command->request.threads, "Never changes a bit")->type_name("N")->check(positive());
  app->add_option("-o,--output", command->output, "File (.h5, .mtx, .mtx.gz)")->required()->type_name("FILE");
  app->footer(
      "HDF5 keeps the true eigenvalues with the matrix, where they are known.\n\n"
      "Examples:\n"
      "  pivotlab generate eig 'similarity;kappa=1e6' -n 64 -o A.h5\n"
      "  pivotlab generate eig grcar --type d -n 64 -o grcar.mtx\n"
      "  pivotlab generate eig 'random;truth=none' -n 1024 --seed 3 -o A.h5");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
