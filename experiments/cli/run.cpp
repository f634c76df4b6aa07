// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/cli/run_plan.hpp>
#include <experiments/cli/selection.hpp>

namespace pivotlab::cli {

Command add_run(CLI::App& root) {
  CLI::App* app = root.add_subcommand("run", "Run all cases of an experiment that have no record yet");
  auto selection = std::make_shared<Selection>();
  auto control = std::make_shared<RunControl>();
  add_selection_options(*app, *selection);
  add_run_options(*app, *control);
  app->footer(
      "Every case writes a record as soon as it is done. At its end the run packs them into one file,\n"
      "DIR/<experiment>/records.jsonl.gz, one line of JSON each. The same command resumes an interrupted run.\n"
      "A time with a ~ is noisy (its spread is above the limit), loaded (other processes took cores),\n"
      "throttled or resumed: columns flags, samples, load_before and load_after.\n"
      "Exit code 1: a case failed, is incorrect or has not run, no case passed, or a backend that --backend names is "
      "not\n"
      "supported here. Unsupported values that only the spec names are reported, but are not a failure.\n\n"
      "Examples:\n"
      "  pivotlab run quick\n"
      "  pivotlab run table2 --scale small --threads 2\n"
      "  pivotlab run table2 --scale small --backend host,cuda\n"
      "  pivotlab run table6 --filter type=d,n=512 --format csv > table6.csv\n"
      "  pivotlab run table2 --scale small --only failed --timeout 600\n"
      "  pivotlab run my-spec.json --fresh --max-failures 3\n"
      "  pivotlab run fast-speed --jobs gpus\n"
      "  pivotlab run fast-speed --jobs 8 --worker 'srun --exact -N1 -n1 --gpus=1'\n"
      "  pivotlab run fast-accuracy --shard $SLURM_ARRAY_TASK_ID/16");
  return {app, [selection, control] {
            if (!selection->backend.empty()) control->named_axes = {"backend"};
            experiments::Plan plan =
                make_plan(*selection, [&](experiments::Spec& spec) { prepare_workers(*control, spec); });
            return run_plan(std::move(plan), selection->out, *control);
          }};
}

}  // namespace pivotlab::cli
