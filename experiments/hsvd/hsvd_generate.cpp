#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/problems/sign_file.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

namespace pivotlab::experiments {
namespace {

struct GenerateCommand {
  std::string type = "d", output, signs_output, signs = "halves";
  bool force = false;
  RectangularRequest request;
};

CommandResult run(GenerateCommand command) {
  require_no_files(rectangulars().sources, command.request.generator);
  command.request.type = parse_scalar_type("--type", command.type);
  std::vector<std::string> outputs = {matrix_market_output("-o", command.output)};
  const bool with_signs = !command.signs_output.empty();
  if (with_signs) outputs.push_back(matrix_market_output("--signs-output", command.signs_output));
  require_outputs({}, outputs, command.force);
  const AnyMatrix any = generate_rectangular(command.request);
  write_matrix_market(command.output, any);
  const auto [m, n] = std::visit([](const auto& G) { return std::pair(G.rows(), G.cols()); }, any);
  if (with_signs) write_signs(command.signs_output, generate_signs(command.signs, n, command.request.seed));
  return {.files = outputs,
          .content =
              fmt::format("{} x {}, {}: {}, seed {}", m, n, command.request.type == ScalarType::z ? "complex" : "real",
                          canonical_rectangular_generator(command.request.generator), command.request.seed)};
}

}  // namespace

std::shared_ptr<const CommandDescription> generate_hsvd_command() {
  const auto command = std::make_shared<GenerateCommand>();
  std::vector<CommandOption> options = request_options(command->request, command->type);
  const std::vector<CommandOption> own = {
      {"-n,--dim", &command->request.n, "Columns", "N", true},
      {"-m,--rows", &command->request.m, "Rows, at least n (default: n)", "M"},
      {"-o,--output", &command->output, "File for G (.mtx, .mtx.gz)", "FILE", true},
      {"--signs-output", &command->signs_output, "File for the signs J (.mtx)", "FILE"},
      {"--signs", &command->signs, "Pattern of J: positive, halves, third, random", "PATTERN"},
      force_option(command->force)};
  options.insert(options.end(), own.begin(), own.end());
  return std::make_shared<CommandDescription>(
      CommandDescription{.title = "Matrix with at least as many rows as columns, and signs of the columns",
                         .options = std::move(options),
                         .examples = {"'graded;g=8' -n 64 -m 100 -o G.mtx",
                                      "'parallel;gap=1e-4' -n 32 -o G.mtx --signs halves --signs-output J.mtx"},
                         .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
