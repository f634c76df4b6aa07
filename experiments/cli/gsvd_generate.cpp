#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <experiments/cli/by_method.hpp>
#include <experiments/cli/generate_options.hpp>
#include <experiments/cli/pair_files.hpp>

namespace pivotlab::cli {
namespace {

struct GenerateCommand {
  std::string type = "d", output, format;
  bool force = false;
  PairRequest request;
  PairFileOptions file;
};

std::string format_of(const GenerateCommand& command) {
  if (!command.format.empty()) return command.format;
  const std::string& name = command.output;
  if (name.ends_with(".h5") || name.ends_with(".hdf5")) return "h5";
  if (name.ends_with(".mtx") || name.ends_with(".mtx.gz")) return "mtx";
  throw InputError(fmt::format("-o: '{}' does not tell a format; end it in .h5 or .mtx, or give --format raw", name));
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
  if (format == "h5") return write_pair(command.output, pair, command.file);
  if (format == "raw") return write_raw_pair(command.output, pair);
  std::visit(
      [&](const auto& p) {
        write_matrix_market(files[0], p.F);
        write_matrix_market(files[1], p.G);
      },
      pair);
}

int run(GenerateCommand command) {
  command.request.type = parse_scalar_type("--type", command.type);
  const std::string format = format_of(command);
  if (format == "h5") require_hdf5_name(command.output);
  const std::vector<std::string> files = outputs(command, format);
  require_outputs({}, files, command.force);
  const AnyPair pair = generate_pair(command.request);
  write(command, format, files, pair);
  tell_written(files, describe(pair));
  return exit_fine;
}

}  // namespace

Command add_gsvd_generate(CLI::App& root) {
  CLI::App* app = root.add_subcommand("gsvd", "A pair (F, G)");
  auto command = std::make_shared<GenerateCommand>();
  add_generator(*app, command->request);
  app->add_option("-n,--dim", command->request.n, "Order: columns of F and G")->required()->type_name("N");
  app->add_option("--m-f", command->request.m_f, "Rows of F (default n)")->type_name("M");
  app->add_option("--m-g", command->request.m_g, "Rows of G (default n)")->type_name("M");
  add_type(*app, command->type);
  add_seed_and_threads(*app, command->request);
  app->add_option("-o,--output", command->output,
                  "File (.h5, .mtx, .mtx.gz), or the stem of .Y and .W with --format raw")
      ->required()
      ->type_name("FILE");
  add_force(*app, command->force);
  app->add_option("--format", command->format, "h5, mtx (two files) or raw (default: as the file's name ends)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"h5", "mtx", "raw"}).description(""));
  app->add_option("--compression", command->file.compression, "Deflate level of HDF5")
      ->type_name("0-9")
      ->check(CLI::Range(0, 9).description(""))
      ->capture_default_str();
  app->add_flag("--one-triangle", command->file.one_triangle, "Store one triangle of Hermitian matrices in HDF5");
  app->footer(
      "Pairs are made in quadruple precision and rounded once; HDF5 keeps the exact singular values with them.\n\n"
      "Examples:\n"
      "  pivotlab generate gsvd paper -n 512 -o pair.h5\n"
      "  pivotlab generate gsvd 'graded;g=8;side=left' -n 64 --m-f 96 --seed 3 -o graded.h5\n"
      "  pivotlab generate gsvd paper --type z -n 128 -o stem --format raw");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
