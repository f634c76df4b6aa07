// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>
#include <experiments/engine/compare.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/noise.hpp>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/timing.hpp>
#include <support/timer.hpp>

#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
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
  double seconds, probe_s, crowded;
};

[[noreturn]] void sample_until(double seconds, int pipe) {
  Product product;
  const Timer timer;
  while (timer.seconds() < warm_up_s) product.run();
  while (timer.seconds() < seconds) {
    const int others_before = others_running();
    const double probe_before_s = probe_core_s();
    const Timer one;
    product.run();
    Sample sample{.seconds = one.seconds(), .probe_s = 0, .crowded = 0};
    sample.probe_s = std::min(probe_before_s, probe_core_s());
    sample.crowded = online_cores() - std::min(others_before, others_running()) < 1 ? 1 : 0;
    if (::write(pipe, &sample, sizeof sample) != sizeof sample) break;
  }
  ::_exit(0);
}

double median_of(const std::vector<double>& values) {
  return quartiles(values).median;
}

/// Returns the critical value of Student's distribution for a two-sided probability, by bisection.
double student_quantile(double probability, std::size_t degrees) {
  double low = 0, high = 1e6;
  for (int k = 0; k < 100; ++k) {
    const double middle = (low + high) / 2;
    (student_p_value(middle, degrees) > probability ? low : high) = middle;
  }
  return high;
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
    ProcessTimes process{.started_s = timer.seconds(), .samples_s = {}, .crowded = 0, .probe_s = {}};
    const pid_t pid = ::fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) sample_until(std::max(2 * warm_up_s, seconds / most_processes), writer.get());
    writer = FileDescriptor();
    Sample sample{};
    while (::read(reader.get(), &sample, sizeof sample) == sizeof sample) {
      process.samples_s.push_back(sample.seconds);
      process.probe_s.push_back(sample.probe_s);
      process.crowded += sample.crowded > 0;
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!process.samples_s.empty()) all.push_back(std::move(process));
  }
  return all;
}

Noise noise_of(const std::vector<ProcessTimes>& processes) {
  constexpr double quartiles_of_normal = 1.349, slowed = 1.15, seconds_of_minute = 60;
  Noise noise{.processes = processes.size()};
  std::vector<double> all, probes, spreads, logarithms;
  for (const ProcessTimes& process : processes) {
    all.insert(all.end(), process.samples_s.begin(), process.samples_s.end());
    probes.insert(probes.end(), process.probe_s.begin(), process.probe_s.end());
    noise.crowded += static_cast<std::size_t>(process.crowded);
    const Quartiles q = quartiles(process.samples_s);
    spreads.push_back((q.q3 - q.q1) / q.median / quartiles_of_normal);
    logarithms.push_back(std::log(q.median));
  }
  noise.samples = all.size();
  const double usual_probe = median_of(probes);
  noise.slowed = static_cast<std::size_t>(
      std::ranges::count_if(probes, [&](double probe) { return probe > slowed * usual_probe; }));
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
  constexpr double of_median = 1.2533, nine_of_ten = 1.2816;  // √(π/2), the normal distribution's quantile
  const double false_alarms = CompareOptions().false_alarms;
  const double error = of_median * noise.of_samples / std::sqrt(static_cast<double>(samples));
  const double deviation = std::sqrt(2 * (noise.of_processes * noise.of_processes + error * error));
  const auto others = static_cast<double>(cases - 1);
  const double critical = student_quantile(false_alarms / static_cast<double>(cases), cases - 2);
  return std::expm1(deviation * (critical * std::sqrt(1 + 1 / others) + nine_of_ten));
}

}  // namespace pivotlab::experiments
