#include <unistd.h>

#include <experiments/engine/order.hpp>
#include <experiments/mpi/command.hpp>

namespace pivotlab::cli {

MpiCommand add_work_over_mpi(CLI::App& root) {
  CLI::App* app = root.add_subcommand("work", "Solve cases for pivotlab run --launch, which starts this command");
  return {app, [](Transport& ranks) {
            const std::string line = ranks.rank() == 0 ? experiments::read_line(STDIN_FILENO).value_or("") : "";
            const experiments::ReadOrder read(gather_texts(ranks, line)[0]);
            experiments::work_together(ranks, read.order(), STDIN_FILENO, STDOUT_FILENO);
            return 0;
          }};
}

}  // namespace pivotlab::cli
