// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/status.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/flagged_times.hpp>
#include <experiments/cli/reference.hpp>
#include <experiments/cli/run_plan.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/cli/unsupported.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/process.hpp>
#include <experiments/engine/progress.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/worker_host.hpp>
#include <experiments/own/own_solver.hpp>
#include <experiments/problems/family.hpp>
#include <functional>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Plan;
using experiments::PlannedCase;
using experiments::RunSummary;
using experiments::TableRow;

/// The table of a plan's records, in the order of the plan; a row is printed as soon as its record exists. Nothing is
/// printed before the first row, so that a refused run prints nothing.
class LiveTable {
 public:
  /// `kept`: for each case, whether it keeps its record in the folder `run`.
  LiveTable(const Plan& plan, std::filesystem::path run, std::vector<bool> kept, const RunControl& control)
      : plan_(plan), run_(std::move(run)), records_(run_), kept_(std::move(kept)), style_(control.table.style()) {
    fields_ = record_fields(*plan.method);
    const auto field = [this](std::string_view key) {
      return std::ranges::find(fields_, key, [](const auto& one) { return one.column.key; });
    };
    if (std::ranges::any_of(plan.cases, [](const PlannedCase& planned) { return planned.axes.contains("batch"); }))
      field("problem_s")->column.detail = false;
    const auto solver = field("solver");
    const auto own = own_fields(plan, control.table.columns);
    fields_.insert(solver == fields_.end() ? solver : solver + 1, own.begin(), own.end());
    if (!control.reference.empty()) {
      reference_.emplace(plan, run_, control.reference);
      const auto time = field("compute_s");
      fields_.insert(time == fields_.end() ? time : time + 1, reference_->field());
    }
    fields_ = experiments::select_fields(fields_, control.table.columns);
  }

  /// With a reference nothing is printed before the end, because its record may come after others.
  void show(const PlannedCase& planned, const nlohmann::json& record) {
    if (reference_) return;
    show_kept_before(static_cast<std::size_t>(&planned - plan_.cases.data()));
    add(planned, record);
  }

  /// Prints the remaining rows and then the verdict, to which the table adds its remark on times.
  void finish(experiments::TableVerdict verdict) {
    if (reference_) {
      kept_.assign(plan_.cases.size(), true);
      records_ = experiments::RecordStore(run_);
    }
    show_kept_before(plan_.cases.size());
    verdict.remark = flags_.remark();
    writer().finish(verdict);
  }

 private:
  experiments::TableWriter& writer() {
    if (!writer_) {
      std::vector<TableRow> preview;
      for (const PlannedCase& planned : plan_.cases)
        preview.push_back(experiments::row_of(fields_, CaseLine{&planned.axes, nullptr}));
      writer_.emplace(std::cout, std::cerr, style_, experiments::columns_of(fields_), preview);
    }
    return *writer_;
  }

  void show_kept_before(std::size_t end) {
    for (; next_ < end; ++next_) {
      if (!kept_[next_]) continue;
      const PlannedCase& planned = plan_.cases[next_];
      if (const auto record = records_.find(planned.key)) add(planned, *record);
    }
  }

  void add(const PlannedCase& planned, const nlohmann::json& record) {
    writer().add(experiments::row_of(fields_, CaseLine{&planned.axes, &record}));
    if (!record["time"]["compute_s"]["samples"].empty()) flags_.add(flags_of(record));
  }

  const Plan& plan_;
  std::filesystem::path run_;
  experiments::RecordStore records_;  ///< those of earlier runs
  std::vector<bool> kept_;
  std::size_t next_ = 0;  ///< the first case whose kept record may not have been shown
  experiments::TableWriter::Style style_;
  std::optional<Reference> reference_;
  std::vector<experiments::Field<CaseLine>> fields_;
  std::optional<experiments::TableWriter> writer_;
  FlagCounts flags_;
};

std::vector<bool> find_kept(const Plan& plan, const experiments::RunOptions& options) {
  if (options.fresh) return std::vector<bool>(plan.cases.size(), false);
  const std::vector<std::string> states = experiments::case_states(plan, options.out);
  std::vector<bool> kept = experiments::cases_to_run(plan, options, states);
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = !kept[i] && states[i] != "missing";
  return kept;
}

// "12 passed, 0 incorrect, 3 not run (5 from earlier records) in 3 min 20 s"
std::string describe(const RunSummary& summary) {
  std::string text;
  for (const Status status : {Status::passed, Status::incorrect, Status::not_converged, Status::failed,
                              Status::out_of_memory, Status::timeout, Status::not_supported, Status::skipped}) {
    const std::string name(to_string(status));
    const auto found = summary.statuses.find(name);
    const std::size_t count = found == summary.statuses.end() ? 0 : found->second;
    if (count > 0 || status == Status::passed || status == Status::incorrect)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  if (summary.expected > 0) text += fmt::format(" ({} as the spec expects)", summary.expected);
  if (summary.missing() > 0) text += fmt::format(", {} not run", summary.missing());
  return text;
}

std::filesystem::path own_program() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

/// Returns the path of pivotlab-mpi, quoted for sh.
std::string program_of_ranks() {
  const std::filesystem::path program = own_program().parent_path() / "pivotlab-mpi";
  if (!std::filesystem::exists(program))
    throw InputError("--launch: no pivotlab-mpi in the folder of pivotlab; build with MPI, or leave the option out");
  return in_quotes(program.string());
}

bool has_passed(const RunSummary& summary) {
  return summary.statuses.contains(std::string(to_string(Status::passed)));
}

/// Returns the verdict of a run; good if the exit code is 0. Unsupported values that only the spec names are not a
/// failure, but at least one case must have passed.
experiments::TableVerdict verdict(const RunSummary& summary, bool lacks_what_is_named) {
  const auto ended = [&](const char* word, bool good = false) -> experiments::TableVerdict {
    return {describe(summary), word, good};
  };
  if (summary.interrupted) return ended("INTERRUPTED");
  if (summary.failures > 0) return ended("FAILED");
  if (summary.missing() > 0) return ended("INCOMPLETE");
  if (!has_passed(summary)) return ended("NOTHING PASSED");
  return lacks_what_is_named ? ended("NOT SUPPORTED") : ended("PASSED", true);
}

/// Returns the axes whose unsupported values are reported: those that the command line names and, if no case passed,
/// also `backend` and `solver`, which explain it.
std::vector<std::string> axes_to_report(const RunSummary& summary, const RunControl& control) {
  std::vector<std::string> axes = control.named_axes;
  if (has_passed(summary)) return axes;
  for (const char* axis : {"backend", "solver"})
    if (std::ranges::find(axes, axis) == axes.end()) axes.emplace_back(axis);
  return axes;
}

// Prints the default backend and its reason, if the plan uses it.
void print_default_backend(const Plan& plan) {
  const auto& gpus = experiments::find_gpus();
  const std::string backend(to_string(gpus.devices.empty() ? Backend::host : Backend::cuda));
  const auto axis = std::ranges::find(plan.spec.axes, "backend", &experiments::Axis::name);
  if (axis == plan.spec.axes.end() || axis->values != std::vector<experiments::Value>{backend}) return;
  std::cerr << fmt::format("backend {}: {}\n", backend,
                           on_terminal(gpus.devices.empty() ? gpus.why_none : gpus.devices.front().name));
}

// Prints on stderr where the records are and how to continue.
void print_end(const RunSummary& summary) {
  std::cerr << fmt::format("{} of {} cases run in {}, {} from earlier records; records in {}\n", summary.ran,
                           summary.planned, experiments::format_duration(summary.seconds), summary.reused,
                           on_terminal(summary.directory.string()));
  if (summary.interrupted) std::cerr << "interrupted: the same command resumes the run\n";
  if (summary.too_many_failures) std::cerr << "stopped by --max-failures: --only failed repeats the failed cases\n";
}

std::string worker_command(std::string command) {
  constexpr std::string_view place = "{program}";
  const std::string program = in_quotes(own_program().string()) + " work";
  const std::size_t at = command.find(place);
  return at == std::string::npos ? command + " " + program : command.replace(at, place.size(), program);
}

int number_of_workers(const RunControl& control) {
  if (control.jobs == "gpus") {
    const auto& gpus = experiments::find_gpus();
    if (gpus.devices.empty()) throw InputError(fmt::format("--jobs gpus: there is none: {}", gpus.why_none));
    return static_cast<int>(gpus.devices.size());
  }
  int number = 0;
  const char* end = control.jobs.data() + control.jobs.size();
  const auto [rest, error] = std::from_chars(control.jobs.data(), end, number);
  constexpr int most = 4096;
  if (error != std::errc() || rest != end || number < 1 || number > most)
    throw InputError(
        fmt::format("--jobs: '{}': is not a number of workers; write 1 to {}, or gpus", control.jobs, most));
  return number;
}

/// Throws InputError for options that exclude one another.
void check_combinations(const RunControl& control) {
  if (!control.worker.empty() && !control.run.launch.empty())
    throw InputError("--worker: cannot be combined with --launch; run the cases with ranks by themselves");
  if (!control.worker.empty() && control.jobs == "gpus")
    throw InputError("--jobs gpus: means the GPUs of this machine; give the number of workers with --worker");
  if (!control.beside.empty() && !control.run.launch.empty())
    throw InputError("--beside: cannot be combined with --launch; run the cases with ranks by themselves");
  if (!control.shard.empty() && control.run.fresh)
    throw InputError("--fresh: would remove the records of other shards; remove the folder, or leave out --shard");
  if (control.shard.empty() && control.run.takeover)
    throw InputError("--takeover: continues a shard; name it with --shard K/N");
}

}  // namespace

void add_run_options(CLI::App& command, RunControl& control) {
  command.add_option("--only", control.run.only, "Cases to run: missing (no record yet), failed, or a status")
      ->type_name("WHICH");
  command.add_option("--max-failures", control.run.max_failures, "Stop after N cases that did not pass")
      ->type_name("N")
      ->check(positive());
  command.add_option("--timeout", control.run.timeout_s, "Time limit of a case, in place of the spec's; 0: no limit")
      ->type_name("SECONDS")
      ->check(not_negative());
  command
      .add_option(
          "--memory", control.memory_gb,
          "Memory limit of a case in GB, in place of the free memory, e.g. on a machine that gets memory on demand")
      ->type_name("GB")
      ->check(not_negative());
  command
      .add_option("--checkpoint", control.run.checkpoint_s,
                  "Seconds between checkpoints of solvers over ranks; the same command resumes from them")
      ->type_name("SECONDS")
      ->check(not_negative());
  command
      .add_option(
          "--launch", control.run.launch,
          "Command that starts the processes of solvers over ranks, e.g. 'mpirun -n {ranks}' or 'srun -n {ranks}'")
      ->type_name("COMMAND");
  command
      .add_option("-j,--jobs", control.jobs,
                  "Workers that solve problems at the same time, each on cores and GPUs of its own; gpus: one per GPU")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option(
          "--worker", control.worker,
          "Command that starts a worker on any machine, e.g. 'srun --exact -N1 -n1 --gpus=1' or 'ssh node7'; the "
          "program is put at its end or in place of {program}")
      ->type_name("COMMAND");
  command
      .add_option("--beside", control.beside,
                  "Another build's program, whose samples are taken in turn with this one's; compare judges the pairs")
      ->type_name("PROGRAM");
  command.add_option("--shard", control.shard, "Run only the K-th of N shares of the cases, for job arrays")
      ->type_name("K/N");
  command.add_flag("--takeover", control.run.takeover, "Continue a shard whose process was killed");
  command
      .add_option("--reference", control.reference,
                  "Add a column of speed-ups over this solver on the same problem; prints the table at the end")
      ->type_name("SOLVER");
  command.add_flag("--fresh", control.run.fresh, "Remove the records of earlier runs first");
  command.add_flag("-q,--quiet", control.run.quiet, "Print no progress on stderr");
  add_table_options(command, control.table);
}

void prepare_workers(RunControl& control, experiments::Spec& spec) {
  experiments::RunOptions& options = control.run;
  check_combinations(control);
  options.workers = number_of_workers(control);
  if (!control.shard.empty()) options.shard = experiments::parse_shard(control.shard);
  if (!control.beside.empty()) {
    if (!std::filesystem::is_regular_file(control.beside) || ::access(control.beside.c_str(), X_OK) != 0)
      throw InputError(
          fmt::format("--beside: {}: is not a program; pass the file of another build's pivotlab", control.beside));
    options.beside = in_quotes(std::filesystem::absolute(control.beside).string()) + " work";
    if (!experiments::ask_worker(options.beside + " --no-gpus", "--beside", true).in_turns)
      throw InputError(
          "--beside: is a version of pivotlab that takes no samples in turn with another; take a later one");
  }
  if (control.worker.empty()) return;
  options.worker = worker_command(control.worker);
  const experiments::WorkerHost host = experiments::ask_worker(options.worker);
  experiments::set_default_threads(host.threads);
  const auto set_default = [&](const char* name, experiments::Value value) {
    if (std::ranges::find(spec.axes, name, &experiments::Axis::name) == spec.axes.end())
      set_axis(spec, name, {std::move(value)});
  };
  set_default("threads", std::int64_t{host.threads});
  set_default("backend", std::string(to_string(host.gpus.empty() ? Backend::host : Backend::cuda)));
}

/// Throws InputError for a function of the user's, the value of an axis, that cannot be called. A worker on another
/// machine may have other files.
void check_own_functions(const Plan& plan, const std::string& axis, bool (*is_own)(std::string_view),
                         const std::function<void(const std::string&)>& check) {
  std::set<std::string> seen;
  for (const PlannedCase& planned : plan.cases) {
    const std::string name = experiments::to_string(planned.axes.at(axis));
    if (!is_own(name)) continue;
    std::string callable = name.substr(0, name.find(';'));
    for (const auto& [option, value] : experiments::parse_own_solver(name).options) callable += ';' + option;
    if (!seen.insert(callable).second) continue;
    try {
      check(name);
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (!message.starts_with(axis + ": ")) throw;
      const std::string place = place_of(plan.spec, axis_of(*plan.method, axis), planned.axes);
      throw InputError(place + message.substr(message.find(':')));
    }
  }
}

/// Throws InputError in a process that loads a function of the user's, which would be loaded for this run again.
void refuse_while_loading() {
  const char* file = std::getenv("PIVOTLAB_LOADING");
  if (file == nullptr || *file == '\0') return;
  throw InputError(
      fmt::format("{}: starts a run while a function is loaded from it; put what shall run only as a program below "
                  "`if __name__ == \"__main__\":`",
                  file));
}

int run_plan(Plan plan, const std::string& out, RunControl control) {
  refuse_while_loading();
  experiments::RunOptions& options = control.run;
  const std::size_t all_cases = plan.cases.size();
  if (options.shard) experiments::keep(plan, [&](const std::string& key) { return options.shard->contains(key); });
  if (plan.cases.empty()) {
    std::cerr << fmt::format("shard {}: none of the {} cases belongs to it\n", control.shard, all_cases);
    return exit_fine;
  }
  if (options.worker.empty()) {
    check_own_functions(plan, "solver", experiments::is_own_solver, [&](const std::string& solver) {
      experiments::check_own_solver(solver, std::string(plan.method->name()));
    });
    check_own_functions(plan, "generator", experiments::is_family, experiments::check_family);
  }
  options.out = out;
  options.memory_bytes = std::min(1e9 * control.memory_gb, std::numeric_limits<double>::max());
  if (!options.launch.empty()) options.launch += " " + program_of_ranks() + " work";
  options.command = experiments::shell_line(experiments::own_arguments());

  if (std::ranges::find(control.named_axes, "backend") == control.named_axes.end() && !options.quiet &&
      options.worker.empty())
    print_default_backend(plan);
  LiveTable table(plan, experiments::run_directory(out, plan.spec), find_kept(plan, options), control);
  options.on_record = [&](const PlannedCase& planned, const nlohmann::json& record) { table.show(planned, record); };
  const RunSummary summary = experiments::run(plan, options, std::cerr);
  const std::vector<Unsupported> unsupported =
      find_unsupported(plan, summary.directory, axes_to_report(summary, control));
  const experiments::TableVerdict end = verdict(summary, !unsupported.empty());
  table.finish(end);
  for (const Unsupported& one : unsupported) std::cerr << "pivotlab: " << on_terminal(describe(one)) << std::endl;
  if (!options.quiet) print_end(summary);
  if (summary.interrupted) return exit_interrupted;
  return end.good ? exit_fine : exit_cases_failed;
}

}  // namespace pivotlab::cli
