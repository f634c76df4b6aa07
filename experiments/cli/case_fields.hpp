// SPDX-License-Identifier: BSD-3-Clause
// Columns of cases and of their records.
#pragma once

#include <experiments/engine/plan.hpp>
#include <experiments/tables/table.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

experiments::Cell to_cell(const experiments::Value& value);

/// Returns one column per axis, in the order of the method; `axes_of` returns the case of a Source.
template <class Source, class AxesOf>
std::vector<experiments::Field<Source>> axis_fields(const experiments::Method& method, AxesOf axes_of);

/// A case and its record; the record is null until it exists.
struct CaseLine {
  const experiments::Case* axes = nullptr;
  const nlohmann::json* record = nullptr;
};

/// Returns columns for the axes, then for members of the record: sweeps, times, metrics, status.
std::vector<experiments::Field<CaseLine>> record_fields(const experiments::Method& method);

/// Returns columns own.<name>: for each option of the plan's solvers that are the user's, and for the values of such
/// solvers that `columns` name.
std::vector<experiments::Field<CaseLine>> own_fields(const experiments::Plan& plan,
                                                     const std::vector<std::string>& columns);

/// Returns the metrics that a comparison of two runs shows.
std::vector<std::string> compared_metrics(const experiments::Method& method);

namespace detail {
experiments::Column axis_column(const experiments::AxisInfo& axis);
experiments::Cell axis_cell(const experiments::Case& axes, const std::string& name);
}  // namespace detail

template <class Source, class AxesOf>
std::vector<experiments::Field<Source>> axis_fields(const experiments::Method& method, AxesOf axes_of) {
  std::vector<experiments::Field<Source>> fields;
  for (const experiments::AxisInfo& axis : method.axes())
    fields.push_back({detail::axis_column(axis), [axes_of, name = axis.name](const Source& source) {
                        return detail::axis_cell(axes_of(source), name);
                      }});
  return fields;
}

}  // namespace pivotlab::cli
