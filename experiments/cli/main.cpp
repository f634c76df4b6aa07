// pivotlab: experiments with pivoting algorithms of numerical linear algebra.
#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <csignal>
#include <experiments/cli/command.hpp>
#include <experiments/cli/process.hpp>
#include <generators/io/hdf5_examiner.hpp>
#include <iostream>
#include <new>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

void describe(CLI::App& root) {
  root.description(
      "pivotlab compares algorithms that live on pivots, in extended precision and with records of every case.\n"
      "gsvd is the generalized singular value decomposition of a pair (F, G) by the Hari-Zimmermann method, ldlt the\n"
      "symmetric indefinite factorization with complete, rook and partial pivoting, eig the Jacobi-like\n"
      "eigendecomposition of a general matrix.\n");
  root.footer(
      "Examples:\n"
      "  pivotlab list variants                                    what can be chosen, Table 1 of the paper\n"
      "  pivotlab run quick                                        an experiment for two cores, records in runs/quick\n"
      "  pivotlab sweep gsvd --variant 0:7 --block FB,BO -n 64:256:64 --peer lapack:dggsvd3\n"
      "  pivotlab sweep ldlt --pivot BP,RK --alpha 0.01:0.99:0.14,a0 -n 500 --generator random,kkt\n"
      "  pivotlab sweep eig --form fused,b16 -n 64,128 --generator grcar,normal --peer lapack:zgeev\n"
      "  pivotlab solve gsvd F.mtx G.mtx -o out.h5                 your own pair\n"
      "  pivotlab solve ldlt A.mtx --rhs b.mtx                     your own linear system\n"
      "  pivotlab solve eig A.mtx --left --conditions              your own eigenvalue problem\n"
      "  pivotlab compare runs/before runs/after --threshold 5%    is it faster?\n\n"
      "pivotlab COMMAND --help tells the rest. Data goes to stdout, everything else to stderr.\n"
      "Exit codes: 0 fine; 1 a case failed, is incorrect or has not run, nothing passed, or what the command line "
      "names\n"
      "is not supported on this machine or by this build; 2 bad input; 130 interrupted.\n"
      "Read more: README.md (first steps), ARCHITECTURE.md (how to add a variant, generator, peer or method).");
  add_root_options(root);
}

int complain(const std::string& line, int code) {
  std::cout.flush();
  std::cerr << "pivotlab: " << on_terminal(line) << std::endl;
  return code;
}

int parse_and_run(int argc, char** argv) {
  CLI::App root{"", "pivotlab"};
  describe(root);
  const std::vector<Command> commands = {add_list(root),    add_plan(root),   add_run(root),
                                         add_sweep(root),   add_solve(root),  add_generate(root),
                                         add_compare(root), add_report(root), add_doctor(root)};
  for (const Command& command : commands) command.app->group("Commands");
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return root.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(explain(root, error), exit_bad_input);
  }
  const auto chosen =
      std::find_if(commands.begin(), commands.end(), [](const Command& command) { return command.app->parsed(); });
  const int code = chosen->run();
  std::cout.flush();
  if (!std::cout) return complain("standard output: cannot be written; free space where it goes", exit_cases_failed);
  return code;
}

}  // namespace
}  // namespace pivotlab::cli

int main(int argc, char** argv) {
  using namespace pivotlab::cli;
  pivotlab::io::hdf5::examine_if_asked({argv, static_cast<std::size_t>(argc)});
  pivotlab::io::hdf5::set_examiner("/proc/self/exe");
  spin_briefly(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of a write, after which nothing stays
  try {
    return parse_and_run(argc, argv);
  } catch (const pivotlab::InputError& error) {
    return complain(error.what(), exit_bad_input);
  } catch (const pivotlab::NotSupported& error) {
    return complain(error.what(), exit_cases_failed);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; choose a smaller n (pivotlab plan estimates what a case needs)", exit_cases_failed);
  } catch (const std::exception& error) {
    return complain(fmt::format("{}; this should not happen, please report it", error.what()), exit_cases_failed);
  } catch (...) {
    return complain("an error without a name; this should not happen, please report it", exit_cases_failed);
  }
}
