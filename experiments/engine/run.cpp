// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/progress.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_sections.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/report_rules.hpp>
#include <experiments/engine/run.hpp>
#include <experiments/engine/run_folder.hpp>
#include <experiments/engine/stop_signals.hpp>
#include <experiments/engine/worker_pool.hpp>
#include <pivotlab/error.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

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

bool has_passed(const std::string& state) {
  return state == to_string(Status::passed);
}

bool grows(const RunOptions& options) {
  return options.plan != PlanOfFolder::same && options.only.empty();
}

std::size_t samples_of(const json& record) {
  return record["time"]["compute_s"]["samples"].size();
}

/// Returns the times of a record, with those of the other build as the member `beside`.
json times_of(const json& record) {
  json times = record["time"];
  if (record.contains("beside")) times["beside"] = record["beside"]["time"];
  return times;
}

/// Returns how many passes over the cases of a record have been made.
int passes_of(const json& record) {
  return std::max<int>(1, static_cast<int>(record["time"].value("passes", json::array()).size()));
}

int passes_wanted(const Plan& plan, const RunOptions& options) {
  if (!grows(options) || plan.spec.timing.until == 0) return 1;
  return options.beside.empty() ? passes_of_sweep : passes_in_pairs;
}

/// Throws InputError if samples of this program on a machine cannot be added to those of a record.
void check_origin(const json& record, const json& environment, const std::filesystem::path& run) {
  const json here = {{"environment", environment}, {"provenance", provenance_json("")}};
  for (const char* place : {"/provenance/version", "/provenance/commit", "/environment/host", "/environment/cpu",
                            "/environment/cores", "/environment/compiler", "/environment/blas"}) {
    const json::json_pointer at(place);
    if (record.at(at) != here.at(at))
      throw InputError(
          fmt::format("{}: --repeat: adds no samples to those of another {}: {} was {}, is {}; choose "
                      "another --out, and name both folders in reports",
                      run.string(), at.parent_pointer().back() == "provenance" ? "program" : "machine", at.back(),
                      record.at(at).dump(), here.at(at).dump()));
  }
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class Runner {
 public:
  /// With `names_damages` writes which records are lost.
  Runner(const Plan& plan, const RunOptions& options, std::ostream& stream, bool names_damages)
      : plan_(plan), options_(options), folder_(open_folder()) {
    if (options.fresh) folder_.clear();
    // The manifest has the whole plan, also if only a part is run now.
    constexpr auto any_number = std::numeric_limits<std::uint64_t>::max();  // the plan was within its limit
    if (options.plan != PlanOfFolder::stays)
      folder_.open(make_plan(
                       plan.spec, [&](std::string_view) -> const Method& { return *plan.method; }, any_number),
                   options.command, options.plan == PlanOfFolder::grows);
    summary_.directory = folder_.path();
    summary_.planned = plan.cases.size();
    find_work(stream, names_damages);
    progress_ = std::make_unique<Progress>(stream, todo_, options.quiet);
    provenance_ = provenance_json(options.command);
  }

  RunSummary run() {
    const Timer timer;
    if (!todo_.empty()) run_jobs();
    summary_.interrupted = StopSignals::received();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i] == "missing") continue;
      ++summary_.statuses[states_[i]], ++summary_.reused;
      if (is_failure(states_[i])) ++(is_expected(plan_.cases[i], states_[i]) ? summary_.expected : summary_.failures);
    }
    summary_.reused -= summary_.ran;
    summary_.seconds = timer.seconds();
    return summary_;
  }

 private:
  RunFolder open_folder() const {
    const std::filesystem::path path = run_directory(options_.out, plan_.spec);
    if (options_.shard) return RunFolder(path, *options_.shard, options_.takeover);
    return RunFolder(path);
  }

  bool is_expected(const PlannedCase& planned, const std::string& status) const {
    return expected_.contains(planned.axes, status);
  }

  void find_work(std::ostream& stream, bool names_damages) {
    const RecordStore records(folder_.path());
    states_ = case_states(plan_, records);
    if (names_damages)
      for (const std::string& damage : records.damages()) stream << fmt::format("records are lost: {}\n", damage);
    stream << std::flush;
    const std::vector<bool> wanted = cases_to_run(plan_, options_, states_);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!wanted[i]) continue;
      const PlannedCase& planned = plan_.cases[i];
      todo_.push_back(&planned);
      if (!has_passed(states_[i]) || !grows(options_)) continue;
      if (auto record = records.find(planned.key)) earlier_[planned.key] = std::move(*record);
    }
    for (const PlannedCase* planned : todo_) todo_by_key_.emplace(planned->key, planned);
  }

  /// Returns the number of processes that solve a case; 0: a worker alone solves it.
  std::int64_t processes(const PlannedCase& planned) const {
    const auto ranks = planned.axes.find(std::string(plan_.method->ranks_axis()));
    return options_.launch.empty() || ranks == planned.axes.end() ? 0 : std::get<std::int64_t>(ranks->second);
  }

  void run_jobs() {
    const bool on_gpu =
        std::ranges::any_of(todo_, [](const PlannedCase* planned) { return planned->estimate.gpu_bytes > 0; });
    const std::filesystem::path checkpoints = folder_.path() / checkpoint_folder;
    if (options_.checkpoint_s > 0) std::filesystem::create_directories(checkpoints);
    WorkerPool pool({.workers = options_.workers,
                     .worker = {options_.worker, on_gpu},
                     .launch = options_.launch,
                     .memory_bytes = options_.memory_bytes},
                    {.timeout_s = options_.timeout_s >= 0 ? options_.timeout_s : plan_.spec.timing.timeout_s,
                     .make_order =
                         [&](const Job& job) {
                           std::map<std::string, std::string> earlier;
                           for (const PlannedCase* planned : job.cases)
                             if (const auto known = earlier_.find(planned->key); known != earlier_.end())
                               earlier[planned->key] = times_of(known->second).dump();
                           return WorkOrder{.method = plan_.method,
                                            .timing = plan_.spec.timing,
                                            .cache = options_.out / "cache",
                                            .checkpoints = checkpoints,
                                            .checkpoint_s = options_.checkpoint_s,
                                            .memory_bytes = options_.memory_bytes,
                                            .beside = options_.beside,
                                            .cases = job.cases,
                                            .earlier = std::move(earlier)};
                         },
                     .on_case = [&](const Station& station,
                                    const std::string& key) { begin(pool, station, *todo_by_key_.at(key)); },
                     .on_report =
                         [&](const Station& station, const json& report) {
                           return finish(station, *todo_by_key_.at(report["key"].get<std::string>()), report);
                         },
                     .on_tick = [&] { tick(pool); },
                     .remark = [&](const std::string& line) { progress_->remark(line); }});
    pool.run(make_jobs(todo_, plan_, options_.workers, [&](const PlannedCase& planned) { return processes(planned); }));
  }

  void tick(const WorkerPool& pool) {
    progress_->tick();
    std::vector<std::string> running;
    for (const Station* station : pool.busy())
      if (!station->current_case.empty()) running.push_back(station->current_case);
    folder_.beat(running);
  }

  void begin(const WorkerPool& pool, const Station& station, const PlannedCase& planned) {
    started_.try_emplace(planned.key, utc_now());
    for (const Station* other : pool.busy())
      if (other != &station && !other->current_case.empty() && other->host.name == station.host.name) {
        beside_[planned.key].insert(other->current_case);
        beside_[other->current_case].insert(planned.key);
      }
    progress_->working_on(station.number, planned);
  }

  /// Writes the record; returns false if no more cases should be run.
  bool finish(const Station& station, const PlannedCase& planned, const json& report) {
    const json record = make_record(station, planned, report);
    journal_.append(record);
    const std::string status = record["status"];
    const auto index = static_cast<std::size_t>(&planned - plan_.cases.data());
    states_[index] = status;
    ++summary_.ran;
    if (is_failure(status) && !is_expected(planned, status) && ++failures_ == options_.max_failures)
      summary_.too_many_failures = true;
    const json& median = record["time"]["compute_s"]["median"];
    if (options_.on_record) {
      progress_->hide();
      options_.on_record(planned, record);
    }
    progress_->finished(station.number, planned, status, record["message"],
                        median.is_number() ? median.get<double>() : NAN);
    started_.erase(planned.key);
    beside_.erase(planned.key);
    return !summary_.too_many_failures;
  }

  json make_record(const Station& station, const PlannedCase& planned, const json& report) const {
    json record = {{"schema", record_schema},
                   {"key", planned.key},
                   {"experiment", plan_.spec.name},
                   {"case", json::parse(canonical_json(planned.axes))},
                   {"environment", station.host.environment},
                   {"provenance", provenance_}};
    for (const char* section : {"status", "problem", "time", "convergence", "metrics"})
      record[section] = report[section];
    for (const char* section : {"batch", "own", "beside"})
      if (report.contains(section)) record[section] = report[section];
    if (const auto known = earlier_.find(planned.key); known != earlier_.end())
      check_origin(known->second, record["environment"], folder_.path());
    record["variant"] = variant_section(*plan_.method, planned.axes);
    record["message"] = one_line(report["message"]);
    record["environment"].update(report["machine"]);
    if (planned.estimate.gpu_bytes > 0) record["environment"].update(gpu_environment(station, report["gpu"]));
    const auto started = started_.find(planned.key);
    record["provenance"]["started"] = started == started_.end() ? utc_now() : started->second;
    if (options_.workers > 1) record["provenance"]["workers"] = workers_json(station, planned.key);
    return record;
  }

  /// Describes the worker of a case and what ran beside it on its host.
  json workers_json(const Station& station, const std::string& key) const {
    constexpr std::size_t most_named = 20;
    const auto found = beside_.find(key);
    const std::set<std::string> beside = found == beside_.end() ? std::set<std::string>() : found->second;
    json named = json::array();
    for (const std::string& other : beside)
      if (named.size() < most_named) named.push_back(other);
    return {{"number", station.number},
            {"of", options_.workers},
            {"cores", to_ranges(station.allocation.cores)},
            {"gpus", to_ranges(station.allocation.gpus)},
            {"beside", std::move(named)},
            {"cases_beside", beside.size()}};
  }

  /// Describes the GPU of the case and its driver, with the states before and after.
  static json gpu_environment(const Station& station, const json& states) {
    if (station.host.gpus.empty()) return json::object();
    const std::vector<int>& places = station.allocation.gpus;
    const DeviceInfo& device = station.host.gpus.at(places.empty() ? 0 : static_cast<std::size_t>(places.front()));
    const std::string& release = station.host.driver;
    json gpu = describe(device);
    gpu.update(states);
    return {{"gpu", gpu}, {"driver", fmt::format("{}{}CUDA {}", release, release.empty() ? "" : ", ", device.driver)}};
  }

  const Plan& plan_;
  const RunOptions& options_;
  const ExpectedDefeats expected_{json::parse(plan_.spec.report)};
  RunFolder folder_;
  Journal journal_{folder_.path(), options_.shard ? "shard-" + file_name(*options_.shard) : "run"};
  RunSummary summary_;
  std::vector<std::string> states_;  ///< in the order of plan_.cases
  std::vector<const PlannedCase*> todo_;
  std::unordered_map<std::string, const PlannedCase*> todo_by_key_;
  std::map<std::string, json> earlier_;  ///< key → record to which samples are added
  std::unique_ptr<Progress> progress_;
  json provenance_;
  std::map<std::string, std::string> started_;           ///< key → start time, of current cases
  std::map<std::string, std::set<std::string>> beside_;  ///< key → cases that have run beside it, of current cases
  int failures_ = 0;
};

/// Packs the records. Of shards the last one does, so that none that starts meanwhile finds the folder locked.
void pack_at_end(const std::filesystem::path& run, bool is_shard, std::ostream& progress) {
  const auto is_complete = [&] {
    const RecordStore records(run);
    return std::ranges::all_of(planned_keys(run), [&](const std::string& key) { return records.contains(key); });
  };
  try {
    if (is_shard && (is_locked(run) || !is_complete())) return;
    pack_run(run);
  } catch (const InputError& error) {
    progress << fmt::format("the records stay in journals: {}\n", error.what()) << std::flush;
  }
}

RunSummary run_passes(const Plan& plan, const RunOptions& options, std::ostream& progress) {
  const int passes = passes_wanted(plan, options);
  RunOptions of_pass = options;
  of_pass.on_record = [&](const PlannedCase& planned, const json& record) {
    const bool is_last = !has_passed(record["status"].get<std::string>()) || passes_of(record) >= passes;
    if (options.on_record && is_last) options.on_record(planned, record);
  };
  RunSummary all = Runner(plan, of_pass, progress, true).run();
  for (int pass = 1; pass < passes && !all.interrupted && !all.too_many_failures; ++pass) {
    of_pass.fresh = false;
    RunSummary summary = Runner(plan, of_pass, progress, false).run();
    const std::size_t with_record = summary.reused + summary.ran;
    summary.seconds += all.seconds;
    summary.ran = std::max(summary.ran, all.ran);
    summary.reused = with_record - summary.ran;
    all = std::move(summary);
  }
  return all;
}

}  // namespace

bool is_failure(std::string_view status) {
  return status != "passed" && status != "skipped" && status != "not_supported";
}

std::vector<bool> cases_to_run(const Plan& plan, const RunOptions& options, const std::vector<std::string>& states) {
  const auto wanted = wanted_states(options.only);
  const std::filesystem::path run = run_directory(options.out, plan.spec);
  std::optional<RecordStore> records;
  if (grows(options) && plan.spec.timing.min_repeats > 1) records.emplace(run);
  std::vector<bool> result;
  for (std::size_t i = 0; i < states.size(); ++i) {
    result.push_back(wanted(states[i]));
    if (result.back() || !records || !has_passed(states[i])) continue;
    const std::optional<json> record = records->find(plan.cases[i].key);
    if (!record) continue;
    if (record->contains("beside") == options.beside.empty())
      throw InputError(fmt::format("{}: --beside: has samples with{} another build; choose another --out", run.string(),
                                   options.beside.empty() ? "" : "out"));
    const bool is_complete = samples_of(*record) >= static_cast<std::size_t>(plan.spec.timing.min_repeats) &&
                             passes_of(*record) >= passes_wanted(plan, options);
    if (is_complete) continue;
    check_origin(*record, options.worker.empty() ? environment_json() : record->at("environment"), run);
    result.back() = true;
  }
  return result;
}

RunSummary run(const Plan& plan, const RunOptions& options, std::ostream& progress) {
  const StopSignals signals;
  RunSummary summary = run_passes(plan, options, progress);
  pack_at_end(summary.directory, options.shard.has_value(), progress);
  return summary;
}

}  // namespace pivotlab::experiments
