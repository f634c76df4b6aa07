// SPDX-License-Identifier: BSD-3-Clause
// Machine and build that made a record.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Properties of the build, compiled into the program.
struct BuildInfo {
  std::string version;   ///< version of the project, e.g. "0.1.0"
  std::string commit;    ///< git commit, "unknown" outside a checkout
  bool clean = false;    ///< no uncommitted change in tracked files
  std::string compiler;  ///< e.g. "GNU 12.2.0"
  std::string flags;     ///< the compiler options that affect results and speed
  std::string methods;   ///< "all", or the only one (cmake/PivotlabMethods.cmake)
};
const BuildInfo& build_info();

/// The machine as this process sees it.
struct Machine {
  std::string host, cpu, os, blas;
  int cores = 0;               ///< that this process may use
  double memory_bytes = 0;     ///< installed, or the control group's limit if that is less
  double available_bytes = 0;  ///< now
};
Machine inspect_machine();

/// Returns the numbers of the cores that this process may use.
std::vector<int> usable_cores();
/// Restricts this thread and the threads that it starts to these cores, if the system allows it.
void use_cores(const std::vector<int>& cores);

double load_average();  ///< load average of the last minute; NaN if unknown
/// Returns how many tasks of the machine, beside this one, run or wait for a core at this moment; 0 if unknown.
int others_running();
/// Returns the seconds of fixed arithmetic in registers, about 5 µs. It takes longer while another thread shares the
/// core, be it that of another virtual machine, and while the clock is lower.
double probe_core_s();
/// Seconds of CPU time that all processes of the machine and this one have used so far.
struct CpuUse {
  double machine_s = 0, own_s = 0;
};
CpuUse cpu_use();
int online_cores();         ///< all cores of the machine, also those that this process may not use
double cpu_frequency_hz();  ///< highest current frequency of the cores; NaN if unknown
int default_threads();      ///< OMP_NUM_THREADS, else the cores that this process may use
/// Sets what default_threads() returns from now on, also in child processes.
void set_default_threads(int threads);
std::string utc_now();  ///< "2026-11-21T09:00:00Z"

/// Returns the command line of this process; the first argument is the name of the program, "pivotlab".
std::vector<std::string> own_arguments();
/// Returns a command line, quoted for a shell: "pivotlab run quick --filter 'n={64,128}'".
std::string shell_line(const std::vector<std::string>& arguments);

/// Returns the record sections "environment" (without the loads) and "provenance" (without the time).
nlohmann::json environment_json();
nlohmann::json provenance_json(const std::string& command);

}  // namespace pivotlab::experiments
