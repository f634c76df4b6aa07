// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/method.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/transport.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::experiments {

Case Method::problem(const Case& axes) const {
  Case result = axes;
  for (const AxisInfo& axis : this->axes())
    if (axis.role != AxisRole::problem) result.erase(axis.name);
  result.erase("solver_digest");  // belongs to the axis `solver`
  return result;
}

std::unique_ptr<Problem> Method::make_problem_over(Transport&, const Case&) const {
  throw SharedInputError(fmt::format("method {}: has no solvers over ranks", name()));
}

const AxisInfo& axis_of(const Method& method, std::string_view name) {
  std::vector<std::string> names;
  for (const AxisInfo& axis : method.axes()) {
    if (axis.name == name) return axis;
    names.push_back(axis.name);
  }
  throw InputError(fmt::format("method {} has no axis '{}'; {}", method.name(), name, nearest_text(name, names)));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method* method : all_methods()) names.emplace_back(method->name());
  return names;
}

std::string method_advice(std::string_view name, const std::vector<std::string>& names) {
  std::string nearest = nearest_text(name, names);
  if (build_info().methods == "all") return nearest;
  return fmt::format("{}; this program was built with {} alone, cmake -DPIVOTLAB_METHODS=all builds the others",
                     nearest, build_info().methods);
}

const Method& find_method(std::string_view name) {
  for (const Method* method : all_methods())
    if (method->name() == name) return *method;
  throw InputError(fmt::format("method: unknown '{}'; {}", name, method_advice(name, method_names())));
}

}  // namespace pivotlab::experiments
