// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>
#include <experiments/engine/compare.hpp>
#include <experiments/engine/disturbance.hpp>
#include <experiments/engine/noise.hpp>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/timing.hpp>
#include <support/timer.hpp>

#include <sys/wait.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

namespace pivotlab::experiments {
namespace {

constexpr int most_processes = 12;
constexpr double warm_up_s = 0.05;

/// The fixed work: C += A·B of order 160, written out so that no library has a part in it.
class Product {
 public:
  void run() {
    for (std::size_t j = 0; j < order; ++j)
      for (std::size_t k = 0; k < order; ++k) {
        const double factor = b_[k + j * order];
        for (std::size_t i = 0; i < order; ++i) c_[i + j * order] += a_[i + k * order] * factor;
      }
    asm volatile("" : : "r"(c_.data()) : "memory");
  }

 private:
  static constexpr std::size_t order = 160;
  std::vector<double> a_ = std::vector<double>(order * order, 1e-3), b_ = a_, c_ = a_;
};

/// A sample in the form in which a process writes it to its pipe.
struct Sample {
  double seconds, probe_s, waited_s;
};

[[noreturn]] void sample_until(double seconds, int pipe) {
  ask_for_long_slices();
  Product product;
  const Timer timer;
  while (timer.seconds() < warm_up_s) product.run();
  while (timer.seconds() < seconds) {
    const LoadWatch watch;
    const Timer one;
    product.run();
    Sample sample{.seconds = one.seconds(), .probe_s = 0, .waited_s = 0};
    const Beside beside = watch.end();
    sample.probe_s = beside.probe_s, sample.waited_s = beside.waited_s;
    if (::write(pipe, &sample, sizeof sample) != sizeof sample) break;
  }
  ::_exit(0);
}

/// Returns the samples that other work did not disturb, all if there is none, and counts the others.
std::vector<double> quiet_samples(const ProcessTimes& process, double least_probe_s, Noise& noise) {
  std::vector<double> quiet;
  for (std::size_t k = 0; k < process.samples_s.size(); ++k) {
    const bool waited = process.waited_s[k] > most_wait * process.samples_s[k];
    const bool slowed = !waited && process.probe_s[k] > slowed_core * least_probe_s;
    noise.waited += waited, noise.slowed += slowed;
    if (!waited && !slowed) quiet.push_back(process.samples_s[k]);
  }
  return quiet.empty() ? process.samples_s : quiet;
}

}  // namespace

std::vector<ProcessTimes> measure_noise(double seconds) {
  const Timer timer;
  std::vector<ProcessTimes> all;
  for (int k = 0; k < most_processes; ++k) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const FileDescriptor reader(ends[0]);
    FileDescriptor writer(ends[1]);
    ProcessTimes process{.started_s = timer.seconds(), .samples_s = {}, .waited_s = {}, .probe_s = {}};
    const pid_t pid = ::fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) sample_until(std::max(2 * warm_up_s, seconds / most_processes), writer.get());
    writer = FileDescriptor();
    Sample sample{};
    while (::read(reader.get(), &sample, sizeof sample) == sizeof sample) {
      process.samples_s.push_back(sample.seconds);
      process.probe_s.push_back(sample.probe_s);
      process.waited_s.push_back(sample.waited_s);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!process.samples_s.empty()) all.push_back(std::move(process));
  }
  return all;
}

Noise noise_of(const std::vector<ProcessTimes>& processes) {
  constexpr double quartiles_of_normal = 1.349, seconds_of_minute = 60;
  Noise noise{.processes = processes.size()};
  std::vector<double> all, spreads, logarithms;
  double least_probe_s = std::numeric_limits<double>::infinity();
  for (const ProcessTimes& process : processes)
    for (const double probe_s : process.probe_s) least_probe_s = std::min(least_probe_s, probe_s);
  for (const ProcessTimes& process : processes) {
    all.insert(all.end(), process.samples_s.begin(), process.samples_s.end());
    const std::vector<double> quiet = quiet_samples(process, least_probe_s, noise);
    const Quartiles q = quartiles(quiet);
    spreads.push_back((q.q3 - q.q1) / q.median / quartiles_of_normal);
    logarithms.push_back(std::log(own_time(quiet)));
  }
  noise.samples = all.size();
  noise.sample_s = median_of(all), noise.of_samples = median_of(spreads);
  const auto count = static_cast<double>(processes.size());
  double mean_time = 0, mean = 0, products = 0, squares = 0, rest = 0;
  for (std::size_t k = 0; k < processes.size(); ++k)
    mean_time += processes[k].started_s / count, mean += logarithms[k] / count;
  for (std::size_t k = 0; k < processes.size(); ++k) {
    const double time = processes[k].started_s - mean_time;
    products += time * (logarithms[k] - mean), squares += time * time;
  }
  const double slope = squares > 0 ? products / squares : 0;
  for (std::size_t k = 0; k < processes.size(); ++k) {
    const double left = logarithms[k] - mean - slope * (processes[k].started_s - mean_time);
    rest += left * left;
  }
  noise.of_processes = std::sqrt(rest / std::max(1.0, count - 2));
  noise.drift = seconds_of_minute * slope;
  return noise;
}

double smallest_difference(const Noise& noise, std::size_t cases, std::size_t samples) {
  constexpr double nine_of_ten = 1.2816;                      // the normal distribution's quantile
  constexpr double of_median = 1.2533, of_quartile = 1.3626;  // errors by σ/√n; the median's is √(π/2)
  const double false_alarms = CompareOptions().false_alarms;
  const double of_own_time = samples < samples_for_quartile ? of_median : of_quartile;
  const double error = of_own_time * noise.of_samples / std::sqrt(static_cast<double>(samples));
  const double deviation = std::sqrt(2 * (noise.of_processes * noise.of_processes + error * error));
  const auto others = static_cast<double>(cases - 1);
  const double critical = student_quantile(false_alarms / static_cast<double>(cases), cases - 2);
  return std::expm1(deviation * (critical * std::sqrt(1 + 1 / others) + nine_of_ten));
}

}  // namespace pivotlab::experiments
