#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <experiments/problems/symmetrics.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

namespace pivotlab::experiments {
namespace {

struct GenerateCommand {
  std::string type = "d", symmetry = "hermitian", output;
  bool force = false;
  SymmetricRequest request;
};

CommandResult run(GenerateCommand command) {
  require_no_files(symmetrics().sources, command.request.generator);
  command.request.type = parse_scalar_type("--type", command.type);
  command.request.symmetry = command.symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::hermitian;
  const bool is_text = is_matrix_market(command.output);
  require_outputs({}, {command.output}, command.force);
  const AnySymmetric any = generate_symmetric(command.request);
  if (is_text)
    std::visit([&](const auto& matrix) { write_matrix_market(command.output, matrix.A); }, any);
  else
    write_symmetric(command.output, any, problem_attributes());
  return {.files = {command.output}, .content = describe(any)};
}

using Options = std::vector<CommandOption>;

/// Describes a command with these options in the middle.
std::shared_ptr<const CommandDescription> describe(const std::shared_ptr<GenerateCommand>& command, std::string title,
                                                   const Options& middle, std::vector<std::string> examples) {
  Options options = request_options(command->request, command->type);
  options.push_back({"-n,--dim", &command->request.n, "Order", "N", true});
  options.insert(options.end(), middle.begin(), middle.end());
  options.push_back({"-o,--output", &command->output, "File (.h5, .mtx, .mtx.gz)", "FILE", true});
  options.push_back(force_option(command->force));
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = std::move(title),
      .options = std::move(options),
      .notes = "HDF5 keeps the exact eigenvalues and the inertia with the matrix, where they are known.",
      .examples = std::move(examples),
      .run = [command] { return run(*command); }});
}

}  // namespace

std::shared_ptr<const CommandDescription> generate_ldlt_command() {
  const auto command = std::make_shared<GenerateCommand>();
  return describe(command, "Symmetric or Hermitian matrix",
                  {{"--symmetry",
                    &command->symmetry,
                    "Symmetry of a complex matrix: hermitian or symmetric",
                    "NAME",
                    false,
                    {"hermitian", "symmetric"}}},
                  {"equidistant -n 512 -o A.h5", "'kkt;constraints=0.25' -n 300 --seed 3 -o kkt.mtx.gz",
                   "random --type z --symmetry symmetric -n 128 -o A.h5"});
}

std::shared_ptr<const CommandDescription> generate_eigh_command() {
  return describe(std::make_shared<GenerateCommand>(), "Hermitian matrix", {},
                  {"'graded;g=6' -n 200 -o A.mtx", "'quasidefinite;g=4' --type z -n 128 -o A.h5"});
}

}  // namespace pivotlab::experiments
