// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/cli/command.hpp>
#include <experiments/cli/findings.hpp>
#include <experiments/engine/compare.hpp>
#include <experiments/engine/noise.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::Field;

std::string to_string(State state) {
  switch (state) {
    case State::ok:
      return "ok";
    case State::optional:
      return "optional";
    case State::problem:
      break;
  }
  return "problem";
}

const std::vector<Field<Finding>>& fields() {
  static const std::vector<Field<Finding>> list = {
      {{"part", "part"}, [](const Finding& f) -> Cell { return f.part; }},
      {{"state", "state"}, [](const Finding& f) -> Cell { return to_string(f.state); }},
      {{"found", "found"}, [](const Finding& f) -> Cell { return f.found; }},
      {{"remedy", "remedy"}, [](const Finding& f) -> Cell { return f.remedy; }},
  };
  return list;
}

experiments::TableVerdict verdict(const std::vector<Finding>& findings) {
  const auto problems = std::count_if(findings.begin(), findings.end(),
                                      [](const Finding& finding) { return finding.state == State::problem; });
  if (problems == 0) return {"All required parts are available.", "READY", true};
  return {fmt::format("{} problem{}, remedies above.", problems, problems == 1 ? "" : "s"), "NOT READY", false};
}

// Prints each remedy below its finding, because a remedy is too long for a column.
void print_for_people(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const char mark = finding.state == State::ok ? ' ' : finding.state == State::optional ? '-' : '!';
    std::cout << fmt::format("{} {:<13}{}\n", mark, finding.part, on_terminal(finding.found));
    if (!finding.remedy.empty()) std::cout << fmt::format("  {:<13}-> {}\n", "", on_terminal(finding.remedy));
  }
  const auto outcome = verdict(findings);
  std::cout << fmt::format("\n{} {}\n", outcome.summary, outcome.word);
}

std::string percent(double part) {
  return fmt::format("{:.2g}%", 100 * part);
}

/// Measures the noise of the machine, and says which differences `compare` finds.
std::vector<Finding> probe_noise(double seconds) {
  constexpr std::size_t cases = 9, few = 5, samples = 60;
  constexpr double quiet = 0.02, disturbed = 0.2;
  const experiments::Noise noise = experiments::noise_of(experiments::measure_noise(seconds));
  const double count = static_cast<double>(noise.samples);
  const bool is_disturbed = static_cast<double>(noise.waited + noise.slowed) > disturbed * count;
  const std::string idle = "stop other programs, take fewer threads, or measure at another time";
  const double one = experiments::smallest_difference(noise, cases, samples);
  const auto state = [](bool good) { return good ? State::ok : State::optional; };
  return {
      {"Other work", state(!is_disturbed),
       fmt::format("{} of {} samples of {:.2g} ms waited for a core, {} were on a slowed core", noise.waited,
                   noise.samples, 1e3 * noise.sample_s, noise.slowed),
       is_disturbed ? idle : ""},
      {"Samples", state(noise.of_samples <= quiet), "differ by " + percent(noise.of_samples),
       noise.of_samples <= quiet ? "" : idle},
      {"Processes", state(noise.of_processes <= quiet),
       fmt::format("{} differ by {} in their lower quartiles", noise.processes, percent(noise.of_processes)),
       noise.of_processes <= quiet ? "" : idle},
      {"Drift", state(std::abs(noise.drift) <= quiet), percent(noise.drift) + " a minute",
       std::abs(noise.drift) <= quiet ? "" : "interleave runs that are compared, or wait until the clock is steady"},
      {"Compare", state(one <= experiments::CompareOptions().threshold),
       fmt::format("finds {} in one of {} cases of {} samples, {} in one of {}", percent(one), cases, samples,
                   percent(experiments::smallest_difference(noise, few, samples)), few),
       one <= experiments::CompareOptions().threshold
           ? fmt::format("sweep with --until 1%, and compare with --threshold {}", percent(one / 2))
           : idle}};
}

int run(const TableOptions& table, double noise_s) {
  const auto style = table.style();
  std::vector<Finding> findings;
  if (noise_s > 0) findings = probe_noise(noise_s);  // first: what the other probes load has threads
  for (const auto& probe : {probe_machine, probe_libraries, probe_gpu, probe_project})
    for (Finding& finding : probe()) findings.push_back(std::move(finding));
  if (style.format == experiments::TableFormat::table && table.columns.empty())
    print_for_people(findings);
  else
    print_table(table, fields(), findings, verdict(findings));
  return verdict(findings).good ? exit_fine : exit_cases_failed;
}

}  // namespace

Command add_doctor(CLI::App& root) {
  CLI::App* app = root.add_subcommand("doctor", "Check the environment and suggest fixes");
  auto table = std::make_shared<TableOptions>();
  struct NoiseOptions {
    bool measure = false;
    double seconds = 12;
  };
  const auto noise = std::make_shared<NoiseOptions>();
  add_table_options(*app, *table);
  CLI::Option* flag = app->add_flag("--noise", noise->measure,
                                    "Measure the noise of times, and say which differences compare can find");
  app->add_option("--seconds", noise->seconds, "Of the measurement of noise")
      ->type_name("S")
      ->check(CLI::Range(1, 20).description(""))
      ->capture_default_str()
      ->needs(flag);
  app->footer(
      "'-' marks a missing optional part, '!' a problem; the exit code is 1 if there are problems.\n\n"
      "Examples:\n"
      "  pivotlab doctor\n"
      "  pivotlab doctor --noise\n"
      "  pivotlab doctor --format json");
  return {app, [table, noise] { return run(*table, noise->measure ? noise->seconds : 0); }};
}

}  // namespace pivotlab::cli
