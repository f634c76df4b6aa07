#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/eig/eig.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

namespace pivotlab::experiments {
namespace {

struct GenerateCommand {
  std::string type = "z", output;
  bool force = false;
  GeneralRequest request;
};

std::string describe(const AnyGeneral& any) {
  return std::visit(
      []<class T>(const GeneralMatrix<T>& matrix) {
        return fmt::format("{0} x {0}, {1}: {2}", matrix.A.rows(), is_complex<T> ? "complex" : "real",
                           matrix.provenance);
      },
      any);
}

CommandResult run(GenerateCommand command) {
  require_no_files(generals().sources, command.request.generator);
  command.request.type = parse_scalar_type("--type", command.type);
  const bool is_text = is_matrix_market(command.output);
  require_outputs({}, {command.output}, command.force);
  const AnyGeneral any = generate_general(command.request);
  if (is_text)
    std::visit([&](const auto& matrix) { write_matrix_market(command.output, matrix.A); }, any);
  else
    write_general(command.output, any, problem_attributes());
  return {.files = {command.output}, .content = describe(any)};
}

}  // namespace

std::shared_ptr<const CommandDescription> generate_eig_command() {
  const auto command = std::make_shared<GenerateCommand>();
  std::vector<CommandOption> options = request_options(command->request, command->type);
  const std::vector<CommandOption> own = {{"-n,--dim", &command->request.n, "Order", "N", true},
                                          {"-o,--output", &command->output, "File (.h5, .mtx, .mtx.gz)", "FILE", true},
                                          force_option(command->force)};
  options.insert(options.end(), own.begin(), own.end());
  return std::make_shared<CommandDescription>(
      CommandDescription{.title = "General square matrix",
                         .options = std::move(options),
                         .notes = "HDF5 keeps the true eigenvalues with the matrix, where they are known.",
                         .examples = {"'similarity;kappa=1e6' -n 64 -o A.h5", "grcar --type d -n 64 -o grcar.mtx",
                                      "'random;truth=none' -n 1024 --seed 3 -o A.h5"},
                         .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
