// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>

#include <experiments/cli/command.hpp>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/worker.hpp>
#include <memory>

namespace pivotlab::cli {

Command add_work(CLI::App& root) {
  CLI::App* app = root.add_subcommand("work", "Solve cases for run and sweep --worker, which start this command");
  app->footer(
      "It reads orders from stdin and writes messages to stdout, in lines of JSON (experiments/engine/worker.hpp), "
      "until "
      "stdin is closed.");
  auto no_gpus = std::make_shared<bool>(false);
  // A run without cases for GPUs adds it, because looking for them may take seconds.
  app->add_flag("--no-gpus", *no_gpus)->group("");
  app->set_help_flag("-h,--help", "Print this help and exit");  // anew: a hidden option before it leaves no empty line
  return {app, [no_gpus] {
            // Libraries may print to stdout; their text must not come between the messages.
            const experiments::FileDescriptor messages(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
            ::dup2(STDERR_FILENO, STDOUT_FILENO);
            experiments::serve(STDIN_FILENO, messages.get(), !*no_gpus);
            return int{exit_fine};
          }};
}

}  // namespace pivotlab::cli
