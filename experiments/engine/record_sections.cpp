// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_sections.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/status.hpp>
#include <variants/variant_names.hpp>

#include <nlohmann/json.hpp>
#include <utility>

namespace pivotlab::experiments {
namespace {

using enum JsonType;
using enum NumberFormat;

struct Column {
  Role role;
  std::string heading, name = {};
  NumberFormat format = plain;
};

Quantity quantity(std::string at, Domain domain, std::string definition, Column column = {Role::none, ""}) {
  if (column.name.empty() && column.role != Role::none) column.name = at;
  return {std::move(at),
          std::move(column.heading),
          column.format,
          std::move(definition),
          {},
          column.role,
          std::move(column.name),
          {},
          false,
          std::move(domain)};
}

Quantity group(std::string at, std::vector<Quantity> members, std::string definition = {}) {
  Quantity result = quantity(std::move(at), {.type = object}, std::move(definition));
  result.members = std::move(members);
  return result;
}

Quantity nullable(Quantity one) {
  one.domain.nullable = true;
  return one;
}

Quantity optional_member(Quantity one) {
  one.domain.optional = true;
  return one;
}

Quantity with_unit(std::string unit, Quantity one) {
  one.unit = std::move(unit);
  return one;
}

const Domain text_domain{.type = text}, number_or_null{.nullable = true}, count{.type = integer, .minimum = 0},
    numbers{.list = true, .minimum = 0};

Quantity seconds_of(std::string at, std::string heading, std::string definition, Role role, std::string name) {
  return with_unit("s", quantity(std::move(at), number_or_null, std::move(definition),
                                 {role, std::move(heading), std::move(name), seconds}));
}

/// Median, quartiles and samples of a time, as columns `name`_s, …
Quantity time(const std::string& name, const std::string& heading, const std::string& of, bool counted) {
  const std::string prefix = name == "wall" ? "wall " : "";
  Quantity samples = quantity("samples", numbers, "Seconds of each timed solution");
  if (counted) samples = quantity("samples", numbers, "Number of timed solutions", {Role::detail, "samples"});
  return group(name + "_s",
               {seconds_of("median", heading, "Median " + of, Role::compared, name + "_s"),
                seconds_of("q1", prefix + "q1 s", "Lower quartile of the " + of, Role::detail, name + "_q1_s"),
                seconds_of("q3", prefix + "q3 s", "Upper quartile of the " + of, Role::detail, name + "_q3_s"),
                std::move(samples)});
}

std::vector<std::string> statuses() {
  std::vector<std::string> names;
  for (auto status = Status::passed; status <= Status::skipped; status = Status(int(status) + 1))
    names.emplace_back(to_string(status));
  return names;
}

std::vector<std::string> flags() {
  std::vector<std::string> names;
  for (const FlagMeaning& flag : flag_meanings()) names.emplace_back(flag.name);
  return names;
}

Quantity times() {
  return group(
      "time",
      {time("compute", "time s", "time of the compute phase alone", true),
       time("wall", "wall s", "wall time from the input in memory to the solution in memory", false),
       optional_member(with_unit("Gflop/s", quantity("gflops", {.minimum = 0},
                                                     "Rate: the method's nominal flops by the median time of the "
                                                     "compute phase",
                                                     {Role::detail, "Gflop/s", "", seconds}))),
       optional_member(quantity("of_peak", {.minimum = 0},
                                "The rate by the GPU's measured peak of products in double precision",
                                {Role::detail, "of peak", "", ratio})),
       optional_member(seconds_of("problem_s", "s/problem",
                                  "Median time of the compute phase by the number of problems of a batch", Role::detail,
                                  "problem_s")),
       seconds_of("generate_s", "generate s", "Time of making the problem, shared by all its cases", Role::detail,
                  "generate_s"),
       seconds_of("judge_s", "judge s", "Time of computing the metrics", Role::detail, "judge_s"),
       quantity("flags", {.type = text, .list = true, .choices = flags()},
                "Why the times are to be read with care; separated by commas", {Role::detail, "flags"}),
       optional_member(quantity("crowded_samples", count,
                                "Number of samples beside which other tasks left fewer cores than the case has "
                                "threads")),
       optional_member(quantity("core_s", numbers,
                                "Seconds of a fixed piece of arithmetic beside each sample: more while another thread "
                                "shares the core, or its clock is lower")),
       optional_member(quantity("probe_s", numbers,
                                "The same of earlier versions, which sometimes took up to twice as long without such "
                                "a reason")),
       optional_member(quantity("disturbed_samples", count,
                                "Number of samples that other work made longer: a thread waited for a core for more "
                                "than 1 % of the sample, or the core was slower than the run has seen it")),
       optional_member(quantity("passes", {.type = integer, .list = true, .minimum = 0},
                                "Numbers of samples that were taken in turn, each by another process")),
       optional_member(quantity("retaken_s", numbers,
                                "Seconds of the compute phase of further such samples, instead of which others were "
                                "taken"))});
}

Quantity gpu_state(std::string at) {
  return nullable(
      group(std::move(at),
            {quantity("sm_clock_hz", number_or_null, "Clock of the multiprocessors"),
             quantity("memory_clock_hz", number_or_null, "Clock of the memory"),
             quantity("temperature_c", number_or_null, "Temperature in °C"),
             quantity("power_w", number_or_null, "Power in W"),
             quantity("throttle",
                      {.type = text,
                       .list = true,
                       .choices = {"sw_power_cap", "hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"}},
                      "What has slowed the GPU down so far in this case")},
            "Its state beside the solutions"));
}

Quantity environment() {
  const auto frame = [](std::string heading, std::string name = {}) {
    return Column{Role::frame, std::move(heading), std::move(name)};
  };
  const Quantity gpu = nullable(group(
      "gpu",
      {quantity("name", text_domain, "Name of the GPU that the case uses", frame("GPU", "gpu")),
       quantity("compute_capability", text_domain, "Compute capability"),
       quantity("multiprocessors", {.type = integer, .minimum = 1}, "Multiprocessors"),
       quantity("memory_bytes", count, "Memory of the GPU"),
       quantity("runtime", text_domain, "Versions of CUDA's runtime and, since 2026-11-29, of cuBLAS and cuSOLVER"),
       gpu_state("before"), gpu_state("after")},
      "null for a case that uses none"));
  return group(
      "environment",
      {quantity("host", text_domain, "Name of the machine", frame("Host")),
       quantity("cpu", text_domain, "Model of the processor", frame("Processor")),
       quantity("cores", {.type = integer, .minimum = 1}, "Cores that the process may use", frame("Cores")),
       with_unit("B", quantity("memory_bytes", number_or_null, "Installed memory, or the limit of the control group",
                               frame("Memory"))),
       quantity("os", text_domain, "Distribution and kernel", frame("System")),
       quantity("compiler", text_domain, "Name and version of the compiler", frame("Compiler")),
       quantity("flags", text_domain, "Compiler options that matter for numbers and speed",
                frame("Flags", "compiler_flags")),
       quantity("blas", text_domain,
                "BLAS and LAPACK of the process; with padded columns, no leading dimension is a multiple of 512 bytes",
                frame("BLAS")),
       gpu,
       quantity("driver", {.type = text, .nullable = true}, "Release of the GPU's driver and its CUDA version",
                frame("Driver")),
       quantity("load_before", number_or_null, "Load average of the last minute before the first solution",
                {Role::detail, "load before", "", ratio}),
       quantity("load_after", number_or_null, "Load average of the last minute after the last solution",
                {Role::detail, "load after", "", ratio}),
       quantity("frequency_before_hz", number_or_null, "Highest frequency of the cores before the first solution"),
       quantity("frequency_after_hz", number_or_null, "Highest frequency of the cores after the last solution")});
}

Quantity workers() {
  Quantity result =
      group("workers",
            {quantity("number", count, "Number of the worker that solved the case", {Role::frame, "worker", "worker"}),
             quantity("of", count, "Number of workers of the run", {Role::frame, "workers", "workers"}),
             quantity("cores", text_domain, "Numbers of the cores that were reserved for the case"),
             quantity("gpus", text_domain, "Places of the GPUs that were reserved for the case, in the worker's list"),
             quantity("beside", {.type = text, .list = true, .pattern = "^[0-9a-f]{32}$"},
                      "Keys of cases that other workers solved on the same host meanwhile, at most 20"),
             quantity("cases_beside", count, "Number of such cases", {Role::frame, "cases beside", "cases_beside"})},
            "The worker, in a run with several");
  result.domain.optional = true;
  return result;
}

Quantity provenance() {
  const auto frame = [](std::string heading) { return Column{Role::frame, std::move(heading)}; };
  return group("provenance",
               {quantity("version", text_domain, "Version of pivotlab", frame("version")),
                quantity("commit", text_domain, "Commit of its source; unknown outside of a checkout", frame("commit")),
                quantity("clean", {.type = boolean}, "Whether the source was as committed", frame("clean")),
                quantity("started", {.type = text, .pattern = R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$)"},
                         "When the case was started, UTC", frame("started")),
                quantity("command", text_domain, "Command line"), workers()});
}

/// How a batch was judged.
Quantity batch() {
  return optional_member(group(
      "batch",
      {quantity("judged", {.type = integer, .minimum = 1},
                "Problems of the batch that are different, of consecutive seeds; all are judged, and the record has "
                "the metrics of the worst",
                {Role::frame, "judged", "batch_judged"}),
       quantity("different", {.type = integer, .nullable = true, .minimum = 0},
                "Other problems whose solution has other bits than the judged one with the same input; null for a "
                "baseline, of which they are not compared",
                {Role::frame, "different", "batch_different"}),
       quantity("statuses", {.type = object}, "Number of problems by the status that their solver reports")},
      "A batch; missing for one problem"));
}

/// What identifies a solver of the user's, and what it has given beside its results. Values have columns own.<name>.
Quantity own() {
  return optional_member(group(
      "own",
      {quantity("kind", {.type = text, .choices = {"python", "library", "pivotlab", "command"}}, "Form of the solver"),
       quantity("source", text_domain, "Its file, the folder of another version of pivotlab, or the command line"),
       quantity("function", text_domain, "Name of the function or of the variant; empty for a command"),
       quantity("options", {.type = object}, "Options with their values"),
       quantity("digest", {.type = text, .pattern = "^[0-9a-f]{32}$"}, "XXH3-128 of its files"),
       quantity("commit", text_domain,
                "git commit of the folder of its file, or of the other version of pivotlab; empty without one"),
       quantity("clean", {.type = boolean, .nullable = true},
                "Whether that folder was as committed; null without a commit"),
       quantity("versions", {.type = object}, "Versions of Python, NumPy, the library, the other pivotlab"),
       optional_member(quantity("text", text_domain, "Source text of a function of a notebook")),
       quantity("start_s", number_or_null, "Seconds from the start of its process until it could solve"),
       quantity("values", {.type = object}, "Numbers and short texts that it has given beside its results"),
       quantity("output", text_domain, "The last 2 KiB of what it has printed"),
       quantity("traceback", text_domain, "Traceback of its exception; empty without one")},
      "A solver of the user's; missing for all others"));
}

/// The same without columns.
std::vector<Quantity> without_columns(std::vector<Quantity> quantities) {
  for (Quantity& one : quantities) {
    one.role = Role::none;
    one.members = without_columns(std::move(one.members));
  }
  return quantities;
}

/// Returns the section with the results of the build that was measured beside this one.
Quantity beside() {
  return optional_member(
      group("beside",
            without_columns({quantity("version", text_domain, "Version of pivotlab"),
                             quantity("commit", text_domain, "Commit of its source; unknown outside of a checkout"),
                             quantity("clean", {.type = boolean}, "Whether the source was as committed"),
                             quantity("status", {.type = text, .choices = statuses()}, "Outcome of the case"),
                             quantity("message", text_domain, "Why the case has not passed; empty if it has"), times(),
                             nullable(group("metrics", {}, "Errors of the solution; null where there is none"))}),
            "Another build, whose samples were taken in turn with this one's: the k-th of both make a pair"));
}

nlohmann::json json_of(const OptionValue& value) {
  return std::visit(
      [](const auto& x) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::monostate>)
          return nullptr;
        else
          return x;
      },
      value);
}

}  // namespace

const std::vector<FlagMeaning>& flag_meanings() {
  static const std::vector<FlagMeaning> meanings = {{"noisy", "with a spread above the limit"},
                                                    {"loaded", "while the machine had other work"},
                                                    {"throttled", "while heat or power slowed the GPU down"},
                                                    {"resumed", "without what went before an interruption"}};
  return meanings;
}

const std::vector<Quantity>& record_quantities() {
  const auto section = [](std::string at, std::string definition) {
    return nullable(group(std::move(at), {}, std::move(definition)));
  };
  static const std::vector<Quantity> quantities = {
      quantity("schema", {.type = text, .choices = {std::string(record_schema)}}, "Format of the record"),
      quantity("key", {.type = text, .pattern = "^[0-9a-f]{32}$"},
               "Key of the case: XXH3-128 of its canonical JSON, in hexadecimal", {Role::detail, "key"}),
      quantity("experiment", {.type = text, .pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$"}, "Name of the experiment",
               {Role::frame, "experiment"}),
      group("case", {}, "Every axis with its canonical value"),
      section("variant", "Parameters of the variant; null for baselines"),
      quantity("status", {.type = text, .choices = statuses()}, "Outcome of the case", {Role::shown, "status"}),
      quantity("message", {.type = text, .pattern = R"(^[^\n]*$)"},
               "Why the case has not passed, in one line; empty if it has", {Role::shown, "note"}),
      section("problem", "What is known about the problem; null where it was not made"),
      times(),
      section("convergence", "Course of the iteration; null for direct methods"),
      section("metrics", "Errors of the solution; null where there is none"),
      environment(),
      provenance(),
      batch(),
      own(),
      beside()};
  return quantities;
}

nlohmann::json variant_section(const Method& method, const Case& axes) {
  const auto& solver = std::get<std::string>(axes.at("solver"));
  if (solver.find(':') != std::string::npos) return nullptr;
  for (const VariantNames* names : method.variants()) {
    try {
      nlohmann::json section = nlohmann::json::object();
      for (const auto& [name, value] : names->section(solver)) section[name] = json_of(value);
      return section;
    } catch (const InputError&) {  // a name of another family
    }
  }
  return nullptr;
}

}  // namespace pivotlab::experiments
