// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/generic/generate.hpp>
#include <experiments/problems/sign_file.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

namespace pivotlab::experiments {
namespace {

using Files = std::vector<std::string>;
using Options = std::vector<CommandOption>;

struct GenerateCommand {
  ProblemCase problem;
  std::string type, symmetry = "hermitian", output = {}, signs_output = {};
  std::string format = {};  ///< of a pair's files: h5, mtx, raw; empty: as the name of the output ends
  PairFileOptions pair = {};
  bool force = false;
  int threads = 0;
};

// The options of a kind, after those of all problems.

Options problem_options(const KindOfProblem& kind, GenerateCommand& command, const std::string& help_of_n) {
  ProblemCase& problem = command.problem;
  Options options = {{"generator", &problem.generator, "Name with options (pivotlab list generators)", "", true},
                     {"--type", &command.type, "Scalar type: d (real) or z (complex)", "T", false, {"d", "z"}},
                     {"--seed", &problem.seed, "The same seed gives the same bits", "N"},
                     threads_option(command.threads, "Number of threads; does not change the results"),
                     {"-n,--dim", &problem.n, help_of_n, "N", true}};
  for (const RowCount& one : kind.rows) options.push_back({one.option, &(problem.*one.count), one.help, "M"});
  return options;
}

CommandOption output_option(GenerateCommand& command, const std::string& help) {
  return {"-o,--output", &command.output, help, "FILE", true};
}

Options joined(Options first, const Options& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Options signs_options(GenerateCommand& command, const std::string& help) {
  if (command.problem.signs.empty()) return {};
  return {{"--signs-output", &command.signs_output, help, "FILE"},
          {"--signs", &command.problem.signs, "Pattern of J: positive, halves, third, random", "PATTERN"}};
}

Options options_of(const Kind<AnyPair>& kind, const GenerateTexts&, GenerateCommand& command) {
  Options options =
      joined(problem_options(kind, command, "Order: columns of F and G"),
             {output_option(command, "File (.h5, .mtx, .mtx.gz), or the stem of .Y and .W with --format raw"),
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
              {"--one-triangle", &command.pair.one_triangle, "Store one triangle of Hermitian matrices in HDF5"}});
  return joined(std::move(options), signs_options(command, "File for the signs J of the rows of F (.mtx)"));
}

Options options_of(const Kind<AnyMatrix>& kind, const GenerateTexts&, GenerateCommand& command) {
  Options options = problem_options(kind, command, "Columns");
  options.push_back(output_option(command, "File for G (.mtx, .mtx.gz)"));
  options = joined(std::move(options), signs_options(command, "File for the signs J (.mtx)"));
  options.push_back(force_option(command.force));
  return options;
}

template <class P>
Options options_of(const Kind<P>& kind, const GenerateTexts& texts, GenerateCommand& command) {
  Options options = problem_options(kind, command, "Order");
  if (texts.symmetries)
    options.push_back({"--symmetry",
                       &command.symmetry,
                       "Symmetry of a complex matrix: hermitian or symmetric",
                       "NAME",
                       false,
                       {"hermitian", "symmetric"}});
  options.push_back(output_option(command, "File (.h5, .mtx, .mtx.gz)"));
  options.push_back(force_option(command.force));
  return options;
}

template <class T>
constexpr std::string_view field = is_complex<T> ? "complex" : "real";

/// pair.mtx.gz becomes pair.F.mtx.gz and pair.G.mtx.gz.
std::string with_letter(const std::string& output, char letter) {
  const auto folder = output.rfind('/') == std::string::npos ? 0 : output.rfind('/') + 1;
  const auto dot = output.find(".mtx", folder);
  return dot == std::string::npos ? fmt::format("{}.{}.mtx", output, letter)
                                  : fmt::format("{}.{}{}", output.substr(0, dot), letter, output.substr(dot));
}

std::string format_of_pair(const GenerateCommand& command) {
  if (!command.format.empty()) return command.format;
  const std::string& name = command.output;
  if (name.ends_with(".h5") || name.ends_with(".hdf5")) return "h5";
  if (name.ends_with(".mtx") || name.ends_with(".mtx.gz")) return "mtx";
  throw InputError(fmt::format("-o: unknown extension of '{}'; use .h5 or .mtx, or give --format raw", name));
}

// Names of the files of a problem. Throw InputError for an extension that the kind does not have.

Files files_of(const Kind<AnyPair>&, const GenerateCommand& command) {
  const std::string format = format_of_pair(command);
  if (format == "raw") return {command.output + ".Y", command.output + ".W"};
  if (format == "mtx") return {with_letter(command.output, 'F'), with_letter(command.output, 'G')};
  require_hdf5_name(command.output);
  return {command.output};
}

Files files_of(const Kind<AnyMatrix>&, const GenerateCommand& command) {
  return {matrix_market_output("-o", command.output)};
}

template <class P>
Files files_of(const Kind<P>&, const GenerateCommand& command) {
  (void)is_matrix_market(command.output);
  return {command.output};
}

void write(const GenerateCommand& command, const Files& files, const AnyPair& pair) {
  const std::string format = format_of_pair(command);
  if (format == "h5") return write_pair(command.output, pair, command.pair, problem_attributes());
  if (format == "raw") return write_raw_pair(command.output, pair);
  std::visit([&](const auto& p) { write_matrix_market(files[0], p.F), write_matrix_market(files[1], p.G); }, pair);
}

void write(const GenerateCommand& command, const Files&, const AnyMatrix& matrix) {
  write_matrix_market(command.output, matrix);
}

void write_hdf5(const std::string& file, const AnySymmetric& matrix) {
  write_symmetric(file, matrix, problem_attributes());
}
void write_hdf5(const std::string& file, const AnyGeneral& matrix) {
  write_general(file, matrix, problem_attributes());
}

template <class P>
void write(const GenerateCommand& command, const Files&, const P& any) {
  if (!is_matrix_market(command.output)) return write_hdf5(command.output, any);
  std::visit([&](const auto& matrix) { write_matrix_market(command.output, matrix.A); }, any);
}

// One line about a problem: "500 x 500, real symmetric: equidistant, seed 1".

template <class T>
std::string description(const GenerateCommand&, const Pair<T>& p) {
  return fmt::format("F {} x {}, G {} x {}, {}: {}", p.F.rows(), p.F.cols(), p.G.rows(), p.G.cols(), field<T>,
                     p.provenance);
}

template <class T>
std::string description(const GenerateCommand& command, const Matrix<T>& G) {
  return fmt::format("{} x {}, {}: {}, seed {}", G.rows(), G.cols(), field<T>,
                     canonical_rectangular_generator(command.problem.generator), command.problem.seed);
}

template <class T>
std::string description(const GenerateCommand&, const GeneralMatrix<T>& matrix) {
  return fmt::format("{0} x {0}, {1}: {2}", matrix.A.rows(), field<T>, matrix.provenance);
}

template <class T>
std::string description(const GenerateCommand&, const SymmetricMatrix<T>& matrix) {
  const bool hermitian = is_complex<T> && matrix.symmetry == Symmetry::hermitian;
  return fmt::format("{0} x {0}, {1} {2}: {3}", matrix.A.rows(), field<T>, hermitian ? "Hermitian" : "symmetric",
                     matrix.provenance);
}

/// The number of signs J: of rows of F, or of columns of G.
template <class T>
Index signs_of(const Pair<T>& pair) {
  return pair.F.rows();
}
template <class T>
Index signs_of(const Matrix<T>& G) {
  return G.cols();
}
template <class M>
Index signs_of(const M&) {
  return 0;
}

template <class P>
CommandResult run_generate(const Kind<P>& kind, GenerateCommand command) {
  ProblemCase& problem = command.problem;
  require_no_files(kind.sources, problem.generator);
  problem.type = parse_scalar_type("--type", command.type);
  problem.symmetry = command.symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::hermitian;
  const Files own = files_of(kind, command);
  Files files = own;
  const bool has_signs = !command.signs_output.empty();
  if (has_signs) files.push_back(matrix_market_output("--signs-output", command.signs_output));
  require_outputs({}, files, command.force);
  const P any = kind.generate(problem, command.threads);
  write(command, own, any);
  if (has_signs) {
    const Index count = std::visit([](const auto& made) { return signs_of(made); }, any);
    write_signs(command.signs_output, generate_signs(problem.signs, count, problem.seed));
  }
  return {.files = files, .content = std::visit([&](const auto& made) { return description(command, made); }, any)};
}

template <class P>
std::shared_ptr<const CommandDescription> describe(const Kind<P>& kind, const GenerateTexts& texts) {
  const auto command = std::make_shared<GenerateCommand>(
      GenerateCommand{{.generator = texts.generator, .seed = 1, .signs = texts.signs}, texts.type});
  return std::make_shared<CommandDescription>(
      CommandDescription{.title = texts.title,
                         .options = options_of(kind, texts, *command),
                         .notes = texts.notes,
                         .examples = texts.examples,
                         .run = [&kind, command] { return run_generate(kind, *command); }});
}

}  // namespace

template <class P>
std::shared_ptr<const CommandDescription> generate_command(const Kind<P>& kind, const GenerateTexts& texts) {
  return describe(kind, texts);
}

template std::shared_ptr<const CommandDescription> generate_command(const Kind<AnyPair>&, const GenerateTexts&);
template std::shared_ptr<const CommandDescription> generate_command(const Kind<AnySymmetric>&, const GenerateTexts&);
template std::shared_ptr<const CommandDescription> generate_command(const Kind<AnyGeneral>&, const GenerateTexts&);
template std::shared_ptr<const CommandDescription> generate_command(const Kind<AnyMatrix>&, const GenerateTexts&);

}  // namespace pivotlab::experiments
