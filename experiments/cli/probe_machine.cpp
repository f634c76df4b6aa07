// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <omp.h>

#include <cmath>

#include <experiments/cli/cpu_check.hpp>
#include <experiments/cli/findings.hpp>
#include <experiments/engine/environment.hpp>

namespace pivotlab::cli {
namespace {

double gib(double bytes) {
  return bytes / (1024.0 * 1024.0 * 1024.0);
}

Finding cores(const experiments::Machine& machine) {
  const int threads = omp_get_max_threads();
  Finding finding{
      "Cores", State::ok,
      fmt::format("{} of {} allowed, {} OpenMP threads", machine.cores, experiments::online_cores(), threads), ""};
  if (threads > machine.cores) {
    finding.state = State::problem;
    finding.remedy =
        fmt::format("times with more threads than cores are meaningless: set OMP_NUM_THREADS={}", machine.cores);
  }
  return finding;
}

Finding memory(const experiments::Machine& machine) {
  return {"Memory", State::ok,
          fmt::format("{:.1f} GiB, {:.1f} GiB available", gib(machine.memory_bytes), gib(machine.available_bytes)), ""};
}

Finding instruction_set() {
  const InstructionSets sets = instruction_sets();
  if (sets.missing.empty()) return {"Instructions", State::ok, sets.required + " (needed and present)", ""};
  return {"Instructions", State::problem, "missing: " + sets.missing,
          "configure with -DPIVOTLAB_ARCH=x86-64-v2 (or native) and build again"};
}

Finding load(const experiments::Machine& machine) {
  const double average = experiments::load_average();
  if (std::isnan(average)) return {"Load", State::optional, "unknown", ""};
  Finding finding{"Load", State::ok, fmt::format("{:.2f}", average), ""};
  if (average > 0.5 * machine.cores) {
    finding.state = State::optional;
    finding.remedy = "other programs are running: times will be noisy until they end";
  }
  return finding;
}

}  // namespace

std::vector<Finding> probe_machine() {
  const experiments::Machine machine = experiments::inspect_machine();
  const experiments::BuildInfo& build = experiments::build_info();
  return {{"System", State::ok, machine.os, ""},
          {"CPU", State::ok, machine.cpu, ""},
          cores(machine),
          memory(machine),
          load(machine),
          instruction_set(),
          {"pivotlab", State::ok,
           fmt::format("{}, commit {}{}, by {}, {}", build.version, build.commit.substr(0, 12),
                       build.clean ? "" : " with changes", build.compiler, build.flags),
           ""}};
}

}  // namespace pivotlab::cli
