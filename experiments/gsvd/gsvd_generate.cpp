#include <fmt/format.h>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <experiments/problems/pairs.hpp>
#include <experiments/problems/sign_file.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

namespace pivotlab::experiments {
namespace {

struct GenerateCommand {
  std::string type = "d", output, format, signs = "third", signs_output;
  bool force = false;
  PairRequest request;
  PairFileOptions file;
};

std::string format_of(const GenerateCommand& command) {
  if (!command.format.empty()) return command.format;
  const std::string& name = command.output;
  if (name.ends_with(".h5") || name.ends_with(".hdf5")) return "h5";
  if (name.ends_with(".mtx") || name.ends_with(".mtx.gz")) return "mtx";
  throw InputError(fmt::format("-o: unknown extension of '{}'; use .h5 or .mtx, or give --format raw", name));
}

// pair.mtx.gz becomes pair.F.mtx.gz and pair.G.mtx.gz.
std::string with_letter(const std::string& output, char letter) {
  const auto folder = output.rfind('/') == std::string::npos ? 0 : output.rfind('/') + 1;
  const auto dot = output.find(".mtx", folder);
  return dot == std::string::npos ? fmt::format("{}.{}.mtx", output, letter)
                                  : fmt::format("{}.{}{}", output.substr(0, dot), letter, output.substr(dot));
}

std::vector<std::string> outputs(const GenerateCommand& command, const std::string& format) {
  if (format == "h5") return {command.output};
  if (format == "raw") return {command.output + ".Y", command.output + ".W"};
  return {with_letter(command.output, 'F'), with_letter(command.output, 'G')};
}

void write(const GenerateCommand& command, const std::string& format, const std::vector<std::string>& files,
           const AnyPair& pair) {
  if (format == "h5") return write_pair(command.output, pair, command.file, problem_attributes());
  if (format == "raw") return write_raw_pair(command.output, pair);
  std::visit(
      [&](const auto& p) {
        write_matrix_market(files[0], p.F);
        write_matrix_market(files[1], p.G);
      },
      pair);
}

CommandResult run(GenerateCommand command) {
  require_no_files(pairs().sources, command.request.generator);
  command.request.type = parse_scalar_type("--type", command.type);
  const std::string format = format_of(command);
  if (format == "h5") require_hdf5_name(command.output);
  std::vector<std::string> files = outputs(command, format);
  if (!command.signs_output.empty()) files.push_back(matrix_market_output("--signs-output", command.signs_output));
  require_outputs({}, files, command.force);
  const AnyPair pair = generate_pair(command.request);
  write(command, format, files, pair);
  if (!command.signs_output.empty()) {
    const Index rows = std::visit([](const auto& made) { return made.F.rows(); }, pair);
    write_signs(command.signs_output, generate_signs(command.signs, rows, command.request.seed));
  }
  return {.files = files, .content = describe(pair)};
}

std::vector<CommandOption> pair_options(GenerateCommand& command) {
  std::vector<CommandOption> options = request_options(command.request, command.type);
  const std::vector<CommandOption> own = {
      {"-n,--dim", &command.request.n, "Order: columns of F and G", "N", true},
      {"--m-f", &command.request.m_f, "Rows of F (default n)", "M"},
      {"--m-g", &command.request.m_g, "Rows of G (default n)", "M"},
      {"-o,--output", &command.output, "File (.h5, .mtx, .mtx.gz), or the stem of .Y and .W with --format raw", "FILE",
       true},
      force_option(command.force),
      {"--format",
       &command.format,
       "h5, mtx (two files) or raw (default: as the file's name ends)",
       "NAME",
       false,
       {"h5", "mtx", "raw"}},
      {.name = "--compression",
       .target = &command.file.compression,
       .help = "Deflate level of HDF5",
       .value_name = "0-9",
       .minimum = 0,
       .maximum = 9},
      {"--one-triangle", &command.file.one_triangle, "Store one triangle of Hermitian matrices in HDF5"}};
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

}  // namespace

std::shared_ptr<const CommandDescription> generate_gsvd_command() {
  const auto command = std::make_shared<GenerateCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Pair (F, G)",
      .options = pair_options(*command),
      .notes =
          "Pairs are made in quadruple precision and rounded once; HDF5 keeps the exact singular values with them.",
      .examples = {"paper -n 512 -o pair.h5", "'graded;g=8;side=left' -n 64 --m-f 96 --seed 3 -o graded.h5",
                   "paper --type z -n 128 -o stem --format raw"},
      .run = [command] { return run(*command); }});
}

std::shared_ptr<const CommandDescription> generate_signed_pair_command() {
  const auto command = std::make_shared<GenerateCommand>();
  command->request.generator = "random", command->request.sigma = false;
  std::vector<CommandOption> options = pair_options(*command);
  options.push_back({"--signs-output", &command->signs_output, "File for the signs J of the rows of F (.mtx)", "FILE"});
  options.push_back({"--signs", &command->signs, "Pattern of J: positive, halves, third, random", "PATTERN"});
  return std::make_shared<CommandDescription>(
      CommandDescription{.title = "Pair (F, G), and signs of the rows of F",
                         .options = std::move(options),
                         .examples = {"'two-sided;columns_f=random;g=4' -n 32 --m-f 64 -o pair.h5 --signs-output J.mtx",
                                      "neutral -n 32 --m-f 64 -o pair.mtx --signs halves --signs-output J.mtx"},
                         .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
