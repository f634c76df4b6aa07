// What an experiment varies, as data: the JSON files in specs/ and what `sweep` builds from its options.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/engine/value.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

struct Axis {
  std::string name;
  std::vector<Value> values;
};

/// When a case has been timed often enough (DESIGN decision 7).
struct Timing {
  int warmup = 0;                 ///< runs before the first sample
  int min_repeats = 1;            ///< samples at least
  int max_repeats = 3;            ///< samples at most
  double relative_spread = 0.05;  ///< enough when (q3 − q1) / median is not above it, told from three samples on
  double budget_s = 60;           ///< no further sample once a case's samples add up to this
  double timeout_s = 0;           ///< a case that takes longer than this is stopped; 0: no limit
  bool interleave = false;        ///< the solvers of a problem take turns, one sample at a time
};

/// A validated experiment. Axes are crossed in their order, the last one fastest; an axis that the spec leaves out has
/// the method's default. Patterns and ranges have been expanded; '?' in a solver is still open.
struct Spec {
  std::string name;  ///< [A-Za-z0-9._-]+, the folder of its run
  std::string title, source;
  std::string method = "gsvd";
  std::string scale = "paper";  ///< which of `scales` has been applied; "paper" is the spec itself
  std::vector<Axis> axes;
  std::vector<std::vector<std::string>> zip;  ///< axes of equal length that advance together, at the place of the first
  std::vector<Case> exclude;                  ///< cases to leave out: every axis named must match; text may hold '*'
  Timing timing;
  std::string published;        ///< name of the published numbers, may be empty
  std::string report = "null";  ///< for the analysis only: JSON text, passed on as it is
};

class ReportRules;

/// Reads a spec and applies a scale ("paper", or a key of `scales`). `find` gives the method by name, so that tests can
/// bring their own. All of it is checked, other scales too; what the report names, only by the rules. Throws InputError
/// "<file>:<line>:<column>: …" for JSON errors, and "<file>: <place>: …" for unknown keys, axes, scales (naming the
/// nearest) and values of the wrong kind.
Spec read_spec(const std::filesystem::path& file, std::string_view scale = "paper",
               const MethodLookup& find = find_method, const ReportRules* rules = nullptr);
Spec parse_spec(std::string_view json, std::string_view origin, std::string_view scale = "paper",
                const MethodLookup& find = find_method, const ReportRules* rules = nullptr);

/// The scales that a spec offers, "paper" included, in the order of the file.
std::vector<std::string> list_scales(const std::filesystem::path& file);

/// The values that one item of an axis stands for: "64:512:64" (first:last:step, last included when hit; step 1 when
/// left out) and "DHZ{0..7}-(ME-FB-ME)" (expand_pattern); anything else is itself. What `sweep` uses for its options.
std::vector<Value> expand_values(std::string_view text);

/// Adds them to the values of an axis, of which there may be a million.
void append_values(std::string_view text, std::vector<Value>& values);

/// Checks a spec that was put together in code, as read_spec does; `origin` names it in messages.
void validate(const Spec& spec, std::string_view origin, const MethodLookup& find = find_method);

/// The spec as JSON in the format that parse_spec reads, with everything resolved.
std::string to_json(const Spec& spec);

}  // namespace pivotlab::experiments
