#include <fmt/format.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/progress.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/run.hpp>
#include <experiments/engine/run_folder.hpp>
#include <experiments/engine/supervisor.hpp>
#include <pivotlab/error.hpp>
#include <support/files/memory.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

/// Returns which states of a case (a status, or "missing") are run.
std::function<bool(const std::string&)> wanted_states(const std::string& only) {
  if (only.empty() || only == "missing") return [](const std::string& state) { return state == "missing"; };
  if (only == "failed") return [](const std::string& state) { return state != "missing" && is_failure(state); };
  try {
    status_from_string(only);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--only: {}; or take missing, or failed for failures of any kind", error.what()));
  }
  return [only](const std::string& state) { return state == only; };
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class Runner {
 public:
  Runner(const Plan& plan, const RunOptions& options, std::ostream& stream)
      : plan_(plan),
        options_(options),
        wanted_(wanted_states(options.only)),
        folder_(run_directory(options.out, plan.spec)) {
    if (options.fresh) folder_.clear();
    // The manifest has the whole plan, also if only a part is run now.
    constexpr auto any_number = std::numeric_limits<std::uint64_t>::max();  // the plan was within its limit
    folder_.open(make_plan(
                     plan.spec, [&](std::string_view) -> const Method& { return *plan.method; }, any_number),
                 options.command);
    summary_.directory = folder_.path();
    summary_.planned = plan.cases.size();
    find_work();
    std::vector<const PlannedCase*> all;
    for (const PlannedCase* planned : todo_) all.push_back(planned);
    progress_ = std::make_unique<Progress>(stream, std::move(all), options.quiet);
    // Called before the first fork, so that workers have the result.
    if (std::any_of(todo_.begin(), todo_.end(), [](const PlannedCase* p) { return p->estimate.gpu_bytes > 0; }))
      find_gpus();
    environment_ = environment_json();
    provenance_ = provenance_json(options.command);
  }

  RunSummary run() {
    const Timer timer;
    for (auto first = todo_.begin(); first != todo_.end() && keep_going();) {
      const auto last =
          std::find_if(first, todo_.end(), [&](const PlannedCase* p) { return p->group != (*first)->group; });
      run_group({first, last});
      first = last;
    }
    summary_.interrupted = StopSignals::received();
    for (const std::string& state : states_)
      if (state != "missing") ++summary_.statuses[state], ++summary_.reused;
    summary_.reused -= summary_.ran;
    summary_.seconds = timer.seconds();
    return summary_;
  }

 private:
  void find_work() {
    states_ = case_states(plan_, options_.out);
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (wanted_(states_[i])) todo_.push_back(&plan_.cases[i]);
  }

  bool keep_going() const { return !summary_.too_many_failures && !StopSignals::received(); }

  /// Returns the number of processes that solve a case; 0: a forked worker solves it.
  std::int64_t processes(const PlannedCase& planned) const {
    const auto ranks = planned.axes.find(std::string(plan_.method->ranks_axis()));
    return options_.launch.empty() || ranks == planned.axes.end() ? 0 : std::get<std::int64_t>(ranks->second);
  }

  std::string launch(std::int64_t processes) const {
    constexpr std::string_view number = "{ranks}";
    std::string command = options_.launch;
    for (std::size_t at = 0; processes > 0 && (at = command.find(number, at)) != std::string::npos;)
      command.replace(at, number.size(), std::to_string(processes));
    return processes > 0 ? command : "";
  }

  void run_group(const std::vector<const PlannedCase*>& cases) {
    std::map<std::int64_t, std::vector<const PlannedCase*>> by_processes;
    for (const PlannedCase* planned : cases) by_processes[processes(*planned)].push_back(planned);
    for (auto& [count, part] : by_processes) run_part(std::move(part), launch(count));
  }

  void run_part(std::vector<const PlannedCase*> cases, const std::string& command) {
    // The memory of launched processes may be on other hosts.
    if (command.empty()) std::erase_if(cases, [&](const PlannedCase* planned) { return !fits(*planned); });
    if (cases.empty() || !keep_going()) return;
    const Watch watch{.timeout_s = options_.timeout_s >= 0 ? options_.timeout_s : plan_.spec.timing.timeout_s,
                      .on_case = [&](const std::string& key) { begin(planned_case(key)); },
                      .on_report = [&](const json& report) { return finish(planned_case(report["key"]), report); },
                      .on_tick = [&] { progress_->tick(); }};
    const std::filesystem::path checkpoints = folder_.path() / checkpoint_folder;
    if (options_.checkpoint_s > 0) std::filesystem::create_directories(checkpoints);
    supervise({.method = plan_.method,
               .timing = plan_.spec.timing,
               .cache = options_.out / "cache",
               .checkpoints = checkpoints,
               .checkpoint_s = options_.checkpoint_s,
               .cases = std::move(cases),
               .launch = command},
              watch);
  }

  /// Returns whether the case fits into memory. A case that does not could make other processes fail; it is skipped.
  bool fits(const PlannedCase& planned) {
    const double available = options_.memory_bytes > 0 ? options_.memory_bytes : available_memory();
    if (!(planned.estimate.bytes > available)) return true;
    finish(planned, make_report(planned.key, Status::out_of_memory,
                                fmt::format("needs about {:.3g} GB, {:.3g} GB are available",
                                            planned.estimate.bytes / 1e9, available / 1e9)));
    return false;
  }

  const PlannedCase& planned_case(const std::string& key) const {
    return **std::find_if(todo_.begin(), todo_.end(), [&](const PlannedCase* planned) { return planned->key == key; });
  }

  void begin(const PlannedCase& planned) {
    started_.try_emplace(planned.key, utc_now());
    progress_->working_on(planned);
  }

  /// Writes the record; returns false if no more cases should be run.
  bool finish(const PlannedCase& planned, const json& report) {
    const json record = make_record(planned, report);
    write_atomically(record_path(folder_.path(), planned.key),
                     record.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
    const std::string status = record["status"];
    const auto index = static_cast<std::size_t>(&planned - plan_.cases.data());
    states_[index] = status;
    ++summary_.ran;
    if (is_failure(status) && ++failures_ == options_.max_failures) summary_.too_many_failures = true;
    const json& median = record["time"]["compute_s"]["median"];
    if (options_.on_record) {
      progress_->hide();
      options_.on_record(planned, record);
    }
    progress_->finished(planned, status, record["message"], median.is_number() ? median.get<double>() : NAN);
    return !summary_.too_many_failures;
  }

  json make_record(const PlannedCase& planned, const json& report) const {
    json record = {{"schema", record_schema},       {"key", planned.key},
                   {"experiment", plan_.spec.name}, {"case", json::parse(canonical_json(planned.axes))},
                   {"environment", environment_},   {"provenance", provenance_}};
    for (const char* section : {"status", "problem", "variant", "time", "convergence", "metrics"})
      record[section] = report[section];
    record["message"] = one_line(report["message"]);
    record["environment"].update(report["machine"]);
    if (planned.estimate.gpu_bytes > 0) record["environment"].update(gpu_environment(report["gpu"]));
    const auto started = started_.find(planned.key);
    record["provenance"]["started"] = started == started_.end() ? utc_now() : started->second;
    return record;
  }

  /// Describes the GPU and its driver, with the states before and after.
  static json gpu_environment(const json& states) {
    if (find_gpus().devices.empty()) return json::object();
    const DeviceInfo& device = find_gpus().devices.front();
    static const std::string release = driver_release();
    json gpu = describe(device);
    gpu.update(states);
    return {{"gpu", gpu}, {"driver", fmt::format("{}{}CUDA {}", release, release.empty() ? "" : ", ", device.driver)}};
  }

  const Plan& plan_;
  const RunOptions& options_;
  std::function<bool(const std::string&)> wanted_;
  RunFolder folder_;
  RunSummary summary_;
  std::vector<std::string> states_;  ///< in the order of plan_.cases
  std::vector<const PlannedCase*> todo_;
  std::unique_ptr<Progress> progress_;
  json environment_, provenance_;
  std::map<std::string, std::string> started_;  ///< key → start time
  int failures_ = 0;
};

}  // namespace

bool is_failure(std::string_view status) {
  return status != "passed" && status != "skipped" && status != "not_supported";
}

bool is_wanted(const std::string& only, const std::string& state) {
  return wanted_states(only)(state);
}

RunSummary run(const Plan& plan, const RunOptions& options, std::ostream& progress) {
  const StopSignals signals;  // the new thread inherits the signal mask
  // OpenMP keeps a team of threads for each thread that has used it, and no team survives a fork. The new thread has
  // never used OpenMP, so that its forked workers have no team.
  return std::async(std::launch::async, [&] { return Runner(plan, options, progress).run(); }).get();
}

}  // namespace pivotlab::experiments
