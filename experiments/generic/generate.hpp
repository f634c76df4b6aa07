// The command `generate` of a kind of problems: writes a test problem to files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <experiments/problems/kind.hpp>
#include <memory>
#include <pivotlab/io.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

struct GenerateCommand {
  ProblemCase problem;
  std::string type = "d", symmetry = "hermitian", output = {}, signs_output = {};
  std::string format = {};  ///< of a pair's files: h5, mtx, raw; empty: as the name of the output ends
  PairFileOptions pair = {};
  bool force = false;
  int threads = 0;
};

/// Returns a command whose problem has this generator and this pattern of signs unless others are given.
std::shared_ptr<GenerateCommand> generate_command_of(std::string generator, std::string signs = {});

/// Returns the options generator, type, seed, threads and -n, and those of the kind's row counts.
std::vector<CommandOption> problem_options(const KindOfProblem& kind, GenerateCommand& command,
                                           const std::string& help_of_n);
CommandOption output_option(GenerateCommand& command, const std::string& help);
std::vector<CommandOption> signs_options(GenerateCommand& command, const std::string& help);

/// Generates the problem of the command and writes it, and the signs J if a file for them is named.
template <class P>
CommandResult run_generate(const Kind<P>& kind, GenerateCommand command);

}  // namespace pivotlab::experiments
