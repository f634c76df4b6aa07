// SPDX-License-Identifier: BSD-3-Clause
// Specs of experiments: the JSON files in specs/, and those that `sweep` builds from its options.
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
  std::vector<std::size_t> items = {};  ///< for each value, the index of its item in the spec's file
};

/// Rules for the number of samples of a case.
struct Timing {
  int warmup = 0;                 ///< runs before the first sample
  int min_repeats = 1;            ///< least number of samples
  int max_repeats = 3;            ///< largest number of samples
  double relative_spread = 0.05;  ///< sampling stops if (q3 − q1)/median ≤ this; needs three samples
  /// Above 0, sampling stops instead if there are `samples_for_quartile` samples, and the 90 % interval of the lower
  /// quartile is not wider than this part of it; disturbed samples are taken again. A sweep takes them in several
  /// passes over all cases (`passes_of_sweep`); each has these limits.
  double until = 0;
  double budget_s = 60;     ///< sampling stops when the samples of a case add up to this
  double timeout_s = 0;     ///< a case that takes longer than this is stopped; 0: no limit
  bool interleave = false;  ///< the solvers of a problem take turns, one sample at a time
};

/// A validated experiment. Axes are crossed in their order, the last one fastest; an axis that the spec leaves out has
/// the method's default. Patterns and ranges have been expanded; '?' in a solver and multiples ("2n") are still open.
struct Spec {
  std::string name;  ///< [A-Za-z0-9._-]+, the folder of its run
  std::string title, source;
  std::string method;
  std::string scale = "paper";  ///< the applied member of `scales`; "paper" is the spec itself
  std::vector<Axis> axes;
  std::vector<std::vector<std::string>> zip;  ///< axes of equal length that advance together, at the place of the first
  std::vector<Case> exclude;  ///< cases to leave out: every named axis must match; texts may contain '*'
  Timing timing;
  std::string published;        ///< name of the published numbers; may be empty
  std::string report = "null";  ///< for the analysis only: JSON text, passed on as it is
  std::string origin;           ///< its file, for messages; empty: the options of a command
};

class ReportRules;

/// Reads a spec and applies a scale ("paper", or a key of `scales`). `find` returns the method by name, so that tests
/// can use methods of their own. The whole file is checked, including other scales; names in the report are checked
/// only by the rules. Throws InputError "<file>:<line>:<column>: …" for JSON errors, and "<file>: <place>: …" for
/// unknown keys, axes, scales (naming the nearest) and values of the wrong kind.
Spec read_spec(const std::filesystem::path& file, std::string_view scale = "paper",
               const MethodLookup& find = find_method, const ReportRules* rules = nullptr);
Spec parse_spec(std::string_view json, std::string_view origin, std::string_view scale = "paper",
                const MethodLookup& find = find_method, const ReportRules* rules = nullptr);

/// Returns the scales of a spec, "paper" included, in the order of the file.
std::vector<std::string> list_scales(const std::filesystem::path& file);

/// Checks a spec that code has built, as read_spec() does.
void validate(const Spec& spec, const MethodLookup& find = find_method);

/// Returns the place where a spec sets the value of an axis in a case: "my.json: axes.generator[0]", "--generator".
std::string place_of(const Spec& spec, const AxisInfo& axis, const Case& axes);

/// Returns the spec as JSON in the format of its file, with everything resolved.
std::string to_json(const Spec& spec);

}  // namespace pivotlab::experiments
