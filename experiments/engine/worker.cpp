// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/disturbance.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/in_pairs.hpp>
#include <experiments/engine/judgement.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/peaks.hpp>
#include <experiments/engine/timing.hpp>
#include <experiments/engine/worker.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/transport.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

struct Failure {
  Status status;
  std::string message;
};

/// Runs an action; converts its exceptions to a status.
template <class Action>
std::optional<Failure> attempt(Action action) {
  try {
    action();
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return Failure{Status::out_of_memory, "memory could not be allocated"};
  } catch (const NotSupported& error) {
    return Failure{Status::not_supported, error.what()};
  } catch (const SolverFault& fault) {
    return Failure{fault.status, fault.what()};
  } catch (const std::exception& error) {
    return Failure{Status::failed, error.what()};
  } catch (...) {
    return Failure{Status::failed, "an unknown exception was thrown"};
  }
}

/// The state of a case from the first sample to the report.
struct CaseInProgress {
  const PlannedCase* planned;
  std::unique_ptr<Run> run;
  Samples samples;
  json report;
  bool judged = false, finished = false, resumed = false;
  double load_before = 0, frequency_before = 0, flops = 0;
  std::optional<GpuWatch> gpu;  ///< for a case that uses the GPU
  json gpu_before, gpu_after;

  bool on_gpu() const { return planned->estimate.gpu_bytes > 0; }
};

class Worker {
 public:
  /// `ranks` is null for a worker without ranks.
  Worker(const WorkOrder& order, Connection& connection, Transport* ranks)
      : order_(order), connection_(connection), ranks_(ranks) {}

  void run() {
    const Timer timer;
    const auto failure = attempt([&] {
      const Case& axes = order_.cases.front()->axes;
      problem_ = ranks_ == nullptr ? order_.method->make_problem(axes, order_.cache)
                                   : order_.method->make_problem_over(*ranks_, axes);
    });
    generate_s_ = timer.seconds();
    if (failure) {
      for (const PlannedCase* planned : order_.cases)
        send_report(make_report(planned->key, failure->status, "making the problem: " + failure->message));
      return;
    }
    if (order_.timing.interleave && !order_.in_turns) return run_interleaved(order_.cases);
    for (const PlannedCase* planned : order_.cases) run_interleaved({planned});
  }

 private:
  /// Takes samples of the cases round-robin, so that a disturbance of the machine affects all cases equally.
  void run_interleaved(const std::vector<const PlannedCase*>& cases) {
    std::vector<CaseInProgress> open;
    for (const PlannedCase* planned : cases) {
      if (cases.size() > 1) say("turn", planned->key);  // the process of a solver may be slow to start
      open.push_back(begin(*planned));
    }
    for (bool first_round = true; !open.empty(); first_round = false) {
      for (CaseInProgress& current : open) {
        // A message wakes the controller, which may take the core from the sample.
        if (!order_.in_turns && (first_round || open.size() > 1)) say("turn", current.planned->key);
        if (first_round && !current.finished) warm_up(current);
        if (order_.in_turns && !current.finished) current.finished = !is_asked_for_sample(current);
        if (!current.finished) sample(current);
        if (current.finished) report(current);
      }
      std::erase_if(open, [](const CaseInProgress& current) { return current.finished; });
    }
  }

  /// Waits in an order `in_turns`; returns false if the case is to end.
  bool is_asked_for_sample(const CaseInProgress& current) {
    say("turn", current.planned->key);
    std::string line;
    if (!connection_.receive(line)) stop();
    return line == R"({"sample":true})";
  }

  /// Runs an action on all ranks. Its exception is sent to all ranks; otherwise they would wait for each other.
  template <class Action>
  std::optional<Failure> attempt(Action action) const {
    if (ranks_ == nullptr) return experiments::attempt(action);
    try {
      action();
      return std::nullopt;
    } catch (const SharedInputError& error) {
      return Failure{Status::failed, error.what()};
    } catch (const SharedNotSupported& error) {
      return Failure{Status::not_supported, error.what()};
    }
  }

  bool is_first_rank() const { return ranks_ == nullptr || ranks_->rank() == 0; }

  CaseInProgress begin(const PlannedCase& planned) const {
    CaseInProgress current;
    current.planned = &planned;
    current.report = make_report(planned.key, Status::failed, "");
    if (const auto earlier = order_.earlier.find(planned.key); earlier != order_.earlier.end())
      current.samples = earlier_samples(json::parse(earlier->second));
    if (is_first_rank() && current.on_gpu() && !find_gpus().devices.empty())
      current.gpu.emplace(find_gpus().devices.front().bus_id);
    note(current, attempt([&] {
           current.run = problem_->prepare(planned.axes);
           if (order_.checkpoint_s > 0)
             current.run->keep_checkpoints(order_.checkpoints / planned.key, order_.checkpoint_s);
           current.run->start(order_.memory_bytes);
         }));
    return current;
  }

  void warm_up(CaseInProgress& current) {
    if (current.gpu) current.gpu_before = current.gpu->state();
    current.load_before = load_average();
    current.frequency_before = cpu_frequency_hz();
    note(current, attempt([&] {
           for (int i = 0; i < order_.timing.warmup; ++i) current.run->solve();
         }));
  }

  void sample(CaseInProgress& current) {
    note(current, attempt([&] {
           const LoadWatch watch;
           const Timer timer;
           const auto solution = current.run->solve();
           const double wall_s = problem_->agreed(timer.seconds());
           add_sample(current.samples, wall_s, solution->compute_s, watch.end());
           if (current.gpu) current.gpu_after = current.gpu->state();
           current.resumed |= solution->resumed;
           if (current.run->differs(*solution) || !current.judged) judge(current, *solution);
         }));
    // A wrong result needs no further samples.
    if (current.report["status"] != to_string(Status::passed) || current.samples.enough(order_.timing))
      current.finished = true;
  }

  void add_sample(Samples& samples, double wall_s, double compute_s, const Beside& beside) const {
    const bool disturbed = ranks_ == nullptr && beside.disturbs(wall_s);  // all ranks must take the same samples
    if (disturbed && !order_.in_turns && samples.may_retake(order_.timing, wall_s)) {
      samples.retaken_s.push_back(compute_s);
      samples.retaken_wall_s += wall_s;
      return;
    }
    samples.wall_s.push_back(wall_s);
    samples.compute_s.push_back(compute_s);
    samples.others_cpu_s += beside.others_cpu_s;
    samples.disturbed += disturbed;
    if (ranks_ != nullptr) return;
    samples.probe_s.push_back(beside.probe_s);
    samples.others_running.push_back(beside.others_running);
  }

  void judge(CaseInProgress& current, const Solution& solution) {
    const Timer timer;
    Judgement judgement = current.run->judge(solution);
    current.flops = judgement.flops;
    const bool solved = solution.status == Status::passed;
    // The record has the metrics of the first solution, or of the one that ends the samples.
    if (std::exchange(current.judged, true) && solved && judgement.status == Status::passed) return;
    current.report.update({{"status", to_string(solved ? judgement.status : solution.status)},
                           {"message", solved ? judgement.message : solution.message},
                           {"problem", std::move(judgement.problem)},
                           {"convergence", std::move(judgement.convergence)},
                           {"metrics", std::move(judgement.metrics)}});
    if (!judgement.batch.is_null()) current.report["batch"] = std::move(judgement.batch);
    current.report["time"]["judge_s"] = timer.seconds();
  }

  static void note(CaseInProgress& current, const std::optional<Failure>& failure) {
    if (!failure) return;
    current.finished = true;
    current.report["status"] = to_string(failure->status);
    current.report["message"] = failure->message;
    if (failure->status == Status::out_of_memory && current.on_gpu())
      current.report["message"] = fmt::format("{}; about {:.3g} GB of the GPU's are needed", failure->message,
                                              current.planned->estimate.gpu_bytes / 1e9);
  }

  void report(CaseInProgress& current) {
    const auto axis = current.planned->axes.find("threads");
    const int threads = axis == current.planned->axes.end() ? 1 : std::stoi(to_string(axis->second));
    json& time = current.report["time"];
    time["compute_s"] = to_json(current.samples.compute_s);
    time["wall_s"] = to_json(current.samples.wall_s);
    time["generate_s"] = generate_s_;
    add_rate(current, time);
    if (const auto batch = current.planned->axes.find("batch");
        batch != current.planned->axes.end() && !current.samples.compute_s.empty())
      time["problem_s"] = quartiles(current.samples.compute_s).median / std::stod(to_string(batch->second));
    if (order_.timing.until > 0) {
      std::vector<std::size_t> passes = current.samples.passes;
      passes.push_back(current.samples.wall_s.size() - current.samples.earlier);
      time["passes"] = std::move(passes);
    }
    time["flags"] = flags(current.samples, order_.timing, threads, online_cores());
    if (ranks_ == nullptr) {
      time["crowded_samples"] = crowded_samples(current.samples, threads, online_cores());
      time["core_s"] = current.samples.probe_s;
      time["disturbed_samples"] = current.samples.disturbed;
      time["retaken_s"] = current.samples.retaken_s;
    }
    const auto flag = [&](const char* name) {
      if (std::ranges::find(time["flags"], name) == time["flags"].end()) time["flags"].push_back(name);
    };
    if (current.resumed) flag("resumed");
    if (current.gpu && current.gpu->throttled()) flag("throttled");
    current.report["machine"] = {{"load_before", current.load_before},
                                 {"load_after", load_average()},
                                 {"frequency_before_hz", current.frequency_before},
                                 {"frequency_after_hz", cpu_frequency_hz()}};
    if (const std::string own = current.run ? current.run->own_section() : ""; !own.empty())
      current.report["own"] = json::parse(own);
    current.report["gpu"] = {{"before", current.gpu_before}, {"after", current.gpu_after}};
    send_report(current.report);
    // After a failed kernel this process cannot use CUDA. The remaining cases get a new process.
    if (ranks_ == nullptr && current.on_gpu() && current.report["status"] == to_string(Status::failed)) ::_exit(0);
  }

  /// Adds the rate of a case with a number of flops and, on a GPU with a measured peak, its share of the peak.
  static void add_rate(const CaseInProgress& current, json& time) {
    if (!(current.flops > 0) || current.samples.compute_s.empty()) return;
    const double rate = current.flops / quartiles(current.samples.compute_s).median;
    if (!std::isfinite(rate)) return;
    time["gflops"] = rate / 1e9;
    const GpuPeaks* peaks = current.gpu ? find_peaks(find_gpus().devices.front().name) : nullptr;
    if (peaks != nullptr) time["of_peak"] = rate / peaks->flops_per_second;
  }

  void say(const char* what, const json& content) {
    if (is_first_rank() && !connection_.send(what, content)) stop();
  }

  /// Sends the report of a finished case and waits until its record is written.
  void send_report(const json& report) {
    say("done", report);
    std::string answer;
    if (is_first_rank() && !connection_.receive(answer)) stop();
  }

  /// Ends the worker after the parent has closed the connection.
  void stop() const {
    if (ranks_ != nullptr) throw std::runtime_error("pivotlab has ended");
    ::_exit(1);
  }

  const WorkOrder& order_;
  Connection& connection_;
  Transport* ranks_;
  std::unique_ptr<Problem> problem_;
  double generate_s_ = 0;
};

}  // namespace

json make_report(const std::string& key, Status status, const std::string& message) {
  return {{"key", key},
          {"status", to_string(status)},
          {"message", message},
          {"problem", nullptr},
          {"convergence", nullptr},
          {"metrics", nullptr},
          {"time",
           {{"compute_s", to_json(std::vector<double>{})},
            {"wall_s", to_json(std::vector<double>{})},
            {"generate_s", nullptr},
            {"judge_s", nullptr},
            {"flags", json::array()}}},
          {"machine",
           {{"load_before", nullptr},
            {"load_after", nullptr},
            {"frequency_before_hz", nullptr},
            {"frequency_after_hz", nullptr}}},
          {"gpu", json::object()}};
}

void solve_order(const WorkOrder& order, Connection& connection) noexcept {
  if (!order.cores.empty()) use_cores(order.cores);
  if (!order.gpus.empty()) use_gpus(order.gpus);
  if (order.timing.until > 0) ask_for_long_slices();
  if (!order.beside.empty()) return solve_in_pairs(order, connection);
  blas_version();  // loads LAPACK before anything is timed
  Worker(order, connection, nullptr).run();
}

void serve_together(Transport& ranks, int input, int output) {
  Connection connection(input, output);
  std::string line;
  if (ranks.rank() == 0) (void)connection.receive(line);
  const ReadOrder read(gather_texts(ranks, line)[0]);
  Worker(read.order(), connection, &ranks).run();
}

}  // namespace pivotlab::experiments
