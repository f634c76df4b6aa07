// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <experiments/build_commit.hpp>  // made by cmake/BuildCommit.cmake
#include <experiments/engine/environment.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/threads.hpp>
#include <support/files/memory.hpp>
#include <support/text/number.hpp>
#include <support/text/terminal.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Returns the value of the first line "key<separator>value", without surrounding blanks and quotes; empty if there is
/// none.
std::string value_of(const std::filesystem::path& file, std::string_view key, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || std::string_view(line).substr(0, line.find_last_not_of(" \t", at - 1) + 1) != key)
      continue;
    const std::size_t first = line.find_first_not_of(" \t\"", at + 1);
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\"") + 1 - first);
  }
  return {};
}

double number_in(const std::string& text) {
  const auto [number, length] = leading_number(text.substr(std::min(text.find_first_not_of(" \t"), text.size())));
  return length == 0 ? kNaN : number;
}

double meminfo_bytes(std::string_view key) {
  return 1024 * number_in(value_of("/proc/meminfo", key, ':'));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string operating_system() {
  utsname kernel{};
  ::uname(&kernel);
  std::string name = value_of("/etc/os-release", "PRETTY_NAME", '=');
  return fmt::format("{}, {} {}", name.empty() ? "unknown distribution" : name, kernel.sysname, kernel.release);
}

std::string known(const std::string& text) {
  return text.empty() ? "unknown" : text;
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo info{
      PIVOTLAB_VERSION, std::string(build::commit), build::clean, PIVOTLAB_COMPILER, PIVOTLAB_FLAGS, PIVOTLAB_METHODS};
  return info;
}

std::vector<int> usable_cores() {
  std::vector<int> cores;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

void use_cores(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : kNaN;
}

int others_running() {
  std::ifstream stream("/proc/loadavg");  // "0.20 0.18 0.12 3/80 11206": 3 tasks, this one among them
  std::string average;
  int running = 1;
  stream >> average >> average >> average >> running;
  return std::max(0, running - 1);
}

double probe_core_s() {
  constexpr double factor = 0.999999;
#ifdef __AVX__
  // Eight products and twelve sums in four cycles are all that a core can issue, so that any other thread of it shows.
  // As machine code, because what a compiler makes of such a loop took up to twice as long from time to time, for
  // reasons that change no sample: the place of the code, and how it is decoded.
  double a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1;
  std::uint64_t p = 0, q = 0, r = 0, s = 0, rounds = 3000;
  const Timer timer;
  asm volatile(
      ".p2align 6\n1:\n\t"
      "vmulsd %[k],%[a],%[a]\n\t add $3,%[p]\n\t add $3,%[q]\n\t vmulsd %[k],%[b],%[b]\n\t add $3,%[r]\n\t"
      "add $3,%[s]\n\t vmulsd %[k],%[c],%[c]\n\t add $3,%[p]\n\t vmulsd %[k],%[d],%[d]\n\t add $3,%[q]\n\t"
      "add $3,%[r]\n\t vmulsd %[k],%[e],%[e]\n\t add $3,%[s]\n\t vmulsd %[k],%[f],%[f]\n\t add $3,%[p]\n\t"
      "add $3,%[q]\n\t vmulsd %[k],%[g],%[g]\n\t add $3,%[r]\n\t vmulsd %[k],%[h],%[h]\n\t add $3,%[s]\n\t"
      "dec %[n]\n\t jnz 1b"
      : [a] "+x"(a), [b] "+x"(b), [c] "+x"(c), [d] "+x"(d), [e] "+x"(e), [f] "+x"(f), [g] "+x"(g), [h] "+x"(h),
        [p] "+r"(p), [q] "+r"(q), [r] "+r"(r), [s] "+r"(s), [n] "+r"(rounds)
      : [k] "x"(factor)
      : "cc");
#else
  std::array<double, 32> x{};
  x.fill(1);
  const Timer timer;
  for (int i = 0; i < 400; ++i)
    for (double& value : x) {
      value *= factor;
      asm volatile("" : "+m"(value));  // neither vectorized nor left out
    }
#endif
  return timer.seconds();
}

CpuUse cpu_use() {
  std::ifstream stream("/proc/stat");
  std::string label;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft_irq = 0, stolen = 0;
  stream >> label >> user >> nice >> system >> idle >> waiting >> irq >> soft_irq >> stolen;
  const double ticks = user + nice + system + irq + soft_irq + stolen;
  return {ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)),
          static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC)};
}

int online_cores() {
  return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
}

double cpu_frequency_hz() {
  double highest = kNaN;
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("cpu MHz")) highest = std::fmax(highest, 1e6 * number_in(line.substr(line.find(':') + 2)));
  return highest;
}

int default_threads() {
  if (const char* wanted = std::getenv("OMP_NUM_THREADS"))
    if (const double number = number_in(wanted); number >= 1 && number <= most_threads) return static_cast<int>(number);
  return std::min(static_cast<int>(usable_cores().size()), most_threads);
}

void set_default_threads(int threads) {
  ::setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Machine inspect_machine() {
  Machine machine;
  machine.host = host_name();
  machine.cpu = known(value_of("/proc/cpuinfo", "model name", ':'));
  machine.os = operating_system();
  machine.blas = known(blas_version());
  machine.cores = static_cast<int>(usable_cores().size());
  const auto group = group_memory();
  machine.memory_bytes = std::fmin(meminfo_bytes("MemTotal"), group ? group->limit : kNaN);
  machine.available_bytes = available_memory();
  return machine;
}

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  if (!arguments.empty()) arguments[0] = std::filesystem::path(arguments[0]).filename();
  return arguments;
}

std::string shell_line(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += (line.empty() ? "" : " ") + shell_word(argument);
  return line;
}

nlohmann::json environment_json() {
  const Machine machine = inspect_machine();
  return {{"host", machine.host},
          {"cpu", machine.cpu},
          {"cores", static_cast<unsigned>(machine.cores)},
          {"memory_bytes", machine.memory_bytes},
          {"os", machine.os},
          {"compiler", build_info().compiler},
          {"flags", build_info().flags},
          {"blas", machine.blas},
          {"gpu", nullptr},
          {"driver", nullptr}};
}

nlohmann::json provenance_json(const std::string& command) {
  const BuildInfo& build = build_info();
  return {{"version", build.version}, {"commit", build.commit}, {"clean", build.clean}, {"command", command}};
}

}  // namespace pivotlab::experiments
